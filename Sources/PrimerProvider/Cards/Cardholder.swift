/// What may be known of a cardholder's name that was typed.
public struct TypedHolder: Hashable, Sendable {
  /// Scalars without the white space around them.
  public let length: Int
  private let isName: Bool
  private let isEmpty: Bool
  private let hasDigit: Bool

  public init(_ text: Span<UInt8>) {
    let trimmed = text.extracting(Bytes.trimmed(text))
    length = Scalars.count(trimmed)
    isName = Scalars.areLetters(trimmed, or: "-'")
    isEmpty = text.isEmpty
    var hasDigit = false
    for index in text.indices where Bytes.isDigit(text[index]) { hasDigit = true }
    self.hasDigit = hasDigit
  }

  /// CheckoutComponents' rule.
  public var fault: FieldFault? {
    if length == 0 { return .required }
    if length < 2 { return .cardholderNameLength }
    return isName ? nil : .invalid
  }

  /// The rule of headless raw data.
  public var isValidRaw: Bool { !isEmpty && !hasDigit }
}
