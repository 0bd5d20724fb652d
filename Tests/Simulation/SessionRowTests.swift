import Foundation
import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

/// What the documents say of sessions, their saved state and their end, one statement a test.
@Suite("Sessions, as documented")
struct SessionRowTests {
  private static let card = PrimaryChoice.item("purse-creditcard")

  private static func world(_ blob: Blob = Blob(), _ hooks: [Hook] = [], steps: [Step] = [.collect]) throws -> World {
    let world = try World(blob, World.options(hooks, capabilities: steps))
    // The server's clock is known from here on.
    if let time = world.open.first(where: { $0.request.call == .time }) {
      let body = Array(#"{"iso":"2030-01-01T00:00:00Z"}"#.utf8)
      world.receive(time.id, .answer(Answer(status: 200, date: nil, body: body)))
    }
    return world
  }

  private static func code(_ act: () throws -> Void) -> String {
    do { try act() } catch { return (error as? CheckoutError)?.code.text ?? "" }
    return ""
  }

  private static func submit(_ world: World) throws {
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    if world.openTickets.contains(where: { $0.kind == .step }) { try world.answerTicket(.step, .ok(Wire.token)) }
  }

  private static func save(_ world: World) -> String { world.checkout.saveState(world.moment) }

  // MARK: States

  // seed: 000:5b
  // seed: 000:14
  // seed: 000:24b
  @Test("the state follows the session, and a spent one is refused before it reaches anybody")
  func statesFollow() throws {
    let world = try Self.world()
    #expect(world.sessionState == "ready")
    try MonitoringTests.choose(world)
    try Self.submit(world)
    #expect(world.sessionState == "submitting")
    #expect(Self.code { try Self.submit(world) } == "SUBMIT_BLOCKED")
    world.answer(.validate, 200, Wire.validated("SUCCESS"))
    #expect(world.sessionState == "submitted")
    #expect(Self.code { try Self.submit(world) } == "SUBMIT_BLOCKED")
    #expect(world.money.count == 1)
    #expect(world.outcomes.count == 1)
  }

  // seed: 000:11-19
  @Test("six states, and hosts are told to expect others")
  func sixStates() throws {
    // `idle` is of sessions that are loaded, which Purse's are not.
    let names = Set(SessionState.allCases.filter { $0 != .idle }.map { $0.name })
    #expect(names == ["ready", "submitting", "submitted", "error", "expired", "terminated"])
    let header = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../include/headless_checkout.h"), encoding: .utf8)
    #expect(header.contains("Ignore kinds, keys and values that you do"))
  }

  // seed: 000:13
  @Test("every item is submitting meanwhile, and back in its own state after it")
  func itemsAreSubmitting() throws {
    let world = try Self.world()
    try MonitoringTests.choose(world)
    try Self.submit(world)
    func codes() -> [String?] { world.state(.paymentMethods).elements.map { $0["disabled"]?["code"]?.string } }
    #expect(!codes().isEmpty && codes().allSatisfy { $0 == "SUBMITTING" })
    #expect(world.state(.paymentTokens).elements.allSatisfy { $0["disabled"]?["code"]?.string == "SUBMITTING" })
    world.answer(.validate, 400, "{}")
    #expect(codes().allSatisfy { $0 == nil })
  }

  // seed: 000:15
  @Test("a partner's step that fails after the answer spends the session in error")
  func errorIsSpent() throws {
    let world = try Self.world(steps: [.collect, .postValidate])
    try MonitoringTests.choose(world)
    try Self.submit(world)
    world.answer(.validate, 200, Wire.validated("SUCCESS"))
    try world.answerTicket(.step, .error("no"))
    #expect(world.sessionState == "error")
    #expect(world.outcomes.last?["error"]?["moved"]?.string == "yes")
    #expect(Self.code { try Self.submit(world) } == "SUBMIT_BLOCKED")
  }

  // seed: 000:16
  // seed: 000:28a
  @Test("an expired or terminated session is left for a new one, with the same checkout")
  func newSession() throws {
    let expired = try Self.world()
    expired.advance(3_600_000)
    #expect(expired.sessionState == "expired")
    let later = Blob(id: "s2", expires: "2030-01-01T09:00:00Z")
    try expired.perform(.setSession(widgetData: later.text))
    #expect(expired.sessionState == "ready")

    let terminated = try Self.world()
    try MonitoringTests.choose(terminated)
    try terminated.perform(.elementReport(element: "purse-creditcard", .endOfSession))
    #expect(terminated.sessionState == "terminated")
    #expect(Self.code { try Self.submit(terminated) } == "SUBMIT_BLOCKED")
    try terminated.perform(.setSession(widgetData: Blob(id: "s2").text))
    #expect(terminated.sessionState == "ready")
  }

  // seed: 000:5c
  @Test("expiry is looked at every five seconds and at its exact moment, by the server's clock")
  func watchdog() throws {
    let world = try Self.world(Blob(expires: "2030-01-01T00:00:12Z"))
    var looks: [Int64] = []
    while world.sessionState == "ready", looks.count < 20 {
      let next = try #require(world.checkout.nextDeadline(at: world.clock))
      #expect(next - world.clock.boot <= 5_000)
      looks.append(next - world.clock.boot)
      world.advance(max(next - world.clock.boot, 1))
    }
    #expect(world.sessionState == "expired")
    #expect(looks.count >= 3)
    // The device's calendar says nothing against the server's: it is set back a year.
    let other = try Self.world(Blob(expires: "2030-01-01T00:00:12Z"))
    other.clock.wall -= 31_536_000_000
    other.advance(14_000)
    #expect(other.sessionState == "expired")
  }

  // seed: 000:22
  @Test("a host that rebuilds its screen does not rebuild the checkout")
  func elementsComeAndGo() throws {
    let world = try Self.world()
    try MonitoringTests.choose(world)
    let before = [Property.sessionId, .primary, .amountSplit, .itemGenerations].map { world.checkout.core.text(of: $0) }
    for _ in 0..<3 {
      try world.perform(.elementClose("purse-creditcard"))
      try world.perform(
        .elementOpen(ElementOpen(choice: Self.card, presentsRedirects: true, appReturnURL: nil, tag: nil)))
    }
    let after = [Property.sessionId, .primary, .amountSplit, .itemGenerations].map { world.checkout.core.text(of: $0) }
    #expect(before == after)
  }

  // MARK: Another session

  // seed: 000:28b
  // seed: 000:32d
  @Test("a session is swapped at once, without the network; the same id is ignored")
  func swapped() throws {
    let world = try Self.world()
    let asked = world.open.count
    let reply = try world.perform(.setSession(widgetData: Blob(id: "s2", amount: "33.00").text))
    #expect(reply["ignored"]?.boolean == false)
    #expect(world.state(.amount).int64 == 3_300)
    #expect(world.open.count == asked)
    let core = world.checkout.core
    #expect(
      try world.perform(.setSession(widgetData: Blob(id: "s2", amount: "44.00").text))["ignored"]?.boolean == true)
    #expect(world.checkout.core == core)
  }

