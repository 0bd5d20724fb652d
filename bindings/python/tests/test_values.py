"""From the library's JSON to values."""

import asyncio

import pytest
from support import run_async

from headless_checkout import (
    Canceled,
    Change,
    CheckoutError,
    Completed,
    ElementState,
    ErrorObject,
    Event,
    Failed,
    FailedAfterAnswer,
    ForkedError,
    InvalidArgumentError,
    Outcome,
    OutcomeUnknown,
    PaymentMethod,
    Pending,
    RedirectEvent,
    ReturnedFromRedirect,
)
from headless_checkout._decoding import camel_case, decode
from headless_checkout._errors import error_for
from headless_checkout._events import event, outcome
from headless_checkout._pending import Calls


@pytest.mark.parametrize("name, spelling", [
    ("id", "id"), ("session_id", "sessionId"), ("has_ui", "hasUI"), ("requires_ui_clear", "requiresUIClear"),
    ("return_url_prefix", "returnURLPrefix"), ("form_data_url_encoded", "formDataURLEncoded"), ("is_ready", "isReady"),
])
def test_names(name, spelling):
    assert camel_case(name) == spelling


def test_unknown_members_are_ignored_and_missing_ones_are_none():
    state = decode(ElementState, {"element": "x", "hasUI": True, "comesLater": [1]})
    assert state.element == "x" and state.has_ui is True and state.stale is None


def test_nested_objects():
    disabled = {"code": "MIN_AMOUNT_NOT_MET", "details": {"minAmount": 1}}
    method = decode(PaymentMethod, {"id": "x", "disabled": disabled})
    assert method.disabled.code == "MIN_AMOUNT_NOT_MET" and method.disabled.details == {"minAmount": 1}
    assert decode(PaymentMethod, {"id": "x", "disabled": None}).disabled is None


def failed(moved):
    error = {"code": "X", "message": "m", "category": "api", "moved": moved, "retryable": False}
    return outcome({"type": "outcome", "attempt": 3, "kind": "failed", "element": None, "error": error}, None)


@pytest.mark.parametrize("moved, kind", [
    ("no", Failed), ("yes", FailedAfterAnswer), ("unknown", OutcomeUnknown),
    ("a word of a later version", OutcomeUnknown),
])
def test_failed_by_what_is_known_of_the_money(moved, kind):
    ended = failed(moved)
    assert type(ended) is kind and ended.error.moved == moved and ended.attempt == 3


def test_an_unknown_outcome_is_not_taken_for_a_failure():
    assert not isinstance(failed("unknown"), Failed)
    assert not isinstance(failed("yes"), Failed)


def test_an_error_that_does_not_say_so_counts_as_unknown():
    ended = outcome({"type": "outcome", "attempt": 1, "kind": "failed", "error": {"code": "X"}}, None)
    assert type(ended) is OutcomeUnknown


def test_the_other_outcomes():
    completed = outcome({
        "attempt": 1, "element": "x", "kind": "completed", "status": "FAILED", "isSuccess": False,
        "verdict": "declined", "results": [{"item": "x", "state": "FAILED", "code": "REJECTED_BANK"}]}, None)
    assert isinstance(completed, Completed) and not completed.is_success and completed.verdict == "declined"
    assert completed.results[0].code == "REJECTED_BANK"
    returned = outcome({"attempt": 1, "kind": "returnedFromRedirect", "url": None}, None)
    assert isinstance(returned, ReturnedFromRedirect) and returned.url is None
    canceled = outcome({"attempt": 1, "kind": "canceled", "spent": True, "resolved": True}, None)
    assert isinstance(canceled, Canceled) and canceled.spent and canceled.resolved
    assert type(outcome({"attempt": 1, "kind": "of a later version"}, None)) is Outcome


def test_events():
    change = event({"type": "change", "seq": 1, "changed": {"amount": 1}})
    assert isinstance(change, Change) and change.changed == {"amount": 1} and change.seq == 1
    action = {"kind": "get", "url": "https://x", "returnURLPrefix": "app://", "surfaces": ["webView"]}
    redirect = event({
        "type": "redirect", "seq": 2, "state": "open", "attempt": 1, "presentation": "p1", "action": action})
    assert isinstance(redirect, RedirectEvent) and redirect.action.surfaces == ("webView",)
    later = event({"type": "comesLater", "seq": 3})
    assert type(later) is Event and later.raw == {"type": "comesLater", "seq": 3}


def test_errors():
    members = {"code": "SESSION_MALFORMED", "message": "m", "path": "a.b", "offset": 7, "moved": "no"}
    error = error_for(2, "HCO_INVALID_ARGUMENT", members)
    assert type(error) is InvalidArgumentError and isinstance(error, ValueError)
    assert (error.code, error.path, error.offset, error.moved) == ("SESSION_MALFORMED", "a.b", 7, "no")
    assert str(error) == "SESSION_MALFORMED: m (at a.b, byte 7)"
    assert "spawn" in str(error_for(6, "HCO_FORKED", None)) and type(error_for(6, "HCO_FORKED", None)) is ForkedError
    later = error_for(99, "HCO_UNKNOWN", None)
    assert type(later) is CheckoutError and later.moved == "unknown"
    assert ErrorObject.from_json({"code": "X"}).moved == "unknown"


def test_pending_is_awaited_by_many_and_again():
    async def job():
        pending = Pending(7)
        with pytest.raises(asyncio.InvalidStateError):
            pending.result()
        waiters = [asyncio.ensure_future(pending) for _ in range(3)]
        await asyncio.sleep(0)
        waiters[0].cancel()
        await asyncio.sleep(0)
        pending.finish("x")
        pending.finish("y")
        pending.fail(ValueError())
        assert await asyncio.gather(*waiters[1:]) == ["x", "x"]
        assert await pending == "x" and pending.done and waiters[0].cancelled()

    run_async(job())


def test_pending_fails():
    async def job():
        pending = Pending()
        pending.fail(KeyError("x"))
        with pytest.raises(KeyError):
            await pending

    run_async(job())


@pytest.mark.parametrize("event_first", [True, False])
def test_a_call_and_its_event_meet_in_either_order(event_first):
    calls = Calls()
    first, second = calls.meet(1), calls.meet(1)
    assert first is second and calls.meet(1) is not first
    event_side, caller = (first, second) if event_first else (second, first)
    event_side.finish({"token": 3})
    assert caller.reading(lambda result: result["token"]).result() == 3
