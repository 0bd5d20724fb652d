import CheckoutCore
import Foundation
import Testing

@Suite("Base64")
struct Base64Tests {
  static let vectors: [(bytes: String, text: String)] = [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ]

  @Test("The vectors of RFC 4648", arguments: vectors)
  func knownTexts(bytes: String, text: String) {
    #expect(Base64.encode(Array(bytes.utf8)) == text)
    #expect(Base64.decode(text) == Array(bytes.utf8))
  }

  @Test("Agrees with Foundation on random bytes, in every accepted spelling")
  func agreesWithFoundation() {
    var random = ValueGenerator(seed: 51)
    for length in 0..<300 {
      for _ in 0..<4 {
        let bytes = random.bytes(length)
        let padded = Data(bytes).base64EncodedString()
        #expect(Base64.encode(bytes) == padded)
        let urlSafe = padded.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
        for spelling in [padded, urlSafe] {
          let bare = spelling.replacingOccurrences(of: "=", with: "")
          #expect(Base64.decode(spelling) == bytes)
          #expect(Base64.decode(bare) == bytes)
          #expect(Base64.decode(" \r\n\t\u{C}" + spelling + "\n ") == bytes)
        }
      }
    }
  }

  static let malformed = [
    "Z", "Zg=", "Zg===", "Z===", "====", "=", "==", "Zm8==", "Zm9v=", "Zm9v==", "Zm9v====", "Zg==Zg==", "Zg=a", "=Zg=",
    "Zh==", "Zh", "Zm9=", "Zm9", "Z/==", "Zv", "Zm9vZ", "Zm 9v", "Zm\n9v", "Zg= =", "Zg ==", "Zm9v!", "Zm9v,",
    "Zm9v\u{0}", "\u{0}Zm9v", "Zm9v\u{B}", "\u{A0}Zm9v", "Zm9vé", "Zm9v\u{FEFF}", "+-++", "/_//", "ab+_", "-/ab",
    "ab_d/b==", "{}", "%3D", "Zm9v.", "~m9v", "@m9v", "[m9v", "`m9v", "{m9v", ":m9v", "Ｚm9v",
  ]

  @Test("Malformed texts are refused", arguments: malformed)
  func refuses(_ text: String) {
    #expect(Base64.decode(text) == nil)
  }

  @Test("White space alone is the empty text")
  func empty() {
    #expect(Base64.decode("") == [])
    #expect(Base64.decode(" \n\t") == [])
  }

  @Test("What is accepted is the one text of its bytes")
  func canonical() {
    var random = ValueGenerator(seed: 53)
    let alphabet = Array("ABCDwxyz0189+/-_== ").map(String.init)
    var accepted = 0
    for _ in 0..<40_000 {
      let text = (0..<random.count(0...9)).map { _ in random.element(of: alphabet) }.joined()
      guard let bytes = Base64.decode(text) else { continue }
      accepted += 1
      let plain = text.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "-", with: "+")
        .replacingOccurrences(of: "_", with: "/")
      let encoded = Base64.encode(bytes)
      #expect(plain == encoded || plain == encoded.replacingOccurrences(of: "=", with: ""), "\(text)")
    }
    #expect(accepted > 2_000)
  }

  @Test("Every pair of bytes goes there and back")
  func pairs() {
    for first in UInt8.min...UInt8.max {
      for second in stride(from: UInt8.min, to: UInt8.max, by: 3) {
        #expect(Base64.decode(Base64.encode([first, second])) == [first, second])
      }
    }
  }
}
