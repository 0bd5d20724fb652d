import JSONText
import Testing

@testable import CheckoutCore
@testable import PrimerProvider

/// What an answer about a payment means: the matrix of outcomes, and what it means for money.
@Suite("Outcomes")
struct OutcomeTests {
  struct Row: CustomStringConvertible, Sendable {
    var isResume: Bool
    var answer: String
    /// completed success, completed pending, payment-failed, failed-to-resume-payment, OUTCOME_UNKNOWN
    var told: String
    /// What the group create_resume_matrix calls it; nil: a row of our own.
    var expected: String?
    var description: String { (isResume ? "resume " : "create ") + answer }
  }

  private static func row(
    _ isResume: Bool, _ status: String, _ told: String, _ expected: String?, id: String? = "id", _ more: String = ""
  ) -> Row {
    Row(isResume: isResume, answer: Wire.payment(status, id: id, more), told: told, expected: expected)
  }

  private static let complete = #","checkoutOutcome":"CHECKOUT_COMPLETE""#
  private static let failure = #","checkoutOutcome":"CHECKOUT_FAILURE""#
  private static let byStatus = #","checkoutOutcome":"DETERMINE_FROM_PAYMENT_STATUS""#
  private static let shown = #","showSuccessCheckoutOnPendingPayment":true"#

