"""Errors: the library's error object, and the exceptions that carry it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ._decoding import decode


@dataclass(frozen=True)
class ErrorObject:
    """Why something was refused or failed. `code` is stable; `message` is for people."""

    code: str
    message: str = ""
    category: str = "checkout"
    #: Whether money may have moved: "no", "unknown" or "yes".
    moved: str = "unknown"
    retryable: bool = False
    path: str | None = None
    offset: int | None = None
    details: Mapping[str, Any] | None = None

    @classmethod
    def from_json(cls, members: Mapping[str, Any]) -> ErrorObject:
        return decode(cls, members)


class HeadlessCheckoutError(Exception):
    """What every exception of this package derives from."""


class LibraryError(HeadlessCheckoutError):
    """The shared library is not there, or is not the one that this package was made for."""


class RuntimeClosed(HeadlessCheckoutError):
    """The runtime was closed before this had finished. The outcome of a payment is then unknown: the last checkpoint
    says whether its request may have left."""


class CheckoutError(HeadlessCheckoutError):
    """A call was not done. `error` is the library's error object; its parts can be read from the exception too."""

    def __init__(self, error: ErrorObject) -> None:
        super().__init__(error)
        self.error = error

    @property
    def code(self) -> str:
        return self.error.code

    @property
    def message(self) -> str:
        return self.error.message

    @property
    def category(self) -> str:
        return self.error.category

    @property
    def moved(self) -> str:
        return self.error.moved

    @property
    def retryable(self) -> bool:
        return self.error.retryable

    @property
    def path(self) -> str | None:
        return self.error.path

    @property
    def offset(self) -> int | None:
        return self.error.offset

    @property
    def details(self) -> Mapping[str, Any] | None:
        return self.error.details

    def __str__(self) -> str:
        place = f" (at {self.path or 'the text'}, byte {self.offset})" if self.offset is not None else ""
        return f"{self.code}: {self.message}{place}"


class RefusedError(CheckoutError):
    """The checkout refused, with a code of its vocabulary. Nothing has changed."""


class InvalidArgumentError(CheckoutError, ValueError):
    """What was passed cannot be read. Nothing has changed."""


class InvalidHandleError(CheckoutError):
    """The object was released or closed."""


class BusyError(CheckoutError):
    """Another thread polls this runtime."""


class ReentrantError(CheckoutError):
    """Polled inside a hook or a listener."""


class ForkedError(CheckoutError):
    """The object belongs to the process that this one was forked from."""


class InternalError(CheckoutError):
    """The library ran out of memory or descriptors. Nothing has changed."""


#: By the number of the status.
BY_STATUS: dict[int, type[CheckoutError]] = {
    1: RefusedError,
    2: InvalidArgumentError,
    3: InvalidHandleError,
    4: BusyError,
    5: ReentrantError,
    6: ForkedError,
    7: InternalError,
}

#: What is said where the library gave no error object.
MESSAGES: dict[int, str] = {
    3: "This object was released or closed.",
    4: "Another thread polls this runtime.",
    5: "A runtime cannot be polled inside a hook or a listener.",
    6: "This object belongs to the parent process. Create a Runtime in the child, or start it with 'spawn'.",
}


def error_for(status: int, name: str, members: Mapping[str, Any] | None) -> CheckoutError:
    """The exception for a status that is not OK; `members` is the error object, where there is one."""
    kind = BY_STATUS.get(status, CheckoutError)
    if members is None or kind is ForkedError:
        code = name[len("HCO_"):]
        moved = "unknown" if kind in (CheckoutError, InternalError) else "no"
        members = {"code": code, "message": MESSAGES.get(status, name), "category": "argument", "moved": moved}
    return kind(ErrorObject.from_json(members))
