/// A number in JSON's grammar, read as coefficient times ten to the exponent, with no trailing zero in the coefficient.
struct DecimalLiteral {
  private(set) var isNegative = false
  /// Nil when it does not fit 64 bits.
  private(set) var coefficient: Int64? = 0
  private(set) var exponent = 0

  /// Zeros since the last other digit: they join the coefficient only when another digit follows.
  private var pendingZeros = 0

  var isZero: Bool { coefficient == 0 }

  init?(_ text: String) {
    var scanner = TextScanner(text)
    isNegative = scanner.take("-")
    guard let first = scanner.digit() else { return nil }
    take(first)
    if first != 0 {
      while let digit = scanner.digit() { take(digit) }
    }
    var fractionDigits = 0
    if scanner.take(".") {
      while let digit = scanner.digit() {
        take(digit)
        fractionDigits += 1
      }
      if fractionDigits == 0 { return nil }
    }
    guard let written = Self.exponent(&scanner), scanner.isAtEnd else { return nil }
    exponent = written - fractionDigits + pendingZeros
  }

  private mutating func take(_ digit: Int) {
    if digit == 0 {
      if !isZero { pendingZeros += 1 }
      return
    }
    while pendingZeros > 0 {
      shift(adding: 0)
      pendingZeros -= 1
    }
    shift(adding: Int64(digit))
  }

  private mutating func shift(adding digit: Int64) {
    guard let value = coefficient else { return }
    let (product, isTooLong) = value.multipliedReportingOverflow(by: 10)
    let (sum, isTooLarge) = product.addingReportingOverflow(digit)
    coefficient = isTooLong || isTooLarge ? nil : sum
  }

  /// The written exponent, 0 without one; held at a bound far beyond what any text could balance with its own length.
  private static func exponent(_ scanner: inout TextScanner) -> Int? {
    let bound = 1 << 40
    guard scanner.take("e") || scanner.take("E") else { return 0 }
    let isNegative = scanner.take("-")
    if !isNegative { _ = scanner.take("+") }
    guard var value = scanner.digit() else { return nil }
    while let digit = scanner.digit() { value = min(value * 10 + digit, bound) }
    return isNegative ? -value : value
  }
}
