import Foundation
import JSONText
import Testing

@testable import CheckoutCore
@testable import PurseProvider

@Suite("Properties")
struct PropertyTests {
  /// Values that take a member's place.
  private static let replacements = [
    "null", "true", "0", "-1", "1e400", "19.999", "9007199254740993", "\"\"", "\"x\"", "[]", "{}", "[1]",
    #"{"a":1}"#, #"[{"id":"t1","value":"v"}]"#, #""2030-01-01T00:00:00Z""#, #"["secondary"]"#, #""false""#,
  ]

  @Test("Whatever is changed in a session: it is refused with a code, or what is read keeps every promise")
  func changedTexts() throws {
    var random = SeededRandom(seed: 1)
    var read = 0
    for _ in 0..<2_000 {
      var bytes = Array(Sample.json.utf8)
      for _ in 0...random.below(3) { random.garble(&bytes) }
      if check(bytes) { read += 1 }
    }
    // Both must occur, or nothing is tested.
    #expect(read > 50 && read < 1_950)
  }

  @Test("The same for changes that leave it JSON")
  func changedValues() throws {
    var random = SeededRandom(seed: 2)
    let members = try Self.memberValues(Sample.json)
    var read = 0
    for range in members {
      for replacement in Self.replacements {
        var bytes = Array(Sample.json.utf8)
        bytes.replaceSubrange(range, with: replacement.utf8)
        if check(bytes) { read += 1 }
      }
    }
    for _ in 0..<2_000 {
      var bytes = Array(Sample.json.utf8)
      let first = members[random.below(members.count)]
      let second = members[random.below(members.count)]
      let (early, late) = first.lowerBound < second.lowerBound ? (first, second) : (second, first)
      let value = Self.replacements[random.below(Self.replacements.count)]
      if early.upperBound <= late.lowerBound { bytes.replaceSubrange(late, with: value.utf8) }
      bytes.replaceSubrange(early, with: Self.replacements[random.below(Self.replacements.count)].utf8)
      if check(bytes) { read += 1 }
    }
    #expect(read > 100)
  }

  @Test("The same for texts that are no base64")
  func changedBase64() {
    var random = SeededRandom(seed: 3)
    let text = Base64.encode(Array(Sample.json.utf8))
    for _ in 0..<1_000 {
      let garbled = String(decoding: random.garbled(text), as: UTF8.self)
      do throws(CheckoutError) {
        let session = try Purse.open(garbled, ProviderOptions()).session
        expectPromises(of: session)
      } catch {
        #expect(error.code == .sessionMalformed || error.code == .invalidInitParams)
      }
    }
  }

