import Foundation
import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

/// What is told to Purse of a checkout's life, and when.
@Suite("Monitoring")
struct MonitoringTests {
  static let device = MonitoredDevice(osVersion: "12.4", model: "Till 7", screen: "1920x1080") ?? .unnamed

  static func options(_ hooks: [Hook] = [], steps: [Step] = [.collect]) -> CheckoutOptions {
    var options = World.options(hooks, capabilities: steps)
    options.monitoring = MonitoringOptions(version: "9.8.7", device: device)
    return options
  }

  static func world(_ blob: Blob = Blob(), _ hooks: [Hook] = []) throws -> World { try World(blob, options(hooks)) }

  /// Names without the prefix that all have.
  static func codes(_ world: World) -> [String] {
    world.messages.compactMap { $0["event"]?["code"]?.string.map { String($0.dropFirst("HEADLESS_CHECKOUT_".count)) } }
  }

  /// What is told from here on.
  static func codes(_ world: World, _ act: () throws -> Void) throws -> [String] {
    world.background()
    let before = world.messages.count
    try act()
    world.background()
    return Array(codes(world).dropFirst(before))
  }

  static func payload(_ code: String, _ world: World) -> JSONValue? {
    world.background()
    return world.messages.last { $0["event"]?["code"]?.string == "HEADLESS_CHECKOUT_" + code }?["event"]?["payload"]
  }

  static let card = PrimaryChoice.item("purse-creditcard")

  static func choose(_ world: World) throws {
    try world.perform(.setPrimary(card))
    try world.perform(.elementOpen(ElementOpen(choice: card, presentsRedirects: true, appReturnURL: nil, tag: nil)))
    try world.perform(.elementReport(element: "purse-creditcard", .formValidity(true)))
  }

  static func submit(_ world: World) throws {
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    if world.openTickets.contains(where: { $0.kind == .step }) { try world.answerTicket(.step, .ok(Wire.token)) }
  }

  static func readCard(_ world: World, _ item: String = "illicado-giftcard") throws {
    try world.perform(
      .readSecondary(
        ReadSecondary(
          item: item, number: TypedNumber(secret: SecretID(1), length: 16, lastFour: "0001"), securityCode: nil,
          tag: nil)))
    world.answer(.initialize, 200, Wire.initialized("50.00"))
  }

  // MARK: The envelope

  // seed: 004:59
  // seed: 004:55b
  @Test("each message says whose it is")
  func envelope() throws {
    let world = try Self.world()
    world.background()
    let messages = world.messages
    #expect(messages.count >= 3)
    for message in messages {
      #expect(message["entityId"]?.string == "e1")
      #expect(message["paymentSessionId"]?.string == "s1")
      #expect(message["instanceId"]?.string == world.checkout.core.instanceID)
      #expect(message["version"]?.string == "9.8.7")
      #expect(message["env"]?.string == "sandbox")
      #expect(message["platform"]?.string == "c")
      #expect(message["event"]?["dateString"]?.string == "2030-01-01T00:00:00Z")
      #expect(message["event"]?["clientDate"]?.string == "2030-01-01T00:00:00Z")
      #expect(message["event"]?["code"]?.string?.hasPrefix("HEADLESS_CHECKOUT_") == true)
    }
    let request = try #require(world.monitoring.first)
    #expect(request.url == "https://logs.example/widget/headless_checkout?api-key=k")
    #expect(request.method == "POST")
    #expect(request.money == .none)
  }

