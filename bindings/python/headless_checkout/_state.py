"""What a checkout publishes, as values. Amounts are integers in minor units of the session's currency."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from ._decoding import nested, sequence


class SessionState:
    """The values of `Checkout.session_state`; `is_torn_down` and `outcome_unknown` stand beside it. More may come:
    treat one that you do not know as "cannot pay now"."""

    READY = "ready"
    SUBMITTING = "submitting"
    SUBMITTED = "submitted"
    ERROR = "error"
    EXPIRED = "expired"
    TERMINATED = "terminated"


class Verdict(IntEnum):
    """What to do with a navigation of a payment page."""

    BLOCK = 0
    ALLOW = 1
    RETURN = 2


@dataclass(frozen=True)
class Currency:
    code: str
    #: How many digits its minor unit has: 2 for EUR, 0 for JPY.
    digits: int


@dataclass(frozen=True)
class Disabled:
    """Why a method or token cannot be used right now."""

    code: str
    message_key: str
    message: str
    details: Mapping[str, Any] | None
    is_filtered: bool
    is_technical: bool
    requires_ui_clear: bool
    is_recoverable: bool
    is_amount_driven: bool


@dataclass(frozen=True)
class PaymentMethod:
    id: str
    partner: str
    method: str
    #: "primary" or "secondary".
    kind: str
    position: int | None
    min_amount: int | None
    max_amount: int | None
    limit: int | None
    can_be_registered: bool
    has_ui: bool
    self_submitting: bool
    #: hco_simulate_loan can be asked for it.
    simulable: bool = False
    disabled: Disabled | None = nested(Disabled)


@dataclass(frozen=True)
class PaymentToken:
    """A saved means of payment."""

    id: str
    item: str
    mask: str
    expires_at: str | None
    has_ui: bool
    self_submitting: bool
    name: str | None = None
    is_favorite: bool = False
    disabled: Disabled | None = nested(Disabled)


@dataclass(frozen=True)
class SavedSecondaryToken:
    """A saved gift card. Its balance is None until it has been read."""

    id: str
    item: str
    mask: str
    expires_at: str | None
    name: str | None = None
    is_favorite: bool = False
    balance: int | None = None
    #: What a loyalty account holds in all.
    total_balance: int | None = None
    applied: int = 0
    disabled: Disabled | None = nested(Disabled)


@dataclass(frozen=True)
class Registration:
    """What the next payment saves: a method's instrument, or a gift card that was read."""

    item: str | None = None
    token: str | None = None
    name: str | None = None


@dataclass(frozen=True)
class WalletSession:
    """The shopper's session with the wallet."""

    id: str
    expires_at: str | None = None


@dataclass(frozen=True)
class SecondaryToken:
    """A gift card whose balance was read."""

    id: str
    item: str
    mask: str
    #: What may be used.
    balance: int
    expires_at: str | None
    #: The slice that it pays, 0 when it is not drawn in.
    applied: int
    #: What a loyalty account holds in all.
    total_balance: int | None = None
    disabled: Disabled | None = nested(Disabled)


@dataclass(frozen=True)
class Primary:
    """What pays the remainder: a method, or a saved token."""

    item: str | None
    token: str | None


@dataclass(frozen=True)
class Slice:
    """One part of the amount, and what pays it."""

    item: str
    amount: int
    token: str | None = None


@dataclass(frozen=True)
class SubmitBlocker:
    """One reason why submit would be refused."""

    code: str
    item: str | None
    details: Mapping[str, Any] | None


@dataclass(frozen=True)
class CardState:
    """A card's form, as it was reported."""

    tenant_id: str | None
    security_code_only: bool
    is_form_valid: bool
    selected_brand: str | None
    supported_brands: tuple[str, ...] = sequence()
    detected_brands: tuple[str, ...] = sequence()


@dataclass(frozen=True)
class ElementState:
    element: str
    has_ui: bool
    self_submitting: bool
    is_ready: bool
    #: Its partner's data are for another amount or session; it is being initialised again.
    stale: bool
    card: CardState | None = nested(CardState)


@dataclass(frozen=True)
class PendingAttempt:
    """An attempt of an earlier life that had left or was open. Ask the backend, then `resolve` it."""

    attempt: int
    moved: str


@dataclass(frozen=True)
class WaitingFor:
    """A hook that has not been answered yet."""

    ticket: int
    kind: str
    since: str


@dataclass(frozen=True)
class Split:
    """Who pays what."""

    remaining_amount_to_pay: int
    is_payment_fulfilled: bool
    amount_split: tuple[Slice, ...] = sequence(Slice)
    primary: Primary | None = nested(Primary)
    submit_blockers: tuple[SubmitBlocker, ...] = sequence(SubmitBlocker)


@dataclass(frozen=True)
class Applied:
    """What drawing in a gift card did."""

    applied: int
    #: How much of the balance is lost, where the card can be used once only.
    amount_loss: int
    remaining_amount_to_pay: int
    amount_split: tuple[Slice, ...] = sequence(Slice)


@dataclass(frozen=True)
class ItemFate:
    """What a new session did to an item: "kept", "rebuilt" or "dropped"."""

    id: str
    fate: str
    reason: str | None


@dataclass(frozen=True)
class SessionChange:
    """What a new session did. `ignored`: it was the same one."""

    ignored: bool
    items: tuple[ItemFate, ...] = sequence(ItemFate)


@dataclass(frozen=True)
class Skipped:
    """What a restored checkout had to leave behind."""

    item: str
    reason: str


@dataclass(frozen=True)
class SavedTokenChange:
    """What a saved instrument is called now. `ignored`: it was so already."""

    token: str | None = None
    name: str | None = None
    is_favorite: bool = False
    ignored: bool = False


@dataclass(frozen=True)
class Loan:
    """One offer of paying in instalments."""

    installment_count: int
    initial_installment_amount: int
    installment_amount: int
    final_installment_amount: int
    total_cost: int
    total_amount: int
    is_preferred: bool
    #: The annual percentage rate, a ratio in decimal text.
    aprc: str | None
    legal_text: str | None
    #: What is paid each time, in order; they sum to the total.
    installments: tuple[int, ...] = sequence()


@dataclass(frozen=True)
class LoanSimulation:
    item: str
    amount: int
    loans: tuple[Loan, ...] = sequence(Loan)


@dataclass(frozen=True)
class Presentation:
    """What opening a page again came to: one of the three."""

    presentation: str | None = None
    taken_over: bool = False
    ignored: bool = False
