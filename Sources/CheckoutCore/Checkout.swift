/// The carrier: brings a back end to the core. It loops between the two and decides nothing.
public struct Checkout<P: Provider>: Hashable, Sendable {
  public internal(set) var core: Core
  private var provider: P
  private var boxedScript = Boxed<P.Script?>(nil)
  private var providerOptions: ProviderOptions

  private(set) var script: P.Script? {
    _read { yield boxedScript.value }
    _modify { yield &boxedScript.value }
  }

  // MARK: Making one

  public init(
    widgetData: String, _ options: CheckoutOptions, _ providerOptions: ProviderOptions, _ others: RegisterView,
    _ moment: Moment, _ out: inout [Output]
  ) throws(CheckoutError) {
    let opened = try P.open(widgetData, providerOptions)
    try Core.admit(opened.session, options, isTaken: others.isTaken(opened.session.id))
    core = Core(session: opened.session, options: options, instanceID: moment.random.uuid)
    core.adopt(others.known(opened.session.id))
    provider = opened.provider
    self.providerOptions = providerOptions
    try core.refuseExpired(moment)
    start(isRestore: false, moment, &out)
  }

  /// Rebuilds one. The numbers that `saved` was given are the checkout's from here on, unless this throws. Where the
  /// register knows of its session from a checkout that is gone, the stricter wins.
  public init(
    restoring saved: SavedState, _ options: CheckoutOptions, _ providerOptions: ProviderOptions,
    _ others: RegisterView, _ moment: Moment, _ out: inout [Output], reply: inout String
  ) throws(CheckoutError) {
    let opened = try P.open(saved.widgetData, providerOptions)
    var locked = options
    locked.lockedEnvironment = saved.lockedEnvironment
    try Core.admit(opened.session, locked, isTaken: others.isHeld(opened.session.id))
    core = Core(restoring: saved, opened.session, options, moment)
    core.adopt(others.known(opened.session.id))
    provider = opened.provider
    self.providerOptions = providerOptions
    let skipped = core.restoreSplit(saved, &out)
    if core.standing == .ready { core.refreshWallet(moment) }
    start(isRestore: true, moment, &out)
    reply = core.restoreReply(skipped)
  }

  private mutating func start(isRestore: Bool, _ moment: Moment, _ out: inout [Output]) {
    core.monitor.now = moment.now
    core.beginMonitoring(provider.monitoringOrigin)
    core.noteCreated(isRestore: isRestore)
    if let request = provider.timeRequest() { core.askTime(request, moment, &out) }
    settle(moment, &out)
    core.markAllTold()
  }

  // MARK: Inputs

  /// Looks at the clock: what is certainly expired is not payable. Answers whether a change may have to be told.
  @discardableResult
  public mutating func observe(_ moment: Moment, _ out: inout [Output]) -> Bool {
    core.monitor.now = moment.now
    core.observe(moment, &out)
    dropEndedScript()
    return core.isChangeDue
  }

  /// A command of the host's; answers its reply.
  public mutating func perform(
    _ command: Command, _ others: RegisterView, _ moment: Moment, _ out: inout [Output]
  ) throws(CheckoutError) -> String {
    core.monitor.now = moment.now
    core.observe(moment, &out)
    // A submit is refused with its reasons, by its own gate.
    if command.verb != .submit { try core.permit(command.verb) }
    // After the call: an event on the way tells what had changed until then.
    defer { core.touch() }
    core.noteBegun(command)
    let reply = try carryOut(command, others, moment, &out)
    core.noteDone(command)
    if command == .teardown { flushMonitoring(moment, &out) }
    return reply
  }

  /// What the host should have been able to do and was refused: `perform` threw, and nothing of it was kept.
  public mutating func refused(_ command: Command, _ error: CheckoutError, _ moment: Moment) {
    core.noteRefused(command, error, moment)
  }

  private mutating func carryOut(
    _ command: Command, _ others: RegisterView, _ moment: Moment, _ out: inout [Output]
  ) throws(CheckoutError) -> String {
    defer { settle(moment, &out) }
    switch command {
    case .setSession(let widgetData):
      return try setSession(widgetData, others, moment, &out)
    case .readSecondary(let read):
      let opened = try core.openRead(read, moment)
      core.send(opened, provider.balanceRequest(opened.order), moment, &out)
      return core.accepted(opened.call)
    case .start(let tag):
      return load(.starting, tag, moment, &out)
    case .refresh(let tag):
      return load(.refreshing, tag, moment, &out)
    case .submit(let submit):
      let attempt = try core.accept(submit, others, moment)
      askTimeIfWanted(moment, &out)
      script = provider.script(for: attempt.order)
      run(.script(.begin), moment, &out)
      return Core.object("attempt", attempt.id)
    case .elementReport(let element, .approved(let paymentData)):
      let attempt = try core.approve(element, paymentData, others, moment)
      askTimeIfWanted(moment, &out)
      script = provider.script(for: attempt.order)
      run(.script(.begin), moment, &out)
      return Core.object("attempt", attempt.id)
    case .answer(let ticket, let answer):
      run(try core.answer(ticket, answer, moment, &out), moment, &out)
      return "{}"
    case .redirectReport(let presentation, let end):
      let (isLate, next) = try core.redirectReport(presentation, end, moment, &out)
      run(next, moment, &out)
      return Core.object("late", isLate)
    default:
      defer { dropEndedScript() }
      return try core.perform(command, moment, &out)
    }
  }

