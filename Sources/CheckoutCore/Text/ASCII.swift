/// Questions about single bytes. Unicode's classes are never asked: they would let look-alikes through.
enum ASCII {
  static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (lowercased(byte) >= UInt8(ascii: "a") && lowercased(byte) <= UInt8(ascii: "f"))
  }

  static func isLetter(_ byte: UInt8) -> Bool {
    lowercased(byte) >= UInt8(ascii: "a") && lowercased(byte) <= UInt8(ascii: "z")
  }

  static func isCapital(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z")
  }

  /// The small letter of a capital; every other byte as it is.
  static func lowercased(_ byte: UInt8) -> UInt8 {
    isCapital(byte) ? byte + 32 : byte
  }

  /// Whether the bytes begin with the text's.
  static func begins(_ bytes: ArraySlice<UInt8>, with text: String) -> Bool {
    var rest = bytes
    for byte in text.utf8 {
      guard rest.first == byte else { return false }
      rest = rest.dropFirst()
    }
    return true
  }

  /// Whether the bytes end with the text's.
  static func ends(_ bytes: ArraySlice<UInt8>, with text: String) -> Bool {
    begins(bytes.suffix(text.utf8.count), with: text)
  }
}

/// Whether it is fit for a header or a URL: nothing in it can begin another header, or be read as a gap.
public func isVisibleASCII(_ text: String) -> Bool {
  !text.utf8.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
}
