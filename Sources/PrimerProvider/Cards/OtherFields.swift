/// The rules of fields that forms other than the card's have.
public enum OtherFields {
  /// A local part, an at sign, a domain that ends in two letters or more.
  public static func isEmail(_ text: Span<UInt8>) -> Bool {
    let trimmed = text.extracting(Bytes.trimmed(text))
    var at: Int?
    var dot: Int?
    for index in trimmed.indices {
      if trimmed[index] == UInt8(ascii: "@") {
        if at != nil { return false }
        at = index
      } else if trimmed[index] == UInt8(ascii: ".") {
        dot = index
      }
    }
    // The domain has something before its last dot.
    guard let at, let dot, at > 0, dot > at + 1 else { return false }
    let top = trimmed.extracting((dot + 1)..<trimmed.count)
    return Bytes.areAlphanumeric(trimmed.extracting(0..<at), or: "._%+-")
      && Bytes.areAlphanumeric(trimmed.extracting((at + 1)..<dot), or: ".-")
      && top.count >= 2 && Bytes.areLetters(top)
  }

  public static func isOneTimeCode(_ text: Span<UInt8>, digits: Int = 6) -> Bool {
    text.count == digits && Bytes.areDigits(text)
  }

  /// The postal code of headless raw data, of whatever country.
  public static func isRawPostalCode(_ text: Span<UInt8>) -> Bool {
    !text.isEmpty && Bytes.areAlphanumeric(text, or: " '`~.-")
  }
}
