/// What may be known of a card number that was typed, without the number: how it is checked, and how it is shown.
public struct TypedCardNumber: Hashable, Sendable {
  /// ASCII digits; letters and signs between them are not counted.
  public private(set) var digits = 0
  /// Nothing but digits and spaces.
  public private(set) var isNumeric = true
  /// Nothing but spaces.
  public private(set) var isBlank = true
  public private(set) var passesLuhn = true
  public private(set) var leading = LeadingDigits()
  private var firstSix: UInt32 = 0
  private var lastFour: UInt32 = 0

  public init() {}

  public init(_ text: Span<UInt8>) {
    for index in text.indices {
      let byte = text[index]
      if Bytes.isDigit(byte) {
        take(UInt32(byte - UInt8(ascii: "0")))
      } else if byte != UInt8(ascii: " ") {
        isNumeric = false
        isBlank = false
      }
    }
    passesLuhn = Luhn.passes(text)
  }

  private mutating func take(_ digit: UInt32) {
    isBlank = false
    leading.append(digit)
    if digits < 6 { firstSix = firstSix * 10 + digit }
    lastFour = (lastFour * 10 + digit) % 10_000
    digits += 1
  }

  public static let lengths = 13...19

  /// What the host shows: first six, bullets, last four. Of ten digits or fewer, the first six would be most of it.
  public var masked: String {
    guard digits > 0 else { return "" }
    let shown = min(digits, 4)
    let head = digits > 10 ? TypedCardNumber.text(firstSix, digits: 6) : ""
    let bullets = String(repeating: "\u{2022}", count: digits - shown - head.utf8.count)
    return head + bullets + TypedCardNumber.text(lastFour, digits: shown)
  }

  private static func text(_ number: UInt32, digits: Int) -> String {
    let text = "\(number)"
    return String(repeating: "0", count: digits - text.utf8.count) + text
  }
}

/// The check digit of ISO/IEC 7812-1.
public enum Luhn {
  /// Of the digits alone.
  public static func passes(_ text: Span<UInt8>) -> Bool {
    var sum = 0
    var isDoubled = false
    for index in text.indices.reversed() where Bytes.isDigit(text[index]) {
      let digit = Int(text[index] - UInt8(ascii: "0"))
      let product = isDoubled ? 2 * digit : digit
      sum = (sum + (product > 9 ? product - 9 : product)) % 10
      isDoubled.toggle()
    }
    return sum == 0
  }
}