  /// The one result of a request that was sent.
  public mutating func received(
    _ request: RequestID, _ received: Received, _ moment: Moment, _ out: inout [Output]
  ) {
    if core.finishMonitoring(request) { return }
    core.monitor.now = moment.now
    core.sample(received, of: request, moment)
    core.observe(moment, &out)
    defer { core.touch() }
    core.monitor.ended(request, received)
    switch core.owner(of: request) {
    case .nobody:
      break
    case .time:
      core.finishTime(provider.serverTime(in:), received, request, moment)
    case .life:
      finishLoading(received, &out)
    case .read(let index):
      let read = core.reads[index]
      core.finish(read, reading(received, read), moment, &out)
    case .service(let index):
      core.finish(service: index, reading(received, core.services[index].order), moment, &out)
    case .element(let index):
      core.finishInitialization(core.elements[index].id, data(received), moment, &out)
    case .script(let call):
      core.forget(request)
      run(.script(event(received, call)), moment, &out)
    case .money(let call):
      core.forget(request)
      run(receivedMoney(received, call, moment, &out), moment, &out)
    }
    settle(moment, &out)
    dropEndedScript()
    core.noteStates()
    if core.isTornDown, !core.hasAttempt { flushMonitoring(moment, &out) }
  }

  /// Deadlines that have passed.
  public mutating func tick(_ moment: Moment, _ out: inout [Output]) {
    core.monitor.now = moment.now
    core.observe(moment, &out)
    askTimeIfWanted(moment, &out)
    while let read = core.dueRead(moment) {
      core.send(read, provider.balanceRequest(read.order), moment, &out)
    }
    while let ticket = core.overdueTicket(moment) {
      core.tellClosed(ticket, &out)
      run(core.settle(ticket, .error("no answer in time"), moment, &out), moment, &out)
      core.touch()
    }
    core.warnOfDecision(moment, &out)
    if core.wakesAttempt(moment) { run(.script(.woke), moment, &out) }
    settle(moment, &out)
    dropEndedScript()
    core.noteStates()
    while core.isMonitoringDue(moment), sendMonitoring(moment, &out) {}
  }

  /// Sends everything that was noted, due or not: before the app is suspended, and at the end.
  public mutating func flushMonitoring(_ moment: Moment, _ out: inout [Output]) {
    while sendMonitoring(moment, &out) {}
  }

  /// False when there was nothing to send.
  private mutating func sendMonitoring(_ moment: Moment, _ out: inout [Output]) -> Bool {
    let provider = provider
    guard let body = core.takeMonitoring(path: { provider.pathTemplate(of: $0) }) else { return false }
    if let request = provider.monitoringRequest(body) { core.send(monitoring: request, body, moment, &out) }
    return true
  }

  private mutating func askTimeIfWanted(_ moment: Moment, _ out: inout [Output]) {
    if core.wantsTime(moment.now), let request = provider.timeRequest() { core.askTime(request, moment, &out) }
  }

  /// Boot milliseconds at which `tick` wants to be called.
  public func nextDeadline(at now: Instant) -> Int64? { core.nextDeadline(at: now) }

  /// Asked right before a request is written.
  public mutating func mayLeave(_ request: RequestID, at now: Instant) -> Bool { core.mayLeave(request, at: now) }

  /// Once, when this checkout has its handle.
  public mutating func join(_ register: inout SessionRegister, as handle: UInt64) { core.join(&register, as: handle) }

  /// After each input. It changes nothing, but what is only read is copied first when it is part of a class.
  public mutating func report(to register: inout SessionRegister, as handle: UInt64) -> AfterInput {
    core.report(to: &register, as: handle)
  }

  public mutating func takeChange() -> String? { core.takeChange() }
  public mutating func saveState(_ moment: Moment) -> String { core.saveState(moment) }

  // MARK: The loop

  private mutating func run(_ next: Next, _ moment: Moment, _ out: inout [Output]) {
    var next = next
    while true {
      switch next {
      case .rest:
        return dropEndedScript()
      case .script(let event):
        next = advance(event, moment, &out)
      }
    }
  }

