import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

/// Whatever a link says, only the page that this process opened, or that its snapshot names, can be ended by it.
@Suite("Stale and forged deep links")
struct DeepLinkTests {
  private static let card = "purse-creditcard"

  /// A life of one checkout: what it opened, and how often each thing ended.
  private struct Life {
    var world: World
    var opened: [String] = []
  }

  private func pay(_ dice: inout Dice, session: String) throws -> Life {
    var blob = Blob()
    blob.id = session
    let world = try World(blob, World.options([.checkpoint]))
    world.reseed(dice.next())
    try world.perform(.setPrimary(.item(Self.card)))
    try open(world)
    try world.perform(.elementReport(element: Self.card, .formValidity(true)))
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    try world.answerTicket(.step, .ok(Wire.token))
    try world.answerTicket(.checkpoint, .ok("{}"))
    world.answer(.validate, 200, Wire.validated("WAITING", redirection: Wire.page))
    return Life(world: world, opened: [world.page])
  }

  private func open(_ world: World) throws {
    try world.perform(
      .elementOpen(ElementOpen(choice: .item(Self.card), presentsRedirects: true, appReturnURL: nil, tag: nil)))
  }

  /// Ids near the right one, and such as an attacker would try.
  private func forged(_ id: String, _ dice: inout Dice) -> String {
    let bytes = Array(id.utf8)
    switch dice.below(8) {
    case 0: return String(id.dropLast(dice.below(id.count) + 1))
    case 1: return id + (dice.pick(["0", "", " ", "\u{0}", "-"]) ?? "0") + "x"
    case 2: return "p\(dice.below(5))"
    case 3: return "p\(dice.below(5))-"
    case 4: return ""
    case 5: return id.uppercased()
    case 6: return "p1-" + RandomBytes(high: dice.next(), low: dice.next()).tag
    default:
      var changed = bytes
      let at = dice.below(bytes.count)
      changed[at] = changed[at] ^ UInt8(1 << dice.below(7))
      return String(decoding: changed, as: UTF8.self)
    }
  }

  private static let ends: [PresentationEnd] = [
    .returned(url: nil), .returned(url: "myapp://return"), .returned(url: "myapp://return?x=1"), .canceled,
    .failed("x"),
  ]

  /// A report with this id is refused and changes nothing at all.
  private func expectRefused(_ id: String, _ world: World, _ dice: inout Dice) {
    let before = world.checkout
    let told = world.told.count
    let end = dice.pick(Self.ends) ?? .canceled
    #expect(throws: CheckoutError(.ticketClosed), "\(id.debugDescription)") {
      try world.perform(.redirectReport(presentation: id, end))
    }
    #expect(world.checkout == before && world.told.count == told)
  }

  // seed: 000:72b
  @Test("Only the current id of this process, or of the snapshot it began with, ends a page", arguments: 0..<60)
  func onlyTheCurrentID(_ seed: Int) throws {
    var dice = Dice(UInt64(seed) &+ 4_711)
    // Every id that other checkouts, other attempts and earlier presentations ever had.
    var stale: [String] = []
    for other in 0..<2 { stale += try pay(&dice, session: "other\(other)").opened }
    var life = try pay(&dice, session: "s1")
    var current: String? = life.world.page
    #expect(!stale.contains(life.world.page), "an id of another checkout is this one's")
    for _ in 0..<12 {
      let world = life.world
      for id in stale where id != current { expectRefused(id, world, &dice) }
      for _ in 0..<4 {
        let guess = forged(current ?? stale.last ?? "p1", &dice)
        if guess != current { expectRefused(guess, world, &dice) }
      }
      // A URL that is no return ends nothing, whoever reports it.
      if let current {
        let before = world.checkout
        for url in ["myapp://returned", "other://return", "https://evil.example/?myapp://return"] {
          #expect(throws: CheckoutError.self) {
            try world.perform(.redirectReport(presentation: current, .returned(url: url)))
          }
        }
        #expect(world.checkout == before)
      }
      switch dice.below(3) {
      case 0:
        // A restart: from now on the snapshot's id counts, if it has one.
        let text = world.checkout.core.snapshotNow(world.moment)
        let wasOpen = world.checkout.core.attempt != nil || world.checkout.core.restored?.presentation != nil
        let (reborn, _) = try world.restored(from: text)
        if !wasOpen, let gone = current { stale.append(gone) }
        if !wasOpen { current = nil }
        life.world = reborn
        try open(reborn)
      case 1:
        guard let id = current else { continue }
        try world.perform(.redirectReport(presentation: id, dice.chance(50) ? .canceled : .returned(url: nil)))
        stale.append(id)
        current = nil
      default:
        guard current == nil, let again = world.checkout.core.presentable else { continue }
        try world.perform(.redirectPresent(attempt: again.attempt, tag: nil))
        current = world.page
        #expect(!stale.contains(world.page), "an id is used once")
      }
    }
    #expect(life.world.outcomes.count <= 1)
  }

  @Test("Ids of many attempts differ, and do not tell the idempotency key")
  func idsDiffer() throws {
    var dice = Dice(5)
    var ids: Set<String> = []
    for index in 0..<200 {
      let life = try pay(&dice, session: "s\(index)")
      let page = life.world.page
      #expect(ids.insert(page).inserted)
      let key = life.world.money[0].headers.first { $0.name == "Idempotency-Key" }?.value ?? ""
      let tag = page.split(separator: "-").last ?? ""
      #expect(tag.count == 16 && !key.isEmpty && !key.replacing("-", with: "").contains(tag))
    }
  }

  @Test("A snapshot names the page that is open, or the one that is opened next, by the id that it then has")
  func theSnapshotKnowsIt() throws {
    var dice = Dice(6)
    let life = try pay(&dice, session: "s1")
    // The checkpoint of the answer is older than the page.
    let stored = try #require(life.world.stored).text
    let (fromCheckpoint, _) = try life.world.restored(from: stored)
    let (fromSave, _) = try life.world.restored(from: life.world.checkout.core.snapshotNow(life.world.moment))
    for world in [fromCheckpoint, fromSave] {
      expectRefused("p1", world, &dice)
      try world.perform(.redirectReport(presentation: life.world.page, .canceled))
      #expect(world.outcomes.map { $0["kind"]?.string } == ["canceled"])
      expectRefused(life.world.page, world, &dice)
    }
  }
}

extension Core {
  fileprivate func snapshotNow(_ moment: Moment) -> String {
    var copy = self
    return copy.saveState(moment)
  }
}
