/// Times as the sandbox counts them (milliseconds since 1970) in the spellings of the wire.
enum SandboxTime {
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, the Date header.
  static func httpDate(_ milliseconds: Int64) -> String {
    let moment = Moment(milliseconds)
    let clock = "\(padded(moment.hour)):\(padded(moment.minute)):\(padded(moment.second))"
    let date = "\(padded(moment.day)) \(months[Int(moment.month) - 1]) \(padded(moment.year, 4))"
    return "\(weekdays[Int(moment.weekday)]), \(date) \(clock) GMT"
  }

  /// `2030-01-01T00:00:00Z`
  static func seconds(_ milliseconds: Int64) -> String { "\(local(Moment(milliseconds)))Z" }

  /// `2030-01-01T00:00:00.123Z`
  static func milliseconds(_ milliseconds: Int64) -> String {
    let moment = Moment(milliseconds)
    return "\(local(moment)).\(padded(moment.millisecond, 3))Z"
  }

  /// Reads what `seconds` writes; nil for anything else.
  static func reading(_ text: String) -> Int64? {
    guard let match = text.wholeMatch(of: #/(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z/#) else { return nil }
    let (_, yearText, monthText, dayText, hourText, minuteText, secondText) = match.output
    guard let year = Int64(yearText), let month = Int64(monthText), let day = Int64(dayText),
      let hour = Int64(hourText), let minute = Int64(minuteText), let second = Int64(secondText)
    else { return nil }
    let days = Moment.days(year: year, month: month, day: day)
    let milliseconds = (((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000
    return seconds(milliseconds) == text ? milliseconds : nil
  }

  private static func local(_ moment: Moment) -> String {
    "\(padded(moment.year, 4))-\(padded(moment.month))-\(padded(moment.day))"
      + "T\(padded(moment.hour)):\(padded(moment.minute)):\(padded(moment.second))"
  }

  private static func padded(_ value: Int64, _ width: Int = 2) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

/// A time, taken apart by the Gregorian calendar in UTC.
private struct Moment {
  let year, month, day, hour, minute, second, millisecond, weekday: Int64

  init(_ milliseconds: Int64) {
    let days = Self.floor(milliseconds, 86_400_000)
    let rest = milliseconds - days * 86_400_000
    hour = rest / 3_600_000
    minute = rest / 60_000 % 60
    second = rest / 1_000 % 60
    millisecond = rest % 1_000
    weekday = (days + 4) - Self.floor(days + 4, 7) * 7
    // Never too late, so that counting up ends at the year.
    var year = 1970 + Self.floor(days, days < 0 ? 365 : 366)
    while Self.days(year: year + 1, month: 1, day: 1) <= days { year += 1 }
    var month: Int64 = 1
    while month < 12, Self.days(year: year, month: month + 1, day: 1) <= days { month += 1 }
    self.year = year
    self.month = month
    day = days - Self.days(year: year, month: month, day: 1) + 1
  }

  /// Days from 1970-01-01 to a date.
  static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let before: [Int64] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]
    let last = year - 1
    let leapDays = floor(last, 4) - floor(last, 100) + floor(last, 400)
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let inYear = before[Int(min(max(month, 1), 12)) - 1] + (isLeap && month > 2 ? 1 : 0) + day - 1
    return last * 365 + leapDays + inYear - 719_162
  }

  private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor - (value % divisor < 0 ? 1 : 0)
  }
}
