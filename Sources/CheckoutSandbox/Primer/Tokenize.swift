/// POST payment-instruments: what the shopper pays with becomes a token that is good for one payment.
extension PrimerBackend {
  mutating func tokenize(_ request: SandboxRequest, of index: Int, at now: Int64) throws(Refusal) -> SandboxResponse {
    let body = try request.jsonObject()
    try body.requireNames(["paymentInstrument", "tokenType", "paymentFlow"], at: "", status: 400)
    guard let instrument = body["paymentInstrument"], instrument.members != nil else {
      throw PrimerOrder.refusal("An instrument is wanted.", "/paymentInstrument")
    }
    if instrument["paymentMethodType"] != nil { return try tokenizeOther(instrument, of: index) }
    let card = try PrimerCard(instrument, at: now)
    let document = newInstrument("PAYMENT_CARD", "PAYMENT_CARD", card.document)
    keep(document, ending: PrimerCase(number: card.number), returnURL: nil, of: index)
    return .json(200, document)
  }

  private mutating func tokenizeOther(_ instrument: SandboxJSON, of index: Int) throws(Refusal) -> SandboxResponse {
    let pointer = "/paymentInstrument"
    try instrument.requireNames(
      ["type", "paymentMethodType", "paymentMethodConfigId", "sessionInfo"], at: pointer, status: 400)
    guard let type = instrument["paymentMethodType"]?.string,
      let method = paymentMethods(index).first(where: { $0["type"]?.string == type }), type != "PAYMENT_CARD"
    else { throw PrimerOrder.refusal("The session has no such method.", "\(pointer)/paymentMethodType") }
    guard instrument["paymentMethodConfigId"] == method["id"] else {
      throw PrimerOrder.refusal("This is not the method's id.", "\(pointer)/paymentMethodConfigId")
    }
    let document = newInstrument(type, "OFF_SESSION_PAYMENT", ["paymentMethodType": .string(type)])
    keep(document, ending: nil, returnURL: instrument["sessionInfo"]?["redirectionUrl"]?.string, of: index)
    return .json(200, document)
  }

  private mutating func newInstrument(_ type: String, _ kind: String, _ data: SandboxJSON) -> SandboxJSON {
    [
      "id": .string(identifiers.uuid()), "analyticsId": .string(identifiers.uuid()), "isVaulted": false,
      "paymentMethodType": .string(type), "paymentInstrumentType": .string(kind), "paymentInstrumentData": data,
      "token": .string(identifiers.uuid()), "tokenType": "SINGLE_USE",
    ]
  }

  mutating func keep(_ document: SandboxJSON, ending: PrimerCase?, returnURL: String?, of index: Int) {
    sessions[index].instruments.append(
      PrimerInstrument(
        token: document["token"]?.string ?? "", type: document["paymentMethodType"]?.string ?? "",
        document: document, ending: ending, returnURL: returnURL))
  }
}

/// A card as it is sent, once it is found right.
struct PrimerCard {
  let number: String
  /// `paymentInstrumentData`.
  let document: SandboxJSON

  private static let names: Set<String> = [
    "number", "cvv", "expirationMonth", "expirationYear", "cardholderName", "preferredNetwork",
  ]

  init(_ instrument: SandboxJSON, at now: Int64) throws(Refusal) {
    try instrument.requireNames(Self.names, at: "/paymentInstrument", status: 400)
    number = try Self.digits(instrument, "number", 13...19)
    guard PrimerNetworks.passesLuhn(number) else { throw Self.refusal("number", "This is no card number.") }
    _ = try Self.digits(instrument, "cvv", 3...4)
    let month = try Self.digits(instrument, "expirationMonth", 2...2)
    let year = try Self.digits(instrument, "expirationYear", 4...4)
    guard ("01"..."12").contains(month) else { throw Self.refusal("expirationMonth", "A month is wanted.") }
    guard "\(year)-\(month)" >= SandboxTime.seconds(now).prefix(7) else {
      throw Self.refusal("expirationYear", "The card has expired.")
    }
    let networks = PrimerNetworks.networks(of: number)
    let network = instrument["preferredNetwork"]?.string ?? networks.last ?? "OTHER"
    guard instrument["preferredNetwork"] == nil || networks.contains(network) else {
      throw Self.refusal("preferredNetwork", "The card is not of this network.")
    }
    document = [
      "first6Digits": .string(String(number.prefix(6))), "last4Digits": .string(String(number.suffix(4))),
      "expirationMonth": .string(month), "expirationYear": .string(year),
      "cardholderName": instrument["cardholderName"] ?? .null, "network": .string(network),
      "isNetworkTokenized": false, "binData": ["network": .string(network), "issuerCountryCode": "FR"],
    ]
  }

  private static func digits(
    _ instrument: SandboxJSON, _ name: String, _ length: ClosedRange<Int>
  ) throws(Refusal) -> String {
    guard let text = instrument[name]?.string, length.contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw refusal(name, "A text of digits is wanted.") }
    return text
  }

  private static func refusal(_ name: String, _ message: String) -> Refusal {
    PrimerOrder.refusal(message, "/paymentInstrument/\(name)")
  }
}
