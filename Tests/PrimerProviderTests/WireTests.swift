import JSONText
import Testing

@testable import CheckoutCore
@testable import PrimerProvider

/// The shapes of requests, and how answers are read.
@Suite("Wire")
struct WireTests {
  private func paid() throws -> Bench {
    let bench = try Bench()
    try bench.ready()
    try bench.fill()
    try bench.create()
    bench.answer(.payment, 200, Wire.redirect)
    bench.answer(.poll, 200, Wire.complete)
    return bench
  }

  // MARK: network_requests

  @Test("network_requests: createPayment")
  func create() throws {
    let request = try #require(try paid().payments.first)
    #expect(request.method == "POST" && request.url == "https://sdk.api.sandbox.primer.io/payments")
    #expect(request.text == #"{"paymentMethodToken":"pm_1"}"# && request.money == .opens)
    #expect(request.header("Content-Type") == "application/json" && request.header("X-Api-Version") == "2.4")
  }

  @Test("network_requests: configuration")
  func configuration() throws {
    let bench = try Bench()
    try bench.perform(.start(tag: nil))
    let request = bench.sent[0]
    #expect(request.method == "GET" && request.body.isEmpty && request.money == .none)
    #expect(request.url == "https://api.sandbox.primer.io/client-sdk/configuration?withDisplayMetadata=true")
    #expect(request.header("X-Api-Version") == "2.4" && request.header("Content-Type") == nil)
    #expect(request.header("Primer-Client-Token") == "at_1")
    #expect(request.header("Primer-SDK-Checkout-Session-ID")?.utf8.count == 36)
    #expect(request.header("Primer-SDK-Version") != nil && request.header("Primer-SDK-Client") != nil)
  }

  @Test("network_requests: resume payment")
  func resume() throws {
    let request = try #require(try paid().payments.last)
    #expect(request.method == "POST")
    #expect(request.url == "https://sdk.api.sandbox.primer.io/payments/pay_1/resume")
  }

  @Test("network_requests: an id from the back end cannot leave its place in a path")
  func path() throws {
    let bench = try Bench()
    try bench.ready()
    try bench.fill()
    try bench.create()
    bench.answer(.payment, 200, Wire.redirect.replacing("pay_1", with: "../x?y#z"))
    bench.answer(.poll, 200, Wire.complete)
    #expect(bench.payments.last?.url == "https://sdk.api.sandbox.primer.io/payments/..%2Fx%3Fy%23z/resume")
  }