  // seed: 000:32a
  // seed: 000:32b
  // seed: 000:32c
  @Test("an unchanged primary keeps its data and place; the rest is rebuilt, gift cards go, generations rise")
  func whatSurvives() throws {
    let world = try Self.world(Blob(), [.checkpoint])
    try MonitoringTests.choose(world)
    try MonitoringTests.readCard(world)
    try world.perform(.applySecondary(token: "gc1", amount: nil))
    try Self.submit(world)
    // What the form answered stays when nothing was sent.
    try world.answerTicket(.checkpoint, .error("full"))
    try world.perform(.setSession(widgetData: Blob(id: "s2").text))
    #expect(world.state(.primary)["item"]?.string == "purse-creditcard")
    #expect(world.checkout.core.collected["purse-creditcard"] != nil)
    #expect(world.state(.secondaryTokens).count == 0)
    #expect(world.state(.remainingAmountToPay).int64 == 12_000)
    #expect(world.state(.itemGenerations)["purse-creditcard"]?.int64 == 0)
    #expect(world.state(.itemGenerations)["illicado-giftcard"]?.int64 == 1)
    try world.perform(.setSession(widgetData: Blob(id: "s3", currency: "USD").text))
    #expect(world.state(.primary).isNull)
    #expect(world.state(.itemGenerations)["purse-creditcard"]?.int64 == 1)
    #expect(world.state(.itemGenerations)["illicado-giftcard"]?.int64 == 2)
  }

