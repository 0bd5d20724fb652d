import Testing

@testable import CheckoutSandbox

@Suite struct ValidateTests {
  var bench = Bench()

  @Test(
    arguments: [
      ("success", "SUCCESS", "SUCCESS", "SUCCEEDED", "AUTHORIZED"),
      ("slow", "SUCCESS", "SUCCESS", "SUCCEEDED", "AUTHORIZED"),
      ("declined", "FAILED", "FAILED", "REJECTED_BANK", "REFUSED"),
      ("uncertain", "UNCERTAIN", "UNCERTAIN", "UNCERTAIN", "PENDING"),
      ("error", "ERROR", "ERROR", "TECHNICAL_ISSUE_TO_CONTACT_PARTNER", "ERROR"),
      ("unlisted", "SANDBOX_STATUS", "SANDBOX_STATE", "SANDBOX_CODE", "PENDING"),
      ("waiting", "WAITING", "WAITING", "WAITING_PARTNER_RESPONSE", "PENDING"),
      ("threeds", "WAITING", "WAITING", "WAITING_PARTNER_RESPONSE", "PENDING"),
      ("threeds_post", "WAITING", "WAITING", "WAITING_PARTNER_RESPONSE", "PENDING"),
      ("threeds_json", "WAITING", "WAITING", "WAITING_PARTNER_RESPONSE", "PENDING"),
      ("threeds_body", "WAITING", "WAITING", "WAITING_PARTNER_RESPONSE", "PENDING"),
      ("threeds_html", "WAITING", "WAITING", "WAITING_PARTNER_RESPONSE", "PENDING"),
    ])
  mutating func aCardEndsAsItsTokenSays(
    _ name: String, _ global: String, _ state: String, _ code: String, _ authorization: String
  ) throws {
    let session = try bench.session()
    let reply = bench.validate(session, [Bench.card("120.00", name)])
    #expect(reply.status == 200)
    #expect(reply.delay == (name == "slow" ? 1_500 : 0))
    let answer = reply.json
    #expect(answer["global_status"] == .string(global))
    let result = try #require(answer["results"]?[0])
    #expect(result["status"] == ["action": "AUTHORIZE", "state": .string(state), "code": .string(code)])
    #expect(result["partner"] == "purse" && result["method"] == "creditcard")
    #expect(result["session_id"] == .string(session))
    #expect(result["transaction_id"]?.string?.count == 36)
    #expect(result["plugin_result"]?["amount"] == .number("120.00"))
    #expect((answer["redirection"] == .object([])) == (!name.hasPrefix("threeds") || name == "threeds_json"))
    let payment = try #require(bench.payments().first)
    #expect(payment["status"] == .string(authorization))
    #expect(payment["amount"] == 12_000 && payment["sessionId"] == .string(session))
  }

  @Test func everyCaseIsTested() {
    let tested = ["success", "slow", "declined", "uncertain", "error", "unlisted", "waiting", "lost"]
    let threeDS = ["threeds", "threeds_post", "threeds_json", "threeds_body", "threeds_html"]
    #expect(Set(PaymentCase.allCases.map(\.rawValue)) == Set(tested + threeDS))
  }

  @Test mutating func aLostAnswerWasAPayment() throws {
    let session = try bench.session()
    let headers = Bench.clientHeaders.merging(["Idempotency-Key": "k1"]) { $1 }
    let split: SandboxJSON = [Bench.card("120.00", "lost")]
    #expect(bench.validate(session, split, headers: headers).action == .hangUp)
    #expect(bench.payments().map { $0["status"] } == ["AUTHORIZED"])
    #expect(bench.validate(session, split, headers: headers).json["global_status"] == "SUCCESS")
    #expect(bench.payments().count == 1)
    #expect(bench.requests(path: "validate").map { $0["answered"] } == [.null, 200])
  }

