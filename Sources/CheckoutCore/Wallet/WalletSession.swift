import JSONText

/// Leave to list and change one shopper's saved instruments. The merchant's backend gets it.
public struct WalletSession: Hashable, Sendable {
  public var id: String
  /// The merchant's name for the shopper.
  public var owner: String
  public var merchant: String
  /// Milliseconds since 1970; nil when the back end does not say.
  public var expiresAt: Int64?

  public init(id: String, owner: String, merchant: String, expiresAt: Int64?) {
    self.id = id
    self.owner = owner
    self.merchant = merchant
    self.expiresAt = expiresAt
  }

  /// What hosts see: not whose it is.
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", string: id)
    writer.member("expiresAt", optionalString: expiresAt.map { DateText.iso8601($0) })
    writer.endObject()
  }
}

/// What the checkout knows of the shopper's saved instruments beside the session's own lists.
struct Wallet: Hashable {
  var session: WalletSession?
  /// Came by a call, and not with the client session.
  var isAttached = false
  /// The session's lists are no longer as the client session has them.
  var isAmended = false
  /// Ids that were deleted here: a session that was created earlier may still bring them.
  var deleted: [String] = []
  var registrations: [Registration] = []
  /// The saved gift cards' balances are to be read when the checkout is ready.
  var wantsBalances = false
  /// Those that were asked for in this session, whatever came of it.
  var asked: [String] = []
}

extension Core {
  /// The one in use, as long as it has not certainly expired.
  func walletSession(_ moment: Moment) throws(CheckoutError) -> WalletSession {
    guard let session = wallet.session, !isPast(session, moment) else { throw CheckoutError(.missingWalletSession) }
    return session
  }

  private func isPast(_ session: WalletSession, _ moment: Moment) -> Bool {
    session.expiresAt.map { clock.isCertainlyExpired($0, at: moment.now) } ?? false
  }

  // MARK: Attaching one

  /// It is attached when the wallet has answered with the shopper's instruments.
  mutating func setWalletSession(
    _ session: WalletSession, tag: String?, _ moment: Moment, _ out: inout [Output]
  ) throws(CheckoutError) -> OpenCall {
    if isPast(session, moment) {
      throw CheckoutError(.setWalletSessionFailed, message: "the wallet session has expired")
    }
    let call = OpenCall(id: Core.draw(&next.call), tag: tag)
    let replaced = CheckoutError(.setWalletSessionFailed, message: "replaced by another wallet session")
    dropServices(.lists, replaced, &out)
    if session == wallet.session {
      result(of: call, &out) { $1.ignored() }
    } else {
      services.append(ServiceCall(.listTokens(session), call, moment))
    }
    return call
  }

  /// What the wallet has may have changed without this checkout.
  mutating func refreshWallet(_ moment: Moment) {
    guard let session = wallet.session, !isPast(session, moment), !services.contains(where: { $0.listsTokens })
    else { return }
    services.append(ServiceCall(.listTokens(session), nil, moment))
  }

  mutating func finish(
    list session: WalletSession, _ service: ServiceCall, _ reading: ServiceReading, _ out: inout [Output]
  ) {
    guard case .tokens(let tokens) = reading else {
      guard let call = service.call else { return }
      var error = CheckoutError(.setWalletSessionFailed)
      if case .refused(let refusal) = reading { error = refusal }
      if monitor.isOn { monitor.note(.setWalletSessionFailed(error.code)) }
      return failure(of: call, error, &out)
    }
    if service.call != nil {
      wallet.session = session
      wallet.isAttached = true
      monitor.setWalletSession(session.id)
      if monitor.isOn { monitor.note(.setWalletSession) }
    }
    take(tokens, of: session, &out)
    guard let call = service.call else { return }
    result(of: call, &out) { _, writer in
      writer.beginObject()
      writer.key("walletSession")
      session.write(to: &writer)
      writer.endObject()
    }
  }
}
