import JSONText

// Saved gift cards: their balances are read in parallel when a session is taken up, and are then applied as fresh ones
// are. One whose balance cannot be read says so for the rest of the session.
extension Core {
  /// Asks for those that were not asked for in this session.
  mutating func wantSavedBalances(_ moment: Moment) {
    guard wallet.wantsBalances, standing == .ready else { return }
    wallet.wantsBalances = false
    if session.needsPrimaryForNothing { return }
    for saved in savedSecondaries where !wallet.asked.contains(saved.id) && failure(of: saved) == nil {
      guard let method = offeredMethod(saved.item) else { continue }
      wallet.asked.append(saved.id)
      let order = SavedBalanceOrder(
        token: saved.id, value: saved.value, name: method.name, isPolled: method.numberRule.isPolled,
        amount: session.amount, currency: session.currency)
      services.append(ServiceCall(.readBalance(order), nil, moment))
    }
  }

  mutating func finish(
    balance index: Int, _ order: SavedBalanceOrder, _ reading: BalanceReading, _ moment: Moment,
    _ out: inout [Output]
  ) {
    publication.isDue = true
    switch reading {
    case .read(let balance):
      services.remove(at: index)
      read(order.token, balance)
    case .waiting(let handle) where mayAskAgain(index, order, moment):
      services[index].request = nil
      services[index].asksAgainAt = moment.now.boot &+ GiftCardRead.pollInterval
      var order = order
      order.handle = handle
      services[index].order = .readBalance(order)
    case .waiting, .refused:
      services.remove(at: index)
      failBalance(of: order.token)
    }
  }

  private func mayAskAgain(_ index: Int, _ order: SavedBalanceOrder, _ moment: Moment) -> Bool {
    let waited = moment.now.boot &+ GiftCardRead.pollInterval &- services[index].startedAt
    return order.isPolled && waited <= GiftCardRead.pollLimit
  }

  /// The split of a payment that is under way, or in doubt, stays as it was sent, and so does what it rests on.
  private var isSplitFixed: Bool { hasAttempt || ledger.standing != .clear }

  private mutating func read(_ id: String, _ balance: Balance) {
    guard let saved = session.savedSecondaries.first(where: { $0.id == id }) else { return }
    let slice = split.amount(of: id)
    if slice != nil, isSplitFixed { return }
    if let slice, slice > balance.amount { split.remove(id) }
    let token = SecondaryToken(
      id: id, item: saved.item, mask: saved.mask, balance: balance.amount, totalBalance: balance.total,
      expiresAt: balance.expiresAt ?? saved.expiresAt, handle: balance.handle, walletValue: saved.value)
    if let index = secondaries.firstIndex(where: { $0.id == id }) {
      secondaries[index] = token
    } else {
      secondaries.append(token)
    }
    expiries.watch(id, token.expiresAt)
  }

  private mutating func failBalance(of id: String) {
    technical[id] = .initFailed
    if !isSplitFixed { split.remove(id) }
  }

  // MARK: States

  func disabledState(of saved: SavedSecondaryToken) -> DisabledState? {
    if sessionState == .submitting { return DisabledState(.submitting) }
    if let state = failure(of: saved) { return state }
    guard remaining == 0, !session.needsPrimaryForNothing, split.amount(of: saved.id) == nil else { return nil }
    return DisabledState(.paymentFulfilled)
  }

  private func failure(of saved: SavedSecondaryToken) -> DisabledState? { failure(ofCard: saved.id, saved.item) }

  /// What keeps a gift card from paying at all.
  func failure(ofCard id: String, _ item: String) -> DisabledState? {
    if isBeingDeleted(id) { return DisabledState(.tokenBeingDeleted) }
    if let state = technical[id] ?? technical[item] { return DisabledState(state.code) }
    return expiries.isGone(id) ? DisabledState(.tokenExpired) : nil
  }

  /// Why a saved gift card cannot be drawn in though it is listed.
  func checkRead(_ id: String) throws(CheckoutError) {
    guard let saved = savedSecondaries.first(where: { $0.id == id }) else { return }
    try check(failure(of: saved))
    throw CheckoutError(.invalidTakeAmount, message: "the balance of this saved token has not been read yet")
  }

  // MARK: JSON

  func write(_ saved: SavedSecondaryToken, _ writer: inout JSONWriter) {
    let read = secondary(saved.id)
    writer.beginObject()
    writer.member("id", string: saved.id)
    writer.member("item", string: saved.item)
    writer.member("mask", string: saved.mask)
    writer.member("name", optionalString: saved.name)
    writer.member("isFavorite", boolean: saved.isFavorite)
    writer.member("balance", optionalInteger: read?.balance)
    writer.member("totalBalance", optionalInteger: read?.totalBalance)
    writer.member("expiresAt", optionalString: read?.expiresAt ?? saved.expiresAt)
    writer.member("applied", integer: split.amount(of: saved.id) ?? 0)
    writer.key("disabled")
    if let disabled = disabledState(of: saved) { disabled.write(to: &writer) } else { writer.null() }
    writer.endObject()
  }
}
