/// A payment under way: from the accepted submit until its one outcome is emitted.
public struct Attempt: Hashable, Sendable {
  public var id: Int64
  /// The primary's item or token; nil when gift cards pay everything.
  public var source: String?
  public var order: PaymentOrder
  /// Those that were set when it was accepted; a later choice is for the next one.
  public var hooks: [Hook]
  /// Where its page returns to, also when its element is closed meanwhile.
  public var returnURLPrefix: String
  public var wait: Wait
  /// The transport let the money request go: too late to abort.
  public var hasLeft = false
  /// The form changed since it was accepted: what its collect step answered is for this attempt only.
  public var isFormStale = false
  /// What the back end calls the payment, as far as it said.
  public var payment: PaymentReference? = nil
  /// Its checkout was cancelled: whatever is known next is its outcome.
  public var isDetached = false
  /// Boot milliseconds after which nobody asks any more how an open payment ended.
  public var openUntil: Int64? = nil
  /// What was typed has been sent.
  public var hasUsedCard = false
  /// Why it is being stopped while its money request is still held back.
  public var stop: Stop?
  /// The back end's answer, once read.
  public var result: PaymentResult?
  /// The page that the answer asked for.
  public var action: RedirectAction?
  /// Reports that came after the request left, for when the attempt is over.
  public var queuedReports: [QueuedReport] = []

  /// An attempt waits for one thing at a time; waiting for none would be stuck.
  public enum Wait: Hashable, Sendable {
    case script
    case request(RequestID, Call)
    /// A money request held back by its checkpoint.
    case checkpoint(Int64, Request)
    case money(RequestID, Call)
    case ticket(Int64)
    case presentation(String)
    /// Boot milliseconds.
    case timer(Int64)
  }

  public struct QueuedReport: Hashable, Sendable {
    public var element: String
    public var report: ElementReport
  }

  public enum Stop: Hashable, Sendable {
    case canceled
    case tornDown
    case expired
    case partner(CheckoutError)
  }
}

/// A question that the host has not answered.
public struct Ticket: Hashable, Sendable {
  public var id: Int64
  public var kind: DeliveryKind
  /// nil for the checkpoint, which is the core's own.
  public var question: Question?
  public var since: Instant
  /// Milliseconds of the boot clock; nil waits for ever.
  public var deadline: Int64?
  /// When the host is told that its decision is waited for.
  public var warnsAt: Int64? = nil
}
