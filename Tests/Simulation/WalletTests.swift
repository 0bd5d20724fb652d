import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

/// A shopper with saved instruments.
enum Saved {
  static let session = #","wallet_session":{"session_id":"ws1","owner_reference":"o1","merchant":"m1"}"#

  static func token(
    _ id: String, _ place: (String, String) = ("purse", "creditcard"), name: String? = nil, favorite: Bool = false,
    owner: String = "o1", value: String? = nil
  ) -> String {
    """
    {"id":"\(id)","value":"\(value ?? "v-" + id)","owner_reference":"\(owner)","favorite":\(favorite),\
    \(name.map { #""name":"\#($0)","# } ?? "")"description":{"masked_pan":"**** 1111"},\
    "payment_id":{"origin":"o","partner":"\(place.0)","method":"\(place.1)"}}
    """
  }

  static let giftCard = ("ogloba", "giftcard")

  static let methods = """
    ,"aci":{"creditcard":{"configurations":{"labels":["primary"],"vault":{"vendor":"purse"},"settings":\
    {"save_token":true}},"integrated_tokens":[\(token("a", ("aci", "creditcard"), name: "Mine", favorite: true)),\
    \(token("b", ("aci", "creditcard"), name: "Yours"))]}},\
    "ogloba":{"giftcard":{"configurations":{"labels":["secondary"],"settings":{"save_token":true}},\
    "integrated_tokens":[\(token("g1", giftCard)),\(token("g2", giftCard))]}},\
    "younited":{"loan":{"configurations":{"labels":["primary"]}}}
    """

  static func blob(_ id: String = "s1", beside: String = session, extra: String = "") -> Blob {
    Blob(id: id, extra: extra, beside: beside, methods: methods)
  }

  static func open(
    _ hooks: [Hook] = [], beside: String = session, monitoring: MonitoringOptions? = nil
  ) throws(CheckoutError) -> World {
    var options = CheckoutOptions(
      hooks: hooks,
      capabilities: ["purse-creditcard", "aci-creditcard"].map { Capability(item: $0, steps: [.collect]) },
      releaseDate: World.start.wall - 86_400_000)
    options.monitoring = monitoring
    return try World(blob(beside: beside), options)
  }

  static func balance(_ amount: String, step: Int = 1) -> String {
    """
    {"id":"i\(step)","step_id":\(step),"status":{"action":"INIT","state":"SUCCESS","code":"SUCCEEDED"},\
    "plugin_result":{"amount":\(amount),"currency_code":"EUR"}}
    """
  }
}

extension World {
  var walletRequests: [Request] { open.map { $0.request }.filter { $0.call == .wallet } }

  func update(_ token: String, _ change: TokenChange) throws(CheckoutError) {
    try perform(.updateToken(token, change, tag: nil))
  }

  func delete(_ token: String) throws(CheckoutError) { try perform(.deleteToken(.one(token), tag: nil)) }

  func saved(_ id: String) -> JSONValue? {
    (state(.paymentTokens).elements + Array(state(.savedSecondaryTokens).elements)).first { $0["id"]?.string == id }
  }

  func savedState(_ id: String) -> String? { saved(id)?["disabled"]?["code"]?.string }