  @Test("dates are the server's once its clock is known")
  func serverDates() throws {
    let world = try Self.world()
    let time = try #require(world.open.first { $0.request.call == .time })
    world.receive(
      time.id, .answer(Answer(status: 200, date: nil, body: Array(#"{"iso":"2029-12-31T23:00:00Z"}"#.utf8))))
    world.background()
    #expect(world.messages.first?["event"]?["dateString"]?.string == "2029-12-31T23:00:00Z")
    #expect(world.messages.first?["event"]?["clientDate"]?.string == "2030-01-01T00:00:00Z")
  }

  @Test("the instance id is kept over another session and over a restart")
  func instanceIsKept() throws {
    let world = try Self.world()
    try world.perform(.setSession(widgetData: Blob(id: "s2").text))
    let (again, _) = try world.restored(from: world.checkout.saveState(world.moment))
    again.background()
    let ids = Set((world.messages + again.messages).compactMap { $0["instanceId"]?.string })
    #expect(ids == [world.checkout.core.instanceID])
    #expect(again.messages.first?["event"]?["payload"]?["restored"]?.boolean == true)
    #expect(again.messages.first?["paymentSessionId"]?.string == "s2")
  }

  // seed: 004:55a
  @Test("two checkouts alive at once never cross their envelopes")
  func twoCheckouts() throws {
    let first = try Self.world(Blob(id: "a"))
    let second = try Self.world(Blob(id: "b"))
    try first.perform(.setPrimary(Self.card))
    try second.perform(.setPrimary(.token("t1")))
    try first.perform(.setPrimary(.none))
    first.background()
    second.background()
    #expect(Set(first.messages.compactMap { $0["paymentSessionId"]?.string }) == ["a"])
    #expect(Set(second.messages.compactMap { $0["paymentSessionId"]?.string }) == ["b"])
    #expect(
      Self.codes(second).filter { $0.hasSuffix("PRIMARY") || $0.hasSuffix("SPLIT") } == ["PRIMARY_TOKEN_SET_AS_PRIMARY"]
    )
  }

  @Test("a batch speaks of one session, and goes under that one's key")
  func oneSessionABatch() throws {
    let world = try Self.world()
    try world.perform(.setSession(widgetData: Blob(id: "s2").text))
    world.background()
    for request in world.monitoring {
      let sessions = World.messages(of: request).compactMap { $0["paymentSessionId"]?.string }
      #expect(Set(sessions).count == 1)
    }
    #expect(world.messages.contains { $0["paymentSessionId"]?.string == "s2" })
  }

  // MARK: Batches

  // seed: 004:57a
  @Test("16 events, 10 s, background or teardown send a batch")
  func batches() throws {
    let world = try Self.world()
    let begun = world.checkout.core.monitor.notes.count
    #expect(world.monitoring.isEmpty)
    for _ in begun..<15 { try world.perform(.setPrimary(.token("t1"))) }
    let waiting = world.checkout.core.monitor.notes.count
    #expect(waiting >= 15)
    world.advance(0)
    try world.perform(.setPrimary(.token("t1")))
    world.advance(0)
    #expect(world.monitoring.count == 1)
    #expect(World.messages(of: world.monitoring[0]).count == 16)

    try world.perform(.setPrimary(.token("t1")))
    world.advance(9_999)
    #expect(world.monitoring.count == 1)
    let deadline = world.checkout.nextDeadline(at: world.clock)
    world.advance(1)
    #expect(world.monitoring.count == 2)
    #expect(deadline ?? 0 <= world.clock.boot)

    try world.perform(.setPrimary(.token("t1")))
    world.background()
    #expect(world.monitoring.count == 3)
    world.background()
    #expect(world.monitoring.count == 3)

    try world.perform(.teardown)
    #expect(world.monitoring.count == 4)
    #expect(Self.codes(world).last == "PAGE_UNLOAD")
  }

  @Test("no batch is larger than 64 KB, however long the texts are")
  func largestBatch() throws {
    let world = try Self.world()
    let long = String(repeating: "\\\"ééé", count: 200)
    let lines = (0..<40).map { _ in
      PaymentResult.Line(
        item: "purse-creditcard", state: long, code: long, description: MaskedText(long),
        partnerStatus: MaskedText(long))
    }
    for _ in 0..<16 {
      world.checkout.noteForTests(PaymentResult(status: long, verdict: .success, lines: lines))
    }
    world.advance(0)
    #expect(!world.monitoring.isEmpty)
    world.background()
    for request in world.monitoring { #expect(World.body(of: request).utf8.count <= 65_536) }
    #expect(Self.codes(world).filter { $0 == "VALIDATION_SUCCESS" }.count == 16)
  }

  @Test("an estimate of bytes is never too small")
  func estimates() {
    let long = String(repeating: "\"", count: 100)
    let method = PaymentMethod(
      id: "x", partner: String(repeating: "\u{1}", count: 300), method: long, kind: .primary, nature: .card)
    let item = MonitoredItem(method)
    let device = MonitoredDevice(osVersion: String(long.prefix(64)), model: String(long.prefix(64)), screen: nil)
    let events: [MonitoringEvent] = [
      .create(device ?? .unnamed, isRestore: true), .partnerUIEvent(item, .incompatible, reason: MaskedText(long)),
      .methodDisabled(item, .amountConditionUnreachable),
      .primaryTokenSetAsPrimary(
        MonitoredToken(PaymentToken(id: long, item: "x", mask: "", expiresAt: nil, value: ""), of: method)),
    ]
    for event in events {
      var writer = JSONWriter()
      writer.beginObject()
      event.writePayload(to: &writer) { _ in "/{entityId}/sessions/{sessionId}/validate" }
      writer.endObject()
      #expect(writer.text.utf8.count + 160 <= event.mostBytes)
    }
  }

  // seed: 004:57b
  @Test("a failed batch is gone, and no key means no traffic")
  func failuresAreSilent() throws {
    let world = try Self.world()
    world.background()
    let before = world.checkout.core.properties(Property.allCases)
    let told = world.told.count
    for answer in [Received.nothing(left: true, reason: "lost"), .answer(Answer(status: 500, date: nil, body: []))] {
      try world.perform(.setPrimary(.none))
      world.background()
      let batch = try #require(world.open.last { $0.request.call == .monitoring })
      world.receive(batch.id, answer)
    }
    world.advance(60_000)
    #expect(world.monitoring.count == 3)
    #expect(world.checkout.core.properties(Property.allCases) == before)
    #expect(world.told.dropFirst(told).allSatisfy { $0.kind == .monitoring })

    let silent = try Self.world(Blob(key: nil))
    try Self.choose(silent)
    silent.background()
    silent.advance(60_000)
    try silent.perform(.teardown)
    #expect(silent.monitoring.isEmpty)
    #expect(!silent.told.contains { $0.kind == .monitoring })
  }

  // seed: 004:93-95
  @Test("it is on whenever there is a key; only the host can switch it off")
  func switchedOff() throws {
    let off = try World(Blob(), World.options())
    try Self.choose(off)
    off.background()
    try off.perform(.teardown)
    #expect(off.monitoring.isEmpty)
    #expect(!off.told.contains { $0.kind == .monitoring })
    let on = try Self.world()
    on.background()
    #expect(on.monitoring.count == 1)
  }

  // seed: 004:51b
  @Test("the host is told what is sent, to the byte, and nothing sooner")
  func auditCopy() throws {
    let world = try Self.world()
    try Self.choose(world)
    world.background()
    try world.perform(.teardown)
    let copies = world.told.filter { $0.kind == .monitoring }.compactMap { $0.json["messages"]?.compactText }
    #expect(copies == world.monitoring.map { World.body(of: $0) })
    #expect(copies.count == 2)
  }

  @Test("a date of the log host's is not believed")
  func clockIsNotTakenFromLogs() throws {
    let world = try Self.world()
    world.background()
    let batch = try #require(world.open.first { $0.request.call == .monitoring })
    let late = "Fri, 01 Jan 2038 00:00:00 GMT"
    world.receive(batch.id, .answer(Answer(status: 204, date: late, body: [])))
    world.advance(0)
    #expect(world.sessionState == "ready")
  }

  @Test("nothing competes with a payment: a full batch waits for its outcome, at most its 10 s")
  func batchesWaitForThePayment() throws {
    let world = try Self.world(Blob(), [.beforeValidate])
    try Self.choose(world)
    try Self.submit(world)
    for _ in 0..<16 { world.checkout.refuseForTests(world.moment) }
    world.advance(0)
    #expect(world.monitoring.isEmpty)
    try world.answerTicket(.beforeValidate, .ok("{}"))
    world.answer(.validate, 200, Wire.validated("SUCCESS"))
    world.advance(0)
    #expect(world.monitoring.count >= 1)
    #expect(World.messages(of: world.monitoring[0]).count == 16)

    let waiting = try Self.world(Blob(), [.beforeValidate])
    try Self.choose(waiting)
    try Self.submit(waiting)
    waiting.advance(10_000)
    #expect(waiting.monitoring.count >= 1)
  }

  @Test("after teardown what is still noted leaves with the payment's answer, and the checkout is drained")
  func drained() throws {
    let world = try Self.world()
    try Self.choose(world)
    try Self.submit(world)
    let money = try #require(world.open.first { $0.request.money == .opens })
    #expect(world.letsGo(money.id))
    try world.perform(.teardown)
    #expect(!world.checkout.core.isDrained)
    world.receive(
      money.id, .answer(Answer(status: 200, date: nil, body: Array(Wire.validated("SUCCESS").utf8))))
    #expect(Self.codes(world).suffix(2) == ["PARTNER_API_CALL_END", "VALIDATION_SUCCESS"])
    #expect(!world.checkout.core.isDrained)
    world.settleCancelled()
    for batch in world.open.filter({ $0.request.call == .monitoring }) {
      world.receive(batch.id, .nothing(left: false, reason: "no network"))
    }
    #expect(world.checkout.core.isDrained)
  }

  // MARK: The codes

  // seed: 004:62
  @Test("creation and restore: CREATE with the device, then READY")
  func created() throws {
    let world = try Self.world()
    world.background()
    #expect(Self.codes(world).prefix(4).contains("CREATE"))
    #expect(Self.codes(world).contains("READY"))
    let payload = try #require(Self.payload("CREATE", world))
    #expect(payload["osVersion"]?.string == "12.4")
    #expect(payload["model"]?.string == "Till 7")
    #expect(payload["screen"]?.string == "1920x1080")
    #expect(payload["restored"]?.boolean == false)
  }

  // seed: 004:63
  @Test("a session is set, refreshed, and expires")
  func sessions() throws {
    let world = try Self.world()
    #expect(Self.payload("SET_SESSION", world)?["nb_methods"]?.int64 == 4)
    try world.perform(.setSession(widgetData: Blob(id: "s2").text))
    #expect(Self.payload("SET_SESSION", world)?["nb_methods"]?.int64 == 4)
    #expect(Self.payload("SET_SESSION", world)?["nb_survivors"]?.int64 == 2)
    #expect(try Self.codes(world) { try world.perform(.setSession(widgetData: Blob(id: "s2").text)) } == [])
    #expect(try Self.codes(world) { world.advance(3_600_000) }.filter { $0 == "EXPIRED_SESSION" }.count == 1)
  }

  // seed: 004:65
  @Test("a method that enters a disabled state is told, with its code alone, and never for submitting")
  func disabled() throws {
    let world = try Self.world()
    try Self.readCard(world)
    _ = try Self.codes(world) {}
    let seen = try Self.codes(world) { try world.perform(.applySecondary(token: "gc1", amount: nil)) }
    #expect(!seen.contains("METHOD_DISABLED"))

    let small = try Self.world(Blob(amount: "55.00"))
    try Self.readCard(small)
    let entered = try Self.codes(small) { try small.perform(.applySecondary(token: "gc1", amount: nil)) }
    #expect(entered == ["SECONDARY_TOKEN_TAKE", "METHOD_DISABLED"])
    let payload = try #require(Self.payload("METHOD_DISABLED", small))
    #expect(
      payload.compactText
        == #"{"partner":"hipay","method":"bancontact","code":"MIN_AMOUNT_NOT_MET","filtered":false,"recoverable":true}"#
    )
    #expect(
      try Self.codes(small) { try small.perform(.removeSecondary(token: "gc1")) } == [
        "SECONDARY_TOKEN_REMOVE_FROM_SPLIT"
      ])

    try Self.choose(world)
    let paid = try Self.codes(world) {
      try Self.submit(world)
      world.answer(.validate, 200, Wire.validated("SUCCESS"))
    }
    #expect(!paid.contains("METHOD_DISABLED"))
  }

  @Test("a method that is filtered out is an event and no item")
  func filtered() throws {
    let world = try World(Blob(amount: "7.00"), Self.options([], steps: []))
    world.background()
    let told = world.messages.filter { $0["event"]?["code"]?.string == "HEADLESS_CHECKOUT_METHOD_DISABLED" }
      .compactMap { $0["event"]?["payload"]?.compactText }
    #expect(
      told == [
        #"{"partner":"purse","method":"creditcard","code":"PLUGIN_INCOMPATIBLE","filtered":true,"recoverable":false}"#,
        #"{"partner":"hipay","method":"bancontact","code":"AMOUNT_CONDITION_UNREACHABLE","filtered":true,"recoverable":false}"#,
      ])
  }

  // seed: 004:66
  @Test("selection")
  func selection() throws {
    let world = try Self.world()
    let seen = try Self.codes(world) {
      try world.perform(.setPrimary(Self.card))
      try world.perform(.setPrimary(.token("t1")))
      try world.perform(.setPrimary(.none))
    }
    #expect(
      seen == [
        "METHOD_SET_PRIMARY", "PAYMENT_FULFILLED", "PRIMARY_TOKEN_SET_AS_PRIMARY", "CLEAR_PRIMARY_SPLIT",
        "PAYMENT_FULFILLED",
      ])
    #expect(Self.payload("METHOD_SET_PRIMARY", world)?.compactText == #"{"partner":"purse","method":"creditcard"}"#)
    #expect(Self.payload("CLEAR_PRIMARY_SPLIT", world)?.compactText == #"{"partner":"purse","method":"creditcard"}"#)
  }

