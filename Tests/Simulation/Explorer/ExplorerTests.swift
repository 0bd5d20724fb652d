import Foundation
import Testing

@testable import CheckoutCore

/// Every state that one card, one gift card and one redirect method can reach, with an honest host, a back end that
/// pays whatever arrives, losses, kills and an expiry. `EXPLORE_STATES` bounds how many it visits, `EXPLORE_DEPTH` how
/// many moves deep it looks.
@Suite("Every reachable state")
struct ExplorerTests {
  @Test("no state breaks an invariant, and each has a way out")
  func explore() throws {
    let environment = ProcessInfo.processInfo.environment
    func number(_ name: String) -> Int? { environment[name].flatMap { Int($0) } }
    var limits = Search.Limits()
    limits.depth = number("EXPLORE_DEPTH") ?? Int.max
    limits.states = number("EXPLORE_STATES") ?? 2_000
    var budget = Budget()
    budget.submits = number("EXPLORE_SUBMITS") ?? budget.submits
    budget.kills = number("EXPLORE_KILLS") ?? budget.kills
    budget.sessions = number("EXPLORE_SESSIONS") ?? budget.sessions
    budget.expiries = number("EXPLORE_EXPIRIES") ?? budget.expiries
    budget.reports = number("EXPLORE_REPORTS") ?? budget.reports
    let search = Search(budget, limits)
    let start = ContinuousClock.now
    try search.run()
    let spent = ContinuousClock.now - start
    for violation in search.violations { Issue.record("\(violation)") }
    print(
      "explore: states=\(search.states) transitions=\(search.transitions) violations=\(search.violations.count)",
      "depth=\(search.depth) closed=\(search.isClosed) prints compared=\(search.comparedPrints)",
      "snapshots=\(search.snapshots) \(budget) in \(spent)")
  }
}
