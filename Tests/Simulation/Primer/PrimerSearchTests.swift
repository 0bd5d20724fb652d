import CheckoutRuntime
import Foundation
import Testing

@testable import CheckoutCore

/// Every state that one card and one page of a Primer session can reach, with an honest host, a back end that takes
/// whatever arrives, losses, cancels and kills. `EXPLORE_STATES` bounds how many are visited.
@Suite("Every reachable state with Primer")
struct PrimerSearchTests {
  @Test("no state breaks an invariant")
  func explore() throws {
    let wanted = ProcessInfo.processInfo.environment["EXPLORE_STATES"].flatMap { Int($0) } ?? 3_000
    var root = try PrimerSmallWorld()
    let disk = PrimerDisk()
    var table = PrintTable()
    _ = table.insert(root.print(disk))
    var paths: [[PrimerMove]] = [[]]
    var level: [(world: PrimerSmallWorld, path: Int)] = [(root, 0)]
    var (transitions, depth) = (0, 0)
    while !level.isEmpty, table.count < wanted {
      var next: [(PrimerSmallWorld, Int)] = []
      for (world, path) in level where table.count < wanted {
        for move in world.moves {
          var successor = world
          guard successor.take(move, disk) else { continue }
          transitions += 1
          if let violation = successor.violation {
            let trace = (paths[path] + [move]).map { "\($0)" }.joined(separator: "\n")
            Issue.record("\(violation)\n\(trace)")
            return
          }
          guard table.insert(successor.print(disk)) == nil else { continue }
          paths.append(paths[path] + [move])
          next.append((successor, paths.count - 1))
        }
      }
      level = next
      depth += 1
    }
    print("explore primer: states=\(table.count) transitions=\(transitions) depth=\(depth) closed=\(level.isEmpty)")
    #expect(depth > 8)
    root.violation = nil
  }
}

enum PrimerMove: Hashable {
  case start, cancel, dismiss, prepare, submit, abort, teardown, wake, kill
  case answer(Int, isYes: Bool)
  case endPage(isBack: Bool)
  case resolve(ResolveVerdict)
  case letGo(Int), neverLeft(Int), lose(Int, arrives: Bool), respond(Int, PrimerAnswer)
  case strayArrives, strayVanishes
}

/// What the back end can say to a request.
enum PrimerAnswer: Hashable, CaseIterable {
  case fine, refused, broken, declined, page, challenge, pending
}

/// Snapshots that were stored; two that restore to the same state are one.
final class PrimerDisk {
  private(set) var texts: [String] = []
  private(set) var prints: [UInt64] = []

  func store(_ text: String) -> Int {
    let print = PrimerSmallWorld.restored(text).map { Print.of(checkout: $0) } ?? Print.of(text)
    if let known = prints.firstIndex(of: print) { return known }
    texts.append(text)
    prints.append(print)
    return texts.count - 1
  }
}

/// One Primer checkout, its host, its back end and its disk: a value that a search copies at each step.
struct PrimerSmallWorld {
  struct Open: Hashable {
    var id: RequestID
    var call: Call
    var money: Money
    var hasLeft = false
  }

  private var checkout: Checkout<BackEnd>
  private var open: [Open] = []
  private var live = 0
  private var strays = 0
  /// Resumes of the latest action.
  private var resumes = 0
  private var disk: Int?
  private var outcomes: [Int] = []
  private var submits = 2
  private var kills = 1
  private var cancels = 1
  /// A payment has so many required actions at most.
  private var actions = 2
  var violation: String?

  private static let options: CheckoutOptions = {
    var options = PrimerShop.options([.checkpoint, .beforePayment])
    options.pollTimeout = nil
    return options
  }()
  private static let moment = Moment(now: World.start, random: RandomBytes(high: 7, low: 7))
  private var core: Core { checkout.core }

  init() throws {
    var out: [Output] = []
    checkout = try Checkout(
      widgetData: PrimerShop.session, Self.options, PrimerShop.provider, .alone, Self.moment, &out)
  }

  static func restored(_ text: String) -> Checkout<BackEnd>? {
    var out: [Output] = []
    var reply = ""
    guard let saved = try? SavedState(Array(text.utf8)) else { return nil }
    return try? Checkout<BackEnd>(
      restoring: saved, options, PrimerShop.provider, .alone, moment, &out, reply: &reply)
  }

  func print(_ disk: PrimerDisk) -> UInt64 {
    var print = Print()
    print.add(Print.of(checkout: checkout))
    for request in open {
      print.add(hashable: request.call)
      print.add(request.hasLeft)
      print.add(core.sentAt[request.id] != nil)
    }
    for number in [open.count, live, strays, resumes, submits, kills, cancels, actions] { print.add(number) }
    for told in outcomes { print.add(told) }
    print.add(self.disk.map { disk.prints[$0] } ?? 5)
    return print.value
  }

