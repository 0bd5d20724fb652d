import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

/// Random shoppers who change their wallet while they pay, at a wallet that forgets, refuses and is changed by others.
@Suite("Random runs of the wallet")
struct WalletRunTests {
  @Test("Seeded runs keep their promises", arguments: 1...60)
  func runs(_ seed: Int) throws {
    var run = try WalletRun(UInt64(seed))
    run.play(160)
    #expect(run.violation == nil, "seed \(seed): \(run.violation ?? "") after \(run.history.suffix(14))")
  }
}

private struct WalletRun: CommandRun {
  var world: World
  var dice: Dice
  var history: [String] = []
  var violation: String?
  /// What the host has asked to be deleted, and the wallet has not refused.
  var deleted: Set<String> = []
  var opened = 0
  var session = 1

  init(_ seed: UInt64) throws {
    world = try Saved.open([.checkpoint])
    dice = Dice(seed)
  }

  mutating func play(_ steps: Int) {
    for _ in 0..<steps where violation == nil {
      step()
      check()
    }
    finish()
  }

  private mutating func step() {
    let token = dice.pick(["a", "b", "t1", "g1", "g2", "new", "gc1"]) ?? ""
    switch dice.below(16) {
    case 0, 1:
      attempt("primary \(token)") { (world) throws(CheckoutError) in try world.perform(.setPrimary(.token(token))) }
    case 2, 3: attempt("take \(token)") { (world) throws(CheckoutError) in try world.take(token, nil) }
    case 4:
      attempt("remove \(token)") { (world) throws(CheckoutError) in try world.perform(.removeSecondary(token: token)) }
    case 5: submit()
    case 6:
      let name = dice.pick(["One", "Two", ""]) ?? ""
      attempt("rename \(token)", isCall: true) { (world) throws(CheckoutError) in
        try world.update(token, .name(name))
      }
    case 7:
      attempt("favorite \(token)", isCall: true) { (world) throws(CheckoutError) in
        try world.update(token, .favorite)
      }
    case 8: delete(token)
    case 9:
      guard dice.chance(15) else { return }
      deleteAll()
    case 10:
      guard dice.chance(30) else { return }
      let owner = dice.chance(80) ? "o1" : "o2"
      let wallet = WalletSession(id: "w\(history.count)", owner: owner, merchant: "m", expiresAt: nil)
      attempt("wallet \(owner)", isCall: true) { (world) throws(CheckoutError) in
        try world.perform(.setWalletSession(wallet, tag: nil))
      }
    case 11:
      guard dice.chance(15) else { return }
      session += 1
      let text = Saved.blob("s\(session)", beside: dice.chance(50) ? Saved.session : "").text
      attempt("session") { (world) throws(CheckoutError) in try world.perform(.setSession(widgetData: text)) }
    case 12: if dice.chance(20) { restart() } else { resolve() }
    case 13: answerHook()
    case 14: world.settleCancelled(left: dice.chance(50))
    default: backEnd()
    }
  }

  private mutating func delete(_ token: String) {
    let before = opened
    attempt("delete \(token)", isCall: true) { (world) throws(CheckoutError) in try world.delete(token) }
    if opened > before { deleted.insert(token) }
  }

  private mutating func deleteAll() {
    let listed = world.checkout.core.savedIDs
    let before = opened
    attempt("delete all", isCall: true) { (world) throws(CheckoutError) in
      try world.perform(.deleteToken(.all, tag: nil))
    }
    if opened > before { deleted.formUnion(listed) }
  }

  /// What is handed to the transport may name nothing that the shopper wanted gone.
  private mutating func submit() {
    let before = world.money.count
    attempt("submit") { (world) throws(CheckoutError) in try world.submit() }
    checkMoney(from: before)
  }

  private mutating func checkMoney(from count: Int) {
    for request in world.money.dropFirst(count) {
      for token in deleted where request.shownBody.contains("\"v-\(token)\"") || request.shownBody.contains("\"v1\"") {
        if token == "t1" || request.shownBody.contains("\"v-\(token)\"") { violation = "paid with deleted \(token)" }
      }
      var sum: Int64 = 0
      for item in World.parse(request.shownBody.replacing("\"<", with: "\"x")).elements {
        let text = item["amount"]?.numberText ?? ""
        sum += (try? Amount.minorUnits(fromDecimal: text, digits: 2)) ?? -1
      }
      if sum != 12_000 { violation = "the slices sum to \(sum)" }
    }
  }

  private mutating func answerHook() {
    guard let ticket = dice.pick(world.openTickets) else { return }
    let answer: HookAnswer = dice.chance(80) ? .ok("{}") : .error("no")
    let before = world.money.count
    attempt("answer \(ticket.kind)") { (world) throws(CheckoutError) in
      try world.perform(.answer(ticket: ticket.ticket, answer))
    }
    checkMoney(from: before)
  }

