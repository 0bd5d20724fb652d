import Testing

@testable import CheckoutSandbox

@Suite struct PrimerSessionTests {
  var primer = PrimerBench()

  @Test mutating func aSessionIsATokenForTheClient() throws {
    let session = try primer.create()
    #expect(session["orderId"] == "O-1" && session["sandbox"] == nil)
    #expect(session["clientTokenExpirationDate"] == "2030-01-02T00:00:00.000Z")
    let expected: SandboxJSON = [
      "exp": 1_893_542_400, "accessToken": primer.token["accessToken"] ?? .null,
      "configurationUrl": .string("\(Bench.base)/client-sdk/configuration"),
      "coreUrl": .string("\(Bench.base)/primer/core"), "pciUrl": .string("\(Bench.base)/primer/pci"),
      "env": "SANDBOX", "intent": "CHECKOUT", "paymentFlow": "PREFER_VAULT",
      "clientSessionId": .string(primer.session), "primerAccountId": "sandbox-account",
    ]
    #expect(primer.token == expected)
    #expect(primer.token["accessToken"]?.string?.count == 36)
  }

  @Test(
    arguments: [
      (["currencyCode": "euro"], "/currencyCode"), (["currencyCode": .null], "/currencyCode"),
      (["order": ["lineItems": []]], "/amount"), (["amount": "12"], "/amount"), (["amount": -1], "/amount"),
      (["amount": .number("1.5")], "/amount"),
      (["order": ["lineItems": [["amount": 1]]]], "/order/lineItems/0/quantity"),
      (["order": ["lineItems": [["amount": 1, "quantity": 0]]]], "/order/lineItems/0/quantity"),
      (["order": ["lineItems": [["quantity": 1]]]], "/order/lineItems/0/amount"),
      (["order": ["lineItems": [["amount": 1, "quantity": 1, "taxAmount": -1]]]], "/order/lineItems/0/taxAmount"),
      (["entity": "x"], "/entity"), (["sandbox": 1], "/sandbox"), (["sandbox": ["method": []]], "/sandbox/method"),
      (["sandbox": ["methods": ["PAYPAL"]]], "/sandbox/methods"), (["sandbox": ["vault": 1]], "/sandbox/vault"),
      (["sandbox": ["decision": "maybe"]], "/sandbox/decision"),
      (["sandbox": ["pendingPolls": -1]], "/sandbox/pendingPolls"), (["sandbox": ["token": 1]], "/sandbox/token"),
    ] as [(SandboxJSON, String)])
  mutating func aWrongOrderIsRefused(_ patch: SandboxJSON, _ pointer: String) {
    let reply = primer.merchant("POST", "/client-session", PrimerBench.order.merging(patch))
    #expect(reply.status == 400)
    #expect(reply.errorPointer == pointer)
    #expect(reply.json["error"]?["diagnosticsId"]?.string?.count == 36)
  }

  @Test mutating func aMerchantHasAKey() throws {
    #expect(primer.bench.send("POST", "/client-session", PrimerBench.order.text).status == 401)
    #expect(primer.merchant("GET", "/client-session").status == 405)
    #expect(primer.bench.send("POST", "/client-session", "{", headers: PrimerBench.merchantHeaders).status == 400)
  }

  @Test mutating func theConfigurationShowsTheOrder() throws {
    try primer.create()
    let configuration = primer.call(.configuration).json
    #expect(configuration["pciUrl"] == primer.token["pciUrl"] && configuration["coreUrl"] == primer.token["coreUrl"])
    #expect(configuration["binDataUrl"] == .string("\(Bench.base)/primer/bin"))
    let session = try #require(configuration["clientSession"])
    #expect(session["clientSessionId"] == .string(primer.session))
    #expect(session["customer"]?["customerId"] == "shopper-1")
    let order = try #require(session["order"])
    #expect(order["orderId"] == "O-1" && order["currencyCode"] == "EUR" && order["countryCode"] == "FR")
    #expect(order["merchantAmount"] == nil && order["totalOrderAmount"] == 10_000)
    #expect(order["lineItems"]?[0]?["quantity"] == 2)
    #expect(session["paymentMethod"]?["orderedAllowedCardNetworks"]?.elements?.first == "VISA")
    let types = configuration["paymentMethods"]?.elements?.compactMap { $0["type"]?.string }
    #expect(types == PrimerCatalogue.types)
    #expect(configuration["checkoutModules"]?[0]?["type"] == "CARD_INFORMATION")
  }

