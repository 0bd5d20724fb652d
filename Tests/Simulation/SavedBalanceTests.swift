import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

@Suite("Saved gift cards")
struct SavedBalanceTests {
  private func many(_ count: Int) -> Blob {
    let tokens = (1...count).map { Saved.token("m\($0)", ("easy2play", "giftcard")) }.joined(separator: ",")
    let methods = """
      ,"easy2play":{"giftcard":{"configurations":{"labels":["secondary"]},"integrated_tokens":[\(tokens)]}}
      """
    return Blob(methods: methods)
  }

  private var balances: (World) -> [Request] {
    { world in world.open.map { $0.request }.filter { $0.call == .initialize } }
  }

  @Test("Balances are asked for at once, all of them, a bounded number at a time")
  func parallel() throws {
    let world = try World(many(20))
    #expect(balances(world).count == Core.mostBalanceReads)
    let first = try #require(balances(world).first)
    #expect(first.method == "POST" && first.url.hasSuffix("/sessions/s1/init"))
    #expect(
      first.shownBody
        == #"{"partner":"easy2play","method":"giftcard","amount":120.00,"payment_data":{"wallet_token":"v-m1"},"partner_data":{},"payment_preferences":{}}"#
    )
    var answered = 0
    while world.answer(.initialize, 200, Saved.balance("1.00")) { answered += 1 }
    #expect(answered == 20)
    #expect(world.state(.savedSecondaryTokens).elements.allSatisfy { $0["balance"]?.int64 == 100 })
    // Saved ones are on their own list.
    #expect(world.state(.secondaryTokens).count == 0 && world.results.isEmpty)
  }

  // seed: 002:14
  @Test("Applied like a fresh one, and paid by the wallet's name for it and its reading's step")
  func pay() throws {
    let world = try Saved.open()
    #expect(world.saved("g1")?["balance"]?.isNull == true && world.saved("g1")?["applied"]?.int64 == 0)
    #expect(code { () throws(CheckoutError) in try world.take("g1", nil) } == .invalidTakeAmount)
    world.answerBalances(["v-g1": "30.00", "v-g2": "20.00"])
    #expect(world.saved("g1")?["balance"]?.int64 == 3_000)
    let reply = try world.perform(.applySecondary(token: "g1", amount: nil))
    #expect(reply["applied"]?.int64 == 3_000 && reply["remainingAmountToPay"]?.int64 == 9_000)
    #expect(code { () throws(CheckoutError) in try world.take("g2", 2_001) } == .invalidTakeAmount)
    try world.take("g2", 1_000)
    #expect(world.saved("g2")?["applied"]?.int64 == 1_000)
    try world.perform(.setPrimary(.token("a")))
    try world.submit()
    #expect(world.savedState("g1") == "SUBMITTING")
    let body = try #require(world.money.first?.shownBody)
    #expect(
      body
        == #"[{"partner":"ogloba","method":"giftcard","amount":30.00,"payment_data":{"wallet_token":"v-g1"},"partner_data":{},"payment_preferences":{},"step_id":1},"#
        + #"{"partner":"ogloba","method":"giftcard","amount":10.00,"payment_data":{"wallet_token":"v-g2"},"partner_data":{},"payment_preferences":{},"step_id":1},"#
        + #"{"partner":"aci","method":"creditcard","amount":80.00,"payment_data":{"wallet_token":"v-a"},"partner_data":{},"payment_preferences":{}}]"#
    )
  }

  @Test("What covers everything locks the rest, and gives it back")
  func fulfilled() throws {
    let world = try Saved.open()
    world.answerBalances(["v-g1": "200.00", "v-g2": "20.00"])
    try world.take("g1", nil)
    #expect(world.savedState("g2") == "PAYMENT_FULFILLED" && world.savedState("g1") == nil)
    try world.perform(.removeSecondary(token: "g1"))
    #expect(world.savedState("g2") == nil && world.saved("g1")?["applied"]?.int64 == 0)
  }

  @Test("One whose balance cannot be read says so for the rest of the session")
  func failed() throws {
    let answers: [(World) -> Void] = [
      { world in world.answer(.initialize, 500, "{}") }, { world in world.lose(.initialize, left: true) },
      { world in world.answer(.initialize, 200, "[]") },
      { world in world.answer(.initialize, 200, Saved.balance("1.00").replacing("EUR", with: "USD")) },
      { world in world.answer(.initialize, 200, Saved.balance("1.00").replacing("SUCCESS", with: "FAILED")) },
      { world in world.answer(.initialize, 200, Saved.balance("1.00").replacing("SUCCESS", with: "WAITING")) },
    ]
    for answer in answers {
      let world = try Saved.open()
      answer(world)
      #expect(world.savedState("g1") == "TOKEN_INIT_FAILED" && world.savedState("g2") == nil)
      #expect(world.saved("g1")?["disabled"]?["isTechnical"]?.boolean == true)
      #expect(code { () throws(CheckoutError) in try world.take("g1", nil) } == .methodDisabled)
      #expect(world.results.isEmpty)
    }
  }

  @Test("An issuer that asks its shopper is asked again, for three minutes")
  func polled() throws {
    let methods = """
      ,"ogloba":{"giftcard":{"configurations":{"labels":["secondary"]}}}
      """
    let blob = Blob(methods: methods)
    let json = try #require(blob.text.decoded).replacing(
      #""position":4,"settings":{}}"#,
      with: #""position":4,"settings":{}},"integrated_tokens":[\#(Saved.token("p", ("buybox", "giftcard")))]"#)
    let waiting = Saved.balance("1.00", step: 7).replacing("SUCCESS", with: "WAITING")
    let world = try World(widgetData: json.encoded)
    world.answer(.initialize, 200, waiting)
    #expect(world.open.filter { $0.request.call == .initialize }.isEmpty)
    world.advance(2_000)
    #expect(balances(world).first?.shownBody.contains(#""step_id":7"#) == true)
    world.answer(.initialize, 200, Saved.balance("9.00", step: 7))
    #expect(world.saved("p")?["balance"]?.int64 == 900)
    let other = try World(widgetData: json.encoded)
    var asked = 0
    while other.answer(.initialize, 200, waiting) {
      asked += 1
      other.advance(2_000)
    }
    #expect(asked == 91 && other.savedState("p") == "TOKEN_INIT_FAILED")
  }

  @Test("A new session reads them again; late answers of the old one count for nothing")
  func nextSession() throws {
    let world = try Saved.open()
    let late = world.open.filter { $0.request.call == .initialize }
    world.answerBalances(["v-g1": "30.00"])
    try world.take("g1", nil)
    let reply = try world.perform(.setSession(widgetData: Saved.blob("s2").text))
    #expect(reply["items"]?.elements.contains { $0["id"]?.string == "g1" && $0["fate"]?.string == "rebuilt" } == true)
    #expect(world.state(.itemGenerations)["g1"]?.int64 == 1)
    #expect(world.state(.amountSplit).count == 0 && world.saved("g1")?["balance"]?.isNull == true)
    for old in late {
      world.receive(old.id, .answer(Answer(status: 200, date: nil, body: Array(Saved.balance("99.00").utf8))))
    }
    #expect(world.saved("g2")?["balance"]?.isNull == true)
    #expect(balances(world).count == 2 && balances(world).allSatisfy { $0.url.contains("/sessions/s2/") })
    world.answerBalances(["v-g1": "5.00"])
    #expect(world.saved("g1")?["balance"]?.int64 == 500)
  }

  @Test("Restored with their slices, and read again; what is no longer there leaves the split")
  func restored() throws {
    let world = try Saved.open()
    world.answerBalances(["v-g1": "30.00", "v-g2": "20.00"])
    try world.take("g1", 2_500)
    try world.perform(.setPrimary(.token("a")))
    let text = world.checkout.saveState(world.moment)
    #expect(!text.contains("v-g1"))
    for (balance, applied) in [("40.00", 2_500), ("25.00", 2_500), ("24.99", 0)] {
      let (again, reply) = try world.restored(from: text)
      #expect(reply["skipped"]?.count == 0 && again.saved("g1")?["applied"]?.int64 == 2_500)
      #expect(again.saved("g1")?["balance"]?.int64 == 3_000)
      #expect(again.checkout.core.services.filter { $0.readsBalance }.count == 2)
      again.answerBalances(["v-g1": balance])
      #expect(again.saved("g1")?["applied"]?.int64 == Int64(applied))
      let sum = again.state(.amountSplit).elements.reduce(0) { $0 + ($1["amount"]?.int64 ?? 0) }
      #expect(sum == 12_000)
    }
  }

  @Test("While a payment is in doubt nothing is read and the split stays as it was sent; notCreated reads again")
  func inDoubt() throws {
    let world = try Saved.open([.checkpoint])
    world.answerBalances(["v-g1": "30.00", "v-g2": "20.00"])
    try world.take("g1", nil)
    try world.perform(.setPrimary(.token("a")))
    try world.submit()
    let text = try #require(world.stored?.text)
    let (again, _) = try world.restored(from: text)
    #expect(again.isUnknown && again.state(.amountSplit).count == 2)
    #expect(again.open.filter { $0.request.call == .initialize }.isEmpty && again.walletRequests.isEmpty)
    try again.perform(.resolve(attempt: 1, .notCreated))
    #expect(again.open.filter { $0.request.call == .initialize }.count == 2)
    #expect(again.state(.amountSplit)[0]?["token"]?.string == "g1")
    again.answerBalances(["v-g1": "30.00"])
    try again.submit()
    try again.answerTicket(.checkpoint, .ok("{}"))
    #expect(again.money.first?.shownBody.contains(#""wallet_token":"v-g1""#) == true)
  }

  @Test("A balance that comes while a payment is under way waits for nobody and moves nothing that was sent")
  func lateBalance() throws {
    let world = try Saved.open()
    world.answerBalances(["v-g1": "30.00"])
    try world.take("g1", nil)
    try world.perform(.setPrimary(.token("a")))
    try world.submit()
    let split = world.state(.amountSplit).compactText
    world.answerBalances(["v-g2": "20.00"])
    #expect(world.state(.amountSplit).compactText == split && world.saved("g2")?["balance"]?.int64 == 2_000)
  }

  @Test("One that has expired is not read and says so")
  func expired() throws {
    let methods = Saved.methods.replacing(
      #"{"id":"g1","#, with: #"{"id":"g1","expiration_date":"2029-01-01T00:00:00Z","#)
    let world = try World(Blob(methods: methods))
    world.sampleTime()
    world.advance(5_000)
    #expect(world.savedState("g1") == "TOKEN_EXPIRED")
    #expect(code { () throws(CheckoutError) in try world.take("g1", nil) } == .methodDisabled)
  }
}
