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
    case .register(let registration, let isWanted):
      try register(registration, isWanted)
      return properties([.registrations])
    case .simulateLoan(let item, let amount, let tag):
      return accepted(try simulateLoan(item, amount: amount, tag: tag, moment))
    case .setWalletSession(let session, let tag):
      return accepted(try setWalletSession(session, tag: tag, moment, &out))
    case .updateToken(let token, let change, let tag):
      return accepted(try update(token, change, tag: tag, moment, &out))
    case .deleteToken(let deletion, let tag):
      return accepted(try delete(deletion, tag: tag, moment, &out))
    case .setHooks(let hooks):
      options.hooks = hooks
    case .elementOpen(let open):
      let (call, isWaiting) = try openElement(open)
      if !isWaiting { finishOpen(call, open.id, moment, &out) }
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
      let call = try presentAgain(attempt, tag)
      startPresenting(call, attempt, moment, &out)
      return accepted(call)
    case .cancel:
      try cancel(moment, &out)
    case .dismiss:
      return try dismiss(moment, &out)
    case .setField(let element, let field):
      try setField(element, field, &out)
    case .teardown:
      teardown(moment, &out)
    case .setSession, .readSecondary, .submit, .answer, .redirectReport, .start, .refresh:
      // The carrier's: they need the back end.
      break
    }
    return "{}"
  }

  mutating func touch() { publication.isDue = true }
}