  /// Answers every balance that is asked for, by what its request names.
  func answerBalances(_ amounts: [String: String]) {
    for (value, amount) in amounts {
      guard let open = open.first(where: { $0.request.shownBody.contains(#""wallet_token":"\#(value)""#) }) else {
        continue
      }
      receive(open.id, .answer(Answer(status: 200, date: nil, body: Array(Saved.balance(amount).utf8))))
    }
  }
}

func code(_ body: () throws(CheckoutError) -> Void) -> ErrorCode? {
  do throws(CheckoutError) {
    try body()
    return nil
  } catch {
    return error.code
  }
}

@Suite("Saved instruments")
struct WalletTests {
  // MARK: Changing one

  @Test("A name, asked of the wallet under its session, is told when the wallet has it")
  func rename() throws {
    let world = try Saved.open()
    #expect(world.state(.walletSession)["id"]?.string == "ws1")
    try world.perform(.updateToken("a", .name("Hers"), tag: "t"))
    let request = try #require(world.walletRequests.first)
    #expect(request.method == "PATCH" && request.url == "https://wallet.example/customers/o1/tokens/a")
    #expect(request.shownBody == #"{"name":"Hers"}"#)
    #expect(request.headers.contains(Header("x-merchant-id", "m1")))
    #expect(request.headers.contains(Header("x-wallet-session-id", "ws1")))
    #expect(request.headers.contains(Header("x-api-key", "k")))
    #expect(world.saved("a")?["name"]?.string == "Mine")
    world.answer(.wallet, 204, "")
    #expect(world.saved("a")?["name"]?.string == "Hers")
    let result = try #require(world.results.last)
    #expect(result["tag"]?.string == "t" && result["result"]?["name"]?.string == "Hers")
  }

  @Test("There is one favorite")
  func favorite() throws {
    let world = try Saved.open()
    try world.update("b", .favorite)
    #expect(world.walletRequests.first?.method == "PUT")
    #expect(
      world.walletRequests.first?.url == "https://wallet.example/customers/o1/sessions/ws1/tokens/b/favorite")
    world.answer(.wallet, 200, "{}")
    #expect(world.saved("a")?["isFavorite"]?.boolean == false && world.saved("b")?["isFavorite"]?.boolean == true)
  }

  @Test("What is so already is ignored, with a result and no request")
  func ignored() throws {
    let world = try Saved.open()
    try world.update("a", .name("Mine"))
    try world.update("a", .favorite)
    #expect(world.walletRequests.isEmpty)
    #expect(world.results.count == 2 && world.results.allSatisfy { $0["result"]?["ignored"]?.boolean == true })
  }

  @Test("What is under way counts: the last choice of a favorite stands, and a name is given once")
  func underWay() throws {
    let world = try Saved.open()
    try world.update("b", .favorite)
    try world.update("a", .favorite)
    #expect(world.walletRequests.count == 2)
    try world.update("b", .name("same"))
    #expect(throws: CheckoutError.self) { try world.update("a", .name("same")) }
    try world.update("a", .name("other"))
    try world.update("a", .name("Mine"))
    #expect(world.walletRequests.count == 5)
    #expect(world.results.isEmpty)
  }

  @Test("A name is one line to read", arguments: ["", " ", "a\nb", "a\u{85}b", "a\u{2028}b", "a\u{2029}b", "\u{7F}"])
  func names(_ name: String) throws {
    let world = try Saved.open()
    #expect(throws: CheckoutError.self) { try world.update("a", .name(name)) }
    #expect(world.walletRequests.isEmpty)
  }

  @Test(
    "Refusals change nothing and send nothing",
    arguments: [
      ("nobody", "x", ErrorCode.missingToken), ("a", "", .invalidTokenName), ("a", "   ", .invalidTokenName),
      ("a", "two\nlines", .invalidTokenName), ("a", "4111 1111 1111 1111", .invalidTokenName),
      ("a", String(repeating: "x", count: 129), .invalidTokenName), ("a", "Yours", .tokenNameExists),
      ("gc1", "x", .tokenNotRegisterable), ("gc2", "x", .tokenNotRegistered),
    ] as [(String, String, ErrorCode)])
  func refused(_ token: String, _ name: String, _ expected: ErrorCode) throws {
    let world = try Saved.open()
    world.answerBalances(["v-g1": "1.00", "v-g2": "1.00"])
    try world.readCard("10.00", of: Shop.illicado, number: 1)
    try world.readCard("10.00", of: Shop.ogloba, number: 2)
    let before = world.checkout.core.wallet
    #expect(code { () throws(CheckoutError) in try world.update(token, .name(name)) } == expected)
    #expect(world.checkout.core.wallet == before && world.walletRequests.isEmpty)
    let isFresh = token.hasPrefix("gc")
    #expect(
      code { () throws(CheckoutError) in try world.delete(token) }
        == (isFresh ? .methodNotImplemented : token == "a" ? nil : .missingToken))
  }

