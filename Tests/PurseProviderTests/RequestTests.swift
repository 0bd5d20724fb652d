import Foundation
import JSONText
import Testing

@testable import CheckoutCore
@testable import PurseProvider

/// Orders for tests of requests and scripts.
enum Orders {
  static let card = PaymentMethod(
    id: "purse-creditcard", partner: "purse", method: "creditcard", kind: .primary, nature: .card,
    brands: ["VISA", "CARTE_BANCAIRE"])
  static let page = PaymentMethod(
    id: "hipay-bancontact", partner: "hipay", method: "bancontact", kind: .primary, nature: .redirection)
  static let native = PaymentMethod(
    id: "klarna-paylater", partner: "klarna", method: "paylater", kind: .primary, nature: .native)
  static let illicado = PaymentMethod(
    id: "illicado-giftcard", partner: "illicado", method: "giftcard", kind: .secondary, nature: .giftCard,
    numberRule: GiftCards.rule("illicado"))
  static let ogloba = PaymentMethod(
    id: "ogloba-giftcard", partner: "ogloba", method: "giftcard", kind: .secondary, nature: .giftCard,
    numberRule: GiftCards.rule("ogloba"))

  static let form = #"{"vault_form_token":"tok_success","selected_network":"VISA"}"#

  static func giftCard(_ method: PaymentMethod, _ amount: Int64, step: Int64? = 3, code: SecretID? = SecretID(8))
    -> PaymentSlice
  {
    PaymentSlice(
      method: method, amount: amount,
      source: .giftCard(handle: BalanceHandle(id: "i", stepID: step), number: SecretID(7), securityCode: code))
  }

  static func slice(_ method: PaymentMethod, _ amount: Int64 = 7_000, collected: String? = nil) -> PaymentSlice {
    PaymentSlice(method: method, amount: amount, source: .method(collected: collected))
  }

  /// A widget that was initialised when its element was opened.
  static func opened(collected: String? = nil) -> PaymentSlice {
    var slice = slice(native, collected: collected)
    slice.initData = InitData(stepID: 9, json: #"{"client_token":"c"}"#)
    return slice
  }

  static func token(_ method: PaymentMethod = card, _ amount: Int64 = 7_000, value: String = "w\"1") -> PaymentSlice {
    let token = PaymentToken(id: "t", item: method.id, mask: "", expiresAt: nil, value: value)
    return PaymentSlice(method: method, amount: amount, source: .token(token))
  }

  static func order(
    _ slices: [PaymentSlice], _ currency: Currency = Sample.euro, skips: Bool = false, presents: Bool = true,
    postValidates: Bool = false, tenant: String? = "tenant-1"
  ) -> PaymentOrder {
    PaymentOrder(
      slices: slices, currency: currency, idempotencyKey: "key", skipsBeforeValidate: skips,
      presentsRedirects: presents, tenantID: tenant, hasPostValidate: postValidates)
  }
}

@Suite("What is sent")
struct RequestTests {
  private func balance(
    amount: Int64 = 12_000, _ currency: Currency = Sample.euro, code: SecretID? = SecretID(8), step: Int64? = nil
  ) throws -> Request {
    let handle = step.map { BalanceHandle(id: "i", stepID: $0) }
    let order = BalanceOrder(
      method: Orders.illicado, number: SecretID(7), securityCode: code, amount: amount, currency: currency,
      handle: handle)
    return try Sample.open(Sample.json).provider.balanceRequest(order)
  }

