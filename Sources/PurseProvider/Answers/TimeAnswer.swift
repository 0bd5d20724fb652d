import CheckoutCore
import JSONText

/// The answer of the time service.
enum TimeAnswer {
  /// Seconds up to the year 9999; a larger number counts milliseconds.
  private static let mostSeconds: Int64 = 253_402_300_799

  static func milliseconds(_ answer: Answer) -> Int64? {
    guard isSuccess(answer), let root = try? JSONDocument(parsing: answer.body).root else { return nil }
    for key in Choices.timeKeys.spellings {
      if let value = root[key], let moment = moment(value) { return moment }
    }
    return nil
  }

  private static func moment(_ value: JSONValue) -> Int64? {
    if let number = value.int64 { return moment(number) }
    guard let text = value.string else { return nil }
    return DateText.milliseconds(fromISO8601: text) ?? Int64(text).flatMap { moment($0) }
  }

  private static func moment(_ number: Int64) -> Int64? {
    if number <= 0 { return nil }
    if number <= mostSeconds { return number * 1_000 }
    return number <= mostSeconds * 1_000 ? number : nil
  }
}