  @Test("Without a wallet session, or with one that has expired, nothing is changed")
  func noSession() throws {
    let expired = Saved.session.replacing(#""ws1""#, with: #""ws1","expiration_date":"2030-01-01T00:10:00Z""#)
    for beside in ["", expired] {
      let world = try Saved.open(beside: beside)
      if beside == expired { world.advance(11 * 60_000) }
      if beside == expired { world.sampleTime() }
      for command in [
        Command.updateToken("a", .favorite, tag: nil), .updateToken("b", .name("z"), tag: nil),
        .deleteToken(.one("a"), tag: nil), .deleteToken(.all, tag: nil),
      ] {
        let refusal = code { () throws(CheckoutError) in try world.perform(command) }
        #expect(refusal == .missingWalletSession || (beside == expired && world.state(.walletSession).isNull))
      }
      #expect(world.walletRequests.isEmpty)
    }
  }

  @Test("A wallet that does not answer, or refuses, is named, and asked what it has now")
  func failures() throws {
    for (status, expected) in [(500, "UNKNOWN_ERROR"), (403, "UNKNOWN_ERROR"), (401, "MISSING_WALLET_SESSION")] {
      let world = try Saved.open()
      try world.update("a", .name("Hers"))
      world.answer(.wallet, status, "{}")
      #expect(world.results.last?["error"]?["code"]?.string == expected)
      #expect(world.results.last?["error"]?["details"]?["statusCode"]?.int64 == Int64(status))
      #expect(world.saved("a")?["name"]?.string == "Mine")
      #expect(world.walletRequests.first?.method == "GET")
    }
    let world = try Saved.open()
    try world.perform(.deleteToken(.all, tag: nil))
    world.lose(.wallet, left: true)
    #expect(world.results.last?["error"]?["code"]?.string == "FAILED_TO_DELETE_ALL_TOKENS")
    // Some were deleted before the answer got lost.
    world.answer(.wallet, 200, "[\(Saved.token("b", ("aci", "creditcard"), name: "Yours"))]")
    #expect(world.savedState("a") == "TOKEN_DELETED" && world.savedState("b") == nil)
  }

  // MARK: Deleting

  @Test("The selected token is deleted: it pays nothing from the accepted call on, and leaves with the answer")
  func deleteSelected() throws {
    let world = try Saved.open()
    try world.perform(.setPrimary(.token("a")))
    try world.openToken("a")
    try world.delete("a")
    #expect(world.state(.primary).isNull && world.savedState("a") == "TOKEN_BEING_DELETED")
    #expect(world.state(.submitBlockers)[0]?["code"]?.string == "PAYMENT_NOT_FULFILLED_ON_SUBMIT")
    // It cannot be chosen again meanwhile.
    #expect(code { () throws(CheckoutError) in try world.perform(.setPrimary(.token("a"))) } == .methodDisabled)
    #expect(code { () throws(CheckoutError) in try world.delete("a") } == .missingToken)
    #expect(world.walletRequests.first?.method == "DELETE")
    world.answer(.wallet, 204, "")
    #expect(world.saved("a") == nil)
    #expect(world.results.last?["result"]?["deleted"]?[0]?.string == "a")
    #expect(world.heard.contains("a closed"))
    // The change was told before the result.
    let told = world.told.map { $0.kind }
    let change = try #require(told.lastIndex(of: .change))
    let result = try #require(told.lastIndex(of: .result))
    #expect(change < result)
  }

  @Test("A refused deletion leaves the token usable, and not chosen")
  func refusedDeletion() throws {
    let world = try Saved.open()
    try world.perform(.setPrimary(.token("a")))
    try world.delete("a")
    world.answer(.wallet, 500, "{}")
    #expect(world.savedState("a") == nil && world.state(.primary).isNull)
    try world.perform(.setPrimary(.token("a")))
    #expect(world.state(.primary)["token"]?.string == "a")
  }

  @Test("A token that is gone already counts as deleted; one that is renamed or made favorite says so")
  func gone() throws {
    for status in [404, 410] {
      let world = try Saved.open()
      try world.perform(.setPrimary(.token("a")))
      try world.update("a", .name("Hers"))
      world.answer(.wallet, status, "{}")
      #expect(world.results.last?["error"]?["code"]?.string == "MISSING_TOKEN")
      #expect(world.savedState("a") == "TOKEN_DELETED" && world.state(.primary).isNull)
      try world.delete("a")
      world.answer(.wallet, status, "{}")
      #expect(world.saved("a") == nil && world.results.last?["result"]?["deleted"]?.count == 1)
    }
  }

  @Test("All at once: primaries and gift cards, with their slices")
  func deleteAll() throws {
    let world = try Saved.open()
    world.answerBalances(["v-g1": "30.00", "v-g2": "20.00"])
    try world.take("g1", nil)
    try world.perform(.setPrimary(.token("a")))
    try world.perform(.deleteToken(.all, tag: nil))
    #expect(world.state(.amountSplit).count == 0 && world.state(.primary).isNull)
    #expect(code { () throws(CheckoutError) in try world.take("g1", nil) } == .methodDisabled)
    world.answer(.wallet, 204, "")
    #expect(world.state(.paymentTokens).count == 0 && world.state(.savedSecondaryTokens).count == 0)
    try world.perform(.deleteToken(.all, tag: nil))
    #expect(world.results.last?["result"]?["ignored"]?.boolean == true)
  }

  @Test("In flight, and while the outcome is unknown, nothing of the wallet is changed")
  func inFlight() throws {
    let world = try Saved.open()
    let commands: [Command] = [
      .deleteToken(.one("a"), tag: nil), .deleteToken(.all, tag: nil), .updateToken("a", .name("z"), tag: nil),
      .setWalletSession(WalletSession(id: "ws2", owner: "o1", merchant: "m1", expiresAt: nil), tag: nil),
    ]
    func areRefused() -> Bool {
      commands.allSatisfy { command in
        code { () throws(CheckoutError) in try world.perform(command) } == .submitBlocked
      }
    }
    try world.perform(.setPrimary(.token("a")))
    try world.submit()
    #expect(areRefused())
    world.lose(.validate, left: true)
    #expect(world.isUnknown && areRefused())
    try world.perform(.resolve(attempt: 1, .declined))
    // A spent session is no reason to keep a card.
    try world.delete("a")
    world.answer(.wallet, 204, "")
    #expect(world.saved("a") == nil)
  }

  @Test("A submit after an accepted deletion cannot pay with the token, whatever the wallet says in the end")
  func deletionThenSubmit() throws {
    let world = try Saved.open()
    try world.perform(.setPrimary(.token("a")))
    try world.delete("a")
    #expect(code { () throws(CheckoutError) in try world.submit() } == .paymentNotFulfilledOnSubmit)
    try world.perform(.setPrimary(.token("b")))
    try world.submit()
    #expect(world.money.count == 1 && !world.money[0].shownBody.contains("v-a"))
    // The wallet answers while the other one pays.
    world.answer(.wallet, 204, "")
    #expect(world.saved("a") == nil && world.sessionState == "submitting")
    world.answer(.validate, 200, Wire.validated("SUCCESS"))
    #expect(world.outcomes.last?["kind"]?.string == "completed")
  }

  @Test("Deleted elsewhere while it pays: the payment goes on, and the token says so when it is over")
  func deletedElsewhereInFlight() throws {
    let world = try Saved.open()
    try world.update("a", .name("Hers"))
    try world.perform(.setPrimary(.token("a")))
    try world.submit()
    world.answer(.wallet, 404, "{}")
    #expect(world.savedState("a") == "SUBMITTING" && world.state(.amountSplit)[0]?["token"]?.string == "a")
    world.lose(.validate, left: false)
    #expect(world.sessionState == "ready" && world.savedState("a") == "TOKEN_DELETED")
    #expect(code { () throws(CheckoutError) in try world.submit() } == .methodDisabled)
    #expect(world.money.count == 1)
  }

  // MARK: Another wallet session

  private func attach(_ world: World, _ id: String = "ws2", owner: String = "o1") throws(CheckoutError) {
    try world.perform(
      .setWalletSession(WalletSession(id: id, owner: owner, merchant: "m1", expiresAt: nil), tag: "w"))
  }

  @Test("It is attached when the wallet has listed what the shopper has")
  func attach() throws {
    let world = try Saved.open(beside: "")
    try attach(world)
    let request = try #require(world.walletRequests.first)
    #expect(request.method == "GET")
    #expect(request.url == "https://wallet.example/customers/o1/sessions/ws2/tokens?status=ACTIVE")
    #expect(world.state(.walletSession).isNull)
    world.answer(
      .wallet, 200,
      """
      [\(Saved.token("a", ("aci", "creditcard"), name: "Renamed")),\(Saved.token("new", ("aci", "creditcard"))),\
      \(Saved.token("g3", Saved.giftCard)),\(Saved.token("elsewhere", ("nobody", "wallet"))),{"id":7},17]
      """)
    #expect(world.results.last?["result"]?["walletSession"]?["id"]?.string == "ws2")
    #expect(world.state(.walletSession)["id"]?.string == "ws2")
    #expect(world.saved("a")?["name"]?.string == "Renamed" && world.saved("new") != nil)
    #expect(world.savedState("b") == "TOKEN_DELETED" && world.saved("elsewhere") == nil)
    // The gift card that is new is read, too.
    #expect(world.open.contains { $0.request.shownBody.contains("v-g3") })
  }

  @Test("Another shopper's instruments are taken off, and those of nobody stay")
  func otherShopper() throws {
    let world = try Saved.open()
    try world.perform(.setPrimary(.token("a")))
    try attach(world, owner: "o2")
    world.answer(.wallet, 200, "[\(Saved.token("theirs", ("aci", "creditcard"), owner: "o2"))]")
    #expect(world.saved("a") == nil && world.saved("g1") == nil && world.state(.primary).isNull)
    #expect(world.saved("theirs") != nil && world.saved("t1") != nil)
  }

  @Test("The same is ignored, a later one replaces one that is on its way, a refused one changes nothing")
  func attachTwice() throws {
    let world = try Saved.open()
    try world.perform(
      .setWalletSession(WalletSession(id: "ws1", owner: "o1", merchant: "m1", expiresAt: nil), tag: nil))
    #expect(world.results.last?["result"]?["ignored"]?.boolean == true)
    try attach(world, "ws2")
    try attach(world, "ws3")
    #expect(world.results.last?["error"]?["code"]?.string == "SET_WALLET_SESSION_FAILED")
    world.settleCancelled()
    #expect(world.walletRequests.count == 1)
    for body in ["{}", "null", ""] {
      world.answer(.wallet, 200, body)
      #expect(world.results.last?["error"]?["code"]?.string == "SET_WALLET_SESSION_FAILED")
      #expect(world.state(.walletSession)["id"]?.string == "ws1" && world.savedState("a") == nil)
      try attach(world, "ws2")
    }
    world.answer(.wallet, 401, "{}")
    #expect(world.results.last?["error"]?["details"]?["statusCode"]?.int64 == 401)
    let old = WalletSession(id: "ws9", owner: "o1", merchant: "m1", expiresAt: 1)
    let refusal = code { () throws(CheckoutError) in try world.perform(.setWalletSession(old, tag: nil)) }
    #expect(refusal == .setWalletSessionFailed)
  }

  // MARK: What is reported

  private func monitored(_ beside: String = Saved.session) throws -> World {
    let world = try Saved.open(
      beside: beside, monitoring: MonitoringOptions(version: "9.8.7", device: MonitoringTests.device))
    world.answerBalances(["v-g1": "30.00", "v-g2": "20.00"])
    return world
  }

  // seed: 004:69
  // seed: 004:91
  @Test("What is done to a saved instrument, by the wallet's own id of it and never by its name")
  func walletEvents() throws {
    let world = try monitored()
    let codes = try MonitoringTests.codes(world) {
      try world.update("b", .name("Grandmother's"))
      try world.update("b", .favorite)
      try world.update("g1", .name("Grandfather's"))
      try world.delete("a")
      try world.perform(.deleteToken(.all, tag: nil))
    }
    #expect(
      codes.filter { !$0.hasPrefix("METHOD_DISABLED") } == [
        "TOKEN_EDIT", "TOKEN_SET_FAVORITE", "TOKEN_EDIT", "TOKEN_DELETE", "DELETE_ALL_TOKENS",
      ])
    let ids = world.messages.compactMap { $0["event"]?["payload"]?["tokenId"]?.string }
    #expect(ids == ["b", "b", "g1", "a"])
    #expect(!world.monitoring.contains { $0.shownBody.contains("Grand") || $0.shownBody.contains("v-") })
  }

