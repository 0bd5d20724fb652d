import Foundation
import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

/// Random hosts, a random back end, kills and restarts. After each step the invariants of Sources/README.md hold.
///
/// `SIMULATION_SEEDS` says how many seeds; a failing seed prints itself.
@Suite("Random runs")
struct RandomRunTests {
  // seed: 002:6
  // seed: 002:18d
  // seed: 002:32
  @Test("no schedule breaks an invariant")
  func invariants() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["SIMULATION_SEEDS"].flatMap { Int($0) } ?? 40
    let first = environment["SIMULATION_FIRST"].flatMap { Int($0) } ?? 1
    var steps = 0
    var violations = 0
    for seed in first..<(first + count) {
      let run = Run(seed: UInt64(seed))
      try run.play(steps: 60)
      steps += run.steps
      if let violation = run.violation {
        violations += 1
        let history = run.history.joined(separator: "\n")
        Issue.record("SIMULATION_FIRST=\(seed) SIMULATION_SEEDS=1: \(violation)\n\(history)")
      }
    }
    print("simulate: seeds=\(count) steps=\(steps) violations=\(violations)")
  }

  @Test("the same seed gives the same outputs, byte for byte (I11)")
  func determinism() throws {
    for seed in 1...40 {
      let first = Run(seed: UInt64(seed))
      let second = Run(seed: UInt64(seed))
      try first.play(steps: 60)
      try second.play(steps: 60)
      #expect(first.history == second.history)
    }
  }
}

/// The truth at the back end, which the core must not outrun.
struct Truth {
  /// Payments created, by session.
  var payments: [String: Int] = [:]
  /// The key of a request that left and got no verdict, by session.
  var unsettled: [String: String] = [:]
  /// Sessions of which the host said `notCreated` too early: only their key keeps a repetition from paying.
  var lies: Set<String> = []

  mutating func pay(_ session: String) {
    payments[session] = lies.contains(session) ? 1 : (payments[session] ?? 0) + 1
  }
  /// Money requests that arrived and created nothing, and never will.
  var certainlyNothing = true
}

final class Run {
  private var dice: Dice
  private var world: World
  private var truth = Truth()
  private(set) var steps = 0
  private(set) var violation: String?
  private(set) var history: [String] = []
  private var outcomes: [String: Int] = [:]
  private var life = 0
  private var session = 1
  /// A snapshot tells what its checkout has spent, and nothing of others: a host that dies goes on with new sessions.
  private var firstSession = 1
  /// Another checkout of the same session in the same runtime.
  private var rival: World?
  /// Every snapshot that was stored in this process.
  private var snapshots: [String] = []
  private var lastState: (SessionState, Bool)?

  init(seed: UInt64) {
    var dice = Dice(seed)
    let hooks = Hook.allCases.filter { _ in dice.chance(50) }
    let amount = dice.pick(["120.00", "0", "50.00", "7.00"]) ?? "120.00"
    do {
      world = try World(Blob(amount: amount), World.options(hooks + [.checkpoint], capabilities: [.collect]))
    } catch { preconditionFailure("a valid session is refused") }
    self.dice = dice
  }

  func play(steps count: Int) throws {
    for _ in 0..<count where violation == nil {
      steps += 1
      step()
      if let stored = world.stored?.text, stored != snapshots.last { snapshots.append(stored) }
      check()
    }
    if violation == nil { finish() }
  }

  // MARK: Steps

  private func step() {
    switch dice.below(20) {
    case 0...7: command()
    case 8...11: backEnd()
    case 12...15: hook()
    case 16: time()
    case 17: world.settleCancelled(left: false)
    case 18:
      switch dice.below(10) {
      case 0...2: kill()
      case 3, 4: reopen()
      case 5, 6: compete()
      default: break
      }
    default: if dice.chance(25) { attempt(.teardown) }
    }
  }