  // MARK: Moves

  var moves: [PrimerMove] {
    var moves: [PrimerMove] = []
    let standing = core.standing
    if core.life.phase == .idle, !core.isTornDown { moves.append(.start) }
    if cancels > 0, !core.isTornDown { moves.append(.cancel) }
    if standing == .ready {
      if core.elements.first?.isFormValid != true { moves.append(.prepare) }
      if core.submitBlockers.isEmpty, submits > 0 { moves.append(.submit) }
      moves.append(.dismiss)
    }
    if core.attempt != nil, !core.hasLeft { moves.append(.abort) }
    if !core.isTornDown { moves.append(.teardown) }
    if case .timer = core.attempt?.wait { moves.append(.wake) }
    if kills > 0, disk != nil { moves.append(.kill) }
    for index in core.tickets.indices { moves += [.answer(index, isYes: true), .answer(index, isYes: false)] }
    if core.presentation != nil { moves += [.endPage(isBack: true), .endPage(isBack: false)] }
    moves += verdicts
    for (index, request) in open.enumerated() { moves += answers(index, request) }
    if strays > 0 { moves += [.strayArrives, .strayVanishes] }
    return moves
  }

  /// An honest host's.
  private var verdicts: [PrimerMove] {
    guard core.pendingAttempt != nil, !core.isTornDown else { return [] }
    let isOnItsWay = strays > 0 || open.contains { $0.money != .none && $0.hasLeft }
    if live > 0 { return isOnItsWay ? [.resolve(.paid)] : [.resolve(.paid), .resolve(.declined)] }
    return isOnItsWay ? [.resolve(.abandoned)] : [.resolve(.notCreated), .resolve(.declined)]
  }

  private func answers(_ index: Int, _ request: Open) -> [PrimerMove] {
    guard request.hasLeft else { return [.letGo(index), .neverLeft(index)] }
    let all: [PrimerAnswer]
    switch request.money {
    case .opens: all = actions > 0 ? [.fine, .refused, .broken, .declined, .page, .challenge] : [.fine, .declined]
    case .continues: all = actions > 0 ? [.fine, .refused, .declined, .page] : [.fine, .refused, .declined]
    case .none: all = request.call == .poll ? [.fine, .pending, .refused] : [.fine, .refused]
    }
    let losses: [PrimerMove] =
      request.money == .opens
      ? [.lose(index, arrives: true), .lose(index, arrives: false)] : [.lose(index, arrives: false)]
    return all.map { .respond(index, $0) } + losses
  }

  // MARK: Taking one

  /// False: the core refused it.
  mutating func take(_ move: PrimerMove, _ disk: PrimerDisk) -> Bool {
    checkout.core.next.revision = 0
    switch move {
    case .start: return perform(.start(tag: nil), disk)
    case .cancel:
      cancels -= 1
      return perform(.cancel, disk)
    case .dismiss: return perform(.dismiss, disk)
    case .prepare: return prepare(disk)
    case .submit:
      submits -= 1
      return perform(.submit(Submit(source: nil, skipsBeforeValidate: false)), disk)
    case .abort: return perform(.abortAttempt(core.attempt?.id ?? 0), disk)
    case .teardown: return perform(.teardown, disk)
    case .answer(let index, let isYes):
      return perform(.answer(ticket: core.tickets[index].id, isYes ? .ok("{}") : .error("no")), disk)
    case .endPage(let isBack):
      let end: PresentationEnd = isBack ? .returned(url: nil) : .canceled
      return perform(.redirectReport(presentation: core.presentation?.id ?? "", end), disk)
    case .resolve(let verdict):
      if verdict == .declined { live = 0 }
      return perform(.resolve(attempt: core.pendingAttempt?.id ?? 0, verdict), disk)
    case .wake:
      var moment = Self.moment
      moment.now.boot += 4_000
      var out: [Output] = []
      checkout.tick(moment, &out)
      absorb(out, disk)
    case .kill: return kill(disk)
    case .letGo(let index): letGo(index, disk)
    case .neverLeft(let index): receive(index, .nothing(left: false, reason: "never left"), disk)
    case .lose(let index, let arrives):
      if open[index].money == .opens { if arrives { pay() } else { strays += 1 } }
      receive(index, .nothing(left: true, reason: "lost"), disk)
    case .respond(let index, let answer): respond(index, answer, disk)
    case .strayArrives:
      strays -= 1
      pay()
    case .strayVanishes: strays -= 1
    }
    check()
    return true
  }

