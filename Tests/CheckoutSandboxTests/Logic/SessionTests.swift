import Foundation
import Testing

@testable import CheckoutSandbox

@Suite struct SessionTests {
  var bench = Bench()

  @Test mutating func aSessionIsEchoedWithWhatTheBackEndAdds() throws {
    let reply = bench.create(Bench.order(sandbox: .object([])))
    #expect(reply.status == 201)
    #expect(reply.header("Content-Type") == "application/json")
    #expect(reply.header("Date") == "Tue, 01 Jan 2030 00:00:00 GMT")
    let session = reply.json
    #expect(UUID(uuidString: session["id"]?.string ?? "") != nil)
    #expect(session["status"] == "CREATED")
    #expect(session["expires_at"] == "2030-01-01T00:30:00.000Z")
    #expect(session["amount"]?.integer == 12_000)
    #expect(session["order"]?["reference"] == "O-1")
    #expect(session["widget"]?["js_url"] == "http://127.0.0.1:4711/sandbox/widget.js")
    #expect(session["sandbox"] == nil)
    #expect(session["payment_id"] == nil)
  }

  @Test mutating func theBlobIsTheClientsSession() throws {
    let reply = bench.create(Bench.order())
    let blob = try Bench.blob(reply)
    #expect(blob["api_key"] == .string(Bench.key))
    #expect(blob["entity_id"] == .string(Bench.entity))
    #expect(blob["environment"] == "sandbox")
    let session = try #require(blob["session"])
    #expect(session["id"] == reply.json["id"])
    #expect(session["amount"] == .number("120.00"))
    #expect(session["currency_code"] == "EUR")
    #expect(session["expiration_date"] == "2030-01-01T00:30:00Z")
    #expect(session["redirection"] == "myapp://return")
    #expect(session["information_request"] == nil)
    let tenant = session["vault"]?["vendor_front_data"]?["purse"]?["tenant_id"]?.string
    #expect(UUID(uuidString: tenant ?? "") != nil)
  }

  @Test(
    arguments: [("EUR", "12.34", "10.00"), ("JPY", "1234", "10"), ("KWD", "1.234", "10.000")]
      as [(String, String, String)])
  mutating func amountsHaveTheCurrencysDigits(_ code: String, _ amount: String, _ least: String) throws {
    let session = try Bench.blob(bench.create(Bench.order(amount: 1_234, currency: code)))["session"]
    #expect(session?["amount"] == .number(amount))
    let settings = session?["protocols"]?["fintecture"]?["instantpayment"]?["configurations"]?["settings"]
    #expect(settings?["payment_min_amount"] == .number(least))
  }

  @Test mutating func theCatalogueHasAMethodOfEveryKind() throws {
    let protocols = try #require(try Bench.blob(bench.create(Bench.order()))["session"]?["protocols"])
    var kinds: [String: PurseMethod.Kind] = [:]
    var positions: [Int64] = []
    for id in PurseCatalogue.identifiers {
      let parts = id.split(separator: "-").map(String.init)
      let method = try #require(PurseMethod(partner: parts[0], method: parts[1], protocols: protocols))
      kinds[id] = method.kind
      positions.append(try #require(method.configurations["position"]?.integer))
      #expect(method.isStable == (id != "hipay-mbway"))
    }
    #expect(positions == Array(1...14))
    #expect(
      kinds == [
        "purse-creditcard": .card, "illicado-giftcard": .secondary, "easy2play-giftcard": .secondary,
        "buybox-giftcard": .secondary, "hipay-bancontact": .redirection, "fintecture-instantpayment": .redirection,
        "paypal-wallet": .redirection, "klarna-paylater": .native, "younited-loan": .redirection,
        "hipay-mbway": .redirection, "adyen-applepay": .native, "paypal-paypal": .native,
        "ogloba-giftcard": .secondary, "maxxing-loyaltycard": .secondary,
      ])
    let card = protocols["purse"]?["creditcard"]
    #expect(card?["integrated_tokens"]?[0]?["value"] == .string(PurseCatalogue.savedCard))
    #expect(card?["integrated_tokens"]?[1]?["value"] == .string(PurseCatalogue.savedCardWithCode))
    #expect(card?["integrated_tokens"]?[1]?["cvv_required"] == true)
    #expect(card?["configurations"]?["vault"]?["supported_brands"]?.elements?.count == 4)
  }

  @Test mutating func wishesChangeTheBlob() throws {
    let wishes: SandboxJSON = [
      "methods": ["purse-creditcard", "hipay-bancontact"], "expiresInS": 60,
      "session": ["redirection": .null, "amount": .string("120.00"), "extra": ["a": 1]],
      "blob": ["api_key": .null, "apiKey": "other"],
    ]
    let blob = try Bench.blob(bench.create(Bench.order(sandbox: wishes)))
    #expect(blob["session"]?["protocols"]?.members?.map(\.name) == ["purse", "hipay"])
    #expect(blob["session"]?["expiration_date"] == "2030-01-01T00:01:00Z")
    #expect(blob["session"]?["redirection"] == nil)
    #expect(blob["session"]?["amount"] == "120.00")
    #expect(blob["session"]?["extra"]?["a"] == 1)
    #expect(blob["api_key"] == nil)
    #expect(blob["apiKey"] == "other")
  }

  @Test mutating func protocolsReplaceTheCatalogue() throws {
    let protocols: SandboxJSON = ["aci": ["creditcard": ["configurations": ["labels": ["primary"]]]]]
    let blob = try Bench.blob(bench.create(Bench.order(sandbox: ["protocols": protocols])))
    #expect(blob["session"]?["protocols"] == protocols)
  }