  // seed: 002:4d
  @Test("The reading of a balance")
  func balanceRequest() throws {
    let request = try balance()
    #expect(request.method == "POST")
    #expect(request.url == "https://api.purse-sandbox.com/entity%2F1/sessions/session%201/init")
    #expect(request.call == .initialize && request.money == .none)
    #expect(
      request.headers == [
        Header("content-type", "application/json"), Header("accept", "application/json"), Header("x-api-key", "key-1"),
      ])
    #expect(
      request.shownBody == """
        {"partner":"illicado","method":"giftcard","amount":120.00,"payment_data":{"card":{"number":"<7>","csc":"<8>"}},\
        "partner_data":{},"payment_preferences":{}}
        """)
    #expect(request.body.count == 5)
  }

  @Test("Without a code, and asked again")
  func balanceAgain() throws {
    #expect(
      try balance(code: nil, step: 5).shownBody == """
        {"partner":"illicado","method":"giftcard","amount":120.00,"payment_data":{"card":{"number":"<7>"}},\
        "partner_data":{},"payment_preferences":{},"step_id":5}
        """)
  }

  @Test(
    "Amounts are exact literals with the currency's digits",
    arguments: [
      (Sample.euro, 0, "0.00"), (Sample.euro, 5, "0.05"), (Sample.euro, 12_000, "120.00"), (Sample.yen, 120, "120"),
      (Sample.dinar, 1, "0.001"), (Sample.dinar, 1_234, "1.234"), (Sample.euro, Amount.maximum, "90071992547409.91"),
    ] as [(Currency, Int64, String)])
  func amounts(_ currency: Currency, _ units: Int64, _ literal: String) throws {
    #expect(try balance(amount: units, currency).shownBody.contains(#""amount":\#(literal),"#))
    var script = try Scripted(Orders.order([Orders.token(Orders.card, units)], currency, skips: true))
    #expect(try #require(script.begin().request).shownBody.contains(#""amount":\#(literal),"#))
  }

  @Test("A widget's data are asked for with what it would pay")
  func elementRequest() throws {
    let order = ElementOrder(method: Orders.native, amount: 7_000, currency: Sample.euro)
    let request = try Sample.open(Sample.json).provider.elementRequest(order)
    #expect(request.call == .initialize && request.money == .none && request.method == "POST")
    #expect(request.url == "https://api.purse-sandbox.com/entity%2F1/sessions/session%201/init")
    #expect(
      request.shownBody == """
        {"partner":"klarna","method":"paylater","amount":70.00,"payment_data":{},"partner_data":{},\
        "payment_preferences":{}}
        """)
  }

  @Test("A voucher's number stands where a voucher's does, in both requests")
  func voucher() throws {
    let voucher = PaymentMethod(
      id: "easy2play-voucher", partner: "easy2play", method: "voucher", kind: .secondary, nature: .giftCard,
      numberRule: GiftCards.rule("easy2play", "voucher"))
    let order = BalanceOrder(
      method: voucher, number: SecretID(7), securityCode: nil, amount: 12_000, currency: Sample.euro, handle: nil)
    let read = try Sample.open(Sample.json).provider.balanceRequest(order)
    #expect(read.shownBody.contains(#""payment_data":{"voucher_number":"<7>"},"#))
    var script = try Scripted(Orders.order([Orders.giftCard(voucher, 3_000)], skips: true))
    let paid = try #require(script.begin().request)
    #expect(paid.shownBody.contains(#""payment_data":{"voucher_number":"<7>"},"#))
  }

  @Test("The time is asked for without moving anything")
  func time() throws {
    let request = try #require(try Sample.open(Sample.json).provider.timeRequest())
    #expect(request.method == "GET" && request.url == "https://api.purse-sandbox.com/datetime")
    #expect(request.headers == [Header("accept", "application/json"), Header("x-api-key", "key-1")])
    #expect(request.body.isEmpty && request.call == .time && request.money == .none)
  }

  // MARK: /validate

  /// Slices, and the items they become. Redirection methods have a step of /init before them.
  static let items: [(slices: [PaymentSlice], body: String)] = [
    (
      [Orders.slice(Orders.card, collected: Orders.form)],
      """
      [{"partner":"purse","method":"creditcard","amount":70.00,"payment_data":{"vault_form_token":"tok_success",\
      "selected_network":"VISA"},"partner_data":{},"payment_preferences":{"save_token":false}}]
      """
    ),
    (
      [Orders.token()],
      """
      [{"partner":"purse","method":"creditcard","amount":70.00,"payment_data":{"wallet_token":"w\\"1"},\
      "partner_data":{},"payment_preferences":{}}]
      """
    ),
    (
      [Orders.giftCard(Orders.ogloba, 3_000)],
      """
      [{"partner":"ogloba","method":"giftcard","amount":30.00,"payment_data":{"card":{"number":"<7>","csc":"<8>"}},\
      "partner_data":{},"payment_preferences":{},"step_id":3}]
      """
    ),
    (
      [
        Orders.giftCard(Orders.ogloba, 3_000, step: nil, code: nil), Orders.giftCard(Orders.illicado, 2_000),
        Orders.slice(Orders.card, 1, collected: Orders.form),
      ],
      """
      [{"partner":"ogloba","method":"giftcard","amount":30.00,"payment_data":{"card":{"number":"<7>"}},\
      "partner_data":{},"payment_preferences":{}},\
      {"partner":"illicado","method":"giftcard","amount":20.00,"payment_data":{},"partner_data":{},\
      "payment_preferences":{},"step_id":3},\
      {"partner":"purse","method":"creditcard","amount":0.01,"payment_data":{"vault_form_token":"tok_success",\
      "selected_network":"VISA"},"partner_data":{},"payment_preferences":{"save_token":false}}]
      """
    ),
  ]

  @Test("The items of a payment, in the order of the split", arguments: items)
  func validateItems(_ slices: [PaymentSlice], _ body: String) throws {
    var script = try Scripted(Orders.order(slices, skips: true))
    let request = try #require(script.begin().request)
    #expect(request.shownBody == body)
    #expect(request.money == .opens && request.call == .validate && request.method == "POST")
    #expect(request.url == "https://api.purse-sandbox.com/entity%2F1/sessions/session%201/validate")
    #expect(throws: Never.self) {
      try JSONDocument(parsing: request.shownBody)
    }
  }

  @Test("A restored gift card is paid with by its handle, or not at all with a number that is gone")
  func restoredGiftCard() throws {
    for method in [Orders.illicado, Orders.ogloba] {
      let handle = BalanceHandle(id: "i", stepID: 3)
      let slice = PaymentSlice(
        method: method, amount: 100, source: .giftCard(handle: handle, number: nil, securityCode: nil))
      var script = try Scripted(Orders.order([slice], skips: true))
      let request = try #require(script.begin().request)
      #expect(request.shownBody.contains(#""payment_data":{},"#))
      #expect(request.shownBody.contains(#""step_id":3"#))
    }
  }

  @Test(
    "Only /validate bears the idempotency key, under the host's name for it",
    arguments: [
      "Idempotency-Key", "x-once", nil,
    ] as [String?])
  func idempotency(_ name: String?) throws {
    let options = ProviderOptions(idempotencyHeader: name)
    var script = try Scripted(Orders.order([Orders.slice(Orders.page)], skips: true), options)
    let initRequest = try #require(script.begin().request)
    #expect(!initRequest.headers.contains { $0.value == "key" })
    _ = script.script.read(answer(AnswerTests.initBody()), to: .initialize)
    let validate = try #require(script.script.next(.read).request)
    #expect(validate.headers.filter { $0.value == "key" } == (name.map { [Header($0, "key")] } ?? []))
    #expect(validate.headers.count == (name == nil ? 3 : 4))
  }

  @Test(
    "Ids are encoded as path segments",
    arguments: [
      ("abc-._~09", "abc-._~09"), ("a/b?c#d", "a%2Fb%3Fc%23d"), ("é", "%C3%A9"), ("a b%20", "a%20b%2520"),
      ("...", "..."), ("{sessionId}", "%7BsessionId%7D"), ("a\n", "a%0A"),
    ])
  func segments(_ id: String, _ segment: String) throws {
    #expect(percentEncoded(segment: id) == segment)
    let json = Sample.json(#""session 1""#, "\"\(id.replacingOccurrences(of: "\n", with: "\\n"))\"")
    var script = try Sample.open(json).provider.script(for: Orders.order([Orders.token()], skips: true))
    #expect(
      script.next(.begin).request?.url == "https://api.purse-sandbox.com/entity%2F1/sessions/\(segment)/validate")
  }
}
