import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

@Suite("Method states")
struct StatesTests {
  private func code(_ body: () throws(CheckoutError) -> Void) -> ErrorCode? {
    do throws(CheckoutError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  // MARK: Of the amount

  // seed: 002:42b
  @Test("A minimum, a maximum and nothing left: each moves with the split and carries its numbers")
  func amountDriven() throws {
    let world = try Shop.open()
    #expect(world.disabledCode("younited-loan") == "MAX_AMOUNT_EXCEEDED")
    #expect(world.disabled("younited-loan")?["details"]?["excess"]?.int64 == 3_000)
    #expect(world.disabledCode(Shop.klarna) == "MAX_AMOUNT_EXCEEDED")
    let token = try world.readCard("500.00", number: 1)
    try world.take(token, 3_000)
    #expect(world.disabled("younited-loan")?.isNull == true)
    try world.take(token, 7_500)
    let details = world.disabled("younited-loan")?["details"]
    #expect(world.disabledCode("younited-loan") == "MIN_AMOUNT_NOT_MET")
    #expect(details?["restToPay"]?.int64 == 4_500 && details?["missing"]?.int64 == 500)
    #expect(details?["mend"]?.compactText == #"[{"token":"\#(token)","less":500,"amount":7000}]"#)
    try world.take(token, 7_000)
    #expect(world.disabled("younited-loan")?.isNull == true)
    try world.take(token, nil)
    for id in [Shop.card, Shop.page, Shop.klarna, Shop.illicado, "t1"] {
      #expect(world.disabledCode(id) == "PAYMENT_FULFILLED", "\(id)")
    }
    #expect(world.disabled(token)?.isNull == true)
    try world.perform(.removeSecondary(token: token))
    #expect(world.disabled(Shop.page)?.isNull == true)
  }

  @Test("The plan mends what it says, and the states are what the amounts say, for random splits")
  func property() throws {
    var dice = Dice(11)
    for _ in 0..<6 {
      let world = try Shop.open()
      var cards: [String] = []
      for number in 0..<4 {
        let item = dice.pick([Shop.illicado, "buybox-giftcard", Shop.loyalty, Shop.ogloba]) ?? Shop.illicado
        cards.append(
          try world.readCard("\(1 + dice.below(90)).\(10 + dice.below(89))", of: item, number: UInt64(number + 1)))
      }
      for _ in 0..<40 {
        guard let card = dice.pick(cards) else { continue }
        if dice.chance(30) {
          _ = code { () throws(CheckoutError) in try world.perform(.removeSecondary(token: card)) }
        } else {
          let amount = dice.chance(30) ? nil : Int64(1 + dice.below(9_000))
          _ = code { () throws(CheckoutError) in try world.take(card, amount) }
        }
        try check(world)
      }
    }
  }

  private func check(_ world: World) throws {
    let rest = world.state(.remainingAmountToPay).int64 ?? 0
    for method in world.state(.paymentMethods).elements where method["kind"]?.string == "primary" {
      let minimum = method["minAmount"]?.int64
      let maximum = method["maxAmount"]?.int64
      var expected: String?
      if let maximum, rest > maximum { expected = "MAX_AMOUNT_EXCEEDED" }
      if let minimum, rest < minimum { expected = "MIN_AMOUNT_NOT_MET" }
      if rest == 0 { expected = "PAYMENT_FULFILLED" }
      let id = method["id"]?.string ?? ""
      #expect(method["disabled"]?["code"]?.string == expected, "\(id) with \(rest)")
      if expected == "MIN_AMOUNT_NOT_MET" { try mend(world, id, method["disabled"]?["details"]?["mend"]) }
    }
  }

  /// On a copy: the split itself goes its own way.
  private func mend(_ world: World, _ id: String, _ plan: JSONValue?) throws {
    guard let plan, plan.count > 0 else { return }
    let before = world.checkout
    for part in plan.elements {
      let token = part["token"]?.string ?? ""
      let amount = part["amount"]?.int64 ?? 0
      if amount == 0 {
        try world.perform(.removeSecondary(token: token))
      } else {
        try world.take(token, amount)
      }
    }
    #expect(world.disabled(id)?.isNull == true, "\(id) by \(plan.compactText)")
    world.checkout = before
  }

  @Test("What no split can bring within its bounds is not listed, nor what the session calls unstable")
  func filtered() throws {
    let world = try Shop.open()
    for id in ["cofidis-loan", "floa-cb3x"] { #expect(world.listed(id) == nil) }
    let filtered = world.checkout.core.filteredMethods
    #expect(filtered.map { $0.state.code } == [.methodUnstable, .amountConditionUnreachable])
    #expect(filtered.first == FilteredMethod(partner: "floa", method: "cb3x", state: DisabledState(.methodUnstable)))
    #expect(filtered.allSatisfy { $0.state.code.facts.flags.contains(.filtered) })
    #expect(
      filtered.last?.state.numbers == .unreachable(minAmount: 500_000, maxAmount: nil, orderAmount: 12_000))
  }

  // seed: 002:20a
  // seed: 002:18a
  @Test("Fulfilled: the split covers the amount, every form in it is valid, and nothing in it is disabled")
  func fulfilment() throws {
    let covers: [(amount: Int64?, isAll: Bool)] = [(0, false), (3_000, false), (nil, true)]
    for cover in covers {
      for form in [false, true] {
        for (primary, needsForm) in [
          (PrimaryChoice.none, false), (.item(Shop.card), true), (.item(Shop.page), false), (.item(Shop.payPal), false),
          (.token("plain"), false), (.token("code"), true),
        ] {
          let world = try Shop.open()
          let token = try world.readCard("200.00", number: 1)
          try world.perform(.setPrimary(primary))
          if form, needsForm {
            if case .token(let id) = primary { try world.openToken(id) } else { try world.open(Shop.card) }
            try world.report(primary.id, .formValidity(true))
          }
          if cover.amount != 0 { try world.take(token, cover.amount) }
          let isCovered = cover.isAll || primary != .none
          let expected = cover.isAll || (isCovered && (form || !needsForm))
          #expect(world.state(.isPaymentFulfilled).boolean == expected)
          #expect((world.state(.submitBlockers).count == 0) == expected)
          #expect((code { () throws(CheckoutError) in try world.submit() } == nil) == expected)
        }
      }
    }
  }

  @Test("Nothing to pay still needs a primary, and is no reason to disable one")
  func nothingToPay() throws {
    let world = try Shop.open(amount: "0")
    #expect(world.state(.isPaymentFulfilled).boolean == false)
    #expect(code { () throws(CheckoutError) in try world.submit() } == .paymentNotFulfilledOnSubmit)
    try world.perform(.setPrimary(.token("plain")))
    #expect(world.state(.isPaymentFulfilled).boolean == true)
    #expect(world.state(.amountSplit).compactText == #"[{"item":"aci-creditcard","token":"plain","amount":0}]"#)
    try world.submit()
    #expect(world.money.last?.shownBody.contains(#""amount":0.00"#) == true)
  }

  // MARK: Of what failed

  // seed: 002:42c
  @Test(
    "A technical failure is final for the session: no UI, not chosen, not opened, whatever is reported later",
    arguments: [
      ElementReport.initFailed("x"), .clientError("x"), .partnerError("x", recoverable: false),
    ])
  func fatal(_ report: ElementReport) throws {
    let world = try Shop.open()
    try world.perform(.setPrimary(.item(Shop.card)))
    try world.open(Shop.card)
    try world.report(Shop.card, .formValidity(true))
    try world.report(Shop.card, report)
    for _ in 0..<2 {
      #expect(world.disabledCode(Shop.card) == "PARTNER_UI_FATAL_ERROR")
      #expect(world.listed(Shop.card)?["hasUI"]?.boolean == false)
      #expect(world.isReady(Shop.card) == false)
      #expect(world.state(.primary).isNull)
      #expect(code { () throws(CheckoutError) in try world.perform(.setPrimary(.item(Shop.card))) } == .methodDisabled)
      #expect(code { () throws(CheckoutError) in try world.open(Shop.card) } == .methodDisabled)
      try world.report(Shop.card, .partnerError("y", recoverable: true))
      try world.report(Shop.card, .ready)
    }
    // A session later it is another one.
    try world.perform(.setSession(widgetData: Shop.blob("s2").text))
    #expect(world.disabled(Shop.card)?.isNull == true)
  }

  // seed: 002:42d
  @Test("A recoverable failure dims it until the partner is ready again; what was chosen stays chosen")
  func recoverable() throws {
    let world = try Shop.open()
    try world.perform(.setPrimary(.item(Shop.card)))
    try world.open(Shop.card)
    try world.report(Shop.card, .formValidity(true))
    try world.report(Shop.card, .partnerError("x", recoverable: true))
    #expect(world.disabledCode(Shop.card) == "PARTNER_UI_RECOVERABLE_ERROR")
    #expect(world.disabled(Shop.card)?["isRecoverable"]?.boolean == true)
    #expect(world.state(.isPaymentFulfilled).boolean == false)
    #expect(world.state(.submitBlockers)[0]?["code"]?.string == "METHOD_DISABLED")
    #expect(code { () throws(CheckoutError) in try world.submit() } == .methodDisabled)
    try world.report(Shop.card, .ready)
    #expect(world.disabled(Shop.card)?.isNull == true)
    #expect(world.state(.isPaymentFulfilled).boolean == true)
    #expect(world.state(.primary)["item"]?.string == Shop.card)
  }

  // seed: 002:42e
  // seed: 002:15b
  @Test("A method whose step no capability has is not listed, and cannot be chosen or opened")
  func incompatible() throws {
    let all = [Shop.card, "aci-creditcard", Shop.klarna, Shop.applePay, Shop.payPal]
    for id in all {
      let world = try Shop.open(without: [id])
      #expect(world.listed(id) == nil)
      #expect(code { () throws(CheckoutError) in try world.perform(.setPrimary(.item(id))) } == .paymentMethodNotFound)
      #expect(code { () throws(CheckoutError) in try world.open(id, "shop://back") } == .paymentMethodNotFound)
      let incompatible = world.checkout.core.filteredMethods.filter { $0.state.code == .pluginIncompatible }
      #expect(incompatible.map { $0.partner + "-" + $0.method } == [id])
    }
    let bare = try World(Shop.blob(), CheckoutOptions(releaseDate: World.start.wall - 86_400_000))
    for id in all { #expect(bare.listed(id) == nil) }
  }

  // seed: 002:42f
  @Test("In flight everything is locked, and nothing is afterwards")
  func submitting() throws {
    let world = try Shop.open()
    let token = try world.readCard("30.00", number: 1)
    try world.take(token, 1_000)
    try world.submitCard()
    #expect(world.sessionState == "submitting")
    let lists = [world.state(.paymentMethods), world.state(.paymentTokens), world.state(.secondaryTokens)]
    let states = lists.flatMap { $0.elements }.map { $0["disabled"]?["code"]?.string }
    #expect(states.count > 10 && Set(states) == ["SUBMITTING"])
    #expect(world.state(.isPaymentFulfilled).boolean == true)
    world.answer(.validate, 422, "{}")
    #expect(!world.state(.paymentMethods).elements.contains { $0["disabled"]?["code"]?.string == "SUBMITTING" })
  }

  // MARK: Saved tokens

  @Test("A saved card that expires leaves, by itself and for good")
  func tokenExpiry() throws {
    let world = try Shop.open()
    try world.perform(.setPrimary(.token("soon")))
    world.advance(9 * 60_000)
    #expect(world.disabled("soon")?.isNull == true)
    let deadline = try #require(world.checkout.nextDeadline(at: world.clock))
    #expect(deadline - world.clock.boot <= 5_000)
    world.advance(2 * 60_000)
    #expect(world.disabledCode("soon") == "TOKEN_EXPIRED")
    #expect(world.state(.primary).isNull)
    #expect(code { () throws(CheckoutError) in try world.perform(.setPrimary(.token("soon"))) } == .methodDisabled)
    #expect(code { () throws(CheckoutError) in try world.openToken("soon") } == .methodDisabled)
    for id in ["plain", "code", "t1"] { #expect(world.disabled(id)?.isNull == true) }
    #expect(world.sessionState == "ready")
  }

  @Test("A saved card that wants its code cannot pay where no code can be typed")
  func noCode() throws {
    let world = try Shop.open(without: ["aci-creditcard"])
    #expect(world.disabledCode("code") == "TOKEN_SECURITY_CODE_UNSUPPORTED")
    #expect(world.listed("code")?["hasUI"]?.boolean == false)
    #expect(world.disabled("plain")?.isNull == true)
    let able = try Shop.open()
    #expect(able.disabled("code")?.isNull == true)
    #expect(able.listed("code")?["hasUI"]?.boolean == true)
    #expect(able.listed("plain")?["hasUI"]?.boolean == false)
  }

  @Test("A saved card that the back end no longer knows was deleted elsewhere")
  func deleted() throws {
    let world = try Shop.open()
    try world.perform(.setPrimary(.token("plain")))
    try world.submit()
    world.answer(.validate, 422, #"{"code":"UNKNOWN_WALLET_TOKEN"}"#)
    #expect(world.code == "PAYMENT_TOKEN_NOT_FOUND_IN_SESSION" && world.moved == "no")
    #expect(world.sessionState == "ready")
    #expect(world.disabledCode("plain") == "TOKEN_DELETED")
    #expect(world.state(.primary).isNull)
    // After notCreated a refusal says nothing of the first request.
    try world.perform(.setPrimary(.token("t1")))
    try world.submit()
    world.lose(.validate, left: true)
    try world.perform(.resolve(attempt: 2, .notCreated))
    try world.submit()
    world.answer(.validate, 422, #"{"code":"UNKNOWN_WALLET_TOKEN"}"#)
    #expect(world.isUnknown)
    #expect(world.disabledCode("t1") != "TOKEN_DELETED")
  }

  @Test("A saved instrument whose preparation fails is TOKEN_INIT_FAILED, its method stays")
  func tokenInitFailed() throws {
    let world = try Shop.open()
    try world.perform(.setPrimary(.token("code")))
    try world.openToken("code")
    try world.report("code", .initFailed("x"))
    #expect(world.disabledCode("code") == "TOKEN_INIT_FAILED")
    #expect(world.disabled("aci-creditcard")?.isNull == true)
    #expect(world.state(.primary).isNull)
  }
}

extension PrimaryChoice {
  fileprivate var id: String {
    switch self {
    case .item(let id), .token(let id): id
    case .none: ""
    }
  }
}
