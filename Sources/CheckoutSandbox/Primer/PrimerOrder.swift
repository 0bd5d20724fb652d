/// What the merchant's calls said of the basket, and what the client's actions made of it.
struct PrimerOrder: Hashable {
  /// The merchant's document; actions and patches change it in place.
  private(set) var document: SandboxJSON
  private(set) var currency: Currency
  /// The method and network that the shopper has selected.
  var selection: PrimerSelection?

  private static let names: Set<String> = [
    "orderId", "currencyCode", "amount", "order", "customerId", "customer", "paymentMethod", "metadata",
  ]

  init(_ document: SandboxJSON) throws(Refusal) {
    try document.requireNames(Self.names, at: "", status: 400)
    guard let currency = document["currencyCode"]?.string.flatMap(Currency.init(code:)) else {
      throw Self.refusal("A currency is three capital letters.", "/currencyCode")
    }
    self.document = document
    self.currency = currency
    guard merchantAmount != nil || !lineItems.isEmpty else {
      throw Self.refusal("An amount or line items are wanted.", "/amount")
    }
    if document["amount"] != nil { try Self.checkAmount(document["amount"], "/amount") }
    for (index, item) in lineItems.enumerated() { try Self.check(item, "/order/lineItems/\(index)") }
    guard totalAmount <= Amount.largest else { throw Self.refusal("The order's total is too large.", "/order") }
  }

  /// The order after a patch: arrays are replaced whole, null clears.
  func patched(_ patch: SandboxJSON) throws(Refusal) -> PrimerOrder {
    if patch["paymentMethod"]?["options"] != nil {
      throw Self.refusal("A method's options cannot be patched.", "/paymentMethod/options")
    }
    var patched = try PrimerOrder(document.merging(patch))
    patched.selection = selection
    return patched
  }

  private static func check(_ item: SandboxJSON, _ pointer: String) throws(Refusal) {
    try checkAmount(item["amount"], "\(pointer)/amount")
    for name in ["discountAmount", "taxAmount"] where item[name] != nil {
      try checkAmount(item[name], "\(pointer)/\(name)")
    }
    guard let quantity = item["quantity"]?.integer, (1...1_000).contains(quantity) else {
      throw refusal("A quantity is from 1 to 1000.", "\(pointer)/quantity")
    }
  }

  private static func checkAmount(_ value: SandboxJSON?, _ pointer: String) throws(Refusal) {
    guard let amount = value?.integer, (0...largestPart).contains(amount) else {
      throw refusal("A whole number of minor units is wanted.", pointer)
    }
  }

  /// Of one line's price: so small that no sum of a thousand lines leaves an Int64.
  private static let largestPart: Int64 = 1_000_000_000_000

  static func refusal(_ message: String, _ pointer: String) -> Refusal {
    Refusal(400, "InvalidRequest", message, at: pointer)
  }
}

/// What the shopper is about to pay with.
struct PrimerSelection: Hashable {
  let type: String
  let network: String?
}

// Amounts.
extension PrimerOrder {
  var lineItems: [SandboxJSON] { document["order"]?["lineItems"]?.elements ?? [] }

  /// What the merchant said is to be paid, whatever the order comes to.
  var merchantAmount: Int64? { document["amount"]?.integer }

  /// The lines, the shipping and the fees.
  var totalAmount: Int64 {
    guard !lineItems.isEmpty else { return (merchantAmount ?? 0) + surcharge }
    var total = surcharge + (document["order"]?["shipping"]?["amount"]?.integer ?? 0)
    for item in lineItems {
      let price = item["amount"]?.integer ?? 0
      total += price * (item["quantity"]?.integer ?? 1)
      total += (item["taxAmount"]?.integer ?? 0) - (item["discountAmount"]?.integer ?? 0)
    }
    for fee in document["order"]?["fees"]?.elements ?? [] { total += fee["amount"]?.integer ?? 0 }
    return max(0, total)
  }

  /// What a payment takes.
  var amountToPay: Int64 { merchantAmount ?? totalAmount }

  /// What the selected method or network costs; nothing where the merchant named an amount.
  var surcharge: Int64 {
    guard merchantAmount == nil, let selection else { return 0 }
    let options = document["paymentMethod"]?["options"]?[selection.type]
    let network = selection.network.flatMap { options?["networks"]?[$0]?["surcharge"]?["amount"]?.integer }
    return max(0, network ?? options?["surcharge"]?["amount"]?.integer ?? 0)
  }
}

// What actions change.
extension PrimerOrder {
  var customerId: String? { document["customerId"]?.string ?? document["customer"]?["customerId"]?.string }

  mutating func setCustomer(_ name: String, _ value: SandboxJSON) {
    var customer = document["customer"] ?? .object([])
    customer[name] = value
    document["customer"] = customer
  }

  mutating func setShipping(_ method: SandboxJSON) {
    var order = document["order"] ?? .object([])
    order["shipping"] = [
      "amount": method["amount"] ?? 0, "methodId": method["id"] ?? .null, "methodName": method["name"] ?? .null,
      "methodDescription": method["description"] ?? .null,
    ]
    document["order"] = order
  }
}

// As the configuration shows it.
extension PrimerOrder {
  /// `clientSession`, for the session of that id.
  func clientSession(_ id: String) -> SandboxJSON {
    var customer = document["customer"] ?? .object([])
    if let customerId { customer["customerId"] = .string(customerId) }
    return [
      "clientSessionId": .string(id), "paymentMethod": paymentMethod, "order": orderDocument, "customer": customer,
    ]
  }

  private var orderDocument: SandboxJSON {
    var order = document["order"] ?? .object([])
    order["orderId"] = document["orderId"]
    order["currencyCode"] = .string(currency.code)
    order["merchantAmount"] = merchantAmount.map { .integer($0) }
    order["totalOrderAmount"] = .integer(totalAmount)
    if surcharge > 0 {
      let fee: SandboxJSON = ["type": "SURCHARGE", "amount": .integer(surcharge)]
      order["fees"] = .array((order["fees"]?.elements ?? []) + [fee])
    }
    return order
  }

  /// The merchant's options are a map by type, the client's a list.
  private var paymentMethod: SandboxJSON {
    var method = document["paymentMethod"] ?? .object([])
    let options = method["options"]?.members ?? []
    method["options"] = .array(options.map { Self.listed($0.name, $0.value) })
    if method["orderedAllowedCardNetworks"] == nil {
      method["orderedAllowedCardNetworks"] = .array(PrimerNetworks.allowed.map { .string($0) })
    }
    return method
  }

  private static func listed(_ type: String, _ option: SandboxJSON) -> SandboxJSON {
    var listed: SandboxJSON = ["type": .string(type)]
    if let surcharge = option["surcharge"]?["amount"] { listed["surcharge"] = surcharge }
    if let networks = option["networks"]?.members {
      listed["networks"] = .array(
        networks.map { ["type": .string($0.name), "surcharge": $0.value["surcharge"]?["amount"] ?? .null] })
    }
    return listed
  }
}
