import JSONText
import Testing

@testable import CheckoutCore

@Suite("The table of disabled states")
struct DisabledTableTests {
  /// The table of the reference, letter by letter: filtered, technical, requiresUIClear, recoverable, amountDriven.
  static let rows: [(code: String, flags: String)] = [
    ("METHOD_UNSTABLE", "YYYNN"), ("TOKEN_INIT_FAILED", "NYYNN"), ("PAYMENT_ELEMENT_FATAL_ERROR", "NYYNN"),
    ("PAYMENT_ELEMENT_RENDER_FAILED", "NYYNN"), ("FATAL_ERROR_BEFORE_RENDER", "YYYNN"),
    ("PLUGIN_INCOMPATIBLE", "YYYNN"), ("PARTNER_UI_FATAL_ERROR", "NYYNN"), ("PARTNER_UI_RECOVERABLE_ERROR", "NNNYN"),
    ("SUBMITTING", "NNNYN"), ("MIN_AMOUNT_NOT_MET", "NNNYY"), ("MAX_AMOUNT_EXCEEDED", "NNNYY"),
    ("PAYMENT_FULFILLED", "NNNYY"), ("AMOUNT_CONDITION_UNREACHABLE", "YNNNY"),
    ("DOES_NOT_BELONG_TO_CURRENT_SESSION", "YNYNN"), ("TOKEN_EXPIRED", "NYYNN"),
    ("TOKEN_SECURITY_CODE_UNSUPPORTED", "NYNNN"), ("TOKEN_DELETED", "NYYNN"),
    ("TOKEN_BEING_DELETED", "NNNYN"),
  ]

  // seed: 002:42a
  @Test("Every code of the reference, its five flags, and no other", arguments: rows)
  func row(_ code: String, _ flags: String) throws {
    let found = try #require(DisabledCode.allCases.first { $0.facts.text == code })
    let all: [DisabledFlags] = [.filtered, .technical, .requiresUIClear, .recoverable, .amountDriven]
    #expect(all.map { found.facts.flags.contains($0) ? "Y" : "N" }.joined() == flags)
    #expect(DisabledCode.allCases.count == Self.rows.count)
  }

  // seed: 002:42a
  @Test("Every state has its code, a key, a text that quotes nothing, and five flags", arguments: DisabledCode.allCases)
  func json(_ code: DisabledCode) throws {
    let state = try JSONDocument(parsing: DisabledState(code).json).root
    #expect(
      state.members.map { $0.key } == [
        "code", "messageKey", "message", "details", "isFiltered", "isTechnical", "requiresUIClear", "isRecoverable",
        "isAmountDriven",
      ])
    #expect(state["code"]?.string == code.facts.text)
    #expect(state["messageKey"]?.string == "disabled." + code.facts.text)
    let message = try #require(state["message"]?.string)
    #expect(!message.isEmpty && !message.contains(where: { $0.isNumber }))
    #expect(state["details"]?.isNull == true)
  }

  @Test("No two codes share their text or their message")
  func unique() {
    #expect(Set(DisabledCode.allCases.map { $0.facts.text }).count == DisabledCode.allCases.count)
    #expect(Set(DisabledCode.allCases.map { $0.facts.message }).count == DisabledCode.allCases.count)
  }

  @Test("The numbers of the amount-driven states")
  func numbers() throws {
    let mend = [DisabledState.Mend(token: "gc1", less: 400, amount: 0)]
    let below = DisabledState.minAmountNotMet(1_000, restToPay: 600, mend: mend)
    #expect(
      below.json.contains(
        #""details":{"minAmount":1000,"restToPay":600,"missing":400,"mend":[{"token":"gc1","less":400,"amount":0}]}"#))
    let above = DisabledState.maxAmountExceeded(500, restToPay: 600)
    #expect(above.json.contains(#""details":{"maxAmount":500,"restToPay":600,"excess":100}"#))
    let never = DisabledState(
      .amountConditionUnreachable, .unreachable(minAmount: 9, maxAmount: nil, orderAmount: 5))
    #expect(never.json.contains(#""details":{"minAmount":9,"maxAmount":null,"orderAmount":5}"#))
  }
}
