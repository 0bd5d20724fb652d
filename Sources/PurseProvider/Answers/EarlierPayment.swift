import CheckoutCore
import JSONText

/// The codes of a refusal's body, spelt one way or another.
struct RefusalCodes {
  private let root: JSONValue

  /// nil when the body is no JSON.
  init?(_ answer: Answer) {
    guard let root = try? JSONDocument(parsing: answer.body).root else { return nil }
    self.root = root
  }

  func hold(_ choice: Choice) -> Bool {
    names(root, choice) || names(root["error"], choice)
      || (root["errors"]?.elements.contains { names($0, choice) } ?? false)
  }

  /// A code, or an object with one.
  @inline(never)
  private func names(_ value: JSONValue?, _ choice: Choice) -> Bool {
    guard let value else { return false }
    if let text = value.string { return isCode(text, choice) }
    return Choices.errorCodeKeys.spellings.contains { value[$0]?.string.map { isCode($0, choice) } ?? false }
  }

  @inline(never)
  private func isCode(_ text: String, _ choice: Choice) -> Bool {
    let code = RefusalCodes.letters(of: text)
    return choice.spellings.contains { RefusalCodes.letters(of: $0) == code }
  }

  private static func letters(of text: String) -> [UInt8] {
    text.utf8.filter { isLetterOrDigit($0) }.map { $0 | 0x20 }
  }
}

/// Whether a refusal speaks of a payment that this session has made already: taking one that is meant for one that is
/// not would be the mistake that costs.
enum EarlierPayment {
  static func isMeant(by answer: Answer) -> Bool { RefusalCodes(answer)?.hold(Choices.earlierPaymentCodes) ?? false }
}