  @Test mutating func theFiveWaysToRedirect() throws {
    var answers: [String: SandboxJSON] = [:]
    for name in ["threeds", "threeds_post", "threeds_json", "threeds_body", "threeds_html"] {
      answers[name] = bench.validate(try bench.session(), [Bench.card("120.00", name)]).json
    }
    let page = "http://127.0.0.1:4711/sandbox/pages/"
    let root = { (name: String) in answers[name]?["redirection"] }
    let logs = { (name: String) in answers[name]?["results"]?[0]?["plugin_result"]?["logs"] }
    for name in ["threeds", "threeds_post", "threeds_body"] {
      #expect(root(name)?["url"]?.string?.hasPrefix(page) == true)
    }
    #expect(root("threeds")?.members?.count == 1)
    #expect(logs("threeds") == nil)
    let parameters = try #require(logs("threeds_post")?["redirect_url_post_params"]?.string)
    #expect(try SandboxJSON(reading: parameters) == ["PaReq": "sandbox-request", "MD": "sandbox data"])
    #expect(logs("threeds_json")?["redirection_url"]?.string?.hasPrefix(page) == true)
    #expect(logs("threeds_json")?["redirection_json"]?.string?.contains("\"creq\"") == true)
    #expect(root("threeds_body")?["method"] == "POST")
    #expect(root("threeds_body")?["body"] == "PaReq=sandbox-request&MD=sandbox%20data")
    #expect(root("threeds_html")?["form"]?.string?.contains("method=\"post\" action=\"\(page)") == true)
    #expect(root("threeds_html")?["url"] == nil)
  }

  @Test mutating func giftCardsAndACardPayTogether() throws {
    let session = try bench.session()
    let first = try bench.step(session, Bench.giftCard("6000000000005000", "120.00"))
    let second = try bench.step(session, Bench.giftCard("6000000000001234", "120.00", id: "easy2play-giftcard"))
    let reply = bench.validate(
      session,
      [
        Bench.giftCard("6000000000005000", "50.00", step: first),
        Bench.giftCard("6000000000001234", "12.34", id: "easy2play-giftcard", step: second), Bench.card("57.66"),
      ])
    #expect(reply.status == 200)
    let amounts = reply.json["results"]?.elements?.map { $0["plugin_result"]?["amount"]?.numberLiteral }
    #expect(amounts == ["50.00", "12.34", "57.66"])
    let split: SandboxJSON = [
      ["partner": "illicado", "method": "giftcard", "amount": 5_000],
      ["partner": "easy2play", "method": "giftcard", "amount": 1_234],
      ["partner": "purse", "method": "creditcard", "amount": 5_766],
    ]
    #expect(bench.payments()[0]["split"] == split)
  }

  @Test mutating func giftCardsAloneCanPay() throws {
    let session = try bench.session()
    let step = try bench.step(session, Bench.giftCard("6000000000050000", "120.00"))
    let reply = bench.validate(session, [Bench.giftCard("6000000000050000", "120.00", step: step)])
    #expect(reply.json["global_status"] == "SUCCESS")
  }

  @Test mutating func aPolledCardPaysByItsHandle() throws {
    let session = try bench.session()
    let card = { Bench.giftCard("6200000100050000", "120.00", id: "buybox-giftcard", step: $0) }
    let step = try bench.step(session, card(nil))
    let slice = Bench.item("buybox-giftcard", "120.00", step: step)
    #expect(bench.validate(session, [slice]).code == "UNKNOWN_STEP")
    #expect(bench.initialize(session, card(step)).json["status"]?["state"] == "SUCCESS")
    #expect(bench.validate(session, [slice]).status == 200)
  }

  @Test mutating func redirectionAndNativeMethodsPay() throws {
    for id in ["hipay-bancontact", "fintecture-instantpayment", "paypal-wallet"] {
      let session = try bench.session()
      let step = try bench.step(session, Bench.item(id, "120.00"))
      let answer = bench.validate(session, [Bench.item(id, "120.00", step: step)]).json
      #expect(answer["global_status"] == "WAITING")
      #expect(answer["redirection"]?["url"]?.string?.hasPrefix("\(Bench.base)/sandbox/pages/") == true)
    }
    for (token, status) in [("anything", "SUCCESS"), (Bench.token("declined"), "FAILED")] {
      let session = try bench.session()
      let step = try bench.step(session, Bench.item("klarna-paylater", "120.00"))
      let data: SandboxJSON = ["authorization_token": .string(token)]
      let answer = bench.validate(session, [Bench.item("klarna-paylater", "120.00", data: data, step: step)]).json
      #expect(answer["global_status"] == .string(status))
    }
  }

