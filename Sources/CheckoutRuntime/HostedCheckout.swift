import CheckoutCore
import PurseProvider

/// One checkout of a runtime, with what the host gave for it. Guarded by its runtime's lock.
public final class HostedCheckout {
  let runtime: Runtime
  let callbacks: HostCallbacks
  /// The host's key for numbers in the saved state, in the runtime's store.
  let sealKey: SecretID?
  var checkout: Checkout<Purse>
  var handle: UInt64 = 0
  /// The host let go of the handle.
  var isReleased = false
  var isChangeQueued = false
  var isReleaseQueued = false

  init(_ runtime: Runtime, _ callbacks: HostCallbacks, _ sealKey: SecretID?, _ checkout: Checkout<Purse>) {
    self.runtime = runtime
    self.callbacks = callbacks
    self.sealKey = sealKey
    self.checkout = checkout
  }
}
