import CheckoutCore

/// One checkout of a runtime, with what the host gave for it. Guarded by its runtime's lock.
public final class HostedCheckout {
  let runtime: Runtime
  let callbacks: HostCallbacks
  /// The host's key for numbers in the saved state, in the runtime's store.
  let sealKey: SecretID?
  var checkout: Checkout<BackEnd>
  var handle: UInt64 = 0
  /// The host let go of the handle.
  var isReleased = false
  var isChangeQueued = false
  /// Raised by whatever is told: a change that was queued before it is void.
  var changeMark: UInt64 = 0
  var isReleaseQueued = false

  init(_ runtime: Runtime, _ callbacks: HostCallbacks, _ sealKey: SecretID?, _ checkout: Checkout<BackEnd>) {
    self.runtime = runtime
    self.callbacks = callbacks
    self.sealKey = sealKey
    self.checkout = checkout
  }

  /// When `tick` wants to be called.
  func nextDeadline(at now: Instant) -> Int64? { Self.deadline(of: &checkout, at: now) }

  /// Asked at every pass. In place, since a checkout that is read out of a class would be copied first.
  private static func deadline(of checkout: inout Checkout<BackEnd>, at now: Instant) -> Int64? {
    checkout.nextDeadline(at: now)
  }
}
