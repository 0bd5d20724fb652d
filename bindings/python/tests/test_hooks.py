"""Hooks: no exception is a consent."""

import asyncio
import logging

import pytest
import support
from support import CARD, FORM, collecting, pay, payable, payable_async, release, reply, run_async

from headless_checkout import (
    Canceled,
    Completed,
    Failed,
    FailedAfterAnswer,
    HookCanceled,
    HookRefused,
    Hooks,
    SessionState,
    Slice,
    Steps,
    TicketClosed,
)

REFUSED = "ON_BEFORE_VALIDATE_HOOK_FAILED"


class Refusal(Exception):
    """What the tests raise."""


def raises(request):
    raise Refusal("the till is closed")


async def raises_later(request):
    await asyncio.sleep(0)
    raise Refusal()


async def is_cancelled(request):
    asyncio.current_task().cancel()
    await asyncio.sleep(0)


# seed: 001:8
# seed: 001:20b
def test_all_hooks_in_order(runtime, back_end):
    asked = []

    def note(name, answer=None):
        def hook(request):
            asked.append((name, request))
            return answer
        return hook

    hooks = collecting(
        collect=note("collect", FORM), post_validate=note("postValidate"), before_validate=note("beforeValidate"),
        after_validate=note("afterValidate"), checkpoint=note("checkpoint"), redirection=note("redirection"))
    checkout = payable(runtime, hooks)
    attempt = checkout.submit()
    assert isinstance(runtime.wait(attempt, 5), Completed)
    runtime.poll(0)
    assert [name for name, _ in asked] == [
        "collect", "beforeValidate", "checkpoint", "checkpoint", "afterValidate", "postValidate", "checkpoint"]
    requests = [request for _, request in asked]
    collect, before, before_send, answered, after, post, ended = requests
    assert {request.attempt for request in requests} == {attempt.id}
    assert (collect.amount, collect.currency, collect.tenant_id) == (12000, "EUR", "tenant-1")
    assert collect.element == CARD and collect.brands == ("VISA", "MASTERCARD")
    assert before.split == (Slice(CARD, 12000),)
    assert before_send.is_waited_for and before_send.marked and before_send.snapshot.startswith("{")
    assert [each.reason for each in (before_send, answered, ended)] == ["beforeSend", "answered", "outcome"]
    assert before_send.revision < answered.revision < ended.revision
    assert not answered.is_waited_for and before_send.saved_at > 1_700_000_000
    assert post.result["status"] == "SUCCESS"
    release(runtime, checkout)


# seed: 001:19c
@pytest.mark.parametrize("hook", [raises, raises_later, is_cancelled])
def test_a_raising_or_cancelled_hook_refuses_the_payment(back_end, hook):
    async def job():
        async with support.host_runtime(back_end) as runtime:
            checkout = await payable_async(collecting(before_validate=hook), runtime)
            outcome = await checkout.submit()
            assert isinstance(outcome, Failed) and outcome.error.code == REFUSED and outcome.error.moved == "no"
            assert checkout.session_state == SessionState.READY and back_end.payments == []
            assert type(outcome.cause) is (asyncio.CancelledError if hook is is_cancelled else Refusal)
            checkout.set_hooks(collecting())
            assert isinstance(await checkout.submit(), Completed)
            checkout.release()
            await checkout.released

    run_async(job())
    support.assert_nothing_registered()


def test_cancelling_the_task_of_a_hook_from_outside(back_end):
    async def job():
        tasks = []

        async def waits(request):
            tasks.append(asyncio.current_task())
            await asyncio.sleep(3600)

        async with support.host_runtime(back_end) as runtime:
            checkout = await payable_async(collecting(before_validate=waits), runtime)
            attempt = checkout.submit()
            while not tasks:
                await asyncio.sleep(0)
            tasks[0].cancel()
            outcome = await attempt
            assert isinstance(outcome, Failed) and outcome.error.code == REFUSED and back_end.payments == []
            checkout.release()
            await checkout.released

    run_async(job())


def test_what_a_hook_raised_is_logged_and_not_told_to_the_library(runtime, back_end, caplog):
    checkout = payable(runtime, collecting(before_validate=raises))
    with caplog.at_level(logging.ERROR):
        outcome = pay(runtime, checkout)
    assert "BeforeValidate raised" in caplog.text and "Refusal" in caplog.text
    assert "till" not in str(outcome.error)
    assert str(outcome.cause).startswith("the till")
    release(runtime, checkout)


