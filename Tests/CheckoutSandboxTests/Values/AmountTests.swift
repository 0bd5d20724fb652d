import Testing

@testable import CheckoutSandbox

@Suite struct AmountTests {
  @Test(
    arguments: [
      ("120.00", 2, 12_000), ("120", 2, 12_000), ("0", 2, 0), ("0.00", 0, 0), ("0.01", 2, 1), ("1.2e2", 2, 12_000),
      ("12000e-2", 2, 12_000), ("1.230", 2, 123), ("5", 0, 5), ("5.0", 0, 5), ("1.234", 3, 1_234), ("1E+1", 2, 1_000),
      ("90071992547409.91", 2, 9_007_199_254_740_991), ("0e99", 2, 0),
    ] as [(String, Int, Int64)])
  func literalsBecomeMinorUnits(_ literal: String, _ digits: Int, _ expected: Int64) {
    #expect(Amount.minorUnits(of: literal, digits: digits) == expected)
  }

  @Test(
    arguments: [
      ("0.001", 2), ("-1", 2), ("-0", 2), ("0.5", 0), ("90071992547409.92", 2), ("1e30", 2), ("1e-30", 2),
      ("1e9999999999", 2), ("", 2), ("1.", 2), (".1", 2), ("x", 2), ("1e", 2), ("99999999999999999999", 0),
    ] as [(String, Int)])
  func whatIsNoAmountIsNone(_ literal: String, _ digits: Int) {
    #expect(Amount.minorUnits(of: literal, digits: digits) == nil)
  }

  @Test(
    arguments: [
      (12_000, 2, "120.00"), (0, 2, "0.00"), (5, 2, "0.05"), (5, 0, "5"), (5, 3, "0.005"), (1_234_567, 4, "123.4567"),
      (9_007_199_254_740_991, 2, "90071992547409.91"),
    ] as [(Int64, Int, String)])
  func minorUnitsBecomeLiterals(_ minorUnits: Int64, _ digits: Int, _ expected: String) {
    #expect(Amount.literal(minorUnits, digits: digits) == expected)
    #expect(Amount.minorUnits(of: expected, digits: digits) == minorUnits)
  }

  @Test func literalsGoThereAndBack() {
    var generator = SeededGenerator(1)
    for _ in 0..<2_000 {
      let minorUnits = Int64.random(in: 0...Amount.largest, using: &generator)
      for digits in 0...4 {
        #expect(Amount.minorUnits(of: Amount.literal(minorUnits, digits: digits), digits: digits) == minorUnits)
      }
    }
  }

  @Test(
    arguments: [(5_000, 2, 5_000), (1_234, 0, 12), (1_234, 3, 12_340), (1_234, 4, 123_400)] as [(Int64, Int, Int64)])
  func hundredthsFollowTheCurrency(_ hundredths: Int64, _ digits: Int, _ expected: Int64) {
    #expect(Amount.minorUnits(hundredths: hundredths, digits: digits) == expected)
  }

  @Test(arguments: [("EUR", 2), ("JPY", 0), ("KWD", 3), ("CLF", 4)])
  func currenciesHaveTheirDigits(_ code: String, _ digits: Int) {
    #expect(Currency(code: code)?.digits == digits)
  }

  @Test(arguments: ["", "EU", "eur", "EURO", "E1R"])
  func whatIsNoCurrencyIsNone(_ code: String) { #expect(Currency(code: code) == nil) }
}
