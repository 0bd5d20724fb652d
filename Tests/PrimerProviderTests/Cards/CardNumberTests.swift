import Testing

@testable import PrimerProvider

@Suite("Card numbers")
struct CardNumberTests {
  static let common: [CardNetwork] = [.visa, .mastercard, .amex, .discover, .jcb, .dinersClub]

  static func typed(_ text: String) -> TypedCardNumber { TypedCardNumber(Array(text.utf8).span) }

  /// A number that passes Luhn: these digits and the one that is missing.
  static func completed(_ digits: String) -> String {
    for last in 0...9 where Luhn.passes(Array("\(digits)\(last)".utf8).span) { return "\(digits)\(last)" }
    return digits
  }

  static func passesLuhn(_ digits: [UInt8]) -> Bool { Luhn.passes(digits.span) }

  @Test("only one last digit makes a number right, and any digit that is mistyped makes it wrong")
  func luhn() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let digits = (0..<15).map { _ in String(Int.random(in: 0...9, using: &generator)) }.joined()
      let right = Self.completed(digits)
      #expect(right.count == 16)
      for place in 0..<16 {
        var wrong = Array(right.utf8)
        wrong[place] = (wrong[place] - 48 + UInt8.random(in: 1...9, using: &generator)) % 10 + 48
        #expect(!Self.passesLuhn(wrong))
      }
    }
  }

  @Test(
    "letters and other scripts' digits are no part of a number by the one rule, and are not seen by the other",
    arguments: ["4242x424242424242", "4242\t424242424242", "4242-424242424242", "424242424242424\u{0662}\u{0662}"])
  func strangeCharacters(_ text: String) {
    #expect(Self.typed(text).fault(allowed: Self.common) == .invalid)
  }

  @Test("raw data ignores what is no digit")
  func rawIgnores() {
    #expect(Self.typed("4242-4242-4242-4242").isValidRaw)
    #expect(Self.typed("4242x4242x4242x4242x").isValidRaw)
    #expect(!Self.typed("\u{0664}242424242424242").isValidRaw)
  }

  @Test("a network's own lengths are looked at only when networks are named")
  func lengths() {
    let thirteen = Self.completed("422222222222")
    #expect(Self.typed(thirteen).fault(allowed: []) == nil)
    #expect(Self.typed(thirteen).fault(allowed: Self.common) == .invalid)
    #expect(!Self.typed(thirteen).isValidRaw)
    #expect(Self.typed("0000000000000000").fault(allowed: []) == nil)
    #expect(Self.typed("0000000000000000").fault(allowed: Self.common) == .unsupportedCardType)
  }

  @Test("a card of two networks counts when the back end names one that is allowed")
  func coBadged() {
    let number = Self.typed("4242424242424242")
    #expect(number.fault(allowed: [.cartesBancaires]) == .unsupportedCardType)
    #expect(number.fault(allowed: [.cartesBancaires], known: [.visa, .cartesBancaires]) == nil)
    #expect(number.fault(allowed: [.visa], known: [.cartesBancaires]) == .unsupportedCardType)
  }

  @Test("at most ten digits are shown, and as many characters as there are digits", arguments: 0...24)
  func masked(_ count: Int) {
    let digits = String("012345678901234567890123".prefix(count))
    let masked = Self.typed(digits).masked
    let shown = masked.filter { $0 != "\u{2022}" }
    #expect(masked.count == count)
    #expect(shown == (count > 10 ? String(digits.prefix(6)) : "") + digits.suffix(min(count, 4)))
    #expect(count <= 10 || masked.count - shown.count == count - 10)
  }

  @Test("a network is known by any number that begins with its range, at both ends, and spaces do not matter")
  func ends() {
    for network in CardNetwork.allCases {
      for end in network.prefixes {
        let found = Self.typed("\(end)").leading.network
        // Ranges overlap: what is found lies at least as high.
        #expect(found != nil)
        #expect(Self.typed("\(end)".map { "\($0) " }.joined()).leading.network == found)
        #expect(Self.typed("\(end)" + String(repeating: "0", count: 30)).leading.network != nil)
      }
    }
  }

  @Test("ranges have as many digits at both ends, and no more than are looked at")
  func ranges() {
    for network in CardNetwork.allCases {
      let ends = network.prefixes
      #expect(ends.count % 2 == 0)
      #expect(ends.isEmpty == (network.rules == nil))
      for index in stride(from: 0, to: ends.count, by: 2) {
        #expect(ends[index] <= ends[index + 1])
        #expect("\(ends[index])".count == "\(ends[index + 1])".count)
        #expect("\(ends[index])".count <= LeadingDigits.most)
      }
    }
  }

  @Test("names are read back")
  func names() {
    for network in CardNetwork.allCases { #expect(CardNetwork(text: network.text) == network) }
    #expect(CardNetwork(text: "visa") == .other)
    #expect(CardNetwork.allowed(["VISA", "TEST", "OTHER", "VISA", "AMEX"]) == [.visa, .amex])
  }
}
