import JSONText

/// What the carrier must do next.
enum Next: Hashable {
  case rest
  case script(ScriptEvent)
}

extension Core {
  /// The gate, in the order of the design, section 5. A refusal carries every reason.
  func checkSubmit(_ submit: Submit, _ others: RegisterView) throws(CheckoutError) {
    let blockers = submitBlockers
    if let code = standing.refusal(of: .submit) { throw refusal(code, blockers) }
    if others.isTaken(session.id) { throw refusal(.submitBlocked, [Blocker(code: .submitBlocked)]) }
    if let source = submit.source, source != primary?.id { throw refusal(.paymentMethodNotFound, blockers) }
    // Its own button pays: the host reports that it was approved.
    if let source = submit.source, offeredMethod(source)?.isSelfSubmitting == true {
      throw refusal(.methodNotImplemented, blockers)
    }
    if let first = blockers.first { throw refusal(first.code, blockers) }
  }

  private func refusal(_ code: ErrorCode, _ blockers: [Blocker]) -> CheckoutError {
    var writer = JSONWriter()
    writer.beginObject()
    if code == .submitBlocked {
      writer.member("state", string: sessionState.name)
      writer.member("outcomeUnknown", boolean: isOutcomeUnknown)
    }
    writer.key("submitBlockers")
    writer.array(blockers) { $0.write(to: &$1) }
    writer.endObject()
    return CheckoutError(code, details: writer.text)
  }

  mutating func accept(
    _ submit: Submit, _ others: RegisterView, _ moment: Moment
  ) throws(CheckoutError) -> Attempt {
    try checkSubmit(submit, others)
    // Another checkout of this session may have to be repeated with its key.
    adopt(others.known(session.id))
    let attempt = self.attempt(submit, key: try paymentKey(moment), requestID: moment.random.hex)
    self.attempt = attempt
    _ = Core.draw(&next.attempt)
    presentable = nil
    presentationTag = moment.random.tag
    return attempt
  }

  /// The next one. Apart, since whatever reads the core while it is changed reads a copy.
  private func attempt(_ submit: Submit, key: String?, requestID: String) -> Attempt {
    let source = primarySendsSlice ? primary?.id : nil
    let element = source.flatMap { self.element($0) }
    var order = PaymentOrder(
      slices: orderedSlices(), currency: session.currency, idempotencyKey: key,
      isKeyRetained: ledger.idempotencyKey != nil, requestID: requestID,
      skipsBeforeValidate: submit.skipsBeforeValidate, presentsRedirects: element?.presentsRedirects ?? false,
      tenantID: session.tenantID,
      hasPostValidate: primary.flatMap { method(of: $0) }.map { options.has(.postValidate, for: $0.id) } ?? false,
      selectedBrand: element?.brands.selected, appReturnURL: element?.appReturnURL)
    if let card = element?.card { order.card = card }
    return Attempt(
      id: next.attempt, source: source, order: order, hooks: options.hooks,
      returnURLPrefix: returnURLPrefix(of: source), wait: .script)
  }

  /// A retained key, or the core's own where the back end gets one. Without randomness there is none of those, and no
  /// payment: a key that every device shares could be answered with another shopper's payment.
  private func paymentKey(_ moment: Moment) throws(CheckoutError) -> String? {
    if let retained = ledger.idempotencyKey { return retained }
    guard session.backEnd == .purse || options.sendsOwnKey else { return nil }
    guard moment.random.isUsable else {
      throw CheckoutError(.internal, message: "the system has no randomness for the payment's key")
    }
    return moment.random.uuid
  }

  private func orderedSlices() -> [PaymentSlice] {
    var slices: [PaymentSlice] = split.slices.compactMap { slice in
      guard let token = secondary(slice.token), let method = session.method(token.item) else { return nil }
      return PaymentSlice(
        method: method, amount: slice.amount, source: orderSource(token),
        registration: registration(of: .token(token.id)))
    }
    if primarySendsSlice, let primary, let method = method(of: primary) {
      slices.append(primarySlice(primary, method))
    }
    return slices
  }

  private func primarySlice(_ primary: Source, _ method: PaymentMethod) -> PaymentSlice {
    var slice = PaymentSlice(method: method, amount: remaining, source: orderSource(primary, method))
    slice.registration = registration(of: primary)
    slice.initData = element(primary.id).flatMap { freshData(of: $0) }
    if case .token(let token) = slice.source { slice.asksSecurityCode = needsSecurityCode(token, of: method) }
    return slice
  }

  private func orderSource(_ token: SecondaryToken) -> PaymentSlice.Source {
    if let value = token.walletValue { return .savedGiftCard(handle: token.handle, value: value) }
    return .giftCard(handle: token.handle, number: token.number, securityCode: token.securityCode)
  }

  private func orderSource(_ primary: Source, _ method: PaymentMethod) -> PaymentSlice.Source {
    if case .token(let id) = primary, let token = offeredToken(id) { return .token(token) }
    guard method.nature == .native else { return .method(collected: collected[primary.id]) }
    return .method(collected: collected[primary.id].flatMap { prepared($0, for: remaining) })
  }

  // MARK: Following the script

