import Foundation
import Testing

@testable import CheckoutCore

@Suite("Dates as text")
struct DateTextTests {
  static let newYear2030: Int64 = 1_893_456_000_000

  static let readable: [(text: String, milliseconds: Int64)] = [
    ("2030-01-01T00:00:00Z", newYear2030), ("2030-01-01t00:00:00z", newYear2030),
    ("2030-01-01T00:00:00", newYear2030), ("2030-01-01T00:00:00+00:00", newYear2030),
    ("2030-01-01T00:00:00-00:00", newYear2030), ("2030-01-01T02:00:00+02:00", newYear2030),
    ("2030-01-01T02:00:00+0200", newYear2030), ("2029-12-31T18:30:00-05:30", newYear2030),
    ("2029-12-31T18:30:00-0530", newYear2030), ("2030-01-01T23:59:00+23:59", newYear2030),
    ("2029-12-31T00:01:00-23:59", newYear2030), ("2030-01-01T00:00:00.1Z", newYear2030 + 100),
    ("2030-01-01T00:00:00.12Z", newYear2030 + 120), ("2030-01-01T00:00:00.123Z", newYear2030 + 123),
    ("2030-01-01T00:00:00.1239Z", newYear2030 + 123), ("2030-01-01T00:00:00.000999999Z", newYear2030),
    ("2030-01-01T00:00:00.999999999999999999999999999999+00:00", newYear2030 + 999),
    ("2021-09-24T09:48:45.631121559", 1_632_476_925_631), ("1970-01-01T00:00:00Z", 0),
    ("1969-12-31T23:59:59.999Z", -1), ("1969-12-31T23:59:59Z", -1_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000),
    ("2016-12-31T23:59:60.5Z", 1_483_228_800_500), ("2017-01-01T01:59:60+02:00", 1_483_228_800_000),
    ("2016-12-31T18:59:60-05:00", 1_483_228_800_000), ("2024-02-29T12:00:00Z", 1_709_208_000_000),
    ("2000-02-29T00:00:00Z", 951_782_400_000), ("0000-01-01T00:00:00Z", -62_167_219_200_000),
    ("0000-01-01T00:00:00+01:00", -62_167_222_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
    ("9999-12-31T23:59:59-01:00", 253_402_304_399_000), ("0000-02-29T00:00:00Z", -62_162_121_600_000),
  ]

  @Test("ISO 8601 is read", arguments: readable)
  func reads(text: String, milliseconds: Int64) {
    #expect(DateText.milliseconds(fromISO8601: text) == milliseconds)
  }

  @Test(
    "Everything else is refused",
    arguments: [
      "", "2030", "2030-01", "2030-01-01", "2030-01-01T", "2030-01-01Z", "2030-01-01T00Z", "2030-01-01T00:00Z",
      "2030-01-01 00:00:00Z", "2030-01-01T00:00:00 Z", " 2030-01-01T00:00:00Z", "2030-01-01T00:00:00Z ",
      "2030-01-01T00:00:00Z\n", "2030-01-01T00:00:00ZZ", "2030-01-01T00:00:00.Z", "2030-01-01T00:00:00.",
      "2030-01-01T00:00:00,5Z", "2030-01-01T00:00:00.5.5Z", "2030-01-01T00:00:00+2", "2030-01-01T00:00:00+02",
      "2030-01-01T00:00:00+02:", "2030-01-01T00:00:00+02:0", "2030-01-01T00:00:00+24:00", "2030-01-01T00:00:00+02:60",
      "2030-01-01T00:00:00+02:00Z", "2030-01-01T00:00:00Z+02:00", "2030-01-01T00:00:00+02::00",
      "2030-01-01T00:00:00±02:00", "2030-01-01T00:00:00−02:00", "2030-01-01T00:00:00--2:00", "2030-00-01T00:00:00Z",
      "2030-13-01T00:00:00Z", "2030-01-00T00:00:00Z", "2030-01-32T00:00:00Z", "2030-04-31T00:00:00Z",
      "2030-06-31T00:00:00Z", "2030-09-31T00:00:00Z", "2030-11-31T00:00:00Z", "2030-02-29T00:00:00Z",
      "2024-02-30T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2030-01-01T24:00:00Z",
      "2030-01-01T00:60:00Z", "2030-01-01T00:00:61Z", "2030-01-01T00:00:60Z", "2030-01-01T23:58:60Z",
      "2030-01-01T23:59:60+02:00", "2030-1-1T0:0:0Z", "02030-01-01T00:00:00Z", "+2030-01-01T00:00:00Z",
      "-2030-01-01T00:00:00Z", "20300101T000000Z", "2030-W01-2T00:00:00Z", "2030-001T00:00:00Z", "2030/01/01T00:00:00Z",
      "203O-01-01T00:00:00Z", "２０３０-01-01T00:00:00Z", "2030-01-01T00:00:00.٥Z", "1893456000", "now",
      "2030-01-01T-1:00:00Z", "2030-01-01T00:00:00\u{0}",
    ])
  func refuses(_ text: String) {
    #expect(DateText.milliseconds(fromISO8601: text) == nil)
  }

  @Test(
    "Printed in UTC with whole seconds",
    arguments: [
      (newYear2030, "2030-01-01T00:00:00Z"), (0, "1970-01-01T00:00:00Z"), (999, "1970-01-01T00:00:00Z"),
      (-1, "1969-12-31T23:59:59Z"), (-1_000, "1969-12-31T23:59:59Z"), (-1_001, "1969-12-31T23:59:58Z"),
      (951_782_400_000, "2000-02-29T00:00:00Z"), (-62_167_219_200_000, "0000-01-01T00:00:00Z"),
      (-62_167_219_200_001, "0000-01-01T00:00:00Z"), (253_402_300_799_999, "9999-12-31T23:59:59Z"),
      (253_402_300_800_000, "9999-12-31T23:59:59Z"), (Int64.max, "9999-12-31T23:59:59Z"),
      (Int64.min, "0000-01-01T00:00:00Z"),
    ])
  func prints(milliseconds: Int64, text: String) {
    #expect(DateText.iso8601(milliseconds) == text)
  }

  @Test("Every day from 1970 to 2400 has its place, its date and its day of the week")
  func everyDay() {
    var expected = 0
    for year in 1970...2400 {
      for month in 1...12 {
        for day in 1...CivilDate.days(inMonth: month, of: year) {
          var date = CivilDate()
          (date.year, date.month, date.day) = (year, month, day)
          let back = CivilDate(secondsSince1970: expected * 86_400 + 86_399)
          if date.dayNumber != expected || (back.year, back.month, back.day) != (year, month, day)
            || date.weekday != (4 + expected) % 7
          {
            Issue.record("\(year)-\(month)-\(day) is day \(date.dayNumber), expected \(expected)")
          }
          expected += 1
        }
      }
    }
    #expect(expected == 157_420)
  }

  @Test("The days around the ends of February and December, from 1970 to 2400, round trip as text")
  func boundaryDays() {
    for year in 1970...2400 {
      let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
      for day in ["01-01", "02-28", "02-29", "03-01", "12-31"] where day != "02-29" || isLeap {
        for time in ["00:00:00", "23:59:59"] {
          let text = "\(year)-\(day)T\(time)Z"
          #expect(DateText.milliseconds(fromISO8601: text).map(DateText.iso8601) == text)
        }
      }
      #expect((DateText.milliseconds(fromISO8601: "\(year)-02-29T00:00:00Z") != nil) == isLeap)
    }
  }

  @Test("Random moments agree with Foundation")
  func agreesWithFoundation() throws {
    var random = ValueGenerator(seed: 71)
    let style = Date.ISO8601FormatStyle()
    for _ in 0..<3_000 {
      // From 1600 on: before, Foundation changes to the Julian calendar.
      let seconds = random.number(-11_676_096_000...253_402_300_799)
      let text = Date(timeIntervalSince1970: Double(seconds)).formatted(style)
      #expect(DateText.iso8601(seconds * 1_000 + random.number(0...999)) == text)
      #expect(DateText.milliseconds(fromISO8601: text) == seconds * 1_000)
    }
  }
}
