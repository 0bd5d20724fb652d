@testable import CheckoutCore

/// A random run of host commands against a world, with what it did and what went wrong.
protocol CommandRun {
  var world: World { get }
  var history: [String] { get set }
  var violation: String? { get set }
  /// Calls that were accepted and owe a result.
  var opened: Int { get set }
}

extension CommandRun {
  /// A refused command must have changed nothing.
  mutating func attempt(_ name: String, isCall: Bool = false, _ body: (World) throws(CheckoutError) -> Void) {
    let before = world.checkout
    do throws(CheckoutError) {
      try body(world)
      if isCall { opened += 1 }
      history.append(name)
    } catch {
      history.append("\(name) refused \(error.code)")
      if world.checkout != before { violation = "a refused call changed something" }
    }
  }
}
