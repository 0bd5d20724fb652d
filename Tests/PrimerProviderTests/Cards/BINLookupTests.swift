import Testing

@testable import PrimerProvider

@Suite("BIN lookup")
struct BINLookupTests {
  private static func leading(_ text: String) -> LeadingDigits { CardNumberTests.typed(text).leading }

  /// Types a number digit by digit, so many milliseconds apart, and tells what was asked and when.
  private static func type(
    _ text: String, into lookup: inout BINLookup, from start: Int64 = 0, apart: Int64 = 20
  ) -> [(bin: String, at: Int64)] {
    var asked: [(String, Int64)] = []
    var now = start
    for end in 1...text.count {
      if let bin = lookup.due(now: now) { asked.append((bin.text, now)) }
      lookup.typed(leading(String(text.prefix(end))), now: now)
      now += apart
    }
    if let deadline = lookup.deadline, let bin = lookup.due(now: deadline) { asked.append((bin.text, deadline)) }
    return asked
  }

  /// Asks for what is due, and must find something.
  private static func due(_ lookup: inout BINLookup, _ now: Int64) throws -> BIN {
    let bin = lookup.due(now: now)
    return try #require(bin)
  }

  private static func bin(_ text: String) throws -> BIN { try #require(leading(text).bin) }

  @Test("four digits: the rules' word alone")
  func fourDigits() {
    var lookup = BINLookup()
    let asked = Self.type("4111", into: &lookup)
    #expect(asked.isEmpty)
    #expect(lookup.source == .local)
    #expect(lookup.networks(Self.leading("4111")).isEmpty)
    #expect(Self.leading("4111").network == .visa)
  }

  @Test("six digits are no complete BIN, and the state is told as it is")
  func sixDigits() {
    var lookup = BINLookup()
    let asked = Self.type("411111", into: &lookup)
    #expect(asked.isEmpty)
    #expect(lookup.deadline == nil)
    #expect(lookup.source == .local)
    #expect(CardNumberTests.typed("411111").masked == "\u{2022}\u{2022}1111")
  }

  @Test("typed fast, a complete BIN is asked for once, and what the back end says counts")
  func typedFast() throws {
    var lookup = BINLookup()
    let asked = Self.type("552266117788", into: &lookup)
    #expect(asked.map(\.bin) == ["55226611"])
    #expect(asked.map(\.at) == [7 * 20 + 350])
    lookup.answered(
      try Self.bin("55226611"), [BINNetwork(network: .mastercard), BINNetwork(network: .cartesBancaires)])
    #expect(lookup.source == .remote)
    #expect(lookup.networks(Self.leading("552266117788")).map(\.network) == [.mastercard, .cartesBancaires])
    let later = lookup.due(now: .max)
    #expect(later == nil)
  }

  @Test("an error, or an answer without networks, leaves the rules' one network, and nothing of the back end's")
  func remoteError() throws {
    for isEmpty in [true, false] {
      var lookup = BINLookup()
      let asked = Self.type("55226611", into: &lookup)
      #expect(asked.count == 1)
      let bin = try Self.bin("55226611")
      if isEmpty { lookup.answered(bin, []) } else { lookup.failed(bin) }
      #expect(lookup.source == .localFallback)
      #expect(lookup.networks(Self.leading("55226611")) == [BINNetwork(network: .mastercard)])
      // More digits of the same BIN are no reason to ask again; typing it anew is.
      lookup.typed(Self.leading("552266117788"), now: 9_000)
      #expect(lookup.deadline == nil)
      lookup.typed(Self.leading("5522661"), now: 9_010)
      lookup.typed(Self.leading("55226611"), now: 9_020)
      #expect(lookup.deadline == 9_370)
    }
  }

  @Test(
    "what was answered for a BIN serves every number that begins with it",
    arguments: ["5522661177889900", "552266117788990011", "5522 6611 7788 9900"])
  func cachedHit(_ text: String) throws {
    var lookup = BINLookup()
    lookup.typed(Self.leading("55226611"), now: 0)
    let bin = try Self.due(&lookup, 350)
    lookup.answered(bin, [BINNetwork(network: .visa)])
    lookup.typed(LeadingDigits(), now: 400)
    #expect(lookup.source == .local)
    lookup.typed(Self.leading(text), now: 500)
    #expect(lookup.source == .remote)
    #expect(lookup.deadline == nil)
  }

  @Test("another BIN is asked for")
  func cachedMiss() throws {
    var lookup = BINLookup()
    lookup.answered(try Self.bin("55226611"), [BINNetwork(network: .visa)])
    lookup.typed(Self.leading("99999999"), now: 0)
    #expect(lookup.source == .local)
    let bin = try Self.due(&lookup, 350)
    #expect(bin.text == "99999999")
  }

  @Test("what the back end knows of a network stays with it")
  func enriched() throws {
    var lookup = BINLookup()
    var network = BINNetwork(network: .visa)
    network.issuerCountryCode = "US"
    network.issuerName = "Chase"
    network.accountFundingType = "DEBIT"
    network.issuerCurrencyCode = "USD"
    lookup.typed(Self.leading("41111111"), now: 0)
    lookup.answered(try Self.bin("41111111"), [network])
    #expect(lookup.networks(Self.leading("41111111")) == [network])
    #expect(network.name == "Visa")
  }

  @Test("a late answer is kept for its own BIN and changes nothing else")
  func lateAnswer() throws {
    var lookup = BINLookup()
    _ = Self.type("55226611", into: &lookup)
    lookup.typed(Self.leading("41111111"), now: 1_000)
    lookup.answered(try Self.bin("55226611"), [BINNetwork(network: .maestro)])
    #expect(lookup.source == .local)
    #expect(lookup.deadline == 1_350)
    lookup.failed(try Self.bin("55226611"))
    #expect(lookup.deadline == 1_350)
    lookup.typed(Self.leading("55226611"), now: 1_100)
    #expect(lookup.source == .remote)
  }

  @Test("only so many answers are kept, and a BIN may begin with zeros")
  func bounded() throws {
    var lookup = BINLookup()
    for number in 0..<20 { lookup.answered(try Self.bin("000000\(10 + number)"), [BINNetwork(network: .visa)]) }
    lookup.typed(Self.leading("00000010"), now: 0)
    #expect(lookup.source == .local)
    let bin = try Self.due(&lookup, 350)
    #expect(bin.text == "00000010")
    lookup.typed(Self.leading("00000029"), now: 0)
    #expect(lookup.source == .remote)
  }
}