  private func command() {
    let card = "purse-creditcard"
    switch dice.below(18) {
    case 0: attempt(.setPrimary(.item(card)))
    case 1: attempt(.setPrimary(dice.chance(50) ? .item("hipay-bancontact") : .token("t1")))
    case 2:
      attempt(
        .elementOpen(
          ElementOpen(
            choice: dice.chance(60) ? .item(card) : .item("hipay-bancontact"), presentsRedirects: dice.chance(70),
            appReturnURL: dice.chance(50) ? "shop://back" : nil, tag: nil)))
    case 3: attempt(.elementReport(element: card, .formValidity(dice.chance(80))))
    case 4: attempt(.elementReport(element: card, report()))
    case 5:
      attempt(
        .readSecondary(
          ReadSecondary(
            item: dice.chance(70) ? "illicado-giftcard" : "buybox-giftcard",
            number: TypedNumber(secret: SecretID(UInt64(1 + dice.below(4))), length: 16, lastFour: "0001"),
            securityCode: nil, tag: nil)))
    case 6:
      let amount = dice.chance(50) ? nil : Int64(dice.below(9_000))
      attempt(.applySecondary(token: "gc\(1 + dice.below(3))", amount: amount))
    case 7: attempt(.removeSecondary(token: "gc\(1 + dice.below(3))"))
    case 8...11: attempt(.submit(Submit(source: nil, skipsBeforeValidate: dice.chance(20))))
    case 12: attempt(.abortAttempt(world.checkout.core.attempt?.id ?? 1))
    case 13: resolve()
    case 14:
      if dice.chance(60) { session += 1 }
      let number = dice.chance(70) ? session : firstSession + dice.below(session - firstSession + 1)
      attempt(.setSession(widgetData: Blob(id: "s\(number)").text))
    case 15: attempt(.elementClose(dice.chance(70) ? card : "hipay-bancontact"))
    case 16: attempt(.setHooks([.checkpoint] + Hook.allCases.filter { $0 != .checkpoint && dice.chance(50) }))
    default: attempt(.redirectPresent(attempt: world.checkout.core.presentable?.attempt ?? 1, tag: nil))
    }
  }

  private func report() -> ElementReport {
    switch dice.below(6) {
    case 0: .canceled
    case 1: .partnerError("x", recoverable: true)
    case 2: dice.chance(30) ? .initFailed("x") : .ready
    case 3: dice.chance(20) ? .endOfSession : .ready
    default: .ready
    }
  }

  /// A host that tells the truth: notCreated only when no money request can have created anything. Or, rarely, a lie.
  private func resolve() {
    guard let pending = world.checkout.core.pendingAttempt else { return }
    let session = world.checkout.core.sessionID
    let paid = (truth.payments[session] ?? 0) > 0
    if paid, !world.checkout.core.ledger.isSettled, dice.chance(25) {
      truth.lies.insert(session)
      return attempt(.resolve(attempt: pending.id, .notCreated))
    }
    let verdicts: [ResolveVerdict] = paid ? [.paid, .declined, .abandoned] : [.notCreated, .abandoned]
    if let verdict = dice.pick(verdicts) { attempt(.resolve(attempt: pending.id, verdict)) }
  }

  private func attempt(_ command: Command) {
    let before = world.checkout
    do throws(CheckoutError) {
      let reply = try world.perform(command)
      history.append("\(command) -> \(reply.compactText)")
    } catch {
      history.append("\(command) refused \(error.code)")
      if world.checkout != before { violation = "a refused call changed something: \(command)" }
    }
  }

  private func backEnd() {
    guard let open = dice.pick(world.open) else { return }
    let id = open.id
    if open.request.call != .validate, dice.chance(10) {
      history.append("\(id.value) answers without TLS, decades ahead")
      let date = "Thu, 01 Jan 2099 00:00:00 GMT"
      return world.receive(id, .answer(Answer(status: 500, date: date, body: [], isTrusted: false)))
    }
    guard world.letsGo(id) else {
      history.append("\(open.request.call) stopped")
      return world.receive(id, .nothing(left: false, reason: "stopped"))
    }
    if open.request.money == .opens { return money(id, open.request) }
    switch dice.below(6) {
    case 0: world.receive(id, .nothing(left: dice.chance(50), reason: "lost"))
    case 1: respond(id, dice.pick([400, 403, 500, 302]) ?? 500, "{}")
    case 2: respond(id, 200, Wire.initialized(state: "WAITING", code: "WAITING_PARTNER_RESPONSE"))
    default: respond(id, 200, Wire.initialized(dice.pick(["50.00", "0.00", "500.00"]) ?? "50.00"))
    }
  }

  private func respond(_ id: RequestID, _ status: Int, _ body: String) {
    history.append("\(id.value) answers \(status)")
    world.receive(id, .answer(Answer(status: status, date: nil, body: Array(body.utf8))))
  }

  /// The money request has left: the back end may take it or not, and the answer may come or not.
  private func money(_ id: RequestID, _ request: Request) {
    let session = world.checkout.core.sessionID
    let key = request.headers.first { $0.name == "Idempotency-Key" }?.value ?? ""
    let isRepetition = truth.unsettled[session] != nil
    if let owed = truth.unsettled[session], owed != key { violation = "I1: the key was renewed before a verdict" }
    if key == RandomBytes(high: 0, low: 0).uuid { violation = "I1: a key that was not drawn" }
    truth.unsettled[session] = key
    switch dice.below(8) {
    case 0:
      history.append("money lost before the back end, \(key)")
      world.receive(id, .nothing(left: true, reason: "lost"))
    case 1, 2:
      truth.pay(session)
      history.append("money taken, answer lost, \(key)")
      world.receive(id, .nothing(left: true, reason: "lost"))
    case 3:
      if !isRepetition { truth.unsettled[session] = nil }
      respond(id, dice.pick([400, 401, 403, 422, 429]) ?? 400, "{}")
    case 4:
      if dice.chance(50) { truth.pay(session) }
      respond(id, dice.pick([409, 500, 502, 302]) ?? 500, "{}")
    default:
      truth.pay(session)
      truth.unsettled[session] = nil
      let status = dice.pick(["SUCCESS", "FAILED", "WAITING"]) ?? "SUCCESS"
      respond(id, 200, Wire.validated(status, redirection: dice.chance(50) ? Wire.page : "{}"))
    }
  }