def test_refusing_on_purpose(runtime, back_end, caplog):
    def refuses(request):
        raise HookRefused("out of stock")

    checkout = payable(runtime, collecting(before_validate=refuses))
    outcome = pay(runtime, checkout)
    assert isinstance(outcome, Failed) and outcome.error.code == REFUSED and not caplog.records
    assert isinstance(outcome.cause, HookRefused)
    release(runtime, checkout)


@pytest.mark.parametrize("answer", [False, True, "no", {}])
def test_only_none_consents(runtime, back_end, answer, caplog):
    checkout = payable(runtime, collecting(before_validate=lambda request: answer))
    outcome = pay(runtime, checkout)
    assert isinstance(outcome, Failed) and isinstance(outcome.cause, TypeError) and back_end.payments == []
    release(runtime, checkout)


def test_a_refused_checkpoint_sends_nothing(runtime, back_end, caplog):
    checkout = payable(runtime, collecting(checkpoint=raises))
    outcome = pay(runtime, checkout)
    assert isinstance(outcome, Failed) and outcome.error.code == "CHECKPOINT_REFUSED"
    assert checkout.session_state == SessionState.READY and back_end.payments == []
    release(runtime, checkout)


def test_checkpoints_are_stored_one_after_the_other(back_end):
    async def job():
        begun, ended = [], []

        async def store(checkpoint):
            begun.append(checkpoint.revision)
            await asyncio.sleep(0.05 if checkpoint.reason == "answered" else 0)
            ended.append(checkpoint.revision)

        async with support.host_runtime(back_end) as runtime:
            checkout = await payable_async(collecting(checkpoint=store), runtime)
            await checkout.submit()
            while len(ended) < 3:
                await asyncio.sleep(0.01)
            assert begun == ended == sorted(begun)
            checkout.release()
            await checkout.released

    run_async(job())


def gives_up(request):
    raise HookCanceled()


@pytest.mark.parametrize("collect, kind, code", [
    (gives_up, Canceled, None), (raises, Failed, "PARTNER_UI_ERROR"),
    (lambda request: None, Failed, "PARTNER_UI_ERROR"),
    (lambda request: {"vault_form_token": object()}, Failed, "PARTNER_UI_ERROR"),
    (lambda request: {"card": "4111 1111 1111 1111"}, Failed, "PARTNER_UI_ERROR"),
])
def test_a_collect_that_gives_nothing(runtime, back_end, collect, kind, code, caplog):
    checkout = payable(runtime, collecting(collect=collect))
    outcome = pay(runtime, checkout)
    assert type(outcome) is kind and back_end.payments == []
    assert code is None or outcome.error.code == code
    assert checkout.session_state == SessionState.READY
    assert "4111" not in caplog.text
    release(runtime, checkout)


def test_a_post_validate_that_raises_spends_the_session(runtime, back_end, caplog):
    checkout = payable(runtime, collecting(post_validate=raises))
    outcome = pay(runtime, checkout)
    assert isinstance(outcome, FailedAfterAnswer) and isinstance(outcome.cause, Refusal)
    assert checkout.session_state == SessionState.ERROR and len(back_end.payments) == 1
    release(runtime, checkout)


# seed: 001:9
def test_an_after_validate_that_raises_is_swallowed(runtime, back_end, caplog):
    checkout = payable(runtime, collecting(after_validate=raises))
    assert isinstance(pay(runtime, checkout), Completed)
    assert "AfterValidate raised" in caplog.text
    release(runtime, checkout)


def test_an_async_hook_without_a_loop_refuses(runtime, back_end, caplog):
    async def consents(request):
        return None

    checkout = payable(runtime, collecting(before_validate=consents))
    outcome = pay(runtime, checkout)
    assert isinstance(outcome, Failed) and "asyncio" in str(outcome.cause)
    release(runtime, checkout)


