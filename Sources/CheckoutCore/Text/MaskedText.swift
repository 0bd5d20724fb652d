/// Free text that somebody else wrote, made harmless: a partner's words, in a `plugin` event or a monitoring message, or a
/// back end's word about an attempt.
///
/// It holds at most 64 characters. Each digit is a `*`; a word with three digits or more, with an `@`, or in a script
/// whose digits are not looked for here, is one `*` as a whole. So no amount, number, identifier or address is in it.
public struct MaskedText: Hashable, Sendable {
  public let text: String

  static let longest = 64
  private static let mask = UInt8(ascii: "*")

  public init(_ free: String) {
    var kept: [UInt8] = []
    for word in Array(free.utf8).split(omittingEmptySubsequences: false, whereSeparator: { $0 <= 0x20 || $0 == 0x7F }) {
      if !kept.isEmpty { kept.append(UInt8(ascii: " ")) }
      kept.append(contentsOf: MaskedText.masked(word))
      // More than this is cut off in any case.
      if kept.count > 4 * MaskedText.longest { break }
    }
    text = String(MaskedText.text(kept).unicodeScalars.prefix(MaskedText.longest))
  }

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func masked(_ word: ArraySlice<UInt8>) -> [UInt8] {
    let digits = word.count { ASCII.isDigit($0) }
    if digits >= 3 || word.contains(UInt8(ascii: "@")) || !isLatin(word) { return [mask] }
    return word.map { ASCII.isDigit($0) ? mask : $0 }
  }

  /// ASCII and the Latin letters up to U+017F, none of which is a digit.
  private static func isLatin(_ word: ArraySlice<UInt8>) -> Bool {
    word.allSatisfy { byte in
      switch byte {
      case 0x00...0x7F, 0x80...0xBF, 0xC3...0xC5: true
      default: false
      }
    }
  }
}
