import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

@Suite("Elements and partners")
struct ElementTests {
  private func refusal(_ body: () throws(CheckoutError) -> Void) -> ErrorCode? {
    do throws(CheckoutError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  /// Klarna's element, open and shown.
  private func klarna(_ world: World) throws {
    let token = try world.readCard("500.00", number: 1)
    try world.take(token, 4_000)
    try world.open(Shop.klarna, "shop://back")
    world.answer(.initialize, 200, Shop.data(1))
    try world.report(Shop.klarna, .ready)
  }

  // MARK: Flags

  // seed: 002:26
  // seed: 002:27
  @Test(
    "What each kind of element shows",
    arguments: [
      (Shop.card, true, false), (Shop.page, false, false), (Shop.klarna, true, false), (Shop.applePay, true, true),
      (Shop.payPal, true, true),
    ])
  func flags(_ id: String, _ hasUI: Bool, _ isSelfSubmitting: Bool) throws {
    let world = try Shop.open(amount: "90.00")
    try world.open(id, "shop://back")
    world.answer(.initialize, 200, Shop.data(1))
    for shown in [world.shownElement(id), world.listed(id)] {
      #expect(shown?["hasUI"]?.boolean == hasUI)
      #expect(shown?["selfSubmitting"]?.boolean == isSelfSubmitting)
    }
    #expect((world.shownElement(id)?["card"]?.isNull == false) == (id == Shop.card))
  }

  // seed: 002:28
  @Test("Ready: a valid form, a widget that is there with its data, or nothing to show")
  func readiness() throws {
    let world = try Shop.open(amount: "90.00")
    try world.open(Shop.page)
    #expect(world.isReady(Shop.page) == true)
    try world.open(Shop.card)
    #expect(world.isReady(Shop.card) == false)
    try world.report(Shop.card, .formValidity(true))
    #expect(world.isReady(Shop.card) == true)
    try world.report(Shop.card, .formValidity(false))
    #expect(world.isReady(Shop.card) == false)
    try world.open(Shop.payPal)
    #expect(world.isReady(Shop.payPal) == false)
    try world.report(Shop.payPal, .ready)
    #expect(world.isReady(Shop.payPal) == true)
    try world.openToken("plain")
    #expect(world.isReady("plain") == true)
    try world.openToken("code")
    #expect(world.isReady("code") == false)
    try world.report("code", .formValidity(true))
    #expect(world.isReady("code") == true)
    #expect(
      world.heard.filter { $0.hasPrefix(Shop.card) } == [
        "\(Shop.card) ready true", "\(Shop.card) ready false",
      ])
  }

  // MARK: Data of a widget

  // seed: 002:30a
  // seed: 002:30b
  // seed: 002:30c
  @Test("Klarna and Apple Pay ask for their data when they are opened, all others when they pay or never")
  func initAtOpen() throws {
    let world = try Shop.open(amount: "90.00")
    #expect(world.initRequests.isEmpty)
    for id in [Shop.card, Shop.page, Shop.payPal] { try world.open(id) }
    try world.openToken("plain")
    #expect(world.initRequests.isEmpty)
    try world.open(Shop.klarna, "shop://back")
    #expect(world.initRequests.count == 1)
    #expect(world.initRequests.first?.contains(#""partner":"klarna","method":"paylater","amount":90.00"#) == true)
    #expect(!world.results.contains { $0["tag"]?.string == Shop.klarna })
    world.answer(.initialize, 200, Shop.data(1))
    let result = try #require(world.results.last?["result"])
    #expect(result["init"]?["client_token"]?.string == "c")
    #expect(result["element"]?["isReady"]?.boolean == false && result["element"]?["stale"]?.boolean == false)
    #expect(world.results.last?["tag"]?.string == Shop.klarna)
    try world.report(Shop.klarna, .ready)
    #expect(world.isReady(Shop.klarna) == true)
    // Opened again it is the same, and asks for nothing.
    try world.open(Shop.klarna, "shop://back")
    #expect(world.initRequests.isEmpty && world.isReady(Shop.klarna) == true)
    try world.open(Shop.applePay)
    #expect(world.initRequests.count == 1)
  }

  // seed: 002:46
  @Test("Klarna needs a place to return to, of the kind that can be recognised")
  func returnURL() throws {
    let world = try Shop.open(amount: "90.00")
    for url in [nil, "", "http://shop.example/", "javascript:x"] as [String?] {
      #expect(refusal { () throws(CheckoutError) in try world.open(Shop.klarna, url) } == .invalidInitParams)
    }
    #expect(world.state(.elements).count == 0 && world.initRequests.isEmpty)
    // Nor can it pay without: there is no element to return to.
    try world.perform(.setPrimary(.item(Shop.klarna)))
    #expect(world.state(.submitBlockers)[0]?["code"]?.string == "ELEMENT_NOT_FULFILLED")
    #expect(refusal { () throws(CheckoutError) in try world.submit() } == .elementNotFulfilled)
  }

  @Test("A refused opening leaves the item usable, and can be tried again", arguments: [500, 400, 403, 200])
  func refusedInit(_ status: Int) throws {
    let world = try Shop.open(amount: "90.00")
    try world.open(Shop.klarna, "shop://back")
    world.answer(.initialize, status, #"{"id":"i","status":{"state":"FAILED","code":"X"}}"#)
    let error = try #require(world.results.last?["error"])
    #expect(error["code"]?.string == "PARTNER_UI_ERROR" && error["moved"]?.string == "no")
    #expect(world.state(.elements).count == 0)
    #expect(world.disabled(Shop.klarna)?.isNull == true)
    try world.open(Shop.klarna, "shop://back")
    world.answer(.initialize, 200, Shop.data(2))
    #expect(world.results.last?["result"]?["init"] != nil)
  }

  @Test("When the amount moves the element is stale, not ready, and initialised again")
  func stale() throws {
    let world = try Shop.open()
    try klarna(world)
    #expect(world.isReady(Shop.klarna) == true)
    try world.take("gc1", 5_000)
    #expect(world.shownElement(Shop.klarna)?["stale"]?.boolean == true)
    #expect(world.isReady(Shop.klarna) == false)
    #expect(world.initRequests.count == 1 && world.initRequests[0].contains(#""amount":70.00"#))
    // It moves on before the answer: that one is of no use any more.
    try world.take("gc1", 6_000)
    #expect(world.initRequests.count == 1)
    world.answer(.initialize, 200, Shop.data(2))
    #expect(world.initRequests.count == 1 && world.initRequests[0].contains(#""amount":60.00"#))
    #expect(world.heard.last != "\(Shop.klarna) initialized")
    world.answer(.initialize, 200, Shop.data(3, #"{"client_token":"new"}"#))
    #expect(world.heard.last == "\(Shop.klarna) initialized")
    #expect(world.told.last?.json["init"]?["client_token"]?.string == "new")
    #expect(world.shownElement(Shop.klarna)?["stale"]?.boolean == false)
    #expect(world.isReady(Shop.klarna) == false)
    try world.report(Shop.klarna, .ready)
    #expect(world.isReady(Shop.klarna) == true)
    #expect(
      world.heard.filter { $0.contains(" ready ") } == [
        "\(Shop.klarna) ready true", "\(Shop.klarna) ready false", "\(Shop.klarna) ready true",
      ])
  }

  @Test("An amount that comes back finds the data that were for it; nothing left to pay asks for none")
  func backAndForth() throws {
    let world = try Shop.open()
    try klarna(world)
    try world.take("gc1", nil)
    #expect(world.state(.remainingAmountToPay).int64 == 0)
    #expect(world.initRequests.isEmpty && world.isReady(Shop.klarna) == false)
    try world.take("gc1", 4_000)
    #expect(world.initRequests.isEmpty && world.isReady(Shop.klarna) == true)
  }

  @Test("A refusal of new data is told, and not asked again until the amount moves or the host asks")
  func refusedAgain() throws {
    let world = try Shop.open()
    try klarna(world)
    try world.take("gc1", 5_000)
    world.answer(.initialize, 500, "{}")
    #expect(world.heard.last == "\(Shop.klarna) initFailed")
    #expect(world.told.last?.json["error"]?["code"]?.string == "PARTNER_UI_ERROR")
    world.advance(60_000)
    #expect(world.initRequests.isEmpty && world.shownElement(Shop.klarna)?["stale"]?.boolean == true)
    try world.open(Shop.klarna, "shop://back")
    #expect(world.initRequests.count == 1)
    world.answer(.initialize, 500, "{}")
    #expect(world.results.last?["error"] != nil && world.shownElement(Shop.klarna) != nil)
    try world.take("gc1", 6_000)
    #expect(world.initRequests.count == 1)
  }

  // seed: 002:59
  @Test("Another session: a kept widget is initialised for it, and nothing that was prepared survives")
  func newSession() throws {
    let world = try Shop.open()
    try klarna(world)
    try world.perform(.setPrimary(.item(Shop.klarna)))
    try world.submit()
    try world.answerTicket(.step, .ok(#"{"payment_data":{"authorization_token":"a"}}"#))
    #expect(world.checkout.core.collected[Shop.klarna] != nil)
    world.answer(.validate, 400, "{}")
    try world.report(Shop.klarna, .ready)
    let reply = try world.perform(.setSession(widgetData: Shop.blob("s2", amount: "80.00").text))
    #expect(reply["items"]?.elements.first { $0["id"]?.string == Shop.klarna }?["fate"]?.string == "kept")
    #expect(world.state(.primary)["item"]?.string == Shop.klarna)
    #expect(world.checkout.core.collected[Shop.klarna] == nil)
    #expect(world.isReady(Shop.klarna) == false && world.shownElement(Shop.klarna)?["stale"]?.boolean == true)
    #expect(world.initRequests.count == 1)
    let asked = try #require(world.open.first { $0.request.call == .initialize })
    #expect(asked.request.url.contains("/sessions/s2/init"))
    // An item that is not kept loses its element, with the code of a state as the reason.
    var other = Shop.blob("s3", amount: "80.00")
    other.methods = ""
    try world.perform(.setSession(widgetData: other.text))
    let closed = try #require(world.told.last { $0.json["what"]?.string == "closed" })
    #expect(closed.json["reason"]?.string == "DOES_NOT_BELONG_TO_CURRENT_SESSION")
    #expect(world.state(.elements).count == 0)
  }

  @Test("Whoever waits for an element always gets an answer", arguments: 0..<4)
  func waiting(_ way: Int) throws {
    let world = try Shop.open(amount: "90.00")
    try world.open(Shop.klarna, "shop://back")
    try world.open(Shop.klarna, "shop://other")
    switch way {
    case 0: world.answer(.initialize, 200, Shop.data(1))
    case 1: try world.perform(.elementClose(Shop.klarna))
    case 2: try world.perform(.teardown)
    default:
      var other = Shop.blob("s2")
      other.methods = ""
      try world.perform(.setSession(widgetData: other.text))
    }
    let calls = world.results.compactMap { $0["call"]?.int64 }
    #expect(calls == [1, 2])
    let results = world.results
    #expect((results[0]["error"] == nil) == (way < 2))
    if way == 1 { #expect(results[0]["result"]?["ignored"]?.boolean == true) }
    if way == 2 { #expect(results[0]["error"]?["code"]?.string == "CHECKOUT_TORN_DOWN") }
    if way != 0 { #expect(world.cancelled.count >= 1) }
    // Its answer comes late, and changes nothing.
    let before = world.checkout
    world.answer(.initialize, 200, Shop.data(1))
    if way != 0 { #expect(world.checkout.core.elements == before.core.elements) }
  }

  @Test("While the outcome is unknown, or after it, an element opens without asking for data")
  func openLate() throws {
    let world = try Shop.open(amount: "90.00")
    try world.submitCard()
    world.lose(.validate, left: true)
    try world.open(Shop.klarna, "shop://back")
    #expect(world.initRequests.isEmpty)
    #expect(world.results.last?["result"]?["element"]?["isReady"]?.boolean == false)
    try world.perform(.resolve(attempt: 1, .notCreated))
    #expect(world.initRequests.count == 1)
  }

  // MARK: Steps

  // seed: 002:20c
  @Test("A widget: its data, the shopper in it, what it gives")
  func prepare() throws {
    let world = try Shop.open([.beforeValidate])
    try klarna(world)
    try world.perform(.setPrimary(.item(Shop.klarna)))
    #expect(world.state(.isPaymentFulfilled).boolean == true)
    try world.submit(Shop.klarna)
    let step = try #require(world.openTickets.first)
    #expect(step.json["step"]?.string == "prepare" && step.json["element"]?.string == Shop.klarna)
    #expect(
      step.json["data"]?.compactText
        == #"{"init":{"client_token":"c"},"amount":8000,"currency":"EUR","appReturnURL":"shop://back"}"#)
    try world.answerTicket(.step, .ok(#"{"payment_data":{"authorization_token":"123456789012345"}}"#))
    try world.answerTicket(.beforeValidate, .error("no"))
    #expect(world.sessionState == "ready" && world.money.isEmpty)
    // What the shopper went through is not asked again for this amount.
    try world.submit()
    try world.answerTicket(.beforeValidate, .ok("{}"))
    let body = try #require(world.money.last?.shownBody)
    #expect(body.contains(#""payment_data":{"authorization_token":"123456789012345"}"#))
    #expect(body.contains(#""step_id":1"#))
    world.answer(.validate, 200, Wire.validated("SUCCESS"))
    #expect(world.outcomes.last?["verdict"]?.string == "success")
  }

  @Test("What was prepared is for one amount: another amount asks again")
  func preparedAmount() throws {
    let world = try Shop.open([.beforeValidate])
    try klarna(world)
    try world.perform(.setPrimary(.item(Shop.klarna)))
    try world.submit()
    try world.answerTicket(.step, .ok(#"{"payment_data":{"authorization_token":"a"}}"#))
    try world.answerTicket(.beforeValidate, .canceled)
    try world.take("gc1", 5_000)
    world.answer(.initialize, 200, Shop.data(2))
    try world.submit()
    #expect(world.openTickets.first?.json["data"]?["amount"]?.int64 == 7_000)
    #expect(world.openTickets.first?.json["step"]?.string == "prepare")
  }

  @Test("Submitted while its new data are on their way, the payment asks for its own")
  func submitWhileStale() throws {
    let world = try Shop.open()
    try klarna(world)
    try world.perform(.setPrimary(.item(Shop.klarna)))
    try world.take("gc1", 5_000)
    let late = try #require(world.open.first { $0.request.call == .initialize })
    try world.submit()
    let own = try #require(world.open.last { $0.request.call == .initialize })
    #expect(own.id != late.id)
    world.receive(late.id, AttemptTests.answer(200, Shop.data(7)))
    world.receive(own.id, AttemptTests.answer(200, Shop.data(8)))
    try world.answerTicket(.step, .ok(#"{"payment_data":{}}"#))
    #expect(world.money.last?.shownBody.contains(#""step_id":8"#) == true)
  }

  @Test("A prepare that is canceled, fails, or says nothing leaves the session ready and sends nothing")
  func prepareEnds() throws {
    for (answer, kind) in [
      (HookAnswer.canceled, "canceled"), (.error("x"), "failed"), (.unset, "failed"), (.ok("{}"), "failed"),
      (.ok(#"{"payment_data":[]}"#), "failed"),
    ] {
      let world = try Shop.open()
      try klarna(world)
      try world.perform(.setPrimary(.item(Shop.klarna)))
      try world.submit()
      try world.answerTicket(.step, answer)
      #expect(world.outcomes.last?["kind"]?.string == kind)
      #expect(world.code == (kind == "failed" ? "PARTNER_UI_ERROR" : nil))
      #expect(world.sessionState == "ready" && world.money.isEmpty)
      #expect(world.isReady(Shop.klarna) == true)
    }
  }

  // MARK: Approval

  // seed: 002:19b
  // seed: 001:19a
  // seed: 001:19b
  @Test("Apple Pay and PayPal choose themselves and pay when the shopper approves, and never skip the hook")
  func approval() throws {
    for id in [Shop.applePay, Shop.payPal] {
      let world = try Shop.open([.beforeValidate])
      try world.perform(.setPrimary(.item(Shop.page)))
      try world.open(id)
      world.answer(.initialize, 200, Shop.data(1))
      let reply = try world.perform(.elementReport(element: id, .approved(paymentData: #"{"token":"x"}"#)))
      #expect(reply["attempt"]?.int64 == 1)
      #expect(world.state(.primary)["item"]?.string == id)
      // PayPal's own data come only now.
      if id == Shop.payPal { world.answer(.initialize, 200, Shop.data(1)) }
      #expect(world.openTickets.map { $0.kind } == [.beforeValidate])
      try world.answerTicket(.beforeValidate, .ok("{}"))
      let body = try #require(world.money.last?.shownBody)
      #expect(body.contains(#""payment_data":{"token":"x"}"#) && body.contains(#""step_id":1"#))
      world.answer(.validate, 200, Wire.validated("SUCCESS"))
      if id == Shop.payPal { try world.answerTicket(.step, .ok("{}")) }
      #expect(world.outcomes.last?["element"]?.string == id)
    }
  }

  @Test("Without its data an approval asks the prepare step")
  func approvalWithoutData() throws {
    let world = try Shop.open()
    try world.open(Shop.applePay)
    world.answer(.initialize, 200, Shop.data(1))
    try world.report(Shop.applePay, .approved(paymentData: nil))
    #expect(world.openTickets.first?.json["step"]?.string == "prepare")
  }

  @Test("An approval is refused whole: nothing is chosen, kept or sent")
  func refusedApproval() throws {
    let world = try Shop.open()
    let token = try world.readCard("500.00", number: 1)
    for id in [Shop.applePay, Shop.klarna, Shop.card] {
      try world.take(token, 4_000)
      try world.open(id, "shop://back")
      world.answer(.initialize, 200, Shop.data(1))
      try world.perform(.removeSecondary(token: token))
      world.answer(.initialize, 200, Shop.data(2))
    }
    try world.take(token, nil)
    func refused(_ id: String, _ expected: ErrorCode) {
      let before = world.checkout
      let given = refusal { () throws(CheckoutError) in try world.report(id, .approved(paymentData: "{}")) }
      #expect(given == expected)
      #expect(world.checkout == before)
    }
    refused(Shop.applePay, .methodDisabled)
    refused(Shop.klarna, .methodNotImplemented)
    refused(Shop.card, .methodNotImplemented)
    refused("nobody", .missingToken)
    try world.perform(.removeSecondary(token: token))
    world.answer(.initialize, 200, Shop.data(3))
    try world.perform(.setPrimary(.token("plain")))
    try world.submit()
    refused(Shop.applePay, .submitBlocked)
    world.lose(.validate, left: true)
    refused(Shop.applePay, .submitBlocked)
  }

  // seed: 002:27
  @Test("A submit that names an element which pays by itself is refused; one that names none asks its step")
  func submitOfSelfSubmitting() throws {
    let world = try Shop.open()
    try world.open(Shop.applePay)
    world.answer(.initialize, 200, Shop.data(1))
    try world.perform(.setPrimary(.item(Shop.applePay)))
    #expect(refusal { () throws(CheckoutError) in try world.submit(Shop.applePay) } == .methodNotImplemented)
    try world.submit()
    #expect(world.openTickets.first?.json["step"]?.string == "prepare")
  }

  // MARK: Cards

  @Test("A card's element says all that its form needs and reports")
  func cardElement() throws {
    let world = try Shop.open()
    try world.open("aci-creditcard")
    let id = "aci-creditcard"
    func card() -> String { world.shownElement(id)?["card"]?.compactText ?? "" }
    let rest = #""supportedBrands":["CARTE_BANCAIRE","VISA"]"#
    #expect(
      card() == #"{"tenantId":null,"securityCodeOnly":false,\#(rest),"detectedBrands":[],"selectedBrand":null,"#
        + #""isFormValid":false}"#)
    try world.report(id, .brands(["VISA", "CARTE_BANCAIRE"]))
    #expect(card().contains(#""detectedBrands":["VISA","CARTE_BANCAIRE"],"selectedBrand":"CARTE_BANCAIRE""#))
    try world.report(id, .brandSelected("VISA"))
    #expect(card().contains(#""selectedBrand":"VISA""#))
    #expect(
      refusal { () throws(CheckoutError) in try world.report(id, .brandSelected("ONEY")) } == .notSupportedBrand)
    try world.report(id, .brands(["CARTE_BANCAIRE"]))
    #expect(
      refusal { () throws(CheckoutError) in try world.report(id, .brandSelected("VISA")) }
        == .brandNotBelongsToDetected)
    try world.report(id, .brands([]))
    #expect(card().contains(#""detectedBrands":[],"selectedBrand":null"#))
  }

  @Test("The brand that was chosen is told and sent; a later choice is collected anew")
  func brandIsSent() throws {
    let world = try Shop.open([.beforeValidate])
    let id = "aci-creditcard"
    try world.perform(.setPrimary(.item(id)))
    try world.open(id)
    try world.report(id, .brands(["VISA", "CARTE_BANCAIRE"]))
    try world.report(id, .formValidity(true))
    for (choice, sent) in [("VISA", "VISA"), ("CARTE_BANCAIRE", "CARTE_BANCAIRE")] {
      try world.report(id, .brandSelected(choice))
      try world.submit()
      #expect(world.openTickets.first?.json["data"]?["selectedBrand"]?.string == sent)
      try world.answerTicket(.step, .ok(#"{"vault_form_token":"t"}"#))
      if choice == "VISA" {
        try world.answerTicket(.beforeValidate, .error("again"))
      } else {
        try world.answerTicket(.beforeValidate, .ok("{}"))
      }
    }
    #expect(world.money.last?.shownBody.contains(#""selected_network":"CARTE_BANCAIRE""#) == true)
  }

  @Test("A saved card that wants its code: a form of its own, collect, both tokens")
  func securityCode() throws {
    for asksCode in [false, true] {
      let token = asksCode ? "plain" : "code"
      let world = try Shop.open()
      try world.perform(.setPrimary(.token(token)))
      try world.openToken(token, asksCode: asksCode)
      #expect(world.listed(token)?["hasUI"]?.boolean == true)
      #expect(world.shownElement(token)?["card"]?["securityCodeOnly"]?.boolean == true)
      #expect(refusal { () throws(CheckoutError) in try world.submit() } == .elementNotFulfilled)
      try world.report(token, .formValidity(true))
      try world.submit(token)
      let step = try #require(world.openTickets.first)
      #expect(step.json["step"]?.string == "collect" && step.json["element"]?.string == token)
      #expect(step.json["data"]?["securityCodeOnly"]?.boolean == true)
      try world.answerTicket(.step, .ok(#"{"vault_form_token":"cvv"}"#))
      let value = asksCode ? "w3" : "w1"
      #expect(
        world.money.last?.shownBody.contains(
          #""payment_data":{"wallet_token":"\#(value)","vault_form_token":"cvv"}"#) == true)
      // Nothing of the code is kept.
      #expect(!world.checkout.saveState(world.moment).contains("cvv\\\""))
      #expect(world.checkout.core.collected.isEmpty)
    }
  }

  // MARK: Events of partners

  @Test("Partners' events are told after the checkout has reacted, and once more for nobody's form")
  func pluginEvents() throws {
    let id = Shop.payPal
    let world = try Shop.open()
    try world.open(id)
    func heard(_ report: ElementReport) throws -> [String] {
      let before = world.heard.count
      try world.report(id, report)
      return world.heard[before...].map { $0.replacing("\(id) ", with: "") }
    }
    #expect(try heard(.ready) == ["ready true", "plugin ready"])
    #expect(try heard(.redirect) == ["requiresAction", "plugin redirect"])
    #expect(try heard(.partnerError("m", recoverable: true)) == ["ready false", "plugin partnerError"])
    #expect(world.told.last?.json["message"]?.string == "m")
    #expect(world.told.last?.json["recoverable"]?.boolean == true)
    #expect(try heard(.ready) == ["ready true", "plugin ready"])
    #expect(try heard(.canceled) == ["plugin canceled"])
    #expect(try heard(.formValidity(true)).isEmpty)
    #expect(try heard(.clientError("m")) == ["ready false", "plugin clientError"])
    #expect(try heard(.initFailed("m")) == ["plugin initFailed"])
    #expect(try heard(.endOfSession) == ["plugin endOfSession"])
    #expect(world.sessionState == "terminated")
    let sequence = world.told.compactMap { $0.json["seq"]?.int64 }
    #expect(sequence == sequence.sorted())
  }

  /// Before the request has left these end an attempt of the element; after it they wait for its end.
  @Test(
    "In flight: what ends it, what does not, and what waits",
    arguments: [
      (ElementReport.canceled, "canceled", nil), (.initFailed("x"), "failed", "PARTNER_UI_ERROR"),
      (.clientError("x"), "failed", "PARTNER_UI_ERROR"),
      (.partnerError("x", recoverable: true), "failed", "PARTNER_UI_ERROR"),
      (.partnerError("x", recoverable: false), "failed", "PARTNER_UI_ERROR"),
      (.endOfSession, "failed", "PARTNER_UI_ERROR"), (.ready, nil, nil), (.redirect, nil, nil),
      (.formValidity(true), nil, nil), (.brands(["VISA"]), nil, nil),
    ] as [(ElementReport, String?, String?)])
  func inFlight(_ report: ElementReport, _ kind: String?, _ code: String?) throws {
    let early = try Shop.open([.beforeValidate])
    try early.submitCard()
    try early.report(Shop.card, report)
    #expect(early.outcomes.last?["kind"]?.string == kind)
    #expect(early.code == code)
    #expect(early.money.isEmpty)
    if kind != nil { #expect(early.sessionState == (report == .endOfSession ? "terminated" : "ready")) }

    let late = try Shop.open()
    try late.submitCard()
    let money = try #require(late.open.last)
    #expect(late.letsGo(money.id))
    let before = late.heard
    try late.report(Shop.card, report)
    #expect(late.outcomes.isEmpty && late.heard == before)
    late.receive(money.id, AttemptTests.answer(400))
    #expect(late.outcomes.last?["kind"]?.string == "failed")
    #expect(late.code == "VALIDATE_FAILED")
    if let name = report.pluginEvent { #expect(late.heard.last == "\(Shop.card) plugin \(name)") }
  }
}