def test_hooks_are_asked_from_the_next_attempt_on(back_end):
    async def job():
        asked = []
        go = asyncio.Event()

        async def first(request):
            asked.append("first")
            await go.wait()

        def checkpoint(request):
            asked.append("checkpoint of the first")

        def second(request):
            asked.append("second")

        async with support.host_runtime(back_end) as runtime:
            checkout = await payable_async(collecting(before_validate=first, checkpoint=checkpoint), runtime)
            back_end.answers["validate"] = lambda request: reply({}, 422)
            attempt = checkout.submit()
            while not asked:
                await asyncio.sleep(0)
            checkout.set_hooks(collecting(before_validate=second))
            go.set()
            assert isinstance(await attempt, Failed)
            assert asked[:2] == ["first", "checkpoint of the first"]
            asked.clear()
            # What was collected was used up with the attempt.
            checkout.submit()
            while not asked:
                await asyncio.sleep(0)
            assert asked == ["second"]
            checkout.release()
            await checkout.released

    run_async(job())


def test_steps_cannot_change(runtime):
    checkout = payable(runtime)
    with pytest.raises(ValueError, match="steps"):
        checkout.set_hooks(Hooks(steps={CARD: Steps(post_validate=raises)}))
    release(runtime, checkout)


def test_a_hook_may_call_anything(runtime, back_end):
    seen = []

    def before_validate(request):
        seen.append(checkout.session_state)
        seen.append(checkout.save_state()[:1])
        seen.append(runtime.info()["checkouts"])
        with pytest.raises(Exception, match="polled inside"):
            runtime.poll(0)

    checkout = payable(runtime, collecting(before_validate=before_validate))
    assert isinstance(pay(runtime, checkout), Completed)
    assert seen == ["submitting", "{", 1]
    release(runtime, checkout)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_an_interrupt_in_a_hook_refuses_and_leaves_the_poll(runtime, back_end, error):
    def interrupted(request):
        raise error()

    checkout = payable(runtime, collecting(before_validate=interrupted))
    attempt = checkout.submit()
    with pytest.raises(error):
        runtime.wait(attempt, 5)
    outcome = runtime.wait(attempt, 5)
    assert isinstance(outcome, Failed) and outcome.error.code == REFUSED and back_end.payments == []
    release(runtime, checkout)


def test_an_interrupt_in_a_listener_leaves_the_poll(runtime):
    checkout = payable(runtime)

    def interrupted(event):
        stop()
        raise KeyboardInterrupt()

    stop = checkout.listen(interrupted)
    checkout.set_primary()
    with pytest.raises(KeyboardInterrupt):
        runtime.poll(0)
    release(runtime, checkout)


def test_an_interrupt_before_the_hook_was_reached_refuses(runtime, back_end, monkeypatch):
    checkout = payable(runtime, collecting(before_validate=lambda request: None))

    def interrupted(*arguments):
        raise KeyboardInterrupt()

    attempt = checkout.submit(skip_on_before_validate=False)
    with monkeypatch.context() as patched:
        patched.setattr(checkout._core, "asked", interrupted)
        with pytest.raises(KeyboardInterrupt):
            runtime.wait(attempt, 5)
    outcome = runtime.wait(attempt, 5)
    assert isinstance(outcome, Failed) and back_end.payments == []
    release(runtime, checkout)


# seed: 001:19b
def test_skipping_before_validate(runtime, back_end):
    checkout = payable(runtime, collecting(before_validate=raises))
    assert isinstance(pay(runtime, checkout, skip_on_before_validate=True), Completed)
    release(runtime, checkout)


def out_of_time(back_end, job):
    """Runs `job` with a payment whose beforeValidate hook never ends, at the moment when its time is over."""
    async def never(request):
        await asyncio.get_running_loop().create_future()

    async def run():
        async with support.host_runtime(back_end, hook_timeout_ms=1000) as runtime:
            checkout = await payable_async(collecting(before_validate=never), runtime)
            events = []
            checkout.listen(events.append)
            attempt = checkout.submit()
            while [waiting.kind for waiting in checkout.waiting_for] != ["beforeValidate"]:
                await asyncio.sleep(0)
            ticket = checkout.waiting_for[0].ticket
            await asyncio.sleep(0.01)
            runtime.advance(1001)
            job(await attempt, ticket, events)
            checkout.release()
            await checkout.released

    run_async(run())


def test_a_hook_that_is_never_answered_is_no_consent(back_end):
    def job(outcome, ticket, events):
        assert isinstance(outcome, Failed) and outcome.error.code == REFUSED and back_end.payments == []

    out_of_time(back_end, job)


def test_a_hook_that_ran_out_of_time_is_told(back_end):
    def job(outcome, ticket, events):
        assert [event.ticket for event in events if isinstance(event, TicketClosed)] == [ticket]

    out_of_time(back_end, job)
