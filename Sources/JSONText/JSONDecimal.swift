/// The exact value of a number's literal: digits times a power of ten, for comparing and nothing else. The exponent
/// may have any number of digits, so it stays a text.
struct JSONDecimal {
  private var isNegative = false
  /// Without zeros in front or behind; empty for zero.
  private var digits: [UInt8] = []
  /// What is added to the written exponent because of the point and the zeros left out.
  private var shift = 0
  private var exponentIsNegative = false
  private var exponent: [UInt8] = []

  /// - Parameter literal: a number that has passed the reader
  init(_ literal: ArraySlice<UInt8>) {
    var isBehindPoint = false
    var isExponent = false
    for byte in literal {
      switch byte {
      case UInt8(ascii: "-") where isExponent: exponentIsNegative = true
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "+"): break
      case UInt8(ascii: "."): isBehindPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
      default:
        let digit = byte &- UInt8(ascii: "0")
        if isExponent {
          exponent.append(digit)
        } else {
          if isBehindPoint { shift -= 1 }
          if digit != 0 || !digits.isEmpty { digits.append(digit) }
        }
      }
    }
    while digits.last == 0 {
      digits.removeLast()
      shift += 1
    }
  }

  func isEqual(to other: JSONDecimal) -> Bool {
    guard digits == other.digits else { return false }
    return digits.isEmpty || (isNegative == other.isNegative && hasSameExponent(as: other))
  }

  /// Whether `exponent + shift` is the same in both. The difference of the exponents is built digit by digit; once it
  /// is beyond what any shift can make up for, further digits only take it further away.
  private func hasSameExponent(as other: JSONDecimal) -> Bool {
    let length = max(exponent.count, other.exponent.count)
    var difference = 0
    for place in 0..<length {
      difference = difference * 10 + digit(at: place, of: length) - other.digit(at: place, of: length)
      if difference.magnitude > 1 << 40 { return false }
    }
    return difference == other.shift - shift
  }

  /// The exponent's digit, with its sign, when it is filled up with zeros in front to `length` digits.
  private func digit(at place: Int, of length: Int) -> Int {
    let index = place - (length - exponent.count)
    guard index >= 0 else { return 0 }
    return exponentIsNegative ? -Int(exponent[index]) : Int(exponent[index])
  }
}