  @Test mutating func aSavedCardPaysWithAndWithoutItsCode() throws {
    let saved = SandboxJSON.string(PurseCatalogue.savedCard)
    let plain = bench.validate(
      try bench.session(), [Bench.item("purse-creditcard", "120.00", data: ["wallet_token": saved])])
    #expect(plain.json["global_status"] == "SUCCESS")
    let data: SandboxJSON = ["wallet_token": saved, "vault_form_token": .string(Bench.token("declined"))]
    let coded = bench.validate(try bench.session(), [Bench.item("purse-creditcard", "120.00", data: data)])
    #expect(coded.json["global_status"] == "FAILED")
    let unknown: SandboxJSON = ["wallet_token": "nobody's"]
    let refused = bench.validate(try bench.session(), [Bench.item("purse-creditcard", "120.00", data: unknown)])
    #expect(refused.code == "UNKNOWN_WALLET_TOKEN")
  }

  @Test mutating func aSavedCardsValueCanNameACase() throws {
    let protocols: SandboxJSON = [
      "purse": [
        "creditcard": [
          "configurations": ["labels": ["primary"], "vault": ["vendor": "purse"]],
          "integrated_tokens": [["value": "wtk_declined_1"], ["value": "plain"]],
        ]
      ]
    ]
    for (value, status) in [("wtk_declined_1", "FAILED"), ("plain", "SUCCESS")] {
      let session = try bench.session(sandbox: ["protocols": protocols])
      let item = Bench.item("purse-creditcard", "120.00", data: ["wallet_token": .string(value)])
      #expect(bench.validate(session, [item]).json["global_status"] == .string(status))
    }
  }

  @Test mutating func nothingToPayIsPaidWithNothing() throws {
    let free = try bench.session(amount: 0)
    #expect(bench.validate(free, [Bench.card("0.00")]).status == 200)
    let request = try bench.session(amount: nil, sandbox: ["informationRequest": true])
    #expect(bench.validate(request, [Bench.card("0.01")]).status == 422)
    #expect(bench.initialize(request, Bench.item("hipay-bancontact", "0.00")).code == "METHOD_NOT_FOR_LATER_USE")
    #expect(bench.validate(request, [Bench.card("0.00")]).status == 200)
  }
}

// What is refused, and that nothing is paid then.
extension ValidateTests {
  private static func changed(_ item: SandboxJSON, _ name: String, _ value: SandboxJSON?) -> SandboxJSON {
    var item = item
    item[name] = value
    return item
  }

  private static let refused: [(SandboxJSON, String, String?)] = [
    (.object([]), "INVALID_SPLIT", ""), ([], "INVALID_SPLIT", ""), (["x"], "INVALID_ITEM", "/0"),
    ([Bench.card("119.99")], "AMOUNT_MISMATCH", ""), ([Bench.card("120.01")], "AMOUNT_MISMATCH", ""),
    ([Bench.card("60.00"), Bench.card("60.00")], "INVALID_SPLIT", "/0"),
    ([Bench.card("120.000")], "", nil), ([Bench.card("120.001")], "INVALID_AMOUNT", "/0/amount"),
    ([Bench.card("-120.00")], "INVALID_AMOUNT", "/0/amount"),
    ([Bench.card("120.00"), Bench.card("0.00")], "INVALID_AMOUNT", "/1/amount"),
    ([changed(Bench.card("120.00"), "amount", "120.00")], "INVALID_AMOUNT", "/0/amount"),
    ([changed(Bench.card("120.00"), "extra", 1)], "UNKNOWN_KEY", "/0/extra"),
    ([changed(Bench.card("120.00"), "step_id", 1)], "INVALID_ITEM", "/0/step_id"),
    ([changed(Bench.card("120.00"), "step_id", nil)], "", nil),
    ([changed(Bench.card("120.00"), "partner", "nobody")], "UNKNOWN_METHOD", "/0/method"),
    ([changed(Bench.card("120.00"), "payment_data", ["pan": "4"])], "UNKNOWN_KEY", "/0/payment_data/pan"),
    ([changed(Bench.card("120.00"), "payment_data", .object([]))], "INVALID_ITEM", "/0/payment_data"),
    ([changed(Bench.card("120.00"), "payment_preferences", ["save_token": true])], "", nil),
    ([Bench.card("120.00", "nonsense")], "UNKNOWN_FORM_TOKEN", "/0/payment_data/vault_form_token"),
    ([Bench.item("hipay-mbway", "120.00")], "METHOD_UNSTABLE", "/0/method"),
    ([Bench.item("hipay-bancontact", "120.00")], "UNKNOWN_STEP", "/0/step_id"),
    ([Bench.item("hipay-bancontact", "120.00", step: 1)], "UNKNOWN_STEP", "/0/step_id"),
    ([Bench.item("younited-loan", "120.00")], "MIN_AMOUNT_NOT_MET", "/0/amount"),
    ([Bench.giftCard("6000000000050000", "120.00")], "UNKNOWN_STEP", "/0/step_id"),
  ]

