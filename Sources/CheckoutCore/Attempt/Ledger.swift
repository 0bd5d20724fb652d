/// What is known about money in this session. It outlives attempts; only the gate, an answer and a resolve change it.
public struct Ledger: Hashable, Sendable {
  public enum Standing: Hashable, Sendable, CaseIterable {
    /// Nothing can have moved.
    case clear
    /// A request that opens a payment is about to leave; the checkpoint says so.
    case marked
    /// It was handed to the transport.
    case inFlight
    /// The back end created a payment that waits for an action.
    case open
    /// It may have left and no answer was read.
    case unknown
    /// The back end answered about the payment.
    case spent
    /// As spent, and a partner's step failed after the answer.
    case spentInError

    public var name: String {
      switch self {
      case .clear: "clear"
      case .marked: "marked"
      case .inFlight: "left"
      case .open: "open"
      case .unknown: "unknown"
      case .spent: "spent"
      case .spentInError: "spentInError"
      }
    }
  }

  public internal(set) var standing: Standing = .clear
  /// Recorded at the gate and kept until a definite verdict: a renewed key can pay twice.
  public internal(set) var idempotencyKey: String?
  /// After `notCreated` a refusal says nothing about the first request.
  public internal(set) var isRepetition = false
  /// The attempt that the standing speaks of.
  public internal(set) var attempt: Int64?
  /// What the back end said of a payment that has no verdict: it exists.
  public internal(set) var payment: PaymentReference?

  /// That of a payment that may be on its way.
  static let strictnessInDoubt = 2

  /// How much it forbids: of two accounts of one session the stricter is believed.
  var strictness: Int {
    switch standing {
    case .clear: isRepetition ? 1 : 0
    case .marked, .inFlight, .open, .unknown: Ledger.strictnessInDoubt
    case .spent, .spentInError: 3
    }
  }

  /// It forbids more, or as much and speaks of a later attempt.
  public func outranks(_ other: Ledger) -> Bool {
    if strictness != other.strictness { return strictness > other.strictness }
    return (attempt ?? 0) > (other.attempt ?? 0)
  }

  /// Another payment of this session must know of it.
  var isWorthKeeping: Bool { standing != .clear || isRepetition || idempotencyKey != nil }

  /// What may have left when its process ends is in doubt.
  mutating func doubt() {
    switch standing {
    case .marked, .inFlight, .open: standing = .unknown
    case .clear, .unknown, .spent, .spentInError: break
    }
  }

  /// Certainly no payment was made: the session can be paid.
  mutating func clear() {
    let last = attempt
    self = Ledger()
    attempt = last
  }

  var isSettled: Bool { standing == .spent || standing == .spentInError }

  /// The statuses with which a back end says that it did not take the request.
  static let definiteRefusals: [Int] = [400, 401, 403, 404, 413, 415, 422, 429]
  /// Those that hold even for a request repeated after `notCreated`: it was not looked at.
  static let refusalsBeforeReading: [Int] = [401, 403, 429]
}

/// What an answer to a request that opens a payment means for money.
enum MoneyVerdict: Hashable {
  case readable(PaymentResult)
  case opened(PaymentReference)
  /// Certainly nothing moved. `isFinal`: the back end looked at it, so the key has done its work.
  case nothingMoved(isFinal: Bool)
  case unknown
}

extension Ledger {
  /// The table of the design, section 5. In doubt: unknown.
  func verdict(on received: Received, reading: Reading?, speaksOfEarlierPayment: Bool) -> MoneyVerdict {
    guard case .answer(let answer) = received else {
      return received.hasLeft || standing == .open ? .unknown : .nothingMoved(isFinal: false)
    }
    if answer.isSuccess {
      if case .verdict(let result) = reading { return .readable(result) }
      if case .open(let payment) = reading { return .opened(payment) }
      return .unknown
    }
    // Of a payment that exists no refusal says that it moved nothing.
    if standing == .open { return .unknown }
    if speaksOfEarlierPayment { return .unknown }
    if isRepetition {
      return Ledger.refusalsBeforeReading.contains(answer.status) ? .nothingMoved(isFinal: false) : .unknown
    }
    return Ledger.definiteRefusals.contains(answer.status) ? .nothingMoved(isFinal: true) : .unknown
  }
}
