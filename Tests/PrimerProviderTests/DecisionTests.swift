import JSONText
import Testing

@testable import CheckoutCore
@testable import PrimerProvider

/// beforePayment and the idempotency key.
@Suite("Decisions and keys")
struct DecisionTests {
  static func bench(_ hooks: [Hook], ownKey: Bool = false) throws -> Bench {
    let bench = try Bench(hooks: hooks, ownKey: ownKey)
    try bench.ready()
    try bench.fill()
    try bench.submit()
    return bench
  }

  static let key = "X-Idempotency-Key"
  static func named(_ key: String) -> HookAnswer { .ok(#"{"idempotencyKey":"\#(key)"}"#) }

  // MARK: session_state_machine_spec

  // seed: 003:121b
  @Test("session_state_machine_spec: unanswered for 5 s, one warning, and it waits on")
  func warns() throws {
    let bench = try Self.bench([.beforePayment])
    #expect(bench.state(.awaitingDecision).boolean == true)
    bench.advance(4_999)
    #expect(!bench.told.contains { $0.kind == .log })
    bench.advance(1)
    let log = try #require(bench.told.last { $0.kind == .log })
    #expect(log.json["level"]?.string == "warning" && log.json["attempt"]?.int64 == 1)
    bench.advance(86_000_000)
    #expect(bench.told.filter { $0.kind == .log }.count == 1 && bench.outcomes.isEmpty)
    #expect(bench.checkout.nextDeadline(at: bench.clock) ?? Int64.max > bench.clock.boot)
    try bench.answerTicket(.beforePayment, .ok("{}"))
    #expect(bench.state(.awaitingDecision).boolean == false && bench.open.last?.request.call == .sessionAction)
  }

  @Test("an answer in time warns of nothing, later either")
  func answeredInTime() throws {
    let bench = try Self.bench([.beforePayment])
    bench.advance(4_000)
    try bench.answerTicket(.beforePayment, .ok("{}"))
    bench.advance(60_000)
    #expect(!bench.told.contains { $0.kind == .log })
  }

  // seed: 003:121c
  @Test("session_state_machine_spec: while it waits, the shopper's way out is ignored")
  func staysDuringDecision() throws {
    let bench = try Self.bench([.beforePayment])
    #expect(try bench.perform(.dismiss)["ignored"]?.boolean == true)
    try bench.perform(.elementReport(element: "PAYMENT_CARD", .canceled))
    #expect(throws: CheckoutError.self) { try bench.perform(.setPrimary(.item("ADYEN_IDEAL"))) }
    try bench.perform(.elementClose("PAYMENT_CARD"))
    #expect(bench.outcomes.isEmpty && bench.sessionState == "submitting" && bench.forgotten.isEmpty)
    try bench.answerTicket(.beforePayment, .ok("{}"))
    bench.tokenize()
    #expect(bench.payments.count == 1)
    bench.answer(.payment, 200, Wire.payment("SUCCESS"))
    #expect(bench.outcomes.count == 1 && Set(bench.forgotten.map { $0.value }) == [1, 2, 3])
  }

  // seed: 003:121e
  @Test(
    "session_state_machine_spec: answered after the checkout closed, no payment starts",
    arguments: [Command.cancel, .teardown, .abortAttempt(1)])
  func late(_ command: Command) throws {
    let bench = try Self.bench([.beforePayment])
    try bench.perform(command)
    #expect(bench.outcomes.count == 1 && bench.outcomes[0]["error"]?["moved"]?.string ?? "no" == "no")
    #expect(throws: CheckoutError.self) { try bench.answerTicket(.beforePayment, .ok("{}")) }
    #expect(bench.sent.count == 1)
    if command == .cancel {
      try bench.ready()
      #expect(throws: CheckoutError(.ticketClosed)) { try bench.answerTicket(.beforePayment, .ok("{}")) }
      #expect(bench.outcomes.count == 1 && bench.sent.count == 2)
    }
  }

  // seed: 003:108-117
  @Test("an answer counts once")
  func once() throws {
    let bench = try Self.bench([.beforePayment])
    try bench.answerTicket(.beforePayment, .ok("{}"))
    #expect(throws: CheckoutError(.ticketClosed)) { try bench.answerTicket(.beforePayment, .ok("{}")) }
    #expect(bench.sent.filter { $0.call == .sessionAction }.count == 1)
  }

  @Test(
    "a malformed answer leaves the question open",
    arguments: [
      #"{"idempotencyKey":1}"#, #"{"idempotencyKey":""}"#, #"{"idempotencyKey":"a\nb"}"#, #"{"key":"a"}"#,
      #"{"idempotencyKey":"a b"}"#,
    ])
  func malformed(_ text: String) throws {
    let bench = try Self.bench([.beforePayment])
    #expect(throws: CheckoutError.self) { try bench.answerTicket(.beforePayment, .ok(text)) }
    try bench.answerTicket(.beforePayment, .ok("{}"))
    #expect(bench.open.last?.request.call == .sessionAction)
  }

  // MARK: idempotency

  @Test("idempotency: abort with a message, which is kept")
  func abortsWithMessage() throws {
    let bench = try Self.bench([.beforePayment])
    try bench.answerTicket(.beforePayment, .error("not today"))
    #expect(bench.outcomes[0]["error"]?["code"]?.string == "merchant-error")
    #expect(bench.outcomes[0]["error"]?["message"]?.string == "not today")
    #expect(bench.outcomes[0]["error"]?["moved"]?.string == "no" && bench.sessionState == "ready")
  }

  @Test("idempotency: abort without one, and no key is stored")
  func aborts() throws {
    let bench = try Self.bench([.beforePayment])
    try bench.answerTicket(.beforePayment, .error(""))
    #expect(bench.outcomes[0]["error"]?["message"]?.string == "Payment creation aborted")
    #expect(bench.checkout.core.ledger.idempotencyKey == nil && bench.sent.count == 1)
  }

  @Test("idempotency: the method's type is told", arguments: ["PAYMENT_CARD", "ADYEN_IDEAL"])
  func type(_ type: String) throws {
    let bench = try Bench(hooks: [.beforePayment])
    try bench.ready()
    try bench.perform(
      .elementOpen(
        ElementOpen(choice: .item(type), presentsRedirects: true, appReturnURL: "shop://back", tag: nil)))
    if type == "PAYMENT_CARD" { try bench.fill() } else { try bench.perform(.setPrimary(.item(type))) }
    try bench.submit()
    #expect(bench.asked.last?.json["paymentMethodType"]?.string == type)
  }

  @Test("idempotency: POST /payments with a key has the header, and the token's")
  func headers() throws {
    let bench = try Self.bench([.idempotencyKey])
    try bench.answerTicket(.idempotencyKey, Self.named("k1"))
    bench.tokenize()
    #expect(bench.payments.last?.header(Self.key) == "k1")
    #expect(bench.payments.last?.header("Primer-Client-Token") == "at_1")
  }

  @Test("idempotency: without one it has none; no hook, no key")
  func noKey() throws {
    let bench = try Self.bench([])
    bench.tokenize()
    #expect(bench.payments.count == 1 && bench.payments[0].header(Self.key) == nil)
  }

  @Test("the core's own key only by option, and below all others")
  func ownKey() throws {
    let bench = try Self.bench([], ownKey: true)
    bench.tokenize()
    #expect(bench.payments[0].header(Self.key)?.utf8.count == 36)
    let named = try Self.bench([.idempotencyKey], ownKey: true)
    try named.answerTicket(.idempotencyKey, Self.named("mine"))
    named.tokenize()
    #expect(named.payments[0].header(Self.key) == "mine")
  }

  @Test("idempotency: a resume never has it")
  func resumes() throws {
    let bench = try Self.bench([.idempotencyKey])
    try bench.answerTicket(.idempotencyKey, Self.named("k1"))
    bench.tokenize()
    bench.answer(.payment, 200, Wire.redirect)
    bench.answer(.poll, 200, Wire.complete)
    #expect(bench.payments.count == 2 && bench.payments[1].header(Self.key) == nil)
  }

  // seed: 003:119
  @Test("idempotency: the decision's key outranks the provider's, which is not asked")
  func precedence() throws {
    let bench = try Self.bench([.beforePayment, .idempotencyKey])
    try bench.answerTicket(.beforePayment, Self.named("imperative-key"))
    bench.tokenize()
    #expect(bench.payments[0].header(Self.key) == "imperative-key")
    #expect(!bench.asked.contains { $0.kind == .idempotencyKey })
  }

  @Test("idempotency: a decision without a key, and no provider: none", arguments: [HookAnswer.ok("{}"), .unset])
  func decisionWithoutKey(_ answer: HookAnswer) throws {
    let bench = try Self.bench([.beforePayment])
    try bench.answerTicket(.beforePayment, answer)
    bench.tokenize()
    #expect(bench.payments[0].header(Self.key) == nil)
  }

  // seed: 003:48b
  @Test("a decision without a key falls back to the provider's")
  func fallsBack() throws {
    let bench = try Self.bench([.beforePayment, .idempotencyKey])
    try bench.answerTicket(.beforePayment, .ok("{}"))
    try bench.answerTicket(.idempotencyKey, Self.named("declarative-key"))
    bench.tokenize()
    #expect(bench.payments[0].header(Self.key) == "declarative-key")
    #expect(bench.asked.filter { $0.kind == .idempotencyKey }.count == 1)
  }

  @Test(
    "idempotency: a create that succeeded or was declined clears the key",
    arguments: ["SUCCESS", "FAILED", "PENDING"])
  func clears(_ status: String) throws {
    let bench = try Self.bench([.idempotencyKey])
    try bench.answerTicket(.idempotencyKey, Self.named("k1"))
    bench.tokenize()
    bench.answer(.payment, 200, Wire.payment(status))
    #expect(bench.checkout.core.ledger.idempotencyKey == nil)
  }

  @Test("idempotency: a create that was refused clears it")
  func refusalClears() throws {
    let bench = try Self.bench([.idempotencyKey])
    try bench.answerTicket(.idempotencyKey, Self.named("k1"))
    bench.tokenize()
    bench.answer(.payment, 400, #"{"error":{"errorId":"InvalidRequest","diagnosticsId":"d-1"}}"#)
    #expect(bench.checkout.core.ledger.idempotencyKey == nil && bench.sessionState == "ready")
    #expect(bench.outcomes[0]["error"]?["code"]?.string == "failed-to-create-payment")
    #expect(bench.outcomes[0]["error"]?["details"]?["errorId"]?.string == "InvalidRequest")
  }

  @Test("idempotency: first-key, then second-key; then none")
  func sequence() throws {
    let bench = try Bench(hooks: [.idempotencyKey])
    try bench.ready()
    for answer in [Self.named("first-key"), Self.named("second-key"), .ok("{}")] {
      try bench.fill()
      try bench.submit()
      try bench.answerTicket(.idempotencyKey, answer)
      bench.tokenize()
      bench.answer(.payment, 200, Wire.payment("FAILED"))
    }
    #expect(bench.payments.map { $0.header(Self.key) } == ["first-key", "second-key", nil])
  }

  @Test("a key without a verdict is kept, told, and outranks the decision")
  func retained() throws {
    let bench = try Self.bench([.beforePayment, .idempotencyKey])
    #expect(bench.asked.last?.json["retainedIdempotencyKey"]?.isNull == true)
    try bench.answerTicket(.beforePayment, Self.named("k1"))
    bench.tokenize()
    bench.lose(.payment, left: true)
    #expect(bench.isUnknown)
    try bench.perform(.resolve(attempt: 1, .notCreated))
    try bench.fill()
    try bench.submit()
    #expect(bench.asked.last?.json["retainedIdempotencyKey"]?.string == "k1")
    try bench.answerTicket(.beforePayment, Self.named("k2"))
    #expect(!bench.asked.contains { $0.kind == .idempotencyKey })
    bench.tokenize()
    #expect(bench.payments.map { $0.header(Self.key) } == ["k1", "k1"])
  }

  @Test("409 IdempotencyKeyAlreadyExists is no failure: there is a payment under that key", arguments: [409, 400, 422])
  func conflict(_ status: Int) throws {
    let bench = try Self.bench([.idempotencyKey])
    try bench.answerTicket(.idempotencyKey, Self.named("order-1"))
    bench.tokenize()
    bench.answer(.payment, status, #"{"error":{"errorId":"IdempotencyKeyAlreadyExists","description":"x"}}"#)
    #expect(bench.isUnknown && bench.outcomes[0]["error"]?["code"]?.string == "OUTCOME_UNKNOWN")
    #expect(throws: CheckoutError.self) { try bench.submit() }
    #expect(bench.payments.count == 1)
  }

  @Test("the key hook's error is the merchant's too; its silence ends by the hooks' time limit")
  func keyHook() throws {
    let bench = try Self.bench([.idempotencyKey])
    try bench.answerTicket(.idempotencyKey, .error("no"))
    #expect(bench.outcomes[0]["error"]?["code"]?.string == "merchant-error" && bench.sent.count == 1)
  }
}