  // seed: 004:64
  @Test("A wallet session is told when it is attached, and when it could not be; messages then carry its id")
  func walletSessionEvents() throws {
    let world = try monitored("")
    let failed = try MonitoringTests.codes(world) {
      try attach(world)
      world.answer(.wallet, 500, "{}")
    }
    #expect(failed == ["SET_WALLET_SESSION_FAILED"])
    world.background()
    #expect(world.messages.last?["walletSessionId"] == nil)
    let attached = try MonitoringTests.codes(world) {
      try attach(world)
      world.answer(.wallet, 200, "[]")
    }
    #expect(attached.contains("SET_WALLET_SESSION") && !attached.contains("SET_WALLET_SESSION_FAILED"))
    #expect(world.messages.last?["walletSessionId"]?.string == "ws2")
    let refused = try MonitoringTests.codes(world) {
      let old = WalletSession(id: "ws9", owner: "o1", merchant: "m1", expiresAt: 1)
      _ = code { () throws(CheckoutError) in try world.perform(.setWalletSession(old, tag: nil)) }
    }
    #expect(refused == ["SET_WALLET_SESSION_FAILED"])
    // One that the client session brings is told, too.
    let brought = try monitored()
    brought.background()
    #expect(MonitoringTests.codes(brought).contains("SET_WALLET_SESSION"))
    #expect(brought.messages.last?["walletSessionId"]?.string == "ws1")
  }