  private func hook() {
    if let page = world.checkout.core.presentation, dice.chance(50) {
      let ends: [PresentationEnd] = [
        .returned(url: "myapp://return"), .returned(url: "shop://back"), .returned(url: nil), .canceled, .failed("x"),
      ]
      if let end = dice.pick(ends) { attempt(.redirectReport(presentation: page.id, end)) }
      return
    }
    guard let ticket = dice.pick(world.openTickets) else { return }
    let answer: HookAnswer =
      switch dice.below(8) {
      case 0: .error("no")
      case 1: .canceled
      case 2: .unset
      default: .ok(okText(ticket))
      }
    attempt(.answer(ticket: ticket.ticket, answer))
  }

  private func okText(_ ticket: World.Asked) -> String {
    switch ticket.kind {
    case .step: Wire.token
    case .redirection: #"{"takeOver":\#(dice.chance(30))}"#
    default: "{}"
    }
  }

  private func time() {
    let milliseconds = Int64(dice.pick([10, 3_000, 40_000, 70_000, 400_000]) ?? 10)
    history.append("time \(milliseconds)")
    world.advance(milliseconds)
    // The device's calendar is set; or its randomness fails.
    if dice.chance(5) { world.clock.wall += Int64(dice.below(41) - 20) * 31_536_000_000 }
    if dice.chance(10) { world.hasRandomness.toggle() }
  }

  /// The host lets go of its checkout and restores one from any snapshot of this process, also an old one.
  private func reopen() {
    guard let old = dice.pick(snapshots) else { return }
    letGo()
    do throws(CheckoutError) {
      let (reborn, reply) = try world.restored(from: old, inSameProcess: true)
      history.append("let go; restored \(reply["sessionId"]?.string ?? "") \(reply["sessionState"]?.string ?? "")")
      // What was stored speaks of the checkout that is gone.
      reborn.stored = nil
      take(reborn)
    } catch {
      history.append("let go; refused \(error.code)")
      let next = rival
      rival = nil
      session += 1
      guard let fresh = next ?? (try? World(Blob(id: "s\(session)"), world.options, beside: world)) else { return }
      take(fresh)
    }
  }

  /// The shopper has another window: a second checkout of the same session, or a change of windows.
  private func compete() {
    if let other = rival {
      rival = world
      take(other)
      return history.append("the other window")
    }
    let id = world.checkout.core.sessionID
    guard let other = try? World(Blob(id: id), world.options, beside: world) else { return }
    rival = other
    history.append("a second window")
  }

  /// Teardown, the results of what was on its way, and what the runtime remembers.
  private func letGo() {
    attempt(.teardown)
    world.settleCancelled()
    while let open = world.open.first {
      if open.request.money == .opens, world.checkout.core.attempt?.hasLeft == true {
        truth.pay(world.checkout.core.sessionID)
        world.receive(open.id, .nothing(left: true, reason: "lost"))
      } else {
        world.receive(open.id, .nothing(left: false, reason: "the end"))
      }
    }
    if !world.checkout.core.isDrained { violation = "I8: not drained after teardown" }
    world.leave()
  }

  private func take(_ other: World) {
    world = other
    life += 1
    lastState = nil
  }

  /// The process dies; what was stored is all there is. Whatever was on its way may still arrive.
  private func kill() {
    if world.checkout.core.attempt?.hasLeft == true, world.open.contains(where: { $0.request.money == .opens }),
      dice.chance(50)
    {
      truth.pay(world.checkout.core.sessionID)
    }
    guard let stored = world.stored, rival == nil else { return }
    // Windows that store apart from each other tell each other nothing: their host goes on with what this one knows.
    truth.unsettled = truth.unsettled.filter { stored.text.contains($0.value) }
    // A host that stores at checkpoints only may fall back to an earlier session; that one is as it was then.
    do throws(CheckoutError) {
      let (reborn, reply) = try world.restored(from: stored.text)
      history.append("killed; restored \(reply["sessionState"]?.string ?? "")")
      take(reborn)
      rival = nil
      session += 1
      firstSession = session
      snapshots = [stored.text]
    } catch {
      violation = "a stored checkpoint is not restored: \(error.code)"
    }
  }

