import Foundation
import Testing

@testable import CheckoutCore

/// Every state that one card, one gift card and one redirect method can reach, with an honest host, a back end that
/// pays whatever arrives, losses, kills and an expiry; and smaller worlds, each searched to its end, of a host that is
/// wrong, of two checkouts of one session, of wrong clocks, and of a partner's steps. `EXPLORE_STATES` bounds how many
/// are visited, `EXPLORE_DEPTH` how many moves deep it looks.
@Suite("Every reachable state")
struct ExplorerTests {
  @Test("no state breaks an invariant, and each has a way out")
  func explore() throws {
    var limits = Search.Limits()
    limits.depth = Self.number("EXPLORE_DEPTH") ?? Int.max
    let wanted = Self.number("EXPLORE_STATES") ?? 2_000
    var everything = Budget()
    everything.submits = Self.number("EXPLORE_SUBMITS") ?? everything.submits
    everything.kills = Self.number("EXPLORE_KILLS") ?? everything.kills
    var (states, transitions, violations) = (0, 0, 0)
    let worlds: [(name: String, budget: Budget)] = [
      ("payments", .money), ("doubts", .doubts), ("windows", .windows), ("clock", .clock), ("steps", .steps),
      ("everything", everything),
    ]
    for (number, (name, budget)) in worlds.enumerated() {
      // The first has half. What a small world leaves, the next ones have.
      limits.states = max((wanted - states) / (number == 0 ? 2 : worlds.count - number), 1)
      let search = Search(budget, limits)
      let start = ContinuousClock.now
      try search.run()
      for violation in search.violations { Issue.record("\(violation)") }
      states += search.states
      transitions += search.transitions
      violations += search.violations.count
      print(
        "explored \(name): states=\(search.states) depth=\(search.depth) closed=\(search.isClosed)",
        "prints compared=\(search.comparedPrints) snapshots=\(search.snapshots.states)",
        "time=\(ContinuousClock.now - start)")
    }
    print("explore: states=\(states) transitions=\(transitions) violations=\(violations)")
  }

  private static func number(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }
}