  /// Where the values of all members stand in a text.
  private static func memberValues(_ json: String) throws -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var due = [try JSONDocument(parsing: json).root]
    while let value = due.popLast() {
      for member in value.members {
        ranges.append(member.value.offset..<member.value.offset + member.value.compactText.utf8.count)
        due.append(member.value)
      }
      due.append(contentsOf: value.elements)
    }
    return ranges
  }

  /// Whether it was read.
  private func check(_ bytes: [UInt8]) -> Bool {
    do throws(CheckoutError) {
      let opened = try Purse.open(Base64.encode(bytes), ProviderOptions())
      expectPromises(of: opened.session)
      expectPayable(opened)
      return true
    } catch {
      #expect(error.code == .sessionMalformed || error.code == .invalidInitParams)
      #expect(error.moved == .no)
      if let offset = error.offset { #expect((0...bytes.count).contains(offset)) }
      #expect(error.path != nil)
      if let details = error.details { #expect((try? JSONDocument(parsing: details)) != nil) }
      return false
    }
  }

  private func expectPromises(of session: ClientSession) {
    let amounts = 0...Amount.maximum
    #expect(!session.id.isEmpty && !session.environment.isEmpty)
    #expect(amounts.contains(session.amount))
    #expect(!session.isInformationRequest || session.amount == 0)
    #expect(Currency(code: session.currency.code) == session.currency)
    #expect(Set(session.methods.map { $0.id }).count == session.methods.count)
    for method in session.methods {
      #expect(method.id == method.partner + "-" + method.method)
      #expect(amounts.contains(method.minAmount ?? 0) && amounts.contains(method.maxAmount ?? 0))
      #expect(method.limit.map { $0 >= 0 } ?? true)
      #expect((method.kind == .secondary) == (method.nature == .giftCard))
      #expect((try? JSONDocument(parsing: method.configuration)) != nil)
    }
    for token in session.tokens {
      #expect(session.method(token.item)?.kind == .primary)
      #expect(!token.id.isEmpty && !token.value.isEmpty && !CardNumber.looksLikeOne(token.mask))
    }
    for token in session.savedSecondaries { #expect(session.method(token.item)?.kind == .secondary) }
    let positions = session.methods.map { $0.position ?? .max }
    #expect(positions == positions.sorted())
  }

  /// Every method's requests are JSON once the secrets are in.
  private func expectPayable(_ opened: Opened<Purse>) {
    for method in opened.session.methods {
      let slice = PaymentSlice(
        method: method, amount: opened.session.amount,
        source: method.kind == .secondary
          ? .giftCard(handle: BalanceHandle(id: "i", stepID: 1), number: SecretID(1), securityCode: SecretID(2))
          : .method(collected: Orders.form))
      let order = Orders.order([slice], opened.session.currency, skips: true)
      var script = opened.provider.script(for: order)
      guard let request = script.next(.begin).request else {
        #expect(method.nature == .native)
        continue
      }
      #expect((try? JSONDocument(parsing: request.shownBody)) != nil)
      #expect(request.url.utf8.allSatisfy { (0x21...0x7E).contains($0) })
      #expect(request.headers.allSatisfy { header in header.value.utf8.allSatisfy { (0x20...0x7E).contains($0) } })
    }
  }

  @Test("Random bytes as an answer are never a success, and nothing traps")
  func randomAnswers() throws {
    var random = SeededRandom(seed: 4)
    let provider = try Sample.open(Sample.json).provider
    let texts = [
      AnswerTests.initBody(),
      #"""
      {"global_status":"WAITING","redirection":{"url":"https://x"},"results":[{"plugin_result":\#
      {"redirection_url":"https://y","redirection_json":"{\"a\":{\"b\":[1]}}"}}]}
      """#,
      #"{"code":"ALREADY_SUBMITTED"}"#, #"{"utc":"2030-01-01T00:00:00Z"}"#,
    ]
    for _ in 0..<2_000 {
      let bytes =
        random.chance(4)
        ? (0..<random.below(64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        : random.garbled(texts[random.below(texts.count)])
      let answer = Answer(status: 200, date: nil, body: bytes)
      if let read = ValidateAnswer(bytes) { #expect(read.result.verdict != .success) }
      if case .read(let balance) = provider.balance(in: answer, currency: Sample.euro) { #expect(balance.amount >= 0) }
      if let time = provider.serverTime(in: answer) { #expect(time > 0) }
      _ = EarlierPayment.isMeant(by: answer)
    }
  }
}

@Suite("The table of choices")
struct ChoicesTests {
  @Test("Every row is whole and stands once")
  func rows() {
    #expect(Set(Choices.all.map { $0.name }).count == Choices.all.count)
    for choice in Choices.all {
      #expect(!choice.name.isEmpty && !choice.value.isEmpty && !choice.override.isEmpty && !choice.section.isEmpty)
      #expect(choice.spellings.first.map { !$0.isEmpty } == true)
    }
    #expect(Choices.all.contains { $0.value == "Idempotency-Key" })
  }

  @Test("Placeholders are filled, others vanish, and what is filled in is not looked at again")
  func filling() {
    func filled(_ value: String) -> String {
      Choice("n", value, section: "1").filled([("a", "1"), ("b", "{a}")])
    }
    #expect(filled("/{a}/x/{b}") == "/1/x/{a}")
    #expect(filled("plain") == "plain")
    #expect(filled("{c}") == "")
    #expect(filled("{a") == "a")
  }
}
