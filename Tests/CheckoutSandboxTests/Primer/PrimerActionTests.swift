import Testing

@testable import CheckoutSandbox

/// What a payment waits for, and how it goes on.
@Suite struct PrimerRequiredActionTests {
  var primer = PrimerBench()

  /// A payment that waits: its id and its required action's payload.
  private mutating func waiting(_ reply: Bench.Reply) throws -> (id: String, action: SandboxJSON) {
    let id = try #require(reply.json["id"]?.string, "\(reply.text)")
    return (id, try PrimerBench.payload(reply.json["requiredAction"]?["clientToken"]))
  }

  /// The resume token of a poll that is complete.
  private mutating func complete(_ action: SandboxJSON) throws -> SandboxJSON? {
    let reply = primer.call(.poll, try PrimerBench.action(action)).json
    #expect(reply["status"] == "COMPLETE")
    return reply["id"]
  }

  @Test mutating func anActionsTokenSaysLittle() throws {
    try primer.create()
    let (_, action) = try waiting(try primer.pay(.processor3DS))
    #expect(action["intent"] == "PROCESSOR_3DS" && action["exp"] == primer.token["exp"])
    #expect(action["accessToken"] != primer.token["accessToken"])
    // The rest is inherited.
    #expect(action["pciUrl"] == nil && action["env"] == nil && action["configurationUrl"] == nil)
    // Its own access token opens the session's calls as well.
    let token = action["accessToken"]?.string
    #expect(primer.call(.poll, try PrimerBench.action(action), headers: ["Primer-Client-Token": token]).status == 200)
  }

