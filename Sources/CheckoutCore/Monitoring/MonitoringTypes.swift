// What a monitoring event is made of. None of these can hold an amount, a card number, a transaction id or a partner's
// payload: a test reads this folder and lets events hold nothing else.

/// How many there are of something.
struct Tally: Hashable, Sendable {
  let count: Int

  init<Element>(of elements: [Element], andOneMore isOneMore: Bool = false) {
    count = elements.count + (isOneMore ? 1 : 0)
  }
}

/// How long a request took.
struct MonitoredTime: Hashable, Sendable {
  let milliseconds: Int64

  init(from start: Int64, to end: Instant) { milliseconds = max(0, Saturating.difference(end.boot, start)) }
}

/// The status of an answer.
struct MonitoredStatus: Hashable, Sendable {
  let code: Int

  init(of answer: Answer) { code = answer.status }
}

/// An item by its partner and method, as the session names them.
struct MonitoredItem: Hashable, Sendable {
  let partner: String
  let method: String

  init(_ method: PaymentMethod) {
    partner = MonitoredName.plain(method.partner)
    self.method = MonitoredName.plain(method.method)
  }
}

/// A saved instrument by the wallet's own id, which is not the instrument's number.
struct MonitoredToken: Hashable, Sendable {
  let item: MonitoredItem
  let id: String

  init(_ token: PaymentToken, of method: PaymentMethod) {
    item = MonitoredItem(method)
    id = MonitoredName.plain(token.id)
  }

  init(_ token: SavedSecondaryToken, of method: PaymentMethod) {
    item = MonitoredItem(method)
    id = MonitoredName.plain(token.id)
  }
}

private enum MonitoredName {
  /// Letters, digits, dots and dashes, and at most 64 of them.
  static func plain(_ name: String) -> String {
    let bytes = name.utf8.prefix(64).map { byte in
      switch byte {
      case _ where ASCII.isLetter(byte) || ASCII.isDigit(byte), UInt8(ascii: "-"), UInt8(ascii: "."): byte
      default: UInt8(ascii: "_")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A call of the payment API that did not succeed.
struct MonitoredFailure: Hashable, Sendable {
  let call: Call
  /// nil: no answer.
  let status: MonitoredStatus?
}

/// The answer to /validate, without any of its payloads.
struct MonitoredResult: Hashable, Sendable {
  struct Line: Hashable, Sendable {
    /// nil for what the session does not offer.
    let item: MonitoredItem?
    let state: MaskedText
    let code: MaskedText
    let description: MaskedText?
    let partnerStatus: MaskedText?
  }

  let status: MaskedText
  let lines: [Line]

  static let mostLines = 20

  init(_ result: PaymentResult, _ session: ClientSession) {
    status = MaskedText(result.status)
    lines = result.lines.prefix(MonitoredResult.mostLines).map { line in
      Line(
        item: session.method(line.item).map { MonitoredItem($0) }, state: MaskedText(line.state),
        code: MaskedText(line.code), description: line.description, partnerStatus: line.partnerStatus)
    }
  }
}

/// What a partner's own step reported.
enum PartnerEvent: Hashable, Sendable {
  case ready, redirect, initFailed, clientError, partnerError, endOfSession, canceled
  /// The host cannot do the item's step: it refused the device at creation.
  case incompatible

  var name: String {
    switch self {
    case .ready: "ready"
    case .redirect: "redirect"
    case .initFailed: "initFailed"
    case .clientError: "clientError"
    case .partnerError: "partnerError"
    case .endOfSession: "endOfSession"
    case .canceled: "cancelled"
    case .incompatible: "incompatible"
    }
  }
}

extension DisabledCode {
  /// Why a method is disabled is told by its code alone, for a state's numbers quote amounts. `submitting`, which every
  /// item enters and leaves with each submit, is not told.
  static func monitored(_ state: DisabledState?) -> DisabledCode? {
    guard let state, state.code != .submitting else { return nil }
    return state.code
  }
}
