import JSONText
import Testing

@testable import CheckoutCore
@testable import PrimerProvider

/// The latch rules: what start, refresh, cancel and dismiss do in each phase.
@Suite("Lifecycle")
struct LifecycleTests {
  // MARK: session_state_machine_spec

  // seed: 003:54-66
  // seed: 003:73a
  @Test("session_state_machine_spec: start succeeds")
  func starts() throws {
    let bench = try Bench()
    #expect(bench.phase == "initializing" && bench.sessionState == "idle" && bench.state(.clientSession).isNull)
    let reply = try bench.perform(.start(tag: "t"))
    #expect(reply["call"]?.int64 == 1)
    #expect(bench.phase == "initializing" && bench.results.isEmpty)
    bench.answer(.configuration, 200, Wire.configuration())
    #expect(bench.phase == "ready" && bench.sessionState == "ready")
    #expect(bench.state(.clientSession)["totalAmount"]?.int64 == 1_200)
    #expect(bench.results.count == 1 && bench.results[0]["result"]?["phase"]?.string == "ready")
    #expect(bench.results[0]["tag"]?.string == "t" && bench.outcomes.isEmpty)
  }

  @Test("session_state_machine_spec: clientSession is there before or with ready")
  func together() throws {
    let bench = try Bench()
    try bench.ready()
    let change = try #require(
      bench.told.first { $0.kind == .change && $0.json["changed"]?["phase"]?.string == "ready" })
    #expect(change.json["changed"]?["clientSession"]?["orderId"]?.string == "order-1")
  }

  // seed: 003:143
  @Test("session_state_machine_spec: start when ready is ignored")
  func startsTwice() throws {
    let bench = try Bench()
    try bench.ready()
    try bench.perform(.start(tag: nil))
    #expect(bench.results.last?["result"]?["ignored"]?.boolean == true)
    #expect(bench.sent.count == 1 && bench.phase == "ready")
  }

  @Test("start while it is starting loads once")
  func coalesces() throws {
    let bench = try Bench()
    try bench.perform(.start(tag: "a"))
    try bench.perform(.start(tag: "b"))
    #expect(bench.sent.count == 1)
    bench.answer(.configuration, 200, Wire.configuration())
    #expect(bench.results.map { $0["tag"]?.string } == ["b", "a"])
    #expect(bench.results[0]["result"]?["ignored"]?.boolean == true)
  }

  // seed: 003:194b
  @Test("a start that fails is told once and ends the session; cancel makes it startable")
  func startFails() throws {
    let bench = try Bench()
    try bench.perform(.start(tag: nil))
    bench.answer(.configuration, 500, "{}")
    #expect(bench.results.count == 1)
    #expect(bench.results[0]["error"]?["code"]?.string == "generic-underlying-errors")
    #expect(bench.results[0]["error"]?["details"]?["statusCode"]?.int64 == 500)
    #expect(bench.sessionState == "terminated" && bench.phase == "initializing")
    #expect(bench.state(.clientSession).isNull && bench.outcomes.isEmpty)
    try bench.perform(.start(tag: nil))
    #expect(bench.results.last?["result"]?["ignored"]?.boolean == true && bench.sent.count == 1)
    try bench.perform(.cancel)
    #expect(bench.sessionState == "idle")
    try bench.ready()
    #expect(bench.sessionState == "ready")
  }

  // seed: 003:144b
  @Test("session_state_machine_spec: refresh fails, ready again, and whatever follows is told")
  func refreshFails() throws {
    let bench = try Bench()
    try bench.ready()
    for _ in 1...2 {
      try bench.perform(.refresh(tag: nil))
      #expect(bench.phase == "initializing" && bench.sessionState == "idle")
      bench.lose(.configuration, left: true)
      #expect(bench.results.last?["error"]?["code"]?.string == "generic-underlying-errors")
      #expect(bench.phase == "ready" && bench.state(.clientSession)["totalAmount"]?.int64 == 1_200)
    }
    #expect(bench.results.filter { $0["error"] != nil }.count == 2)
    try bench.fill()
    try bench.create()
    bench.answer(.payment, 200, Wire.payment("SUCCESS"))
    #expect(bench.outcomes.count == 1 && bench.sessionState == "submitted")
  }

  // seed: 003:144a
  @Test("session_state_machine_spec: a second refresh at once is ignored")
  func refreshesOnce() throws {
    let bench = try Bench()
    try bench.ready()
    try bench.perform(.refresh(tag: nil))
    try bench.perform(.refresh(tag: "second"))
    #expect(bench.results.last?["tag"]?.string == "second")
    #expect(bench.results.last?["result"]?["ignored"]?.boolean == true)
    #expect(bench.sent.filter { $0.call == .configuration }.count == 2)
  }

  // seed: 003:173
  @Test("session_state_machine_spec: refresh succeeds and replaces clientSession; forms and choice are gone")
  func refreshes() throws {
    let bench = try Bench()
    try bench.ready()
    try bench.fill()
    try bench.perform(.refresh(tag: nil))
    #expect(bench.state(.elements).count == 0 && bench.state(.primary).isNull)
    #expect(Set(bench.forgotten.map { $0.value }) == [1, 2, 3])
    let session = Wire.session.replacing("1200", with: "3400")
    bench.answer(.configuration, 200, Wire.configuration(session: session))
    #expect(bench.phase == "ready" && bench.state(.clientSession)["totalAmount"]?.int64 == 3_400)
    #expect(bench.state(.amount).int64 == 3_400)
    #expect(
      bench.sent.last?.header("Primer-SDK-Checkout-Session-ID")
        != bench.sent[0].header("Primer-SDK-Checkout-Session-ID"))
  }

  // seed: 003:145
  @Test("session_state_machine_spec: cancel")
  func cancels() throws {
    let bench = try Bench()
    try bench.ready()
    try bench.fill()
    let told = bench.told.filter { $0.kind != .change }.count
    for _ in 1...2 {
      try bench.perform(.cancel)
      #expect(bench.phase == "initializing" && bench.sessionState == "idle" && bench.state(.clientSession).isNull)
      #expect(bench.state(.elements).count == 0 && bench.state(.paymentMethods).count == 0)
      #expect(bench.state(.primary).isNull && bench.state(.currency).isNull && bench.state(.amount).isNull)
    }
    #expect(bench.told.filter { $0.kind != .change }.count == told)
    #expect(Set(bench.forgotten.map { $0.value }) == [1, 2, 3])
  }

  // seed: 003:194c
  @Test("session_state_machine_spec: cancel, then start: its own outcome is told")
  func restarts() throws {
    let bench = try Bench()
    try bench.ready()
    try bench.perform(.dismiss)
    #expect(bench.outcomes.count == 1 && bench.outcomes[0]["dismissed"]?.boolean == true)
    try bench.perform(.cancel)
    try bench.ready()
    try bench.fill()
    try bench.create()
    bench.answer(.payment, 200, Wire.payment("SUCCESS"))
    #expect(bench.outcomes.count == 2 && bench.outcomes[1]["verdict"]?.string == "success")
  }

  // seed: 003:194a
  @Test("session_state_machine_spec: success, then dismissed: only the success")
  func latches() throws {
    let bench = try Bench()
    try bench.ready()
    try bench.fill()
    try bench.create()
    bench.answer(.payment, 200, Wire.payment("SUCCESS"))
    #expect(try bench.perform(.dismiss)["ignored"]?.boolean == true)
    #expect(bench.outcomes.count == 1)
  }

  @Test("session_state_machine_spec: a declined payment leaves the session ready; two in a row are two outcomes")
  func declines() throws {
    let bench = try Bench()
    try bench.ready()
    for attempt in 1...2 {
      try bench.fill()
      try bench.create()
      bench.answer(.payment, 200, Wire.payment("FAILED"))
      #expect(bench.outcomes.count == attempt && bench.outcomes[attempt - 1]["attempt"]?.int64 == Int64(attempt))
      #expect(bench.outcomes[attempt - 1]["error"]?["code"]?.string == "payment-failed")
      #expect(bench.phase == "ready" && bench.sessionState == "ready")
    }
    #expect(try bench.perform(.dismiss)["ignored"]?.boolean == false)
    #expect(bench.outcomes.count == 3)
  }

  @Test("a late answer of an earlier life reaches nobody")
  func generations() throws {
    let bench = try Bench()
    try bench.perform(.start(tag: "old"))
    let old = try #require(bench.open.first?.id)
    try bench.perform(.cancel)
    #expect(bench.results.last?["result"]?["canceled"]?.boolean == true && bench.cancelled == [old])
    try bench.perform(.start(tag: "new"))
    bench.receive(old, .answer(Answer(status: 200, date: nil, body: Array(Wire.configuration().utf8))))
    #expect(bench.phase == "initializing" && bench.results.count == 1)
    bench.answer(.configuration, 200, Wire.configuration())
    #expect(bench.phase == "ready" && bench.results.last?["tag"]?.string == "new")
  }

  @Test("manual payment handling is refused when the session is loaded, with no request")
  func manual() throws {
    let bench = try Bench(manual: true)
    try bench.perform(.start(tag: nil))
    #expect(bench.results.last?["error"]?["code"]?.string == "invalid-value")
    #expect(bench.results.last?["error"]?["path"]?.string == "paymentHandling")
    #expect(bench.sent.isEmpty && bench.sessionState == "terminated")
  }

  @Test("a session that expires before it is started is an invalid-client-token")
  func expires() throws {
    let bench = try Bench()
    bench.advance(50 * 3_600_000)
    // By this device's clock alone: it may be wrong.
    #expect(bench.sessionState == "idle")
    try bench.perform(.start(tag: nil))
    let date = "Fri, 04 Jan 2030 00:00:00 GMT"
    bench.receive(try #require(bench.open.first?.id), .answer(Answer(status: 401, date: date, body: [])))
    #expect(bench.results.last?["error"]?["code"]?.string == "invalid-client-token")
    try bench.perform(.cancel)
    #expect(bench.sessionState == "expired")
    try bench.perform(.start(tag: nil))
    #expect(bench.results.last?["error"]?["code"]?.string == "invalid-client-token" && bench.sent.count == 1)
  }

  // MARK: The table

  /// Each phase, and what each command does in it: what is told, and where the session stands then.
  enum Phase: String, CaseIterable {
    case idle, starting, ready, refreshing, terminated, dismissed, deciding, creating, open, submitted, unknown,
      tornDown

    func enter() throws -> Bench {
      let bench = try Bench(hooks: self == .deciding ? [.beforePayment] : [])
      switch self {
      case .idle: break
      case .starting: try bench.perform(.start(tag: nil))
      case .terminated:
        try bench.perform(.start(tag: nil))
        bench.answer(.configuration, 500, "{}")
      case .tornDown: try bench.perform(.teardown)
      default:
        try bench.ready()
        if self == .ready { return bench }
        if self == .refreshing { try bench.perform(.refresh(tag: nil)) }
        if self == .dismissed { try bench.perform(.dismiss) }
        guard [.deciding, .creating, .open, .submitted, .unknown].contains(self) else { return bench }
        try bench.fill()
        try bench.create()
        if self == .open { bench.answer(.payment, 200, Wire.redirect) }
        if self == .submitted { bench.answer(.payment, 200, Wire.payment("SUCCESS")) }
        if self == .unknown { bench.lose(.payment, left: true) }
      }
      return bench
    }
  }

  static let rows: [(command: Command, phase: Phase, told: String, state: String)] = [
    (.start(tag: nil), .idle, "loads", "idle"), (.start(tag: nil), .starting, "ignored", "idle"),
    (.start(tag: nil), .ready, "ignored", "ready"), (.start(tag: nil), .refreshing, "ignored", "idle"),
    (.start(tag: nil), .terminated, "ignored", "terminated"), (.start(tag: nil), .dismissed, "ignored", "terminated"),
    (.start(tag: nil), .deciding, "ignored", "submitting"), (.start(tag: nil), .creating, "ignored", "submitting"),
    (.start(tag: nil), .open, "ignored", "submitting"), (.start(tag: nil), .submitted, "ignored", "submitted"),
    (.start(tag: nil), .unknown, "ignored", "submitted"),
    (.start(tag: nil), .tornDown, "CHECKOUT_TORN_DOWN", "idle"),
    (.refresh(tag: nil), .idle, "ignored", "idle"), (.refresh(tag: nil), .starting, "ignored", "idle"),
    (.refresh(tag: nil), .ready, "loads", "idle"), (.refresh(tag: nil), .refreshing, "ignored", "idle"),
    (.refresh(tag: nil), .terminated, "ignored", "terminated"),
    (.refresh(tag: nil), .dismissed, "ignored", "terminated"),
    (.refresh(tag: nil), .deciding, "ignored", "submitting"),
    (.refresh(tag: nil), .creating, "ignored", "submitting"), (.refresh(tag: nil), .open, "ignored", "submitting"),
    (.refresh(tag: nil), .submitted, "ignored", "submitted"), (.refresh(tag: nil), .unknown, "ignored", "submitted"),
    (.refresh(tag: nil), .tornDown, "CHECKOUT_TORN_DOWN", "idle"),
    (.cancel, .idle, "", "idle"), (.cancel, .starting, "result canceled", "idle"), (.cancel, .ready, "", "idle"),
    (.cancel, .refreshing, "result canceled", "idle"), (.cancel, .terminated, "", "idle"),
    (.cancel, .dismissed, "", "idle"), (.cancel, .deciding, "ticket, outcome canceled", "idle"),
    (.cancel, .creating, "", "submitting"), (.cancel, .open, "redirect closed, outcome OUTCOME_UNKNOWN", "submitted"),
    (.cancel, .submitted, "", "submitted"), (.cancel, .unknown, "", "submitted"),
    (.cancel, .tornDown, "CHECKOUT_TORN_DOWN", "idle"),
    (.dismiss, .idle, "", "idle"), (.dismiss, .starting, "", "idle"),
    (.dismiss, .ready, "outcome canceled", "terminated"), (.dismiss, .refreshing, "", "idle"),
    (.dismiss, .terminated, "", "terminated"), (.dismiss, .dismissed, "", "terminated"),
    (.dismiss, .deciding, "", "submitting"), (.dismiss, .creating, "", "submitting"),
    (.dismiss, .open, "", "submitting"), (.dismiss, .submitted, "", "submitted"),
    (.dismiss, .unknown, "", "submitted"), (.dismiss, .tornDown, "CHECKOUT_TORN_DOWN", "idle"),
  ]

  @Test("each command in each phase", arguments: rows.indices)
  func table(_ index: Int) throws {
    let row = Self.rows[index]
    let bench = try row.phase.enter()
    let before = bench.told.count
    let requests = bench.sent.count
    var heard: String
    do throws(CheckoutError) {
      try bench.perform(row.command)
      heard = bench.told.dropFirst(before).compactMap { Self.word($0) }.joined(separator: ", ")
    } catch { heard = error.code.text }
    if bench.sent.count > requests { heard = "loads" }
    #expect(heard == row.told, "\(row.command) when \(row.phase)")
    #expect(bench.sessionState == row.state, "\(row.command) when \(row.phase)")
  }

  @Test("the table has every command in every phase")
  func isWhole() {
    #expect(Self.rows.count == 4 * Phase.allCases.count)
    for command: Command in [.start(tag: nil), .refresh(tag: nil), .cancel, .dismiss] {
      #expect(Set(Self.rows.filter { $0.command == command }.map { $0.phase }) == Set(Phase.allCases))
    }
  }

  private static func word(_ told: Bench.Told) -> String? {
    switch told.kind {
    case .result:
      let result = told.json["result"]
      if result?["ignored"]?.boolean == true { return "ignored" }
      return result?["canceled"]?.boolean == true ? "result canceled" : "result"
    case .outcome:
      return "outcome " + (told.json["error"]?["code"]?.string ?? told.json["kind"]?.string ?? "")
    case .redirect: return "redirect closed"
    case .ticket: return "ticket"
    default: return nil
    }
  }
}
