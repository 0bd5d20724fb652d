import JSONText

/// Whom a request's result is for.
enum RequestOwner: Hashable {
  case nobody
  case time
  case read(GiftCardRead)
  case script(Call)
  case money(Call)
}

extension Core {
  /// The commands that need no back end.
  mutating func perform(_ command: Command, _ moment: Moment, _ out: inout [Output]) throws(CheckoutError) -> String {
    switch command {
    case .setPrimary(let choice):
      try setPrimary(choice)
      return properties(Property.split)
    case .applySecondary(let token, let amount):
      return try applySecondary(token, amount: amount)
    case .removeSecondary(let token):
      try removeSecondary(token)
      return properties(Property.split)
    case .setHooks(let hooks):
      options.hooks = hooks
    case .elementOpen(let open):
      let call = try openElement(open, &out)
      finishOpen(call, open.id, moment, &out)
      return accepted(call)
    case .elementReport(let element, let report):
      try self.report(element, report, moment, &out)
    case .elementClose(let element):
      try closeElement(element, moment, &out)
    case .abortAttempt(let id):
      try abortAttempt(id, moment, &out)
    case .abortCall(let id):
      try abortRead(id, &out)
    case .resolve(let attempt, let verdict):
      try resolve(attempt, verdict, moment, &out)
    case .redirectPresent(let attempt, let tag):
      let call = try presentAgain(attempt, tag, moment, &out)
      startPresenting(call, attempt, moment, &out)
      return accepted(call)
    case .teardown:
      teardown(moment, &out)
    case .setSession, .readSecondary, .submit, .answer, .redirectReport:
      // The carrier's: they need the back end.
      break
    }
    return "{}"
  }

  mutating func touch() { publication.isDue = true }

  // MARK: The clock

  /// Looks at the clock before anything else: what is certainly expired is not payable.
  mutating func observe(_ moment: Moment, _ out: inout [Output]) {
    // Nothing changes any more, and nothing more is told.
    if isTornDown { return }
    let isNow = clock.isCertainlyExpired(session.expiresAt, at: moment.now)
    if isNow != isExpired {
      isExpired = isNow
      publication.isDue = true
    }
    if isNow { stopAttempt(.expired, moment, &out) }
  }

  func refuseExpired(_ moment: Moment) throws(CheckoutError) {
    if clock.isCertainlyExpired(session.expiresAt, at: moment.now) { throw CheckoutError(.expiredSession) }
  }

  /// Ours: an expiry that rests on one bad Date header must be able to end, and no other request may ever be sent.
  static let timeInterval: Int64 = 60_000

  /// Boot milliseconds at which to ask the time service again; nil: not now.
  private func timeWanted(at now: Instant) -> Int64? {
    guard isExpired, !isTornDown, attempt == nil, timeRequest == nil, ledger.standing == .clear else { return nil }
    return timeAskedAt.map { $0 &+ Core.timeInterval } ?? now.boot
  }

  mutating func wantsTime(_ now: Instant) -> Bool {
    guard let wanted = timeWanted(at: now), wanted <= now.boot else { return false }
    timeAskedAt = now.boot
    return true
  }

  mutating func askTime(_ request: Request, _ moment: Moment, _ out: inout [Output]) {
    timeRequest = send(request, moment, &out)
    timeAskedAt = moment.now.boot
  }

  /// Every answer's Date header is a sample, of one second's grain.
  mutating func sample(_ received: Received, of request: RequestID, _ moment: Moment) {
    guard let sentAt = sentAt[request], case .answer(let answer) = received, let date = answer.date,
      let serverTime = DateText.milliseconds(fromHTTPDate: date)
    else { return }
    clock.observe(serverTime: serverTime, grain: 1_000, sentAt: sentAt, receivedAt: moment.now.boot)
  }

  mutating func finishTime(
    _ read: (Answer) -> Int64?, _ received: Received, _ request: RequestID, _ moment: Moment
  ) {
    timeRequest = nil
    if case .answer(let answer) = received, answer.isSuccess, let serverTime = read(answer),
      let sentAt = sentAt[request]
    {
      clock.observe(serverTime: serverTime, grain: 1_000, sentAt: sentAt, receivedAt: moment.now.boot)
    }
    forget(request)
  }

