extension Core {
  func disabledState(of source: Source) -> DisabledState? {
    switch source {
    case .item(let id): offeredMethod(id).flatMap { disabledState(of: $0) }
    case .token(let id): offeredToken(id).flatMap { disabledState(of: $0) }
    }
  }

  func disabledState(of method: PaymentMethod) -> DisabledState? {
    if sessionState == .submitting { return DisabledState(.submitting) }
    if let state = technical[method.id] { return DisabledState(state.code) }
    return amountState(of: method)
  }

  func disabledState(of token: PaymentToken) -> DisabledState? {
    if sessionState == .submitting { return DisabledState(.submitting) }
    if isBeingDeleted(token.id) { return DisabledState(.tokenBeingDeleted) }
    if let state = technical[token.id] { return DisabledState(state.code) }
    if expiries.isGone(token.id) { return DisabledState(.tokenExpired) }
    guard let method = session.method(token.item) else { return nil }
    if needsSecurityCode(token, of: method), !options.has(.collect, for: method.id) {
      return DisabledState(.tokenSecurityCodeUnsupported)
    }
    return amountState(of: method)
  }

  /// Of a gift card that was read. One that is drawn in already is not in its own way.
  func disabledState(of token: SecondaryToken) -> DisabledState? {
    if sessionState == .submitting { return DisabledState(.submitting) }
    if let state = failure(of: token) { return state }
    guard remaining == 0, !session.needsPrimaryForNothing, split.amount(of: token.id) == nil else { return nil }
    return DisabledState(.paymentFulfilled)
  }

  /// What keeps a gift card from paying at all.
  func failure(of token: SecondaryToken) -> DisabledState? { failure(ofCard: token.id, token.item) }

  /// Those that move with the split.
  private func amountState(of method: PaymentMethod) -> DisabledState? {
    if session.needsPrimaryForNothing { return nil }
    if remaining == 0 { return DisabledState(.paymentFulfilled) }
    if let minimum = method.minAmount, minimum > remaining {
      let mend = mending(minimum &- remaining, below: method.maxAmount)
      return .minAmountNotMet(minimum, restToPay: remaining, mend: mend)
    }
    // What a secondary may pay at most is asked when it pays: it takes no more than is left anyway.
    if method.kind == .primary, let maximum = method.maxAmount, maximum < remaining {
      return .maxAmountExceeded(maximum, restToPay: remaining)
    }
    return nil
  }

  /// A saved card whose form asks for its security code again.
  func needsSecurityCode(_ token: PaymentToken, of method: PaymentMethod) -> Bool {
    guard method.nature == .card else { return false }
    return token.needsSecurityCode || element(token.id)?.asksSecurityCode == true
  }
}
