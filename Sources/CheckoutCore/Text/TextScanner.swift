/// Reads fixed forms from the front of a text, byte by byte. What does not match is not consumed.
struct TextScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    rest = Array(text.utf8)[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  var next: UInt8? { rest.first }

  /// Whether the byte came next, and is now consumed.
  mutating func take(_ byte: UInt8) -> Bool {
    guard rest.first == byte else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Whether the text came next, and is now consumed.
  mutating func take(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// The number that so many digits spell.
  mutating func number(digits: Int) -> Int? {
    guard rest.count >= digits, rest.prefix(digits).allSatisfy({ isDigit($0) }) else { return nil }
    var value = 0
    for digit in rest.prefix(digits) { value = value * 10 + Int(digit - UInt8(ascii: "0")) }
    rest = rest.dropFirst(digits)
    return value
  }

  /// The digit that comes next.
  mutating func digit() -> Int? { number(digits: 1) }

  /// The position of the first of the names that comes next.
  mutating func name(of names: [String]) -> Int? {
    for (position, name) in names.enumerated() where take(name) { return position }
    return nil
  }
}