  private mutating func advance(_ event: ScriptEvent, _ moment: Moment, _ out: inout [Output]) -> Next {
    guard let move = script?.next(event) else { return .rest }
    core.keep(collected: script?.collected)
    return core.follow(move, moment, &out)
  }

  /// What waits to be sent is sent, and elements follow whatever has moved the amount.
  private mutating func settle(_ moment: Moment, _ out: inout [Output]) {
    core.wantSavedBalances(moment)
    while let index = core.nextService(moment) {
      core.send(service: index, provider.request(for: core.services[index].order), moment, &out)
    }
    if core.elements.isEmpty { return }
    while let wanted = core.wantedInitialization() {
      core.initialize(wanted.id, provider.elementRequest(wanted.order), moment, &out)
    }
    core.settleElements(moment, &out)
  }

  private mutating func dropEndedScript() {
    if !core.hasAttempt { script = nil }
  }

  private mutating func receivedMoney(
    _ received: Received, _ call: Call, _ moment: Moment, _ out: inout [Output]
  ) -> Next {
    guard case .answer(let answer) = received else {
      return core.receivedMoney(received, nil, speaksOfEarlierPayment: false, refusal: nil, moment, &out)
    }
    if answer.isSuccess {
      let reading = script?.read(answer, to: call)
      return core.receivedMoney(received, reading, speaksOfEarlierPayment: false, refusal: nil, moment, &out)
    }
    let speaks = script?.speaksOfEarlierPayment(answer) ?? true
    let refusal = script?.refusal(in: answer)
    return core.receivedMoney(received, nil, speaksOfEarlierPayment: speaks, refusal: refusal, moment, &out)
  }

  private mutating func event(_ received: Received, _ call: Call) -> ScriptEvent {
    guard case .answer(let answer) = received, answer.isSuccess else { return .failed(core.refused(received)) }
    switch script?.read(answer, to: call) {
    case .read, .verdict: return .read
    case .refused(let error): return .failed(error)
    case .unreadable, .unclear, .open, nil: return .failed(core.refused(received))
    }
  }

  // MARK: Loading

  private mutating func load(
    _ phase: Life.Phase, _ tag: String?, _ moment: Moment, _ out: inout [Output]
  ) -> String {
    let (call, isWanted) = core.beginLoading(phase, tag, &out)
    guard isWanted else { return core.accepted(call) }
    do throws(CheckoutError) {
      if core.isExpired { throw CheckoutError(.invalidClientToken) }
      guard let request = try provider.loadRequest(moment.random.uuid) else {
        throw CheckoutError(.missingConfiguration)
      }
      core.send(loading: request, moment, &out)
    } catch {
      core.finishLoading(nil, error, &out)
    }
    return core.accepted(call)
  }

  private mutating func finishLoading(_ received: Received, _ out: inout [Output]) {
    // The answer's own Date may be what says so.
    if core.isExpired { return core.finishLoading(nil, CheckoutError(core.session.backEnd.expiry), &out) }
    guard case .answer(let answer) = received, answer.isSuccess else {
      return core.finishLoading(nil, Core.unloaded(received), &out)
    }
    do throws(CheckoutError) {
      core.finishLoading(try provider.load(answer, core.session), nil, &out)
    } catch {
      core.finishLoading(nil, error, &out)
    }
  }

  private func reading(_ received: Received, _ read: GiftCardRead) -> BalanceReading {
    guard case .answer(let answer) = received else { return .refused(.failedToInitSecondaryToken, details: nil) }
    return provider.balance(in: answer, currency: read.order.currency)
  }

  /// The order's own code for what was not answered at all.
  private func reading(_ received: Received, _ order: ServiceOrder) -> ServiceReading {
    guard case .answer(let answer) = received else { return .refused(Core.refusal(received, order.failure)) }
    return provider.reading(answer, of: order)
  }

  private func data(_ received: Received) -> ElementReading {
    guard case .answer(let answer) = received else { return .refused(details: Core.refusedData(received)) }
    return provider.elementData(in: answer)
  }

  private mutating func setSession(
    _ widgetData: String, _ others: RegisterView, _ moment: Moment, _ out: inout [Output]
  ) throws(CheckoutError) -> String {
    let opened = try P.open(widgetData, providerOptions)
    if opened.session.environment != core.sessionEnvironment { try core.checkLocked(opened.session) }
    if opened.session.id == core.sessionID { return Core.reply(isIgnored: true, []) }
    try core.admitNext(opened.session, others, moment)
    // A batch speaks of one session, and goes under that one's key.
    flushMonitoring(moment, &out)
    provider = opened.provider
    core.beginMonitoring(provider.monitoringOrigin, opened.session.id)
    return core.setSession(opened.session, others, moment, &out)
  }
}
