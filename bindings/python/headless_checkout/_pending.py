"""What finishes later: it can be awaited, in any number of tasks and loops, or looked at after each poll."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Generator
from typing import Any, Callable, Generic, TypeVar

T = TypeVar("T")


class Pending(Generic[T]):
    """A result that is still to come. Giving up the wait (a cancelled task, a time-out) changes nothing: what was
    asked for goes on, and may be awaited again."""

    def __init__(self, number: int = 0) -> None:
        #: The number that the library gave the call or attempt.
        self.id = number
        # Re-entrant, because a collection inside it may finish the same object.
        self._lock = threading.RLock()
        self._waiters: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._done = False
        self._value: Any = None
        self._error: BaseException | None = None
        self._read: Callable[[Any], T] = lambda value: value

    @property
    def done(self) -> bool:
        return self._done

    def result(self) -> T:
        """The result, or the exception in its place. Only once it is done."""
        if not self._done:
            raise asyncio.InvalidStateError("not done yet")
        if self._error is not None:
            raise self._error
        return self._read(self._value)

    def __await__(self) -> Generator[Any, None, T]:
        return self._wait().__await__()

    async def _wait(self) -> T:
        loop = asyncio.get_running_loop()
        waiter = (loop, loop.create_future())
        with self._lock:
            if self._done:
                return self.result()
            self._waiters.append(waiter)
        try:
            await waiter[1]
        finally:
            with self._lock:
                if waiter in self._waiters:
                    self._waiters.remove(waiter)
        return self.result()

    def reading(self, read: Callable[[Any], T]) -> Pending[T]:
        """Says what makes the result from the value that finished it."""
        self._read = read
        return self

    def finish(self, value: Any) -> None:
        self._end(value, None)

    def fail(self, error: BaseException) -> None:
        self._end(None, error)

    def _end(self, value: Any, error: BaseException | None) -> None:
        with self._lock:
            if self._done:
                return
            self._value, self._error, self._done = value, error, True
            waiters, self._waiters = self._waiters, []
        for loop, future in waiters:
            try:
                loop.call_soon_threadsafe(_wake, future)
            except RuntimeError:
                # The loop was closed: nobody waits there any more.
                continue


def _wake(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


class Calls:
    """The calls of a checkout that finish by a `result` event, which may be seen before the call has returned."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._halves: dict[int, Pending[Any]] = {}

    def meet(self, number: int) -> Pending[Any]:
        """The call of that number. Its two sides, the caller and the event, come here once each, in either order."""
        with self._lock:
            pending = self._halves.pop(number, None)
            if pending is None:
                pending = self._halves[number] = Pending(number)
            return pending

    def fail_all(self, error: BaseException) -> None:
        with self._lock:
            halves, self._halves = self._halves, {}
        for pending in halves.values():
            pending.fail(error)
