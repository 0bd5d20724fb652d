"""The three C callbacks, made once and never freed, and the table that says whom each call is for.

`user` is a number, not an address: a call that comes when its receiver is gone finds nothing and does nothing. A
receiver stays in the table until the library's `release` has run, so what the library may still call is never
collected.
"""

from __future__ import annotations

import itertools
import logging
import threading
from typing import Any, Protocol

from ._library import ffi

logger = logging.getLogger("headless_checkout")


class Receiver(Protocol):
    """What one hco_callbacks is for."""

    def told(self, kind: int, text: bytes) -> None: ...

    def asked(self, checkout: Any, kind: int, ticket: int, text: bytes) -> None: ...

    def interrupted(self, checkout: Any, ticket: int, error: BaseException) -> None: ...

    def released(self) -> None: ...


_receivers: dict[int, Receiver] = {}
_numbers = itertools.count(1)
_thread = threading.local()


def register(receiver: Receiver) -> Any:
    """Enters a receiver and returns its hco_callbacks, to be passed to one call."""
    number = next(_numbers)
    _receivers[number] = receiver
    return ffi.new("hco_callbacks *", (_LISTENER, _HOOK, _RELEASE, ffi.cast("void *", number)))


def registered() -> int:
    """How many receivers the library may still call."""
    return len(_receivers)


def raise_interrupt() -> None:
    """Raises what ended a callback on this thread and is no ordinary exception (KeyboardInterrupt, SystemExit)."""
    error: BaseException | None = getattr(_thread, "interrupt", None)
    if error is not None:
        _thread.interrupt = None
        raise error


def _number(user: Any) -> int:
    return int(ffi.cast("uintptr_t", user))


def _escaped(kind: Any, error: BaseException, traceback: Any) -> None:
    """No exception enters the library: an ordinary one is logged, another waits until the poll has returned."""
    if isinstance(error, Exception):
        logger.error("a callback failed", exc_info=error)
    else:
        _thread.interrupt = error


def _hook_escaped(kind: Any, error: BaseException, traceback: Any) -> None:
    """As _escaped; and the ticket, which stands among the arguments of the callback, is not left without an answer."""
    _escaped(kind, error, traceback)
    if traceback is None:
        return
    arguments = traceback.tb_frame.f_locals
    receiver = _receivers.get(_number(arguments["user"]))
    if receiver is not None:
        receiver.interrupted(arguments["checkout"], arguments["ticket"], error)


def _listener(user: Any, checkout: Any, kind: int, json: Any) -> None:
    receiver = _receivers.get(_number(user))
    if receiver is not None:
        receiver.told(kind, ffi.string(json))


def _hook(user: Any, checkout: Any, kind: int, ticket: int, json: Any) -> None:
    receiver = _receivers.get(_number(user))
    if receiver is not None:
        receiver.asked(checkout, kind, ticket, ffi.string(json))


def _release(user: Any) -> None:
    receiver = _receivers.pop(_number(user), None)
    if receiver is not None:
        receiver.released()


# Kept for the life of the process, as the library may call them until its last `release`.
_LISTENER = ffi.callback("hco_listener", _listener, onerror=_escaped)
_HOOK = ffi.callback("hco_hook", _hook, onerror=_hook_escaped)
_RELEASE = ffi.callback("hco_release_user", _release, onerror=_escaped)
