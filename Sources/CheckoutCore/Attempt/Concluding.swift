import JSONText

extension Core {
  /// What became of the money request. The only place where an answer changes the ledger.
  mutating func receivedMoney(
    _ received: Received, _ reading: Reading?, speaksOfEarlierPayment: Bool, refusal: CheckoutError?, _ moment: Moment,
    _ out: inout [Output]
  ) -> Next {
    if received.hasLeft {
      attempt?.hasLeft = true
      forgetCollected()
    }
    switch ledger.verdict(on: received, reading: reading, speaksOfEarlierPayment: speaksOfEarlierPayment) {
    case .readable(let result):
      return answered(result, moment, &out)
    case .opened(let payment):
      return opened(payment, moment, &out)
    case .nothingMoved(let isFinal):
      ledger.standing = .clear
      if isFinal { ledger.idempotencyKey = nil }
      attempt?.hasLeft = false
      let ending = attempt?.stop?.ending ?? .failed(refusal ?? self.refusal(received), spendsInError: false)
      if refusal?.code == .paymentTokenNotFoundInSession, let token = attempt?.source { markFailed(token, .deleted) }
      conclude(ending, moment, &out)
    case .unknown:
      if case .unclear(let payment) = reading { note(payment) }
      ledger.standing = .unknown
      conclude(.failed(CheckoutError(.outcomeUnknown), spendsInError: false), moment, &out)
    }
    return .rest
  }

  private mutating func answered(_ result: PaymentResult, _ moment: Moment, _ out: inout [Output]) -> Next {
    if result.failure != nil {
      ledger.clear()
    } else {
      spend()
    }
    attempt?.result = result
    if let payment = result.payment, payment.id != nil { attempt?.payment = payment }
    noteVerdict(result)
    // With the change that it is; where nothing is asked before the outcome, the outcome brings that.
    tellCheckpoint(.answered, moment, &out)
    publication.isDue = true
    // Torn down or cancelled meanwhile: nobody is asked any more, the answer is the outcome.
    if isTornDown || attempt?.isDetached == true {
      conclude(result.ending, moment, &out)
      return .rest
    }
    attempt?.wait = .script
    return .script(.read)
  }

  /// The payment exists, and an action stands between it and its end.
  private mutating func opened(_ payment: PaymentReference, _ moment: Moment, _ out: inout [Output]) -> Next {
    ledger.standing = .open
    note(payment)
    if attempt?.openUntil == nil {
      let deadline = options.pollTimeout.map { moment.now.boot &+ $0 }
      attempt?.openUntil = deadline
    }
    tellCheckpoint(.answered, moment, &out)
    if isTornDown || attempt?.isDetached == true {
      conclude(.failed(CheckoutError(.outcomeUnknown), spendsInError: false), moment, &out)
      return .rest
    }
    attempt?.wait = .script
    return .script(.read)
  }

  /// The back end spoke of a payment: whatever becomes of the attempt, it exists.
  private mutating func note(_ payment: PaymentReference) {
    ledger.payment = payment
    attempt?.payment = payment
  }

  /// The session is used up.
  mutating func spend() {
    ledger.standing = .spent
    ledger.idempotencyKey = nil
    ledger.isRepetition = false
    ledger.payment = nil
    markSpent()
  }

  mutating func markSpent() {
    if !spentSessions.contains(session.id) { spentSessions.append(session.id) }
  }

  /// A vault token has been used, or may have been.
  private mutating func forgetCollected() {
    if let source = attempt?.source { collected[source] = nil }
  }

  private func refusal(_ received: Received) -> CheckoutError {
    var writer = JSONWriter()
    writer.beginObject()
    switch received {
    case .answer(let answer): writer.member("statusCode", integer: answer.status)
    case .nothing(_, let reason): writer.member("notSent", string: reason)
    }
    writer.endObject()
    return CheckoutError(session.backEnd.refusal, moved: .no, details: writer.text)
  }