  func nextDeadline(at now: Instant) -> Int64? {
    var deadlines = tickets.compactMap { $0.deadline } + reads.compactMap { $0.asksAgainAt }
    if !isTornDown, !isExpired, !ledger.isSettled {
      deadlines.append(clock.nextExpiryCheck(session.expiresAt, at: now))
    }
    if let wanted = timeWanted(at: now) { deadlines.append(wanted) }
    return deadlines.min()
  }

  func overdueTicket(_ moment: Moment) -> Ticket? {
    tickets.first { ticket in
      guard let deadline = ticket.deadline else { return false }
      return deadline <= moment.now.boot
    }
  }

  // MARK: Requests

  func owner(of request: RequestID) -> RequestOwner {
    if timeRequest == request { return .time }
    if let read = reads.first(where: { $0.request == request }) { return .read(read) }
    switch attempt?.wait {
    case .request(request, let call): return .script(call)
    case .money(request): return .money(.validate)
    default: return .nobody
    }
  }

  mutating func forget(_ request: RequestID) { sentAt[request] = nil }

  /// What a script is told of a request that got no usable answer.
  func refused(_ received: Received) -> CheckoutError {
    var writer = JSONWriter()
    writer.beginObject()
    if case .answer(let answer) = received { writer.member("statusCode", integer: answer.status) }
    writer.endObject()
    return CheckoutError(.validateFailed, moved: .no, details: writer.text)
  }

  /// What a card's form gave stays with its source until a request has used it.
  mutating func keep(collected text: String?) {
    guard let text, let attempt, !attempt.isFormStale, let source = attempt.source, offeredMethod(source) != nil
    else { return }
    collected[source] = text
  }

  // MARK: Another session

  var sessionEnvironment: String { session.environment }

  func checkLocked(_ new: ClientSession) throws(CheckoutError) {
    if let locked = options.lockedEnvironment, locked != new.environment { throw CheckoutError(.environmentMismatch) }
  }

  func admitNext(_ new: ClientSession, taken: [String], _ moment: Moment) throws(CheckoutError) {
    if taken.contains(new.id) || spentSessions.contains(new.id) {
      throw CheckoutError(.submitBlocked, details: blockerDetails(.submitBlocked))
    }
    if clock.isCertainlyExpired(new.expiresAt, at: moment.now) { throw CheckoutError(.expiredSession) }
  }

  // MARK: Teardown

  /// For good. What has left is not taken back: its answer is the outcome.
  mutating func teardown(_ moment: Moment, _ out: inout [Output]) {
    guard !isTornDown else { return }
    let answer = attempt?.result
    let wasShowing = presentation != nil
    isTornDown = true
    publication.isDue = true
    for read in reads { close(read, CheckoutError(.checkoutTornDown), &out) }
    if let request = timeRequest {
      timeRequest = nil
      forget(request)
      out.append(.cancel(request))
    }
    if attempt == nil { endPresenting("tornDown", CheckoutError(.checkoutTornDown), &out) }
    if !hasLeft {
      stopAttempt(.tornDown, moment, &out)
    } else if ledger.isSettled, attempt != nil {
      let torn = CheckoutError(.checkoutTornDown, moved: .yes)
      let ending = answer.map { wasShowing ? .failed(torn, spendsInError: false) : Ending.completed($0) }
      conclude(ending ?? .failed(torn, spendsInError: false), moment, &out)
    }
    forgetNumbers(&out)
  }

  // MARK: Small replies

  static func object(_ key: String, _ value: Int64) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member(key, integer: value)
    writer.endObject()
    return writer.text
  }

  static func object(_ key: String, _ value: Bool) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member(key, boolean: value)
    writer.endObject()
    return writer.text
  }
}

extension ElementOpen {
  var id: String {
    switch choice {
    case .item(let id), .token(let id): id
    case .none: ""
    }
  }
}
