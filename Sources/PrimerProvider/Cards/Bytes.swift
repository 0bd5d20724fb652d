/// UTF-8 that stays where it is: read in place, never copied into a text.
enum Bytes {
  static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  static func isLetter(_ byte: UInt8) -> Bool {
    let small = byte | 0x20
    return small >= UInt8(ascii: "a") && small <= UInt8(ascii: "z")
  }

  static func areDigits(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where !isDigit(text[index]) { return false }
    return !text.isEmpty
  }

  static func areLetters(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where !isLetter(text[index]) { return false }
    return !text.isEmpty
  }

  /// Whether there are only ASCII letters, digits and these signs.
  static func areAlphanumeric(_ text: Span<UInt8>, or signs: String) -> Bool {
    for index in text.indices {
      let byte = text[index]
      if !isDigit(byte) && !isLetter(byte) && !signs.utf8.contains(byte) { return false }
    }
    return true
  }

  /// In the pattern 9 stands for a digit, A for a letter, and everything else for itself.
  static func match(_ pattern: String, _ text: Span<UInt8>) -> Bool {
    guard pattern.utf8.count == text.count else { return false }
    var index = 0
    for sign in pattern.utf8 {
      let byte = text[index]
      switch sign {
      case UInt8(ascii: "9"): if !isDigit(byte) { return false }
      case UInt8(ascii: "A"): if !isLetter(byte) { return false }
      default: if byte != sign { return false }
      }
      index += 1
    }
    return true
  }

  /// Where the text is without the white space around it.
  static func trimmed(_ text: Span<UInt8>) -> Range<Int> {
    var start = 0
    var end = 0
    var at = 0
    while let scalar = Scalars.next(text, &at) {
      if !Scalars.isWhiteSpace(scalar) && !Scalars.isLineBreak(scalar) {
        end = at
      } else if end == 0 {
        start = at
      }
    }
    return start..<max(start, end)
  }
}

/// The Unicode scalars of a UTF-8 text.
enum Scalars {
  /// The scalar at `at`, which moves behind it; what is no UTF-8 is a replacement character. nil at the end.
  static func next(_ text: Span<UInt8>, _ at: inout Int) -> UInt32? {
    guard at < text.count else { return nil }
    let first = text[at]
    at += 1
    let following: Int
    var scalar: UInt32
    switch first {
    case 0x00...0x7F: return UInt32(first)
    case 0xC2...0xDF: (following, scalar) = (1, UInt32(first & 0x1F))
    case 0xE0...0xEF: (following, scalar) = (2, UInt32(first & 0x0F))
    case 0xF0...0xF4: (following, scalar) = (3, UInt32(first & 0x07))
    default: return 0xFFFD
    }
    for _ in 0..<following {
      guard at < text.count, text[at] & 0xC0 == 0x80 else { return 0xFFFD }
      scalar = scalar << 6 | UInt32(text[at] & 0x3F)
      at += 1
    }
    return scalar
  }

  static func count(_ text: Span<UInt8>) -> Int {
    var count = 0
    var at = 0
    while next(text, &at) != nil { count += 1 }
    return count
  }

  static func isWhiteSpace(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x09, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: true
    default: false
    }
  }

  static func isLineBreak(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Whether there is nothing but letters, white space and these signs.
  static func areLetters(_ text: Span<UInt8>, or signs: String) -> Bool {
    var at = 0
    while let scalar = next(text, &at) {
      if Letters.contains(scalar) || isWhiteSpace(scalar) { continue }
      guard scalar < 0x80, signs.utf8.contains(UInt8(scalar)) else { return false }
    }
    return true
  }
}
