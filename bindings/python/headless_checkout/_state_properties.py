"""The published properties of a checkout, each read afresh from the library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._decoding import decode, decode_all
from ._state import (
    Currency,
    ElementState,
    PaymentMethod,
    PaymentToken,
    PendingAttempt,
    Primary,
    Registration,
    SavedSecondaryToken,
    SecondaryToken,
    Slice,
    SubmitBlocker,
    WaitingFor,
    WalletSession,
)


class StateProperties:
    """What `hco_state` publishes."""

    def state(self, *keys: str) -> Mapping[str, Any]:
        """Published properties by the library's names, as JSON values; all of them when none is named."""
        raise NotImplementedError

    def _value(self, key: str) -> Any:
        return self.state(key)[key]

    @property
    def session_state(self) -> str:
        """One of SessionState."""
        return str(self._value("sessionState"))

    @property
    def phase(self) -> str:
        """`initializing` or `ready`: a session of Purse is always ready, one of Primer once `start` has loaded it."""
        return str(self._value("phase"))

    @property
    def awaiting_decision(self) -> bool:
        """The `beforePayment` hook has not been answered."""
        return bool(self._value("awaitingDecision"))

    @property
    def client_session(self) -> Mapping[str, Any] | None:
        """Primer's order, customer and networks, as `start` or `refresh` loaded them; None before, and with Purse."""
        session: Mapping[str, Any] | None = self._value("clientSession")
        return session

    @property
    def is_torn_down(self) -> bool:
        return bool(self._value("isTornDown"))

    @property
    def outcome_unknown(self) -> bool:
        """Money may have moved: ask your backend, then `resolve`."""
        return bool(self._value("outcomeUnknown"))

    @property
    def session_id(self) -> str:
        return str(self._value("sessionId"))

    @property
    def environment(self) -> str:
        return str(self._value("environment"))

    @property
    def expires_at(self) -> str:
        """ISO 8601 in UTC."""
        return str(self._value("expiresAt"))

    @property
    def currency(self) -> Currency:
        return decode(Currency, self._value("currency"))

    @property
    def amount(self) -> int:
        return int(self._value("amount"))

    @property
    def is_information_request(self) -> bool:
        return bool(self._value("isInformationRequest"))

    @property
    def payment_methods(self) -> tuple[PaymentMethod, ...]:
        return decode_all(PaymentMethod, self._value("paymentMethods"))

    @property
    def payment_tokens(self) -> tuple[PaymentToken, ...]:
        return decode_all(PaymentToken, self._value("paymentTokens"))

    @property
    def saved_secondary_tokens(self) -> tuple[SavedSecondaryToken, ...]:
        return decode_all(SavedSecondaryToken, self._value("savedSecondaryTokens"))

    @property
    def secondary_tokens(self) -> tuple[SecondaryToken, ...]:
        return decode_all(SecondaryToken, self._value("secondaryTokens"))

    @property
    def primary(self) -> Primary | None:
        value = self._value("primary")
        return None if value is None else decode(Primary, value)

    @property
    def amount_split(self) -> tuple[Slice, ...]:
        return decode_all(Slice, self._value("amountSplit"))

    @property
    def remaining_amount_to_pay(self) -> int:
        return int(self._value("remainingAmountToPay"))

    @property
    def is_payment_fulfilled(self) -> bool:
        return bool(self._value("isPaymentFulfilled"))

    @property
    def submit_blockers(self) -> tuple[SubmitBlocker, ...]:
        """Why submit would be refused; empty when it would not."""
        return decode_all(SubmitBlocker, self._value("submitBlockers"))

    @property
    def elements(self) -> tuple[ElementState, ...]:
        return decode_all(ElementState, self._value("elements"))

    @property
    def item_generations(self) -> Mapping[str, int]:
        """Counts up for an item when a new session rebuilt it."""
        generations: Mapping[str, int] = self._value("itemGenerations")
        return generations

    @property
    def registrations(self) -> tuple[Registration, ...]:
        """What the next payment saves."""
        return decode_all(Registration, self._value("registrations"))

    @property
    def wallet_session(self) -> WalletSession | None:
        session = self._value("walletSession")
        return None if session is None else decode(WalletSession, session)

    @property
    def disabled_methods(self) -> tuple[str, ...]:
        return tuple(self._value("disabledMethods"))

    @property
    def pending_attempt(self) -> PendingAttempt | None:
        value = self._value("pendingAttempt")
        return None if value is None else decode(PendingAttempt, value)

    @property
    def waiting_for(self) -> tuple[WaitingFor, ...]:
        """The hooks that the payment waits for."""
        return decode_all(WaitingFor, self._value("waitingFor"))
