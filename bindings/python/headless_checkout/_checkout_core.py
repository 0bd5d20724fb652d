"""The part of a checkout that the library calls. It lives until `release` has run, whatever becomes of the Checkout."""

from __future__ import annotations

import inspect
import json
import os
import threading
from collections.abc import Mapping
from functools import partial
from typing import Any, Callable

from ._answering import Answering, Task, deliver, refusal
from ._callbacks import logger
from ._errors import ErrorObject, RefusedError, RuntimeClosed
from ._events import Event, Outcome, event, outcome
from ._hooks import Hooks, Question, question
from ._library import ffi, library
from ._native import call, document
from ._pending import Calls, Pending

_CLOSED = "the runtime was closed before this had finished"


class CheckoutCore:
    """A receiver of callbacks; the other half of a Checkout."""

    def __init__(self, hooks: Hooks) -> None:
        self.hooks = hooks
        self.handle: Any = ffi.NULL
        self.calls = Calls()
        self.released_pending: Pending[None] = Pending()
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._attempts: dict[int, Pending[Outcome]] = {}
        self._hooks_of: dict[int, Hooks] = {}
        self._causes: dict[int, BaseException] = {}
        self._listeners: list[Callable[[Event], None]] = []
        self._answering = Answering()
        self._last_checkpoint: Task = None

    # What the Checkout asks.

    def attempt(self, number: int) -> Pending[Outcome]:
        """The attempt of that number, known already or not."""
        with self._lock:
            pending = self._attempts.setdefault(number, Pending(number))
        if self.released_pending.done:
            pending.fail(RuntimeClosed(_CLOSED))
        return pending

    def set_hooks(self, hooks: Hooks) -> None:
        """From the next attempt on: one that runs goes on with the hooks that it began with."""
        with self._lock:
            for number, pending in self._attempts.items():
                if not pending.done:
                    self._hooks_of.setdefault(number, self.hooks)
            self.hooks = hooks

    def listen(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        if inspect.iscoroutinefunction(listener):
            raise TypeError("a listener is a plain function; start a task in it")
        self._listeners.append(listener)
        return partial(self._forget, listener)

    def _forget(self, listener: Callable[[Event], None]) -> None:
        if listener in self._listeners:
            self._listeners.remove(listener)

    def release(self) -> None:
        """Gives the handle back. Harmless a second time, from any thread, and in a forked child."""
        with self._lock:
            handle, self.handle = self.handle, ffi.NULL
        if handle != ffi.NULL and self._process == os.getpid():
            library().hco_release(handle)

    # What the library calls.

    def told(self, kind: int, text: bytes) -> None:
        members = json.loads(text)
        told = self._outcome(members) if members["type"] == "outcome" else None
        if members["type"] == "result":
            self._result(members)
        elif members["type"] == "ticket":
            self._answering.close(members["ticket"])
        happened = event(members, told)
        for listener in tuple(self._listeners):
            try:
                listener(happened)
            except Exception:
                logger.exception("a listener failed on %s", happened.type)

    def _outcome(self, members: Mapping[str, Any]) -> Outcome:
        number = members["attempt"]
        ended = outcome(members, self._causes.pop(number, None))
        self.attempt(number).finish(ended)
        return ended

    def _result(self, members: Mapping[str, Any]) -> None:
        pending = self.calls.meet(members["call"])
        if "error" in members:
            pending.fail(RefusedError(ErrorObject.from_json(members["error"])))
        else:
            pending.finish(members["result"])

    def asked(self, checkout: Any, kind: int, ticket: int, text: bytes) -> None:
        members = json.loads(text)
        with self._lock:
            hooks = self._hooks_of.get(members.get("attempt"), self.hooks)
        asked, function = question(hooks, members)
        answer = partial(self._answer, checkout, ticket)
        if asked is None or function is None:
            answer({"error": {"message": f"this host has no hook {members['type']}"}})
            return
        what = asked.kind.__name__
        refuse = partial(self._refuse, answer, what, members.get("attempt"))
        task = self._answering.run(
            ticket, partial(_ask, asked, function, members), partial(_accept, asked, answer), refuse,
            after=self._last_checkpoint if members["type"] == "checkpoint" else None)
        if members["type"] == "checkpoint":
            self._last_checkpoint = task

    def _answer(self, checkout: Any, ticket: int, answer: Mapping[str, Any]) -> bool:
        if ticket == 0:
            return False
        return deliver(partial(call, "hco_answer", checkout, ticket, document(answer)))

    def _refuse(
        self, answer: Callable[[Mapping[str, Any]], bool], what: str, attempt: int | None, error: BaseException
    ) -> None:
        if answer(refusal(what, error)) and attempt is not None:
            self._causes.setdefault(attempt, error)

    def interrupted(self, checkout: Any, ticket: int, error: BaseException) -> None:
        self._answer(checkout, ticket, refusal("the hook", error))

    def released(self) -> None:
        self.handle = ffi.NULL
        self.released_pending.finish(None)
        with self._lock:
            attempts = list(self._attempts.values())
        for pending in attempts:
            pending.fail(RuntimeClosed(_CLOSED))
        self.calls.fail_all(RuntimeClosed(_CLOSED))
        self._answering.close_all()
        self._listeners.clear()


def _ask(asked: Question, function: Callable[[Any], Any], members: Mapping[str, Any]) -> Any:
    return function(asked.read(members))


def _accept(asked: Question, answer: Callable[[Mapping[str, Any]], bool], result: Any) -> None:
    answer({"ok": asked.answer(result)})
