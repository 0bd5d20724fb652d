import Foundation
import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

@Suite("Corners of a payment")
struct CornerTests {
  private func submitAgain(_ world: World) throws {
    try world.perform(.elementReport(element: "purse-creditcard", .formValidity(true)))
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    try world.answerTicket(.step, .ok(Wire.token))
  }

  private func openCard(_ world: World, appReturnURL: String? = nil) throws {
    try world.perform(
      .elementOpen(
        ElementOpen(
          choice: .item("purse-creditcard"), presentsRedirects: true, appReturnURL: appReturnURL, tag: nil)))
  }

  private func readCard(_ world: World, _ item: String) throws {
    try world.perform(
      .readSecondary(
        ReadSecondary(
          item: item, number: TypedNumber(secret: SecretID(1), length: 16, lastFour: "0001"), securityCode: nil,
          tag: nil)))
    world.answer(.initialize, 200, Wire.initialized())
    try world.perform(.applySecondary(token: "gc1", amount: nil))
  }

  @Test("a restored gift card that needs its number cannot pay after notCreated")
  func unpayableCardIsDropped() throws {
    let world = try World(Blob())
    try readCard(world, "buybox-giftcard")
    try world.submitCard()
    world.lose(.validate, left: true)
    let (reborn, _) = try world.restored(from: world.checkout.saveState(world.moment))
    #expect(reborn.state(.amountSplit).count == 2)
    try reborn.perform(.resolve(attempt: 1, .notCreated))
    #expect(reborn.state(.secondaryTokens).count == 0)
    #expect(reborn.state(.remainingAmountToPay).int64 == 12_000)
    // In the process that still has the number, it pays again.
    try world.perform(.resolve(attempt: 1, .notCreated))
    #expect(world.state(.amountSplit).count == 2)
  }

  @Test("a restored gift card whose handle pays is kept after notCreated")
  func payableCardIsKept() throws {
    let world = try World(Blob())
    try readCard(world, "illicado-giftcard")
    try world.submitCard()
    world.lose(.validate, left: true)
    let (reborn, _) = try world.restored(from: world.checkout.saveState(world.moment))
    try reborn.perform(.resolve(attempt: 1, .notCreated))
    #expect(reborn.state(.amountSplit).count == 2)
  }

  @Test("a vault token that may have been used does not come back with the checkpoint")
  func usedTokenIsNotRestored() throws {
    let world = try World(Blob(), World.options([.checkpoint]))
    try world.submitCard()
    let stored = try #require(world.stored)
    let (reborn, _) = try world.restored(from: stored.text)
    try reborn.perform(.resolve(attempt: 1, .notCreated))
    #expect(reborn.state(.submitBlockers).elements.compactMap { $0["code"]?.string } == ["ELEMENT_NOT_FULFILLED"])
  }

  @Test("of two accounts that both know nothing, the one of the later attempt is believed")
  func laterAttemptIsBelieved() throws {
    let world = try World(Blob(), World.options([.checkpoint]))
    try world.submitCard()
    let early = try #require(world.stored)
    try world.answerTicket(.checkpoint, .ok("{}"))
    world.lose(.validate, left: true)
    try world.perform(.resolve(attempt: 1, .notCreated))
    try submitAgain(world)
    try world.answerTicket(.checkpoint, .ok("{}"))
    world.lose(.validate, left: true)
    world.leave()
    let (reborn, _) = try world.restored(from: early.text, inSameProcess: true)
    #expect(reborn.state(.pendingAttempt)["attempt"]?.int64 == 2)
    #expect(throws: CheckoutError.self) { try reborn.perform(.resolve(attempt: 1, .notCreated)) }
    try reborn.perform(.resolve(attempt: 2, .notCreated))
    try openCard(reborn)
    try submitAgain(reborn)
    #expect(reborn.checkout.core.attempt?.id == 3)
  }

  @Test("a session that was left after notCreated keeps its key for when it comes back")
  func keyOutlivesAnotherSession() throws {
    let world = try World(Blob())
    try world.submitCard()
    let key = try #require(world.money.first?.headers.first { $0.name == "Idempotency-Key" })
    world.lose(.validate, left: true)
    try world.perform(.resolve(attempt: 1, .notCreated))
    try world.perform(.setSession(widgetData: Blob(id: "s2").text))
    try world.perform(.setSession(widgetData: Blob(id: "s1").text))
    try submitAgain(world)
    #expect(world.money.last?.headers.contains(key) == true)
    // And a refusal still says nothing about the first request.
    world.answer(.validate, 422, "{}")
    #expect(world.isUnknown)
  }

  @Test("another checkout of the session, made later, keeps the key too")
  func keyOutlivesItsCheckout() throws {
    let world = try World(Blob())
    try world.submitCard()
    let key = try #require(world.money.first?.headers.first { $0.name == "Idempotency-Key" })
    world.lose(.validate, left: true)
    try world.perform(.resolve(attempt: 1, .notCreated))
    world.leave()
    let next = try World(Blob(), beside: world)
    try next.submitCard()
    #expect(next.money.last?.headers.contains(key) == true)
  }

