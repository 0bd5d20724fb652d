import JSONText

extension Core {
  func permitLeaving() throws(CheckoutError) {
    if !session.backEnd.hasLifecycle { throw CheckoutError(.methodNotImplemented) }
  }

  /// Back to a session that can be started. Silent, but for the one outcome of an attempt that is under way, and never
  /// forgetful of money: what may have moved is still in doubt, and what was spent is spent.
  mutating func cancel(_ moment: Moment, _ out: inout [Output]) throws(CheckoutError) {
    try permitLeaving()
    endLoading(&out) { .canceled }
    if hasAttempt { detachAttempt(moment, &out) }
    forgetCards(&out)
    elements = []
    forgetChoices()
    isTerminated = false
    replaceSession(session.unloaded)
    life = Life(session)
    publication.isDue = true
  }

  /// Nothing left: canceled. A money request that left goes on, and its answer is the outcome. An open payment is in doubt.
  private mutating func detachAttempt(_ moment: Moment, _ out: inout [Output]) {
    attempt?.isDetached = true
    if !hasLeft {
      stopAttempt(.canceled, moment, &out)
    } else if ledger.standing == .open, !isAwaitingMoney {
      conclude(.failed(CheckoutError(.paymentCancelled), spendsInError: false), moment, &out)
    }
  }

  /// The shopper closes the checkout: its session has ended. Not while a payment is under way, or decided about.
  mutating func dismiss(_ moment: Moment, _ out: inout [Output]) throws(CheckoutError) -> String {
    try permitLeaving()
    guard standing == .ready else { return Core.object("ignored", true) }
    isTerminated = true
    forgetCards(&out)
    elements = []
    forgetChoices()
    tell(.outcome, &out) { _, writer in
      writer.key("attempt")
      writer.null()
      writer.key("element")
      writer.null()
      writer.member("kind", string: "canceled")
      writer.member("dismissed", boolean: true)
      writer.member("spent", boolean: false)
    }
    tellCheckpoint(.outcome, moment, &out)
    return Core.object("ignored", false)
  }

  /// The host has been asked about a payment and has not answered.
  var isAwaitingDecision: Bool { tickets.contains { $0.kind == .beforePayment } }
}
