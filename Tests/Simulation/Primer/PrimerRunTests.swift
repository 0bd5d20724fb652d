import CheckoutRuntime
import Foundation
import JSONText
import Testing

@testable import CheckoutCore

/// Random hosts of Primer sessions, a random back end that would pay twice, kills and restarts.
@Suite("Random runs with Primer")
struct PrimerRunTests {
  @Test("no schedule breaks an invariant")
  func invariants() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["SIMULATION_SEEDS"].flatMap { Int($0) } ?? 30
    let first = environment["SIMULATION_FIRST"].flatMap { Int($0) } ?? 1
    var steps = 0
    var outcomes = 0
    for seed in first..<(first + count) {
      let run = try PrimerRun(seed: UInt64(seed))
      run.play(steps: 120)
      steps += run.steps
      outcomes += run.outcomes
      if let violation = run.violation {
        Issue.record(
          "SIMULATION_FIRST=\(seed) SIMULATION_SEEDS=1: \(violation)\n\(run.history.joined(separator: "\n"))")
      }
    }
    print("simulate primer: seeds=\(count) steps=\(steps) outcomes=\(outcomes)")
    #expect(outcomes > 2 * count)
  }

  @Test("the same seed gives the same outputs, byte for byte")
  func determinism() throws {
    for seed in 1...20 {
      let (first, second) = (try PrimerRun(seed: UInt64(seed)), try PrimerRun(seed: UInt64(seed)))
      first.play(steps: 120)
      second.play(steps: 120)
      #expect(first.history == second.history)
    }
  }
}

final class PrimerRun {
  private var dice: Dice
  private(set) var world: World
  private(set) var steps = 0
  private(set) var violation: String?
  private(set) var history: [String] = []

  /// Payments at the back end that took money, or still may.
  private var live = 0
  /// Requests that create a payment and may still arrive.
  private var strays = 0
  /// The key of a creation that has no verdict; nil: there is none. Empty: one without a key.
  private var owed: String?
  /// The action that was asked for last, and how often it was resumed.
  private var action = 0
  private var resumed: [Int: Int] = [:]
  private var lastState: SessionState?
  private var earlierOutcomes = 0
  var outcomes: Int { earlierOutcomes + world.outcomes.count }

  init(seed: UInt64) throws {
    var dice = Dice(seed)
    let hooks = [Hook.beforePayment, .idempotencyKey].filter { _ in dice.chance(50) }
    world = try PrimerShop.world([.checkpoint] + hooks)
    self.dice = dice
  }

  func play(steps count: Int) {
    for _ in 0..<count where violation == nil {
      steps += 1
      switch dice.below(20) {
      case 0...7: command()
      case 8...13: backEnd()
      case 14...16: hook()
      case 17: time()
      case 18: settleCancelled()
      default: if dice.chance(40) { kill() } else if dice.chance(8) { attempt(.teardown) }
      }
      check()
    }
    if violation == nil { finish() }
  }

  // MARK: The host

