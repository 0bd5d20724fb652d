import Testing

@testable import CheckoutSandbox

/// What a payment is made with: cards, other methods, saved methods; and what is asked about them.
@Suite struct PrimerInstrumentTests {
  var primer = PrimerBench()

  @Test mutating func aCardBecomesAToken() throws {
    try primer.create()
    let card = primer.call(.tokenize, "", PrimerBench.card()).json
    #expect(card["paymentMethodType"] == "PAYMENT_CARD" && card["paymentInstrumentType"] == "PAYMENT_CARD")
    #expect(card["tokenType"] == "SINGLE_USE" && card["isVaulted"] == false)
    for name in ["id", "analyticsId", "token"] { #expect(card[name]?.string?.count == 36) }
    let data = card["paymentInstrumentData"]
    #expect(data?["first6Digits"] == "424242" && data?["last4Digits"] == "4242" && data?["network"] == "VISA")
    #expect(data?["expirationMonth"] == "12" && data?["expirationYear"] == "2039")
  }

  @Test(
    arguments: [
      (["number": "4242 4242 4242 4242"], "number"), (["number": "4242424242424241"], "number"),
      (["number": "424242"], "number"), (["number": 4242], "number"), (["cvv": "12"], "cvv"), (["cvv": "12a"], "cvv"),
      (["cvv": .null], "cvv"), (["expirationMonth": "13"], "expirationMonth"),
      (["expirationMonth": "1"], "expirationMonth"), (["expirationYear": "39"], "expirationYear"),
      (["expirationYear": "2029"], "expirationYear"), (["preferredNetwork": "MASTERCARD"], "preferredNetwork"),
      (["name": "x"], "name"),
    ] as [(SandboxJSON, String)])
  mutating func aWrongCardIsRefused(_ patch: SandboxJSON, _ name: String) throws {
    try primer.create()
    let reply = primer.call(.tokenize, "", PrimerBench.card("4242424242424242", patch))
    #expect(reply.status == 400 && reply.errorPointer == "/paymentInstrument/\(name)")
    #expect(!reply.text.contains("4242"))
  }

  @Test mutating func theMonthOfExpiryIsGood() throws {
    try primer.create()
    let now: SandboxJSON = ["expirationMonth": "01", "expirationYear": "2030"]
    #expect(primer.call(.tokenize, "", PrimerBench.card("4242424242424242", now)).status == 200)
    primer.bench.now += 31 * 86_400_000
    try primer.create()
    #expect(primer.call(.tokenize, "", PrimerBench.card("4242424242424242", now)).status == 400)
  }

  @Test(arguments: PrimerCase.allCases)
  func aTestNumberIsOne(_ payment: PrimerCase) {
    #expect(payment.number.utf8.count == 16 && PrimerNetworks.passesLuhn(payment.number))
    #expect(PrimerNetworks.networks(of: payment.number) == ["VISA"])
    #expect(PrimerCase(number: payment.number) == payment)
    #expect(PrimerCase(savedId: "pm_\(payment.rawValue)_1") == payment)
  }

  @Test mutating func aWrongMethodIsRefused() throws {
    try primer.create(sandbox: ["methods": ["PAYMENT_CARD", "ADYEN_IDEAL"]])
    func instrument(_ type: String, _ id: SandboxJSON, more: SandboxJSON = .object([])) -> SandboxJSON {
      let named: SandboxJSON = ["paymentMethodType": .string(type), "paymentMethodConfigId": id]
      return ["paymentInstrument": named.merging(more)]
    }
    let wrong: [(SandboxJSON, String)] = [
      (instrument("ADYEN_BLIK", "configuration-adyen_blik"), "/paymentInstrument/paymentMethodType"),
      (instrument("PAYMENT_CARD", "configuration-payment_card"), "/paymentInstrument/paymentMethodType"),
      (instrument("ADYEN_IDEAL", "x"), "/paymentInstrument/paymentMethodConfigId"),
      (instrument("ADYEN_IDEAL", "configuration-adyen_ideal", more: ["x": 1]), "/paymentInstrument/x"),
      (["paymentInstrument": 1], "/paymentInstrument"), (["x": 1], "/x"),
    ]
    for (body, pointer) in wrong {
      let reply = primer.call(.tokenize, "", body)
      #expect(reply.status == 400 && reply.errorPointer == pointer)
    }
    #expect(primer.call(.tokenize, "", instrument("ADYEN_IDEAL", "configuration-adyen_ideal")).status == 200)
  }

  @Test mutating func aShopperHasSavedTwoCards() throws {
    try primer.create()
    let saved = try #require(primer.call(.listVault).json["data"]?.elements)
    #expect(saved.map { $0["id"] } == ["pm_success_4242", "pm_declined_0002"])
    for method in saved {
      #expect(method["isVaulted"] == true && method["token"] == nil && method["analyticsId"] != nil)
      #expect(method["vaultData"] == ["customerId": "shopper-1"])
    }
    try primer.create(["customerId": .null])
    #expect(primer.call(.listVault).json["data"] == [])
    try primer.create(sandbox: ["vault": [["id": "pm_lost_1"]]])
    #expect(primer.call(.listVault).json["data"] == [["id": "pm_lost_1"]])
  }

  @Test mutating func aSavedCardIsPaidByExchange() throws {
    try primer.create()
    for (id, status) in [("pm_success_4242", "SUCCESS"), ("pm_declined_0002", "FAILED")] {
      let exchanged = primer.call(.exchange, id, .object([])).json
      #expect(exchanged["isVaulted"] == true && exchanged["tokenType"] == "SINGLE_USE")
      let token = try #require(exchanged["token"]?.string)
      #expect(primer.pay(token).json["status"] == .string(status))
    }
    #expect(primer.call(.exchange, "other", .object([])).status == 404)
    #expect(primer.call(.exchange, "pm_success_4242").status == 200)
    #expect(primer.call(.exchange, "pm_success_4242", ["cvv": "12"]).errorPointer == "/cvv")
    #expect(primer.call(.exchange, "pm_success_4242", ["x": "1"]).errorPointer == "/x")
  }

  @Test mutating func aCodeIsWantedWhereTheSessionSaysSo() throws {
    try primer.create(sandbox: ["captureVaultedCardCvv": true])
    let without = primer.call(.exchange, "pm_success_4242", .object([]))
    #expect(without.status == 422 && without.errorId == "CvvRequired")
    #expect(primer.call(.exchange, "pm_success_4242", ["cvv": "123"]).status == 200)
  }

  @Test mutating func whatIsDeletedIsGone() throws {
    try primer.create()
    let reply = primer.call(.deleteSaved, "pm_success_4242")
    #expect(reply.status == 200 && reply.json == .object([]))
    #expect(primer.call(.deleteSaved, "pm_success_4242").status == 404)
    #expect(primer.call(.listVault).json["data"]?.elements?.count == 1)
    #expect(primer.call(.exchange, "pm_success_4242", .object([])).status == 404)
    // Another shopper's are their own.
    try primer.create(["customerId": "shopper-2"])
    #expect(primer.call(.listVault).json["data"]?.elements?.count == 2)
    try primer.create(["customerId": .null])
    #expect(primer.call(.deleteSaved, "pm_success_4242").status == 404)
  }

  @Test mutating func aPaymentMaySaveItsCard() throws {
    try primer.create(["paymentMethod": ["vaultOnSuccess": true]])
    _ = try primer.pay(.declined)
    _ = try primer.pay(.pending)
    #expect(primer.call(.listVault).json["data"]?.elements?.count == 2)
    _ = try primer.pay(.success)
    let saved = try #require(primer.call(.listVault).json["data"]?.elements)
    #expect(saved.count == 3 && saved[2]["tokenType"] == "MULTI_USE" && saved[2]["token"] == nil)
    #expect(primer.call(.exchange, saved[2]["id"]?.string ?? "", .object([])).status == 200)
  }

  @Test(
    arguments: [
      ("42424242", ["VISA"]), ("49701000", ["CARTES_BANCAIRES", "VISA"]),
      ("51320000", ["CARTES_BANCAIRES", "MASTERCARD"]), ("46000000", ["VISA", "EFTPOS"]), ("45000000", []),
      ("37000000", ["AMEX"]), ("99999999", []),
    ])
  mutating func theDirectoryKnowsNetworks(_ digits: String, _ networks: [String]) throws {
    try primer.create()
    let reply = primer.call(.binData, digits).json
    #expect(reply["firstDigits"] == .string(digits))
    #expect(reply["binData"]?.elements?.compactMap { $0["network"]?.string } == networks)
    for entry in reply["binData"]?.elements ?? [] { #expect(entry["displayName"]?.string != nil) }
  }

  @Test mutating func theDirectoryFailsAndRefuses() throws {
    try primer.create()
    #expect(primer.call(.binData, "45010000").status == 500)
    for digits in ["4242424", "424242424", "4242424x"] { #expect(primer.call(.binData, digits).status == 400) }
  }

  @Test(arguments: ["CARTES_BANCAIRES", "VISA"])
  mutating func aCoBadgedCardIsPaidOnTheChosenNetwork(_ network: String) throws {
    try primer.create()
    let card = PrimerBench.card("4970100000000105", ["preferredNetwork": .string(network)])
    let reply = primer.call(.tokenize, "", card)
    #expect(reply.json["paymentInstrumentData"]?["network"] == .string(network))
  }

  @Test(arguments: [
    ("+33612345678", true), ("+1234567", true), ("0612345678", false), ("+0123456789", false), ("x", false),
  ])
  mutating func aPhoneNumberIsLookedUp(_ number: String, _ isValid: Bool) throws {
    try primer.create()
    #expect(primer.call(.lookUpPhone, number).json["isValid"] == .bool(isValid))
  }

  @Test mutating func theCurrencyTableIsWhole() throws {
    let table = try #require(
      primer.bench.send("GET", "/primer/assets/currency-information/v1/data.json").json.elements)
    #expect(table.count == 162)
    let digits = Dictionary(uniqueKeysWithValues: table.map { ($0["c"]?.string ?? "", $0["m"]?.integer) })
    for (code, expected) in [("USD", 2), ("JPY", 0), ("KWD", 3), ("ISK", 0), ("HUF", 2), ("TND", 3)] {
      #expect(digits[code] == Int64(expected))
    }
    #expect(table.filter { $0["m"] == 0 }.count == 17 && table.filter { $0["m"] == 3 }.count == 7)
  }
}

/// POST client-session/actions.
@Suite struct PrimerSessionActionTests {
  var primer = PrimerBench()

  private mutating func act(_ actions: SandboxJSON...) -> Bench.Reply {
    primer.call(.actions, "", ["actions": .array(actions)])
  }

  private static let surcharges: SandboxJSON = [
    "paymentMethod": [
      "options": [
        "PAYMENT_CARD": ["networks": ["VISA": ["surcharge": ["amount": 100]]]],
        "ADYEN_IDEAL": ["surcharge": ["amount": 50]],
      ]
    ]
  ]

  private static func select(_ type: String, _ network: String? = nil) -> SandboxJSON {
    var parameters: SandboxJSON = ["paymentMethodType": .string(type)]
    if let network { parameters["binData"] = ["network": .string(network)] }
    return ["type": "SELECT_PAYMENT_METHOD", "params": parameters]
  }

  private static func total(_ reply: Bench.Reply) -> SandboxJSON? {
    reply.json["clientSession"]?["order"]?["totalOrderAmount"]
  }

  @Test mutating func aSelectionBringsItsSurcharge() throws {
    try primer.create(Self.surcharges)
    let visa = act(Self.select("PAYMENT_CARD", "VISA"))
    #expect(Self.total(visa) == 10_100)
    #expect(visa.json["clientSession"]?["order"]?["fees"] == [["type": "SURCHARGE", "amount": 100]])
    #expect(Self.total(act(Self.select("PAYMENT_CARD", "OTHER"))) == 10_000)
    #expect(Self.total(act(Self.select("ADYEN_IDEAL"))) == 10_050)
    #expect(primer.pay(try primer.tokenize()).json["amount"] == 10_050)
    #expect(Self.total(act(["type": "UNSELECT_PAYMENT_METHOD"])) == 10_000)
    #expect(visa.json["checkoutModules"] != nil && visa.json["paymentMethods"] != nil)
  }

  @Test mutating func theMerchantsAmountTakesNoSurcharge() throws {
    try primer.create(Self.surcharges.merging(["amount": 500]))
    _ = act(Self.select("PAYMENT_CARD", "VISA"))
    #expect(primer.pay(try primer.tokenize()).json["amount"] == 500)
  }

  @Test mutating func actionsChangeTheCustomer() throws {
    try primer.create(["customer": ["taxId": "1", "billingAddress": ["city": "Old", "state": "S"]]])
    let address: SandboxJSON = ["city": "Paris", "countryCode": "FR"]
    let reply = act(
      ["type": "SET_BILLING_ADDRESS", "params": ["billingAddress": address]],
      ["type": "SET_SHIPPING_ADDRESS", "params": ["shippingAddress": address]],
      ["type": "SET_EMAIL_ADDRESS", "params": ["emailAddress": "a@b.example"]],
      ["type": "SET_MOBILE_NUMBER", "params": ["mobileNumber": "+33612345678"]],
      ["type": "SET_CUSTOMER_FIRST_NAME", "params": ["firstName": "A"]],
      ["type": "SET_CUSTOMER_LAST_NAME", "params": ["lastName": "B"]])
    let expected: SandboxJSON = [
      "taxId": "1", "billingAddress": address, "emailAddress": "a@b.example", "mobileNumber": "+33612345678",
      "firstName": "A", "lastName": "B", "shippingAddress": address, "customerId": "shopper-1",
    ]
    let customer = try #require(reply.json["clientSession"]?["customer"])
    #expect(customer.members?.count == expected.members?.count)
    for member in expected.members ?? [] { #expect(customer[member.name] == member.value) }
  }

  @Test mutating func aShippingMethodChangesTheTotal() throws {
    let module: SandboxJSON = [
      "type": "SHIPPING",
      "options": [
        "shippingMethods": [["id": "express", "name": "Express", "description": "Tomorrow", "amount": 900]],
        "selectedShippingMethod": "express",
      ],
    ]
    try primer.create(sandbox: ["configuration": ["checkoutModules": [module]]])
    let reply = act(["type": "SELECT_SHIPPING_METHOD", "params": ["shipping_method_id": "express"]])
    #expect(Self.total(reply) == 10_500)
    let shipping: SandboxJSON = [
      "amount": 900, "methodId": "express", "methodName": "Express", "methodDescription": "Tomorrow",
    ]
    #expect(reply.json["clientSession"]?["order"]?["shipping"] == shipping)
    let other = act(["type": "SELECT_SHIPPING_METHOD", "params": ["shipping_method_id": "other"]])
    #expect(other.errorPointer == "/actions/0/params/shipping_method_id")
  }

  @Test(
    arguments: [
      (["type": "OTHER"], "/actions/1/type"), (["params": [:]], "/actions/1/type"),
      (["type": "SET_EMAIL_ADDRESS"], "/actions/1/params/emailAddress"),
      (
        ["type": "SET_BILLING_ADDRESS", "params": ["billingAddress": ["street": "x"]]],
        "/actions/1/params/billingAddress/street"
      ),
      (["type": "SET_BILLING_ADDRESS", "params": [:]], "/actions/1/params/billingAddress"),
      (
        ["type": "SELECT_PAYMENT_METHOD", "params": ["paymentMethodType": "PAYPAL"]],
        "/actions/1/params/paymentMethodType"
      ),
      (["type": "UNSELECT_PAYMENT_METHOD", "more": 1], "/actions/1/more"),
    ] as [(SandboxJSON, String)])
  mutating func aWrongActionChangesNothing(_ action: SandboxJSON, _ pointer: String) throws {
    try primer.create(Self.surcharges)
    let reply = act(Self.select("PAYMENT_CARD", "VISA"), action)
    #expect(reply.status == 400 && reply.errorPointer == pointer)
    #expect(Self.total(primer.call(.configuration)) == 10_000)
    #expect(primer.call(.actions, "", ["actions": []]).errorPointer == "/actions")
  }
}

/// The fault script reaches Primer's calls as it does Purse's.
@Suite struct PrimerFaultTests {
  var primer = PrimerBench()

  @Test mutating func aFaultHitsOneCallOrAnother() throws {
    try primer.create()
    #expect(primer.bench.fault(["path": "/primer/pci/payments", "fault": "processThenDrop"]).status == 201)
    #expect(primer.pay(try primer.tokenize(), key: "k").action == .hangUp)
    #expect(primer.payments().count == 1)
    #expect(primer.pay(try primer.tokenize(), key: "k").status == 409)
    _ = primer.bench.fault(["path": "configuration", "fault": "status", "status": 503])
    #expect(primer.call(.configuration).status == 503)
    _ = primer.bench.fault(["path": "resume", "fault": "dropBeforeReading"])
    #expect(primer.call(.configuration).status == 200)
    let head = SandboxRequest(method: "POST", path: "/primer/pci/payments/1/resume")
    #expect(primer.bench.sandbox.open(head, at: primer.bench.now) == .hangUpBeforeReading)
    _ = primer.bench.fault(["fault": "clockSkew", "skewS": 90_000])
    #expect(primer.call(.configuration).errorId == "ClientTokenExpired")
  }

  @Test mutating func theJournalKeepsWhatCame() throws {
    try primer.create()
    _ = primer.pay(try primer.tokenize(), key: "k")
    let entry = try #require(primer.bench.requests(path: "/primer/pci/payments").first)
    #expect(entry["headers"]?["x-idempotency-key"] == "k" && entry["answered"] == 200)
  }
}
