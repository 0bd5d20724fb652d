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
    var bytes = text.utf8.makeIterator()
    var next = bytes.next()

    if next == UInt8(ascii: "-") {
      isNegative = true
      next = bytes.next()
    }
    guard let first = next, isDigit(first) else { return nil }
    repeat {
      guard let digit = next, isDigit(digit) else { break }
      take(digit)
      next = bytes.next()
    } while first != UInt8(ascii: "0")

    var fractionDigits = 0
    if next == UInt8(ascii: ".") {
      next = bytes.next()
      while let digit = next, isDigit(digit) {
        take(digit)
        fractionDigits += 1
        next = bytes.next()
      }
      if fractionDigits == 0 { return nil }
    }

    var written = 0
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      next = bytes.next()
      guard let value = Self.readExponent(&next, &bytes) else { return nil }
      written = value
    }
    if next != nil { return nil }
    exponent = written - fractionDigits + pendingZeros
  }

  private mutating func take(_ digit: UInt8) {
    if digit == UInt8(ascii: "0") {
      if !isZero { pendingZeros += 1 }
      return
    }
    shift(by: pendingZeros + 1)
    pendingZeros = 0
    guard let shifted = coefficient else { return }
    let (sum, overflow) = shifted.addingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
    coefficient = overflow ? nil : sum
  }

  private mutating func shift(by places: Int) {
    var left = isZero ? 0 : places
    while left > 0, let value = coefficient {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      coefficient = overflow ? nil : product
      left -= 1
    }
  }

  /// The digits after `e`, held at a bound far beyond what any text could balance with its own length.
  private static func readExponent(_ next: inout UInt8?, _ bytes: inout String.UTF8View.Iterator) -> Int? {
    let bound = 1 << 40
    let isNegative = next == UInt8(ascii: "-")
    if isNegative || next == UInt8(ascii: "+") { next = bytes.next() }
    guard let first = next, isDigit(first) else { return nil }
    var value = 0
    while let digit = next, isDigit(digit) {
      value = min(value * 10 + Int(digit - UInt8(ascii: "0")), bound)
      next = bytes.next()
    }
    return isNegative ? -value : value
  }
}