  // seed: 004:67
  @Test("an element is built for an item")
  func elements() throws {
    let world = try Self.world()
    let seen = try Self.codes(world) {
      for choice in [Self.card, .token("t1")] {
        try world.perform(
          .elementOpen(ElementOpen(choice: choice, presentsRedirects: false, appReturnURL: nil, tag: nil)))
      }
    }
    #expect(seen == ["METHOD_GET_PAYMENT_ELEMENT", "PRIMARY_TOKEN_GET_PAYMENT_ELEMENT"])
  }

  // seed: 004:91
  @Test("a saved token is told by the wallet's id")
  func savedTokens() throws {
    let world = try Self.world()
    try world.perform(.setPrimary(.token("t1")))
    #expect(
      Self.payload("PRIMARY_TOKEN_SET_AS_PRIMARY", world)?.compactText
        == #"{"partner":"purse","method":"creditcard","tokenId":"t1"}"#)
  }

  // seed: 004:68
  // seed: 004:88c
  @Test("gift cards: whether a slice is partial, never its amount, and never the typed card's id")
  func giftCards() throws {
    let world = try Self.world()
    let seen = try Self.codes(world) {
      try Self.readCard(world)
      try world.perform(.applySecondary(token: "gc1", amount: 1_234))
      try world.perform(.applySecondary(token: "gc1", amount: nil))
      try world.perform(.removeSecondary(token: "gc1"))
    }
    #expect(
      seen == [
        "METHOD_GET_SECONDARY_TOKEN", "PARTNER_API_CALL_START", "PARTNER_API_CALL_END", "SECONDARY_TOKEN_TAKE",
        "SECONDARY_TOKEN_TAKE", "SECONDARY_TOKEN_REMOVE_FROM_SPLIT",
      ])
    let takes = world.messages.filter { $0["event"]?["code"]?.string?.hasSuffix("SECONDARY_TOKEN_TAKE") == true }
    #expect(takes.compactMap { $0["event"]?["payload"]?["partial"]?.boolean } == [true, false])
    for request in world.monitoring {
      let body = World.body(of: request)
      #expect(!body.contains("gc1"))
      #expect(!body.contains("1234"))
      #expect(!body.contains("0001"))
    }
  }

  // seed: 004:71
  @Test("a partner's report, with a capped reason; a refused device at creation")
  func partners() throws {
    let world = try Self.world()
    try Self.choose(world)
    let why = "refused 4111 1111 1111 1111 for 12.34 EUR by jane@shop.example: " + String(repeating: "x", count: 99)
    let seen = try Self.codes(world) {
      try world.perform(.elementReport(element: "purse-creditcard", .partnerError(why, recoverable: true)))
    }
    #expect(seen == ["PARTNER_UI_EVENT", "METHOD_DISABLED"])
    let payload = try #require(Self.payload("PARTNER_UI_EVENT", world))
    #expect(payload["code"]?.string == "partnerError")
    #expect(payload["partner"]?.string == "purse")
    #expect(payload["reason"]?.string == "refused * * * * for * EUR by * " + String(repeating: "x", count: 33))
    #expect(payload["reason"]?.string?.unicodeScalars.count == 64)
    #expect(
      try Self.codes(world) { try world.perform(.elementReport(element: "purse-creditcard", .ready)) }
        == ["PARTNER_UI_EVENT"])
    #expect(
      try Self.codes(world) { try world.perform(.elementReport(element: "purse-creditcard", .formValidity(false))) }
        == [])

    let refused = try World(Blob(), Self.options([], steps: []))
    #expect(Self.payload("PARTNER_UI_EVENT", refused)?["code"]?.string == "incompatible")
  }

  // seed: 004:72
  @Test("around every call of the payment API: method, path, duration, success")
  func calls() throws {
    let world = try Self.world()
    try Self.choose(world)
    try Self.submit(world)
    world.clock.boot += 321
    world.answer(.validate, 503, "{}")
    let start = try #require(Self.payload("PARTNER_API_CALL_START", world))
    #expect(
      start.compactText
        == #"{"call":"validate","httpMethod":"POST","path":"/{entityId}/sessions/{sessionId}/validate"}"#)
    let end = try #require(Self.payload("PARTNER_API_CALL_END", world))
    #expect(end["durationMs"]?.int64 == 321)
    #expect(end["success"]?.boolean == false)
    #expect(!Self.codes(world).contains { $0.contains("TIME") })
  }

  // seed: 004:73
  @Test("the split starts covering the amount, or stops to")
  func fulfilled() throws {
    let world = try Self.world(Blob(amount: "50.00"))
    try Self.readCard(world)
    try world.perform(.applySecondary(token: "gc1", amount: nil))
    #expect(Self.payload("PAYMENT_FULFILLED", world)?["isFulfilled"]?.boolean == true)
    try world.perform(.removeSecondary(token: "gc1"))
    #expect(Self.payload("PAYMENT_FULFILLED", world)?["isFulfilled"]?.boolean == false)
    // It follows the split and not the form.
    try world.perform(.setPrimary(Self.card))
    #expect(Self.payload("PAYMENT_FULFILLED", world)?["isFulfilled"]?.boolean == true)
  }

  // seed: 004:74
  @Test("a submit that entered, and a second one that was refused")
  func submits() throws {
    let world = try Self.world()
    try Self.choose(world)
    let seen = try Self.codes(world) {
      try Self.submit(world)
      #expect(throws: CheckoutError.self) { try Self.submit(world) }
    }
    #expect(
      seen == ["SUBMIT_PAYMENT", "VALIDATION_STARTED", "PARTNER_API_CALL_START", "SUBMIT_BLOCKED"])
    #expect(Self.payload("SUBMIT_PAYMENT", world)?["nb_splits"]?.int64 == 1)
    #expect(Self.payload("SUBMIT_BLOCKED", world)?["state"]?.string == "submitting")
    #expect(Self.payload("VALIDATION_STARTED", world)?["nb_items"]?.int64 == 1)
  }

  // seed: 004:75
  // seed: 004:88a
  @Test("around /validate, with each attempt's statuses", arguments: ["SUCCESS", "FAILED", "WAITING"])
  func validation(_ status: String) throws {
    let world = try Self.world()
    try Self.choose(world)
    try Self.submit(world)
    let answer = """
      {"results":[{"partner":"purse","method":"creditcard","transaction_id":"tx-778899","session_id":"s1",\
      "plugin_result":{"status":"OK_PARTNER","amount":120.00,"pan":"4111111111111111"},\
      "status":{"action":"AUTHORIZE","state":"\(status)","code":"E42","description":"card 4111111111111111 of 120.00"}},\
      {"partner":"stranger","method":"9999","status":{"state":"S","code":"C"}}],\
      "redirection":{},"global_status":"\(status)"}
      """
    world.answer(.validate, 200, answer)
    let code = status == "SUCCESS" ? "VALIDATION_SUCCESS" : "VALIDATION_FAILED"
    let payload = try #require(Self.payload(code, world))
    #expect(
      payload.compactText == """
        {"global_status":"\(status)","results":[{"partner":"purse","method":"creditcard","state":"\(status)",\
        "code":"E**","description":"card * of *","partnerStatus":"OK_PARTNER"},{"state":"S","code":"C"}]}
        """)
  }

  // seed: 004:76
  // seed: 004:88b
  @Test("a payment error: its code, the failing path and the status, never the answer")
  func paymentErrors() throws {
    let world = try Self.world()
    try Self.choose(world)
    try Self.submit(world)
    world.answer(.validate, 422, #"{"code":"SECRET_BODY","message":"for 120.00"}"#)
    #expect(
      Self.payload("PAYMENT_ERROR", world)?.compactText == """
        {"code":"VALIDATE_FAILED","call":"validate","httpMethod":"POST",\
        "path":"/{entityId}/sessions/{sessionId}/validate","api_status":422}
        """)
    for request in world.monitoring { #expect(!World.body(of: request).contains("SECRET_BODY")) }

    // A refused submit is one, too.
    let refused = try Self.world()
    let seen = try Self.codes(refused) {
      #expect(throws: CheckoutError.self) { try Self.submit(refused) }
    }
    #expect(seen == ["SUBMIT_PAYMENT", "PAYMENT_ERROR"])
    #expect(Self.payload("PAYMENT_ERROR", refused)?["code"]?.string == "PAYMENT_NOT_FULFILLED_ON_SUBMIT")

    let lost = try Self.world()
    try Self.choose(lost)
    try Self.submit(lost)
    lost.lose(.validate, left: true)
    #expect(Self.payload("PAYMENT_ERROR", lost)?["code"]?.string == "OUTCOME_UNKNOWN")
    #expect(Self.payload("PAYMENT_ERROR", lost)?["api_status"] == nil)
  }

  // seed: 004:77
  // seed: 001:20c
  @Test("one of the host's hooks threw")
  func hooks() throws {
    let world = try Self.world(Blob(), [.beforeValidate])
    try Self.choose(world)
    try Self.submit(world)
    try world.answerTicket(.beforeValidate, .error("out of stock of 4111111111111111"))
    #expect(Self.payload("ON_BEFORE_VALIDATE_HOOK_FAILED", world)?.compactText == "{}")
    #expect(Self.payload("PAYMENT_ERROR", world)?["code"]?.string == "ON_BEFORE_VALIDATE_HOOK_FAILED")

    let after = try Self.world(Blob(), [.afterValidate])
    try Self.choose(after)
    try Self.submit(after)
    after.answer(.validate, 200, Wire.validated("SUCCESS"))
    try after.answerTicket(.afterValidate, .error("boom"))
    #expect(Self.payload("CLIENT_HOOK_ERROR", after)?.compactText == #"{"hook":"afterValidate"}"#)
    #expect(after.outcomes.last?["kind"]?.string == "completed")

    // No answer in time is an error as well.
    let silent = try Self.world(Blob(), [.afterValidate])
    try Self.choose(silent)
    try Self.submit(silent)
    silent.answer(.validate, 200, Wire.validated("SUCCESS"))
    silent.advance(30_000)
    #expect(Self.payload("CLIENT_HOOK_ERROR", silent)?.compactText == #"{"hook":"afterValidate"}"#)
  }

  // seed: 004:78
  @Test("PAGE_UNLOAD at teardown, once")
  func unload() throws {
    let world = try Self.world()
    try world.perform(.teardown)
    try world.perform(.teardown)
    #expect(Self.codes(world).filter { $0 == "PAGE_UNLOAD" }.count == 1)
  }

  // seed: 004:89
  @Test("of a state only its code")
  func stateMessages() throws {
    let world = try Self.world(Blob(amount: "55.00"))
    try Self.readCard(world)
    try world.perform(.applySecondary(token: "gc1", amount: nil))
    world.background()
    let body = world.monitoring.map { World.body(of: $0) }.joined()
    #expect(body.contains("MIN_AMOUNT_NOT_MET"))
    for word in ["too small", "messageKey", "restToPay", "details", "1000", "500"] { #expect(!body.contains(word)) }
  }

  // seed: 004:80
  @Test("the whole vocabulary is there, and what is sent of it is marked")
  func vocabulary() {
    let emitted = MonitoringCode.allCases.filter { $0.isEmitted }
    #expect(MonitoringCode.allCases.count == 45)
    #expect(emitted.count == 35)
    #expect(Set(MonitoringCode.allCases.map { $0.text }).count == 45)
    #expect(MonitoringCode.allCases.allSatisfy { $0.text.hasPrefix("HEADLESS_CHECKOUT_") })
  }

  @Test("a payment goes the same way with monitoring and without it")
  func changesNothing() throws {
    for status in ["SUCCESS", "FAILED", "WAITING"] {
      var outputs: [[String]] = []
      for options in [World.options([.checkpoint]), Self.options([.checkpoint])] {
        let world = try World(Blob(), options)
        try Self.choose(world)
        try Self.submit(world)
        try world.answerTicket(.checkpoint, .ok("{}"))
        world.answer(.validate, 200, Wire.validated(status))
        try world.perform(.teardown)
        let due = world.checkout.takeChange().map { [World.parse($0)] } ?? []
        outputs.append(
          (world.told.filter { $0.kind != .monitoring }.map { $0.json } + due).map { Self.unnumbered($0) }
            + world.money.map { World.body(of: $0) })
      }
      #expect(outputs[0] == outputs[1])
    }
  }

  private static func unnumbered(_ event: JSONValue) -> String {
    event.members.filter { $0.key != "seq" }.map { $0.key + $0.value.compactText }.joined()
  }
}

@Suite("Monitoring text")
struct MaskedTextTests {
  @Test(
    "digits are masked and no more than 64 characters stay",
    arguments: [
      ("", ""), ("declined by issuer", "declined by issuer"), ("E42", "E**"), ("3DS", "*DS"), ("x123", "*"),
      ("4111 1111 1111 1111", "* * * *"), ("4111-1111-1111-1111", "*"), ("12.34", "*"), ("7.5 EUR", "*.* EUR"),
      ("tx_9f8e7d", "*"), ("a@b", "*"), ("Dupré refusé", "Dupré refusé"), ("٤١١١", "*"), ("４１１１", "*"), ("5²", "*"),
      ("a\nb\u{0}c", "a b c"), ("𝟜𝟙", "*"),
    ])
  func masks(_ free: String, _ wanted: String) {
    #expect(MaskedText(free).text == wanted)
  }

  @Test("any text: no digit, no more than 64 characters, and the same again")
  func properties() {
    var dice = Dice(7)
    let pieces = ["a", "é", "9", "42", " ", "-", "@", "\"", "\u{0}", "漢", "Word", "12.50", "\u{301}"]
    for _ in 0..<5_000 {
      let text = (0..<dice.below(60)).map { _ in dice.pick(pieces) ?? "" }.joined()
      let masked = MaskedText(text).text
      #expect(!masked.contains { $0.isNumber })
      #expect(masked.unicodeScalars.count <= 64)
      #expect(MaskedText(masked).text == masked)
    }
  }
}

extension Checkout {
  /// A verdict without the payment before it.
  mutating func noteForTests(_ result: PaymentResult) { core.noteVerdict(result) }
  mutating func refuseForTests(_ moment: Moment) {
    refused(.submit(Submit(source: nil, skipsBeforeValidate: false)), CheckoutError(.submitBlocked), moment)
  }
}

extension World {
  static func body(of request: Request) -> String {
    request.body.map { part in
      switch part {
      case .text(let text): text
      case .secret(let id): "<secret \(id.value)>"
      }
    }.joined()
  }

  static func messages(of request: Request) -> [JSONValue] { Array(parse(body(of: request)).elements) }

  var messages: [JSONValue] { monitoring.flatMap { World.messages(of: $0) } }
}
