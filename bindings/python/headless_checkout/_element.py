"""An open element: one method's own step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ._decoding import decode
from ._state import ElementState

if TYPE_CHECKING:
    from ._checkout import Checkout


class Element:
    """What `Checkout.open_element` gives. Report what only you know of it, close it when its screen goes."""

    def __init__(self, checkout: Checkout, members: Mapping[str, Any]) -> None:
        self._checkout = checkout
        #: As it was when it was opened; `Checkout.elements` has it as it is.
        self.opened = decode(ElementState, members)

    @property
    def id(self) -> str:
        return self.opened.element

    def report(
        self, report: str, *, valid: bool | None = None, message: str | None = None,
        recoverable: bool | None = None,
    ) -> None:
        """Reports "ready"; "formValidity" with `valid`; "canceled"; "initFailed" or "clientError" with `message`;
        "partnerError" with `message` and `recoverable`; or "endOfSession"."""
        facts = {"valid": valid, "message": message, "recoverable": recoverable}
        given = {name: value for name, value in facts.items() if value is not None}
        self._checkout._call("hco_element_report", element=self.id, report=report, **given)

    def close(self) -> None:
        """Closes it. Before the request has left that cancels a running attempt of it."""
        self._checkout._call("hco_element_close", element=self.id)
