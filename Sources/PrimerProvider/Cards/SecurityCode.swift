/// What may be known of a security code that was typed.
public struct TypedSecurityCode: Hashable, Sendable {
  public let length: Int
  public let isNumeric: Bool

  public init(_ text: Span<UInt8>) {
    length = text.count
    isNumeric = Bytes.areDigits(text)
  }

  /// CheckoutComponents' rule.
  public func fault(_ network: CardNetwork?) -> FieldFault? {
    if length == 0 { return .required }
    return isNumeric && length == (network == .amex ? 4 : 3) ? nil : .invalid
  }

  /// The rule of headless raw data: what the network prints, and 3 or 4 digits where that is not known.
  public func isValidRaw(_ network: CardNetwork?) -> Bool {
    guard isNumeric else { return false }
    if let rules = network?.rules { return length == rules.securityCodeLength }
    return length == 3 || length == 4
  }

  /// While it is typed: nil for too few digits to say. Three digits of a code of four already count.
  public func isValidWhileTyped(_ network: CardNetwork?) -> Bool? {
    if length == 0 { return nil }
    if !isNumeric || length > network?.rules?.securityCodeLength ?? 4 { return false }
    return length >= 3 ? true : nil
  }

  public enum Recapture: Hashable, Sendable { case incomplete, valid, wrong }

  /// The code that is asked for again with a saved card.
  public func recapture(_ network: CardNetwork?) -> Recapture {
    recapture(length: network?.rules?.securityCodeLength ?? 3)
  }

  public func recapture(length wanted: Int) -> Recapture {
    if length == 0 { return .incomplete }
    if !isNumeric || length > wanted { return .wrong }
    return length == wanted ? .valid : .incomplete
  }
}
