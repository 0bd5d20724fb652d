/// One method's own step, as the host shows it. One element an item.
public struct Element: Hashable, Sendable {
  /// The item's id, or the token's.
  public var id: String
  /// The method it belongs to; a token's method.
  public var item: String
  public var presentsRedirects: Bool
  public var appReturnURL: String?
  public var isFormValid = false
}

/// What a partner's technical failure left behind.
public enum TechnicalState: Hashable, Sendable {
  case fatal
  case recoverable
}
