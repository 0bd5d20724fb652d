import JSONText
import Testing

/// Every text over a small alphabet, up to a length, compared with Jansson.
@Suite("JSON reader against Jansson: all short texts")
struct JSONExhaustiveTests {
  /// Goes through all texts of up to `length` pieces, each put between `before` and `after`.
  private func verdicts(
    _ pieces: [[UInt8]], upTo length: Int, before: String = "", after: String = ""
  ) -> [Verdict: Int] {
    var verdicts: [Verdict: Int] = [:]
    var choices = 1
    for length in 0...length {
      for choice in 0..<choices {
        var text = Array(before.utf8)
        var rest = choice
        for _ in 0..<length {
          text += pieces[rest % pieces.count]
          rest /= pieces.count
        }
        text += after.utf8
        verdicts[Verdict(text), default: 0] += 1
      }
      choices *= pieces.count
    }
    return verdicts
  }

  private func pieces(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

  @Test("bytes that are JSON's own")
  func structure() {
    let found = verdicts("{}[],:\"01-.e\\u t".utf8.map { [$0] }, upTo: 4)
    #expect(found == [.bothAccept: 418, .bothRefuse: 69_487])
  }

  @Test("tokens of arrays and objects", arguments: [("", 34), ("[", 42), (#"{"a":"#, 14)])
  func tokens(_ before: String, _ accepted: Int) {
    let found = verdicts(pieces("{", "}", "[", "]", ",", ":", #""a""#, #""b""#, "1"), upTo: 5, before: before)
    #expect(found == [.bothAccept: accepted, .bothRefuse: 66_430 - accepted])
  }

  @Test("numbers")
  func numbers() {
    let found = verdicts("01-+.eE".utf8.map { [$0] }, upTo: 6, before: "[", after: "]")
    #expect(found == [.bothAccept: 1_009, .bothRefuse: 136_232, .numberTooBigForJansson: 16])
  }

  @Test("words")
  func words() {
    let found = verdicts(pieces("t", "r", "u", "e", "f", "als", "nul", "l", "N"), upTo: 5)
    #expect(found == [.bothAccept: 3, .bothRefuse: 66_427])
  }

  private let escapePieces = ["\\", "\"", "u", "00", "d8", "dC", "n", "b", "/", "\u{1F}", "\u{7F}", "\u{E9}"]

  @Test("escapes in values")
  func escapes() {
    let found = verdicts(escapePieces.map { Array($0.utf8) }, upTo: 4, before: "\"", after: "\"")
    #expect(found == [.bothAccept: 8_719, .bothRefuse: 13_902])
  }

  @Test("escapes in keys")
  func escapesInKeys() {
    let found = verdicts(escapePieces.map { Array($0.utf8) }, upTo: 4, before: "{\"", after: "\":1}")
    #expect(found == [.bothAccept: 8_718, .bothRefuse: 13_902, .nulInKey: 1])
  }

  @Test("escaped code units at the bounds of the surrogates, alone and in pairs")
  func surrogates() {
    let units = [
      "0000", "0001", "007f", "0080", "07FF", "0800", "d7ff", "D800", "dbff", "DC00", "dfff", "e000", "FFFF",
    ]
    let found = verdicts(units.map { Array("\\u\($0)".utf8) }, upTo: 3, before: "\"", after: "\"")
    #expect(found == [.bothAccept: 896, .bothRefuse: 1_484])
  }

  @Test("UTF-8 sequences of the bytes at the bounds of its rules")
  func encoding() {
    let bytes: [UInt8] = [
      0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0,
      0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    let found = verdicts(bytes.map { [$0] }, upTo: 4, before: "\"", after: "\"")
    #expect(found == [.bothAccept: 1_927, .bothRefuse: 344_274])
  }
}
