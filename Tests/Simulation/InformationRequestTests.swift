import Foundation
import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

extension String {
  var decoded: String? { Data(base64Encoded: self).map { String(decoding: $0, as: UTF8.self) } }
  var encoded: String { Data(utf8).base64EncodedString() }
}

@Suite("Information requests, loans, and what is locked")
struct InformationRequestTests {
  /// A session with no amount: only what may be used later is offered.
  private func blob(_ amount: String = "") throws -> String {
    let text = try #require(Saved.blob().text.decoded)
    return
      text.replacing(#""amount":120.00,"#, with: #""information_request":true,\#(amount)"#)
      .replacing(
        #""vendor":"purse"},"settings":{"save_token":true}"#,
        with: #""vendor":"purse"},"settings":{"save_token":true,"registration_mode":"OFF_SESSION"}"#
      )
      .replacing(
        #"{"labels":["secondary"],"settings":{"save_token":true}"#,
        with: #"{"labels":["secondary"],"settings":{"save_token":true,"registration_mode":"OFF_SESSION"}"#
      )
      .encoded
  }

  @Test("There is nothing to pay, and what may be used later is offered alone")
  func offer() throws {
    for amount in ["", #""amount":120.00,"#] {
      let world = try World(widgetData: try blob(amount))
      #expect(world.state(.isInformationRequest).boolean == true && world.state(.amount).int64 == 0)
      let ids = world.state(.paymentMethods).elements.compactMap { $0["id"]?.string }
      #expect(ids.contains(Shop.card) && !ids.contains("hipay-bancontact") && !ids.contains(Shop.illicado))
      #expect(world.state(.remainingAmountToPay).int64 == 0)
      // Nothing is drawn from a saved gift card, so that none is read.
      #expect(world.open.filter { $0.request.call == .initialize }.isEmpty)
    }
  }

  @Test("A primary is needed, is never locked by nothing being left, and is sent with 0")
  func submit() throws {
    let world = try World(widgetData: try blob())
    #expect(code { () throws(CheckoutError) in try world.submit() } == .paymentNotFulfilledOnSubmit)
    try world.perform(.register(Registration(source: .item(Shop.card), name: "Card"), isWanted: true))
    try world.submitCard()
    #expect(world.disabledCode(Shop.card) == "SUBMITTING")
    let body = try #require(world.money.first?.shownBody)
    #expect(body.contains(#""amount":0.00"#) && body.contains(#""save_token":true,"name":"Card""#))
    world.answer(.validate, 200, Wire.validated("SUCCESS"))
    #expect(world.outcomes.last?["verdict"]?.string == "success" && world.sessionState == "submitted")
  }

  @Test("A saved card pays nothing, too, and no gift card takes a slice of it")
  func saved() throws {
    let world = try World(widgetData: try blob())
    #expect(code { () throws(CheckoutError) in try world.take("g1", nil) } == .invalidTakeAmount)
    try world.perform(.setPrimary(.token("a")))
    #expect(world.state(.amountSplit).compactText == #"[{"item":"aci-creditcard","token":"a","amount":0}]"#)
    try world.submit()
    #expect(world.money.count == 1)
    let refusal = code { () throws(CheckoutError) in
      try world.perform(.simulateLoan(item: "younited-loan", amount: nil, tag: nil))
    }
    #expect(refusal == .submitBlocked)
  }

  // MARK: Loans

  @Test("A simulation asks for what the method would pay, and tells instalments that sum to the total")
  func loan() throws {
    let world = try Saved.open()
    world.answerBalances(["v-g1": "20.00"])
    try world.take("g1", nil)
    let methods = world.state(.paymentMethods).elements
    #expect(methods.first { $0["id"]?.string == "younited-loan" }?["simulable"]?.boolean == true)
    #expect(methods.first { $0["id"]?.string == Shop.card }?["simulable"]?.boolean == false)
    try world.perform(.simulateLoan(item: "younited-loan", amount: nil, tag: "l"))
    let request = try #require(world.open.first { $0.request.call == .simulate }?.request)
    #expect(request.method == "POST" && request.url == "https://pay.example/e1/sessions/s1/simulation")
    #expect(
      request.shownBody == #"{"partner":"younited","method":"loan","amount":100.00,"currency_code":"EUR"}"#)
    world.answer(
      .simulate, 200,
      """
      [{"plugin_result":{"initial_instalment_amount":33.33,"instalment_amount":33.33,"final_instalment_amount":33.33,\
      "instalment_number":3,"total_cost":0,"preferred":true,"effective_annual_percentage_rate":0.0499,"legal_text":"L"}},\
      {"plugin_result":null},{"plugin_result":{"instalment_amount":"1.005","instalment_number":100,"total_cost":0}}]
      """)
    let result = try #require(world.results.last?["result"])
    #expect(result["amount"]?.int64 == 10_000 && result["loans"]?.count == 1)
    #expect(
      result["loans"]?[0]?.compactText
        == #"{"installmentCount":3,"installments":[3333,3333,3334],"initialInstallmentAmount":3333,"#
        + #""installmentAmount":3333,"finalInstallmentAmount":3334,"totalCost":0,"totalAmount":10000,"#
        + #""isPreferred":true,"aprc":"0.0499","legalText":"L"}"#)
    #expect(world.results.last?["tag"]?.string == "l")
  }

  @Test("What is no offer is an error of its own, and moves nothing")
  func noLoan() throws {
    let answers: [(World) -> Void] = [
      { $0.answer(.simulate, 200, "[]") }, { $0.answer(.simulate, 200, "{}") }, { $0.answer(.simulate, 200, "no") },
      { $0.answer(.simulate, 200, #"{"plugin_result":null}"#) }, { $0.answer(.simulate, 422, "{}") },
      { $0.lose(.simulate, left: true) }, { $0.lose(.simulate, left: false) },
    ]
    for answer in answers {
      let world = try Saved.open()
      try world.perform(.simulateLoan(item: "younited-loan", amount: 5_000, tag: nil))
      answer(world)
      let error = world.results.last?["error"]
      #expect(error?["code"]?.string == "INVALID_LOAN_SIMULATION" && error?["moved"]?.string == "no")
    }
    let world = try Saved.open()
    for (item, expected) in [
      (Shop.card, ErrorCode.methodIsNotSimulable), ("nobody", .paymentMethodNotFound),
      ("ogloba-giftcard", .paymentMethodNotFound),
    ] {
      let refusal = code { () throws(CheckoutError) in
        try world.perform(.simulateLoan(item: item, amount: nil, tag: nil))
      }
      #expect(refusal == expected)
    }
    world.answerBalances(["v-g1": "500.00"])
    try world.take("g1", nil)
    let refusal = code { () throws(CheckoutError) in
      try world.perform(.simulateLoan(item: "younited-loan", amount: nil, tag: nil))
    }
    #expect(refusal == .invalidLoanSimulation)
    // Another session ends what was asked for the old one.
    try world.perform(.simulateLoan(item: "younited-loan", amount: 5_000, tag: nil))
    try world.perform(.setSession(widgetData: Saved.blob("s2").text))
    #expect(world.results.last?["error"]?["code"]?.string == "INVALID_LOAN_SIMULATION")
  }

  // MARK: Locked

  // seed: 000:38-54
  @Test("A session of another environment than the locked one is refused at create, set_session and restore")
  func locked() throws {
    var options = World.options()
    options.lockedEnvironment = "production"
    let refusal = code { () throws(CheckoutError) in _ = try World(Blob(), options) }
    #expect(refusal == .environmentMismatch)
    let world = try World(Blob(environment: "production"), options)
    #expect(world.state(.environment).string == "production")
    let before = world.checkout
    let swapped = code { () throws(CheckoutError) in
      try world.perform(.setSession(widgetData: Blob(id: "s2").text))
    }
    #expect(swapped == .environmentMismatch && world.checkout.core.session == before.core.session)
    // Also of the same id: what is locked is looked at first.
    let same = code { () throws(CheckoutError) in try world.perform(.setSession(widgetData: Blob().text)) }
    #expect(same == .environmentMismatch)
    try world.perform(.setSession(widgetData: Blob(id: "s2", environment: "production").text))
    let text = world.checkout.saveState(world.moment)
    _ = try world.restored(from: text)
    let edited = text.replacing(Blob(id: "s2", environment: "production").text, with: Blob(id: "s2").text)
    let restored = code { () throws(CheckoutError) in _ = try world.restored(from: edited) }
    #expect(restored == .environmentMismatch)
  }

  // seed: 000:67a
  @Test("Disabled methods and their tokens are not offered, at create and whatever the session, also after a restore")
  func disabledMethods() throws {
    var options = World.options()
    options.disabledMethods = ["aci-creditcard", "ogloba-giftcard", "younited-loan"]
    let world = try World(Saved.blob(), options)
    func areGone(_ world: World) -> Bool {
      let ids = world.state(.paymentMethods).elements.compactMap { $0["id"]?.string }
      return options.disabledMethods.allSatisfy { !ids.contains($0) } && world.saved("a") == nil
        && world.saved("g1") == nil
    }
    #expect(areGone(world) && world.open.filter { $0.request.call == .initialize }.isEmpty)
    for command in [
      Command.setPrimary(.token("a")), .setPrimary(.item("aci-creditcard")),
      .simulateLoan(item: "younited-loan", amount: nil, tag: nil),
      .register(Registration(source: .item("aci-creditcard"), name: nil), isWanted: true),
    ] {
      #expect(code { () throws(CheckoutError) in try world.perform(command) } == .paymentMethodNotFound)
    }
    try world.perform(.setSession(widgetData: Saved.blob("s2").text))
    #expect(areGone(world))
    let (again, _) = try world.restored(from: world.checkout.saveState(world.moment))
    #expect(areGone(again) && again.state(.disabledMethods).count == 3)
  }
}
