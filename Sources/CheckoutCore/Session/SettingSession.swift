import JSONText

/// What became of an item when a session replaced another.
struct ItemFate: Hashable {
  var id: String
  var fate: String
  var reason: String?

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", string: id)
    writer.member("fate", string: fate)
    writer.member("reason", optionalString: reason)
    writer.endObject()
  }
}

extension Core {
  var sessionEnvironment: String { session.environment }

  func checkLocked(_ new: ClientSession) throws(CheckoutError) {
    if let locked = options.lockedEnvironment, locked != new.environment { throw CheckoutError(.environmentMismatch) }
  }

  func admitNext(_ new: ClientSession, _ others: RegisterView, _ moment: Moment) throws(CheckoutError) {
    if others.isTaken(new.id) || spentSessions.contains(new.id) {
      throw CheckoutError(.submitBlocked, details: blockerDetails(.submitBlocked))
    }
    if clock.isCertainlyExpired(new.expiresAt, at: moment.now) { throw CheckoutError(.expiredSession) }
  }

  /// Swaps the session. The caller has decoded it and asked whether it may be taken.
  mutating func setSession(
    _ new: ClientSession, _ others: RegisterView, _ moment: Moment, _ out: inout [Output]
  ) -> String {
    endUndeliveredAttempt(moment, &out)
    endPresenting("replaced", CheckoutError(.ticketClosed), &out)
    for read in reads { close(read, CheckoutError(.secondaryMethodRequestAborted), &out) }
    endLoading(&out) { .canceled }
    let old = session
    let oldMethods = methods
    let typed = secondaries.filter { $0.walletValue == nil }
    let giftCards = typed.map { ItemFate(id: $0.id, fate: "dropped", reason: "giftCard") }
    forgetNumbers(&out)
    secondaries = []
    split = Split()
    replaceSession(new)
    life = Life(new)
    replaceWallet(moment, &out)
    let fates = self.fates(of: oldMethods, and: old)
    forget(fates.filter { $0.fate != "kept" }.map { $0.id }, &out)
    exchangeLedger(old.id, new.id, others)
    isTerminated = false
    isExpired = clock.isCertainlyExpired(new.expiresAt, at: moment.now)
    if let chosen = primary, method(of: chosen) == nil { primary = nil }
    publication.isDue = true
    noteSession(survivors: Tally(of: fates.filter { $0.fate == "kept" }))
    tellCheckpoint(.session, moment, &out)
    return Core.reply(isIgnored: false, fates + giftCards)
  }

  /// What is known of a session is kept when it is left unspent, and met again when it comes back.
  private mutating func exchangeLedger(_ old: String, _ new: String, _ others: RegisterView) {
    if ledger.standing == .clear, ledger.isWorthKeeping {
      leftLedgers.append(NamedLedger(session: old, ledger: ledger))
    }
    ledger = leftLedgers.first { $0.session == new }?.ledger ?? Ledger()
    leftLedgers.removeAll { $0.session == new }
    adopt(others.known(new))
  }

  static func reply(isIgnored: Bool, _ fates: [ItemFate]) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("ignored", boolean: isIgnored)
    writer.key("items")
    writer.array(fates) { $0.write(to: &$1) }
    writer.endObject()
    return writer.text
  }

  /// An attempt of an earlier process that was answered but never told: the shopper has moved on.
  private mutating func endUndeliveredAttempt(_ moment: Moment, _ out: inout [Output]) {
    guard let pending = restored else { return }
    restored = nil
    let error = CheckoutError(.postValidateFailed, message: "replaced by another session", moved: .yes)
    tellOutcome(
      pending.id, source: pending.source, .failed(error, spendsInError: false), ledger.payment, isResolved: false, &out)
  }

  private func fates(of oldMethods: [PaymentMethod], and old: ClientSession) -> [ItemFate] {
    let saved = old.tokens.map { $0.id } + old.savedSecondaries.map { $0.id }
    let tokenFates = saved.map { id in
      !isListed(id)
        ? ItemFate(id: id, fate: "dropped", reason: "notOffered")
        : ItemFate(id: id, fate: "rebuilt", reason: "savedInstrument")
    }
    return oldMethods.map { fate(of: $0, old) } + tokenFates
  }

  private func fate(of method: PaymentMethod, _ old: ClientSession) -> ItemFate {
    guard let new = offeredMethod(method.id) else {
      return ItemFate(id: method.id, fate: "dropped", reason: "notOffered")
    }
    if method.kind == .secondary { return ItemFate(id: method.id, fate: "rebuilt", reason: "giftCard") }
    if technical[method.id] != nil { return ItemFate(id: method.id, fate: "rebuilt", reason: "failed") }
    let isSamePlace =
      old.vault == session.vault && old.currency == session.currency && old.environment == session.environment
    guard isSamePlace, new.configuration == method.configuration else {
      return ItemFate(id: method.id, fate: "rebuilt", reason: "configurationChanged")
    }
    return ItemFate(id: method.id, fate: "kept", reason: nil)
  }

  /// Items that did not survive lose everything, and their generation says so.
  private mutating func forget(_ ids: [String], _ out: inout [Output]) {
    for id in ids {
      technical[id] = nil
      collected[id] = nil
      wallet.registrations.removeAll { $0.source.id == id }
      generations[id] = (generations[id] ?? 0) &+ 1
      if primary?.id == id { primary = nil }
    }
    closeElements(of: ids, .doesNotBelongToCurrentSession, &out)
    dropAmountBound(&out)
  }
}