  // MARK: Saved state

  // seed: 000:36
  // seed: 000:38-54
  @Test("a host restores what it stored, and makes a new one when that cannot be read")
  func storedOrNew() throws {
    let world = try Self.world()
    try world.perform(.setPrimary(Self.card))
    let (again, _) = try world.restored(from: Self.save(world))
    #expect(again.state(.primary)["item"]?.string == "purse-creditcard")
    #expect(Self.code { _ = try world.restored(from: "nonsense") } == "SESSION_MALFORMED")
    var options = World.options([.beforeValidate])
    options.lockedEnvironment = "production"
    #expect(Self.code { _ = try World(Blob(), options) } == "ENVIRONMENT_MISMATCH")
    options.lockedEnvironment = "sandbox"
    #expect(try World(Blob(), options).sessionState == "ready")
  }

  // seed: 000:56-58
  // seed: 000:76a
  @Test("it can be saved at any time, and each says when and which it is")
  func savedAnyTime() throws {
    let world = try Self.world(Blob(), [.beforeValidate])
    var revisions: [Int64] = []
    func save() throws {
      let document = World.parse(Self.save(world))
      revisions.append(try #require(document["revision"]?.int64))
      #expect(document["savedAt"]?.int64 == world.clock.wall / 1_000)
      #expect(throws: Never.self) { try world.restored(from: document.compactText) }
    }
    try save()
    try MonitoringTests.choose(world)
    try save()
    try Self.submit(world)
    try save()
    try world.answerTicket(.beforeValidate, .ok("{}"))
    try save()
    world.answer(.validate, 200, Wire.validated("SUCCESS"))
    try save()
    try world.perform(.teardown)
    try save()
    #expect(revisions == revisions.sorted() && Set(revisions).count == 6)
  }

  // seed: 000:60-63
  @Test("after an end that was told the stored state may go; while one is open it says so")
  func whatMayBeDeleted() throws {
    let world = try Self.world()
    try MonitoringTests.choose(world)
    try Self.submit(world)
    let money = try #require(world.open.last { $0.request.money == .opens })
    #expect(world.letsGo(money.id))
    try world.perform(.teardown)
    #expect(World.parse(Self.save(world))["marked"]?.boolean == true)
    world.receive(money.id, .answer(Answer(status: 200, date: nil, body: Array(Wire.validated("SUCCESS").utf8))))
    #expect(World.parse(Self.save(world))["marked"]?.boolean == false)
    let (again, reply) = try world.restored(from: Self.save(world))
    #expect(reply["pendingAttempt"]?.isNull == true)
    #expect(again.sessionState == "submitted")
  }

  // seed: 000:67a
  @Test("session, locked environment, disabled methods and instance come back")
  func restoredFacts() throws {
    var options = World.options()
    options.lockedEnvironment = "sandbox"
    options.disabledMethods = ["hipay-bancontact"]
    let world = try World(Blob(), options)
    let (again, _) = try world.restored(from: Self.save(world))
    let core = again.checkout.core
    #expect(core.session == world.checkout.core.session)
    #expect(core.instanceID == world.checkout.core.instanceID)
    #expect(core.options.lockedEnvironment == "sandbox")
    #expect(core.options.disabledMethods == ["hipay-bancontact"])
    #expect(core.offeredMethod("hipay-bancontact") == nil)
  }

  // seed: 000:67b
  @Test("what was typed into a form does not come back")
  func formsAreNotSaved() throws {
    let world = try Self.world()
    try MonitoringTests.choose(world)
    #expect(world.state(.submitBlockers).count == 0)
    let (again, _) = try world.restored(from: Self.save(world))
    #expect(again.state(.elements).count == 0)
    #expect(Self.code { try Self.submit(again) } == "ELEMENT_NOT_FULFILLED")
  }

  // seed: 000:68a
  @Test("primary, applied gift cards and their slices come back")
  func splitIsRestored() throws {
    let world = try Self.world()
    try MonitoringTests.readCard(world)
    try world.perform(.applySecondary(token: "gc1", amount: 2_500))
    try world.perform(.setPrimary(Self.card))
    let (again, _) = try world.restored(from: Self.save(world))
    for property in [Property.primary, .amountSplit, .secondaryTokens, .remainingAmountToPay] {
      #expect(again.checkout.core.text(of: property) == world.checkout.core.text(of: property))
    }
  }

  // seed: 000:68b
  @Test("hooks and options are not in it: they are passed again")
  func hooksAreNotSaved() throws {
    let world = try Self.world(Blob(), Hook.allCases)
    let text = Self.save(world)
    for word in ["hooks", "beforeValidate", "capabilities", "apiPaths", "pay.example"] { #expect(!text.contains(word)) }
    let (again, _) = try world.restored(from: text)
    #expect(again.checkout.core.options.hooks == Hook.allCases)
  }

  // seed: 000:69b
  @Test("a primary that is no longer usable and a slice that the amount cannot honour are skipped")
  func skipped() throws {
    let world = try Self.world()
    try MonitoringTests.readCard(world)
    try world.perform(.applySecondary(token: "gc1", amount: 4_000))
    try world.perform(.setPrimary(.item("hipay-bancontact")))
    let small = Self.save(world).replacing(Blob().text, with: Blob(amount: "15.00").text)
    let (again, reply) = try world.restored(from: small)
    #expect(again.state(.amountSplit).elements.allSatisfy { $0["item"]?.string != "illicado-giftcard" })
    #expect(reply["skipped"]?.elements.compactMap { $0["item"]?.string } == ["gc1"])
    let gone = Self.save(world).replacing(#""disabledMethods":[]"#, with: #""disabledMethods":["hipay-bancontact"]"#)
    let (other, skipped) = try world.restored(from: gone)
    #expect(other.state(.primary).isNull)
    #expect(skipped["skipped"]?.elements.compactMap { $0["reason"]?.string } == ["notOffered"])
  }

  // seed: 000:70
  @Test("what native steps collected comes back: the shopper is not asked again")
  func collectedIsRestored() throws {
    let world = try Self.world(Blob(), [.checkpoint])
    try MonitoringTests.choose(world)
    try Self.submit(world)
    try world.answerTicket(.checkpoint, .error("full"))
    let (again, _) = try world.restored(from: Self.save(world))
    try again.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    #expect(again.openTickets.map { $0.kind } == [.checkpoint])
  }

  // seed: 000:72a
  @Test("a submit that had left comes back as submitted, and another is refused")
  func leftIsSubmitted() throws {
    let world = try Self.world(Blob(), [.checkpoint])
    try MonitoringTests.choose(world)
    try Self.submit(world)
    let (again, reply) = try world.restored(from: try #require(world.stored).text)
    #expect(again.sessionState == "submitted")
    #expect(reply["pendingAttempt"]?["moved"]?.string == "unknown")
    #expect(Self.code { try Self.submit(again) } == "SUBMIT_BLOCKED")
    #expect(again.money.isEmpty)
  }

  // seed: 000:76b
  // seed: 000:76c
  @Test("another version is refused, and so is one whose time is in milliseconds")
  func versions() throws {
    let text = Self.save(try Self.world())
    let other = text.replacing(#""format":1,"#, with: #""format":2,"#)
    #expect(other != text)
    let world = try Self.world()
    #expect(Self.code { _ = try world.restored(from: other) } == "SESSION_MALFORMED")
    // Android's: other members, and milliseconds.
    let android = #"{"version":1,"savedAt":1893456000000,"widgetData":"x"}"#
    #expect(Self.code { _ = try world.restored(from: android) } == "SESSION_MALFORMED")
    #expect((World.parse(text)["savedAt"]?.int64 ?? 0) < 100_000_000_000)
  }

  // seed: 000:82
  @Test("a return is no verdict, and an answer that waits is pending")
  func pending() throws {
    let world = try Self.world()
    try MonitoringTests.choose(world)
    try Self.submit(world)
    world.answer(.validate, 200, Wire.validated("WAITING", redirection: Wire.page))
    try world.perform(.redirectReport(presentation: world.page, .returned(url: "myapp://return?status=SUCCESS")))
    #expect(world.outcomes.last?["kind"]?.string == "returnedFromRedirect")
    #expect(world.outcomes.last?["verdict"] == nil)
    #expect(world.sessionState == "submitted")
    let waiting = try Self.world()
    try MonitoringTests.choose(waiting)
    try Self.submit(waiting)
    waiting.answer(.validate, 200, Wire.validated("WAITING"))
    #expect(waiting.outcomes.last?["verdict"]?.string == "pending")
    #expect(waiting.outcomes.last?["isSuccess"]?.boolean == false)
  }

  // MARK: Teardown

  // seed: 000:88a
  // seed: 000:88c
  @Test("teardown ends the watch and every task but a payment that has left")
  func teardownCancels() throws {
    let world = try World(Blob(), World.options())
    try world.perform(
      .readSecondary(
        ReadSecondary(
          item: "buybox-giftcard", number: TypedNumber(secret: SecretID(1), length: 16, lastFour: "0001"),
          securityCode: nil, tag: nil)))
    let running = Set(world.open.map { $0.id })
    #expect(running.count == 2)
    try world.perform(.teardown)
    #expect(Set(world.cancelled) == running)
    #expect(world.results.last?["error"]?["code"]?.string == "CHECKOUT_TORN_DOWN")
    #expect(world.checkout.nextDeadline(at: world.clock) == nil)
    #expect(world.state(.isTornDown).boolean == true)

    let paying = try Self.world()
    try MonitoringTests.choose(paying)
    try Self.submit(paying)
    let money = try #require(paying.open.last { $0.request.money == .opens })
    #expect(paying.letsGo(money.id))
    try paying.perform(.teardown)
    #expect(!paying.cancelled.contains(money.id))
  }

  // seed: 000:88b
  @Test("teardown flushes monitoring once; going to the background says nothing after it")
  func teardownFlushes() throws {
    let world = try MonitoringTests.world()
    try world.perform(.teardown)
    let sent = world.monitoring.count
    #expect(sent == 1)
    try world.perform(.teardown)
    world.background()
    world.advance(60_000)
    #expect(world.monitoring.count == sent)
  }

  // seed: 000:88d
  // seed: 000:88e
  @Test("teardown is for good: what changes or asks is refused, what reads still works")
  func teardownIsFinal() throws {
    let world = try Self.world()
    try MonitoringTests.choose(world)
    try world.perform(.teardown)
    let read = ReadSecondary(
      item: "illicado-giftcard", number: TypedNumber(secret: SecretID(1), length: 16, lastFour: "0001"),
      securityCode: nil, tag: nil)
    let commands: [Command] = [
      .setPrimary(Self.card), .setPrimary(.none), .readSecondary(read), .applySecondary(token: "gc1", amount: nil),
      .removeSecondary(token: "gc1"), .setHooks([]), .setSession(widgetData: Blob(id: "s2").text),
      .elementOpen(ElementOpen(choice: Self.card, presentsRedirects: true, appReturnURL: nil, tag: nil)),
      .elementReport(element: "purse-creditcard", .ready), .elementClose("purse-creditcard"), .abortAttempt(1),
      .submit(Submit(source: nil, skipsBeforeValidate: false)), .resolve(attempt: 1, .paid),
      .redirectReport(presentation: "p1", .canceled), .redirectPresent(attempt: 1, tag: nil),
    ]
    for command in commands {
      #expect(Self.code { try world.perform(command) } == "CHECKOUT_TORN_DOWN", "\(command)")
    }
    #expect(world.money.isEmpty)
    #expect(!Self.save(world).isEmpty)
    #expect(world.sessionState == "ready")
    #expect(world.checkout.core.redirectVerdict("https://bank.example/") == .allow)
  }
}
