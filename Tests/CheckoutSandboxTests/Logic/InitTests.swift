import Testing

@testable import CheckoutSandbox

@Suite struct InitTests {
  var bench = Bench()

  @Test(
    arguments: [
      ("6000000000050000", "500.00"), ("6000000000005000", "50.00"), ("6000000000001234", "12.34"),
      ("6000000000000000", "0.00"), ("6000000100005000", "50.00"), ("6099999999999999", "999999.99"),
      ("6200000000000700", "7.00"),
    ])
  mutating func aBalanceIsReadAtOnce(_ number: String, _ balance: String) throws {
    let session = try bench.session()
    let reply = bench.initialize(session, Bench.giftCard(number, "120.00"))
    #expect(reply.status == 200)
    let answer = reply.json
    #expect(answer["status"] == ["action": "INIT", "state": "SUCCESS", "code": "SUCCEEDED"])
    #expect(answer["plugin_result"]?["amount"] == .number(balance))
    #expect(answer["plugin_result"]?["currency_code"] == "EUR")
    #expect(answer["plugin_result"]?["expiration_date"] == "2039-12-31T23:59:59Z")
    #expect(answer["session_id"] == .string(session))
    #expect(answer["partner"] == "illicado" && answer["method"] == "giftcard")
    #expect(answer["step_id"] == 1)
    #expect(answer["date"] == "2030-01-01T00:00:00Z")
    #expect(answer["id"]?.string?.count == 36)
  }

  @Test(
    arguments: [
      ("6100000000000001", "CARD_EXPIRED"), ("6100000000000002", "WRONG_CARD_DATA"),
      ("6100000000000003", "UNKNOWN_CARD"), ("6100000000000004", "DUPLICATED_TRANSACTION"),
      ("6100000000000006", "BLOCKED_CARD"), ("6100000000000007", "CARD_IS_NOT_ACTIVE"),
      ("6100000000000099", "UNKNOWN_CARD"), ("6500000000000000", "UNKNOWN_CARD"), ("600000000005000", "UNKNOWN_CARD"),
      ("-600000000005000", "UNKNOWN_CARD"), ("6000 0000 0000 50", "UNKNOWN_CARD"), ("", "UNKNOWN_CARD"),
      ("6300000000000001", "ABORTED_BY_CUSTOMER"),
    ])
  mutating func aRefusalIsAnAnswer(_ number: String, _ code: String) throws {
    let reply = bench.initialize(try bench.session(), Bench.giftCard(number, "120.00"))
    #expect(reply.status == 200)
    #expect(reply.json["status"] == ["action": "INIT", "state": "FAILED", "code": .string(code)])
    #expect(reply.json["plugin_result"] == .object([]))
  }

  @Test mutating func aWrongCodeIsRefusedAndATechnicalErrorIsA500() throws {
    let session = try bench.session()
    let wrong = bench.initialize(session, Bench.giftCard("6000000000005000", "120.00", code: "0000"))
    #expect(wrong.json["status"]?["code"] == "WRONG_CARD_DATA")
    let error = bench.initialize(session, Bench.giftCard("6100000000000005", "120.00"))
    #expect(error.status == 500)
    #expect(error.code == "TECHNICAL_ERROR")
  }

  @Test(
    arguments: [
      ("6200000200005000", "SUCCESS", "SUCCEEDED"), ("6300000200000001", "FAILED", "ABORTED_BY_CUSTOMER"),
      ("6300000200000002", "FAILED", "EXPIRED_AUTHORIZATION"),
      ("6300000200000003", "FAILED", "DUPLICATED_TRANSACTION"), ("6300000200000009", "FAILED", "UNKNOWN_CARD"),
    ])
  mutating func aPolledCardWaitsTwice(_ number: String, _ state: String, _ code: String) throws {
    let session = try bench.session()
    let card = { Bench.giftCard(number, "120.00", id: "buybox-giftcard", step: $0) }
    let first = bench.initialize(session, card(nil)).json
    #expect(first["status"] == ["action": "INIT", "state": "WAITING", "code": "WAITING_PARTNER_RESPONSE"])
    let step = first["step_id"]?.integer
    let second = bench.initialize(session, card(step)).json
    #expect(second["status"]?["state"] == "WAITING")
    let third = bench.initialize(session, card(step)).json
    #expect(third["status"]?["state"] == .string(state))
    #expect(third["status"]?["code"] == .string(code))
    #expect(third["step_id"] == first["step_id"])
    #expect(third["id"] == first["id"])
    // Without the step it is a new read, which waits again.
    let again = bench.initialize(session, card(nil)).json
    #expect(again["status"]?["state"] == "WAITING")
    #expect(again["step_id"] != first["step_id"])
  }

