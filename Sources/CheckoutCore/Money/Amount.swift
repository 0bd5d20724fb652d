/// Amounts of money: whole minor units of a currency, 0 up to `maximum`.
///
/// The back end of Purse writes major units as decimal literals. They are read and written here digit by digit, never
/// through a binary fraction, so that no amount can be off by a rounding.
public enum Amount {
  /// The largest amount, 2^53-1: every JSON reader of every host reads it exactly.
  public static let maximum: Int64 = 9_007_199_254_740_991

  /// Why a text is no amount.
  public enum Fault: Error, Hashable, Sendable {
    case notANumber, negative, tooPrecise, overflow

    /// The fault's name, for an error's details.
    public var name: String {
      switch self {
      case .notANumber: "notANumber"
      case .negative: "negative"
      case .tooPrecise: "tooPrecise"
      case .overflow: "overflow"
      }
    }
  }

  /// The minor units that a decimal literal of major units stands for, exactly.
  ///
  /// The text has the grammar of a JSON number. Trailing zeros count for nothing, so `1.9990e1` is 1999 at two digits;
  /// a value between two minor units is refused and never rounded. `-0` is 0.
  public static func minorUnits(fromDecimal text: String, digits: Int) throws(Fault) -> Int64 {
    guard let literal = DecimalLiteral(text) else { throw .notANumber }
    if literal.isZero { return 0 }
    if literal.isNegative { throw .negative }
    // Beyond this many digits every amount but 0 is out of range anyway; bounding them keeps the sum from overflowing.
    var power = literal.exponent + min(max(digits, -100), 100)
    if power < 0 { throw .tooPrecise }
    guard var units = literal.coefficient, units <= maximum else { throw .overflow }
    while power > 0 {
      if units > maximum / 10 { throw .overflow }
      units *= 10
      power -= 1
    }
    return units
  }

  /// The decimal literal of an amount, always with `digits` decimals: the exact inverse of `minorUnits(fromDecimal:)`.
  public static func decimalText(_ minorUnits: Int64, digits: Int) -> String {
    var text = Array(String(minorUnits.magnitude).utf8)
    let decimals = min(max(digits, 0), 18)
    if decimals > 0 {
      if text.count <= decimals {
        text.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "0"), count: decimals + 1 - text.count), at: 0)
      }
      text.insert(UInt8(ascii: "."), at: text.count - decimals)
    }
    if minorUnits < 0 { text.insert(UInt8(ascii: "-"), at: 0) }
    return String(decoding: text, as: UTF8.self)
  }
}
