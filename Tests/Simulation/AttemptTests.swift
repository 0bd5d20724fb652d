import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

extension World {
  /// A card payment up to its collect step's answer.
  func submitCard() throws {
    try perform(.setPrimary(.item("purse-creditcard")))
    try perform(
      .elementOpen(
        ElementOpen(choice: .item("purse-creditcard"), presentsRedirects: true, appReturnURL: nil, tag: nil)))
    try perform(.elementReport(element: "purse-creditcard", .formValidity(true)))
    try perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    try answerTicket(.step, .ok(Wire.token))
  }

  var code: String? { outcomes.last?["error"]?["code"]?.string }
  var moved: String? { outcomes.last?["error"]?["moved"]?.string }
}

@Suite("One payment")
struct AttemptTests {
  struct Row {
    var name: String
    var received: Received
    var kind: String
    var code: String?
    var moved: String?
    var state: String
    var unknown: Bool
    var verdict: String?
  }

  static func answer(_ status: Int, _ body: String = "{}") -> Received {
    .answer(Answer(status: status, date: nil, body: Array(body.utf8)))
  }

  /// The table of the design, section 5.
  static let rows: [Row] =
    [
      "SUCCESS": "success", "FAILED": "declined", "ERROR": "declined", "WAITING": "pending", "UNCERTAIN": "pending",
      "SOMETHING_NEW": "pending",
    ].map { status, verdict in
      Row(
        name: status, received: answer(200, Wire.validated(status)), kind: "completed", state: "submitted",
        unknown: false, verdict: verdict)
    }
    + [400, 401, 403, 404, 413, 415, 422, 429].map { status in
      Row(
        name: "\(status)", received: answer(status), kind: "failed", code: "VALIDATE_FAILED", moved: "no",
        state: "ready", unknown: false)
    }
    + [100, 301, 302, 303, 307, 308, 402, 405, 408, 409, 410, 418, 423, 425, 451, 500, 502, 503, 504, 599].map {
      Row(
        name: "\($0)", received: answer($0), kind: "failed", code: "OUTCOME_UNKNOWN", moved: "unknown",
        state: "submitted", unknown: true)
    }
    + ["", "null", "[]", "{}", "<html>", #"{"global_status":1}"#, #"{"global_status":"SUCCESS""#].map {
      Row(
        name: "200 \($0)", received: answer(200, $0), kind: "failed", code: "OUTCOME_UNKNOWN", moved: "unknown",
        state: "submitted", unknown: true)
    }
    + ["SESSION_ALREADY_SUBMITTED", "IdempotencyKeyAlreadyExists"].map {
      Row(
        name: "422 \($0)", received: answer(422, #"{"code":"\#($0)"}"#), kind: "failed", code: "OUTCOME_UNKNOWN",
        moved: "unknown", state: "submitted", unknown: true)
    }
    + [
      Row(
        name: "never left", received: .nothing(left: false, reason: "refused"), kind: "failed", code: "VALIDATE_FAILED",
        moved: "no", state: "ready", unknown: false),
      Row(
        name: "left, silence", received: .nothing(left: true, reason: "timed out"), kind: "failed",
        code: "OUTCOME_UNKNOWN", moved: "unknown", state: "submitted", unknown: true),
    ]

  // seed: 002:5a
  // seed: 002:5b
  // seed: 002:32
  // seed: 002:38
  // seed: 002:40
  @Test("every answer to the money request", arguments: rows.map { $0.name })
  func answers(_ name: String) throws {
    let row = try #require(Self.rows.first { $0.name == name })
    let world = try World(Blob())
    try world.submitCard()
    let money = try #require(world.open.first { $0.request.money == .opens })
    #expect(world.sessionState == "submitting")
    if case .answer = row.received { #expect(world.letsGo(money.id)) }
    world.receive(money.id, row.received)
    let outcome = try #require(world.outcomes.first)
    #expect(world.outcomes.count == 1)
    #expect(outcome["kind"]?.string == row.kind)
    #expect(outcome["error"]?["code"]?.string == row.code)
    #expect(outcome["error"]?["moved"]?.string == row.moved)
    #expect(outcome["verdict"]?.string == row.verdict)
    #expect(world.sessionState == row.state)
    #expect(world.isUnknown == row.unknown)
    #expect(world.money.count == 1)
    // Only ready lets a second one through; anything else refuses it and sends nothing.
    let refusal = submitRefusal(world)
    #expect((refusal == nil) == (row.state == "ready"))
    #expect(world.money.count == 1)
  }

  private func submitRefusal(_ world: World) -> ErrorCode? {
    do throws(CheckoutError) {
      try world.perform(.elementReport(element: "purse-creditcard", .formValidity(true)))
      try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
      return nil
    } catch {
      return error.code
    }
  }

  @Test("after notCreated only a refusal before reading is harmless, and the key stays")
  func repetition() throws {
    for status in [400, 401, 403, 404, 413, 415, 422, 429, 409, 500] {
      let world = try World(Blob())
      try world.submitCard()
      let key = try #require(world.money.first?.headers.first { $0.name == "Idempotency-Key" })
      world.lose(.validate, left: true)
      #expect(world.isUnknown)
      try world.perform(.resolve(attempt: 1, .notCreated))
      #expect(world.sessionState == "ready")
      try world.perform(.elementReport(element: "purse-creditcard", .formValidity(true)))
      try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
      try world.answerTicket(.step, .ok(Wire.token))
      #expect(world.money.last?.headers.contains(key) == true)
      world.answer(.validate, status, "{}")
      let isHarmless = [401, 403, 429].contains(status)
      #expect(world.isUnknown == !isHarmless, "\(status)")
      #expect(world.sessionState == (isHarmless ? "ready" : "submitted"))
    }
  }

  @Test("a retained key outlives an aborted retry and a changed split")
  func retainedKey() throws {
    let world = try World(Blob())
    try world.submitCard()
    let key = try #require(world.money.first?.headers.first { $0.name == "Idempotency-Key" })
    world.lose(.validate, left: true)
    try world.perform(.resolve(attempt: 1, .notCreated))
    try world.perform(.elementReport(element: "purse-creditcard", .formValidity(true)))
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    try world.perform(.abortAttempt(2))
    try world.perform(.setPrimary(.item("hipay-bancontact")))
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    world.answer(.initialize, 200, Wire.initialized())
    #expect(world.money.count == 2)
    #expect(world.money.last?.headers.contains(key) == true)
  }

  @Test("a retry that is aborted at its checkpoint keeps the key")
  func retainedKeyAtTheCheckpoint() throws {
    let world = try World(Blob(), World.options([.checkpoint]))
    try world.submitCard()
    try world.answerTicket(.checkpoint, .ok("{}"))
    let key = try #require(world.money.first?.headers.first { $0.name == "Idempotency-Key" })
    world.lose(.validate, left: true)
    try world.perform(.resolve(attempt: 1, .notCreated))
    try world.perform(.setPrimary(.item("hipay-bancontact")))
    for attempt in 2...3 {
      try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
      world.answer(.initialize, 200, Wire.initialized())
      if attempt == 2 { try world.perform(.abortAttempt(2)) }
    }
    try world.answerTicket(.checkpoint, .ok("{}"))
    #expect(world.money.count == 2)
    #expect(world.money.last?.headers.contains(key) == true)
  }

  // seed: 001:9
  // seed: 001:20a
  // seed: 001:20b
  // seed: 002:5a
  @Test("the hooks, in their order")
  func hookOrder() throws {
    let world = try World(Blob(), World.options(Hook.allCases, capabilities: [.collect, .postValidate]))
    try world.submitCard()
    try world.answerTicket(.beforeValidate, .ok("{}"))
    #expect(world.money.isEmpty)
    try world.answerTicket(.checkpoint, .ok("{}"))
    #expect(world.money.count == 1)
    world.answer(.validate, 200, Wire.validated("WAITING", redirection: Wire.page))
    #expect(world.sessionState == "submitted")
    try world.answerTicket(.afterValidate, .error("swallowed"))
    try world.answerTicket(.step, .ok("{}"))
    try world.answerTicket(.redirection, .ok(#"{"takeOver":false}"#))
    let page = try #require(world.told.last { $0.kind == .redirect })
    #expect(page.json["state"]?.string == "open")
    try world.perform(.redirectReport(presentation: world.page, .returned(url: "myapp://return?x=1")))
    #expect(world.outcomes.last?["kind"]?.string == "returnedFromRedirect")
    #expect(
      world.asked.filter { $0.ticket != 0 }.map { $0.kind } == [
        .step, .beforeValidate, .checkpoint, .afterValidate, .step, .redirection,
      ])
    #expect(
      world.asked.filter { $0.kind == .checkpoint }.compactMap { $0.json["reason"]?.string } == [
        "beforeSend", "answered", "outcome",
      ])
  }

  // seed: 001:19c
  @Test("a refused hook sends nothing and leaves the session ready")
  func refusedHooks() throws {
    let cases: [(DeliveryKind, String)] = [
      (.beforeValidate, "ON_BEFORE_VALIDATE_HOOK_FAILED"), (.checkpoint, "CHECKPOINT_REFUSED"),
    ]
    for (refused, code) in cases {
      for answer in [HookAnswer.error("no"), .canceled] {
        let world = try World(Blob(), World.options([.beforeValidate, .checkpoint]))
        try world.submitCard()
        if refused == .checkpoint { try world.answerTicket(.beforeValidate, .ok("{}")) }
        try world.answerTicket(refused, answer)
        #expect(world.money.isEmpty)
        #expect(world.code == code)
        #expect(world.moved == "no")
        #expect(world.sessionState == "ready")
        #expect(world.state(.amountSplit).count == 1)
        // The card's token is reused: it is not collected again.
        try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: true)))
        #expect(world.openTickets.map { $0.kind } == [.checkpoint])
      }
    }
  }

  // seed: 002:37
  @Test("abort before it left is canceled and ready; after it, too late")
  func abort() throws {
    let world = try World(Blob())
    try world.submitCard()
    try world.perform(.abortAttempt(1))
    world.settleCancelled()
    #expect(world.outcomes.last?["kind"]?.string == "canceled")
    #expect(world.outcomes.last?["spent"]?.boolean == false)
    #expect(world.sessionState == "ready")
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    let money = try #require(world.open.last)
    #expect(world.letsGo(money.id))
    #expect(throws: CheckoutError(.tooLate)) { try world.perform(.abortAttempt(2)) }
  }

  @Test("an abort that comes too late for the transport is decided by the answer")
  func abortRace() throws {
    let world = try World(Blob())
    try world.submitCard()
    try world.perform(.abortAttempt(1))
    world.settleCancelled(left: true)
    #expect(world.code == "OUTCOME_UNKNOWN")
    #expect(world.isUnknown)
  }

  @Test("expired at the last look: nothing leaves")
  func expiryAtTheLastLook() throws {
    let world = try World(Blob(expires: "2030-01-01T00:00:10Z"))
    try world.submitCard()
    world.clock.boot += 60_000
    world.clock.wall += 60_000
    #expect(!world.answer(.validate, 200, Wire.validated("SUCCESS")))
    #expect(world.code == "EXPIRED_SESSION")
    #expect(world.sessionState == "expired")
  }

  // seed: 002:5c
  @Test("expiry while a hook waits ends the attempt, with nothing sent")
  func expiryWhileAsked() throws {
    let world = try World(Blob(expires: "2030-01-01T00:00:10Z"), World.options([.beforeValidate]))
    try world.submitCard()
    world.advance(60_000)
    #expect(world.code == "EXPIRED_SESSION")
    #expect(world.openTickets.isEmpty)
    #expect(world.told.contains { $0.kind == .ticket })
    #expect(world.money.isEmpty)
  }

  // seed: 002:56
  @Test("teardown: not left fails, left ends by its answer, a page fails spent")
  func teardown() throws {
    let early = try World(Blob(), World.options([.beforeValidate]))
    try early.submitCard()
    try early.perform(.teardown)
    #expect(early.code == "CHECKOUT_TORN_DOWN" && early.moved == "no")

    let late = try World(Blob())
    try late.submitCard()
    let money = try #require(late.open.last)
    #expect(late.letsGo(money.id))
    try late.perform(.teardown)
    #expect(late.outcomes.isEmpty && !late.checkout.core.isDrained)
    late.receive(money.id, Self.answer(200, Wire.validated("SUCCESS")))
    #expect(late.outcomes.last?["kind"]?.string == "completed")
    #expect(late.checkout.core.isDrained)

    let showing = try World(Blob())
    try showing.submitCard()
    showing.answer(.validate, 200, Wire.validated("WAITING", redirection: Wire.page))
    try showing.perform(.teardown)
    #expect(showing.code == "CHECKOUT_TORN_DOWN" && showing.moved == "yes")
    #expect(showing.sessionState == "submitted")
  }

  // seed: 002:5b
  @Test("a page: returned, canceled and presented again, failed, blocked")
  func pages() throws {
    let world = try World(Blob())
    try world.submitCard()
    world.answer(.validate, 200, Wire.validated("WAITING", redirection: Wire.page))
    #expect(throws: CheckoutError.self) {
      try world.perform(.redirectReport(presentation: world.page, .returned(url: "https://evil.example")))
    }
    try world.perform(.redirectReport(presentation: world.page, .canceled))
    #expect(world.outcomes.last?["spent"]?.boolean == true)
    #expect(world.sessionState == "submitted")
    try world.perform(.redirectPresent(attempt: 1, tag: "again"))
    #expect(world.results.last?["result"]?["presentation"]?.string == world.page && world.page.hasPrefix("p2-"))
    let late = try world.perform(.redirectReport(presentation: world.page, .returned(url: nil)))
    #expect(late["late"]?.boolean == true)
    #expect(world.outcomes.count == 1)
    #expect(throws: CheckoutError(.ticketClosed)) {
      try world.perform(.redirectReport(presentation: world.page, .canceled))
    }

    let blocked = try World(Blob())
    try blocked.submitCard()
    blocked.answer(
      .validate, 200, Wire.validated("WAITING", redirection: #"{"url":"http://acs.example/challenge"}"#))
    #expect(blocked.code == "POST_VALIDATE_FAILED")
    #expect(blocked.sessionState == "error")
  }

  @Test("a ticket counts once, and a malformed answer leaves it open")
  func tickets() throws {
    let world = try World(Blob(), World.options([.beforeValidate]))
    try world.perform(.setPrimary(.item("purse-creditcard")))
    let card = ElementOpen(choice: .item("purse-creditcard"), presentsRedirects: false, appReturnURL: nil, tag: nil)
    try world.perform(.elementOpen(card))
    try world.perform(.elementReport(element: "purse-creditcard", .formValidity(true)))
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    let step = try #require(world.openTickets.first)
    #expect(throws: CheckoutError.self) {
      try world.perform(.answer(ticket: step.ticket, .ok(#"{"vault_form_token":"4111 1111-1111 1111"}"#)))
    }
    #expect(world.openTickets.count == 1)
    try world.perform(.answer(ticket: step.ticket, .ok(Wire.token)))
    #expect(throws: CheckoutError(.ticketClosed)) {
      try world.perform(.answer(ticket: step.ticket, .ok(Wire.token)))
    }
    #expect(throws: CheckoutError(.ticketClosed)) { try world.perform(.answer(ticket: 99, .unset)) }
  }

  @Test("one bad Date header does not expire a session for ever, and waiting for better never spins")
  func badDate() throws {
    let world = try World(Blob())
    let time = try #require(world.open.first { $0.request.call == .time })
    let bad = Answer(status: 500, date: "Thu, 01 Jan 2099 00:00:00 GMT", body: [])
    world.receive(time.id, .answer(bad))
    world.advance(0)
    #expect(world.sessionState == "expired")
    world.advance(61_000)
    let again = try #require(world.open.first { $0.request.call == .time })
    world.receive(again.id, .answer(Answer(status: 200, date: "Tue, 01 Jan 2030 00:00:05 GMT", body: [])))
    world.advance(0)
    #expect(world.sessionState == "ready")

    let expired = try World(Blob(expires: "2030-01-01T00:00:10Z"))
    try expired.submitCard()
    let money = try #require(expired.open.last)
    #expect(expired.letsGo(money.id))
    for _ in 0..<20 {
      expired.advance(61_000)
      let deadline = expired.checkout.nextDeadline(at: expired.clock)
      #expect(deadline == nil || deadline ?? 0 > expired.clock.boot)
    }
  }
}
