"""Hooks: what a checkout asks its host. Each is a plain function or an `async def`.

A hook consents by returning normally. One that raises, or whose task is cancelled, has not consented: the library is
answered "error", whatever the exception was.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass, field
from typing import Any, Callable, Union

from ._decoding import decode, nested, sequence
from ._errors import HeadlessCheckoutError
from ._events import RedirectAction
from ._state import Slice


class HookRefused(HeadlessCheckoutError):
    """Raise it in a hook to say no on purpose. Its text becomes the message of the answer, and nothing is logged."""


class HookCanceled(HeadlessCheckoutError):
    """Raise it in a collect step when the shopper gave up: the attempt ends canceled."""


@dataclass(frozen=True)
class BeforeValidate:
    """The payment is about to be sent."""

    attempt: int
    split: tuple[Slice, ...] = sequence(Slice)


@dataclass(frozen=True)
class AfterValidate:
    """The back end has answered."""

    attempt: int


@dataclass(frozen=True)
class Redirection:
    """The answer asks for a page. Return True to open it yourself and confirm its outcome."""

    attempt: int
    presentation: str
    action: RedirectAction = nested(RedirectAction)


@dataclass(frozen=True)
class Checkpoint:
    """Store `snapshot`. Never replace a higher revision by a lower one."""

    reason: str
    revision: int
    #: Holds the session's key, so it is not shown by repr().
    snapshot: str = field(repr=False)
    attempt: int | None = None
    #: It says that the request may have left.
    marked: bool = False
    saved_at: int = 0

    @property
    def is_waited_for(self) -> bool:
        """The payment waits until this is stored."""
        return self.reason == "beforeSend"


@dataclass(frozen=True)
class _Step:
    """A method's own step in a payment."""

    attempt: int
    element: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class _StepBefore(_Step):
    """One before the payment is sent."""

    @property
    def amount(self) -> int:
        return int(self.data["amount"])


@dataclass(frozen=True)
class Collect(_StepBefore):
    """Return what the method's form gave, as the members of its payment_data."""

    @property
    def currency(self) -> str:
        return str(self.data["currency"])

    @property
    def brands(self) -> tuple[str, ...]:
        return tuple(self.data.get("brands") or ())

    @property
    def tenant_id(self) -> str | None:
        return self.data.get("tenantId")

    @property
    def selected_brand(self) -> str | None:
        return self.data.get("selectedBrand")

    @property
    def security_code_only(self) -> bool:
        """A saved card: only its security code is wanted."""
        return bool(self.data.get("securityCodeOnly"))


@dataclass(frozen=True)
class Prepare(_StepBefore):
    """Let the shopper go through the partner's widget. Return its payment_data."""

    @property
    def init(self) -> Mapping[str, Any]:
        """What the widget is shown with: the partner's own object."""
        init: Mapping[str, Any] = self.data.get("init") or {}
        return init

    @property
    def app_return_url(self) -> str | None:
        return self.data.get("appReturnURL")


@dataclass(frozen=True)
class PostValidate(_Step):
    """The back end has answered: do what this method's partner still needs."""

    @property
    def result(self) -> Mapping[str, Any]:
        """status, isSuccess, verdict and results, as of the outcome that is to come."""
        result: Mapping[str, Any] = self.data.get("result") or {}
        return result


Consent = Union[None, Awaitable[None]]


@dataclass(frozen=True)
class Steps:
    """What the host can do for one payment method."""

    collect: Callable[[Collect], Mapping[str, Any] | Awaitable[Mapping[str, Any]]] | None = None
    post_validate: Callable[[PostValidate], Consent] | None = None
    prepare: Callable[[Prepare], Mapping[str, Any] | Awaitable[Mapping[str, Any]]] | None = None


@dataclass(frozen=True)
class Hooks:
    """The hooks to be asked. One that is None is not asked, and the payment goes on without it."""

    before_validate: Callable[[BeforeValidate], Consent] | None = None
    after_validate: Callable[[AfterValidate], Consent] | None = None
    redirection: Callable[[Redirection], bool | None | Awaitable[bool | None]] | None = None
    checkpoint: Callable[[Checkpoint], Consent] | None = None
    #: By the id of the payment method.
    steps: Mapping[str, Steps] = field(default_factory=dict)

    def names(self) -> list[str]:
        """As "hooks" of a request."""
        return [name for name, question in QUESTIONS.items() if getattr(self, question.member, None) is not None]

    def capabilities(self) -> list[dict[str, Any]]:
        """As "capabilities" of a request."""
        return [{"item": item, "steps": _step_names(steps)} for item, steps in self.steps.items()]


def _step_names(steps: Steps) -> list[str]:
    return [name for name, question in STEP_QUESTIONS.items() if getattr(steps, question.member) is not None]


def _consent(answer: Any) -> dict[str, Any]:
    if answer is not None:
        raise TypeError("a hook consents by returning None; to say no, raise HookRefused")
    return {}


def _take_over(answer: Any) -> dict[str, Any]:
    if answer is not None and not isinstance(answer, bool):
        raise TypeError("the redirection hook returns True to take over, False or None not to")
    return {"takeOver": bool(answer)}


def _collected(answer: Any) -> dict[str, Any]:
    if not isinstance(answer, Mapping):
        raise TypeError("a collect step returns the members of the payment_data")
    return dict(answer)


def _prepared(answer: Any) -> dict[str, Any]:
    if not isinstance(answer, Mapping):
        raise TypeError("a prepare step returns the payment_data of the widget")
    return {"payment_data": dict(answer)}


@dataclass(frozen=True)
class Question:
    """How one kind of hook is read and answered."""

    member: str
    kind: Any
    answer: Callable[[Any], dict[str, Any]] = _consent

    def read(self, members: Mapping[str, Any]) -> Any:
        return decode(self.kind, members)


#: By the library's names.
QUESTIONS: dict[str, Question] = {
    "checkpoint": Question("checkpoint", Checkpoint),
    "beforeValidate": Question("before_validate", BeforeValidate),
    "afterValidate": Question("after_validate", AfterValidate),
    "redirection": Question("redirection", Redirection, _take_over),
}
STEP_QUESTIONS: dict[str, Question] = {
    "collect": Question("collect", Collect, _collected),
    "prepare": Question("prepare", Prepare, _prepared),
    "postValidate": Question("post_validate", PostValidate),
}


def question(hooks: Hooks, members: Mapping[str, Any]) -> tuple[Question | None, Callable[[Any], Any] | None]:
    """What is asked, and the function that answers; None for what this version or host does not know."""
    if members["type"] == "step":
        asked = STEP_QUESTIONS.get(members.get("step", ""))
        owner: Any = hooks.steps.get(members.get("element", ""))
    else:
        asked, owner = QUESTIONS.get(members["type"]), hooks
    return asked, None if asked is None else getattr(owner, asked.member, None)
