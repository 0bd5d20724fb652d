import JSONText

// The session's lists of saved instruments, and what the wallet says of them.
extension Core {
  /// What the wallet lists is so. Of the same shopper's, what it does not list was deleted elsewhere; another shopper's
  /// instruments are nothing of this checkout's any more.
  mutating func take(_ listed: [PaymentToken], of owner: WalletSession, _ out: inout [Output]) {
    wallet.isAmended = true
    let here = session.tokens.map { ($0.id, $0.owner) } + session.savedSecondaries.map { ($0.id, $0.owner) }
    for (id, knownOwner) in here where !listed.contains(where: { $0.id == id }) {
      guard let knownOwner else { continue }
      if knownOwner == owner.owner { missElsewhere(id) } else { remove([id], .doesNotBelongToCurrentSession, &out) }
    }
    for token in listed where !wallet.deleted.contains(token.id) { take(token) }
    watchTokens()
    wallet.wantsBalances = true
  }

  private mutating func take(_ token: PaymentToken) {
    guard let method = session.method(token.item) else { return }
    switch method.kind {
    case .primary:
      if let index = session.tokens.firstIndex(where: { $0.id == token.id }) {
        session.tokens[index] = token
      } else if !isSaved(token.id) {
        session.tokens.append(token)
      }
    case .secondary:
      let saved = SavedSecondaryToken(token)
      if let index = session.savedSecondaries.firstIndex(where: { $0.id == token.id }) {
        session.savedSecondaries[index] = saved
      } else if !isSaved(token.id) {
        session.savedSecondaries.append(saved)
      }
    }
  }

  /// Deleted by somebody else: it stays listed and says so.
  mutating func missElsewhere(_ id: String) {
    technical[id] = .deleted
    publication.isDue = true
    // The split of a payment that is under way, or in doubt, stays as it was sent.
    guard !hasAttempt, ledger.standing == .clear else { return }
    unchoose(id)
  }

  /// It pays nothing any more.
  mutating func unchoose(_ id: String) {
    split.remove(id)
    if primary == .token(id) { primary = nil }
  }

  /// Takes them off the lists.
  mutating func remove(_ ids: [String], _ reason: DisabledCode, _ out: inout [Output]) {
    wallet.isAmended = true
    for id in ids {
      unchoose(id)
      technical[id] = nil
      session.tokens.removeAll { $0.id == id }
      session.savedSecondaries.removeAll { $0.id == id }
      secondaries.removeAll { $0.id == id }
    }
    dropServices(.balances(ids), CheckoutError(.missingToken), &out)
    closeElements(of: ids, reason, &out)
    watchTokens()
  }

  // MARK: Reading them

  /// What is shown of the saved gift cards: they go with their method.
  var savedSecondaries: [SavedSecondaryToken] {
    session.savedSecondaries.filter { offeredMethod($0.item) != nil }
  }

  /// It stands on one of the published lists.
  func isListed(_ id: String) -> Bool { offeredToken(id) != nil || savedSecondaries.contains { $0.id == id } }

  func isSaved(_ id: String) -> Bool {
    session.tokens.contains { $0.id == id } || session.savedSecondaries.contains { $0.id == id }
  }

  var savedIDs: [String] { session.tokens.map { $0.id } + session.savedSecondaries.map { $0.id } }

  /// Its deletion is under way.
  func isBeingDeleted(_ id: String) -> Bool { beingDeleted.contains(id) }

  var beingDeleted: [String] {
    var ids: [String] = []
    for service in services {
      switch service.order {
      case .delete(_, let token): ids.append(token)
      case .deleteAll: ids += savedIDs
      default: break
      }
    }
    return ids
  }

  func name(ofSaved id: String) -> String? {
    session.token(id)?.name ?? session.savedSecondaries.first { $0.id == id }?.name
  }

  func isFavorite(_ id: String) -> Bool {
    session.token(id)?.isFavorite ?? session.savedSecondaries.first { $0.id == id }?.isFavorite ?? false
  }

  func isRenaming(_ id: String) -> Bool {
    services.contains { service in
      if case .rename(_, id, _) = service.order { return true }
      return false
    }
  }

  var isChangingFavorite: Bool {
    services.contains { service in
      if case .makeFavorite = service.order { return true }
      return false
    }
  }

  /// Another saved instrument has this name, or is about to.
  func isTaken(_ name: String, besides id: String) -> Bool {
    session.tokens.contains { $0.id != id && $0.name == name }
      || session.savedSecondaries.contains { $0.id != id && $0.name == name }
      || services.contains { service in
        if case .rename(_, let other, name) = service.order { return other != id }
        return false
      }
  }
}
