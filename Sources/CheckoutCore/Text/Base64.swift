/// Base64 of RFC 4648, read strictly: two texts never stand for the same bytes unless they differ only in alphabet,
/// padding or the white space around them.
public enum Base64 {
  /// The bytes of a text in the standard or the URL-safe alphabet (not both in one text), padded or not, with ASCII
  /// white space allowed around it and nothing else; nil for anything else, left-over bits that are not 0 included.
  public static func decode(_ text: String) -> [UInt8]? { decode(Array(text.utf8)) }

  /// The same of a text's bytes. No copy is left behind but the result.
  public static func decode(_ text: [UInt8]) -> [UInt8]? {
    guard let body = unpadded(trimmed(text[...])) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(body.count / 4 * 3 + 2)
    var alphabet = Alphabet.common
    var bits: UInt32 = 0
    var held = 0
    for character in body {
      guard let (value, kind) = sextet(character) else { return nil }
      if kind != .common {
        if alphabet != .common && alphabet != kind { return nil }
        alphabet = kind
      }
      bits = (bits << 6 | UInt32(value)) & 0xFFFF
      held += 6
      if held >= 8 {
        held -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(held)))
      }
    }
    let leftOver = bits & ((1 << UInt32(held)) - 1)
    return leftOver == 0 ? bytes : nil
  }

  /// The standard alphabet's text, padded.
  public static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var bits: UInt32 = 0
    var held: UInt32 = 0
    for byte in bytes {
      bits = (bits << 8 | UInt32(byte)) & 0xFFFF
      held += 8
      while held >= 6 {
        held -= 6
        text.append(character(UInt8(truncatingIfNeeded: bits >> held) & 63))
      }
    }
    if held > 0 { text.append(character(UInt8(truncatingIfNeeded: bits << (6 - held)) & 63)) }
    while text.count % 4 != 0 { text.append(UInt8(ascii: "=")) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Which alphabet a character gives away: most belong to both.
  private enum Alphabet { case common, standard, urlSafe }

  private static func sextet(_ character: UInt8) -> (UInt8, Alphabet)? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): (character - 65, .common)
    case UInt8(ascii: "a")...UInt8(ascii: "z"): (character - 71, .common)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): (character + 4, .common)
    case UInt8(ascii: "+"): (62, .standard)
    case UInt8(ascii: "/"): (63, .standard)
    case UInt8(ascii: "-"): (62, .urlSafe)
    case UInt8(ascii: "_"): (63, .urlSafe)
    default: nil
    }
  }

  private static func character(_ sextet: UInt8) -> UInt8 {
    switch sextet {
    case 0..<26: sextet + 65
    case 26..<52: sextet + 71
    case 52..<62: sextet - 4
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text
    while let first = text.first, isWhiteSpace(first) { text = text.dropFirst() }
    while let last = text.last, isWhiteSpace(last) { text = text.dropLast() }
    return text
  }

  private static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
  }

  /// The text without its padding, which is whole or absent; nil for a length that no bytes have.
  private static func unpadded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var body = text
    while text.count - body.count < 2, body.last == UInt8(ascii: "=") { body = body.dropLast() }
    if body.count != text.count && text.count % 4 != 0 { return nil }
    return body.count % 4 == 1 ? nil : body
  }
}
