extension Core {
  /// Looks at the clock before anything else: what is certainly expired is not payable.
  mutating func observe(_ moment: Moment, _ out: inout [Output]) {
    // Nothing changes any more, and nothing more is told.
    if isTornDown { return }
    let isNow = clock.isCertainlyExpired(session.expiresAt, at: moment.now)
    if isNow != isExpired {
      isExpired = isNow
      if isNow { monitor.note(.expiredSession) }
      publication.isDue = true
    }
    if isNow { stopAttempt(.expired, moment, &out) }
    observeTokens(moment)
  }

  func refuseExpired(_ moment: Moment) throws(CheckoutError) {
    if clock.isCertainlyExpired(session.expiresAt, at: moment.now) { throw CheckoutError(session.backEnd.expiry) }
  }

  /// Ours: an expiry that rests on one bad Date header must be able to end, and no other request may ever be sent.
  static let timeInterval: Int64 = 60_000

  /// Boot milliseconds at which to ask the time service again; nil: not now. Asked when it could change what is
  /// believed: while expired, and while it is not sure that the session is payable.
  private func timeWanted(at now: Instant) -> Int64? {
    guard !isTornDown, timeRequest == nil, ledger.standing == .clear else { return nil }
    guard isExpired ? !hasAttempt : clock.isPossiblyExpired(session.expiresAt, at: now) else { return nil }
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
    guard let sentAt = sentAt[request], case .answer(let answer) = received, answer.isTrusted,
      let date = answer.date, let serverTime = DateText.milliseconds(fromHTTPDate: date)
    else { return }
    clock.observe(serverTime: serverTime, grain: 1_000, sentAt: sentAt, receivedAt: moment.now.boot)
  }

  mutating func finishTime(
    _ read: (Answer) -> Int64?, _ received: Received, _ request: RequestID, _ moment: Moment
  ) {
    timeRequest = nil
    if case .answer(let answer) = received, answer.isTrusted, answer.isSuccess, let serverTime = read(answer),
      let sentAt = sentAt[request]
    {
      clock.observe(serverTime: serverTime, grain: 1_000, sentAt: sentAt, receivedAt: moment.now.boot)
    }
    forget(request)
  }

  func nextDeadline(at now: Instant) -> Int64? {
    var earliest: Int64?
    func consider(_ deadline: Int64?) {
      guard let deadline else { return }
      earliest = min(earliest ?? deadline, deadline)
    }
    for ticket in tickets {
      consider(ticket.deadline)
      consider(ticket.warnsAt)
    }
    if case .timer(let time) = attempt?.wait { consider(time) }
    for read in reads { consider(read.asksAgainAt) }
    for service in services where standing == .ready { consider(service.asksAgainAt) }
    if !isTornDown, !isExpired, !ledger.isSettled {
      consider(clock.nextExpiryCheck(session.expiresAt, at: now))
      if let expiry = expiries.next { consider(clock.nextExpiryCheck(expiry, at: now)) }
    }
    consider(timeWanted(at: now))
    consider(monitoringDeadline)
    return earliest
  }
}
