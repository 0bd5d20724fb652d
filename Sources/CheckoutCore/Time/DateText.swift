/// Moments as text: the forms of ISO 8601 that the back ends write, and the dates of HTTP.
///
/// All are of the proleptic Gregorian calendar, in milliseconds since 1970 UTC.
public enum DateText {
  /// The moment of a date with a time of day: `2030-01-01T00:00:00Z`, with a fraction of any length (cut to
  /// milliseconds) and with an offset (`+02:00`, `-0530`) in place of `Z`. With neither it is read as UTC. A leap second
  /// is the second after it.
  public static func milliseconds(fromISO8601 text: String) -> Int64? {
    var scanner = TextScanner(text)
    guard let date = isoDate(&scanner), date.isReal, let fraction = fraction(&scanner), let offset = offset(&scanner),
      scanner.isAtEnd
    else { return nil }
    let seconds = date.seconds - offset
    // A leap second is only ever the last of a day.
    if date.second == 60 && CivilDate.floored(seconds, by: 86_400).remainder != 0 { return nil }
    return Int64(seconds) * 1_000 + fraction
  }

  /// The text of a moment in UTC with whole seconds (earlier than the moment, when it has a fraction). Moments outside
  /// the years 0 to 9999, which four digits cannot write, become the first or the last one inside.
  public static func iso8601(_ milliseconds: Int64) -> String {
    let first: Int64 = -62_167_219_200
    let last: Int64 = 253_402_300_799
    let seconds = CivilDate.floored(Int(milliseconds), by: 1_000).quotient
    let date = CivilDate(secondsSince1970: min(max(seconds, Int(first)), Int(last)))
    let day = "\(padded(date.year, to: 4))-\(padded(date.month, to: 2))-\(padded(date.day, to: 2))"
    return "\(day)T\(padded(date.hour, to: 2)):\(padded(date.minute, to: 2)):\(padded(date.second, to: 2))Z"
  }

  private static func isoDate(_ scanner: inout TextScanner) -> CivilDate? {
    var date = CivilDate()
    guard let year = scanner.number(digits: 4), scanner.take("-"), let month = scanner.number(digits: 2),
      scanner.take("-"), let day = scanner.number(digits: 2), scanner.take("T") || scanner.take("t")
    else { return nil }
    date.year = year
    date.month = month
    date.day = day
    return readTime(&scanner, into: &date) ? date : nil
  }

  /// Reads `hh:mm:ss`.
  static func readTime(_ scanner: inout TextScanner, into date: inout CivilDate) -> Bool {
    guard let hour = scanner.number(digits: 2), scanner.take(":"), let minute = scanner.number(digits: 2),
      scanner.take(":"), let second = scanner.number(digits: 2)
    else { return false }
    date.hour = hour
    date.minute = minute
    date.second = second
    return true
  }

  /// The milliseconds of a fraction; 0 without one, nil for a point with no digit behind it.
  private static func fraction(_ scanner: inout TextScanner) -> Int64? {
    guard scanner.take(".") else { return 0 }
    var milliseconds: Int64 = 0
    var weight: Int64 = 100
    var count = 0
    while let digit = scanner.digit() {
      milliseconds += Int64(digit) * weight
      weight /= 10
      count += 1
    }
    return count > 0 ? milliseconds : nil
  }

  /// The seconds east of UTC.
  private static func offset(_ scanner: inout TextScanner) -> Int? {
    if scanner.isAtEnd || scanner.take("Z") || scanner.take("z") { return 0 }
    let isWest = scanner.take("-")
    guard isWest || scanner.take("+") else { return nil }
    guard let hours = scanner.number(digits: 2) else { return nil }
    _ = scanner.take(":")
    guard let minutes = scanner.number(digits: 2), hours <= 23, minutes <= 59 else { return nil }
    let seconds = hours * 3_600 + minutes * 60
    return isWest ? -seconds : seconds
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    var text = String(number)
    while text.utf8.count < width { text = "0" + text }
    return text
  }
}