  @Test mutating func theMerchantsAmountStandsBesideTheTotal() throws {
    try primer.create(["amount": 777])
    let order = primer.call(.configuration).json["clientSession"]?["order"]
    #expect(order?["merchantAmount"] == 777 && order?["totalOrderAmount"] == 10_000)
    #expect(primer.pay(try primer.tokenize()).json["amount"] == 777)
    try primer.create(["amount": 777, "order": ["lineItems": .null]])
    #expect(primer.call(.configuration).json["clientSession"]?["order"]?["totalOrderAmount"] == 777)
  }

  @Test mutating func optionsBecomeAList() throws {
    let card: SandboxJSON = ["networks": ["VISA": ["surcharge": ["amount": 100]]]]
    try primer.create([
      "paymentMethod": ["options": ["PAYMENT_CARD": card, "ADYEN_IDEAL": ["surcharge": ["amount": 50]]]]
    ])
    let options = primer.call(.configuration).json["clientSession"]?["paymentMethod"]?["options"]
    #expect(
      options == [
        ["type": "PAYMENT_CARD", "networks": [["type": "VISA", "surcharge": 100]]],
        ["type": "ADYEN_IDEAL", "surcharge": 50],
      ])
  }

  @Test mutating func wishesChangeWhatIsShown() throws {
    try primer.create(
      sandbox: [
        "methods": ["PAYMENT_CARD", "APPLE_PAY"], "expiresInS": 60, "captureVaultedCardCvv": true,
        "token": ["env": "STAGING", "paymentFlow": .null], "configuration": ["binDataUrl": .null, "extra": 1],
      ])
    #expect(primer.token["env"] == "STAGING" && primer.token["paymentFlow"] == nil)
    #expect(primer.token["exp"] == 1_893_456_060)
    let configuration = primer.call(.configuration).json
    #expect(configuration["binDataUrl"] == nil && configuration["extra"] == 1)
    #expect(configuration["paymentMethods"]?.elements?.count == 2)
    #expect(configuration["paymentMethods"]?[0]?["options"]?["captureVaultedCardCvv"] == true)
    primer.bench.now += 59_999
    #expect(primer.call(.configuration).status == 200)
    primer.bench.now += 1
    let late = primer.call(.configuration)
    #expect(late.status == 401 && late.errorId == "ClientTokenExpired")
  }

  @Test mutating func theTokensOwnExpiryHolds() throws {
    try primer.create(sandbox: ["token": ["expiration": 1_893_456_001, "accessToken": "mine"]])
    #expect(primer.token["accessToken"] == "mine")
    #expect(primer.call(.configuration).status == 200)
    primer.bench.now += 1_000
    #expect(primer.call(.configuration).status == 401)
  }

  @Test mutating func skippedMethodsAreLeftOut() throws {
    try primer.create()
    let reply = primer.bench.send(
      "GET", PrimerBench.path(.configuration),
      query: ["withDisplayMetadata": "true", "skipPaymentMethods": "KLARNA,ADYEN_IDEAL"],
      headers: primer.headers(.configuration))
    let types = reply.json["paymentMethods"]?.elements?.compactMap { $0["type"]?.string }
    #expect(types == PrimerCatalogue.types.filter { $0 != "KLARNA" && $0 != "ADYEN_IDEAL" })
  }

  @Test mutating func aPatchReplacesListsAndClears() throws {
    let session = try primer.create()
    let reply = primer.merchant(
      "PATCH", "/client-session",
      [
        "clientToken": session["clientToken"] ?? .null, "currencyCode": "GBP",
        "order": ["lineItems": [["itemId": "hat", "amount": 1_000, "quantity": 1]], "shipping": .null],
      ])
    #expect(reply.status == 200 && reply.json["clientToken"] == session["clientToken"])
    let order = primer.call(.configuration).json["clientSession"]?["order"]
    #expect(order?["totalOrderAmount"] == 1_000 && order?["currencyCode"] == "GBP" && order?["shipping"] == nil)
    #expect(order?["lineItems"]?.elements?.count == 1 && order?["countryCode"] == "FR")
    let options = primer.merchant(
      "PATCH", "/client-session",
      ["clientToken": session["clientToken"] ?? .null, "paymentMethod": ["options": .object([])]])
    #expect(options.errorPointer == "/paymentMethod/options")
    #expect(primer.merchant("PATCH", "/client-session", ["clientToken": "x"]).status == 404)
  }
}
