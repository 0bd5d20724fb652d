"""Save, restore, and what a killed program comes back to."""

import json

import pytest
import support
from support import API_PATHS, CARD, GIFT, GIFT_NUMBER, collecting, make, payable, release

from headless_checkout import (
    Checkout,
    Completed,
    Failed,
    InvalidArgumentError,
    OutcomeUnknown,
    RefusedError,
    ReturnedFromRedirect,
    SessionState,
)


def restore(runtime, snapshot, **options):
    return Checkout.restore(runtime, snapshot, hooks=collecting(), api_paths=API_PATHS, **options)


@pytest.fixture
def other(back_end):
    """The runtime of the next life of the program."""
    with support.host_runtime(back_end) as runtime:
        yield runtime


def test_save_and_restore(runtime, other):
    checkout = payable(runtime)
    snapshot = checkout.save_state()
    assert json.loads(snapshot)["revision"] >= 0
    restored = restore(other, snapshot)
    assert restored.session_id == checkout.session_id and restored.primary.item == CARD
    assert restored.session_state == SessionState.READY and restored.pending_attempt is None
    assert restored.skipped == ()
    support.choose_card(other, restored)
    assert isinstance(support.pay(other, restored), Completed)
    release(runtime, checkout)
    release(other, restored)


def test_what_cannot_be_restored_is_told(runtime, other):
    checkout = make(runtime)
    token = runtime.wait(checkout.read_secondary(GIFT, GIFT_NUMBER, cvv="1234"), 5)
    checkout.apply_secondary(token.id)
    snapshot = checkout.save_state()
    assert GIFT_NUMBER not in snapshot
    restored = restore(other, snapshot)
    assert [slice.amount for slice in restored.amount_split] == [3000] or restored.skipped[0].item in (GIFT, token.id)
    release(runtime, checkout)
    release(other, restored)


@pytest.mark.parametrize("snapshot", ["", "{}", "no", '{"format":99}', "[]", "\U0001F4B3"])
def test_no_snapshot(runtime, snapshot):
    with pytest.raises((RefusedError, InvalidArgumentError)) as caught:
        restore(runtime, snapshot)
    assert caught.value.code == "SESSION_MALFORMED"
    support.assert_nothing_registered_but(1)


def killed_after_it_had_left(back_end):
    """The last checkpoint of a program that was killed while its payment was under way."""
    stored = []
    back_end.answers["validate"] = lambda request: support.reply({}, 500)
    with support.host_runtime(back_end) as runtime:
        checkout = payable(runtime, collecting(checkpoint=stored.append))
        checkout.submit()
        while not back_end.payments:
            runtime.poll(1)
    return [each.snapshot for each in stored if each.reason == "beforeSend"][-1]


@pytest.mark.parametrize("verdict, kind, state", [
    ("paid", Completed, SessionState.SUBMITTED), ("declined", Completed, SessionState.SUBMITTED),
    ("notCreated", Failed, SessionState.READY), ("abandoned", OutcomeUnknown, SessionState.SUBMITTED),
])
def test_a_payment_that_had_left_is_resolved(back_end, runtime, verdict, kind, state):
    checkout = restore(runtime, killed_after_it_had_left(back_end))
    pending = checkout.pending_attempt
    assert pending.moved == "unknown" and checkout.outcome_unknown
    with pytest.raises(RefusedError) as caught:
        checkout.submit()
    assert caught.value.code == "SUBMIT_BLOCKED"
    attempt = checkout.attempt(pending.attempt)
    checkout.resolve(pending.attempt, verdict)
    outcome = runtime.wait(attempt, 5)
    assert isinstance(outcome, kind) and outcome.resolved
    assert checkout.session_state == state and checkout.pending_attempt is None
    release(runtime, checkout)


def test_a_return_after_the_program_was_killed(back_end, runtime, other):
    back_end.ends("WAITING", {"url": "https://acs.test/"})
    checkout = payable(runtime, redirect="host")
    events = []
    checkout.listen(events.append)
    checkout.submit()
    while not any(event.type == "redirect" for event in events):
        runtime.poll(1)
    (event,) = (event for event in events if event.type == "redirect")
    restored = restore(other, checkout.save_state())
    attempt = restored.attempt(restored.pending_attempt.attempt)
    restored.redirect_report(event.presentation, url="https://shop.test/return?x")
    # It is held until the element is there to receive it.
    other.wait(restored.open_element(CARD, redirect="host"), 5)
    assert isinstance(other.wait(attempt, 5), ReturnedFromRedirect)
    release(runtime, checkout)
    release(other, restored)


def test_the_same_session_cannot_be_paid_beside_an_unknown_outcome(back_end, runtime):
    data = support.widget_data()
    back_end.answers["validate"] = OSError("lost")
    checkout = payable(runtime, data=data)
    assert isinstance(support.pay(runtime, checkout), OutcomeUnknown)
    with pytest.raises(RefusedError) as caught:
        make(runtime, data=data)
    assert caught.value.code == "SUBMIT_BLOCKED"
    release(runtime, checkout)
