extension Core {
  // MARK: A session begins

  mutating func beginMonitoring(_ origin: MonitoringOrigin?, _ id: String? = nil) {
    monitor.begin(options.monitoring == nil ? nil : origin, session: id ?? session.id)
  }

  mutating func noteCreated(isRestore: Bool) {
    guard monitor.isOn, let options = options.monitoring else { return }
    monitor.note(.create(options.device, isRestore: isRestore))
    noteSession(survivors: Tally(of: methods))
    monitor.note(.ready)
    noteStates()
  }

  /// How many methods, how many of the session before it survived, and what is not even listed.
  mutating func noteSession(survivors: Tally) {
    guard monitor.isOn else { return }
    monitor.note(.setSession(methods: Tally(of: methods), survivors: survivors))
    if monitor.origin?.walletSessionID != nil { monitor.note(.setWalletSession) }
    for method in session.methods where offeredMethod(method.id) == nil {
      if options.disabledMethods.contains(method.id) { continue }
      let item = MonitoredItem(method)
      guard let state = filter(of: method, in: session) else { continue }
      if state.code == .pluginIncompatible { monitor.note(.partnerUIEvent(item, .incompatible, reason: nil)) }
      monitor.note(.methodDisabled(item, state.code))
    }
  }

  // MARK: What follows from facts

  /// Tells of what the split and the partners changed. Not while a payment is under way, when nothing of it can move.
  mutating func noteStates() {
    guard monitor.isOn, !hasAttempt else { return }
    noteFulfilment()
    let watched = monitor.watched
    guard watched.remaining != remaining || watched.session != session.id || watched.technical != technical else {
      return
    }
    noteDisabled(isSameSession: watched.session == session.id)
    monitor.watched.remaining = remaining
    monitor.watched.session = session.id
    monitor.watched.technical = technical
  }

  private mutating func noteFulfilment() {
    guard isCovered != monitor.watched.isCovered else { return }
    monitor.watched.isCovered = isCovered
    monitor.note(.paymentFulfilled(isCovered))
  }

  private mutating func noteDisabled(isSameSession: Bool) {
    let before = isSameSession ? monitor.watched.disabled : []
    var disabled: [DisabledCode?] = []
    for method in methods { disabled.append(.monitored(disabledState(of: method))) }
    for (index, method) in methods.enumerated() {
      guard let state = disabled[index], !(before.indices.contains(index) && before[index] == state) else { continue }
      monitor.note(.methodDisabled(MonitoredItem(method), state))
    }
    monitor.watched.disabled = disabled
  }

  // MARK: A payment

  mutating func noteVerdict(_ result: PaymentResult) {
    guard monitor.isOn else { return }
    let monitored = MonitoredResult(result, session)
    monitor.note(result.verdict == .success ? .validationSuccess(monitored) : .validationFailed(monitored))
  }

  mutating func noteEnd(_ ending: Ending) {
    guard monitor.isOn, case .failed(let error, _) = ending else { return }
    let isOfAPI = error.code == .validateFailed || error.code == .outcomeUnknown
    monitor.note(.paymentError(error.code, isOfAPI ? monitor.failure : nil))
  }

  /// A hook of the host's answered an error, or gave no answer in time.
  mutating func noteAnswer(_ answer: HookAnswer, to kind: DeliveryKind) {
    guard monitor.isOn, case .error = answer else { return }
    switch kind {
    case .beforeValidate: monitor.note(.onBeforeValidateHookFailed)
    case .afterValidate, .redirection, .checkpoint: monitor.note(.clientHookError(kind))
    default: break
    }
  }
}