  /// What brings the shopper nearer to a payment.
  private func goOn() {
    let core = world.checkout.core
    switch core.standing {
    case .idle where core.life.phase == .idle: attempt(.start(tag: nil))
    case .unknown: resolve()
    case .ready where core.submitBlockers.isEmpty: attempt(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    case .ready where core.elements.isEmpty: openElement()
    case .ready:
      if core.primary == nil || dice.chance(20) {
        attempt(.setPrimary(.item(core.elements[0].id)))
      } else {
        openElement()
      }
    case .terminated, .submitted: if core.life.isReady || core.isTerminated { attempt(.cancel) }
    default: backEnd()
    }
  }

  private func command() {
    if dice.chance(75) { return goOn() }
    switch dice.below(16) {
    case 0...3: attempt(.start(tag: nil))
    case 4: attempt(.refresh(tag: nil))
    case 5: if dice.chance(40) { attempt(.cancel) }
    case 6: if dice.chance(20) { attempt(.dismiss) }
    case 7, 8: attempt(.setPrimary(.item(dice.chance(75) ? PrimerShop.card : PrimerShop.page)))
    case 9, 10: openElement()
    case 11: resolve()
    case 12: if dice.chance(30) { attempt(.abortAttempt(world.checkout.core.attempt?.id ?? 1)) }
    default: attempt(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    }
  }

  private func openElement() {
    let item = dice.chance(75) ? PrimerShop.card : PrimerShop.page
    attempt(
      .elementOpen(
        ElementOpen(choice: .item(item), presentsRedirects: dice.chance(85), appReturnURL: "shop://back", tag: nil)))
    if item == PrimerShop.card { for field in PrimerShop.fields { attempt(.setField(element: item, field)) } }
    if dice.chance(10) { attempt(.elementClose(item)) }
  }

  /// An honest host: what it says of a payment is so, because it asked, or saw to it.
  private func resolve() {
    guard let pending = world.checkout.core.pendingAttempt else { return }
    let isOnItsWay = strays > 0 || world.open.contains { $0.request.money == .opens }
    let verdicts: [ResolveVerdict] = live > 0 ? [.paid, .abandoned, .declined] : [.notCreated, .abandoned, .declined]
    guard let verdict = dice.pick(verdicts), verdict == .paid || verdict == .abandoned || !isOnItsWay else { return }
    // Its backend cancels the payment that waits.
    if verdict == .declined { live = 0 }
    if attempt(.resolve(attempt: pending.id, verdict)), verdict != .notCreated { owed = nil }
  }

  @discardableResult
  private func attempt(_ command: Command) -> Bool {
    let before = world.checkout
    do throws(CheckoutError) {
      let reply = try world.perform(command)
      history.append("\(command) -> \(reply.compactText)")
      return true
    } catch {
      history.append("\(command) refused \(error.code)")
      if world.checkout != before { violation = "a refused call changed something: \(command)" }
      return false
    }
  }

  private func hook() {
    if let page = world.checkout.core.presentation, dice.chance(40) {
      let ends: [PresentationEnd] = [.returned(url: nil), .returned(url: "shop://back"), .canceled, .failed("x")]
      if let end = dice.pick(ends) { attempt(.redirectReport(presentation: page.id, end)) }
      return
    }
    guard let ticket = dice.pick(world.openTickets) else { return }
    let key = dice.chance(50) ? #"{"idempotencyKey":"k\#(steps)"}"# : "{}"
    let isKey = ticket.kind == .beforePayment || ticket.kind == .idempotencyKey
    let answer: HookAnswer =
      switch dice.below(10) {
      case 0: .error("no")
      case 1: .canceled
      case 2: .unset
      default: .ok(isKey ? key : "{}")
      }
    attempt(.answer(ticket: ticket.ticket, answer))
  }

  private func time() {
    let milliseconds = Int64(dice.pick([500, 1_000, 3_000, 6_000, 61_000]) ?? 1_000)
    history.append("time \(milliseconds)")
    world.advance(milliseconds)
  }

  // MARK: The back end

  private func backEnd() {
    guard let open = dice.pick(world.open) else { return }
    guard world.letsGo(open.id) else {
      history.append("\(open.request.call) stopped")
      return world.receive(open.id, .nothing(left: false, reason: "stopped"))
    }
    switch open.request.money {
    case .opens: return create(open.id, open.request)
    case .continues: return resume(open.id, open.request)
    case .none: break
    }
    if dice.chance(10) { return lose(open.id, left: dice.chance(50)) }
    if dice.chance(10) { return respond(open.id, dice.pick([400, 401, 500]) ?? 500, "{}") }
    switch open.request.call {
    case .configuration: respond(open.id, 200, PrimerShop.configuration)
    case .tokenize: respond(open.id, 200, #"{"token":"pm\#(steps)"}"#)
    case .poll:
      let isDone = dice.chance(40)
      respond(open.id, 200, #"{"status":"\#(isDone ? "COMPLETE" : "PENDING")","id":"r\#(action)"}"#)
    case .threeDS: respond(open.id, 200, #"{"resumeToken":"r\#(action)"}"#)
    default: respond(open.id, 200, "{}")
    }
  }

  private func respond(_ id: RequestID, _ status: Int, _ body: String) {
    history.append("\(id.value) answers \(status) \(body.prefix(60))")
    world.receive(id, .answer(Answer(status: status, date: nil, body: Array(body.utf8))))
  }

  private func lose(_ id: RequestID, left: Bool) {
    history.append("\(id.value) lost, left \(left)")
    world.receive(id, .nothing(left: left, reason: "lost"))
  }

  /// Takes whatever arrives: it does not itself keep a session from paying twice.
  private func pay() {
    live += 1
    if live > 1 { violation = "I1: \(live) payments of one session" }
  }

  private func create(_ id: RequestID, _ request: Request) {
    let key = request.headers.first { $0.name == "X-Idempotency-Key" }?.value ?? ""
    let isRepetition = owed != nil
    if let owed, owed != "", owed != key { violation = "I1: the key was renewed before a verdict" }
    if live > 0 { violation = "I1: a payment is asked for while another may take money" }
    owed = key
    action += 1
    switch dice.below(9) {
    case 0:
      strays += 1
      lose(id, left: true)
    case 1:
      pay()
      lose(id, left: true)
    case 2:
      if !isRepetition { owed = nil }
      respond(id, dice.pick([400, 403, 422, 429]) ?? 400, "{}")
    case 3:
      if dice.chance(50) { pay() }
      respond(id, dice.pick([409, 500, 302]) ?? 500, "{}")
    case 4:
      owed = nil
      respond(id, 200, PrimerShop.payment("FAILED"))
    case 5:
      owed = nil
      pay()
      respond(id, 200, PrimerShop.payment(dice.chance(50) ? "SUCCESS" : "PENDING"))
    default:
      owed = nil
      pay()
      respond(id, 200, PrimerShop.waiting(isPage: dice.chance(60)))
    }
  }

  private func resume(_ id: RequestID, _ request: Request) {
    if request.headers.contains(where: { $0.name == "X-Idempotency-Key" }) { violation = "a resume with the key" }
    let token = request.shownBody
    if !token.contains("\"r\(action)\"") { violation = "a resume of an earlier action" }
    resumed[action, default: 0] += 1
    if resumed[action] ?? 0 > 1 { violation = "I1: an action was resumed twice" }
    switch dice.below(7) {
    case 0: lose(id, left: true)
    case 1: respond(id, dice.pick([400, 401, 404, 409, 500]) ?? 400, "{}")
    case 2:
      live = 0
      respond(id, 200, PrimerShop.payment("FAILED"))
    case 3: respond(id, 200, PrimerShop.payment("PENDING"))
    case 4:
      action += 1
      respond(id, 200, PrimerShop.waiting(isPage: dice.chance(60)))
    default: respond(id, 200, PrimerShop.payment("SUCCESS"))
    }
  }

  /// A request that was lost on the way arrives after all, or never.
  private func settleStrays() {
    while strays > 0 {
      strays -= 1
      if dice.chance(50) { pay() }
    }
  }

  private func settleCancelled() {
    settleStrays()
    world.settleCancelled(left: false)
  }

  /// The process dies; what was stored is all there is.
  private func kill() {
    let hasLeft = world.checkout.core.attempt?.hasLeft == true
    if hasLeft, world.open.contains(where: { $0.request.money == .opens }) { strays += 1 }
    settleStrays()
    guard let stored = world.stored else { return }
    do throws(CheckoutError) {
      let (reborn, reply) = try world.restored(from: stored.text)
      history.append(
        "killed; restored \(reply["sessionState"]?.string ?? "") \(reply["pendingAttempt"]?.compactText ?? "")")
      earlierOutcomes += world.outcomes.count
      world = reborn
      lastState = nil
    } catch {
      violation = "a stored checkpoint is not restored: \(error.code)"
    }
  }

  // MARK: Invariants

  private func check() {
    var told: [Int64: Int] = [:]
    for outcome in world.outcomes { if let id = outcome["attempt"]?.int64 { told[id, default: 0] += 1 } }
    if told.contains(where: { $0.value > 1 }) { violation = "I2: two outcomes" }
    for outcome in world.outcomes
    where outcome["error"]?["moved"]?.string == "no" && outcome["kind"]?.string == "failed" {
      if outcome["attempt"]?.int64 == world.checkout.core.ledger.attempt, world.checkout.core.isOutcomeUnknown {
        violation = "a failure that says moved no, in doubt"
      }
    }
    let core = world.checkout.core
    // What may take money is never payable again.
    if live > 0, core.standing == .ready { violation = "I1: payable while a payment may take money" }
    if core.attempt == nil, core.ledger.standing == .open { violation = "an open payment that nobody waits for" }
    if core.hasLeft, core.attempt?.stop != nil, core.ledger.standing == .clear { violation = "stopped after it left" }
    checkPublished()
    if steps % 4 == 0 { checkSnapshot() }
    if let lastState, lastState != core.sessionState { checkTransition(from: lastState, to: core.sessionState) }
    lastState = core.sessionState
    if world.sawRevisionFall { violation = "I6: a saved state's revision fell" }
  }

  private func checkPublished() {
    var copy = world.checkout
    _ = copy.takeChange()
    let told = copy.core.publication.told
    for property in Property.allCases where told[property.rawValue] != copy.core.text(of: property) {
      violation = "I5: \(property.name) differs from what was told"
    }
  }

  private func checkSnapshot() {
    var copy = world.checkout
    let text = copy.saveState(world.moment)
    if text.contains("\"pm") || text.contains("PROCESSOR") { violation = "I7: a token in a snapshot" }
    do throws(CheckoutError) {
      let (again, _) = try world.restored(from: text)
      if live > 0, [.ready, .idle].contains(again.checkout.core.standing) { violation = "I10: may pay again" }
    } catch {
      violation = "I6: a saved state is refused: \(error.code) \(error.path ?? "")"
    }
  }

  private func checkTransition(from: SessionState, to: SessionState) {
    let isKnown = Transition.all.contains { $0.from == from && $0.to == to }
    // Two may fall into one step: an answer and what follows it.
    let isTwo = Transition.all.contains { first in
      first.from == from && Transition.all.contains { $0.from == first.to && $0.to == to }
    }
    if !isKnown, !isTwo { violation = "no transition from \(from) to \(to)" }
  }

  /// Each attempt that was accepted in this life has its one outcome, and everything is drained.
  private func finish() {
    attempt(.teardown)
    world.settleCancelled()
    while let open = world.open.first {
      let left = open.request.money != .none && !world.letsGo(open.id) && world.checkout.core.hasLeft
      lose(open.id, left: left)
    }
    check()
    if !world.checkout.core.isDrained { violation = violation ?? "I8: not drained after teardown" }
    if world.checkout.core.attempt != nil { violation = violation ?? "I2: an attempt without an outcome" }
  }
}
