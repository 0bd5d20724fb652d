"""The part of a runtime that the library and the event loop call."""

from __future__ import annotations

import asyncio
import atexit
import json
import math
import os
import threading
import warnings
from functools import partial
from typing import Any

from ._answering import Answering, deliver, refusal
from ._callbacks import raise_interrupt, register
from ._decoding import decode
from ._errors import BusyError, HeadlessCheckoutError, RuntimeClosed
from ._http import HTTP, HTTPNotSent, HTTPRequest, HTTPResponse
from ._library import ABI_VERSION, ffi, library
from ._native import call, check, document

#: The longest wait that an int32 of milliseconds holds.
_LONGEST = 2**31 - 1
#: How long closing waits, at exit, for a thread that polls to come back.
_PATIENCE = 2.0


class RuntimeCore:
    """A receiver of callbacks; the other half of a Runtime. Holds no reference to it, so that one can be collected."""

    def __init__(self, options: dict[str, Any], http: HTTP | None) -> None:
        self._http = http
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._polls = 0
        self._idle = threading.Condition(self._lock)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._descriptor = -1
        self._answering = Answering()
        self.is_closed = False
        library()  # Before anything is registered, as it may not be there.
        handle = ffi.new("hco_runtime **")
        call("hco_runtime_create", ABI_VERSION, document(options), register(self), handle)
        self.handle = handle[0]
        _open[id(self)] = self

    # Driving it.

    def descriptor(self) -> int:
        return int(library().hco_runtime_fd(self.handle))

    def attach(self, loop: asyncio.AbstractEventLoop) -> None:
        descriptor = self.descriptor()
        if self.is_closed or descriptor < 0:
            raise RuntimeClosed("a closed runtime, or one of the parent process, cannot be attached to a loop")
        if self._loop is not None and not self._loop.is_closed():
            raise HeadlessCheckoutError("this runtime is attached to a loop already")
        loop.add_reader(descriptor, self._readable)
        self._loop, self._descriptor = loop, descriptor

    def detach(self) -> None:
        """Must run where the loop runs."""
        loop, self._loop = self._loop, None
        if loop is not None and not loop.is_closed():
            loop.remove_reader(self._descriptor)

    def _readable(self) -> None:
        try:
            self.poll(0)
        except (BusyError, RuntimeClosed):
            # Another thread polls, or has just closed it.
            return

    def poll(self, timeout: float | None) -> None:
        with self._lock:
            if self.is_closed:
                raise RuntimeClosed("the runtime was closed")
            self._polls += 1
        try:
            status = library().hco_runtime_poll(self.handle, _milliseconds(timeout))
        finally:
            with self._lock:
                self._polls -= 1
                self._idle.notify_all()
        raise_interrupt()
        check(status)

    # Ending it.

    def close(self) -> None:
        """Destroys the runtime; safe to call twice, from any thread, and from a callback."""
        if self._begin_closing():
            loop = self._loop
            if loop is None or not loop.is_running() or loop is asyncio._get_running_loop():
                self._finish()
            else:
                self._finish_in(loop)

    def collected(self) -> None:
        """As `close`. A collection may come in the middle of anything, so a loop that runs does it later."""
        if self._begin_closing():
            loop = self._loop
            if loop is None or not loop.is_running():
                self._finish()
            else:
                self._finish_in(loop)
            warnings.warn("a Runtime was collected without close()", ResourceWarning, stacklevel=1)

    def _begin_closing(self) -> bool:
        with self._lock:
            if self.is_closed:
                return False
            self.is_closed = True
        # A forked child shares the loop's descriptors with its parent, so it must not touch them.
        return self._process == os.getpid()

    def _finish_in(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            loop.call_soon_threadsafe(self._finish)
        except RuntimeError:
            # It was closed meanwhile.
            self._finish()

    def close_at_exit(self) -> None:
        """As `close`, but done when it returns; gives a thread that polls time to come back, while it still can."""
        with self._lock:
            self.is_closed = True
        if self._process != os.getpid():
            return
        self._finish()
        with self._idle:
            self._idle.wait_for(lambda: self._polls == 0, _PATIENCE)

    def _finish(self) -> None:
        _open.pop(id(self), None)
        self.detach()
        library().hco_runtime_wake(self.handle)
        library().hco_runtime_destroy(self.handle)

    # What the library calls.

    def told(self, kind: int, text: bytes) -> None:
        """A runtime has no events."""

    def asked(self, checkout: Any, kind: int, ticket: int, text: bytes) -> None:
        http = self._http
        if http is not None:
            self._answering.run(
                ticket, partial(_carry, http, text), partial(self._send, ticket), partial(self._refuse, ticket))

    def _send(self, ticket: int, response: Any) -> None:
        if not isinstance(response, HTTPResponse):
            raise TypeError("an http function returns an HTTPResponse")
        answer = {"ok": {"status": response.status, "headers": dict(response.headers)}}
        self._answer(ticket, answer, response.body)

    def _refuse(self, ticket: int, error: BaseException) -> None:
        if isinstance(error, HTTPNotSent):
            self._answer(ticket, {"error": {"message": str(error)}, "left": False}, b"")
        else:
            self._answer(ticket, refusal("the http function", error), b"")

    def _answer(self, ticket: int, answer: dict[str, Any], body: bytes) -> None:
        deliver(partial(
            call, "hco_runtime_answer_http", self.handle, ticket, document(answer), ffi.from_buffer(body), len(body)))

    def interrupted(self, checkout: Any, ticket: int, error: BaseException) -> None:
        self._refuse(ticket, error)

    def released(self) -> None:
        self._http = None
        self._answering.close_all()


def _carry(http: HTTP, text: bytes) -> Any:
    return http(decode(HTTPRequest, json.loads(text)))


def _milliseconds(timeout: float | None) -> int:
    if timeout is None:
        return -1
    return min(max(0, math.ceil(timeout * 1000)), _LONGEST)


_open: dict[int, RuntimeCore] = {}


@atexit.register
def _close_all() -> None:
    """Before the interpreter goes, so that nothing calls into it afterwards."""
    for core in list(_open.values()):
        core.close_at_exit()