  @Test("network_requests: base url null")
  func noBase() throws {
    let bench = try Bench(Token(["pciUrl": nil]))
    try bench.ready(#"{"clientSession":\#(Wire.session),"paymentMethods":[\#(Wire.methods)],"checkoutModules":[]}"#)
    #expect(bench.results.last?["error"]?["code"]?.string == "missing-configuration")
    #expect(bench.sessionState == "terminated")
  }

  @Test("network_requests: identifier given, and null")
  func identifier() throws {
    let requests = try paid().sent
    for request in requests {
      let identifier = request.header("X-Request-ID")
      #expect((identifier != nil) == (request.money == .opens))
      if let identifier { #expect(identifier.wholeMatch(of: /[0-9A-Za-z]{32}/) != nil) }
    }
  }

  @Test("a card is tokenized with what was typed in its place, after its method was selected")
  func tokenize() throws {
    let bench = try Bench()
    try bench.ready()
    try bench.fill()
    try bench.perform(.elementReport(element: "PAYMENT_CARD", .brands(["VISA"])))
    try bench.submit()
    #expect(bench.sent.last?.url == "https://sdk.api.sandbox.primer.io/client-session/actions")
    #expect(
      bench.sent.last?.text
        == #"{"actions":[{"type":"SELECT_PAYMENT_METHOD","params":{"paymentMethodType":"PAYMENT_CARD","#
        + #""binData":{"network":"VISA"}}}]}"#)
    bench.answer(.sessionAction, 200, "{}")
    #expect(
      bench.sent.last?.text
        == #"{"paymentInstrument":{"number":"<1>","cvv":"<2>","expirationMonth":"04","expirationYear":"2035","#
        + #""cardholderName":"<3>","preferredNetwork":"VISA"}}"#)
    #expect(bench.sent.last?.url == "https://sdk.api.sandbox.primer.io/payment-instruments")
    #expect(bench.sent.last?.money == Money.none)
  }

  @Test("a network that is not known is OTHER, and none is preferred")
  func otherNetwork() throws {
    let bench = try Bench()
    try bench.ready()
    try bench.fill()
    try bench.submit()
    #expect(bench.sent.last?.text.contains(#""network":"OTHER""#) == true)
    bench.answer(.sessionAction, 200, "{}")
    #expect(bench.sent.last?.text.contains("preferredNetwork") == false)
  }

  @Test("a method with a surcharge is selected first")
  func surcharge() throws {
    let options = #""options":[{"type":"ADYEN_IDEAL","surcharge":50}],"orderedAllowedCardNetworks""#
    let bench = try Bench()
    try bench.ready(
      Wire.configuration(session: Wire.session.replacing(#""orderedAllowedCardNetworks""#, with: options)))
    try bench.perform(
      .elementOpen(
        ElementOpen(choice: .item("ADYEN_IDEAL"), presentsRedirects: true, appReturnURL: "shop://back", tag: nil)))
    try bench.perform(.setPrimary(.item("ADYEN_IDEAL")))
    try bench.submit()
    #expect(
      bench.sent.last?.text
        == #"{"actions":[{"type":"SELECT_PAYMENT_METHOD","params":{"paymentMethodType":"ADYEN_IDEAL"}}]}"#)
  }

  // seed: 003:73b
  @Test("what an action says of the order waits for the next refresh")
  func midCheckout() throws {
    let bench = try Bench()
    try bench.ready()
    try bench.fill()
    try bench.submit()
    bench.answer(.sessionAction, 200, Wire.configuration(session: Wire.session.replacing("1200", with: "9")))
    #expect(bench.state(.clientSession)["totalAmount"]?.int64 == 1_200)
  }

  @Test("what fails before the payment leaves the session ready", arguments: [Call.sessionAction, .tokenize])
  func before(_ call: Call) throws {
    for status in [0, 400, 401, 500, 200] {
      if call == .sessionAction, status == 200 { continue }
      let bench = try Bench()
      try bench.ready()
      try bench.fill()
      try bench.submit()
      if call == .tokenize { bench.answer(.sessionAction, 200, "{}") }
      if status == 0 { bench.lose(call, left: true) } else { bench.answer(call, status, "{}") }
      #expect(OutcomeTests.word(bench.outcomes.first) == "unknown" && bench.sessionState == "ready")
      #expect(bench.outcomes[0]["error"]?["moved"]?.string == "no" && bench.payments.isEmpty)
      // What was sent is not kept.
      #expect(Set(bench.forgotten.map { $0.value }) == (call == .tokenize ? [1, 2, 3] : []))
    }
  }

  // MARK: config_decode

  private func methods(_ methods: String, session: String? = Wire.session) throws -> [String] {
    let bench = try Bench()
    try bench.ready(Wire.configuration(session: session, methods: methods))
    return bench.state(.paymentMethods).elements.compactMap { $0["id"]?.string }
  }

  @Test("config_decode: a method's id is a number: the entry is kept without it")
  func numericID() throws {
    #expect(try methods(#"{"id":7,"type":"PAYMENT_CARD"}"#) == ["PAYMENT_CARD"])
  }

  @Test("config_decode: a type that is unknown is kept when it is a web redirect")
  func unknownType() throws {
    #expect(try methods(#"{"type":"test","implementationType":"WEB_REDIRECT"}"#) == ["test"])
  }

  @Test("config_decode: seven methods, of which those that a client without screens can do are offered")
  func seven() throws {
    let types = ["PAYMENT_CARD", "APPLE_PAY", "KLARNA", "A", "B", "PAYPAL", "C"]
    let entries = types.map {
      #"{"type":"\#($0)","implementationType":"\#($0.count == 1 ? "WEB_REDIRECT" : "NATIVE_SDK")"}"#
    }
    #expect(try methods(entries.joined(separator: ",")) == ["PAYMENT_CARD", "A", "B", "C"])
  }

  @Test("config_decode: no modules are a list too; without the list it is no configuration")
  func modules() throws {
    let bench = try Bench()
    try bench.ready(Wire.configuration())
    #expect(bench.phase == "ready")
    for broken in [#","checkoutModules":[]"#, #""paymentMethods":[\#(Wire.methods)],"#] {
      let other = try Bench()
      try other.ready(Wire.configuration().replacing(broken, with: ""))
      #expect(other.results.last?["error"]?["code"]?.string == "missing-configuration")
    }
  }

  @Test("bad entries are passed over, and of two of a type the first counts")
  func badEntries() throws {
    let entries =
      #"7,null,{},{"type":3},{"type":"","implementationType":"WEB_REDIRECT"},{"type":"PAYMENT_CARD"},{"type":"PAYMENT_CARD"}"#
    #expect(try methods(entries) == ["PAYMENT_CARD"])
  }

  @Test(
    "what cannot be offered has a name",
    arguments: [
      ("", Wire.session, "misconfigured-payment-methods"),
      (#"{"type":"APPLE_PAY"}"#, Wire.session, "missing-configuration"),
      (Wire.methods, nil, "missing-configuration"),
    ] as [(String, String?, String)])
  func nothingToOffer(_ entries: String, _ session: String?, _ code: String) throws {
    let bench = try Bench()
    try bench.ready(Wire.configuration(session: session, methods: entries))
    #expect(bench.results.last?["error"]?["code"]?.string == code && bench.sessionState == "terminated")
  }

  @Test("the order: names, amounts, networks, and what has another type")
  func order() throws {
    let session = """
      {"clientSessionId":"cs_1","order":{"orderId":"o","merchantAmount":999,"totalOrderAmount":1200,"currencyCode":"KWD",\
      "countryCode":"KW","lineItems":[{"itemId":"i","description":"d","amount":1100,"discountAmount":1,"quantity":2,\
      "taxAmount":3,"taxCode":"t","name":"n"}],"fees":[{"type":"SURCHARGE","amount":60}],\
      "shipping":{"amount":100,"methodId":"m","methodName":"mn","methodDescription":"md"}},\
      "customer":{"customerId":"c","emailAddress":"e","mobileNumber":5,"firstName":"f","lastName":"l",\
      "billingAddress":{"firstName":"bf","addressLine1":"a1","countryCode":"GB"}},\
      "paymentMethod":{"orderedAllowedCardNetworks":["VISA","AMEX","TEST"]}}
      """
    let bench = try Bench()
    try bench.ready(Wire.configuration(session: session))
    let order = bench.state(.clientSession)
    #expect(order["customerId"]?.string == "c" && order["orderId"]?.string == "o")
    #expect(order["currencyCode"]?.string == "KWD" && order["totalAmount"]?.int64 == 1_200)
    #expect(bench.state(.amount).int64 == 999 && bench.state(.currency)["digits"]?.int64 == 3)
    let item = order["lineItems"]?.elements.first { _ in true }
    #expect(item?["itemDescription"]?.string == "d" && item?["quantity"]?.int64 == 2 && item?["taxAmount"]?.int64 == 3)
    #expect(order["orderDetails"]?["shipping"]?["methodId"]?.string == "m")
    #expect(order["orderDetails"]?["countryCode"]?.string == "KW")
    #expect(order["customer"]?["mobileNumber"]?.isNull == true && order["customer"]?["firstName"]?.string == "f")
    #expect(order["customer"]?["billingAddress"]?["addressLine1"]?.string == "a1")
    #expect(order["customer"]?["shippingAddress"]?.isNull == true)
    let networks = order["paymentMethod"]?["orderedAllowedCardNetworks"]?.elements.map { $0.string ?? "" }
    #expect(networks == ["VISA", "AMEX", "OTHER"])
    #expect(order["fees"]?.elements.first { _ in true }?["amount"]?.int64 == 60)
  }

  @Test("a currency that the table does not have is none; one bad line drops the list; texts are no amounts")
  func lenient() throws {
    let session = Wire.session.replacing("EUR", with: "XXX").replacing("1200", with: #""10160""#)
      .replacing(#""currencyCode""#, with: #""lineItems":[{"itemId":"a","quantity":1},{"itemId":"b"}],"currencyCode""#)
    let bench = try Bench()
    try bench.ready(Wire.configuration(session: session))
    let order = bench.state(.clientSession)
    #expect(order["currencyCode"]?.isNull == true && bench.state(.currency).isNull)
    #expect(order["totalAmount"]?.isNull == true && order["lineItems"]?.isNull == true)
    #expect(bench.phase == "ready")
  }

  // MARK: network_responses

  @Test("network_responses: 200 with matching JSON is read; empty, html and error objects are no payment")
  func responses() throws {
    for (status, body, told) in [
      (200, Wire.payment("SUCCESS"), "completed success"), (200, "", "OUTCOME_UNKNOWN"),
      (200, "<html></html>", "OUTCOME_UNKNOWN"),
      (202, #"{"error":{"errorId":"x","description":"d","diagnosticsId":"g"}}"#, "OUTCOME_UNKNOWN"),
      (400, "", "failed-to-create-payment"), (0, "", "OUTCOME_UNKNOWN"),
    ] {
      let bench = try OutcomeTests.bench(isResume: false)
      bench.answer(.payment, status, body)
      #expect(OutcomeTests.word(bench.outcomes.first) == told, "\(status) \(body)")
    }
  }

  @Test(
    "network_responses: an empty or html body is enough for a call that is answered by its status",
    arguments: ["", "<html>"])
  func emptySuccess(_ body: String) throws {
    let bench = try Bench()
    try bench.ready()
    try bench.fill()
    try bench.submit()
    bench.answer(.sessionAction, 200, body)
    #expect(bench.open.first?.request.call == .tokenize)
  }

  @Test("network_responses: a refusal tells its error, by names alone", arguments: [true, false])
  func errorBody(_ isWrapped: Bool) throws {
    let error = #"{"errorId":"SomeError","description":"4111111111111111","diagnosticsId":"0af7-x"}"#
    let bench = try OutcomeTests.bench(isResume: false)
    bench.answer(.payment, 400, isWrapped ? #"{"error":\#(error)}"# : error)
    let details = bench.outcomes[0]["error"]?["details"]
    #expect(details?["errorId"]?.string == "SomeError" && details?["diagnosticsId"]?.string == "0af7-x")
    #expect(details?["statusCode"]?.int64 == 400)
    #expect(!bench.outcomes[0].compactText.contains("4111"))
  }
}
