"""Runs the functions that answer tickets, and sees to it that every ticket gets an answer."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable
from functools import partial
from typing import Any, Callable, Optional

from ._callbacks import logger
from ._errors import InvalidHandleError, RefusedError
from ._hooks import HookCanceled, HookRefused

#: Sends the answer that stands for a function's return value.
Send = Callable[[Any], None]
#: Sends the answer that stands for what it raised.
Refuse = Callable[[BaseException], None]
#: A function that has not returned yet, where there is one.
Task = Optional["asyncio.Future[Any]"]


class Answering:
    """The open tickets of one receiver, those whose function is a task."""

    def __init__(self) -> None:
        self._tasks: dict[int, asyncio.Future[Any]] = {}

    def run(self, ticket: int, function: Callable[[], Any], send: Send, refuse: Refuse, after: Task = None) -> Task:
        """Calls a function and answers with what it returns, now or when its task is done. Returns the task, if there
        is one; it starts once the task `after` has ended."""
        try:
            result = function()
            if inspect.isawaitable(result):
                return self._start(ticket, result, send, refuse, after)
            send(result)
        except BaseException as error:
            refuse(error)
            if not isinstance(error, Exception):
                raise
        return None

    def close_all(self) -> None:
        for ticket in list(self._tasks):
            self.close(ticket)

    def close(self, ticket: int) -> None:
        """The library waits no more: the function's task is cancelled."""
        task = self._tasks.pop(ticket, None)
        if task is None:
            return
        loop = task.get_loop()
        try:
            loop.call_soon_threadsafe(task.cancel)
        except RuntimeError:
            # The loop was closed, and the task with it.
            return

    def _start(self, ticket: int, result: Awaitable[Any], send: Send, refuse: Refuse, after: Task) -> Task:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            _dispose(result)
            raise RuntimeError("an async hook needs a running asyncio loop") from None
        task = asyncio.ensure_future(result if after is None else _after(after, result), loop=loop)
        if ticket != 0:
            self._tasks[ticket] = task
        task.add_done_callback(partial(self._ended, ticket, result, send, refuse))
        return task

    def _ended(
        self, ticket: int, result: Awaitable[Any], send: Send, refuse: Refuse, task: asyncio.Future[Any]
    ) -> None:
        self._tasks.pop(ticket, None)
        # A task that is cancelled before its first step has not begun to await it.
        _dispose(result)
        try:
            send(task.result())
        except BaseException as error:
            # The loop raises what is no Exception by itself.
            refuse(error)


def deliver(send: Callable[[], Any]) -> bool:
    """Sends an answer. False when it came too late: the ticket, the checkout or the runtime was closed meanwhile."""
    try:
        send()
    except InvalidHandleError:
        return False
    except RefusedError as error:
        if error.code != "TICKET_CLOSED":
            raise
        return False
    return True


def _dispose(result: Awaitable[Any]) -> None:
    if inspect.iscoroutine(result) and inspect.getcoroutinestate(result) == inspect.CORO_CREATED:
        result.close()


async def _after(earlier: asyncio.Future[Any], result: Awaitable[Any]) -> Any:
    if not earlier.done():
        await asyncio.wait([earlier])
    return await result


def refusal(what: str, error: BaseException) -> dict[str, Any]:
    """The answer to a ticket whose function raised. It names the exception's class only: its text is the host's."""
    if isinstance(error, HookCanceled):
        return {"canceled": True}
    if isinstance(error, HookRefused):
        return {"error": {"message": str(error) or f"{what} was refused"}}
    # What is no Exception is not swallowed, or is a task that was cancelled.
    if isinstance(error, Exception):
        logger.error("%s raised, which refuses", what, exc_info=error)
    return {"error": {"message": f"{what} raised {type(error).__name__}"}}