  static let rows: [Row] = [
    row(false, "SUCCESS", "OUTCOME_UNKNOWN", "error", id: nil),
    row(false, "FAILED", "payment-failed", "error"),
    row(false, "PENDING", "completed pending", "ok"),
    row(false, "PENDING", "completed pending", "ok", shown),
    row(false, "FAILED", "payment-failed", "error", failure),
    row(false, "PENDING", "completed pending", "ok", byStatus),
    row(false, "PENDING", "completed pending", "ok", shown + byStatus),
    row(true, "SUCCESS", "OUTCOME_UNKNOWN", "error", id: nil),
    row(true, "SUCCESS", "completed success", "ok"),
    row(true, "FAILED", "failed-to-resume-payment", "error"),
    row(true, "PENDING", "completed pending", "ok", shown),
    row(true, "FAILED", "failed-to-resume-payment", "error", failure),
    row(true, "SUCCESS", "completed success", "ok", byStatus),
    row(true, "FAILED", "failed-to-resume-payment", "error", byStatus),
    row(true, "PENDING", "OUTCOME_UNKNOWN", "error", byStatus),
    // Ours.
    row(false, "SUCCESS", "completed success", nil),
    row(false, "SUCCESS", "completed success", nil, id: nil, complete),
    row(false, "PENDING", "completed pending", nil, id: nil, complete),
    row(false, "FAILED", "completed declined", nil, complete),
    row(false, "PENDING", "OUTCOME_UNKNOWN", nil, failure),
    row(false, "SUCCESS", "OUTCOME_UNKNOWN", nil, failure),
    row(false, "FAILED", "payment-failed", nil, id: nil),
    row(false, "AUTHORIZED", "OUTCOME_UNKNOWN", nil),
    row(true, "PENDING", "OUTCOME_UNKNOWN", nil),
    row(true, "PENDING", "OUTCOME_UNKNOWN", nil, failure),
    Row(isResume: false, answer: "{}", told: "OUTCOME_UNKNOWN"),
    Row(isResume: false, answer: "<html>", told: "OUTCOME_UNKNOWN"),
    Row(isResume: false, answer: "", told: "OUTCOME_UNKNOWN"),
    Row(isResume: false, answer: "[]", told: "OUTCOME_UNKNOWN"),
    Row(isResume: true, answer: #"{"error":{"errorId":"x"}}"#, told: "OUTCOME_UNKNOWN"),
  ]

  /// Up to the request that is answered.
  static func bench(isResume: Bool, hooks: [Hook] = []) throws -> Bench {
    let bench = try Bench(hooks: hooks)
    try bench.ready()
    try bench.fill()
    try bench.create()
    if isResume {
      bench.answer(.payment, 200, Wire.redirect)
      bench.answer(.poll, 200, Wire.complete)
    }
    return bench
  }

  static func word(_ outcome: JSONValue?) -> String {
    guard outcome?["kind"]?.string == "completed" else { return outcome?["error"]?["code"]?.string ?? "none" }
    return "completed " + (outcome?["verdict"]?.string ?? "")
  }

  @Test("create_resume_matrix", arguments: rows)
  func matrix(_ row: Row) throws {
    let bench = try Self.bench(isResume: row.isResume)
    bench.answer(.payment, 200, row.answer)
    #expect(bench.outcomes.count == 1)
    let told = Self.word(bench.outcomes.first)
    #expect(told == row.told)
    if let expected = row.expected { #expect(told.hasPrefix("completed") == (expected == "ok")) }
    // What each means for the session.
    switch told {
    case "payment-failed", "failed-to-resume-payment":
      #expect(bench.sessionState == "ready" && !bench.isUnknown)
      #expect(bench.outcomes[0]["error"]?["moved"]?.string == "no")
    case "OUTCOME_UNKNOWN":
      #expect(bench.sessionState == "submitted" && bench.isUnknown)
      #expect(bench.outcomes[0]["error"]?["moved"]?.string == "unknown")
    default:
      #expect(bench.sessionState == "submitted" && !bench.isUnknown)
      #expect(bench.outcomes[0]["isSuccess"]?.boolean == (told == "completed success"))
    }
  }

  @Test("create_resume_matrix: no client token stored")
  func withoutToken() throws {
    let bench = try Bench()
    // Nothing can be chosen, so nothing can be paid; a token that is none makes no checkout.
    #expect(throws: CheckoutError.self) { try bench.perform(.setPrimary(.item("PAYMENT_CARD"))) }
    #expect(throws: CheckoutError.self) { try bench.submit() }
    #expect(throws: CheckoutError(.invalidClientToken, path: "clientToken")) {
      try Primer.open("", Bench.provider())
    }
  }

  @Test("create_resume_matrix: transport error of create", arguments: [true, false])
  func createLost(_ left: Bool) throws {
    let bench = try Self.bench(isResume: false)
    bench.lose(.payment, left: left)
    #expect(Self.word(bench.outcomes.first) == (left ? "OUTCOME_UNKNOWN" : "failed-to-create-payment"))
    #expect(bench.sessionState == (left ? "submitted" : "ready"))
    #expect(bench.outcomes[0]["error"]?["moved"]?.string == (left ? "unknown" : "no"))
  }

  @Test("create_resume_matrix: transport error of resume, and every refusal of it, is never a plain failure")
  func resumeLost() throws {
    for status in [0, 1, 400, 401, 403, 404, 409, 422, 429, 500] {
      let bench = try Self.bench(isResume: true)
      if status < 2 { bench.lose(.payment, left: status == 1) } else { bench.answer(.payment, status, "{}") }
      #expect(Self.word(bench.outcomes.first) == "OUTCOME_UNKNOWN" && bench.isUnknown, "\(status)")
      #expect(bench.state(.pendingAttempt)["attempt"]?.int64 == 1)
      // It exists.
      #expect(throws: CheckoutError.self) { try bench.perform(.resolve(attempt: 1, .notCreated)) }
    }
  }

  @Test(
    "a definite refusal of create leaves the session ready; all others are in doubt",
    arguments: [400, 401, 403, 404, 413, 415, 422, 429, 409, 500, 502, 302])
  func createRefused(_ status: Int) throws {
    let bench = try Self.bench(isResume: false)
    bench.answer(.payment, status, #"{"errorId":"x"}"#)
    let isDefinite = ![409, 500, 502, 302].contains(status)
    #expect(Self.word(bench.outcomes.first) == (isDefinite ? "failed-to-create-payment" : "OUTCOME_UNKNOWN"))
    #expect(bench.isUnknown == !isDefinite)
  }

  // MARK: payment_failure_checkout_data

  private func data(_ bench: Bench) -> JSONValue? { bench.outcomes.last?["checkoutData"]?["payment"] }

  @Test("payment_failure_checkout_data: a decline tells its payment")
  func declineData() throws {
    let bench = try Self.bench(isResume: false)
    bench.answer(.payment, 200, Wire.payment("FAILED", id: "X", #","paymentFailureReason":"payment-failed""#))
    #expect(data(bench)?["id"]?.string == "X" && data(bench)?["orderId"]?.string == "order-1")
    #expect(data(bench)?["status"]?.string == "FAILED" && data(bench)?["paymentFailureReason"]?.isNull == true)
    #expect(bench.outcomes[0]["error"]?["details"]?["paymentId"]?.string == "X")
  }

  @Test("payment_failure_checkout_data: with no id, or an empty one, there is none", arguments: [nil, ""] as [String?])
  func noData(_ id: String?) throws {
    let bench = try Self.bench(isResume: false)
    bench.answer(.payment, 200, Wire.payment("FAILED", id: id))
    #expect(bench.outcomes[0]["checkoutData"]?.isNull == true)
    #expect(bench.outcomes[0]["error"]?["details"]?["paymentId"]?.string == "unknown")
  }

  @Test("payment_failure_checkout_data: a failure on the way keeps what was known when the payment was created")
  func snapshotData() throws {
    let bench = try Self.bench(isResume: true)
    bench.lose(.payment, left: true)
    #expect(data(bench)?["id"]?.string == "pay_1" && data(bench)?["status"]?.string == "PENDING")
  }

  @Test("payment_failure_checkout_data: a decline's data win over the snapshot of its creation")
  func declineWins() throws {
    let bench = try Self.bench(isResume: true)
    bench.answer(.payment, 200, Wire.payment("FAILED", id: "pay_2"))
    #expect(data(bench)?["id"]?.string == "pay_2" && data(bench)?["status"]?.string == "FAILED")
  }

  @Test("payment_failure_checkout_data: an error before any payment, and one of the session's, has none")
  func beforePayment() throws {
    let bench = try Bench()
    try bench.ready()
    try bench.fill()
    try bench.submit()
    bench.answer(.sessionAction, 500, "{}")
    #expect(Self.word(bench.outcomes.first) == "unknown")
    #expect(bench.outcomes[0]["checkoutData"]?.isNull == true && bench.sessionState == "ready")
  }

  @Test("payment_failure_checkout_data: what an earlier attempt left is dropped")
  func staleData() throws {
    let bench = try Self.bench(isResume: false)
    bench.answer(.payment, 200, Wire.payment("FAILED", id: "X"))
    try bench.fill()
    try bench.submit()
    bench.answer(.sessionAction, 500, "{}")
    #expect(bench.outcomes.count == 2 && bench.outcomes[1]["checkoutData"]?.isNull == true)
  }

  @Test("payment_failure_checkout_data: an unclear answer that names its payment tells it")
  func unclearData() throws {
    let bench = try Self.bench(isResume: false)
    bench.answer(.payment, 200, Wire.payment("PENDING", id: "X", Self.failure))
    #expect(data(bench)?["id"]?.string == "X" && bench.isUnknown)
    #expect(throws: CheckoutError.self) { try bench.perform(.resolve(attempt: 1, .notCreated)) }
  }

  // MARK: Resolving

  @Test("a declined payment of Primer's is resolved to a session that can be paid; a paid one is spent")
  func resolves() throws {
    for (verdict, state) in [(ResolveVerdict.declined, "ready"), (.paid, "submitted"), (.abandoned, "submitted")] {
      let bench = try Self.bench(isResume: true)
      bench.lose(.payment, left: true)
      try bench.perform(.resolve(attempt: 1, verdict))
      #expect(bench.sessionState == state && !bench.isUnknown && bench.state(.pendingAttempt).isNull)
    }
  }
}
