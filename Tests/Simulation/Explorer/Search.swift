import PurseProvider

@testable import CheckoutCore

/// Breadth first through every state that a small world can reach, so that the first violation has a shortest trace.
final class Search {
  struct Limits {
    var depth = Int.max
    var states = Int.max
    /// One state in so many has all its successors' properties derived afresh (I5).
    var publishedEvery = 64
    /// One state in so many is kept, to see that another with its print goes on alike.
    var alikeEvery: UInt64 = 256
  }

  private let limits: Limits
  private let budget: Budget
  private let disk: Disk
  private var table = PrintTable()
  private var parents: [UInt32] = []
  private var moves: [Move] = []
  private var isSettled: [Bool] = []
  /// The ways out of each expanded state, one after the other.
  private var targets: [UInt32] = []
  private var firstTarget: [Int] = [0]
  /// What was told wrongly is no reason to stop: each kind is reported once.
  private var reported: Set<String> = []
  private var samples: [UInt64: SmallWorld] = [:]

  private(set) var transitions = 0
  private(set) var depth = 0
  /// Every reachable state was expanded.
  private(set) var isClosed = false
  private(set) var comparedPrints = 0
  private(set) var violations: [String] = []
  var states: Int { table.count }
  private var isBroken: Bool { violations.count > reported.count }
  var snapshots: (texts: Int, states: Int) { (disk.texts, disk.count) }

  init(_ budget: Budget, _ limits: Limits) {
    self.budget = budget
    self.limits = limits
    disk = Disk(budget.options)
  }

  func run() throws {
    let root = try SmallWorld(budget)
    _ = add(root, from: 0, by: Move(.kill))
    var level = [root]
    var first = 0
    while !level.isEmpty, depth < limits.depth, states < limits.states, !isBroken {
      var next: [SmallWorld] = []
      for (offset, world) in level.enumerated() where !isBroken {
        if states >= limits.states { break }
        expand(world, number: first + offset, &next)
      }
      first += level.count
      level = next
      depth += 1
    }
    isClosed = level.isEmpty && !isBroken
    if !isBroken { checkWaysOut() }
  }

  private func add(_ world: SmallWorld, from parent: Int, by move: Move) -> (number: Int, isNew: Bool) {
    let print = Print.of(world, disk)
    if let known = table.insert(print) {
      compare(world, print)
      return (Int(known), false)
    }
    parents.append(UInt32(parent))
    moves.append(move)
    isSettled.append(world.isSettled)
    if print % limits.alikeEvery == 0 { samples[print] = world }
    return (table.count - 1, true)
  }

  private func expand(_ world: SmallWorld, number: Int, _ next: inout [SmallWorld]) {
    var ways = [Move]()
    world.moves(&ways)
    var trace = StepTrace()
    let isPublished = number % limits.publishedEvery == 0
    for move in ways {
      var successor = world
      successor.take(move, disk, &trace)
      if trace.isRefused { continue }
      reach(successor, from: number, by: move, trace, &next)
      if isPublished { checkPublished(world, number, move) }
      if world.budget.kills > 0 { interrupt(world, successor, number, move, trace, &next) }
    }
    firstTarget.append(targets.count)
  }

  private func reach(
    _ world: SmallWorld, from parent: Int, by move: Move, _ trace: StepTrace, _ next: inout [SmallWorld]
  ) {
    transitions += 1
    if let violation = trace.violation { return report(violation, parent, move) }
    let (number, isNew) = add(world, from: parent, by: move)
    if isNew { next.append(world) }
    if move.isWayOut || world.core.isTornDown && move.kind != .teardown { targets.append(UInt32(number)) }
  }

  private func interrupt(
    _ world: SmallWorld, _ successor: SmallWorld, _ parent: Int, _ move: Move, _ made: StepTrace,
    _ next: inout [SmallWorld]
  ) {
    guard made.violation == nil, move.kind != .kill else { return }
    var trace = StepTrace()
    for stored in made.interrupted.indices {
      var killed = successor
      killed.interrupt(stored, made, disk, &trace)
      if trace.isRefused { continue }
      var move = move
      move.killedAfter = UInt8(stored)
      reach(killed, from: parent, by: move, trace, &next)
    }
  }

  private func checkPublished(_ world: SmallWorld, _ number: Int, _ move: Move) {
    guard move.kind != .kill, move.kind != .switchWindow else { return }
    var told = world
    told.checkout.core.markAllTold()
    var trace = StepTrace()
    told.take(move, disk, &trace)
    guard let violation = told.checkPublished(), reported.insert("\(violation) \(move.text)").inserted else { return }
    report(violation, number, move)
  }

  // MARK: The print

  /// Two worlds with one print must go on alike; counts mean nothing without this.
  private func compare(_ world: SmallWorld, _ print: UInt64) {
    guard print % limits.alikeEvery == 0, let first = samples[print] else { return }
    comparedPrints += 1
    let (expected, found) = (successors(first), successors(world))
    guard expected != found else { return }
    let differing = expected.symmetricDifference(found).map { $0.text }.sorted()
    violations.append("two worlds with one print differ after \(differing.joined(separator: "; "))")
  }

  private struct Successor: Hashable {
    var text: String
    var print: UInt64
  }

  private func successors(_ world: SmallWorld) -> Set<Successor> {
    var ways = [Move]()
    world.moves(&ways)
    var found: Set<Successor> = []
    var trace = StepTrace()
    for move in ways {
      var successor = world
      successor.take(move, disk, &trace)
      found.insert(Successor(text: move.text, print: trace.isRefused ? 0 : Print.of(successor, disk)))
    }
    return found
  }

  // MARK: Ways out

  /// I12: from each state some calls of the host's, and answers that surely come, lead to where nothing is pending.
  private func checkWaysOut() {
    let expanded = firstTarget.count - 1
    var leadsOut = isSettled
    for number in expanded..<max(states, expanded) { leadsOut[number] = true }
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for number in stride(from: expanded - 1, through: 0, by: -1) where !leadsOut[number] {
        for target in targets[firstTarget[number]..<firstTarget[number + 1]] where leadsOut[Int(target)] {
          leadsOut[number] = true
          hasChanged = true
          break
        }
      }
    }
    if let stuck = leadsOut.firstIndex(of: false) {
      violations.append("I12: no way out\n" + path(to: stuck).map { $0.text }.joined(separator: "\n"))
    }
  }

  // MARK: Traces

  private func report(_ violation: String, _ parent: Int, _ move: Move) {
    violations.append(([violation] + replay(path(to: parent) + [move])).joined(separator: "\n"))
  }

  private func path(to number: Int) -> [Move] {
    var path: [Move] = []
    var number = number
    while number != 0 {
      path.append(moves[number])
      number = Int(parents[number])
    }
    return path.reversed()
  }

  private func replay(_ path: [Move]) -> [String] {
    guard var world = try? SmallWorld(budget) else { return [] }
    var trace = StepTrace()
    return path.enumerated().map { number, move in
      let made: StepTrace
      world.take(move, disk, &trace)
      made = trace
      if let stored = move.killedAfter { world.interrupt(Int(stored), made, disk, &trace) }
      let truth = world.truth.map { "\($0.payments) paid, \($0.strays) on the way" }.joined(separator: " | ")
      return
        "\(number + 1). \(move.text) -> \(world.core.standing), ledger \(world.core.ledger.standing.name); \(truth)"
    }
  }
}
