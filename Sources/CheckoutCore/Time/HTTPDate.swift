/// The three forms of an HTTP date (RFC 9110, 5.6.7).
extension DateText {
  /// The moment of a Date header: `Sun, 06 Nov 1994 08:49:37 GMT`, or the obsolete `Sunday, 06-Nov-94 08:49:37 GMT` and
  /// `Sun Nov  6 08:49:37 1994`. A day of the week that is not the date's is refused: such a clock proves nothing.
  public static func milliseconds(fromHTTPDate text: String) -> Int64? {
    var scanner = TextScanner(text)
    guard let weekday = scanner.name(of: weekdays) else { return nil }
    let read: CivilDate?
    if scanner.take(", ") {
      read = fixedDate(&scanner)
    } else if scanner.take(" ") {
      read = asctimeDate(&scanner)
    } else if scanner.take(weekdayEndings[weekday]), scanner.take(", ") {
      read = rfc850Date(&scanner)
    } else {
      return nil
    }
    guard let date = read, date.isReal, date.weekday == weekday, scanner.isAtEnd else { return nil }
    if date.second == 60 && date.seconds % 86_400 != 0 { return nil }
    return Int64(date.seconds) * 1_000
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let weekdayEndings = ["day", "day", "sday", "nesday", "rsday", "day", "urday"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func fixedDate(_ scanner: inout TextScanner) -> CivilDate? {
    var date = CivilDate()
    guard let day = scanner.number(digits: 2), scanner.take(" "), let month = scanner.name(of: months),
      scanner.take(" "), let year = scanner.number(digits: 4), scanner.take(" "),
      readTime(&scanner, into: &date), scanner.take(" GMT")
    else { return nil }
    date.year = year
    date.month = month + 1
    date.day = day
    return date
  }

  /// Two digits of the year: 70 to 99 are of the 20th century, the others of the 21st.
  private static func rfc850Date(_ scanner: inout TextScanner) -> CivilDate? {
    var date = CivilDate()
    guard let day = scanner.number(digits: 2), scanner.take("-"), let month = scanner.name(of: months),
      scanner.take("-"), let year = scanner.number(digits: 2), scanner.take(" "),
      readTime(&scanner, into: &date), scanner.take(" GMT")
    else { return nil }
    date.year = year < 70 ? 2000 + year : 1900 + year
    date.month = month + 1
    date.day = day
    return date
  }

  private static func asctimeDate(_ scanner: inout TextScanner) -> CivilDate? {
    var date = CivilDate()
    guard let month = scanner.name(of: months), scanner.take(" "),
      let day = scanner.take(" ") ? scanner.digit() : scanner.number(digits: 2), scanner.take(" "),
      readTime(&scanner, into: &date), scanner.take(" "), let year = scanner.number(digits: 4)
    else { return nil }
    date.year = year
    date.month = month + 1
    date.day = day
    return date
  }
}
