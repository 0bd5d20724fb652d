import Foundation
import Testing

@testable import CheckoutCore

/// Every state that one card, one gift card and one redirect method can reach, with an honest host, a back end that
/// pays whatever arrives, losses, kills and an expiry. `EXPLORE_STATES` bounds how many it visits, `EXPLORE_DEPTH` how
/// many moves deep it looks.
@Suite("Every reachable state")
struct ExplorerTests {
  /// Two worlds: one of payments and kills alone, small enough to be searched to its end, and one of everything.
  @Test("no state breaks an invariant, and each has a way out")
  func explore() throws {
    var limits = Search.Limits()
    limits.depth = Self.number("EXPLORE_DEPTH") ?? Int.max
    let wanted = Self.number("EXPLORE_STATES") ?? 2_000
    var everything = Budget()
    everything.submits = Self.number("EXPLORE_SUBMITS") ?? everything.submits
    everything.kills = Self.number("EXPLORE_KILLS") ?? everything.kills
    var (states, transitions, violations) = (0, 0, 0)
    for (name, budget) in [("payments", Budget.money), ("everything", everything)] {
      limits.states = max(wanted - states, wanted / 2)
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