  @Test(arguments: refused.indices) mutating func aWrongSplitPaysNothing(_ index: Int) throws {
    let (split, code, pointer) = Self.refused[index]
    let session = try bench.session()
    let reply = bench.validate(session, split)
    #expect(reply.status == (code.isEmpty ? 200 : 422), "\(reply.text)")
    #expect(reply.code == (code.isEmpty ? nil : code))
    #expect(reply.pointer == pointer)
    #expect(bench.payments().count == (code.isEmpty ? 1 : 0))
    #expect(bench.read(session).json["status"] == (code.isEmpty ? "SUBMITTED" : "CREATED"))
  }

  @Test(
    arguments: [
      "tok_success_", "tok_success_xxxxxxxxxxxxxxxxxxx!", "tok_success_xxxxxxxxxxxxxxxxxxxxx",
      "xxx_success_xxxxxxxxxxxxxxxxxxxx",
      "tok_successxxxxxxxxxxxxxxxxxxxxx", "tok_SUCCESS_xxxxxxxxxxxxxxxxxxxx",
    ])
  func aFormTokenIsThirtyTwoOfItsAlphabet(_ token: String) { #expect(PaymentCase(formToken: token) == nil) }

  @Test func theLongestCaseWins() {
    #expect(PaymentCase(formToken: "tok_threeds_post_xxxxxxxxxxxxxxx") == .threeDSPost)
    #expect(PaymentCase(formToken: "tok_threeds_postxxxxxxxxxxxxxxxx") == .threeDS)
    #expect(PaymentCase(formToken: "tok_threeds_AZaz09-_xxxxxxxxxxxx") == .threeDS)
  }

  @Test mutating func amountBoundsLimitsAndBrandsAreChecked() throws {
    let session = try bench.session(amount: 6_000_000)
    let loan = try bench.step(session, Bench.item("younited-loan", "60000.00"))
    let tooMuch = bench.validate(session, [Bench.item("younited-loan", "60000.00", step: loan)])
    #expect(tooMuch.code == "MAX_AMOUNT_EXCEEDED")
    let brand = Bench.item(
      "purse-creditcard", "60000.00",
      data: ["vault_form_token": .string(Bench.token("success")), "selected_network": "ONEY"])
    #expect(bench.validate(session, [brand]).pointer == "/0/payment_data/selected_network")
    let started = try bench.step(session, Bench.item("hipay-bancontact", "100.00"))
    let moved = bench.validate(session, [Bench.item("hipay-bancontact", "60000.00", step: started)])
    #expect(moved.code == "STEP_AMOUNT_MISMATCH")
    var saving = Bench.item("hipay-bancontact", "60000.00", step: started)
    saving["payment_preferences"] = ["save_token": true]
    #expect(bench.validate(session, [saving]).pointer == "/0/payment_preferences/save_token")
    let data = Bench.item("hipay-bancontact", "60000.00", data: ["x": 1], step: started)
    #expect(bench.validate(session, [data]).status == 422)
    #expect(bench.payments().isEmpty)
  }

  @Test mutating func giftCardSlicesStayWithinBalanceAndLimit() throws {
    let session = try bench.session()
    let number = "6000000000005000"
    let first = try bench.step(session, Bench.giftCard(number, "120.00"))
    let second = try bench.step(session, Bench.giftCard(number, "120.00"))
    let over = bench.validate(session, [Bench.giftCard(number, "50.01", step: first), Bench.card("69.99")])
    #expect(over.code == "INSUFFICIENT_BALANCE")
    let twice = bench.validate(
      session,
      [
        Bench.giftCard(number, "30.00", step: first), Bench.giftCard(number, "30.00", step: second),
        Bench.card("60.00"),
      ])
    #expect(twice.code == "INSUFFICIENT_BALANCE")
    let stranger = bench.validate(
      session, [Bench.giftCard("6000000100005000", "50.00", step: first), Bench.card("70.00")])
    #expect(stranger.code == "INVALID_ITEM")
    let needsNumber = try bench.step(session, Bench.giftCard(number, "120.00", id: "easy2play-giftcard"))
    let numberless = bench.validate(
      session, [Bench.item("easy2play-giftcard", "50.00", step: needsNumber), Bench.card("70.00")])
    #expect(numberless.code == "INVALID_ITEM")
    let wrongCode = bench.validate(
      session, [Bench.giftCard(number, "50.00", code: "0000", step: first), Bench.card("70.00")])
    #expect(wrongCode.code == "INVALID_ITEM")
    let primaryFirst = bench.validate(session, [Bench.card("70.00"), Bench.giftCard(number, "50.00", step: first)])
    #expect(primaryFirst.pointer == "/0")
    #expect(bench.payments().isEmpty)
  }

  @Test mutating func aMethodStandsAsOftenAsItsLimitAllows() throws {
    let session = try bench.session(amount: 4_000)
    var slices: [SandboxJSON] = []
    for serial in 1...4 {
      let number = "60\("00000\(serial)")00001000"
      let step = try bench.step(session, Bench.giftCard(number, "40.00"))
      slices.append(Bench.giftCard(number, "10.00", step: step))
    }
    #expect(bench.validate(session, .array(slices)).code == "USAGE_LIMIT_EXCEEDED")
    #expect(bench.validate(session, .array(slices.dropLast() + [Bench.card("10.00")])).status == 200)
  }
}

// A session pays once.
extension ValidateTests {
  @Test mutating func aSecondValidateIsRefused() throws {
    let session = try bench.session()
    #expect(bench.validate(session, [Bench.card("120.00")]).status == 200)
    let second = bench.validate(session, [Bench.card("120.00")])
    #expect(second.status == 409)
    #expect(second.code == "SESSION_ALREADY_SUBMITTED")
    #expect(bench.payments().count == 1)
  }

