import CheckoutRuntime
import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

/// The core's part of sealed gift cards: it keeps a text that it cannot read.
@Suite("Seal: gift cards over a restore")
struct SealTests {
  static let sealed = "c2VhbGVk"

  private func world(_ item: String, sealed: String? = SealTests.sealed) throws -> World {
    let world = try World(Blob())
    try world.perform(
      .readSecondary(
        ReadSecondary(
          item: item, number: TypedNumber(secret: SecretID(1), length: 16, lastFour: "0001"),
          securityCode: TypedNumber(secret: SecretID(2), length: 4, lastFour: ""), tag: nil, sealed: sealed)))
    world.answer(.initialize, 200, Wire.initialized())
    try world.perform(.applySecondary(token: "gc1", amount: 3_000))
    return world
  }

  private func snapshot(_ world: World) -> String { world.checkout.saveState(world.moment) }

  private func giftCard(_ snapshot: String) -> JSONValue? {
    guard let cards = World.parse(snapshot)["giftCards"] else { return nil }
    return Array(cards.elements).first
  }

  private func restore(
    _ text: String, _ world: World, _ open: (inout SavedState, SealedCard) -> Void
  ) throws -> (checkout: Checkout<BackEnd>, out: [Output], reasons: [String]) {
    var saved = try SavedState(Array(text.utf8))
    for card in saved.sealedCards { open(&saved, card) }
    var out: [Output] = []
    var reply = ""
    let checkout = try Checkout<BackEnd>(
      restoring: saved, world.options, World.roots, .alone, world.moment, &out, reply: &reply)
    return (checkout, out, World.parse(reply)["skipped"]?.elements.map { $0["reason"]?.string ?? "" } ?? [])
  }

  private static func opened(_ saved: inout SavedState, _ card: SealedCard) {
    saved.open(card, number: SecretID(11), securityCode: SecretID(12))
  }

  @Test func whatIsSavedOfACard() throws {
    let needsNumber = try world("buybox-giftcard")
    let card = giftCard(snapshot(needsNumber))
    #expect(card?["sealed"]?.string == Self.sealed)
    #expect(card?["init"]?["stepId"]?.int64 == 1, "the handle is paid with, too")
    #expect(giftCard(snapshot(needsNumber))?.compactText == card?.compactText, "the same bytes each time")
    let unsealed = giftCard(snapshot(try world("buybox-giftcard", sealed: nil)))
    #expect(unsealed?["sealed"]?.isNull == true && unsealed?["init"]?.isNull == true)
    let byHandle = giftCard(snapshot(try world("illicado-giftcard")))
    #expect(byHandle?["sealed"]?.isNull == true && byHandle?["init"]?["id"]?.string == "i1")
  }

  @Test func anOpenedCardPaysAndStaysSealed() throws {
    let world = try world("buybox-giftcard")
    let text = snapshot(world)
    var restored = try restore(text, world, Self.opened)
    #expect(restored.reasons == [])
    #expect(restored.checkout.core.secondaries.first?.number == SecretID(11))
    #expect(restored.checkout.core.split.amount(of: "gc1") == 3_000)
    #expect(giftCard(restored.checkout.saveState(world.moment))?.compactText == giftCard(text)?.compactText)
    var out: [Output] = []
    _ = try restored.checkout.perform(.teardown, .alone, world.moment, &out)
    #expect(out.contains(.forget(SecretID(11))) && out.contains(.forget(SecretID(12))))
  }

  @Test func aCardThatIsNotOpenedIsDroppedWithTheReason() throws {
    let world = try world("buybox-giftcard")
    let unsealed = try self.world("buybox-giftcard", sealed: nil)
    #expect(try restore(snapshot(world), world) { _, _ in }.reasons == ["needsNumber"])
    #expect(try restore(snapshot(world), world) { $0.leaveUnopened($1) }.reasons == ["cannotBeOpened"])
    #expect(try restore(snapshot(unsealed), unsealed) { $0.leaveUnopened($1) }.reasons == ["needsNumber"])
  }

  /// A handle that somebody wrote into the snapshot does not stand for the number.
  @Test func aHandleAloneDoesNotPayWhereTheNumberIsWanted() throws {
    let world = try world("buybox-giftcard")
    let text = snapshot(world).split(separator: "\"\(Self.sealed)\"").joined(separator: "null")
    #expect(giftCard(text)?["init"]?.isNull == false && giftCard(text)?["sealed"]?.isNull == true)
    #expect(try restore(text, world) { _, _ in }.reasons == ["needsNumber"])
  }

  @Test func aNumberThatIsNotTakenIsForgotten() throws {
    let world = try world("buybox-giftcard")
    let text = snapshot(world).split(separator: "buybox-giftcard").joined(separator: "gone-giftcard")
    let restored = try restore(text, world, Self.opened)
    #expect(restored.reasons == ["notOffered"])
    #expect(restored.out.contains(.forget(SecretID(11))) && restored.out.contains(.forget(SecretID(12))))
  }

  /// While a payment is unresolved the split stays; a card that cannot pay again leaves when it may be paid again.
  @Test func anUnresolvedSplitStaysUntilItMayBePaidAgain() throws {
    let world = try world("buybox-giftcard")
    try world.submitCard()
    let text = snapshot(world)
    for isOpened in [false, true] {
      var restored = try restore(text, world) { if isOpened { Self.opened(&$0, $1) } }
      #expect(restored.reasons == [])
      #expect(restored.checkout.core.split.amount(of: "gc1") == 3_000)
      #expect(giftCard(restored.checkout.saveState(world.moment))?["sealed"]?.string == Self.sealed)
      var out: [Output] = []
      _ = try restored.checkout.perform(
        .resolve(attempt: 1, .notCreated), .alone, world.moment, &out)
      #expect(restored.checkout.core.split.amount(of: "gc1") == (isOpened ? 3_000 : nil))
      #expect(restored.checkout.core.secondaries.count == (isOpened ? 1 : 0))
    }
  }
}
