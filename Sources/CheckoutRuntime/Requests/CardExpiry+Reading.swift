import CheckoutCore

extension CardExpiry {
  /// `MM/YY` or `MM/YYYY`, with spaces around its parts or none. Years of two digits are of this century.
  init?(_ text: [UInt8]) {
    let parts = text.filter { $0 != UInt8(ascii: " ") }.split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2, let month = CardExpiry.number(parts[0], 1...2), (1...12).contains(month),
      parts[1].count == 2 || parts[1].count == 4, let year = CardExpiry.number(parts[1], 2...4)
    else { return nil }
    self.init(month: month, year: year < 100 ? 2_000 + year : year)
  }

  private static func number(_ digits: ArraySlice<UInt8>, _ length: ClosedRange<Int>) -> Int? {
    guard length.contains(digits.count) else { return nil }
    var number = 0
    for digit in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }
}
