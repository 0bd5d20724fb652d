extension Core {
  /// Before a command is carried out. What is noted of one that is then refused goes with the copy that it worked on.
  mutating func noteBegun(_ command: Command) {
    guard monitor.isOn else { return }
    switch command {
    case .submit:
      monitor.failure = nil
      monitor.note(submitPayment)
    case .setPrimary(let choice):
      noteChoice(choice)
    case .elementOpen(let open):
      noteElement(open.choice)
    case .readSecondary(let read):
      if let item = monitored(read.item) { monitor.note(.methodGetSecondaryToken(item)) }
    case .removeSecondary(let token):
      if let item = secondary(token).flatMap({ monitored($0.item) }) {
        monitor.note(.secondaryTokenRemoveFromSplit(item))
      }
    case .elementReport(let element, let report):
      noteReport(element, report)
    case .register, .simulateLoan, .updateToken, .deleteToken:
      noteWallet(command)
    case .teardown where !isTornDown:
      monitor.note(.pageUnload)
    default:
      break
    }
  }

  private mutating func noteWallet(_ command: Command) {
    switch command {
    case .register(let registration, let isWanted):
      let id = registration.source.id
      if let item = monitored(id) { monitor.note(.methodRegister(item, savesToken: isWanted)) }
      if isWanted, let item = secondary(id).flatMap({ monitored($0.item) }) {
        monitor.note(.secondaryTokenRegister(item))
      }
    case .simulateLoan(let item, _, _):
      if let item = monitored(item) { monitor.note(.methodLoanSim(item)) }
    case .updateToken(let id, let change, _):
      if let token = monitored(token: id) {
        monitor.note(change == .favorite ? .tokenSetFavorite(token) : .tokenEdit(token))
      }
    case .deleteToken(.one(let id), _):
      if let token = monitored(token: id) { monitor.note(.tokenDelete(token)) }
    case .deleteToken(.all, _):
      monitor.note(.deleteAllTokens)
    default:
      break
    }
  }

  /// After it was carried out.
  mutating func noteDone(_ command: Command) {
    guard monitor.isOn else { return }
    if case .applySecondary(let id, _) = command, let token = secondary(id), let item = monitored(token.item) {
      let isPartial = (split.amount(of: id) ?? 0) < token.balance
      monitor.note(.secondaryTokenTake(item, isPartial: isPartial))
    }
    noteStates()
  }

  /// A refused call changes nothing but this.
  mutating func noteRefused(_ command: Command, _ error: CheckoutError, _ moment: Moment) {
    monitor.now = moment.now
    if monitor.isOn, case .setWalletSession = command { monitor.note(.setWalletSessionFailed(error.code)) }
    guard monitor.isOn, !isTornDown, case .submit = command else { return }
    if error.code == .submitBlocked {
      monitor.note(.submitBlocked(sessionState))
    } else {
      monitor.note(submitPayment)
      monitor.note(.paymentError(error.code, nil))
    }
  }

  private var submitPayment: MonitoringEvent {
    .submitPayment(splits: Tally(of: split.slices, andOneMore: primarySendsSlice && primary != nil))
  }

  func monitored(_ id: String) -> MonitoredItem? { session.method(id).map { MonitoredItem($0) } }

  private func monitored(token id: String) -> MonitoredToken? {
    if let token = session.token(id) { return session.method(token.item).map { MonitoredToken(token, of: $0) } }
    guard let saved = session.savedSecondaries.first(where: { $0.id == id }) else { return nil }
    return session.method(saved.item).map { MonitoredToken(saved, of: $0) }
  }

  private mutating func noteChoice(_ choice: PrimaryChoice) {
    switch choice {
    case .item(let id):
      if let item = monitored(id) { monitor.note(.methodSetPrimary(item)) }
    case .token(let id):
      if let token = monitored(token: id) { monitor.note(.primaryTokenSetAsPrimary(token)) }
    case .none:
      monitor.note(.clearPrimarySplit(primary.flatMap { method(of: $0) }.map { MonitoredItem($0) }))
    }
  }

  private mutating func noteElement(_ choice: PrimaryChoice) {
    switch choice {
    case .item(let id):
      if let item = monitored(id) { monitor.note(.methodGetPaymentElement(item)) }
    case .token(let id):
      if let token = monitored(token: id) { monitor.note(.primaryTokenGetPaymentElement(token)) }
    case .none:
      break
    }
  }

  /// What a form says of itself is no event of a partner's.
  private mutating func noteReport(_ id: String, _ report: ElementReport) {
    guard let item = element(id).flatMap({ monitored($0.item) }) else { return }
    switch report {
    case .formValidity, .brands, .brandSelected, .approved: break
    case .redirect: monitor.note(.partnerUIEvent(item, .redirect, reason: nil))
    case .ready: monitor.note(.partnerUIEvent(item, .ready, reason: nil))
    case .canceled: monitor.note(.partnerUIEvent(item, .canceled, reason: nil))
    case .endOfSession: monitor.note(.partnerUIEvent(item, .endOfSession, reason: nil))
    case .initFailed(let why): monitor.note(.partnerUIEvent(item, .initFailed, reason: MaskedText(why)))
    case .clientError(let why): monitor.note(.partnerUIEvent(item, .clientError, reason: MaskedText(why)))
    case .partnerError(let why, _): monitor.note(.partnerUIEvent(item, .partnerError, reason: MaskedText(why)))
    }
  }
}