  @Test mutating func oneCardWaitsForEver() throws {
    let session = try bench.session()
    let card = { Bench.giftCard("6400000000000000", "120.00", id: "buybox-giftcard", step: $0) }
    let step = try bench.step(session, card(nil))
    for _ in 0..<100 { #expect(bench.initialize(session, card(step)).json["status"]?["state"] == "WAITING") }
  }

  @Test mutating func aStepIsOfOneItem() throws {
    let session = try bench.session()
    let step = try bench.step(session, Bench.giftCard("6000000000005000", "120.00"))
    let wrong = [
      Bench.giftCard("6000000000005000", "120.00", step: step + 1),
      Bench.giftCard("6000000000001234", "120.00", step: step),
      Bench.giftCard("6000000000005000", "120.00", id: "easy2play-giftcard", step: step),
      Bench.item("hipay-bancontact", "120.00", step: step),
    ]
    for item in wrong { #expect(bench.initialize(session, item).code == "UNKNOWN_STEP") }
    let other = try bench.session()
    #expect(bench.initialize(other, Bench.giftCard("6000000000005000", "120.00", step: step)).code == "UNKNOWN_STEP")
  }

  @Test mutating func balancesAreInTheSessionsCurrency() throws {
    for (code, balance, amount) in [("JPY", "50", "120"), ("KWD", "50.000", "0.120")] {
      let session = try bench.session(amount: 120, currency: code)
      let answer = bench.initialize(session, Bench.giftCard("6000000000005000", amount)).json
      #expect(answer["plugin_result"]?["amount"] == .number(balance))
    }
  }

  @Test mutating func aVoucherIsReadByItsNumber() throws {
    let data: SandboxJSON = ["voucher_number": "6000000000005000"]
    let reply = bench.initialize(try bench.session(), Bench.item("easy2play-giftcard", "120.00", data: data))
    #expect(reply.json["plugin_result"]?["amount"] == .number("50.00"))
  }

  @Test mutating func otherMethodsStart() throws {
    let session = try bench.session()
    let bancontact = bench.initialize(session, Bench.item("hipay-bancontact", "70.00"))
    #expect(bancontact.json["status"]?["state"] == "SUCCESS")
    #expect(bancontact.json["step_id"] == 1)
    let klarna = bench.initialize(session, Bench.item("klarna-paylater", "70.00"))
    #expect(klarna.json["plugin_result"]?["client_token"]?.string?.hasPrefix("sandbox-klarna-") == true)
    #expect(klarna.json["step_id"] == 2)
  }

  @Test(
    arguments: [
      ("purse-creditcard", "120.00", "INIT_NOT_EXPECTED"), ("hipay-mbway", "120.00", "METHOD_UNSTABLE"),
      ("hipay-cash", "120.00", "UNKNOWN_METHOD"), ("hipay-bancontact", "120.01", "INVALID_AMOUNT"),
      ("hipay-bancontact", "1.001", "INVALID_AMOUNT"), ("illicado-giftcard", "70.00", "INVALID_AMOUNT"),
      ("illicado-giftcard", "120.00", "INVALID_ITEM"),
    ])
  mutating func wrongItemsAreRefused(_ id: String, _ amount: String, _ code: String) throws {
    let reply = bench.initialize(try bench.session(), Bench.item(id, amount))
    #expect(reply.status == 422)
    #expect(reply.code == code)
  }

  @Test(
    arguments: [
      ("partner", nil), ("method", 1), ("amount", "120.00"), ("amount", nil), ("payment_data", nil),
      ("payment_data", []), ("partner_data", nil), ("payment_preferences", nil), ("step_id", "1"), ("extra", 1),
      ("payment_preferences", ["save_token": 1]), ("payment_preferences", ["other": 1]),
      ("payment_data", ["card": ["number": 1]]), ("payment_data", ["card": ["number": "6", "pin": "1"]]),
      ("payment_data", ["voucher_number": 1]), ("payment_data", ["number": "6"]),
    ] as [(String, SandboxJSON?)])
  mutating func theShapeIsStrict(_ name: String, _ value: SandboxJSON?) throws {
    var item = Bench.giftCard("6000000000005000", "120.00")
    item[name] = value
    #expect(bench.initialize(try bench.session(), item).status == 422)
  }

  @Test mutating func theCallItselfIsChecked() throws {
    let session = try bench.session()
    let item = Bench.giftCard("6000000000005000", "120.00")
    #expect(bench.initialize(session, item, headers: ["Content-Type": "application/json"]).status == 401)
    let wrongKey = ["Content-Type": "application/json", "x-api-key": "wrong"]
    #expect(bench.initialize(session, item, headers: wrongKey).code == "UNAUTHORIZED")
    #expect(bench.initialize(session, item, headers: ["x-api-key": Bench.key]).status == 415)
    let charset = ["x-api-key": Bench.key, "Content-Type": "application/json; charset=utf-8"]
    #expect(bench.initialize(session, item, headers: charset).status == 200)
    #expect(bench.initialize("nobody", item).code == "SESSION_NOT_FOUND")
    let elsewhere = bench.send("POST", "/other/sessions/\(session)/init", item.text, headers: Bench.clientHeaders)
    #expect(elsewhere.status == 404)
    let path = "/\(Bench.entity)/sessions/\(session)/init"
    #expect(bench.send("POST", path, "{", headers: Bench.clientHeaders).code == "MALFORMED_JSON")
    #expect(bench.send("POST", path, headers: Bench.clientHeaders).status == 400)
    #expect(bench.send("POST", path, "[]", headers: Bench.clientHeaders).status == 422)
  }

  @Test mutating func aBlobWithoutAKeyNeedsNone() throws {
    let session = try bench.session(sandbox: ["blob": ["api_key": .null]])
    let item = Bench.giftCard("6000000000005000", "120.00")
    #expect(bench.initialize(session, item, headers: ["Content-Type": "application/json"]).status == 200)
  }

  @Test mutating func anExpiredOrSubmittedSessionReadsNothing() throws {
    let item = Bench.giftCard("6000000000005000", "120.00")
    let session = try bench.session(sandbox: ["expiresInS": 60])
    bench.now += 59_999
    #expect(bench.initialize(session, item).status == 200)
    bench.now += 1
    let late = bench.initialize(session, item)
    #expect(late.status == 403)
    #expect(late.code == "SESSION_EXPIRED")
    let paid = try bench.session()
    _ = bench.validate(paid, [Bench.card("120.00")])
    #expect(bench.initialize(paid, item).code == "SESSION_ALREADY_SUBMITTED")
  }
}
