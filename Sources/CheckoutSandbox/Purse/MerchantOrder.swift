/// The body of the merchant's call.
struct MerchantOrder {
  let entityId: String
  let amount: Int64
  let currency: Currency
  let redirection: String
  let wishes: SessionWishes
  /// What reads of the session repeat.
  let echo: SandboxJSON

  init(_ document: SandboxJSON) throws(Refusal) {
    wishes = try SessionWishes(document["sandbox"])
    entityId = try Self.text(document, "entity_id")
    redirection = try Self.text(document, "shopper_redirection_url")
    guard let currency = Currency(code: try Self.text(document, "currency")) else {
      throw Refusal(400, "INVALID_REQUEST", "A currency is three capital letters.", at: "/currency")
    }
    self.currency = currency
    guard document["order"]?.members != nil else {
      throw Refusal(400, "INVALID_REQUEST", "The order is wanted, an object.", at: "/order")
    }
    amount = try Self.amount(document, isInformationRequest: wishes.isInformationRequest)
    var echo = document
    echo["sandbox"] = nil
    self.echo = echo
  }

  private static func amount(_ document: SandboxJSON, isInformationRequest: Bool) throws(Refusal) -> Int64 {
    if document["amount"] == nil, isInformationRequest { return 0 }
    guard let amount = document["amount"]?.integer, (0...Amount.largest).contains(amount) else {
      throw Refusal(400, "INVALID_REQUEST", "The amount is a whole number of minor units.", at: "/amount")
    }
    return amount
  }

  private static func text(_ document: SandboxJSON, _ name: String) throws(Refusal) -> String {
    guard let text = document[name]?.string, !text.isEmpty else {
      throw Refusal(400, "INVALID_REQUEST", "A text is wanted.", at: "/\(name)")
    }
    return text
  }
}

/// The `sandbox` member of the merchant's call: what no real back end would offer.
struct SessionWishes {
  var protocols: SandboxJSON?
  var methods: Set<String>?
  var expiresInSeconds: Int64 = 1_800
  var session: SandboxJSON = .object([])
  var blob: SandboxJSON = .object([])
  var isInformationRequest = false
  var isURLSafe = false
  var isPadded = true
  var submitsAgain = false
  var owner: String?

  private static let names: Set<String> = [
    "protocols", "methods", "expiresInS", "session", "blob", "informationRequest", "urlSafe", "padded", "submitsAgain",
    "owner",
  ]

  init(_ document: SandboxJSON?) throws(Refusal) {
    guard let document else { return }
    let reader = try MemberReader(document, names: Self.names, code: "INVALID_REQUEST", at: "/sandbox")
    protocols = document["protocols"]
    methods = try reader.choice("methods", of: PurseCatalogue.identifiers)
    session = try reader.object("session") ?? session
    blob = try reader.object("blob") ?? blob
    isInformationRequest = try reader.flag("informationRequest") ?? isInformationRequest
    isURLSafe = try reader.flag("urlSafe") ?? isURLSafe
    isPadded = try reader.flag("padded") ?? isPadded
    submitsAgain = try reader.flag("submitsAgain") ?? submitsAgain
    owner = try reader.text("owner")
    expiresInSeconds = try reader.count("expiresInS", -31_536_000...31_536_000) ?? expiresInSeconds
  }
}