  private mutating func prepare(_ disk: PrimerDisk) -> Bool {
    let open = ElementOpen(
      choice: .item(PrimerShop.card), presentsRedirects: true, appReturnURL: nil, tag: nil)
    var isTaken = perform(.elementOpen(open), disk) && perform(.setPrimary(.item(PrimerShop.card)), disk)
    for field in PrimerShop.fields where isTaken {
      isTaken = perform(.setField(element: PrimerShop.card, field), disk)
    }
    return isTaken
  }

  private mutating func perform(_ command: Command, _ disk: PrimerDisk) -> Bool {
    var out: [Output] = []
    var changed = checkout
    guard (try? changed.perform(command, .alone, Self.moment, &out)) != nil else { return false }
    checkout = changed
    absorb(out, disk)
    check()
    return true
  }

  private mutating func letGo(_ index: Int, _ disk: PrimerDisk) {
    guard checkout.mayLeave(open[index].id, at: World.start) else {
      return receive(index, .nothing(left: false, reason: "stopped"), disk)
    }
    open[index].hasLeft = true
    switch open[index].money {
    case .opens:
      if live > 0 { violation = "I1: a payment is asked for while another may take money" }
      resumes = 0
    case .continues:
      resumes += 1
      if resumes > 1 { violation = "I1: an action was resumed twice" }
    case .none: break
    }
  }

  private mutating func pay() {
    live += 1
    if live > 1 { violation = "I1: paid \(live) times" }
  }

  private mutating func respond(_ index: Int, _ answer: PrimerAnswer, _ disk: PrimerDisk) {
    let request = open[index]
    if request.money == .opens, ![.refused, .declined].contains(answer) { pay() }
    if request.money == .continues, answer == .declined { live = 0 }
    if answer == .page || answer == .challenge {
      actions -= 1
      resumes = 0
    }
    let body: String =
      switch (answer, request.call) {
      case (.page, _), (.challenge, _): PrimerShop.waiting(isPage: answer == .page)
      case (.declined, _): PrimerShop.payment("FAILED")
      case (.pending, _): #"{"status":"PENDING","id":"x"}"#
      case (.fine, .payment): PrimerShop.payment("SUCCESS")
      case (.fine, .configuration): PrimerShop.configuration
      case (.fine, .tokenize): #"{"token":"pm"}"#
      case (.fine, .poll): #"{"status":"COMPLETE","id":"r"}"#
      case (.fine, .threeDS): #"{"resumeToken":"r"}"#
      default: "{}"
      }
    let status = answer == .refused ? 400 : answer == .broken ? 500 : 200
    receive(index, .answer(Answer(status: status, date: nil, body: Array(body.utf8))), disk)
  }

  private mutating func receive(_ index: Int, _ received: Received, _ disk: PrimerDisk) {
    let id = open.remove(at: index).id
    var out: [Output] = []
    checkout.received(id, received, Self.moment, &out)
    absorb(out, disk)
  }

  private mutating func kill(_ disk: PrimerDisk) -> Bool {
    kills -= 1
    strays += open.filter { $0.money == .opens && $0.hasLeft }.count
    open = []
    guard let stored = self.disk, let reborn = Self.restored(disk.texts[stored]) else {
      violation = "a stored checkpoint is not restored"
      return true
    }
    checkout = reborn
    // An attempt that was never marked never was: its number is given again.
    let known = Int(core.next.attempt)
    if outcomes.count > known { outcomes.removeSubrange(known...) }
    check()
    return true
  }

  private mutating func absorb(_ out: [Output], _ disk: PrimerDisk) {
    for output in out {
      switch output {
      case .send(let id, let request): open.append(Open(id: id, call: request.call, money: request.money))
      case .tell(.outcome, let text):
        guard let attempt = World.parse(text)["attempt"]?.int64 else { continue }
        while outcomes.count <= Int(attempt) { outcomes.append(0) }
        outcomes[Int(attempt)] += 1
      case .ask(.checkpoint, _, let text): self.disk = disk.store(World.parse(text)["snapshot"]?.string ?? "")
      default: break
      }
    }
  }

  // MARK: Invariants

  private mutating func check() {
    if violation != nil { return }
    for attempt in 1..<max(core.next.attempt, 1) {
      let told = attempt < outcomes.count ? outcomes[Int(attempt)] : 0
      let isOpen = core.attempt?.id == attempt || core.restored?.id == attempt
      if told != (isOpen ? 0 : 1) { violation = "I2: attempt \(attempt) has \(told) outcomes, open: \(isOpen)" }
    }
    if live > 0, core.standing == .ready { violation = "I1: payable while a payment may take money" }
    if core.attempt == nil, core.ledger.standing == .open { violation = "an open payment that nobody waits for" }
    if case .script = core.attempt?.wait { violation = "an attempt that waits for nothing" }
    if core.isTornDown, core.attempt == nil, !core.isDrained { violation = "I4: not drained" }
  }
}
