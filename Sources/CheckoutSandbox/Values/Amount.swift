/// Exact conversion between the decimal literals of the wire (major units) and whole minor units.
enum Amount {
  /// The largest amount that anybody may send, in minor units: 2^53 - 1.
  static let largest: Int64 = 9_007_199_254_740_991

  /// Minor units of a JSON number's literal text; nil when it is negative, finer than the currency, or too large.
  static func minorUnits(of literal: String, digits: Int) -> Int64? {
    guard let parts = split(literal) else { return nil }
    var significant = parts.digits
    var shift = digits - parts.fractionCount + parts.exponent
    while shift < 0, significant.last == 0 {
      significant.removeLast()
      shift += 1
    }
    if significant.allSatisfy({ $0 == 0 }) { return 0 }
    guard (0...16).contains(shift) else { return nil }
    return whole(significant + Array(repeating: 0, count: shift))
  }

  /// The literal of an amount: as many digits after the point as the currency has.
  static func literal(_ minorUnits: Int64, digits: Int) -> String {
    let text = String(minorUnits)
    guard digits > 0 else { return text }
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    return padded.dropLast(digits) + "." + padded.suffix(digits)
  }

  /// Hundredths, as the test numbers spell a balance, in a currency's own minor units (rounded down).
  static func minorUnits(hundredths: Int64, digits: Int) -> Int64 {
    var value = hundredths
    for _ in 2..<max(2, digits) { value *= 10 }
    for _ in min(2, digits)..<2 { value /= 10 }
    return value
  }

  private static func whole(_ digits: [UInt8]) -> Int64? {
    var value: Int64 = 0
    for digit in digits {
      value = value * 10 + Int64(digit)
      guard value <= largest else { return nil }
    }
    return value
  }

  private static func split(_ literal: String) -> (digits: [UInt8], fractionCount: Int, exponent: Int)? {
    let halves = literal.split(separator: #/[eE]/#, maxSplits: 1, omittingEmptySubsequences: false)
    guard let mantissa = halves.first, let exponent = halves.count > 1 ? Int(halves[1]) : 0, abs(exponent) < 1_000
    else { return nil }
    let parts = mantissa.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let integer = parts.first, !integer.isEmpty, parts.count == 1 || !parts[1].isEmpty else { return nil }
    let fraction = parts.count > 1 ? parts[1] : ""
    let digits = (integer + fraction).utf8.map { $0 &- UInt8(ascii: "0") }
    guard digits.allSatisfy({ $0 < 10 }) else { return nil }
    return (digits, fraction.count, exponent)
  }
}
