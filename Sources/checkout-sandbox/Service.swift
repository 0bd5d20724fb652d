import CheckoutSandbox
import Foundation
import Synchronization

/// The sandbox, shared by the threads of all connections, and the clock.
final class Service: Sendable {
  private let sandbox: Mutex<Sandbox>
  private let connections = Atomic<Int>(0)
  private let stopping = StopFlag()

  init(base: String) {
    sandbox = Mutex(Sandbox(base: base, seed: .random(in: .min ... .max)))
  }

  func open(_ head: SandboxRequest) -> SandboxAction? { sandbox.withLock { $0.open(head, at: Self.now) } }

  func handle(_ request: SandboxRequest) -> SandboxAction { sandbox.withLock { $0.handle(request, at: Self.now) } }

  func nextConnection() -> Int { connections.add(1, ordering: .relaxed).newValue }

  /// Waits, but not longer than the server lives.
  func wait(milliseconds: Int) { stopping.wait(milliseconds: milliseconds) }

  func stop() { stopping.set() }

  private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}

/// Wakes every waiter, now and later, once it is set.
private final class StopFlag: Sendable {
  private let condition = NSCondition()
  private let isSet = Atomic<Bool>(false)

  func set() {
    condition.withLock {
      isSet.store(true, ordering: .relaxed)
      condition.broadcast()
    }
  }

  func wait(milliseconds: Int) {
    guard milliseconds > 0 else { return }
    let deadline = Date(timeIntervalSinceNow: TimeInterval(milliseconds) / 1_000)
    condition.withLock {
      while !isSet.load(ordering: .relaxed), condition.wait(until: deadline) {}
    }
  }
}
