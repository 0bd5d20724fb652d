"""Headless Checkout: a payment checkout with no screen. README.md has the tour; the C header is the manual.

Not for a process that was forked after a Runtime was made: start children with multiprocessing's "spawn".
"""

from ._checkout import UNSET, Checkout
from ._element import Element
from ._errors import (
    BusyError,
    CheckoutError,
    ErrorObject,
    ForkedError,
    HeadlessCheckoutError,
    InternalError,
    InvalidArgumentError,
    InvalidHandleError,
    LibraryError,
    ReentrantError,
    RefusedError,
    RuntimeClosed,
)
from ._events import (
    Canceled,
    Change,
    Completed,
    ElementEvent,
    Event,
    Failed,
    FailedAfterAnswer,
    ItemResult,
    MonitoringEvent,
    Outcome,
    OutcomeEvent,
    OutcomeUnknown,
    PluginEvent,
    RedirectAction,
    RedirectEvent,
    ResultEvent,
    ReturnedFromRedirect,
    TicketClosed,
)
from ._hooks import (
    AfterValidate,
    BeforeValidate,
    Checkpoint,
    Collect,
    HookCanceled,
    HookRefused,
    Hooks,
    PostValidate,
    Prepare,
    Redirection,
    Steps,
)
from ._http import HTTPNotSent, HTTPRequest, HTTPResponse
from ._pending import Pending
from ._runtime import Runtime, version
from ._state import (
    Applied,
    CardState,
    Currency,
    Disabled,
    ElementState,
    ItemFate,
    Loan,
    LoanSimulation,
    PaymentMethod,
    PaymentToken,
    PendingAttempt,
    Presentation,
    Primary,
    Registration,
    SavedSecondaryToken,
    SavedTokenChange,
    SecondaryToken,
    SessionChange,
    SessionState,
    Skipped,
    Slice,
    Split,
    SubmitBlocker,
    Verdict,
    WaitingFor,
    WalletSession,
)

__version__ = "0.1.0"

__all__ = [
    "AfterValidate", "Applied", "BeforeValidate", "BusyError", "Canceled", "CardState", "Change", "Checkout",
    "CheckoutError", "Checkpoint", "Collect", "Completed", "Currency", "Disabled", "Element", "ElementEvent",
    "ElementState", "ErrorObject", "Event", "Failed", "FailedAfterAnswer", "ForkedError", "HTTPNotSent",
    "HTTPRequest", "HTTPResponse", "HeadlessCheckoutError", "HookCanceled", "HookRefused", "Hooks", "InternalError",
    "InvalidArgumentError", "InvalidHandleError", "ItemFate", "ItemResult", "LibraryError", "Loan", "LoanSimulation",
    "MonitoringEvent", "Outcome", "OutcomeEvent", "OutcomeUnknown", "PaymentMethod", "PaymentToken", "Pending",
    "PendingAttempt", "PluginEvent", "PostValidate", "Prepare", "Presentation", "Primary", "RedirectAction",
    "RedirectEvent", "Redirection", "ReentrantError", "RefusedError", "Registration", "ResultEvent",
    "ReturnedFromRedirect", "Runtime", "RuntimeClosed", "SavedSecondaryToken", "SavedTokenChange", "SecondaryToken",
    "SessionChange", "SessionState", "Skipped", "Slice", "Split", "Steps", "SubmitBlocker", "TicketClosed", "UNSET",
    "Verdict", "WaitingFor", "WalletSession", "version",
]
