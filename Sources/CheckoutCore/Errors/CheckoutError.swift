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

/// A refusal or failure, as it crosses the boundary. On the heap: every call that can throw makes room for it.
public final class CheckoutError: Error, Hashable, Sendable {
  public let code: ErrorCode
  /// For people; never holds a value that came in.
  public let message: String
  public let moved: Moved
  /// Where in the input the fault lies, and at which byte.
  public let path: String?
  public let offset: Int?
  /// The JSON text of an object.
  public let details: String?

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

  public static func == (left: CheckoutError, right: CheckoutError) -> Bool {
    left.code == right.code && left.message == right.message && left.moved == right.moved && left.path == right.path
      && left.offset == right.offset && left.details == right.details
  }

  public func hash(into hasher: inout Hasher) {
    code.hash(into: &hasher)
    details.hash(into: &hasher)
  }
}