  @Test(
    arguments: [
      ("approve", "SUCCESS", nil), ("decline", "FAILED", "payment-failed"),
      ("cancel", "FAILED", "cancelled-by-customer"),
      ("pend", "PENDING", nil),
    ])
  mutating func aPageDecides(_ decision: String, _ status: String, _ reason: String?) throws {
    try primer.create(sandbox: ["pendingPolls": 2, "returnURL": "shop://back"])
    let (id, action) = try waiting(try primer.pay(.processor3DS))
    let poll = try PrimerBench.action(action)
    for _ in 0..<5 { #expect(primer.call(.poll, poll).json["status"] == "PENDING") }
    let back = try primer.decide(action, decision)
    #expect(back.status == 302 && back.header("Location") == "shop://back")
    for _ in 0..<2 {
      #expect(primer.call(.poll, poll).json == ["status": "PENDING", "id": .string(poll), "source": "SANDBOX"])
    }
    let token = try complete(action)
    #expect(token != .string(poll) && primer.payments()[0]["status"] == "PENDING")
    #expect(primer.payments()[0]["resumes"] == 0)
    let resumed = primer.resume(id, token).json
    #expect(resumed["status"] == .string(status) && resumed["paymentFailureReason"]?.string == reason)
    #expect(resumed["id"] == .string(id) && resumed["requiredAction"] == nil)
    #expect(primer.payments().map { $0["status"] } == [.string(status)])
    #expect(primer.payments()[0]["resumes"] == 1)
    let again = primer.resume(id, token)
    #expect(again.status == 409 && again.errorId == "PaymentNotResumable")
    #expect(try complete(action) == token)
  }

  @Test mutating func thePageOffersEveryDecisionAndTheFirstStands() throws {
    try primer.create()
    let (_, action) = try waiting(try primer.pay(.processor3DS))
    let url = try #require(action["redirectUrl"]?.string)
    let page = primer.bench.send("GET", String(url.dropFirst(Bench.base.count)))
    #expect(page.status == 200)
    for decision in PrimerDecision.allCases { #expect(page.text.contains("href=\"\(url)/\(decision)\"")) }
    #expect(try primer.decide(action, "other").status == 404)
    // Without a place to go back to the page is the end.
    #expect(try primer.decide(action, "decline").status == 200)
    #expect(try primer.decide(action, "approve").status == 200)
    _ = primer.call(.poll, try PrimerBench.action(action))
    #expect(
      primer.resume(primer.payments()[0]["paymentId"]?.string ?? "", try complete(action)).json["status"] == "FAILED")
    #expect(primer.bench.send("GET", "/sandbox/primer/pages/other").status == 404)
    #expect(primer.bench.send("PUT", String(url.dropFirst(Bench.base.count))).status == 405)
  }

  @Test mutating func aSessionMayDecideByItself() throws {
    try primer.create(sandbox: ["decision": "decline", "pendingPolls": 0])
    let (id, action) = try waiting(try primer.pay(.processor3DS))
    #expect(primer.resume(id, try complete(action)).json["status"] == "FAILED")
  }

  @Test mutating func aRedirectedMethodLeadsBackWhereItsInstrumentSays() throws {
    try primer.create(sandbox: ["returnURL": "shop://other"])
    let token = try primer.tokenize(type: "ADYEN_IDEAL", returnURL: "shop://back?x=1")
    let reply = primer.pay(token)
    #expect(reply.json["requiredAction"]?["name"] == "USE_PRIMER_SDK")
    let (id, action) = try waiting(reply)
    #expect(action["intent"] == "ADYEN_IDEAL_REDIRECTION")
    #expect(try primer.decide(action, "approve").header("Location") == "shop://back?x=1")
    _ = primer.call(.poll, try PrimerBench.action(action))
    #expect(primer.resume(id, try complete(action)).json["status"] == "SUCCESS")
  }

  @Test(arguments: [("ADYEN_BLIK", nil), ("XFERS_PAYNOW", "c2FuZGJveA==")])
  mutating func somePaymentsWaitWithoutAPage(_ type: String, _ code: String?) throws {
    try primer.create()
    let (id, action) = try waiting(primer.pay(try primer.tokenize(type: type)))
    #expect(action["intent"] == .string("\(type)_REDIRECTION") && action["redirectUrl"] == nil)
    #expect(action["qrCode"]?.string == code)
    #expect(primer.call(.poll, try PrimerBench.action(action)).json["status"] == "PENDING")
    #expect(primer.resume(id, try complete(action)).json["status"] == "SUCCESS")
  }

  @Test mutating func aVoucherIsPaidLater() throws {
    try primer.create()
    let reply = primer.pay(try primer.tokenize(type: "ADYEN_MULTIBANCO"))
    #expect(reply.json["requiredAction"]?["name"] == "PAYMENT_METHOD_VOUCHER" && reply.json["status"] == "PENDING")
    let (_, action) = try waiting(reply)
    #expect(action["intent"] == "PAYMENT_METHOD_VOUCHER" && action["statusUrl"] == nil)
    #expect(action["entity"] == "11683" && action["reference"] == "123 456 789")
    #expect(action["expiresAt"] == "2039-12-31T23:59:59Z")
  }

  @Test mutating func anActionOfNobodysKind() throws {
    try primer.create()
    let (id, action) = try waiting(try primer.pay(.unlistedAction))
    #expect(action["intent"] == "SANDBOX_ACTION" && action["statusUrl"] == nil)
    #expect(primer.resume(id, "x").errorId == "ResumeTokenNotFound")
  }

  @Test mutating func aResumeNeedsItsPaymentItsTokenAndItsEnd() throws {
    try primer.create()
    let (id, action) = try waiting(try primer.pay(.processor3DS))
    #expect(primer.resume("other", "x").status == 404)
    #expect(primer.resume(id, .null).status == 422)
    #expect(primer.call(.resumePayment, id, ["resumeToken": "x", "more": 1]).errorPointer == "/more")
    _ = try primer.decide(action, "approve")
    _ = primer.call(.poll, try PrimerBench.action(action))
    let token = try complete(action)
    let first = (session: primer.session, token: primer.token)
    try primer.create()
    #expect(primer.resume(id, token).status == 404)
    #expect(primer.call(.poll, try PrimerBench.action(action)).status == 404)
    (primer.session, primer.token) = first
    #expect(primer.merchant("POST", "/payments/\(id)/cancel").status == 200)
    #expect(primer.resume(id, token).status == 409)
  }

  @Test mutating func aPaymentMayShowSuccessWhilePending() throws {
    try primer.create(sandbox: ["decision": "approve", "pendingPolls": 0])
    let (id, action) = try waiting(try primer.pay(.shownPending))
    let resumed = primer.resume(id, try complete(action)).json
    #expect(resumed["status"] == "PENDING" && resumed["showSuccessCheckoutOnPendingPayment"] == true)
  }

  @Test mutating func aResumesAnswerMayBeLost() throws {
    try primer.create(sandbox: ["decision": "approve", "pendingPolls": 0])
    let (id, action) = try waiting(try primer.pay(.lostResume))
    #expect(primer.resume(id, try complete(action)).action == .hangUp)
    #expect(primer.payments().map { $0["status"] } == ["SUCCESS"])
  }
}

/// 3DS: the authentication's two calls.
@Suite struct PrimerAuthenticationTests {
  var primer = PrimerBench()

  private static let failure: SandboxJSON = [
    "platform": "OTHER", "status": "FAILURE",
    "error": ["reasonCode": "MISSING_SDK_DEPENDENCY", "reasonText": "There is no SDK."],
  ]

  private mutating func begin(_ token: String) -> Bench.Reply {
    primer.call(.beginAuthentication, token, ["maxProtocolVersion": "2.2.0"])
  }

