"""A runtime: what drives checkouts."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections.abc import Mapping
from types import TracebackType
from typing import Any, TypeVar

from ._http import HTTP
from ._library import library
from ._native import call, document, read
from ._pending import Pending
from ._runtime_core import RuntimeCore

T = TypeVar("T")


class Runtime:
    """Drives any number of checkouts. It starts no thread.

    With asyncio, enter it in `async with`, or call `attach`: one reader on the loop does the rest. Without, call
    `poll` or `wait`; hooks must then be plain functions. Do one or the other, not both.

    `http`: a function that carries HTTP instead of libcurl. `timeouts` has the members connectMs, initMs, validateMs
    and timeMs. `manual_clock`: time moves by `advance` only, for tests.
    """

    def __init__(
        self, *, http: HTTP | None = None, timeouts: Mapping[str, int] | None = None,
        max_response_bytes: int | None = None, allow_loopback_http: bool = False, proxy: str | None = None,
        ca_file: str | None = None, client_certificate: tuple[str, str] | None = None,
        user_agent: str | None = None, hook_timeout_ms: int | None = None, manual_clock: bool = False,
        monitoring: bool | None = None, device: Mapping[str, str] | None = None,
        locale: str | None = None,
    ) -> None:
        options: dict[str, Any] = {
            "transport": "curl" if http is None else "host", "clock": "manual" if manual_clock else "real",
            "allowLoopbackHTTP": allow_loopback_http,
        }
        given = {
            "timeouts": timeouts, "maxResponseBytes": max_response_bytes, "proxy": proxy, "caFile": ca_file,
            "userAgent": user_agent, "hookTimeoutMs": hook_timeout_ms, "monitoring": monitoring,
            "device": device, "locale": locale,
        }
        options.update((name, value) for name, value in given.items() if value is not None)
        if client_certificate is not None:
            options["clientCertificate"] = dict(zip(("certificateFile", "keyFile"), client_certificate))
        self._core = RuntimeCore(options, http)
        self._finalizer = weakref.finalize(self, self._core.collected)
        # The order at exit is the core's own.
        self._finalizer.atexit = False

    # Driving it.

    def attach(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        """Lets an asyncio loop, the running one by default, drive the runtime from now on."""
        self._core.attach(loop or asyncio.get_running_loop())

    def detach(self) -> None:
        """Takes the runtime from its loop."""
        self._core.detach()

    def poll(self, timeout: float | None = 0.0) -> None:
        """Does what is to do, waiting up to `timeout` seconds for it (None: for ever). Hooks and listeners run in
        it."""
        self._core.poll(timeout)

    def wait(self, pending: Pending[T], timeout: float | None = None) -> T:
        """Polls until that has finished, and returns its result. Raises TimeoutError; that changes nothing."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while not pending.done:
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                raise TimeoutError("not done in time")
            self.poll(left)
        return pending.result()

    def fileno(self) -> int:
        """A descriptor for a loop of your own: when it is readable, `poll`. -1 when closed."""
        return self._core.descriptor()

    def wake(self) -> None:
        """Makes a running or the next `poll` return at once. From any thread, or a signal handler."""
        library().hco_runtime_wake(self._core.handle)

    # Telling and asking.

    def background(self) -> None:
        """The program went out of sight."""
        self._notify(app="background")

    def foreground(self) -> None:
        """The program is back, perhaps after a sleep: expiry is checked again."""
        self._notify(app="foreground")

    def advance(self, milliseconds: int) -> None:
        """Moves the manual clock."""
        self._notify(advanceMs=milliseconds)

    def info(self) -> Mapping[str, Any]:
        """version, abiVersion, flavour, transport, libcurl, checkouts, waiting."""
        return call("hco_runtime_info", self._core.handle)

    def _notify(self, **members: Any) -> None:
        call("hco_runtime_notify", self._core.handle, document(members))

    @property
    def handle(self) -> Any:
        """The library's handle."""
        return self._core.handle

    # Ending it.

    def close(self) -> None:
        """Destroys the runtime and what is left in it, without waiting: the outcome of a payment in flight is then
        unknown. Release your checkouts first, and await their `released`, to lose none."""
        self._finalizer.detach()
        self._core.close()

    @property
    def closed(self) -> bool:
        return self._core.is_closed

    def __enter__(self) -> Runtime:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Runtime:
        self.attach()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def version() -> str:
    """The version of the library that is loaded."""
    return read(library().hco_version())