  @Test mutating func theSameKeyAndBodyGetTheSameAnswer() throws {
    let session = try bench.session()
    let headers = Bench.clientHeaders.merging(["idempotency-key": "k1"]) { $1 }
    let first = bench.validate(session, [Bench.card("120.00")], headers: headers)
    bench.now += 3_600_000
    let second = bench.validate(session, [Bench.card("120.00")], headers: headers)
    #expect(first.text == second.text && first.status == 200)
    let otherBody = bench.validate(session, [Bench.card("120.00", "waiting")], headers: headers)
    #expect(otherBody.code == "IDEMPOTENCY_KEY_USED" && otherBody.status == 409)
    let otherKey = Bench.clientHeaders.merging(["Idempotency-Key": "k2"]) { $1 }
    #expect(bench.validate(session, [Bench.card("120.00")], headers: otherKey).code == "SESSION_ALREADY_SUBMITTED")
    #expect(bench.payments().count == 1)
  }

  @Test mutating func aRefusedSplitDoesNotUseTheKey() throws {
    let session = try bench.session()
    let headers = Bench.clientHeaders.merging(["Idempotency-Key": "k1"]) { $1 }
    #expect(bench.validate(session, [Bench.card("1.00")], headers: headers).status == 422)
    #expect(bench.validate(session, [Bench.card("120.00")], headers: headers).status == 200)
  }

  @Test mutating func aTestCanAllowASecondPaymentToSeeIt() throws {
    let session = try bench.session(sandbox: ["submitsAgain": true])
    for _ in 0..<2 { #expect(bench.validate(session, [Bench.card("120.00")]).status == 200) }
    #expect(bench.payments().count == 2)
    let other = try bench.session()
    let filtered = bench.send("GET", "/sandbox/payments", query: ["sessionId": other]).json
    #expect(filtered["payments"] == [])
  }

  @Test mutating func theCallItselfIsChecked() throws {
    let session = try bench.session(sandbox: ["expiresInS": 60])
    let split: SandboxJSON = [Bench.card("120.00")]
    #expect(bench.validate(session, split, headers: ["Content-Type": "application/json"]).status == 401)
    #expect(bench.validate(session, split, headers: ["x-api-key": Bench.key]).status == 415)
    #expect(bench.validate("nobody", split).status == 404)
    bench.now += 60_000
    let late = bench.validate(session, split)
    #expect(late.status == 403)
    #expect(late.code == "SESSION_EXPIRED")
    #expect(bench.payments().isEmpty)
  }
}
