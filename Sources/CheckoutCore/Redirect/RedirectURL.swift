/// A URL read by a grammar so narrow that every other reader, a browser's or libcurl's, reads it the same way.
///
/// Refused are: more than 8 KiB, white space, control characters and backslashes anywhere; in the authority anything but
/// a plain host and a plain port. What browsers mend in silence is never mended here.
struct RedirectURL {
  static let longest = 8_192

  /// In small letters.
  let scheme: [UInt8]
  /// Between `//` and the path; nil when there is no `//`.
  let authority: [UInt8]?
  /// All that follows: path, query and fragment.
  let rest: [UInt8]

  init?(_ text: String) {
    guard text.utf8.count <= Self.longest, !Self.holdsForbidden(text) else { return nil }
    let bytes = Array(text.utf8)
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, ASCII.isLetter(first) else {
      return nil
    }
    let scheme = bytes[..<colon]
    guard scheme.allSatisfy({ Self.isSchemeByte($0) }) else { return nil }
    self.scheme = scheme.map { ASCII.lowercased($0) }

    let afterScheme = bytes[(colon + 1)...]
    guard ASCII.begins(afterScheme, with: "//") else {
      authority = nil
      rest = Array(afterScheme)
      return
    }
    let afterSlashes = afterScheme.dropFirst(2)
    let end = afterSlashes.firstIndex(where: { Self.endsAuthority($0) }) ?? afterSlashes.endIndex
    let authority = Array(afterSlashes[..<end])
    guard authority.allSatisfy({ Self.isAuthorityByte($0) }) else { return nil }
    self.authority = authority
    rest = Array(afterSlashes[end...])
  }

  func hasScheme(_ name: String) -> Bool { scheme.elementsEqual(name.utf8) }

  /// Whether a path segment is `.` or `..`, plain or percent-encoded: other readers take such segments out.
  var hasDotSegment: Bool {
    let path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return path.split(separator: UInt8(ascii: "/")).contains { Self.isDotSegment($0) }
  }

  private static func isDotSegment(_ segment: ArraySlice<UInt8>) -> Bool {
    var left = segment
    var dots = 0
    while let first = left.first {
      if first == UInt8(ascii: ".") {
        left = left.dropFirst()
      } else if ASCII.begins(left, with: "%2e") || ASCII.begins(left, with: "%2E") {
        left = left.dropFirst(3)
      } else {
        return false
      }
      dots += 1
    }
    return dots == 1 || dots == 2
  }

  private static func isSchemeByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: ".")
  }

  private static func endsAuthority(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  /// Letters, digits, `-._:[]`, so no user information, no percent-encoding and nothing that is not ASCII.
  private static func isAuthorityByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "["),
      UInt8(ascii: "]"):
      true
    default: ASCII.isLetter(byte) || ASCII.isDigit(byte)
    }
  }

  /// White space and control characters, of Unicode too, and the backslash that browsers take for a slash.
  private static func holdsForbidden(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0...0x20, 0x5C, 0x7F...0xA0, 0x1680, 0x2000...0x200F, 0x2028...0x202F, 0x205F...0x2069, 0x3000, 0xFEFF: true
      default: false
      }
    }
  }
}
