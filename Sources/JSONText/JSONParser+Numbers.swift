extension JSONParser {
  /// Reads a number's literal. It is kept as written: no digit is lost to a floating-point type.
  mutating func readNumber() throws(JSONError) {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") {
      position += 1
      guard !isDigit(current) else { throw JSONError(code: .invalidNumber, offset: position) }
    } else {
      try readDigits()
    }
    if current == UInt8(ascii: ".") {
      position += 1
      try readDigits()
    }
    if current | 0x20 == UInt8(ascii: "e") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try readDigits()
    }
    append(.number, from: start)
  }

  /// Reads one digit or more.
  private mutating func readDigits() throws(JSONError) {
    guard isDigit(current) else { throw JSONError(code: .invalidNumber, offset: position) }
    repeat { position += 1 } while isDigit(current)
  }
}

func isDigit(_ byte: UInt8) -> Bool {
  byte &- UInt8(ascii: "0") < 10
}
