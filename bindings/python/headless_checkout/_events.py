"""What a checkout tells: events, and the outcomes of attempts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ._decoding import decode, nested, sequence
from ._errors import ErrorObject


@dataclass(frozen=True)
class RedirectAction:
    """A page to open. `kind` is "get" (`url`), "postForm" (`url`, `form_data_url_encoded`) or "postHTML" (`html`)."""

    kind: str
    return_url_prefix: str = ""
    url: str | None = None
    form_data_url_encoded: str | None = None
    html: str | None = None
    #: Where it may be shown: "systemBrowser", "webView", "secondDevice" (encode `url` as a QR code).
    surfaces: tuple[str, ...] = sequence()


@dataclass(frozen=True)
class Outcome:
    """How an attempt ended. An instance of exactly this class is a kind that this version does not know."""

    kind: str
    attempt: int
    element: str | None = None
    #: It comes from `Checkout.resolve`.
    resolved: bool = False


@dataclass(frozen=True)
class ItemResult:
    """The back end's word on one slice."""

    item: str
    state: str
    code: str


@dataclass(frozen=True)
class Completed(Outcome):
    """The back end answered. Not a success is a declined or pending payment, see `verdict`."""

    #: The back end's own word.
    status: str = ""
    is_success: bool = False
    #: "success", "pending" or "declined".
    verdict: str = "pending"
    results: tuple[ItemResult, ...] = sequence(ItemResult)


@dataclass(frozen=True)
class ReturnedFromRedirect(Outcome):
    """The shopper came back from a page. Not a verdict: confirm the payment on your backend."""

    url: str | None = None


@dataclass(frozen=True)
class Canceled(Outcome):
    #: The back end had answered about the payment already.
    spent: bool = False


@dataclass(frozen=True)
class Failed(Outcome):
    """The attempt failed and no money has moved. Of the three kinds of failure the only one to show as a failed
    payment; none of them is a subclass of another, so that code for this one does not take the others for it."""

    error: ErrorObject = ErrorObject("UNKNOWN_ERROR")
    #: What the hook raised that made it fail, if one did.
    cause: BaseException | None = field(default=None, compare=False)


@dataclass(frozen=True)
class FailedAfterAnswer(Outcome):
    """The back end had answered about the payment, then a step after it failed. Money may have moved: confirm the
    payment on your backend."""

    error: ErrorObject = ErrorObject("POST_VALIDATE_FAILED")
    cause: BaseException | None = field(default=None, compare=False)


@dataclass(frozen=True)
class OutcomeUnknown(Outcome):
    """Money may have moved. Never show this as a failed payment and never pay again: ask your backend, then
    `resolve`."""

    error: ErrorObject = ErrorObject("OUTCOME_UNKNOWN")
    cause: BaseException | None = field(default=None, compare=False)


_KINDS: dict[str, type[Outcome]] = {
    "completed": Completed,
    "returnedFromRedirect": ReturnedFromRedirect,
    "canceled": Canceled,
}
#: By what is known of the money.
_FAILURES: dict[str, type[Outcome]] = {"no": Failed, "yes": FailedAfterAnswer}


def outcome(members: Mapping[str, Any], cause: BaseException | None) -> Outcome:
    """The outcome that an `outcome` event tells."""
    if members["kind"] != "failed":
        return decode(_KINDS.get(members["kind"], Outcome), members)
    error = ErrorObject.from_json(members["error"])
    kind: Any = _FAILURES.get(error.moved, OutcomeUnknown)
    failed: Outcome = replace(decode(kind, members), error=error, cause=cause)
    return failed


@dataclass(frozen=True)
class Event:
    """Something that a checkout tells. An instance of exactly this class is a kind that this version does not know."""

    type: str
    seq: int
    #: The event as the library told it.
    raw: Mapping[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True)
class Change(Event):
    """Published properties that changed, by the library's names, with their full values."""

    changed: Mapping[str, Any]


@dataclass(frozen=True)
class ElementEvent(Event):
    """`what` is "ready", "requiresAction", "paymentId", "closed", "initialized" (show the partner's widget anew with
    `init`) or "initFailed"."""

    element: str
    what: str
    is_ready: bool | None = None
    reason: str | None = None
    #: What the return's URL says of itself, unverified: for a log, never for a decision.
    payment_id: str | None = None
    init: Mapping[str, Any] | None = None
    error: ErrorObject | None = nested(ErrorObject)


@dataclass(frozen=True)
class OutcomeEvent(Event):
    outcome: Outcome


@dataclass(frozen=True)
class ResultEvent(Event):
    """A call finished. Whoever awaits it gets the same."""

    call: int
    tag: str | None = None
    result: Mapping[str, Any] | None = None
    error: ErrorObject | None = nested(ErrorObject)


@dataclass(frozen=True)
class RedirectEvent(Event):
    """`state` is "open": show the page of `action`; or "closed": take it away, for `reason`."""

    state: str
    attempt: int
    presentation: str
    action: RedirectAction | None = nested(RedirectAction)
    reason: str | None = None
    url: str | None = None


@dataclass(frozen=True)
class TicketClosed(Event):
    """The library stopped waiting for a hook. Its task is cancelled."""

    ticket: int
    reason: str


@dataclass(frozen=True)
class PluginEvent(Event):
    """What was reported of a partner, told after the checkout has reacted to it."""

    element: str
    event: str
    message: str | None = None
    recoverable: bool | None = None


@dataclass(frozen=True)
class MonitoringEvent(Event):
    """The audit copy: exactly what is being reported to Purse, a batch of messages."""

    messages: list[Mapping[str, Any]]


_EVENTS: dict[str, type[Event]] = {
    "change": Change,
    "element": ElementEvent,
    "outcome": OutcomeEvent,
    "result": ResultEvent,
    "redirect": RedirectEvent,
    "ticket": TicketClosed,
    "plugin": PluginEvent,
    "monitoring": MonitoringEvent,
}


def event(members: Mapping[str, Any], told: Outcome | None = None) -> Event:
    """The event that the JSON of the listener is; `told` is the outcome, for an `outcome` event."""
    kind = _EVENTS.get(members["type"], Event)
    return decode(kind, {**members, "raw": members, "outcome": told})
