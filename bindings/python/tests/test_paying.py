"""Attempts and their outcomes."""

import asyncio

import pytest
import support
from support import CARD, FORM, GIFT, GIFT_NUMBER, collecting, pay, payable, release, reply, run_async

from headless_checkout import (
    Canceled,
    Completed,
    Failed,
    HTTPNotSent,
    OutcomeUnknown,
    RefusedError,
    RuntimeClosed,
    SessionState,
)


def test_success(runtime, back_end):
    checkout = payable(runtime)
    events = []
    checkout.listen(events.append)
    attempt = checkout.submit(element=CARD)
    assert checkout.session_state == SessionState.SUBMITTING and not attempt.done
    outcome = runtime.wait(attempt, 5)
    assert isinstance(outcome, Completed) and outcome.is_success and outcome.verdict == "success"
    assert outcome.status == "SUCCESS" and outcome.attempt == attempt.id and outcome.element == CARD
    assert [result.item for result in outcome.results] == [CARD]
    assert [event.outcome for event in events if event.type == "outcome"] == [outcome]
    assert checkout.session_state == SessionState.SUBMITTED
    assert checkout.attempt(attempt.id).result() is outcome
    (items,) = back_end.payments
    assert items[0]["payment_data"] == FORM and items[0]["amount"] == 120
    release(runtime, checkout)


def test_gift_card_and_card(runtime, back_end):
    checkout = payable(runtime)
    token = runtime.wait(checkout.read_secondary(GIFT, GIFT_NUMBER, cvv="1234"), 5)
    checkout.apply_secondary(token.id)
    assert isinstance(pay(runtime, checkout), Completed)
    (items,) = back_end.payments
    assert [(item["partner"], item["amount"]) for item in items] == [("illicado", 30), ("purse", 90)]
    release(runtime, checkout)


@pytest.mark.parametrize("status, verdict", [
    ("FAILED", "declined"), ("ERROR", "declined"), ("WAITING", "pending"), ("OF_A_LATER_VERSION", "pending"),
])
# seed: 002:35b
def test_not_success_is_completed_too(runtime, back_end, status, verdict):
    back_end.ends(status)
    checkout = payable(runtime)
    outcome = pay(runtime, checkout)
    assert isinstance(outcome, Completed) and not outcome.is_success
    assert (outcome.status, outcome.verdict) == (status, verdict)
    release(runtime, checkout)


# seed: 002:55
def test_a_second_submit_is_refused(runtime, back_end):
    checkout = payable(runtime)
    attempt = checkout.submit()
    for _ in range(2):
        with pytest.raises(RefusedError) as caught:
            checkout.submit()
        assert caught.value.code == "SUBMIT_BLOCKED"
        runtime.wait(attempt, 5)
    assert len(back_end.payments) == 1
    release(runtime, checkout)


def test_an_exception_of_the_transport_leaves_the_outcome_unknown(runtime, back_end, caplog):
    back_end.answers["validate"] = ConnectionResetError("after the server had read it")
    checkout = payable(runtime)
    outcome = pay(runtime, checkout)
    assert isinstance(outcome, OutcomeUnknown) and not isinstance(outcome, Failed)
    assert outcome.error.code == "OUTCOME_UNKNOWN" and outcome.error.moved == "unknown"
    assert checkout.outcome_unknown and checkout.session_state == SessionState.SUBMITTED
    with pytest.raises(RefusedError) as caught:
        checkout.submit()
    assert caught.value.code == "SUBMIT_BLOCKED" and len(back_end.payments) == 1
    checkout.resolve(outcome.attempt, "paid")
    assert not checkout.outcome_unknown and checkout.session_state == SessionState.SUBMITTED
    release(runtime, checkout)


@pytest.mark.parametrize("status", [500, 302, 409])
def test_an_answer_that_says_nothing_leaves_the_outcome_unknown(runtime, back_end, status):
    back_end.answers["validate"] = lambda request: reply({}, status)
    checkout = payable(runtime)
    assert isinstance(pay(runtime, checkout), OutcomeUnknown)
    release(runtime, checkout)


def test_no_answer_before_the_deadline_leaves_the_outcome_unknown(back_end):
    async def job():
        forever = asyncio.get_running_loop().create_future()
        back_end.answers["validate"] = lambda request: forever
        async with support.host_runtime(back_end) as runtime:
            checkout = await support.payable_async(runtime=runtime)
            attempt = checkout.submit()
            while not back_end.payments:
                await asyncio.sleep(0)
            runtime.advance(59_000)
            await asyncio.sleep(0.05)
            assert not attempt.done
            runtime.advance(1_001)
            outcome = await attempt
            assert isinstance(outcome, OutcomeUnknown)
            # Too late: harmless.
            forever.set_result(back_end.validate(back_end.sent("validate")[0]))
            await asyncio.sleep(0)
            checkout.release()
            await checkout.released

    run_async(job())
    support.assert_nothing_registered()