  // seed: 004:70
  @Test("A simulation and a save decision, without amount or name")
  func decisionEvents() throws {
    let world = try monitored()
    let codes = try MonitoringTests.codes(world) {
      try world.perform(.simulateLoan(item: "younited-loan", amount: 7_777, tag: nil))
      try world.perform(.register(Registration(source: .item(Shop.card), name: "Grandmother's"), isWanted: true))
      try world.readCard("10.00", of: Shop.ogloba, number: 4)
      try world.perform(.register(Registration(source: .token("gc1"), name: "Grandfather's"), isWanted: true))
    }
    for code in ["METHOD_LOAN_SIM", "METHOD_REGISTER", "SECONDARY_TOKEN_REGISTER"] { #expect(codes.contains(code)) }
    #expect(MonitoringTests.payload("METHOD_REGISTER", world)?["saveToken"]?.boolean == true)
    let bodies = world.monitoring.map { $0.shownBody }.joined()
    for secret in ["Grand", "77.77", "7777", "gc1"] { #expect(!bodies.contains(secret)) }
  }

  // MARK: Sessions, snapshots, teardown

  @Test("Another client session: what was deleted stays away, an attached wallet session stays and is asked again")
  func nextSession() throws {
    let world = try Saved.open(beside: "")
    try attach(world)
    world.answer(
      .wallet, 200, "[\(Saved.token("a", ("aci", "creditcard"))),\(Saved.token("b", ("aci", "creditcard")))]")
    try world.delete("a")
    world.answer(.wallet, 204, "")
    let fates = try world.perform(.setSession(widgetData: Saved.blob("s2", beside: "").text))["items"]
    #expect(world.saved("a") == nil && world.state(.walletSession)["id"]?.string == "ws2")
    #expect(world.walletRequests.map { $0.method } == ["GET"])
    let fate = fates?.elements.first { $0["id"]?.string == "b" }
    #expect(fate?["fate"]?.string == "rebuilt" && fate?["reason"]?.string == "savedInstrument")
    // One that brings its own takes its place.
    try world.perform(.setSession(widgetData: Saved.blob("s3").text))
    #expect(world.state(.walletSession)["id"]?.string == "ws1")
    try world.perform(.setSession(widgetData: Saved.blob("s4", beside: "").text))
    #expect(world.state(.walletSession).isNull)
  }

  @Test("A snapshot keeps what the session's text does not say, and says nothing where it does")
  func snapshot() throws {
    let fresh = try Saved.open()
    #expect(World.parse(fresh.checkout.saveState(fresh.moment))["wallet"]?.isNull == true)
    let world = try Saved.open(beside: "")
    try attach(world)
    world.answer(
      .wallet, 200, "[\(Saved.token("a", ("aci", "creditcard"))),\(Saved.token("new", ("aci", "creditcard")))]")
    try world.update("a", .name("Hers"))
    world.answer(.wallet, 204, "")
    try world.perform(.setPrimary(.token("new")))
    let text = world.checkout.saveState(world.moment)
    let (again, reply) = try world.restored(from: text)
    #expect(again.saved("a")?["name"]?.string == "Hers" && again.state(.primary)["token"]?.string == "new")
    #expect(again.state(.walletSession)["id"]?.string == "ws2" && reply["skipped"]?.count == 0)
    // What was deleted elsewhere is not kept.
    #expect(world.savedState("b") == "TOKEN_DELETED" && again.saved("b") == nil && again.saved("t1") != nil)
    // It may have changed while nobody looked.
    #expect(again.walletRequests.map { $0.method } == ["GET"])
    let edited = text.replacing(#""owner":"o1""#, with: #""owner":7"#)
    let refusal = code { () throws(CheckoutError) in _ = try world.restored(from: edited) }
    #expect(refusal == .sessionMalformed)
  }

  @Test("Torn down: calls that are open end, and their requests are taken back")
  func teardown() throws {
    let world = try Saved.open()
    try world.update("a", .name("Hers"))
    try world.delete("b")
    try world.perform(.simulateLoan(item: "younited-loan", amount: nil, tag: nil))
    let open = world.open.count
    try world.perform(.teardown)
    let ended = world.results.suffix(3)
    #expect(ended.allSatisfy { $0["error"]?["code"]?.string == "CHECKOUT_TORN_DOWN" } && world.checkout.core.isDrained)
    world.settleCancelled()
    #expect(open >= 5 && world.open.isEmpty)
    #expect(code { () throws(CheckoutError) in try world.delete("a") } == .checkoutTornDown)
  }
}

extension World {
  /// The time service's answer, so that expiries are certain.
  func sampleTime() {
    let text = DateText.iso8601(clock.wall)
    answer(.time, 200, #"{"utc":"\#(text)"}"#)
  }
}
