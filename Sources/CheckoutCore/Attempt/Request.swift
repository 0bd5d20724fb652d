/// A request's number, unique in its checkout.
public struct RequestID: Hashable, Sendable {
  public var value: Int64
  public init(_ value: Int64) { self.value = value }
}

/// Whether a request can move money. Only the core's gate lets one out that can.
public enum Money: Hashable, Sendable {
  case none
  /// It can create the payment: at most one leaves, ever, unless the earlier ones certainly created nothing.
  case opens
  /// It goes on with a payment that was created: whatever becomes of it, nothing is certain but a verdict.
  case continues

  public var name: String {
    switch self {
    case .none: "none"
    case .opens: "opens"
    case .continues: "continues"
    }
  }
}

/// Which of the back end's calls it is: it picks the time-out, and tells a script whose answer it reads.
public enum Call: Hashable, Sendable {
  case initialize, validate, time, monitoring, simulate, wallet
  case configuration, sessionAction, tokenize, payment, poll, threeDS
}

public struct Header: Hashable, Sendable {
  public var name: String
  public var value: String

  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// A body is put together where the secrets are, at the moment it is sent.
public enum BodyPart: Hashable, Sendable {
  case text(String)
  case secret(SecretID)
}

/// What a provider wants sent.
public struct Request: Hashable, Sendable {
  public var call: Call
  public var method: String
  public var url: String
  public var headers: [Header]
  public var body: [BodyPart]
  public var money: Money
  /// Of a request that opens a payment; nil: it has none.
  public var idempotencyKey: String?

  public init(
    call: Call, method: String, url: String, headers: [Header], body: [BodyPart], money: Money = .none,
    idempotencyKey: String? = nil
  ) {
    self.call = call
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.money = money
    self.idempotencyKey = idempotencyKey
  }
}

extension Request {
  var holdsSecrets: Bool {
    body.contains { part in
      if case .secret = part { return true }
      return false
    }
  }
}

/// What became of a request. Exactly one for each that was sent, cancelled ones too.
public enum Received: Hashable, Sendable {
  /// A whole answer.
  case answer(Answer)
  /// No whole answer. `left`: some of the request may have reached the back end.
  case nothing(left: Bool, reason: String)

  var hasLeft: Bool {
    switch self {
    case .answer: true
    case .nothing(let left, _): left
    }
  }
}

public struct Answer: Hashable, Sendable {
  public var status: Int
  /// The Date header, a sample of the server's clock.
  public var date: String?
  public var body: [UInt8]
  /// It came over TLS, or from an allowed loopback: what it says of the time is believed.
  public var isTrusted: Bool

  public init(status: Int, date: String?, body: [UInt8], isTrusted: Bool = true) {
    self.status = status
    self.date = date
    self.body = body
    self.isTrusted = isTrusted
  }

  var isSuccess: Bool { (200..<300).contains(status) }
}
