/// What one customer has saved, as the vault lists it.
struct PrimerVault: Hashable {
  let customerId: String
  var methods: [SandboxJSON]

  init(customerId: String) {
    self.customerId = customerId
    methods = [
      Self.card("pm_success_4242", customerId, "4242"), Self.card("pm_declined_0002", customerId, "0002"),
    ]
  }

  static func card(_ id: String, _ customerId: String, _ lastFour: String) -> SandboxJSON {
    [
      "id": .string(id), "analyticsId": .string("analytics-\(id)"), "isVaulted": true,
      "paymentMethodType": "PAYMENT_CARD", "paymentInstrumentType": "PAYMENT_CARD",
      "paymentInstrumentData": [
        "first6Digits": "411111", "last4Digits": .string(lastFour), "expirationMonth": "12",
        "expirationYear": "2039", "cardholderName": "Sandbox Shopper", "network": "VISA",
      ],
      "tokenType": "MULTI_USE", "vaultData": ["customerId": .string(customerId)],
    ]
  }
}

extension PrimerBackend {
  func listSaved(_ index: Int) -> SandboxResponse { .json(200, ["data": .array(saved(index))]) }

  /// What the session's shopper has saved; nothing without a customer.
  private func saved(_ index: Int) -> [SandboxJSON] {
    if let listed = sessions[index].wishes.vault { return listed }
    guard let customerId = sessions[index].order.customerId else { return [] }
    return (vaults.first { $0.customerId == customerId } ?? PrimerVault(customerId: customerId)).methods
  }

  /// The place of the vault of the session's shopper, which is there from then on.
  private mutating func vault(of index: Int) -> Int? {
    guard let customerId = sessions[index].order.customerId else { return nil }
    if let place = vaults.firstIndex(where: { $0.customerId == customerId }) { return place }
    vaults.append(PrimerVault(customerId: customerId))
    return vaults.count - 1
  }

  mutating func deleteSaved(_ id: String, of index: Int) throws(Refusal) -> SandboxResponse {
    guard let place = vault(of: index), let method = vaults[place].methods.firstIndex(where: { $0.hasId(id) }) else {
      throw Self.noSuchMethod
    }
    vaults[place].methods.remove(at: method)
    return .json(200, .object([]))
  }

  mutating func exchange(_ id: String, _ request: SandboxRequest, of index: Int) throws(Refusal) -> SandboxResponse {
    let body = request.body?.isEmpty == false ? try request.jsonObject() : .object([])
    try body.requireNames(["cvv"], at: "", status: 400)
    guard let method = saved(index).first(where: { $0.hasId(id) }) else { throw Self.noSuchMethod }
    try checkCode(body["cvv"], of: index)
    let document = method.merging([
      "token": .string(identifiers.uuid()), "tokenType": "SINGLE_USE", "isVaulted": true,
    ])
    keep(document, ending: PrimerCase(savedId: id), returnURL: nil, of: index)
    return .json(200, document)
  }

  private func checkCode(_ cvv: SandboxJSON?, of index: Int) throws(Refusal) {
    let isWanted = sessions[index].wishes.capturesCVV
    guard cvv != nil || !isWanted else {
      throw Refusal(422, "CvvRequired", "This saved card is paid with its security code.", at: "/cvv")
    }
    guard cvv == nil || cvv?.string?.wholeMatch(of: #/[0-9]{3,4}/#) != nil else {
      throw PrimerOrder.refusal("Three or four digits are wanted.", "/cvv")
    }
  }

  /// A payment that succeeds leaves its method in the vault where the session says so.
  mutating func save(_ instrument: PrimerInstrument, of index: Int) {
    let vaultsIt = sessions[index].order.document["paymentMethod"]?["vaultOnSuccess"]?.bool == true
    guard vaultsIt, instrument.document["isVaulted"] != true, let place = vault(of: index) else { return }
    var document = instrument.document
    document["token"] = nil
    document["isVaulted"] = true
    document["tokenType"] = "MULTI_USE"
    document["vaultData"] = ["customerId": .string(vaults[place].customerId)]
    vaults[place].methods.append(document)
  }

  private static let noSuchMethod = Refusal(404, "PaymentInstrumentNotFound", "The vault holds no such method.")
}

extension SandboxJSON {
  fileprivate func hasId(_ id: String) -> Bool { self["id"]?.string == id }
}
