import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

/// What follows the session and not the handle, and what the clock, the disk and a busy partner cannot bend.
@Suite("Nobody pays twice")
struct SurvivalTests {
  private func key(_ world: World) -> String? {
    world.money.last?.headers.first { $0.name == "Idempotency-Key" }?.value
  }

  /// One that was submitted, lost its answer, and was called not created.
  private func notCreated(_ id: String = "s1") throws -> World {
    let world = try World(Blob(id: id))
    try world.submitCard()
    world.lose(.validate, left: true)
    try world.perform(.resolve(attempt: 1, .notCreated))
    return world
  }

  // MARK: Two checkouts of one session

  // seed: 000:5a
  @Test("after notCreated the other window repeats with the same key, and takes no refusal for a verdict")
  func keyFollowsTheSession() throws {
    let first = try World(Blob())
    let second = try World(Blob(), beside: first)
    try first.submitCard()
    let sent = try #require(key(first))
    first.lose(.validate, left: true)
    #expect(throws: CheckoutError.self) { try second.submitCard() }
    try first.perform(.resolve(attempt: 1, .notCreated))
    try second.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    try second.answerTicket(.step, .ok(Wire.token))
    #expect(key(second) == sent)
    #expect(second.checkout.core.attempt?.id == 2)
    second.answer(.validate, 422, "{}")
    #expect(second.isUnknown)
    #expect(throws: CheckoutError.self) {
      try first.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    }
    try second.perform(.resolve(attempt: 2, .paid))
    second.leave()
    #expect(throws: CheckoutError.self) {
      try first.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    }
    #expect(first.money.count == 1 && second.money.count == 1)
  }

  @Test("a window that was opened between them knows, and so does what it saves")
  func keyReachesANewCheckout() throws {
    let first = try notCreated()
    let second = try World(Blob(), beside: first)
    #expect(second.checkout.core.ledger.isRepetition)
    let (reborn, _) = try second.restored(from: second.checkout.saveState(second.moment))
    try reborn.submitCard()
    #expect(key(reborn) == key(first))
  }

  @Test("set_session to a session that another window called not created takes its key along")
  func keyFollowsThroughSetSession() throws {
    let first = try notCreated()
    let second = try World(Blob(id: "s2"), beside: first)
    try second.perform(.setSession(widgetData: Blob(id: "s1").text))
    try second.submitCard()
    #expect(key(second) == key(first))
    second.answer(.validate, 400, "{}")
    #expect(second.isUnknown)
  }

  @Test("a key that was never sent stays with its own checkout")
  func unsentKeyIsNotShared() throws {
    let first = try World(Blob())
    let second = try World(Blob(), beside: first)
    try first.submitCard()
    first.lose(.validate, left: false)
    #expect(first.checkout.core.ledger.idempotencyKey != nil)
    try second.submitCard()
    #expect(key(second) != key(first))
    second.answer(.validate, 400, "{}")
    #expect(second.sessionState == "ready")
  }

  // Before its request leaves, and while it waits for the answer.
  @Test(
    "a window with a key that was never sent does not free the session that another one pays", arguments: [false, true])
  func unsentKeyFreesNothing(hasLeft: Bool) throws {
    let first = try World(Blob())
    let second = try World(Blob(), World.options([.checkpoint]), beside: first)
    try second.submitCard()
    try second.answerTicket(.checkpoint, .error("disk full"))
    #expect(second.outcomes.last?["error"]?["code"]?.string == "CHECKPOINT_REFUSED")
    #expect(second.checkout.core.ledger.idempotencyKey != nil)
    try MonitoringTests.choose(first)
    try first.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    if hasLeft { try first.answerTicket(.step, .ok(Wire.token)) }
    for command in [Command.setPrimary(.none), .setPrimary(.item("purse-creditcard")), .setHooks([])] {
      try second.perform(command)
      #expect(throws: CheckoutError.self) {
        try second.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
      }
    }
    #expect(second.money.isEmpty)
  }

  @Test("what one window spends, a saved state of another cannot make payable")
  func restoredBesideTheSpender() throws {
    let first = try World(Blob())
    let early = first.checkout.saveState(first.moment)
    try first.submitCard()
    first.answer(.validate, 200, Wire.validated("SUCCESS"))
    #expect(throws: CheckoutError.self) { try first.restored(from: early, inSameProcess: true) }
    first.leave()
    let (reborn, _) = try first.restored(from: early, inSameProcess: true)
    #expect(reborn.sessionState == "submitted")
    #expect(throws: CheckoutError.self) { try World(Blob(), beside: first) }
  }

  @Test("a saved state that has spent a session blocks the window that shows it")
  func restoredSpenderBlocks() throws {
    let elsewhere = try World(Blob())
    try elsewhere.submitCard()
    elsewhere.answer(.validate, 200, Wire.validated("SUCCESS"))
    try elsewhere.perform(.setSession(widgetData: Blob(id: "s2").text))
    let text = elsewhere.checkout.saveState(elsewhere.moment)
    let window = try World(Blob())
    _ = try window.restored(from: text, inSameProcess: true)
    #expect(throws: CheckoutError.self) { try window.submitCard() }
    #expect(window.money.isEmpty)
  }

  // MARK: Revisions

  @Test("a checkout restored from an older snapshot goes on above every revision of its process")
  func revisionNeverFalls() throws {
    let world = try World(Blob())
    let old = world.checkout.saveState(world.moment)
    for _ in 0..<5 { _ = world.checkout.saveState(world.moment) }
    try world.perform(.teardown)
    world.leave()
    let (reborn, _) = try world.restored(from: old, inSameProcess: true)
    let next = World.parse(reborn.checkout.saveState(reborn.moment))["revision"]?.int64
    #expect(next == 7)
    let (other, _) = try world.restored(from: old)
    #expect(World.parse(other.checkout.saveState(other.moment))["revision"]?.int64 == 2)
  }

  // MARK: Reports while a payment is away

  private static let reports: [ElementReport] = [
    .ready, .formValidity(true), .formValidity(false), .canceled, .initFailed("x"), .clientError("x"),
    .partnerError("x", recoverable: true), .partnerError("x", recoverable: false), .endOfSession,
  ]

  @Test("reports that wait are few however many come, and mean what all of them meant")
  func queuedReports() throws {
    var dice = Dice(11)
    for _ in 0..<400 {
      let world = try World(Blob())
      try world.submitCard()
      let money = try #require(world.open.last)
      #expect(world.letsGo(money.id))
      // The order in which all of them would have been applied.
      let plain = try World(Blob())
      try plain.submitCard()
      plain.answer(.validate, 400, "{}")
      for _ in 0..<dice.below(12) {
        let report = Self.reports[dice.below(Self.reports.count)]
        try world.perform(.elementReport(element: "purse-creditcard", report))
        try plain.perform(.elementReport(element: "purse-creditcard", report))
      }
      #expect(world.checkout.core.attempt?.queuedReports.count ?? 0 <= 4)
      world.receive(money.id, .answer(Answer(status: 400, date: nil, body: Array("{}".utf8))))
      for property in [Property.sessionState, .paymentMethods, .elements, .primary, .submitBlockers] {
        #expect(world.checkout.core.text(of: property) == plain.checkout.core.text(of: property))
      }
    }
  }

  // MARK: Randomness

  @Test("without randomness a payment is refused, and nothing is sent; a key that is kept needs none")
  func noRandomness() throws {
    let world = try World(Blob())
    world.hasRandomness = false
    var refused: CheckoutError?
    do throws(CheckoutError) {
      try world.perform(.setPrimary(.token("t1")))
      try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    } catch { refused = error }
    #expect(refused?.code == .internal && refused?.moved == .no)
    #expect(world.money.isEmpty && world.sessionState == "ready")
    let again = try notCreated()
    again.hasRandomness = false
    try again.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    try again.answerTicket(.step, .ok(Wire.token))
    #expect(again.money.count == 2)
  }

  // MARK: Time

  // seed: 000:5d
  @Test("a device whose calendar is years ahead or behind refuses no session and waits for the time service")
  func wrongCalendar() throws {
    for year in [-30, 30] as [Int64] {
      let world = try World(Blob(), hasTime: false)
      world.clock.wall += year * 365 * 86_400_000
      world.advance(0)
      #expect(world.sessionState == "ready")
      let time = try #require(world.open.first { $0.request.call == .time })
      world.receive(time.id, .answer(Answer(status: 200, date: "Tue, 01 Jan 2030 00:29:59 GMT", body: [])))
      #expect(world.sessionState == "ready")
      world.advance(2_000)
      #expect(world.sessionState == "expired")
    }
  }

  @Test("a submit that cannot be sure of the time asks for it, once a minute, and waits for nobody")
  func asksWhenUnsure() throws {
    let world = try World(Blob(), hasTime: false)
    let first = try #require(world.open.first { $0.request.call == .time })
    world.receive(first.id, .nothing(left: false, reason: "down"))
    world.clock.boot += 60_000
    try world.submitCard()
    #expect(world.open.filter { $0.request.call == .time }.count == 1)
    #expect(world.money.count == 1)
    // It says that the session is over: nothing leaves.
    let second = try #require(world.open.first { $0.request.call == .time })
    world.receive(second.id, .answer(Answer(status: 200, date: "Tue, 01 Jan 2030 09:00:00 GMT", body: [])))
    #expect(world.cancelled.isEmpty == false)
    #expect(!world.answer(.validate, 200, Wire.validated("SUCCESS")))
    #expect(world.code == "EXPIRED_SESSION" && world.moved == "no")

    let sure = try World(Blob())
    sure.clock.boot += 120_000
    try sure.submitCard()
    #expect(sure.open.filter { $0.request.call == .time }.count == 1)
  }

  @Test("an answer that did not come over TLS says nothing of the time")
  func untrustedTime() throws {
    let world = try World(Blob())
    let time = try #require(world.open.first { $0.request.call == .time })
    let body = Array(#"{"utc":"2099-01-01T00:00:00Z"}"#.utf8)
    let bad = Answer(status: 200, date: "Thu, 01 Jan 2099 00:00:00 GMT", body: body, isTrusted: false)
    world.receive(time.id, .answer(bad))
    world.advance(0)
    #expect(world.sessionState == "ready")
  }

  // MARK: Words

  @Test("a balance reading that has ended is too late to abort, and moved nothing")
  func abortOfAnEndedRead() throws {
    let world = try World(Blob())
    #expect(throws: CheckoutError(.tooLate, moved: .no)) { try world.perform(.abortCall(1)) }
  }
}
