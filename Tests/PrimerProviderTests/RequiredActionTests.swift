import JSONText
import Testing

@testable import CheckoutCore
@testable import PrimerProvider

/// What stands between a created payment and its end.
@Suite("Required actions")
struct RequiredActionTests {
  private func open(_ answer: String, hooks: [Hook] = [], redirects: Bool = true, limit: Int64? = nil) throws -> Bench {
    let bench = try Bench(hooks: hooks, pollTimeout: limit)
    try bench.ready()
    try bench.fill(redirects: redirects)
    try bench.submit()
    bench.tokenize()
    if hooks.contains(.checkpoint) { try bench.answerTicket(.checkpoint, .ok("{}")) }
    bench.answer(.payment, 200, answer)
    return bench
  }

  // MARK: polling

  @Test("polling: PENDING, PENDING, COMPLETE")
  func polls() throws {
    let bench = try open(Wire.redirect)
    #expect(bench.told.last { $0.kind == .redirect }?.json["action"]?["url"]?.string == "https://acs.example/page")
    #expect(bench.open.first?.request.url == "https://api.sandbox.primer.io/status/1")
    #expect(bench.open.first?.request.header("Primer-Client-Token") == "at_action")
    #expect(bench.open.first?.request.header("X-Api-Version") == nil)
    for _ in 1...2 {
      bench.answer(.poll, 200, Wire.pending)
      #expect(bench.open.isEmpty && bench.checkout.nextDeadline(at: bench.clock) == bench.clock.boot + 1_000)
      bench.advance(999)
      #expect(bench.open.isEmpty)
      bench.advance(1)
      #expect(bench.open.count == 1)
    }
    bench.answer(.poll, 200, Wire.complete)
    #expect(bench.payments.last?.url == "https://sdk.api.sandbox.primer.io/payments/pay_1/resume")
    #expect(bench.payments.last?.text == #"{"resumeToken":"resume_1"}"# && bench.payments.last?.money == .continues)
    bench.answer(.payment, 200, Wire.payment("SUCCESS"))
    #expect(OutcomeTests.word(bench.outcomes.first) == "completed success" && bench.payments.count == 2)
    #expect(bench.told.last { $0.kind == .redirect }?.json["state"]?.string == "closed")
  }

