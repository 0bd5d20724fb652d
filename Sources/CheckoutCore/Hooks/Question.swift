/// A step of a partner's integration that only the host can do.
public enum Step: Hashable, Sendable, CaseIterable {
  case collect, prepare, postValidate

  public var name: String {
    switch self {
    case .collect: "collect"
    case .prepare: "prepare"
    case .postValidate: "postValidate"
    }
  }

  public static func named(_ text: String) -> Step? { allCases.first { $0.name == text } }
}

/// The hooks that a host can set by name.
public enum Hook: Hashable, Sendable, CaseIterable {
  case checkpoint, beforeValidate, afterValidate, redirection, beforePayment, idempotencyKey

  public var name: String {
    switch self {
    case .checkpoint: "checkpoint"
    case .beforeValidate: "beforeValidate"
    case .afterValidate: "afterValidate"
    case .redirection: "redirection"
    case .beforePayment: "beforePayment"
    case .idempotencyKey: "idempotencyKey"
    }
  }

  public static func named(_ text: String) -> Hook? { allCases.first { $0.name == text } }
}

/// What the host declared that it can do for an item.
public struct Capability: Hashable, Sendable {
  public var item: String
  public var steps: [Step]

  public init(item: String, steps: [Step]) {
    self.item = item
    self.steps = steps
  }
}

/// What a payment's script asks the host.
public enum Question: Hashable, Sendable {
  case step(Step, data: String)
  case beforeValidate
  case afterValidate
  case redirection(RedirectAction)
  /// Whether the payment is to be made, and under which key. `method`: what the back end calls its kind.
  case beforePayment(method: String, retainedKey: String?)
  /// The key alone.
  case idempotencyKey
}

/// How a ticket was answered.
public enum HookAnswer: Hashable, Sendable {
  /// Compact JSON of the object under "ok".
  case ok(String)
  case error(String)
  case canceled
  /// Not set, or answered so.
  case unset

  /// No answer is no consent: only an explicit yes, or a hook that is not set, lets a payment go on.
  public var isConsent: Bool {
    switch self {
    case .ok, .unset: true
    case .error, .canceled: false
    }
  }
}

/// The numbers of the header.
public enum DeliveryKind: Int32, Hashable, Sendable, CaseIterable {
  case change = 1
  case element = 2
  case outcome = 3
  case result = 4
  case redirect = 5
  case ticket = 6
  case plugin = 7
  case monitoring = 8
  case log = 9
  case checkpoint = 101
  case step = 102
  case beforeValidate = 103
  case afterValidate = 104
  case redirection = 105
  case http = 106
  case beforePayment = 107
  case idempotencyKey = 108

  public var name: String {
    switch self {
    case .change: "change"
    case .element: "element"
    case .outcome: "outcome"
    case .result: "result"
    case .redirect: "redirect"
    case .ticket: "ticket"
    case .plugin: "plugin"
    case .monitoring: "monitoring"
    case .log: "log"
    case .checkpoint: "checkpoint"
    case .step: "step"
    case .beforeValidate: "beforeValidate"
    case .afterValidate: "afterValidate"
    case .redirection: "redirection"
    case .http: "http"
    case .beforePayment: "beforePayment"
    case .idempotencyKey: "idempotencyKey"
    }
  }
}