def test_not_created_makes_it_payable_again(runtime, back_end):
    checkout = payable(runtime)
    back_end.answers["validate"] = OSError("lost")
    outcome = pay(runtime, checkout)
    checkout.resolve(outcome.attempt, "notCreated")
    assert checkout.session_state == SessionState.READY
    back_end.answers["validate"] = back_end.validate
    assert isinstance(pay(runtime, checkout), Completed)
    assert len(back_end.payments) == 2
    release(runtime, checkout)


def test_what_has_not_left_has_failed(runtime, back_end):
    back_end.answers["validate"] = HTTPNotSent("no route")
    checkout = payable(runtime)
    outcome = pay(runtime, checkout)
    assert isinstance(outcome, Failed) and outcome.error.moved == "no"
    assert checkout.session_state == SessionState.READY
    release(runtime, checkout)


def test_a_refusal_of_the_back_end_has_failed(runtime, back_end):
    back_end.answers["validate"] = lambda request: reply({"code": "INVALID_SPLIT"}, 422)
    checkout = payable(runtime)
    outcome = pay(runtime, checkout)
    assert isinstance(outcome, Failed) and outcome.error.code == "VALIDATE_FAILED"
    assert checkout.session_state == SessionState.READY
    release(runtime, checkout)


def test_a_wrong_return_value_of_the_transport_counts_as_sent(runtime, back_end, caplog):
    back_end.answers["validate"] = lambda request: {"status": 200}
    checkout = payable(runtime)
    assert isinstance(pay(runtime, checkout), OutcomeUnknown)
    assert "HTTPResponse" in caplog.text
    release(runtime, checkout)


def test_the_money_request_asks_for_care(runtime, back_end):
    checkout = payable(runtime)
    pay(runtime, checkout)
    (request,) = back_end.sent("validate")
    assert request.method == "POST" and request.money == "opens" and request.fresh_connection
    assert request.timeout_ms == 60_000 and request.headers["x-api-key"] == "key-1"
    assert request.url == f"{support.ROOT}/entity-1/sessions/{checkout.session_id}/validate"
    release(runtime, checkout)


def test_abort_before_it_has_left(back_end):
    async def job():
        asked = asyncio.Event()

        async def before_validate(request):
            asked.set()
            await asyncio.sleep(3600)

        async with support.host_runtime(back_end) as runtime:
            checkout = await support.payable_async(collecting(before_validate=before_validate), runtime)
            attempt = checkout.submit()
            await asked.wait()
            assert [waiting.kind for waiting in checkout.waiting_for] == ["beforeValidate"]
            checkout.abort(attempt)
            outcome = await attempt
            assert isinstance(outcome, Canceled) and not outcome.spent
            assert checkout.session_state == SessionState.READY and back_end.payments == []
            # The hook's task was cancelled, as its ticket is closed.
            await asyncio.sleep(0)
            assert len(asyncio.all_tasks()) <= 2
            checkout.release()
            await checkout.released

    run_async(job())


def test_abort_after_it_has_left_is_too_late(runtime, back_end):
    checkout = payable(runtime)
    pending = []
    attempt = checkout.submit()

    def late(request):
        try:
            checkout.abort(attempt)
        except RefusedError as error:
            pending.append(error.code)
        return back_end.validate(request)

    back_end.answers["validate"] = late
    assert isinstance(runtime.wait(attempt, 5), Completed)
    assert pending == ["TOO_LATE"]
    release(runtime, checkout)


def test_giving_up_the_wait_changes_nothing(back_end):
    async def job():
        go = asyncio.Event()

        async def before_validate(request):
            await go.wait()

        async with support.host_runtime(back_end) as runtime:
            checkout = await support.payable_async(collecting(before_validate=before_validate), runtime)
            attempt = checkout.submit()
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(attempt, 0.05)
            assert checkout.session_state == SessionState.SUBMITTING
            go.set()
            assert isinstance(await attempt, Completed)
            checkout.release()
            await checkout.released

    run_async(job())


def test_closing_the_runtime_loses_the_outcome_loudly(back_end):
    runtime = support.host_runtime(back_end)
    checkout = payable(runtime)
    attempt = checkout.submit()
    runtime.close()
    with pytest.raises(RuntimeClosed):
        attempt.result()
    with pytest.raises(RuntimeClosed):
        checkout.attempt(99).result()
    with pytest.raises(RuntimeClosed):
        runtime.wait(attempt)
    checkout.release()
    support.assert_nothing_registered()


def test_leaving_the_checkout_waits_for_what_has_left(back_end):
    async def job():
        answered = asyncio.get_running_loop().create_future()
        back_end.answers["validate"] = lambda request: answered
        async with support.host_runtime(back_end) as runtime:
            async with await support.payable_async(runtime=runtime) as checkout:
                attempt = checkout.submit()
                while not back_end.payments:
                    await asyncio.sleep(0)
                asyncio.get_running_loop().call_later(
                    0.05, lambda: answered.set_result(back_end.validate(back_end.sent("validate")[0])))
            assert isinstance(attempt.result(), Completed)

    run_async(job())
    support.assert_nothing_registered()
