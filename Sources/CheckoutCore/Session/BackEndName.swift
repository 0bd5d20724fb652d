/// Which back end a session belongs to, and where the rules of the two differ.
public enum BackEndName: Hashable, Sendable, CaseIterable {
  case purse, primer

  public var name: String {
    switch self {
    case .purse: "purse"
    case .primer: "primer"
    }
  }

  public static func named(_ text: String) -> BackEndName? { allCases.first { $0.name == text } }

  /// Its session is loaded by `start`, and can be refreshed, cancelled and dismissed.
  var hasLifecycle: Bool { self == .primer }
  /// A payment that was declined uses the session up.
  var declineSpends: Bool { self == .purse }
  /// What a payment that certainly was not made fails with when the back end gives no better reason.
  var refusal: ErrorCode { self == .purse ? .validateFailed : .failedToCreatePayment }
  /// What a value fails with that the host should have given when it opened an element.
  var badParameter: ErrorCode { self == .purse ? .invalidInitParams : .invalidValue }
  /// What a session fails with that has certainly expired before anything was made of it.
  var expiry: ErrorCode { self == .purse ? .expiredSession : .invalidClientToken }
}