  /// The only place where an attempt ends and its one outcome is told.
  mutating func conclude(_ ending: Ending, _ moment: Moment, _ out: inout [Output]) {
    guard let attempt else { return }
    let ending = doubted(ending)
    // The hooks are those of the attempt to its end.
    let tellsCheckpoint = isAsked(.checkpoint)
    self.attempt = nil
    stopAsking(attempt, &out)
    dropUsedCard(of: attempt, &out)
    noteEnd(ending)
    withdrawTickets(&out)
    closePresentation(ending, &out)
    if case .failed(let error, let spendsInError) = ending, ledger.standing == .spent {
      if spendsInError { ledger.standing = .spentInError }
      rememberPresentable(attempt, error.code == .postValidateFailed && !spendsInError)
    } else if case .canceled = ending {
      rememberPresentable(attempt, true)
    } else if case .completed = ending, !isTornDown {
      // A page that the host took over is the host's.
      rememberPresentable(attempt, attempt.action == nil)
    }
    tellOutcome(of: attempt, ending, &out)
    if tellsCheckpoint { askCheckpoint(.outcome, of: attempt.id, ticket: 0, moment, &out) }
    for queued in attempt.queuedReports { apply(queued.report, to: queued.element, moment, &out) }
  }

  /// A payment that was created and has no verdict is in doubt, however its attempt ends.
  private mutating func doubted(_ ending: Ending) -> Ending {
    guard ledger.standing == .open else { return ending }
    ledger.standing = .unknown
    guard case .failed(let error, _) = ending, error.code != .outcomeUnknown else {
      return .failed(CheckoutError(.outcomeUnknown), spendsInError: false)
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("reason", string: error.code.text)
    writer.endObject()
    let unknown = CheckoutError(.outcomeUnknown, message: error.message, details: writer.text)
    return .failed(unknown, spendsInError: false)
  }

  /// Nobody waits for a poll any more.
  private mutating func stopAsking(_ attempt: Attempt, _ out: inout [Output]) {
    guard case .request(let request, _) = attempt.wait, sentAt[request] != nil else { return }
    forget(request)
    out.append(.cancel(request))
  }

  private mutating func rememberPresentable(_ attempt: Attempt, _ isPresentable: Bool) {
    guard isPresentable, ledger.standing == .spent, let action = attempt.action ?? attempt.result?.page else { return }
    presentable = Presentable(
      attempt: attempt.id, action: action, source: attempt.source, returnURLPrefix: attempt.returnURLPrefix)
  }

  private mutating func tellOutcome(of attempt: Attempt, _ ending: Ending, _ out: inout [Output]) {
    tellOutcome(
      attempt.id, source: attempt.source, ending, attempt.payment, isResolved: false, &out)
  }

  mutating func tellOutcome(
    _ attempt: Int64, source: String?, _ ending: Ending, _ payment: PaymentReference?, isResolved: Bool,
    _ out: inout [Output]
  ) {
    let isSpent = ledger.isSettled
    tell(.outcome, &out) { core, writer in
      writer.member("attempt", integer: attempt)
      writer.member("element", optionalString: source)
      ending.write(to: &writer, isSpent: isSpent)
      if core.session.backEnd == .primer { writer.checkoutData(payment) }
      if isResolved { writer.member("resolved", boolean: true) }
    }
  }
}

extension Ending {
  fileprivate func write(to writer: inout JSONWriter, isSpent: Bool) {
    switch self {
    case .completed(let result):
      writer.member("kind", string: "completed")
      result.write(to: &writer)
    case .returned(let url):
      writer.member("kind", string: "returnedFromRedirect")
      writer.member("url", optionalString: url)
    case .canceled:
      writer.member("kind", string: "canceled")
      writer.member("spent", boolean: isSpent)
    case .failed(let error, _):
      writer.member("kind", string: "failed")
      writer.member("error", raw: error.json)
    }
  }
}

extension JSONWriter {
  /// The payment that is known, or null.
  fileprivate mutating func checkoutData(_ payment: PaymentReference?) {
    key("checkoutData")
    guard let payment else { return null() }
    beginObject()
    key("payment")
    beginObject()
    member("id", optionalString: payment.id)
    member("orderId", optionalString: payment.orderID)
    member("status", string: payment.status)
    member("paymentFailureReason", optionalString: payment.failureReason)
    endObject()
    endObject()
  }
}

extension PaymentResult {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("status", string: status)
    writer.member("isSuccess", boolean: verdict == .success)
    writer.member("verdict", string: verdict.name)
    if let voucher { writer.member("voucher", raw: voucher) }
    writer.key("results")
    writer.array(lines) { line, writer in
      writer.beginObject()
      writer.member("item", string: line.item)
      writer.member("state", string: line.state)
      writer.member("code", string: line.code)
      writer.endObject()
    }
  }
}
