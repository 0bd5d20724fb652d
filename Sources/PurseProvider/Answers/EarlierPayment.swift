import CheckoutCore
import JSONText

/// Whether a refusal speaks of a payment that this session has made already.
enum EarlierPayment {
  static func isMeant(by answer: Answer) -> Bool {
    guard let root = try? JSONDocument(parsing: answer.body).root else { return false }
    return names(root) || names(root["error"]) || (root["errors"]?.elements.contains { names($0) } ?? false)
  }

  /// A code, or an object with one.
  private static func names(_ value: JSONValue?) -> Bool {
    guard let value else { return false }
    if let text = value.string { return isCode(text) }
    return Choices.errorCodeKeys.spellings.contains { value[$0]?.string.map { isCode($0) } ?? false }
  }

  /// Spelt one way or another: taking one that is meant for one that is not would be the mistake that costs.
  private static func isCode(_ text: String) -> Bool {
    let code = letters(of: text)
    return Choices.earlierPaymentCodes.spellings.contains { letters(of: $0) == code }
  }

  private static func letters(of text: String) -> [UInt8] {
    text.utf8.filter { isLetterOrDigit($0) }.map { $0 | 0x20 }
  }
}