  /// A card payment that waits for its authentication.
  private mutating func waiting(_ payment: PrimerCase) throws -> (id: String, token: String) {
    try primer.create(sandbox: ["decision": "approve", "pendingPolls": 0])
    let token = try primer.tokenize(payment.number)
    let reply = primer.pay(token)
    let payload = try PrimerBench.payload(reply.json["requiredAction"]?["clientToken"])
    #expect(payload["intent"] == "3DS_AUTHENTICATION" && payload["statusUrl"] == nil)
    #expect(payload["supportedThreeDsProtocolVersions"] == ["2.1.0", "2.2.0"])
    return (try #require(reply.json["id"]?.string), token)
  }

  @Test(
    arguments: [
      (PrimerCase.frictionless, "AUTH_SUCCESS", "SUCCESS"), (.skipped, "SKIPPED", "SUCCESS"),
      (.notPerformed, "NOT_PERFORMED", "SUCCESS"), (.authenticationFailed, "AUTH_FAILED", "FAILED"),
    ])
  mutating func anAuthenticationMayEndAtOnce(_ payment: PrimerCase, _ code: String, _ status: String) throws {
    let (id, token) = try waiting(payment)
    let begun = begin(token).json
    #expect(begun["authentication"]?["responseCode"] == .string(code))
    #expect(begun["token"]?["token"] == .string(token))
    #expect(primer.resume(id, begun["resumeToken"]).json["status"] == .string(status))
  }

  @Test(
    arguments: [
      (PrimerCase.challenge, "CHALLENGE", "SUCCESS"), (.strictChallenge, "CHALLENGE", "FAILED"),
      (.method, "METHOD", "SUCCESS"),
    ])
  mutating func aChallengeThatCannotBeShownGoesOn(_ payment: PrimerCase, _ code: String, _ status: String) throws {
    let (id, token) = try waiting(payment)
    let begun = begin(token).json
    #expect(begun["authentication"]?["responseCode"] == .string(code) && begun["resumeToken"] == .null)
    let continued = primer.call(.continueAuthentication, token, Self.failure)
    #expect(continued.status == 200 && continued.json["token"]?["token"] == .string(token))
    #expect(primer.resume(id, continued.json["resumeToken"]).json["status"] == .string(status))
  }

  @Test mutating func aChallengeMayBeContinuedWithoutHavingBegun() throws {
    let (id, token) = try waiting(.challenge)
    let continued = primer.call(.continueAuthentication, token, Self.failure)
    #expect(primer.resume(id, continued.json["resumeToken"]).json["status"] == "SUCCESS")
  }

  @Test mutating func aChallengeThatWasPassed() throws {
    let (id, token) = try waiting(.strictChallenge)
    let continued = primer.call(.continueAuthentication, token, ["platform": "OTHER", "status": "SUCCESS"])
    #expect(primer.resume(id, continued.json["resumeToken"]).json["status"] == "SUCCESS")
  }

  @Test mutating func twoActionsOneAfterTheOther() throws {
    let (id, token) = try waiting(.twoActions)
    let continued = primer.call(.continueAuthentication, token, Self.failure)
    let resumed = primer.resume(id, continued.json["resumeToken"]).json
    #expect(resumed["status"] == "PENDING" && resumed["requiredAction"]?["name"] == "PROCESSOR_3DS")
    let action = try PrimerBench.payload(resumed["requiredAction"]?["clientToken"])
    let polled = primer.call(.poll, try PrimerBench.action(action)).json
    // The first action's token is spent.
    #expect(primer.resume(id, continued.json["resumeToken"]).errorId == "ResumeTokenNotFound")
    #expect(primer.resume(id, polled["id"]).json["status"] == "SUCCESS")
    #expect(primer.payments().count == 1 && primer.payments()[0]["resumes"] == 2)
  }

  @Test mutating func aWrongAuthenticationIsRefused() throws {
    let (_, token) = try waiting(.challenge)
    #expect(begin("other").errorId == "AuthenticationNotFound")
    #expect(primer.call(.beginAuthentication, token, .object([])).errorPointer == "/maxProtocolVersion")
    let device: SandboxJSON = ["maxProtocolVersion": "2.1.0", "device": ["name": "x"]]
    #expect(primer.call(.beginAuthentication, token, device).errorPointer == "/device/name")
    #expect(primer.call(.continueAuthentication, token, ["status": "SUCCESS"]).errorPointer == "/platform")
    #expect(
      primer.call(.continueAuthentication, token, ["platform": "OTHER", "status": "x"]).errorPointer == "/status")
    let lower = Self.failure.merging(["error": ["reasonCode": "missing"]])
    #expect(primer.call(.continueAuthentication, token, lower).errorPointer == "/error/reasonCode")
    #expect(primer.call(.continueAuthentication, "other", Self.failure).status == 404)
    // Nor is there one for a payment that waits for something else.
    let other = try primer.tokenize(PrimerCase.processor3DS.number)
    _ = primer.pay(other)
    #expect(begin(other).status == 404)
  }
}
