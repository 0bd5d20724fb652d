extension Core {
  /// The attempt that the host must find out about: one whose outcome is unknown, or one that a restart cut off.
  var pendingAttempt: (id: Int64, moved: Moved)? {
    if ledger.standing == .unknown, let id = ledger.attempt { return (id, .unknown) }
    if let restored { return (restored.id, restored.wasAnswered ? .yes : .unknown) }
    return nil
  }

  mutating func resolve(
    _ id: Int64, _ verdict: ResolveVerdict, _ moment: Moment, _ out: inout [Output]
  ) throws(CheckoutError) {
    guard let pending = pendingAttempt, pending.id == id else {
      throw CheckoutError(.submitBlocked, message: "there is no such attempt to resolve")
    }
    let wasAnswered = ledger.isSettled
    let payment = ledger.payment
    if verdict == .notCreated, wasAnswered || ledger.payment != nil {
      throw CheckoutError(
        .invalidArgument, message: "an answer about this payment was read, so that it exists", path: "verdict")
    }
    switch verdict {
    case .declined where !session.backEnd.declineSpends && !wasAnswered:
      ledger.clear()
    case .paid, .declined, .abandoned:
      if !wasAnswered { spend() }
    case .notCreated:
      ledger.standing = .clear
      ledger.isRepetition = true
      dropNumberless()
      wallet.wantsBalances = true
    }
    if let undelivered = restored {
      restored = nil
      let ending = verdict.ending(declineSpends: session.backEnd.declineSpends)
      tellOutcome(undelivered.id, source: undelivered.source, ending, payment, isResolved: true, &out)
    }
    tellCheckpoint(.resolved, moment, &out)
  }

  // MARK: Returns after a restart

  mutating func reportRestored(
    _ pending: RestoredAttempt, _ end: PresentationEnd, _ moment: Moment, _ out: inout [Output]
  ) {
    switch end {
    case .canceled where ledger.payment != nil, .failed where ledger.payment != nil:
      endRestored(pending, .failed(CheckoutError(.outcomeUnknown), spendsInError: false), moment, &out)
    case .returned(let url):
      restored?.heldReturn = RestoredAttempt.HeldReturn(url: url)
      restored?.presentation = nil
      deliverHeldReturn(moment, &out)
    case .canceled:
      endRestored(pending, .canceled, moment, &out)
    case .failed:
      if ledger.standing == .spent { ledger.standing = .spentInError }
      endRestored(pending, .failed(CheckoutError(.postValidateFailed), spendsInError: true), moment, &out)
    }
  }

  /// A return is kept until its element is there to receive it.
  mutating func deliverHeldReturn(_ moment: Moment, _ out: inout [Output]) {
    guard let pending = restored, let held = pending.heldReturn else { return }
    if let source = pending.source, element(source) == nil, !session.backEnd.hasLifecycle { return }
    endRestored(pending, .returned(url: held.url), moment, &out)
  }

  private mutating func endRestored(
    _ pending: RestoredAttempt, _ ending: Ending, _ moment: Moment, _ out: inout [Output]
  ) {
    restored = nil
    tellOutcome(pending.id, source: pending.source, ending, ledger.payment, isResolved: false, &out)
    tellCheckpoint(.outcome, moment, &out)
  }
}

extension ResolveVerdict {
  fileprivate func ending(declineSpends: Bool) -> Ending {
    switch self {
    case .declined where !declineSpends: .failed(CheckoutError(.paymentFailed), spendsInError: false)
    case .paid: .completed(PaymentResult(status: "RESOLVED", verdict: .success, lines: []))
    case .declined: .completed(PaymentResult(status: "RESOLVED", verdict: .declined, lines: []))
    case .notCreated: .failed(CheckoutError(.outcomeUnknown, moved: .no), spendsInError: false)
    case .abandoned: .failed(CheckoutError(.outcomeUnknown), spendsInError: false)
    }
  }
}
