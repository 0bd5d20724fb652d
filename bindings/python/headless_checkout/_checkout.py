"""A checkout: one payment session."""

from __future__ import annotations

import base64
import warnings
import weakref
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Callable

from ._callbacks import register
from ._checkout_core import CheckoutCore
from ._decoding import decode, decode_all
from ._element import Element
from ._events import Event, Outcome
from ._hooks import Hooks
from ._library import ffi, library
from ._native import call, check, document, take, text
from ._pending import Pending
from ._runtime import Runtime
from ._state import (
    Applied, LoanSimulation, Presentation, Registration, SavedTokenChange, SecondaryToken, SessionChange, Skipped,
    Split, Verdict, WalletSession,
)
from ._state_properties import StateProperties


class Unset:
    """The type of UNSET."""


#: Stands for an argument that was not given, where None means something.
UNSET = Unset()


class Checkout(StateProperties):
    """One payment session of a Runtime. Made by `create` or `restore`; ended by `release`, or by leaving it as a
    context manager. Hooks and listeners run while the runtime is polled, never inside another call."""

    #: What a restored checkout had to leave behind.
    skipped: tuple[Skipped, ...] = ()

    def __init__(self, runtime: Runtime, core: CheckoutCore) -> None:
        # The runtime outlives its checkouts.
        self._runtime = runtime
        self._core = core
        self._finalizer = weakref.finalize(self, _collected, core)
        # Closing the runtimes at exit covers the checkouts.
        self._finalizer.atexit = False

    # Its life.

    @classmethod
    def create(
        cls, runtime: Runtime, widget_data: str, *, hooks: Hooks = Hooks(), locked_environment: str | None = None,
        disabled_methods: Iterable[str] = (), api_paths: Mapping[str, str] | None = None,
        provider: str | None = None, idempotency_header: str | Unset | None = UNSET, seal_key: bytes | None = None,
        redirect_hosts: Iterable[str] | None = None,
    ) -> Checkout:
        """A checkout from the widget.data of the session that your backend created. `idempotency_header` None: no such
        header is sent. `seal_key`: 32 random bytes of yours, under which a snapshot may keep a gift card's number.
        `redirect_hosts`: the only hosts that a page may visit; None for any. Pass it to `restore` too."""
        request = _request(hooks, api_paths, provider, idempotency_header, seal_key, redirect_hosts)
        request["widgetData"] = widget_data
        if locked_environment is not None:
            request["lockedEnvironment"] = locked_environment
        if disabled_methods:
            request["disabledMethods"] = list(disabled_methods)
        return cls._make(runtime, hooks, "hco_create", document(request))[0]

    @classmethod
    def restore(
        cls, runtime: Runtime, snapshot: str, *, hooks: Hooks = Hooks(), api_paths: Mapping[str, str] | None = None,
        provider: str | None = None, idempotency_header: str | Unset | None = UNSET, seal_key: bytes | None = None,
        redirect_hosts: Iterable[str] | None = None,
    ) -> Checkout:
        """A checkout from a snapshot. When `pending_attempt` is not None a payment had left or was open: ask your
        backend, then `resolve`, or report the redirect's return; its outcome comes to `attempt(number)`."""
        request = _request(hooks, api_paths, provider, idempotency_header, seal_key, redirect_hosts)
        checkout, reply = cls._make(runtime, hooks, "hco_restore", text(snapshot), document(request))
        checkout.skipped = decode_all(Skipped, reply.get("skipped", ()))
        return checkout

    @classmethod
    def _make(cls, runtime: Runtime, hooks: Hooks, function: str, *arguments: bytes) -> tuple[Checkout, dict[str, Any]]:
        core = CheckoutCore(hooks)
        handle = ffi.new("hco_checkout **")
        reply = call(function, runtime.handle, *arguments, register(core), handle)
        core.handle = handle[0]
        return cls(runtime, core), reply

    def save_state(self) -> str:
        """The snapshot for `restore`: plain JSON that holds the session's API key, so store it as a secret."""
        snapshot = ffi.new("char **")
        check(library().hco_save_state(self._core.handle, snapshot))
        return take(snapshot[0]) or ""

    def teardown(self) -> None:
        """Ends the checkout for good; reads and `save_state` still work."""
        call("hco_teardown", self._core.handle)

    def release(self) -> None:
        """Tears down and gives the handle back. An attempt that has left still ends, while the runtime is polled."""
        self._finalizer.detach()
        self._core.release()

    @property
    def released(self) -> Pending[None]:
        """Done when the library will call nothing of this checkout any more."""
        return self._core.released_pending

    def __enter__(self) -> Checkout:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.release()

    async def __aenter__(self) -> Checkout:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Releases, and waits for the outcome of an attempt that has left."""
        self.release()
        await self.released

    # A session of Primer's, which is loaded.

    def start(self, *, tag: str | None = None) -> Pending[bool]:
        """Loads the session. The result is False when there was nothing to do, or it was cancelled meanwhile."""
        return self._later("hco_start", _loaded, tag=tag)

    def refresh(self, *, tag: str | None = None) -> Pending[bool]:
        """Loads a ready session again. The result is as that of `start`."""
        return self._later("hco_refresh", _loaded, tag=tag)

    def cancel(self) -> None:
        """Back to a session that can be started; an attempt that is under way still has its one outcome."""
        self._call("hco_cancel")

    def dismiss(self) -> bool:
        """The shopper closes the checkout, whose session ends with an outcome. False when that was ignored."""
        return not self._call("hco_dismiss")["ignored"]

    def set_field(self, element: str, field: str, value: str) -> None:
        """Puts what was typed into a field of a card form that is the library's own. Nothing of it is kept here."""
        data = value.encode("utf-8")
        call("hco_element_set_field", self._core.handle, text(element), text(field), data, len(data))

    # Its host.

    def listen(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Tells a plain function of every event. Call what is returned to stop that."""
        return self._core.listen(listener)

    def set_hooks(self, hooks: Hooks) -> None:
        """Other hooks, from the next attempt on. The steps must be those that the checkout was made with."""
        if hooks.capabilities() != self._core.hooks.capabilities():
            raise ValueError("the steps of a checkout cannot change")
        self._call("hco_set_hooks", hooks=hooks.names())
        self._core.set_hooks(hooks)

    def set_session(self, widget_data: str) -> SessionChange:
        """A new client session for the same checkout."""
        return decode(SessionChange, self._call("hco_set_session", widgetData=widget_data))

    def state(self, *keys: str) -> Mapping[str, Any]:
        return self._call("hco_state", **({"keys": list(keys)} if keys else {}))

    def split(self) -> Split:
        """Who pays what, and what still blocks submit."""
        return decode(Split, self._call("hco_split"))

    def format_amount(
        self, amount: int, *, currency: str | None = None, locale: str | None = None, style: str | None = None
    ) -> str | None:
        """Minor units as text to be shown: in the session's currency and the runtime's locale unless others are named.
        style: "sdk" or "standard". None: the back end does not know the currency, or no session is loaded."""
        members = _named(amount=_minor_units(amount), currency=currency, locale=locale, style=style)
        return self._call("hco_format_amount", **members)["text"]

    # Choosing what pays.

    def set_primary(self, item: str | None = None, *, token: str | None = None) -> Split:
        """Chooses the method, or the saved token, that pays the remainder; with neither, none."""
        return decode(Split, self._call("hco_set_primary", **(_named(item=item, token=token) or {"none": True})))

    def read_secondary(
        self, item: str, number: str, *, cvv: str | None = None, tag: str | None = None
    ) -> Pending[SecondaryToken]:
        """Asks the issuer for a gift card's balance."""
        return self._later("hco_read_secondary", _secondary_token, item=item, number=number, cvv=cvv, tag=tag)

    def apply_secondary(self, token: str, amount: int | None = None) -> Applied:
        """Draws a gift card in: exactly `amount`, or what its balance and the remainder allow."""
        return decode(Applied, self._call("hco_apply_secondary", **_named(token=token, amount=_minor_units(amount))))

    def remove_secondary(self, token: str) -> Split:
        """Takes a gift card out of the split; its token stays."""
        return decode(Split, self._call("hco_remove_secondary", token=token))

    def simulate_loan(self, item: str, amount: int | None = None, *, tag: str | None = None) -> Pending[LoanSimulation]:
        """What paying in instalments would come to; without an amount, for what the method would pay now."""
        return self._later("hco_simulate_loan", _loans, item=item, amount=_minor_units(amount), tag=tag)

    # Saved instruments.

    def register(
        self, item: str | None = None, *, token: str | None = None, name: str | None = None, wanted: bool = True
    ) -> tuple[Registration, ...]:
        """Decides that a method's instrument, or a gift card that was read, is saved when it pays."""
        reply = self._call("hco_register", **_named(item=item, token=token, name=name), register=wanted)
        return decode_all(Registration, reply["registrations"])

    def set_wallet_session(
        self, wallet_session: Mapping[str, Any], *, tag: str | None = None
    ) -> Pending[WalletSession | None]:
        """Attaches the wallet session that your backend created for this shopper, as it received it. None when it is
        attached already."""
        return self._later("hco_set_wallet_session", _wallet_session, walletSession=dict(wallet_session), tag=tag)

    def update_token(
        self, token: str, *, name: str | None = None, favorite: bool = False, tag: str | None = None
    ) -> Pending[SavedTokenChange]:
        """Renames a saved instrument, or makes it the favorite."""
        return self._later("hco_token_update", _token_change, token=token, name=name, favorite=favorite or None, tag=tag)

    def delete_token(self, token: str, *, tag: str | None = None) -> Pending[tuple[str, ...]]:
        """Deletes a saved instrument: from now on it pays nothing. The result is its id."""
        return self._later("hco_token_delete", _deleted, token=token, tag=tag)

    def delete_all_tokens(self, *, tag: str | None = None) -> Pending[tuple[str, ...]]:
        """Deletes all of them. The result is their ids."""
        return self._later("hco_token_delete", _deleted, all=True, tag=tag)

    def open_element(
        self, item: str | None = None, *, token: str | None = None, redirect: str = "none",
        app_return_url: str | None = None, security_code: bool = False, tag: str | None = None,
    ) -> Pending[Element]:
        """Opens a method's own step. `redirect` "host": you can show pages. `security_code`: ask for a saved card's
        again, whatever the session says."""
        members = _named(item=item, token=token, redirect=redirect, appReturnURL=app_return_url, tag=tag)
        if security_code:
            members["securityCode"] = True
        return self._later("hco_element_open", self._element, **members)

    def _element(self, result: Mapping[str, Any]) -> Element:
        return Element(self, result)

    # Paying.

    def submit(
        self, *, element: str | None = None, token: str | None = None, skip_on_before_validate: bool = False
    ) -> Pending[Outcome]:
        """Sends the split. Raises when it is refused; the attempt that is returned ends in one Outcome: await it."""
        members = _named(element=element, token=token)
        if skip_on_before_validate:
            members["skipOnBeforeValidate"] = True
        return self.attempt(self._call("hco_submit", **members)["attempt"])

    def attempt(self, number: int) -> Pending[Outcome]:
        """An attempt by its number; also one of an earlier life, see `pending_attempt`."""
        return self._core.attempt(number)

    def abort(self, attempt: Pending[Outcome]) -> None:
        """Ends an attempt of which nothing has left; refused TOO_LATE otherwise."""
        self._call("hco_abort", attempt=attempt.id)

    def abort_read(self, read: Pending[SecondaryToken]) -> None:
        """Ends the reading of a gift card."""
        self._call("hco_abort", call=read.id)

    def resolve(self, attempt: int, verdict: str) -> None:
        """Says what your backend found out: "paid", "declined", "notCreated" or "abandoned". An early "notCreated" can
        pay twice."""
        self._call("hco_resolve", attempt=attempt, verdict=verdict)

    # Redirects.

    def redirect_check(self, url: str) -> Verdict:
        """What to do with a navigation of the page. Ask it for each."""
        verdict = ffi.new("int32_t *")
        call("hco_redirect_check", self._core.handle, text(url), verdict)
        known = {each.value: each for each in Verdict}
        return known.get(verdict[0], Verdict.BLOCK)

    def redirect_report(
        self, presentation: str, *, url: str | Unset | None = UNSET, canceled: bool = False, failed: str | None = None
    ) -> bool:
        """Ends a presentation: with the URL that came back (None: there was none to read), canceled, or failed. True
        when the attempt had ended before."""
        members = _named(presentation=presentation, failed=failed)
        if url is not UNSET:
            members["url"] = url
        if canceled:
            members["canceled"] = True
        return bool(self._call("hco_redirect_report", **members)["late"])

    def redirect_present(self, attempt: int, *, tag: str | None = None) -> Pending[Presentation]:
        """Opens the page of an attempt that has ended: canceled after its answer, failed because the redirection hook
        refused, or completed because its element said redirect "none". A return is then an event, no outcome."""
        return self._later("hco_redirect_present", _presentation, **_named(attempt=attempt, tag=tag))

    def _call(self, function: str, **members: Any) -> dict[str, Any]:
        return call(function, self._core.handle, document(members))

    def _later(self, function: str, read: Callable[[Any], Any], **members: Any) -> Pending[Any]:
        number = self._call(function, **_named(**members))["call"]
        return self._core.calls.meet(number).reading(read)


def _loaded(result: Mapping[str, Any]) -> bool:
    return "phase" in result


def _wallet_session(result: Mapping[str, Any]) -> WalletSession | None:
    return None if result.get("ignored") else decode(WalletSession, result["walletSession"])


def _token_change(result: Mapping[str, Any]) -> SavedTokenChange:
    return decode(SavedTokenChange, result)


def _loans(result: Mapping[str, Any]) -> LoanSimulation:
    return decode(LoanSimulation, result)


def _deleted(result: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(result.get("deleted", ()))


def _collected(core: CheckoutCore) -> None:
    was_released = core.handle == ffi.NULL
    core.release()
    if not was_released:
        warnings.warn("a Checkout was collected without release()", ResourceWarning, stacklevel=1)


def _request(
    hooks: Hooks, api_paths: Mapping[str, str] | None, provider: str | None, idempotency_header: str | Unset | None,
    seal_key: bytes | None, redirect_hosts: Iterable[str] | None,
) -> dict[str, Any]:
    request: dict[str, Any] = _named(provider=provider, apiPaths=None if api_paths is None else dict(api_paths))
    if hooks.names():
        request["hooks"] = hooks.names()
    if hooks.steps:
        request["capabilities"] = hooks.capabilities()
    if idempotency_header is not UNSET:
        request["idempotencyHeader"] = idempotency_header
    if seal_key is not None:
        request["sealKey"] = base64.b64encode(seal_key).decode("ascii")
    if redirect_hosts is not None:
        request["redirectHosts"] = list(redirect_hosts)
    return request


def _named(**members: Any) -> dict[str, Any]:
    """The members that were given."""
    return {name: value for name, value in members.items() if value is not None}


def _minor_units(amount: int | None) -> int | None:
    if amount is not None and (isinstance(amount, bool) or not isinstance(amount, int)):
        raise TypeError("an amount is an integer in minor units: 1999 is 19.99 EUR")
    return amount


def _secondary_token(result: Mapping[str, Any]) -> SecondaryToken:
    return decode(SecondaryToken, result["token"])


def _presentation(result: Mapping[str, Any]) -> Presentation:
    return decode(Presentation, result)
