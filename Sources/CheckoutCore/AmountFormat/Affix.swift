/// What stands before or after a number, with `¤` in the place of the currency's symbol.
struct Affix {
  private let beforeSymbol: ArraySlice<UInt8>
  private let afterSymbol: ArraySlice<UInt8>
  private let hasSymbol: Bool

  init(_ text: ArraySlice<UInt8>) {
    var place = text.startIndex
    while place < text.endIndex, !ASCII.begins(text[place...], with: "¤") { place += 1 }
    hasSymbol = place < text.endIndex
    beforeSymbol = text[..<place]
    afterSymbol = text[place...].dropFirst("¤".utf8.count)
  }

  /// As Primer's own interface does: the spaces beside the symbol go.
  func writeTight(_ symbol: String, to text: inout [UInt8]) {
    text += hasSymbol ? Self.withoutSpaces(beforeSymbol, atEnd: true) : beforeSymbol
    if hasSymbol { text += symbol.utf8 }
    text += Self.withoutSpaces(afterSymbol, atEnd: false)
  }

  /// As CLDR does: a symbol that would touch the number with what is no sign is parted from it by a space.
  func writeSpaced(_ symbol: String, isPrefix: Bool, to text: inout [UInt8]) {
    text += beforeSymbol
    guard hasSymbol else { return }
    let isNeighbor = isPrefix ? afterSymbol.isEmpty : beforeSymbol.isEmpty
    let end = isPrefix ? symbol.unicodeScalars.last : symbol.unicodeScalars.first
    let gap = isNeighbor && !Self.isSign(end) ? "\u{A0}" : ""
    text += (isPrefix ? symbol + gap : gap + symbol).utf8
    text += afterSymbol
  }

  private static func isSign(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar else { return true }
    return scalar == "$" || LocaleData.signs.unicodeScalars.contains(scalar)
  }

  private static func withoutSpaces(_ text: ArraySlice<UInt8>, atEnd: Bool) -> ArraySlice<UInt8> {
    var text = text
    while let space = spaces.first(where: { atEnd ? ASCII.ends(text, with: $0) : ASCII.begins(text, with: $0) }) {
      text = atEnd ? text.dropLast(space.utf8.count) : text.dropFirst(space.utf8.count)
    }
    return text
  }

  /// Those that patterns have.
  private static let spaces = [" ", "\u{A0}", "\u{202F}"]
}