  @Test("where the shopper returns to is fixed when the payment is accepted")
  func returnURLOutlivesTheElement() throws {
    let world = try World(Blob())
    try openCard(world, appReturnURL: "shop://back")
    try world.perform(.setPrimary(.item("purse-creditcard")))
    try world.perform(.elementReport(element: "purse-creditcard", .formValidity(true)))
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    try world.answerTicket(.step, .ok(Wire.token))
    world.answer(.validate, 200, Wire.validated("WAITING", redirection: Wire.page))
    try world.perform(.elementClose("purse-creditcard"))
    #expect(world.checkout.core.redirectVerdict("shop://back?x=1") == .returned)
    try world.perform(.redirectReport(presentation: world.page, .canceled))
    try world.perform(.redirectPresent(attempt: 1, tag: nil))
    #expect(world.checkout.core.redirectVerdict("shop://back?x=1") == .returned)
    try world.perform(.redirectReport(presentation: world.page, .returned(url: "shop://back?x=1")))
  }

  // seed: 000:72b
  @Test("a return reaches a host that stored checkpoints only, and is held until its element is open")
  func returnAfterARestart() throws {
    let world = try World(Blob(), World.options([.checkpoint]))
    try openCard(world, appReturnURL: "shop://back")
    try world.perform(.setPrimary(.item("purse-creditcard")))
    try world.perform(.elementReport(element: "purse-creditcard", .formValidity(true)))
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    try world.answerTicket(.step, .ok(Wire.token))
    try world.answerTicket(.checkpoint, .ok("{}"))
    world.answer(.validate, 200, Wire.validated("WAITING", redirection: Wire.page))
    let page = try #require(world.told.last { $0.kind == .redirect }?.json["presentation"]?.string)
    let (reborn, _) = try world.restored(from: try #require(world.stored).text)
    try reborn.perform(.redirectReport(presentation: page, .returned(url: "shop://back?x=1")))
    #expect(reborn.outcomes.isEmpty)
    try openCard(reborn, appReturnURL: "shop://back")
    #expect(reborn.outcomes.last?["kind"]?.string == "returnedFromRedirect")
    #expect(reborn.outcomes.last?["url"]?.string == "shop://back?x=1")
  }

  @Test("an attempt whose checkpoint was asked has its outcome's checkpoint told, whatever hooks are set meanwhile")
  func checkpointsOfAnAttemptEnd() throws {
    let world = try World(Blob(), World.options([.checkpoint]))
    try world.submitCard()
    try world.perform(.setHooks([]))
    try world.answerTicket(.checkpoint, .ok("{}"))
    world.answer(.validate, 401, "{}")
    #expect(
      world.asked.filter { $0.kind == .checkpoint }.compactMap { $0.json["reason"]?.string }
        == ["beforeSend", "outcome"])
  }

  @Test("a form that changed during an attempt is collected again")
  func changedFormIsCollectedAgain() throws {
    let world = try World(Blob(), World.options([.beforeValidate, .checkpoint]))
    try world.submitCard()
    try world.perform(.elementReport(element: "purse-creditcard", .formValidity(true)))
    try world.answerTicket(.beforeValidate, .ok("{}"))
    try world.answerTicket(.checkpoint, .error("full"))
    #expect(world.code == "CHECKPOINT_REFUSED")
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    #expect(world.openTickets.map { $0.kind } == [.step])
  }

  @Test("what changes after an outcome is told too (I5)")
  func changesAfterAnOutcome() throws {
    let commands: [Command] = [
      .elementClose("purse-creditcard"),
      .elementReport(element: "purse-creditcard", .initFailed("x")),
    ]
    for command in commands {
      let world = try World(Blob(), World.options([.beforeValidate]))
      try world.submitCard()
      try world.perform(command)
      #expect(world.outcomes.count == 1)
      _ = world.checkout.takeChange()
      let core = world.checkout.core
      for property in Property.allCases {
        #expect(core.publication.told[property.rawValue] == core.text(of: property), "\(property.name)")
      }
    }
  }

  @Test("after teardown time changes nothing that is told (I4)")
  func nothingIsToldAfterTeardown() throws {
    let world = try World(Blob(expires: "2030-01-01T00:00:10Z"))
    try world.perform(.teardown)
    _ = world.checkout.takeChange()
    world.advance(60_000)
    #expect(world.checkout.takeChange() == nil)
  }

  @Test("a card number is no name of a member, in an answer or in a refusal")
  func cardNumberAsAName() throws {
    let world = try World(Blob())
    try world.perform(.setPrimary(.item("purse-creditcard")))
    try openCard(world)
    try world.perform(.elementReport(element: "purse-creditcard", .formValidity(true)))
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    let named = #"{"vault_form_token":"tok","4111111111111111":"x"}"#
    #expect(throws: CheckoutError.self) { try world.answerTicket(.step, .ok(named)) }
    let fields = FieldReader(World.parse(#"{"4111 1111 1111 1111":1}"#), "", .invalidArgument)
    do throws(CheckoutError) {
      try fields.allowOnly("")
      Issue.record("not refused")
    } catch {
      #expect(error.path?.utf8.contains(UInt8(ascii: "4")) != true)
    }
  }

  @Test("a snapshot's slices are doubted even while its payment is unresolved")
  func overdrawnSnapshot() throws {
    let world = try World(Blob())
    try readCard(world, "illicado-giftcard")
    try world.submitCard()
    world.lose(.validate, left: true)
    let edited = world.checkout.saveState(world.moment).replacingOccurrences(
      of: #""slices":[{"token":"gc1","amount":5000}]"#, with: #""slices":[{"token":"gc1","amount":900000}]"#)
    #expect(edited.contains("900000"))
    let (reborn, reply) = try world.restored(from: edited)
    #expect(reply["skipped"]?.count == 1)
    #expect(reborn.checkout.core.split.slices.isEmpty)
  }
}