  @Test("polling: PENDING, network error, COMPLETE")
  func pollsOn() throws {
    let bench = try open(Wire.redirect)
    bench.answer(.poll, 200, Wire.pending)
    bench.advance(1_000)
    for failure in 0..<5 {
      if failure == 0 { bench.lose(.poll, left: true) }
      if failure == 1 { bench.answer(.poll, 500, "{}") }
      if failure == 2 { bench.answer(.poll, 404, "{}") }
      if failure == 3 { bench.answer(.poll, 200, "<html>") }
      if failure == 4 { bench.answer(.poll, 200, #"{"status":"COMPLETE","id":""}"#) }
      #expect(bench.open.isEmpty)
      bench.advance(2_999)
      #expect(bench.open.isEmpty && bench.outcomes.isEmpty)
      bench.advance(1)
    }
    bench.answer(.poll, 200, Wire.complete)
    bench.answer(.payment, 200, Wire.payment("SUCCESS"))
    #expect(OutcomeTests.word(bench.outcomes.first) == "completed success")
  }

  @Test("polling: no client token")
  func withoutToken() throws {
    let bench = try open(
      Wire.payment("PENDING", #","requiredAction":{"name":"PROCESSOR_3DS","clientToken":"none"}"#))
    #expect(OutcomeTests.word(bench.outcomes.first) == "OUTCOME_UNKNOWN")
    #expect(bench.outcomes[0]["error"]?["details"]?["reason"]?.string == "invalid-value" && bench.isUnknown)
  }

  @Test("polling ends at its limit, and then the outcome is unknown")
  func limit() throws {
    let bench = try open(Wire.redirect, limit: 10_000)
    for _ in 1...10 {
      bench.answer(.poll, 200, Wire.pending)
      bench.advance(1_000)
    }
    #expect(bench.outcomes.isEmpty)
    bench.answer(.poll, 200, Wire.pending)
    #expect(OutcomeTests.word(bench.outcomes.first) == "OUTCOME_UNKNOWN" && bench.isUnknown)
    #expect(bench.open.isEmpty && bench.payments.count == 1)
  }

  @Test("without a limit it goes on for ever")
  func noLimit() throws {
    let bench = try open(Wire.redirect, limit: nil)
    for _ in 1...5_000 {
      bench.answer(.poll, 200, Wire.pending)
      bench.advance(1_000)
    }
    #expect(bench.outcomes.isEmpty && bench.open.count == 1)
  }

  // MARK: Pages

  @Test("a page that the shopper closed: the payment is open, so its outcome is unknown")
  func closed() throws {
    let bench = try open(Wire.redirect)
    let poll = try #require(bench.open.first?.id)
    try bench.perform(.redirectReport(presentation: bench.page, .canceled))
    #expect(OutcomeTests.word(bench.outcomes.first) == "OUTCOME_UNKNOWN" && bench.isUnknown)
    #expect(bench.outcomes[0]["error"]?["details"]?["reason"]?.string == "payment-cancelled")
    #expect(bench.cancelled == [poll])
    bench.receive(poll, .answer(Answer(status: 200, date: nil, body: Array(Wire.complete.utf8))))
    #expect(bench.payments.count == 1 && bench.outcomes.count == 1)
  }

  @Test("a return only takes the page away: the poll says how it ended")
  func returned() throws {
    let bench = try open(Wire.redirect)
    try bench.perform(.redirectReport(presentation: bench.page, .returned(url: nil)))
    #expect(bench.told.last { $0.kind == .redirect }?.json["reason"]?.string == "returned" && bench.outcomes.isEmpty)
    #expect(throws: CheckoutError(.ticketClosed)) {
      try bench.perform(.redirectReport(presentation: bench.page, .canceled))
    }
    bench.answer(.poll, 200, Wire.pending)
    bench.advance(1_000)
    bench.answer(.poll, 200, Wire.complete)
    bench.answer(.payment, 200, Wire.payment("SUCCESS"))
    #expect(OutcomeTests.word(bench.outcomes.first) == "completed success")
  }

  @Test("a page that nobody can show is OUTCOME_UNKNOWN")
  func nowhere() throws {
    let bench = try open(Wire.redirect, redirects: false)
    #expect(OutcomeTests.word(bench.outcomes.first) == "OUTCOME_UNKNOWN" && bench.isUnknown)
    let blocked = try open(
      Wire.waiting(
        "PROCESSOR_3DS", ["redirectUrl": #""http://acs.example/""#, "statusUrl": #""https://s.primer.io/1""#]))
    #expect(OutcomeTests.word(blocked.outcomes.first) == "OUTCOME_UNKNOWN")
    #expect(blocked.outcomes[0]["error"]?["details"]?["reason"]?.string == "failed-to-redirect")
  }

  @Test("a method of pages: its instrument, its page without a poll, its poll without a page")
  func redirectMethod() throws {
    let bench = try Bench()
    try bench.ready()
    #expect(throws: CheckoutError.self) {
      try bench.perform(
        .elementOpen(ElementOpen(choice: .item("ADYEN_IDEAL"), presentsRedirects: true, appReturnURL: nil, tag: nil)))
    }
    try bench.perform(.setPrimary(.item("ADYEN_IDEAL")))
    #expect(bench.state(.submitBlockers).elements.first { _ in true }?["code"]?.string == "ELEMENT_NOT_FULFILLED")
    try bench.perform(
      .elementOpen(
        ElementOpen(choice: .item("ADYEN_IDEAL"), presentsRedirects: true, appReturnURL: "shop://back", tag: nil)))
    try bench.submit()
    // No surcharge: it is not selected first.
    let body = try #require(bench.open.first?.request).text
    let instrument = Bench.parse(body)["paymentInstrument"]
    #expect(instrument?["paymentMethodType"]?.string == "ADYEN_IDEAL")
    #expect(instrument?["paymentMethodConfigId"]?.string == "m2")
    #expect(instrument?["sessionInfo"]?["redirectionUrl"]?.string == "shop://back")
    bench.tokenize()
    bench.answer(
      .payment, 200, Wire.waiting("ADYEN_IDEAL_REDIRECTION", ["statusUrl": #""https://api.primer.io/s""#]))
    #expect(bench.page.isEmpty && bench.open.first?.request.call == .poll)
  }

  @Test("a page with no poll: nobody hears of it, so its end is unknown", arguments: [true, false])
  func withoutPoll(_ isBack: Bool) throws {
    let bench = try open(Wire.waiting("X_REDIRECTION", ["redirectUrl": #""https://acs.example/page""#]))
    #expect(bench.open.isEmpty)
    try bench.perform(.redirectReport(presentation: bench.page, isBack ? .returned(url: nil) : .failed("x")))
    #expect(OutcomeTests.word(bench.outcomes.first) == "OUTCOME_UNKNOWN")
  }

  // MARK: 3DS, vouchers, and what nobody knows

  @Test("3DS without a native component: the back end is told, and the payment resumed with what it answers")
  func threeDS() throws {
    let bench = try open(Wire.waiting("3DS_AUTHENTICATION"))
    let request = try #require(bench.open.first?.request)
    #expect(request.url == "https://sdk.api.sandbox.primer.io/3ds/pm_1/continue")
    #expect(request.header("Primer-Client-Token") == "at_action" && request.header("X-Api-Version") == "2.4")
    let body = Bench.parse(request.text)
    #expect(body["status"]?.string == "FAILURE" && body["error"]?["reasonCode"]?.string == "MISSING_SDK_DEPENDENCY")
    bench.answer(.threeDS, 200, #"{"token":{},"resumeToken":"r3"}"#)
    #expect(bench.payments.last?.text == #"{"resumeToken":"r3"}"#)
    bench.answer(.payment, 200, Wire.payment("SUCCESS"))
    #expect(OutcomeTests.word(bench.outcomes.first) == "completed success")
  }

  @Test("3DS that fails leaves an open payment", arguments: [0, 400, 500, 200])
  func threeDSFails(_ status: Int) throws {
    let bench = try open(Wire.waiting("3DS_AUTHENTICATION"))
    if status == 0 { bench.lose(.threeDS, left: false) } else { bench.answer(.threeDS, status, "{}") }
    #expect(OutcomeTests.word(bench.outcomes.first) == "OUTCOME_UNKNOWN" && bench.payments.count == 1)
  }

  @Test("one action after the other, each resumed once")
  func twoActions() throws {
    let bench = try open(Wire.waiting("3DS_AUTHENTICATION"), hooks: [.checkpoint])
    bench.answer(.threeDS, 200, #"{"resumeToken":"r1"}"#)
    #expect(bench.payments.count == 1)
    try bench.answerTicket(.checkpoint, .ok("{}"))
    #expect(bench.payments.count == 2)
    bench.answer(.payment, 200, Wire.redirect)
    bench.answer(.poll, 200, Wire.complete)
    try bench.answerTicket(.checkpoint, .ok("{}"))
    bench.answer(.payment, 200, Wire.payment("SUCCESS"))
    #expect(bench.payments.map { $0.text }.dropFirst() == [#"{"resumeToken":"r1"}"#, #"{"resumeToken":"resume_1"}"#])
    #expect(bench.asked.filter { $0.json["reason"]?.string == "beforeSend" }.count == 3)
    #expect(OutcomeTests.word(bench.outcomes.first) == "completed success")
  }

  @Test("a back end that never stops asking is stopped")
  func endless() throws {
    let bench = try open(Wire.waiting("3DS_AUTHENTICATION"))
    for _ in 1...20 where bench.outcomes.isEmpty {
      bench.answer(.threeDS, 200, #"{"resumeToken":"r"}"#)
      bench.answer(.payment, 200, Wire.waiting("3DS_AUTHENTICATION"))
    }
    #expect(OutcomeTests.word(bench.outcomes.first) == "OUTCOME_UNKNOWN" && bench.payments.count == 11)
  }

  @Test("a voucher is pending, with what the shopper pays with")
  func voucher() throws {
    let bench = try open(
      Wire.waiting("PAYMENT_METHOD_VOUCHER", ["entity": #""11683""#, "reference": #""123""#]))
    #expect(OutcomeTests.word(bench.outcomes.first) == "completed pending" && bench.sessionState == "submitted")
    #expect(bench.outcomes[0]["voucher"]?["entity"]?.string == "11683")
    #expect(bench.outcomes[0]["voucher"]?["expiresAt"]?.isNull == true && !bench.isUnknown)
  }

  @Test("an action that is not known leaves an open payment", arguments: ["CHECKOUT", "USE_PRIMER_SDK", "", "X"])
  func unsupported(_ intent: String) throws {
    let bench = try open(Wire.waiting(intent))
    #expect(OutcomeTests.word(bench.outcomes.first) == "OUTCOME_UNKNOWN")
    #expect(bench.outcomes[0]["error"]?["details"]?["reason"]?.string == "invalid-value")
  }

  // MARK: Checkpoints, cancel, teardown, restart

  @Test("a resume whose checkpoint is refused is OUTCOME_UNKNOWN", arguments: [HookAnswer.error("no"), .canceled])
  func checkpointRefused(_ answer: HookAnswer) throws {
    let bench = try open(Wire.redirect, hooks: [.checkpoint])
    bench.answer(.poll, 200, Wire.complete)
    #expect(bench.payments.count == 1 && bench.asked.last?.json["marked"]?.boolean == true)
    try bench.answerTicket(.checkpoint, answer)
    #expect(bench.payments.count == 1 && bench.isUnknown)
    #expect(bench.outcomes[0]["error"]?["details"]?["reason"]?.string == "CHECKPOINT_REFUSED")
  }

  @Test("cancel while a payment request is under way: its answer is the outcome, after a new start too")
  func cancelCreating() throws {
    let bench = try Bench()
    try bench.ready()
    try bench.fill()
    try bench.create()
    let create = try #require(bench.open.first?.id)
    #expect(bench.letsGo(create))
    try bench.perform(.cancel)
    #expect(bench.outcomes.isEmpty && bench.sessionState == "submitting" && bench.phase == "initializing")
    try bench.ready()
    #expect(bench.phase == "ready" && bench.sessionState == "submitting")
    #expect(throws: CheckoutError.self) { try bench.submit() }
    bench.receive(create, .answer(Answer(status: 200, date: nil, body: Array(Wire.payment("FAILED").utf8))))
    #expect(OutcomeTests.word(bench.outcomes.first) == "payment-failed" && bench.sessionState == "ready")
  }

  @Test("cancel, and the payment that was under way wants an action: unknown at once")
  func cancelOpened() throws {
    let bench = try Bench()
    try bench.ready()
    try bench.fill()
    try bench.create()
    _ = bench.letsGo(try #require(bench.open.first?.id))
    try bench.perform(.cancel)
    bench.answer(.payment, 200, Wire.redirect)
    #expect(OutcomeTests.word(bench.outcomes.first) == "OUTCOME_UNKNOWN" && bench.isUnknown)
    #expect(bench.page.isEmpty && bench.open.isEmpty)
    try bench.ready()
    #expect(bench.phase == "ready" && bench.isUnknown)
    #expect(throws: CheckoutError.self) { try bench.perform(.setPrimary(.item("PAYMENT_CARD"))) }
    try bench.perform(.resolve(attempt: 1, .declined))
    #expect(bench.sessionState == "ready")
  }

  @Test(
    "cancel before the payment request left takes it back; too late, and its answer decides", arguments: [true, false])
  func cancelHeld(_ isTooLate: Bool) throws {
    let bench = try Bench()
    try bench.ready()
    try bench.fill()
    try bench.create()
    let create = try #require(bench.open.first?.id)
    try bench.perform(.cancel)
    #expect(bench.cancelled.contains(create) && bench.outcomes.isEmpty)
    #expect(!bench.letsGo(create))
    bench.receive(create, .nothing(left: isTooLate, reason: "cancelled"))
    #expect(bench.outcomes.count == 1)
    #expect(bench.outcomes[0]["kind"]?.string == (isTooLate ? "failed" : "canceled"))
    #expect(bench.sessionState == (isTooLate ? "submitted" : "idle") && bench.isUnknown == isTooLate)
  }

  @Test(
    "torn down while a payment is open: unknown; while its resume is under way: the answer", arguments: [true, false])
  func teardown(_ isResuming: Bool) throws {
    let bench = try open(Wire.redirect)
    if isResuming {
      bench.answer(.poll, 200, Wire.complete)
      _ = bench.letsGo(try #require(bench.open.first?.id))
    }
    try bench.perform(.teardown)
    if isResuming {
      #expect(bench.outcomes.isEmpty)
      bench.answer(.payment, 200, Wire.payment("SUCCESS"))
    }
    #expect(bench.outcomes.count == 1)
    #expect(bench.payments.count == (isResuming ? 2 : 1))
  }

  @Test("a process that dies with an open payment wakes up in doubt, knows the payment, and resumes nothing")
  func restart() throws {
    let bench = try open(Wire.redirect, hooks: [.checkpoint])
    let snapshot = try #require(bench.asked.last { $0.kind == .checkpoint }?.json["snapshot"]?.string)
    #expect(!snapshot.contains("at_action") && !snapshot.contains("pm_1"))
    let again = try bench.restored(snapshot)
    #expect(again.isUnknown && again.state(.pendingAttempt)["attempt"]?.int64 == 1 && again.sent.isEmpty)
    #expect(throws: CheckoutError.self) { try again.perform(.resolve(attempt: 1, .notCreated)) }
    try again.perform(.redirectReport(presentation: bench.page, .returned(url: nil)))
    #expect(again.outcomes[0]["kind"]?.string == "returnedFromRedirect" && again.isUnknown)
    #expect(again.outcomes[0]["checkoutData"]?["payment"]?["id"]?.string == "pay_1")
    try again.ready()
    #expect(again.isUnknown)
    try again.perform(.resolve(attempt: 1, .declined))
    #expect(again.sessionState == "ready" && again.outcomes.count == 1)
  }

  @Test("a restored attempt that is resolved ends once", arguments: ResolveVerdict.allCases)
  func resolveRestored(_ verdict: ResolveVerdict) throws {
    let bench = try open(Wire.redirect, hooks: [.checkpoint])
    let snapshot = try #require(bench.asked.last { $0.kind == .checkpoint }?.json["snapshot"]?.string)
    let again = try bench.restored(snapshot)
    if verdict == .notCreated {
      #expect(throws: CheckoutError.self) { try again.perform(.resolve(attempt: 1, verdict)) }
      return
    }
    try again.perform(.resolve(attempt: 1, verdict))
    #expect(again.outcomes.count == 1 && again.outcomes[0]["resolved"]?.boolean == true)
    let kind = verdict == .paid ? "completed" : "failed"
    #expect(again.outcomes[0]["kind"]?.string == kind)
    #expect(again.sessionState == (verdict == .declined ? "idle" : "submitted"))
  }
}
