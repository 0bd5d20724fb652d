/// One shopper's saved instruments.
struct PurseWallet: Hashable {
  let owner: String
  /// As they stand in a session, and in the wallet's list.
  private(set) var tokens: [SandboxJSON]

  /// A new shopper has two cards and two gift cards.
  init(owner: String) {
    self.owner = owner
    tokens = [
      Self.card(owner, PurseCatalogue.savedCard, "4242", name: "Saved card"),
      Self.card(owner, "wtk_declined_0002", "0002", name: "Old card"),
      Self.giftCard(owner, "wgc_5000_1", item: ("illicado", "giftcard"), name: "Birthday"),
      Self.giftCard(owner, "wgc_1234_2", item: ("easy2play", "giftcard"), name: nil),
    ]
    tokens[0]["favorite"] = true
  }

  func tokens(of partner: String, _ method: String) -> [SandboxJSON] {
    tokens.filter { Self.place($0) == "\(partner)-\(method)" }
  }

  func index(_ id: String) throws(Refusal) -> Int {
    guard let index = tokens.firstIndex(where: { $0["id"]?.string == id }) else {
      throw Refusal(404, "TOKEN_NOT_FOUND", "The wallet has no such token.")
    }
    return index
  }

  static func place(_ token: SandboxJSON) -> String {
    let place = token["payment_id"]
    return "\(place?["partner"]?.string ?? "")-\(place?["method"]?.string ?? "")"
  }

  mutating func rename(_ id: String, _ name: String) throws(Refusal) { tokens[try index(id)]["name"] = .string(name) }

  mutating func makeFavorite(_ id: String) throws(Refusal) {
    let index = try index(id)
    for place in tokens.indices { tokens[place]["favorite"] = .bool(place == index) }
  }

  mutating func remove(_ id: String) throws(Refusal) { tokens.remove(at: try index(id)) }

  mutating func removeAll() { tokens = [] }

  mutating func add(_ token: SandboxJSON) { tokens.append(token) }

  // MARK: Tokens

  static func card(_ owner: String, _ value: String, _ lastFour: String, name: String?) -> SandboxJSON {
    var token = token(owner, value, ("purse", "creditcard"), name)
    token["description"] = [
      "brand_name": "VISA", "masked_pan": .string("**** **** **** \(lastFour)"), "holder_name": "Sandbox Shopper",
    ]
    return token
  }

  /// Its value says what it holds, in hundredths.
  static func giftCard(
    _ owner: String, _ value: String, item: (partner: String, method: String), name: String?
  ) -> SandboxJSON {
    var token = token(owner, value, item, name)
    token["description"] = ["display_token": .string("**** \(value.suffix(4))")]
    return token
  }

  private static func token(
    _ owner: String, _ value: String, _ item: (partner: String, method: String), _ name: String?
  ) -> SandboxJSON {
    var identifiers = Identifiers(seed: seed("\(owner)|\(value)"))
    var token: SandboxJSON = [
      "id": .string(identifiers.uuid()), "value": .string(value), "uniqueness_token": .string(identifiers.uuid()),
      "expiration_date": "2039-12-31T23:59:59Z", "owner_reference": .string(owner), "merchant": "sandbox-merchant",
      "favorite": false,
      "payment_id": ["origin": "partner", "partner": .string(item.partner), "method": .string(item.method)],
      "source": "MERCHANT", "created_at": "2025-01-01T00:00:00Z",
    ]
    if let name { token["name"] = .string(name) }
    return token
  }

  /// The same shopper has the same ids each time (FNV-1a).
  private static func seed(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}

/// Leave to use one shopper's wallet.
struct PurseWalletSession: Hashable {
  let id: String
  let owner: String
  let merchant: String
  let key: String?
  let expiresAt: Int64

  var document: SandboxJSON {
    [
      "session_id": .string(id), "owner_reference": .string(owner), "merchant": .string(merchant),
      "expiration_date": .string(SandboxTime.seconds(expiresAt)),
    ]
  }
}
