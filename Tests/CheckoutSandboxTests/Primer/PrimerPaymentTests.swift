import Testing

@testable import CheckoutSandbox

@Suite struct PrimerPaymentTests {
  var primer = PrimerBench()

  /// What create answers for every case: a verdict, or the first required action.
  private static let answers: [PrimerCase: String] = [
    .success: "SUCCESS", .declined: "FAILED payment-failed", .canceled: "FAILED cancelled-by-customer",
    .pending: "PENDING", .checkoutComplete: "PENDING CHECKOUT_COMPLETE", .checkoutFailure: "PENDING CHECKOUT_FAILURE",
    .determined: "SUCCESS DETERMINE_FROM_PAYMENT_STATUS", .withoutId: "SUCCESS without id", .unlisted: "SANDBOX_STATUS",
    .refused: "422", .unreadable: "no JSON", .errorIn2xx: "202 error", .lost: "nothing", .slow: "SUCCESS",
    .frictionless: "3DS_AUTHENTICATION", .skipped: "3DS_AUTHENTICATION", .notPerformed: "3DS_AUTHENTICATION",
    .authenticationFailed: "3DS_AUTHENTICATION", .challenge: "3DS_AUTHENTICATION",
    .strictChallenge: "3DS_AUTHENTICATION", .method: "3DS_AUTHENTICATION", .processor3DS: "PROCESSOR_3DS",
    .shownPending: "PROCESSOR_3DS", .twoActions: "3DS_AUTHENTICATION", .unlistedAction: "SANDBOX_ACTION",
    .lostResume: "PROCESSOR_3DS",
  ]

  private static func summary(_ reply: Bench.Reply) -> String {
    guard reply.response != nil else { return "nothing" }
    if reply.json == .null { return "no JSON" }
    if reply.json["error"] != nil { return reply.status == 202 ? "202 error" : "\(reply.status)" }
    if let name = reply.json["requiredAction"]?["name"]?.string {
      #expect(reply.json["status"] == "PENDING")
      return name
    }
    let parts = [
      reply.json["status"], reply.json["paymentFailureReason"], reply.json["checkoutOutcome"],
      reply.json["id"] == nil ? "without id" : nil,
    ]
    return parts.compactMap { $0?.string }.joined(separator: " ")
  }

  @Test(arguments: PrimerCase.allCases)
  mutating func aCardIsAnsweredAsItsNumberSays(_ payment: PrimerCase) throws {
    try primer.create()
    let reply = try primer.pay(payment)
    #expect(Self.summary(reply) == Self.answers[payment])
    #expect((reply.delay ?? 0) == (payment == .slow ? 1_500 : 0))
    let made = primer.payments()
    #expect(made.count == (payment == .refused ? 0 : 1))
    if let paid = made.first {
      #expect(paid["amount"] == 10_000 && paid["currency"] == "EUR" && paid["method"] == "PAYMENT_CARD")
      #expect(paid["status"] == .string(payment.steps.isEmpty ? payment.verdict.status : "PENDING"))
    }
  }

  @Test mutating func aPaymentSaysWhatItIs() throws {
    try primer.create()
    let paid = try primer.pay(.success).json
    #expect(paid["id"] == primer.payments()[0]["paymentId"])
    #expect(paid["date"] == "2030-01-01T00:00:00.000Z" && paid["amount"] == 10_000 && paid["currencyCode"] == "EUR")
    #expect(paid["orderId"] == "O-1" && paid["customerId"] == "shopper-1")
    #expect(primer.payments()[0]["sessionId"] == .string(primer.session))
  }

  @Test(arguments: PrimerCase.amounts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  mutating func anExactAmountAsksToo(_ amount: Int64, _ payment: PrimerCase) throws {
    try primer.create(["amount": .integer(amount)])
    #expect(Self.summary(primer.pay(try primer.tokenize())) == Self.answers[payment])
    // A card that asks for something outranks it.
    #expect(Self.summary(try primer.pay(.success)) == "SUCCESS")
  }

  @Test mutating func aTokenIsGoodForOnePayment() throws {
    try primer.create()
    let token = try primer.tokenize()
    #expect(primer.pay(token).json["status"] == "SUCCESS")
    let again = primer.pay(token)
    #expect(again.status == 422 && again.errorId == "PaymentMethodTokenUsed")
    #expect(primer.pay("other").errorId == "PaymentMethodTokenNotFound")
    // Whoever pays twice is found out.
    #expect(primer.pay(try primer.tokenize()).json["status"] == "SUCCESS")
    #expect(primer.payments().count == 2)
  }

  @Test mutating func aTokenBelongsToItsSession() throws {
    try primer.create()
    let token = try primer.tokenize()
    try primer.create()
    #expect(primer.pay(token).errorId == "PaymentMethodTokenNotFound")
    #expect(primer.payments().isEmpty)
  }

  @Test(arguments: [PrimerCase.success, .declined, .pending, .lost, .processor3DS])
  mutating func aKeyThatWasProcessedIsRefused(_ payment: PrimerCase) throws {
    try primer.create()
    _ = primer.pay(try primer.tokenize(payment.number), key: "k")
    let again = primer.pay(try primer.tokenize(), key: "k")
    #expect(again.status == 409 && again.errorId == "IdempotencyKeyAlreadyExists")
    #expect(primer.payments().count == 1)
    #expect(primer.pay(try primer.tokenize(), key: "l").json["status"] == "SUCCESS")
    // The account's other sessions know it.
    try primer.create()
    #expect(primer.pay(try primer.tokenize(), key: "k").status == 409)
  }

  @Test mutating func aRefusedCreateKeepsTheKeyFree() throws {
    try primer.create()
    #expect(primer.pay(try primer.tokenize(PrimerCase.refused.number), key: "k").status == 422)
    #expect(primer.pay("other", key: "k").status == 422)
    #expect(primer.pay(try primer.tokenize(), key: "").status == 400)
    #expect(primer.pay(try primer.tokenize(), key: "k").json["status"] == "SUCCESS")
  }

  @Test mutating func theMerchantReadsAndCancels() throws {
    try primer.create()
    let id = try #require(try primer.pay(.processor3DS).json["id"]?.string)
    #expect(primer.merchant("GET", "/payments/\(id)").json["status"] == "PENDING")
    #expect(primer.merchant("POST", "/payments/\(id)/cancel").json["status"] == "FAILED")
    #expect(primer.merchant("GET", "/payments/\(id)").json["paymentFailureReason"] == "cancelled-by-customer")
    #expect(primer.merchant("POST", "/payments/\(id)/cancel").status == 409)
    #expect(primer.merchant("POST", "/payments/\(id)").status == 405)
    #expect(primer.merchant("GET", "/payments/other").status == 404)
    #expect(primer.merchant("GET", "/payments/\(id)/other").status == 404)
    let stranger = primer.bench.send("GET", "/payments/\(id)", headers: ["X-Api-Key": "stranger"])
    #expect(stranger.status == 404)
  }
}
