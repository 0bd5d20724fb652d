/// A date and time of day of the proleptic Gregorian calendar in UTC.
struct CivilDate {
  var year = 0
  var month = 1
  var day = 1
  var hour = 0
  var minute = 0
  var second = 0

  /// Sunday is 0.
  var weekday: Int { (dayNumber % 7 + 11) % 7 }

  /// Days since 1 January 1970. Years are counted from March, so that the leap day is the last day of its year.
  var dayNumber: Int {
    let marchYear = month > 2 ? year : year - 1
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Seconds since 1970. A 60th second is the first of the next minute.
  var seconds: Int { dayNumber * 86_400 + hour * 3_600 + minute * 60 + second }

  /// Whether there is such a day, and such a time of day but for a leap second.
  var isReal: Bool {
    month >= 1 && month <= 12 && day >= 1 && day <= Self.days(inMonth: month, of: year) && hour <= 23 && minute <= 59
      && second <= 60
  }

  init() {}

  init(secondsSince1970: Int) {
    let (days, rest) = Self.floored(secondsSince1970, by: 86_400)
    hour = rest / 3_600
    minute = rest / 60 % 60
    second = rest % 60
    let (era, dayOfEra) = Self.floored(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Division that rounds down, with a remainder that is never negative. The divisor is positive.
  static func floored(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
