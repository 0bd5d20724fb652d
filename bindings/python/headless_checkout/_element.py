"""An open element: one method's own step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ._decoding import decode
from ._events import Outcome
from ._pending import Pending
from ._state import ElementState

if TYPE_CHECKING:
    from ._checkout import Checkout


class Element:
    """What `Checkout.open_element` gives. Report what only you know of it, close it when its screen goes."""

    def __init__(self, checkout: Checkout, members: Mapping[str, Any]) -> None:
        self._checkout = checkout
        #: As it was when it was opened; `Checkout.elements` has it as it is.
        self.opened = decode(ElementState, members["element"])
        #: What the partner's widget is shown with; None where it needs nothing.
        self.init: Mapping[str, Any] | None = members.get("init")

    @property
    def id(self) -> str:
        return self.opened.element

    def report(
        self, report: str, *, valid: bool | None = None, message: str | None = None,
        recoverable: bool | None = None, brands: Iterable[str] | None = None, brand: str | None = None,
    ) -> None:
        """Reports "ready"; "formValidity" with `valid`; "brands" with `brands`; "brandSelected" with `brand`; "canceled";
        "redirect"; "initFailed" or "clientError" with `message`; "partnerError" with `message` and `recoverable`; or
        "endOfSession"."""
        facts = {
            "valid": valid, "message": message, "recoverable": recoverable,
            "brands": None if brands is None else list(brands), "brand": brand,
        }
        given = {name: value for name, value in facts.items() if value is not None}
        self._checkout._call("hco_element_report", element=self.id, report=report, **given)

    def approve(self, payment_data: Mapping[str, Any] | None = None) -> Pending[Outcome]:
        """The shopper approved with the partner's own button (Apple Pay, Google Pay, PayPal): chooses it and pays, in
        one step that is refused whole. Without `payment_data` the prepare step is asked."""
        given = {} if payment_data is None else {"payment_data": dict(payment_data)}
        reply = self._checkout._call("hco_element_report", element=self.id, report="approved", **given)
        return self._checkout.attempt(reply["attempt"])

    def close(self) -> None:
        """Closes it. Before the request has left that cancels a running attempt of it."""
        self._checkout._call("hco_element_close", element=self.id)
