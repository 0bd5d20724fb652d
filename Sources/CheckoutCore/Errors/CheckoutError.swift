/// Whether money moved, as far as the library can know.
public enum Moved: Hashable, Sendable {
  case no, unknown, yes

  public var text: String {
    switch self {
    case .no: "no"
    case .unknown: "unknown"
    case .yes: "yes"
    }
  }
}

extension ErrorCode {
  /// The code as hosts see it, for example `SUBMIT_BLOCKED`.
  public var text: String { facts.text }

  /// The message when an error brings none of its own.
  public var defaultMessage: String { facts.message }

  /// What an error with this code says of the money unless its maker knows better.
  public var defaultMoved: Moved { facts.moved }

  /// Which part of the work the code belongs to: `checkout`, `api`, `session` or `argument`.
  public var category: String {
    switch facts.category {
    case .checkout: "checkout"
    case .api: "api"
    case .session: "session"
    case .argument: "argument"
    }
  }

  /// Whether the same call, unchanged, may succeed when tried again.
  public var isRetryable: Bool { facts.retry == .useful }

  /// The fragment of the code's place in the documentation.
  public var documentationFragment: String {
    String(decoding: facts.text.utf8.map { ASCII.lowercased($0) }, as: UTF8.self)
  }
}

/// A refusal or failure, as it crosses the boundary.
public struct CheckoutError: Error, Hashable, Sendable {
  public var code: ErrorCode
  /// For people; never holds a value that came in.
  public var message: String
  public var moved: Moved
  /// Where in the input the fault lies, and at which byte.
  public var path: String?
  public var offset: Int?
  /// The JSON text of an object.
  public var details: String?

  /// An error with the code's own message and view of the money where none is given.
  public init(
    _ code: ErrorCode, message: String? = nil, moved: Moved? = nil, path: String? = nil, offset: Int? = nil,
    details: String? = nil
  ) {
    self.code = code
    self.message = message ?? code.defaultMessage
    self.moved = moved ?? code.defaultMoved
    self.path = path
    self.offset = offset
    self.details = details
  }

  public var category: String { code.category }

  /// Never true when money may have moved, whatever the code.
  public var isRetryable: Bool { code.isRetryable && moved == .no }
}
