import Testing

@testable import PrimerProvider

@Suite("Expiry dates")
struct ExpiryTests {
  static let now = CardMonth(year: 2026, month: 8)

  static func typed(_ text: String) -> TypedExpiry { TypedExpiry(Array(text.utf8).span) }

  @Test(
    "what the rule of CheckoutComponents makes of a year",
    arguments: [
      ("12/99", nil), ("12/1999", nil), ("05/2126", .cardExpired), ("08/2126", nil), ("01/00", .cardExpired),
      ("07/26", .cardExpired), ("08/26", nil), ("8/26", nil), ("+9/26", nil), (" 9 / 26 ", nil), ("-1/30", .invalid),
      ("9/-1", .cardExpired), ("", .required), ("/", .required), ("09", .required), ("09/", .required),
      ("09/30/", .invalid), ("09/3\u{0660}", .invalid), ("9999999999/30", .invalid),
      ("12/99999999999999999999", .invalid),
    ] as [(String, FieldFault?)])
  func components(_ text: String, _ fault: FieldFault?) {
    #expect(Self.typed(text).fault(now: Self.now) == fault)
  }

  @Test(
    "what raw data makes of it",
    arguments: [
      ("08/26", nil), ("08/2026", nil), ("8/2026", nil), ("07/26", .past), ("12/1999", .past), ("01/00", .past),
      (" 08/26", .format), ("08/026", .format), ("13/26", .format), ("+8/26", .format), ("", .blank), (" ", .format),
    ] as [(String, RawExpiryFault?)])
  func raw(_ text: String, _ fault: RawExpiryFault?) {
    #expect(Self.typed(text).rawFault(now: Self.now) == fault)
  }

  @Test("a payment gets a month and a whole year, or nothing")
  func date() {
    #expect(Self.typed("3/30").date == CardMonth(year: 2030, month: 3))
    #expect(Self.typed("12/2099").date == CardMonth(year: 2099, month: 12))
    for text in ["12/126", "+9/26", "12/", "0/30", "12 /30", "012/30"] { #expect(Self.typed(text).date == nil) }
  }

  @Test("every month up to now is past, and every other is not")
  func boundary() {
    for month in 1...12 {
      let now = CardMonth(year: 2026, month: month)
      for other in 1...12 {
        let text = "\(other)/26"
        #expect((Self.typed(text).fault(now: now) == .cardExpired) == (other < month))
        #expect((Self.typed(text).rawFault(now: now) == .past) == (other < month))
      }
    }
  }
}
