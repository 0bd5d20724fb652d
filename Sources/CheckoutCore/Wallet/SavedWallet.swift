import JSONText

/// What a snapshot says of the wallet: only what the client session's own text does not.
struct SavedWallet: Hashable {
  var session: WalletSession?
  var deleted: [String] = []
  var registrations: [Registration] = []
  /// The lists, where they differ from the client session's.
  var tokens: [PaymentToken]?
  var secondaries: [PaymentToken]?

  init() {}

  /// `root`: a snapshot of this library's; one of before there were wallets has none of it.
  init(_ root: FieldReader) throws(CheckoutError) {
    if root.value["registrations"] != nil {
      for fields in try root.objects("registrations") { registrations.append(try Registration(fields)) }
    }
    guard let fields = try root.optionalObject("wallet") else { return }
    deleted = try fields.strings("deleted")
    if let session = try fields.optionalObject("session") {
      self.session = WalletSession(
        id: try session.headerText("id"), owner: try session.string("owner"),
        merchant: try session.headerText("merchant"),
        expiresAt: try session.optionalInteger("expiresAt"))
    }
    tokens = try SavedWallet.tokens(fields, "tokens")
    secondaries = try SavedWallet.tokens(fields, "secondaries")
  }

  private static func tokens(_ fields: FieldReader, _ key: String) throws(CheckoutError) -> [PaymentToken]? {
    guard let list = fields.value[key], !list.isNull else { return nil }
    var tokens: [PaymentToken] = []
    for token in try fields.objects(key) {
      tokens.append(
        PaymentToken(
          id: try token.string("id"), item: try token.string("item"), mask: try token.string("mask"),
          expiresAt: try token.optionalString("expiresAt"), value: try token.string("value"),
          needsSecurityCode: try token.boolean("securityCode"), name: try token.optionalString("name"),
          isFavorite: try token.boolean("favorite"), owner: try token.optionalString("owner")))
    }
    return tokens
  }
}

extension Core {
  func writeSavedWallet(_ writer: inout JSONWriter) {
    writer.key("registrations")
    writer.array(wallet.registrations) { $0.write(to: &$1) }
    writer.key("wallet")
    guard wallet.isAmended || wallet.isAttached || !wallet.deleted.isEmpty else { return writer.null() }
    writer.beginObject()
    writer.key("session")
    if wallet.isAttached, let session = wallet.session { writeSaved(session, &writer) } else { writer.null() }
    writer.key("deleted")
    writer.array(wallet.deleted) { $1.string($0) }
    writeSaved(wallet.isAmended ? session.tokens : nil, "tokens", &writer)
    writeSaved(wallet.isAmended ? session.savedSecondaries.map { PaymentToken($0) } : nil, "secondaries", &writer)
    writer.endObject()
  }

  private func writeSaved(_ session: WalletSession, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", string: session.id)
    writer.member("owner", string: session.owner)
    writer.member("merchant", string: session.merchant)
    writer.member("expiresAt", optionalInteger: session.expiresAt)
    writer.endObject()
  }

  private func writeSaved(_ tokens: [PaymentToken]?, _ key: String, _ writer: inout JSONWriter) {
    writer.key(key)
    guard let tokens else { return writer.null() }
    // What was deleted elsewhere does not come back.
    writer.array(tokens.filter { technical[$0.id] != .deleted }) { token, writer in
      writer.beginObject()
      writer.member("id", string: token.id)
      writer.member("item", string: token.item)
      writer.member("mask", string: token.mask)
      writer.member("expiresAt", optionalString: token.expiresAt)
      writer.member("value", string: token.value)
      writer.member("securityCode", boolean: token.needsSecurityCode)
      writer.member("name", optionalString: token.name)
      writer.member("favorite", boolean: token.isFavorite)
      writer.member("owner", optionalString: token.owner)
      writer.endObject()
    }
  }

  // MARK: Taking up a session

  /// What is offered follows the session; what was deleted here stays away.
  mutating func takeUpWallet() {
    if let session = session.walletSession { wallet.session = session }
    let gone = wallet.deleted
    session.tokens.removeAll { gone.contains($0.id) }
    session.savedSecondaries.removeAll { gone.contains($0.id) }
    wallet.asked = []
    wallet.wantsBalances = true
  }

  mutating func restoreWallet(_ saved: SavedWallet) {
    wallet.deleted = saved.deleted
    wallet.registrations = saved.registrations
    takeUpWallet()
    if let session = saved.session {
      wallet.session = session
      wallet.isAttached = true
    }
    if let tokens = saved.tokens {
      wallet.isAmended = true
      session.tokens = tokens.filter { session.method($0.item)?.kind == .primary }
    }
    if let secondaries = saved.secondaries {
      wallet.isAmended = true
      session.savedSecondaries = secondaries.filter { session.method($0.item)?.kind == .secondary }
        .map { SavedSecondaryToken($0) }
    }
    watchTokens()
  }

  /// Another session has replaced the one before. Its lists are those of its text; a wallet session that a call attached
  /// stays, and is asked again.
  mutating func replaceWallet(_ moment: Moment, _ out: inout [Output]) {
    dropServices(.ofSession, CheckoutError(.invalidLoanSimulation, message: "replaced by another session"), &out)
    wallet.isAmended = false
    wallet.isAttached = wallet.isAttached && session.walletSession == nil
    if !wallet.isAttached { wallet.session = nil }
    takeUpWallet()
    wallet.registrations = registrations
    if wallet.isAttached { refreshWallet(moment) }
    watchTokens()
  }
}
