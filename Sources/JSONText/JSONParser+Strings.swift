extension JSONParser {
  /// Reads a string from its opening quote on.
  mutating func readString(isKey: Bool) throws(JSONError) {
    let start = position
    var hasEscapes = false
    position += 1
    while true {
      let byte = current
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        try readEscape()
      } else if byte >= 0x80 {
        try readMultibyte(byte)
      } else if byte >= 0x20 {
        position += 1
      } else {
        throw position < bytes.count ? JSONError(code: .controlCharacter, offset: position) : unexpected()
      }
    }
    position += 1
    let hash = isKey ? keyHash(start + 1..<position - 1, hasEscapes: hasEscapes) : 0
    append(.string, from: start, detail: hash, hasEscapes: hasEscapes)
  }

  private mutating func readEscape() throws(JSONError) {
    let start = position
    position += 1
    switch current {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position += 1
    case UInt8(ascii: "u"):
      try readUnicodeEscape(from: start)
    default:
      throw brokenEscape(from: start)
    }
  }

  /// Reads what follows `\u`; a high surrogate must be followed by the escape of a low one.
  private mutating func readUnicodeEscape(from start: Int) throws(JSONError) {
    let unit = try readCodeUnit(escapeAt: start)
    switch unit {
    case 0xD800..<0xDC00:
      let second = position
      guard byte(at: second) == UInt8(ascii: "\\"), byte(at: second + 1) == UInt8(ascii: "u") else {
        throw JSONError(code: .loneSurrogate, offset: start)
      }
      position += 1
      let low = try readCodeUnit(escapeAt: second)
      guard low & 0xFC00 == 0xDC00 else { throw JSONError(code: .loneSurrogate, offset: start) }
    case 0xDC00..<0xE000:
      throw JSONError(code: .loneSurrogate, offset: start)
    default:
      return
    }
  }

  /// Reads `u` and four digits.
  private mutating func readCodeUnit(escapeAt start: Int) throws(JSONError) -> UInt32 {
    position += 1
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = hexadecimalDigit(current) else { throw brokenEscape(from: start) }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }

  private func brokenEscape(from start: Int) -> JSONError {
    position < bytes.count ? JSONError(code: .invalidEscape, offset: start) : unexpected()
  }

  /// Reads a character of two to four bytes: the well-formed ones of Unicode's table 3-7, which leaves out overlong
  /// forms, surrogates and what lies above U+10FFFF.
  private mutating func readMultibyte(_ first: UInt8) throws(JSONError) {
    let second = byte(at: position + 1)
    let allowed: ClosedRange<UInt8>
    let length: Int
    switch first {
    case 0xC2...0xDF: (length, allowed) = (2, 0x80...0xBF)
    case 0xE0: (length, allowed) = (3, 0xA0...0xBF)
    case 0xED: (length, allowed) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, allowed) = (3, 0x80...0xBF)
    case 0xF0: (length, allowed) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, allowed) = (4, 0x80...0xBF)
    case 0xF4: (length, allowed) = (4, 0x80...0x8F)
    default: throw JSONError(code: .invalidUTF8, offset: position)
    }
    guard allowed.contains(second),
      length < 3 || isContinuation(position + 2), length < 4 || isContinuation(position + 3)
    else { throw JSONError(code: .invalidUTF8, offset: position) }
    position += length
  }

  private func isContinuation(_ offset: Int) -> Bool {
    byte(at: offset) & 0xC0 == 0x80
  }
}
