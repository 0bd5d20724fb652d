/// Reads fixed forms from the front of a text, byte by byte.
struct TextScanner {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) {
    rest = Array(text.utf8)[...]
  }

  var isAtEnd: Bool { rest.isEmpty }

  /// Whether the text came next, and is now consumed.
  mutating func take(_ text: String) -> Bool {
    guard ASCII.begins(rest, with: text) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// The number that exactly so many digits spell.
  mutating func number(digits: Int) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// The value of the digit that comes next.
  mutating func digit() -> Int? {
    guard let first = rest.first, ASCII.isDigit(first) else { return nil }
    rest = rest.dropFirst()
    return Int(first - UInt8(ascii: "0"))
  }

  /// The position of the first of the names that comes next.
  mutating func name(of names: [String]) -> Int? {
    for (position, name) in names.enumerated() where take(name) { return position }
    return nil
  }
}
