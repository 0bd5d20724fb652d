/// The merchant's call that opens a wallet session, and the client's calls under it.
extension PurseBackend {
  /// nil when the path is none of the wallet's.
  mutating func handleWallet(_ request: SandboxRequest, at now: Int64) throws(Refusal) -> SandboxResponse? {
    let segments = request.segments
    if segments == ["wallet", "session"] {
      guard request.method == "POST" else { throw .methodNotAllowed(request.method) }
      return try openWallet(request, at: now)
    }
    guard segments.count >= 3, segments[0] == "customers" else { return nil }
    let session = try walletSession(request, at: now)
    switch (segments.count, segments.dropFirst(2).map { $0 }) {
    case (5, ["sessions", session.id, "tokens"]): return try list(request, session.owner)
    case (3, ["tokens"]): return try deleteAll(request, session.owner)
    case (4, let rest) where rest[0] == "tokens": return try change(rest[1], request, session.owner)
    case (7, let rest) where rest[0] == "sessions" && rest[1] == session.id && rest[2] == "tokens":
      guard rest[4] == "favorite" else { return nil }
      return try makeFavorite(rest[3], request, session.owner)
    default: return nil
    }
  }

  private mutating func openWallet(_ request: SandboxRequest, at now: Int64) throws(Refusal) -> SandboxResponse {
    let key = try merchantKey(request)
    guard let merchant = request.header("x-merchant-id"), !merchant.isEmpty else {
      throw Refusal(401, "UNAUTHORIZED", "An x-merchant-id is wanted.")
    }
    guard let owner = try request.jsonObject()["owner_reference"]?.string, !owner.isEmpty else {
      throw Refusal(400, "INVALID_REQUEST", "A text is wanted.", at: "/owner_reference")
    }
    return .json(201, newWalletSession(owner, merchant, key, expiresAt: now + 1_800_000).document)
  }

  mutating func newWalletSession(
    _ owner: String, _ merchant: String, _ key: String?, expiresAt: Int64
  ) -> PurseWalletSession {
    let session = PurseWalletSession(
      id: identifiers.uuid(), owner: owner, merchant: merchant, key: key, expiresAt: expiresAt)
    walletSessions.append(session)
    if !wallets.contains(where: { $0.owner == owner }) { wallets.append(PurseWallet(owner: owner)) }
    return session
  }

  /// The session that the request names, if it may be used for this shopper now.
  private func walletSession(_ request: SandboxRequest, at now: Int64) throws(Refusal) -> PurseWalletSession {
    let owner = request.segments[1]
    let session = walletSessions.first { session in
      session.id == request.header("x-wallet-session-id") && session.owner == owner
        && session.merchant == request.header("x-merchant-id")
        && (session.key == nil || session.key == request.header("x-api-key"))
    }
    guard let session, now < session.expiresAt else {
      throw Refusal(401, "UNAUTHORIZED", "There is no such wallet session, or it has expired.")
    }
    return session
  }

  // MARK: The client's calls

  private func list(_ request: SandboxRequest, _ owner: String) throws(Refusal) -> SandboxResponse {
    guard request.method == "GET" else { throw .methodNotAllowed(request.method) }
    return .json(200, .array(wallets.first { $0.owner == owner }?.tokens ?? []))
  }

  private mutating func change(
    _ token: String, _ request: SandboxRequest, _ owner: String
  ) throws(Refusal) -> SandboxResponse {
    let index = try wallet(owner)
    switch request.method {
    case "DELETE":
      try wallets[index].remove(token)
    case "PATCH":
      try request.requireJSONContentType()
      guard let name = try request.jsonObject()["name"]?.string, !name.isEmpty else {
        throw Refusal(400, "INVALID_REQUEST", "A text is wanted.", at: "/name")
      }
      try wallets[index].rename(token, name)
    default: throw .methodNotAllowed(request.method)
    }
    return SandboxResponse(status: 204)
  }

  private mutating func makeFavorite(
    _ token: String, _ request: SandboxRequest, _ owner: String
  ) throws(Refusal) -> SandboxResponse {
    guard request.method == "PUT" else { throw .methodNotAllowed(request.method) }
    try wallets[try wallet(owner)].makeFavorite(token)
    return SandboxResponse(status: 204)
  }

  private mutating func deleteAll(_ request: SandboxRequest, _ owner: String) throws(Refusal) -> SandboxResponse {
    guard request.method == "DELETE" else { throw .methodNotAllowed(request.method) }
    wallets[try wallet(owner)].removeAll()
    return SandboxResponse(status: 204)
  }

  private func wallet(_ owner: String) throws(Refusal) -> Int {
    guard let index = wallets.firstIndex(where: { $0.owner == owner }) else { throw .notFound }
    return index
  }

  // MARK: Paying with what it keeps, and saving what has paid

  /// A saved instrument that a payment names; what was deleted is known no more.
  func savedToken(_ value: String, of method: PurseMethod, in session: PurseSession) -> SandboxJSON? {
    let own = session.owner == nil ? method.tokens : []
    // A session of nobody's may be paid with whatever wallet was attached to the checkout.
    let mayPay = wallets.filter { session.owner == nil || $0.owner == session.owner }
    let kept = mayPay.flatMap { $0.tokens(of: method.partner, method.method) }
    return (own + kept).first { $0["value"]?.string == value }
  }

  /// A payment whose items say `save_token` leaves them in the shopper's wallet.
  mutating func save(_ split: CheckedSplit, of index: Int) {
    guard let owner = sessions[index].owner, let place = wallets.firstIndex(where: { $0.owner == owner }) else {
      return
    }
    for slice in split.slices where slice.item.savesToken {
      let number = wallets[place].tokens.count + 10
      let (partner, method) = (slice.method.partner, slice.method.method)
      if slice.method.kind == .secondary {
        let hundredths = 5_000
        wallets[place].add(
          PurseWallet.giftCard(
            owner, "wgc_\(hundredths)_\(number)", item: (partner, method), name: slice.item.savedName))
      } else {
        wallets[place].add(
          PurseWallet.card(owner, "wtk_success_\(1_000 + number)", String(1_000 + number), name: slice.item.savedName))
      }
    }
  }
}
