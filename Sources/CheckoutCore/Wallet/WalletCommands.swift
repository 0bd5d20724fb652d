import JSONText

/// What is to become of a saved instrument.
public enum TokenChange: Hashable, Sendable {
  case name(String)
  case favorite
}

/// Which saved instruments are to be deleted.
public enum TokenDeletion: Hashable, Sendable {
  case one(String)
  case all
}

/// Ours: the facts name no rule.
enum TokenName {
  static let mostBytes = 128

  /// Something to read, on one line, and no card number.
  static func check(_ name: String) throws(CheckoutError) {
    let isVisible = name.utf8.contains { $0 > 0x20 && $0 != 0x7F }
    let isOneLine = name.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029: false
      default: true
      }
    }
    guard isVisible, isOneLine, name.utf8.count <= mostBytes, !CardNumber.looksLikeOne(name) else {
      throw CheckoutError(.invalidTokenName)
    }
  }
}

extension Core {
  // MARK: Changing one

  mutating func update(
    _ id: String, _ change: TokenChange, tag: String?, _ moment: Moment, _ out: inout [Output]
  ) throws(CheckoutError) -> OpenCall {
    try checkSaved(id)
    if case .name(let name) = change {
      try TokenName.check(name)
      if isTaken(name, besides: id) { throw CheckoutError(.tokenNameExists) }
    }
    let session = try walletSession(moment)
    let call = OpenCall(id: Core.draw(&next.call), tag: tag)
    if hasAlready(change, id) {
      result(of: call, &out) { $1.ignored() }
    } else {
      services.append(ServiceCall(order(for: change, id, session), call, moment))
    }
    return call
  }

  /// What is under way may make it otherwise: then it is asked for.
  private func hasAlready(_ change: TokenChange, _ id: String) -> Bool {
    switch change {
    case .name(let name): name == self.name(ofSaved: id) && !isRenaming(id)
    case .favorite: isFavorite(id) && !isChangingFavorite
    }
  }

  private func order(for change: TokenChange, _ id: String, _ session: WalletSession) -> ServiceOrder {
    switch change {
    case .name(let name): .rename(session, token: id, name: name)
    case .favorite: .makeFavorite(session, token: id)
    }
  }

  /// What was typed here is not in the wallet.
  private func checkSaved(_ id: String) throws(CheckoutError) {
    if let fresh = secondary(id), fresh.walletValue == nil {
      let canBeSaved = session.method(fresh.item)?.canBeRegistered ?? false
      throw CheckoutError(canBeSaved ? .tokenNotRegistered : .tokenNotRegisterable)
    }
    guard isListed(id), !isBeingDeleted(id) else { throw CheckoutError(.missingToken) }
  }

  // MARK: Deleting

  /// From the accepted call on it pays nothing: what the shopper wants gone must not be charged. When the wallet refuses
  /// it can be used again, but is not chosen.
  mutating func delete(
    _ deletion: TokenDeletion, tag: String?, _ moment: Moment, _ out: inout [Output]
  ) throws(CheckoutError) -> OpenCall {
    if case .one(let id) = deletion {
      if let fresh = secondary(id), fresh.walletValue == nil { throw CheckoutError(.methodNotImplemented) }
      guard isListed(id), !isBeingDeleted(id) else { throw CheckoutError(.missingToken) }
    }
    let session = try walletSession(moment)
    let call = OpenCall(id: Core.draw(&next.call), tag: tag)
    switch deletion {
    case .one(let id):
      unchoose(id)
      services.append(ServiceCall(.delete(session, token: id), call, moment))
    case .all where savedIDs.isEmpty:
      result(of: call, &out) { $1.ignored() }
    case .all:
      for id in savedIDs { unchoose(id) }
      services.append(ServiceCall(.deleteAll(session), call, moment))
    }
    return call
  }

  // MARK: Answers

  mutating func finish(
    change service: ServiceCall, _ reading: ServiceReading, _ moment: Moment, _ out: inout [Output]
  ) {
    guard let call = service.call else { return }
    switch (service.order, reading) {
    case (.rename(_, let id, let name), .done):
      setName(name, of: id)
      tellUpdated(id, call, &out)
    case (.makeFavorite(_, let id), .done):
      setFavorite(id)
      tellUpdated(id, call, &out)
    case (.delete(_, let id), .done), (.delete(_, let id), .gone):
      deleted([id], call, &out)
    case (.deleteAll, .done):
      deleted(savedIDs, call, &out)
    case (.rename(_, let id, _), .gone), (.makeFavorite(_, let id), .gone):
      missElsewhere(id)
      failure(of: call, CheckoutError(.missingToken), &out)
    default:
      failed(service, call, reading, moment, &out)
    }
  }

  private mutating func failed(
    _ service: ServiceCall, _ call: OpenCall, _ reading: ServiceReading, _ moment: Moment, _ out: inout [Output]
  ) {
    var error = CheckoutError(service.order.failure, moved: .no)
    if case .refused(let refusal) = reading { error = refusal }
    failure(of: call, error, &out)
    // It may have been done, or half of it.
    refreshWallet(moment)
  }

  private mutating func setName(_ name: String, of id: String) {
    wallet.isAmended = true
    for index in session.tokens.indices where session.tokens[index].id == id { session.tokens[index].name = name }
    for index in session.savedSecondaries.indices where session.savedSecondaries[index].id == id {
      session.savedSecondaries[index].name = name
    }
  }

  /// There is one favorite at most.
  private mutating func setFavorite(_ id: String) {
    wallet.isAmended = true
    for index in session.tokens.indices { session.tokens[index].isFavorite = session.tokens[index].id == id }
    for index in session.savedSecondaries.indices {
      session.savedSecondaries[index].isFavorite = session.savedSecondaries[index].id == id
    }
  }

  private mutating func tellUpdated(_ id: String, _ call: OpenCall, _ out: inout [Output]) {
    let (name, isFavorite) = (self.name(ofSaved: id), self.isFavorite(id))
    result(of: call, &out) { _, writer in
      writer.beginObject()
      writer.member("token", string: id)
      writer.member("name", optionalString: name)
      writer.member("isFavorite", boolean: isFavorite)
      writer.endObject()
    }
  }

  private mutating func deleted(_ ids: [String], _ call: OpenCall, _ out: inout [Output]) {
    for id in ids where !wallet.deleted.contains(id) { wallet.deleted.append(id) }
    remove(ids, .tokenDeleted, &out)
    result(of: call, &out) { _, writer in
      writer.beginObject()
      writer.key("deleted")
      writer.array(ids) { $1.string($0) }
      writer.endObject()
    }
  }
}
