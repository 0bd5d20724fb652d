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
    guard document.members != nil else { throw Self.refusal("", "An object is wanted.") }
    try document.requireNames(Self.names, at: "/sandbox", status: 400)
    protocols = document["protocols"]
    methods = try Self.methods(document["methods"])
    session = try Self.object(document, "session")
    blob = try Self.object(document, "blob")
    isInformationRequest = try Self.flag(document, "informationRequest", isInformationRequest)
    isURLSafe = try Self.flag(document, "urlSafe", isURLSafe)
    isPadded = try Self.flag(document, "padded", isPadded)
    submitsAgain = try Self.flag(document, "submitsAgain", submitsAgain)
    if let owner = document["owner"] {
      guard let text = owner.string, !text.isEmpty else { throw Self.refusal("/owner", "A text is wanted.") }
      self.owner = text
    }
    guard let seconds = document["expiresInS"] else { return }
    guard let count = seconds.integer, (-31_536_000...31_536_000).contains(count) else {
      throw Self.refusal("/expiresInS", "A whole number of seconds is wanted, a year at most.")
    }
    expiresInSeconds = count
  }

  private static func methods(_ value: SandboxJSON?) throws(Refusal) -> Set<String>? {
    guard let value else { return nil }
    let names = Set(value.elements?.compactMap(\.string) ?? [])
    guard names.count == value.elements?.count, names.isSubset(of: PurseCatalogue.identifiers) else {
      throw refusal("/methods", "A list of ids from the catalogue is wanted.")
    }
    return names
  }

  private static func object(_ document: SandboxJSON, _ name: String) throws(Refusal) -> SandboxJSON {
    guard let value = document[name] else { return .object([]) }
    guard value.members != nil else { throw refusal("/\(name)", "An object is wanted.") }
    return value
  }

  private static func flag(_ document: SandboxJSON, _ name: String, _ otherwise: Bool) throws(Refusal) -> Bool {
    guard let value = document[name] else { return otherwise }
    guard let flag = value.bool else { throw refusal("/\(name)", "A boolean is wanted.") }
    return flag
  }

  private static func refusal(_ pointer: String, _ message: String) -> Refusal {
    Refusal(400, "INVALID_REQUEST", message, at: "/sandbox\(pointer)")
  }
}