  private mutating func resolve() {
    let verdict: ResolveVerdict = dice.chance(50) ? .notCreated : .declined
    guard let pending = world.state(.pendingAttempt)["attempt"]?.int64 else { return }
    attempt("resolve") { (world) throws(CheckoutError) in try world.perform(.resolve(attempt: pending, verdict)) }
  }

  /// A restart from what is saved now: nothing that was deleted with the wallet's word comes back.
  private mutating func restart() {
    guard world.sessionState == "ready", world.checkout.core.services.allSatisfy({ $0.call == nil }) else { return }
    let text = world.checkout.saveState(world.moment)
    guard let (again, _) = try? world.restored(from: text) else { return violation = "cannot be restored" }
    // Deletions that the wallet has not answered are not in it, and none was open.
    let now = again.checkout.saveState(again.moment)
    let first = World.parse(text)
    let second = World.parse(now)
    for key in ["wallet", "registrations", "primary", "slices"]
    where first[key]?.compactText != second[key]?.compactText {
      violation = "\(key) is not restored as it was saved: \(first[key]?.compactText ?? "")"
    }
    opened = 0
    world = again
    history.append("restart")
  }

  private mutating func backEnd() {
    guard let open = dice.pick(world.open) else { return }
    guard world.letsGo(open.id) else { return world.receive(open.id, .nothing(left: false, reason: "stopped")) }
    history.append("\(open.request.call) \(open.request.method)")
    if dice.chance(12) {
      return world.receive(open.id, .nothing(left: dice.chance(50), reason: "lost"))
    }
    switch open.request.call {
    case .initialize:
      let amount = "\(10 + dice.below(60)).00"
      world.receive(open.id, AttemptTests.answer(dice.chance(90) ? 200 : 500, Saved.balance(amount)))
    case .validate:
      let status = dice.chance(70) ? 200 : 400
      world.receive(open.id, AttemptTests.answer(status, Wire.validated(dice.chance(50) ? "SUCCESS" : "FAILED")))
    case .wallet:
      wallet(open.id, open.request)
    default:
      world.receive(open.id, .nothing(left: false, reason: "no such service"))
    }
  }

  private mutating func wallet(_ id: RequestID, _ request: Request) {
    switch request.method {
    case "GET":
      let owner = request.url.contains("/o2/") ? "o2" : "o1"
      let ids = ["a", "b", "new"].filter { _ in dice.chance(75) }
      let cards = ["g1", "g2"].filter { _ in dice.chance(75) }
      let list =
        ids.map { Saved.token($0, ("aci", "creditcard"), owner: owner) }
        + cards.map { Saved.token($0, Saved.giftCard, owner: owner) }
      world.receive(id, AttemptTests.answer(dice.chance(90) ? 200 : 500, "[\(list.joined(separator: ","))]"))
    default:
      world.receive(id, AttemptTests.answer(dice.pick([204, 204, 204, 404, 500, 401]) ?? 204))
    }
  }

  private mutating func check() {
    let core = world.checkout.core
    // What the wallet has refused to delete may be used again.
    for token in deleted where core.isListed(token) && !core.isBeingDeleted(token) { deleted.remove(token) }
    let slices = core.split.slices
    if slices.contains(where: { $0.amount <= 0 || $0.amount > core.secondary($0.token)?.balance ?? 0 }) {
      violation = "a slice beyond its balance"
    }
    if core.split.covered > 12_000 { violation = "more than the amount" }
    if core.attempt == nil, core.ledger.standing == .clear {
      if let primary = core.primary, deleted.contains(primary.id) { violation = "\(primary.id) is still chosen" }
      if slices.contains(where: { deleted.contains($0.token) }) { violation = "a deleted gift card still pays" }
    }
    let ids = Array(world.state(.paymentTokens).elements) + Array(world.state(.savedSecondaryTokens).elements)
    if Set(ids.compactMap { $0["id"]?.string }).count != ids.count { violation = "a token stands twice" }
    if ids.filter({ $0["isFavorite"]?.boolean == true }).count > 1 { violation = "two favorites" }
    // The outputs tell the same as what is derived afresh.
    if core.services.filter({ $0.readsBalance && $0.request != nil }).count > Core.mostBalanceReads {
      violation = "too many balances at once"
    }
  }

  /// Every call that was accepted ends exactly once.
  private mutating func finish() {
    guard violation == nil else { return }
    _ = try? world.perform(.teardown)
    let ids = world.results.compactMap { $0["call"]?.int64 }
    if Set(ids).count != ids.count { violation = "a call ended twice" }
    if ids.count != opened { violation = "\(opened) calls, \(ids.count) results" }
  }
}