  mutating func follow(_ move: Move, _ moment: Moment, _ out: inout [Output]) -> Next {
    guard let attempt else { return .rest }
    switch move {
    case .send(let request) where request.money != .none:
      return passGate(request, moment, &out)
    case .send(let request):
      ask(request, moment, &out)
      return .rest
    case .ask(let question):
      return ask(question, moment, &out)
    case .present(let action, let polling):
      self.attempt?.action = action
      guard isPresentable(action) else { return .script(.presented(.failed("blocked by the redirect policy"))) }
      let id = openPresentation(action, attempt: attempt.id, isLate: false, &out)
      self.attempt?.wait = .presentation(id)
      if let polling { ask(polling, moment, &out) }
      return .rest
    case .sleep(let milliseconds):
      let time = moment.now.boot &+ milliseconds
      if let limit = attempt.openUntil, time > limit {
        conclude(
          .failed(CheckoutError(.outcomeUnknown, message: "no answer in time"), spendsInError: false), moment, &out)
      } else {
        self.attempt?.wait = .timer(time)
      }
      return .rest
    case .stay:
      return .rest
    case .end(let ending):
      conclude(ending, moment, &out)
      return .rest
    }
  }

  /// A request that moves no money.
  private mutating func ask(_ request: Request, _ moment: Moment, _ out: inout [Output]) {
    if request.holdsSecrets { attempt?.hasUsedCard = true }
    let id = send(request, moment, &out)
    attempt?.wait = .request(id, request.call)
  }

  mutating func send(_ request: Request, _ moment: Moment, _ out: inout [Output]) -> RequestID {
    let id = RequestID(Core.draw(&next.request))
    sentAt[id] = moment.now.boot
    monitor.began(request.call, id)
    out.append(.send(id, request))
    return id
  }

  // MARK: The gate that every money request passes

  private mutating func passGate(_ request: Request, _ moment: Moment, _ out: inout [Output]) -> Next {
    guard ledger.standing == (request.money == .opens ? .clear : .open) else {
      // A script that asks twice is a fault of ours; money stays where it is.
      conclude(.failed(CheckoutError(.outcomeUnknown), spendsInError: false), moment, &out)
      return .rest
    }
    if request.money == .opens {
      if let stop = reasonToStop(moment) {
        conclude(stop.ending, moment, &out)
        return .rest
      }
      ledger.standing = .marked
      ledger.attempt = attempt?.id
      ledger.idempotencyKey = request.idempotencyKey
    }
    guard isAsked(.checkpoint) else { return letGo(request, moment, &out) }
    let ticket = openTicket(.checkpoint, nil, deadline: options.hookTimeout, moment)
    attempt?.wait = .checkpoint(ticket, request)
    askCheckpoint(.beforeSend, ticket: ticket, moment, &out)
    return .rest
  }

  /// Hands the request to the transport. From here on only its result says what happened.
  private mutating func letGo(_ request: Request, _ moment: Moment, _ out: inout [Output]) -> Next {
    if request.money == .opens {
      ledger.standing = .inFlight
      monitor.note(.validationStarted(items: Tally(of: attempt?.order.slices ?? [])))
    }
    let id = send(request, moment, &out)
    attempt?.wait = .money(id, request.call)
    return .rest
  }

  mutating func answeredCheckpoint(
    _ answer: HookAnswer, _ request: Request, _ moment: Moment, _ out: inout [Output]
  ) -> Next {
    let opens = ledger.standing == .marked
    let refusal = Ending.failed(CheckoutError(.checkpointRefused), spendsInError: false)
    let stop = opens ? reasonToStop(moment)?.ending : nil
    if answer.isConsent, stop == nil { return letGo(request, moment, &out) }
    if opens { ledger.standing = .clear }
    conclude(answer.isConsent ? stop ?? refusal : refusal, moment, &out)
    return .rest
  }

  /// Asked by the transport when it is connected and about to write: the last moment at which nothing has left.
  public mutating func mayLeave(_ request: RequestID, at now: Instant) -> Bool {
    guard case .money(request, _) = attempt?.wait else {
      // Requests that move no money are not held back.
      return sentAt[request] != nil
    }
    if attempt?.stop != nil { return false }
    // A payment that was created is gone on with for as long as its checkout lives, expired or not.
    if ledger.standing == .open { return !isTornDown && attempt?.isDetached != true }
    if clock.isCertainlyExpired(session.expiresAt, at: now) {
      attempt?.stop = .expired
      return false
    }
    attempt?.hasLeft = true
    return true
  }

  private func reasonToStop(_ moment: Moment) -> Attempt.Stop? {
    if isTornDown { return .tornDown }
    if clock.isCertainlyExpired(session.expiresAt, at: moment.now) { return .expired }
    return nil
  }

  // MARK: Stopping before anything left

  mutating func abortAttempt(_ id: Int64, _ moment: Moment, _ out: inout [Output]) throws(CheckoutError) {
    guard let attempt, attempt.id == id else {
      guard id >= 1, id < next.attempt else { throw CheckoutError(.invalidArgument, path: "attempt") }
      throw CheckoutError(.tooLate)
    }
    if hasLeft { throw CheckoutError(.tooLate) }
    stopAttempt(.canceled, moment, &out)
  }

  /// Ends an attempt of which nothing has left. A money request that is being held is taken back; if that comes too
  /// late its result decides.
  mutating func stopAttempt(_ reason: Attempt.Stop, _ moment: Moment, _ out: inout [Output]) {
    guard let attempt, !hasLeft, attempt.stop == nil else { return }
    switch attempt.wait {
    case .money(let request, _):
      self.attempt?.stop = reason
      out.append(.cancel(request))
      return
    case .request(let request, _):
      sentAt[request] = nil
      out.append(.cancel(request))
    case .checkpoint:
      ledger.standing = .clear
    case .script, .ticket, .presentation, .timer:
      break
    }
    conclude(reason.ending, moment, &out)
  }
}

extension Attempt.Stop {
  var ending: Ending {
    switch self {
    case .canceled: .canceled
    case .tornDown: .failed(CheckoutError(.checkoutTornDown), spendsInError: false)
    case .expired: .failed(CheckoutError(.expiredSession), spendsInError: false)
    case .partner(let error): .failed(error, spendsInError: false)
    }
  }
}
