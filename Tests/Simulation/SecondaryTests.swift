import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

@Suite("Gift cards, loyalty cards and vouchers")
struct SecondaryTests {
  private func read(
    _ world: World, _ item: String = Shop.illicado, number: UInt64 = 1, length: Int = 16, isNumeric: Bool = true,
    code: Int? = 4
  ) throws(CheckoutError) {
    try world.perform(
      .readSecondary(
        ReadSecondary(
          item: item,
          number: TypedNumber(secret: SecretID(number), length: length, lastFour: "0001", isNumeric: isNumeric),
          securityCode: code.map { TypedNumber(secret: SecretID(99), length: $0, lastFour: "") }, tag: "t")))
  }

  private func refusal(_ body: () throws(CheckoutError) -> Void) -> ErrorCode? {
    do throws(CheckoutError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  // seed: 002:16
  @Test("A number, its balance, a token, a slice")
  func path() throws {
    let world = try Shop.open()
    try read(world)
    #expect(world.state(.secondaryTokens).count == 0)
    world.answer(.initialize, 200, Wire.initialized("50.00"))
    let token = try #require(world.results.last?["result"]?["token"])
    #expect(token["id"]?.string == "gc1" && token["item"]?.string == Shop.illicado)
    #expect(token["balance"]?.int64 == 5_000 && token["totalBalance"]?.isNull == true)
    #expect(token["applied"]?.int64 == 0 && token["disabled"]?.isNull == true)
    #expect(world.results.last?["tag"]?.string == "t")
    try world.take("gc1", nil)
    #expect(world.state(.amountSplit)[0]?["token"]?.string == "gc1")
  }

  @Test(
    "What is typed is checked before anything is sent",
    arguments: [
      (Shop.illicado, 7, true, 4, ErrorCode.secondaryMethodWrongPanFormat),
      (Shop.illicado, 16, false, 4, .secondaryMethodWrongPanFormat),
      (Shop.illicado, 16, true, 2, .secondaryMethodWrongCVVFormat),
      (Shop.ogloba, 16, true, nil, .secondaryMethodRequiredCVV),
      (Shop.ogloba, 16, true, 9, .secondaryMethodWrongCVVFormat),
      (Shop.card, 16, true, 4, .paymentMethodNotFound), ("nobody", 16, true, 4, .paymentMethodNotFound),
    ] as [(String, Int, Bool, Int?, ErrorCode)])
  func typing(_ item: String, _ length: Int, _ isNumeric: Bool, _ code: Int?, _ expected: ErrorCode) throws {
    let world = try Shop.open()
    let before = world.checkout
    let given = refusal { () throws(CheckoutError) in
      try read(world, item, length: length, isNumeric: isNumeric, code: code)
    }
    #expect(given == expected)
    #expect(world.checkout == before && world.initRequests.isEmpty)
  }

  @Test("A short number of an issuer whose long ones need a code needs none")
  func shortNumber() throws {
    let world = try Shop.open()
    try read(world, Shop.ogloba, length: 12, code: nil)
    #expect(world.initRequests.count == 1)
  }

  @Test("The same card twice is refused, while it is read and after; another issuer's is another card")
  func twice() throws {
    let world = try Shop.open()
    try read(world)
    #expect(refusal { () throws(CheckoutError) in try read(world) } == .tokenAlreadyExists)
    world.answer(.initialize, 200, Wire.initialized("50.00"))
    #expect(refusal { () throws(CheckoutError) in try read(world) } == .tokenAlreadyExists)
    try read(world, Shop.loyalty)
    try read(world, number: 2)
    #expect(world.initRequests.count == 2)
    // One that was refused may be tried again.
    world.answer(.initialize, 200, Wire.initialized(state: "FAILED", code: "UNKNOWN_CARD"))
    try read(world, Shop.loyalty)
  }

  struct Ending: Sendable {
    var name: String
    var status = 200
    var body: String
    var code: String
    var details: String?
  }

  static let endings = [
    Ending(name: "empty", body: Wire.initialized("0.00"), code: "SECONDARY_TOKEN_EMPTY_BALANCE"),
    Ending(
      name: "refused", body: Wire.initialized(state: "FAILED", code: "CARD_EXPIRED"),
      code: "FAILED_TO_INIT_SECONDARY_TOKEN", details: #"{"statusCode":200,"code":"CARD_EXPIRED"}"#),
    Ending(
      name: "expired", body: expiring("2029-12-30"), code: "FAILED_TO_INIT_SECONDARY_TOKEN",
      details: #"{"reason":"expired"}"#),
    Ending(
      name: "other currency",
      body: Wire.initialized().replacing(#""currency_code":"EUR""#, with: #""currency_code":"USD""#),
      code: "FAILED_TO_INIT_SECONDARY_TOKEN", details: #"{"statusCode":200,"reason":"currency"}"#),
    Ending(
      name: "500", status: 500, body: "{}", code: "FAILED_TO_INIT_SECONDARY_TOKEN", details: #"{"statusCode":500}"#),
  ]

  private static func expiring(_ date: String) -> String {
    Wire.initialized().replacing(#""currency_code":"EUR""#, with: #""expiration_date":"\#(date)""#)
  }

  @Test("A reading that ends without a card forgets the number, and says why", arguments: endings.map { $0.name })
  func end(_ name: String) throws {
    let ending = try #require(Self.endings.first { $0.name == name })
    let world = try Shop.open()
    try read(world)
    world.answer(.initialize, ending.status, ending.body)
    let error = try #require(world.results.last?["error"])
    #expect(error["code"]?.string == ending.code)
    #expect(error["moved"]?.string == "no")
    if let details = ending.details { #expect(error["details"]?.compactText == details) }
    #expect(world.state(.secondaryTokens).count == 0)
    #expect(Set(world.forgotten) == [SecretID(1), SecretID(99)])
  }

  @Test("A card that expires later leaves the split and cannot come back")
  func expiry() throws {
    let world = try Shop.open()
    try read(world)
    world.answer(.initialize, 200, Self.expiring("2030-01-01T00:05:00Z"))
    try world.take("gc1", nil)
    #expect(world.state(.remainingAmountToPay).int64 == 7_000)
    world.advance(10 * 60_000)
    #expect(world.state(.remainingAmountToPay).int64 == 12_000)
    #expect(world.disabledCode("gc1") == "TOKEN_EXPIRED")
    #expect(refusal { () throws(CheckoutError) in try world.take("gc1", nil) } == .methodDisabled)
  }

  // MARK: Polling

  @Test(
    "A polling issuer's three refusals, after any number of rounds",
    arguments: [
      ("ABORTED_BY_CUSTOMER", "USER_ACTION_REQUEST_ABORTED_BY_CUSTOMER"),
      ("EXPIRED_AUTHORIZATION", "USER_ACTION_REQUEST_HAS_EXPIRED"),
      ("DUPLICATED_TRANSACTION", "OTHER_TRANSACTION_PENDING_FOR_ACCOUNT"),
    ])
  func pollingRefusals(_ word: String, _ code: String) throws {
    for rounds in 0..<5 {
      let world = try Shop.open()
      try read(world, "buybox-giftcard")
      for round in 0..<rounds {
        world.answer(.initialize, 200, Wire.initialized(state: "WAITING", code: "WAITING_PARTNER_RESPONSE"))
        #expect(world.initRequests.isEmpty)
        world.advance(1_999)
        #expect(world.initRequests.isEmpty, "round \(round)")
        world.advance(1)
        #expect(world.initRequests.first?.contains(#""step_id":1"#) == true)
      }
      world.answer(.initialize, 200, Wire.initialized(state: "FAILED", code: word))
      #expect(world.results.count == 1)
      #expect(world.results.last?["error"]?["code"]?.string == code)
    }
  }

  @Test("A shopper who never confirms: three minutes, then it has expired, and nothing is asked again")
  func pollingLimit() throws {
    let world = try Shop.open()
    try read(world, "buybox-giftcard")
    var rounds = 0
    while world.results.isEmpty, rounds < 200 {
      world.answer(.initialize, 200, Wire.initialized(state: "WAITING", code: "WAITING_PARTNER_RESPONSE"))
      world.advance(2_000)
      rounds += 1
    }
    #expect((89...91).contains(rounds))
    #expect(world.results.last?["error"]?["code"]?.string == "USER_ACTION_REQUEST_HAS_EXPIRED")
    world.advance(10_000)
    #expect(world.initRequests.isEmpty)
  }

  @Test("An issuer that is not polled must not ask to wait")
  func waiting() throws {
    let world = try Shop.open()
    try read(world)
    world.answer(.initialize, 200, Wire.initialized(state: "WAITING", code: "WAITING_PARTNER_RESPONSE"))
    #expect(world.results.last?["error"]?["code"]?.string == "FAILED_TO_INIT_SECONDARY_TOKEN")
  }

  @Test("A reading can be aborted while it is asked and while it waits; its late answer says nothing")
  func abort() throws {
    for isWaiting in [false, true] {
      let world = try Shop.open()
      try read(world, "buybox-giftcard")
      if isWaiting {
        world.answer(.initialize, 200, Wire.initialized(state: "WAITING", code: "WAITING_PARTNER_RESPONSE"))
      }
      try world.perform(.abortCall(1))
      #expect(world.results.last?["error"]?["code"]?.string == "SECONDARY_METHOD_REQUEST_ABORTED")
      #expect(Set(world.forgotten) == [SecretID(1), SecretID(99)])
      world.answer(.initialize, 200, Wire.initialized("50.00"))
      world.advance(10_000)
      #expect(world.results.count == 1 && world.initRequests.isEmpty)
      #expect(world.state(.secondaryTokens).count == 0)
      #expect(refusal { () throws(CheckoutError) in try world.perform(.abortCall(1)) } == .tooLate)
      try read(world, "buybox-giftcard")
    }
  }

  // MARK: Taking

  @Test("A loyalty card shows its account, and gives all or nothing")
  func loyalty() throws {
    let world = try Shop.open()
    try read(world, Shop.loyalty)
    world.answer(
      .initialize, 200,
      Wire.initialized("20.00").replacing(#""amount":20.00"#, with: #""amount":20.00,"total_amount":80.00"#))
    let token = try #require(world.listed("gc1"))
    #expect(token["balance"]?.int64 == 2_000 && token["totalBalance"]?.int64 == 8_000)
    #expect(
      refusal { () throws(CheckoutError) in try world.take("gc1", 1_999) } == .secondaryMethodTakePolicyViolated)
    try world.take("gc1", 2_000)
    let reborn = try world.restored(from: world.checkout.saveState(world.moment))
    #expect(reborn.1["skipped"]?[0]?["reason"]?.string == "needsNumber")
  }

  // seed: 002:18b
  @Test("The limit counts cards, not changes: a slice may be replaced at the limit")
  func limit() throws {
    let world = try Shop.open()
    for number in UInt64(1)...3 { try world.readCard("10.00", number: number) }
    try world.take("gc1", nil)
    try world.take("gc2", nil)
    #expect(refusal { () throws(CheckoutError) in try world.take("gc3", nil) } == .usageLimitError)
    try world.take("gc1", 500)
    #expect(world.state(.amountSplit)[0]?["amount"]?.int64 == 500)
    try world.perform(.removeSecondary(token: "gc2"))
    try world.take("gc3", nil)
  }

  @Test("A method's maximum is over all its slices, and its minimum for each")
  func methodBounds() throws {
    let world = try Shop.open()
    for number in UInt64(1)...3 { try world.readCard("40.00", of: Shop.ogloba, number: number) }
    try world.take("gc1", nil)
    #expect(refusal { () throws(CheckoutError) in try world.take("gc2", 2_001) } == .maxAmountReached)
    try world.take("gc2", nil)
    #expect(world.listed("gc2")?["applied"]?.int64 == 2_000)
    #expect(refusal { () throws(CheckoutError) in try world.take("gc3", nil) } == .maxAmountReached)
    #expect(refusal { () throws(CheckoutError) in try world.take("gc2", 499) } == .invalidTakeAmount)
    try world.take("gc2", 500)
    try world.take("gc3", nil)
    #expect(world.listed("gc3")?["applied"]?.int64 == 1_500)
  }

  @Test("A card whose method failed pays nothing, and says so at the gate")
  func failedMethod() throws {
    let world = try Shop.open()
    let token = try world.readCard("200.00", number: 1)
    try world.take(token, nil)
    world.checkout.core.markFailed(Shop.illicado, .fatal)
    #expect(world.disabledCode(token) == "PARTNER_UI_FATAL_ERROR")
    #expect(world.state(.isPaymentFulfilled).boolean == false)
    #expect(refusal { () throws(CheckoutError) in try world.submit() } == .methodDisabled)
  }
}