  // MARK: Invariants

  private func check() {
    if let over = truth.payments.first(where: { $0.value > 1 }) {
      violation = "I1: \(over.key) paid \(over.value) times"
    }
    checkOutcomes()
    checkSplit()
    checkPublished()
    checkTime()
    if world.sawRevisionFall { violation = "I6: a saved state's revision fell" }
    if world.checkout.core.attempt?.queuedReports.count ?? 0 > 4 { violation = "I8: reports pile up" }
    if steps % 6 == 0 { checkSnapshot() }
    checkTransition()
  }

  private func checkOutcomes() {
    outcomes = [:]
    for outcome in world.outcomes { outcomes["\(outcome["attempt"]?.int64 ?? 0)", default: 0] += 1 }
    if outcomes.contains(where: { $0.value > 1 }) { violation = "I2: two outcomes" }
  }

  private func checkSplit() {
    let core = world.checkout.core
    var sum: Int64 = 0
    for slice in core.split.slices {
      sum += slice.amount
      let balance = core.secondary(slice.token)?.balance ?? 0
      if slice.amount <= 0 || slice.amount > balance { violation = "I3: a slice outside its balance" }
    }
    if sum > core.session.amount { violation = "I3: slices over the amount" }
    // A money request carries slices that sum to the amount.
    if core.ledger.standing == .inFlight, let order = core.attempt?.order,
      order.slices.reduce(0, { $0 + $1.amount }) != core.session.amount
    {
      violation = "I3: what is sent is not the amount"
    }
  }

  private func checkPublished() {
    var copy = world.checkout
    _ = copy.takeChange()
    let told = copy.core.publication.told
    for property in Property.allCases where told[property.rawValue] != copy.core.text(of: property) {
      violation = "I5: \(property.name) differs from what was told"
    }
  }

  /// By the server's clock, and by no other.
  private func checkTime() {
    guard world.sessionState == "expired", let expires = world.state(.expiresAt).string,
      let time = DateText.milliseconds(fromISO8601: expires)
    else { return }
    if world.serverTime < time { violation = "I9: expired too early" }
  }

  private func checkSnapshot() {
    var copy = world.checkout
    let text = copy.saveState(world.moment)
    do throws(CheckoutError) {
      let (again, _) = try world.restored(from: text)
      var restored = again.checkout
      let second = restored.saveState(world.moment)
      // What a restore drops on purpose is dropped for good: from the second save on the bytes stay.
      let (twice, _) = try world.restored(from: second)
      var restoredTwice = twice.checkout
      let third = restoredTwice.saveState(world.moment)
      if Self.unstamped(second) != Self.unstamped(third) { violation = "I6: save, restore, save differ" }
      // What another checkout of the runtime holds is refused to a restore; here none is asked.
      let id = again.checkout.core.sessionID
      let mayPayAgain = again.checkout.core.standing == .ready && !world.isTaken(id)
      if mayPayAgain, !truth.lies.contains(id), (truth.payments[id] ?? 0) > 0, !copy.core.standing.isReady {
        violation = "I10: a restored checkout may pay again"
      }
    } catch {
      violation = "I6: a saved state is refused: \(error.code) \(error.path ?? "")"
    }
  }

  private static func unstamped(_ text: String) -> String {
    let document = World.parse(text)
    var lines: [String] = []
    for member in document.members where !["savedAt", "revision"].contains(member.key) {
      lines.append("\(member.key)=\(member.value.compactText)")
    }
    return lines.joined(separator: "\n")
  }

  private func checkTransition() {
    let core = world.checkout.core
    let state = core.sessionState
    if let (before, _) = lastState, before != state {
      let isKnown = Transition.all.contains { $0.from == before && $0.to == state }
      // Two transitions may fall into one step: an answer and what follows it.
      let isTwo = Transition.all.contains { first in
        first.from == before && Transition.all.contains { $0.from == first.to && $0.to == state }
      }
      if !isKnown, !isTwo { violation = "no transition from \(before) to \(state)" }
    }
    lastState = (state, core.isOutcomeUnknown)
  }

  /// Everything that is open is brought to its end: each attempt then has had its one outcome.
  private func finish() {
    attempt(.teardown)
    world.settleCancelled()
    while let open = world.open.first {
      let left = open.request.money == .opens && world.checkout.core.attempt?.hasLeft == true
      world.receive(open.id, .nothing(left: left, reason: "the end"))
    }
    check()
    if !world.checkout.core.isDrained { violation = violation ?? "I8: not drained after teardown" }
    let accepted = history.filter { $0.contains("-> {\"attempt\"") }.count
    if life == 0, outcomes.values.reduce(0, +) < accepted {
      violation = violation ?? "I2: an attempt without an outcome"
    }
  }
}

extension Standing {
  fileprivate var isReady: Bool { self == .ready }
}