  @Test mutating func anInformationRequestHasNoAmount() throws {
    let order = Bench.order(amount: nil, sandbox: ["informationRequest": true])
    let session = try Bench.blob(bench.create(order))["session"]
    #expect(session?["information_request"] == true)
    #expect(session?["amount"] == nil)
    let protocols = session?["protocols"]
    let mode = { (partner: String, method: String) in
      protocols?[partner]?[method]?["configurations"]?["settings"]?["registration_mode"]?.string
    }
    #expect(mode("purse", "creditcard") == "OFF_SESSION")
    #expect(mode("hipay", "bancontact") == "ON_SESSION")
  }

  @Test mutating func theBlobsAlphabetAndPaddingCanBeChosen() throws {
    // Enough variety that both alphabets show and that some text would end in padding.
    var sawPadding = false
    for length in 0..<3 {
      let wishes: SandboxJSON = ["session": ["note": .string("ÿ?~>" + String(repeating: "x", count: length))]]
      let usual = bench.create(Bench.order(sandbox: wishes)).json["widget"]?["data"]?.string ?? ""
      #expect(usual.count % 4 == 0)
      #expect(usual.contains("/") || usual.contains("+"))
      sawPadding = sawPadding || usual.hasSuffix("=")
      let safe = wishes.merging(["urlSafe": true, "padded": false])
      let other = bench.create(Bench.order(sandbox: safe)).json["widget"]?["data"]?.string ?? ""
      #expect(other.wholeMatch(of: #/[A-Za-z0-9_-]+/#) != nil)
      #expect(other.contains("_") || other.contains("-"))
    }
    #expect(sawPadding)
  }

  @Test(
    arguments: [
      ("entity_id", nil), ("entity_id", 1), ("amount", nil), ("amount", -1), ("amount", "1"),
      ("amount", .number("1.0")),
      ("amount", .number("9007199254740992")), ("currency", nil), ("currency", "eur"), ("order", nil), ("order", []),
      ("shopper_redirection_url", nil), ("shopper_redirection_url", ""), ("sandbox", []), ("sandbox", ["typo": 1]),
      ("sandbox", ["expiresInS": "60"]), ("sandbox", ["methods": ["purse-cash"]]), ("sandbox", ["methods": "all"]),
      ("sandbox", ["session": []]), ("sandbox", ["padded": 1]),
    ] as [(String, SandboxJSON?)])
  mutating func badOrdersAreRefused(_ name: String, _ value: SandboxJSON?) {
    var order = Bench.order()
    order[name] = value
    let reply = bench.create(order)
    #expect(reply.status == 400)
    #expect(reply.pointer?.hasPrefix("/\(name)") == true)
  }

  @Test mutating func aMerchantCallNeedsItsCredentials() throws {
    for missing in ["x-api-key", "Authorization"] {
      var headers = Bench.merchantHeaders
      headers[missing] = nil
      #expect(bench.create(Bench.order(), headers: headers).status == 401)
    }
    let id = try bench.session()
    #expect(bench.read(id).status == 200)
    let stranger = Bench.merchantHeaders.merging(["x-api-key": "other"]) { $1 }
    #expect(bench.send("GET", "/payment/v2/client-sessions/\(id)", headers: stranger).status == 404)
    #expect(bench.read("nobody").code == "SESSION_NOT_FOUND")
    #expect(bench.send("POST", "/payment/v2/client-sessions", "{", headers: Bench.merchantHeaders).status == 400)
    #expect(bench.send("POST", "/payment/v2/client-sessions", "[]", headers: Bench.merchantHeaders).status == 400)
  }

  @Test mutating func aSubmittedSessionSaysWhatWasPaid() throws {
    let id = try bench.session()
    #expect(bench.read(id).json["status"] == "CREATED")
    _ = bench.validate(id, [Bench.card("120.00", "declined")])
    let session = bench.read(id).json
    #expect(session["status"] == "SUBMITTED")
    #expect(session["payment_id"] == bench.payments()[0]["paymentId"])
    #expect(session["authorization"]?["status"] == "REFUSED")
    #expect(session["split"] == [["partner": "purse", "method": "creditcard", "amount": 12_000]])
  }

  @Test mutating func theTimeServiceNeedsNoKey() {
    let reply = bench.send("GET", "/datetime")
    #expect(reply.text == #"{"utc":"Tue, 01 Jan 2030 00:00:00 GMT","iso":"2030-01-01T00:00:00.000Z"}"#)
  }

  @Test(
    arguments: [
      ("GET", "/", 404), ("GET", "/nothing", 404), ("POST", "/datetime", 405), ("PUT", "/sandbox/faults", 405),
      ("POST", "/sandbox/payments", 405), ("GET", "/payment/v2/client-sessions", 405),
      ("DELETE", "/payment/v2/client-sessions/1", 405), ("GET", "/e/sessions/s/init", 405),
      ("GET", "/e/sessions/s/validate", 405), ("GET", "/e/sessions/s/other", 404), ("GET", "/sandbox/widget.js", 200),
      ("DELETE", "/sandbox/pages/1", 405), ("GET", "/sandbox/pages/1", 404), ("GET", "/sandbox/pages/1/2/3", 404),
    ] as [(String, String, Int)])
  mutating func pathsAndMethodsAreKnownOrRefused(_ method: String, _ path: String, _ status: Int) {
    #expect(bench.send(method, path).status == status)
  }
}
