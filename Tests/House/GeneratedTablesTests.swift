import Foundation
import Testing

@testable import CheckoutCore
@testable import PurseProvider

/// The tables of include/README.md are made from the code. `UPDATE_TABLES=1` writes them; otherwise they must be equal.
@Suite("Generated tables", .serialized)
struct GeneratedTablesTests {
  static let page = SourceRulesTests.root.appending(path: "include/README.md")

  static var tables: [String: String] {
    [
      "errors": errors, "transitions": transitions, "refusals": refusals, "disabled": disabled, "choices": choices,
      "issuers": issuers, "widgets": widgets, "diagram": diagram, "promises": promises, "monitoring": monitoring,
      "rows": seedRows,
    ]
  }

  @Test("the page says what the code does", arguments: tables.keys.sorted())
  func equal(_ name: String) throws {
    let text = try String(contentsOf: Self.page, encoding: .utf8)
    let begin = "<!-- table: \(name) -->\n"
    let end = "<!-- end: \(name) -->"
    let from = try #require(text.range(of: begin))
    let to = try #require(text.range(of: end))
    let table = try #require(Self.tables[name])
    if ProcessInfo.processInfo.environment["UPDATE_TABLES"] != nil {
      let updated = text[..<from.upperBound] + table + text[to.lowerBound...]
      try String(updated).write(to: Self.page, atomically: true, encoding: .utf8)
    } else {
      #expect(String(text[from.upperBound..<to.lowerBound]) == table)
    }
  }

  private static func rows(_ head: [String], _ rows: [[String]]) -> String {
    let lines = [head, head.map { _ in "---" }] + rows
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n") + "\n"
  }

  private static var errors: String {
    rows(
      ["code", "family", "moved", "retryable", "documentation", "message"],
      ErrorCode.allCases.map {
        [
          "`\($0.text)`", $0.category, $0.defaultMoved.text, $0.isRetryable ? "yes" : "no", documentation($0),
          $0.defaultMessage,
        ]
      })
  }

  private static let documentation =
    "https://docs.purse.tech/docs/integrate/purse-checkout/headless-checkout/error-handling/error-codes#"

  /// The shared vocabulary has a public page; for the codes of this library this one is the page.
  private static func documentation(_ code: ErrorCode) -> String {
    let ours: Set<ErrorCode> = [
      .outcomeUnknown, .checkpointRefused, .environmentMismatch, .ticketClosed, .tooLate, .invalidArgument,
      .invalidHandle, .busy, .reentrant, .forked, .internal,
    ]
    if code.text.utf8.contains(UInt8(ascii: "-")) || code == .unknown { return "Primer's" }
    return ours.contains(code) ? "ours" : "[public](\(documentation)\(code.documentationFragment))"
  }

  private static var transitions: String {
    rows(
      ["event", "from", "to"],
      Transition.all.map { [$0.event, name($0.from, $0.isFromUnknown), name($0.to, $0.outcomeUnknown)] })
  }

  private static func name(_ state: SessionState, _ isUnknown: Bool) -> String {
    state.name + (isUnknown ? ", outcomeUnknown" : "")
  }

  /// Mermaid's state diagram, one line for each pair of states.
  private static var diagram: String {
    var pairs: [String] = []
    var events: [String: [String]] = [:]
    for transition in Transition.all {
      let from = transition.isFromUnknown ? "unknown" : transition.from.name
      let pair = "\(from) --> \(transition.outcomeUnknown ? "unknown" : transition.to.name)"
      if events[pair] == nil { pairs.append(pair) }
      events[pair, default: []].append(transition.event)
    }
    let lines = pairs.map { "  \($0): \((events[$0] ?? []).joined(separator: "; ").replacing(";", with: ","))" }
    let head = ["```mermaid", "stateDiagram-v2", "  unknown: submitted, outcomeUnknown", "  [*] --> ready"]
    return (head + lines + ["```"]).joined(separator: "\n") + "\n"
  }

  private static var promises: String {
    rows(
      ["", "promise", "checked by"],
      Promise.all.map { promise in
        let machines = promise.checks.map { $0.machine }
        return [promise.id, promise.text, machines.joined(separator: "; ")]
      })
  }

  private static let standings: [(Standing, String)] = [
    (.ready, "ready"), (.inFlight, "in flight"), (.unknown, "unknown"), (.submitted, "submitted"), (.error, "error"),
    (.expired, "expired"), (.terminated, "terminated"), (.idle, "idle"), (.tornDown, "torn down"),
  ]

  private static let verbs: [(Verb, String)] = [
    (.choose, "set_primary, read, apply and remove a gift card, register, simulate_loan"),
    (.openElement, "element_open, element_set_field"), (.submit, "submit"), (.setSession, "set_session"),
    (.wallet, "set_wallet_session, token_update, token_delete"), (.resolve, "resolve"),
    (.follow, "element_report, element_close, abort, set_hooks, redirect_report, redirect_present"),
    (.lifecycle, "start, refresh, cancel, dismiss"), (.always, "answer, teardown"),
  ]

  private static var refusals: String {
    rows(
      ["call"] + standings.map { $0.1 },
      verbs.map { verb in
        [verb.1] + standings.map { $0.0.refusal(of: verb.0).map { "`\($0.text)`" } ?? "allowed" }
      })
  }

  private static var disabled: String {
    let flags: [(String, DisabledFlags)] = [
      ("isFiltered", .filtered), ("isTechnical", .technical), ("requiresUIClear", .requiresUIClear),
      ("isRecoverable", .recoverable), ("isAmountDriven", .amountDriven),
    ]
    return rows(
      ["code"] + flags.map { $0.0 } + ["details", "when", "default message"],
      DisabledCode.allCases.map { code in
        let facts = code.facts
        let (details, when) = explanation(of: code)
        return ["`\(facts.text)`"] + flags.map { facts.flags.contains($0.1) ? "yes" : "no" }
          + [details.isEmpty ? "-" : "`{\(details)}`", when, facts.message]
      })
  }

  /// What the details hold, and when a code is met.
  private static func explanation(of code: DisabledCode) -> (details: String, when: String) {
    let unused = "in the vocabulary of all platforms; this library has nothing that raises it"
    return switch code {
    case .minAmountNotMet:
      ("minAmount, restToPay, missing, mend[{token, less, amount}]", "the remainder is under the method's minimum")
    case .maxAmountExceeded: ("maxAmount, restToPay, excess", "the remainder is over the method's maximum")
    case .paymentFulfilled: ("", "gift cards cover everything")
    case .amountConditionUnreachable: ("minAmount, maxAmount, orderAmount", "no split can bring it within its bounds")
    case .submitting: ("", "an attempt is in flight")
    case .partnerUIRecoverableError: ("", "reported partnerError, recoverable; until reported ready")
    case .partnerUIFatalError: ("", "reported initFailed, clientError, or partnerError that is not recoverable")
    case .tokenInitFailed: ("", "a saved instrument: reported initFailed, or its balance could not be read")
    case .methodUnstable: ("", "the session calls the method unstable")
    case .pluginIncompatible: ("", "`capabilities` lack a step that the method needs")
    case .doesNotBelongToCurrentSession: ("", "the reason of an element that another session closed")
    case .tokenExpired: ("", "a saved instrument or a gift card past its expiry")
    case .tokenSecurityCodeUnsupported: ("", "a saved card that needs its security code, and no `collect` capability")
    case .tokenDeleted: ("", "the back end no longer knows the saved instrument")
    case .tokenBeingDeleted: ("", "hco_token_delete was accepted and has no answer yet")
    case .paymentElementFatalError, .paymentElementRenderFailed, .fatalErrorBeforeRender: ("", unused)
    }
  }

  private static var issuers: String {
    rows(
      ["issuer", "number", "code", "balance", "paid with"],
      GiftCards.issuers.map { issuer in
        let rule = issuer.rule
        let alphabet = rule.isNumeric ? "digits" : "letters and digits"
        let code = "\(rule.codeLength.lowerBound) to \(rule.codeLength.upperBound)"
        return [
          "`\(issuer.partner)\(issuer.method.map { "-" + $0 } ?? "")`",
          "\(rule.numberLength.lowerBound) to \(rule.numberLength.upperBound) \(alphabet)",
          rule.codeFromLength.map { "\(code), needed from \($0) on" } ?? "\(code), may be left out",
          rule.isPolled ? "once the shopper confirmed, 3 minutes at most" : "at once",
          rule.paysByHandle ? "its reading" : rule.isVoucher ? "its voucher number" : "its number again",
        ]
      })
      + "\nAll or nothing: "
      + GiftCards.takePolicies.filter { $0.policy == .max }.map { "`\($0.partner)-\($0.method)`" }.joined(
        separator: ", ")
      + ".\n"
  }

  private static var widgets: String {
    rows(
      ["method", "step", "initialised when opened", "its button pays", "needs appReturnURL"],
      MethodRule.table.filter { $0.kind == .primary }.map { rule in
        let traits: [PaymentMethod.Traits] = [.initializesAtOpen, .selfSubmitting, .needsReturnURL]
        let name = rule.method.map { "method `\($0)`" } ?? "partner `\(rule.partner ?? "")`"
        let condition =
          rule.keepsCardsInVault
          ? " with a vault" : rule.integrationModeIsNot.map { " unless integrated as \($0)" } ?? ""
        return [name + condition, rule.nature == .card ? "collect" : "prepare"]
          + traits.map { rule.traits.contains($0) ? "yes" : "no" }
      })
  }

  private static var monitoring: String {
    rows(
      ["code", "type", "when", "payload"],
      MonitoringCode.allCases.map { code in
        let row = MonitoringWhen.rows[code]
        return ["`\(code.text)`", code.type, row?.when ?? "never: it belongs to hosts with a page", row?.payload ?? ""]
      })
  }

  private static var seedRows: String {
    rows(
      ["row", "statement", "held by"],
      SeedRows.all.filter { !$0.id.hasPrefix("003:") }.map { row in
        let tests = SeedRows.tests[row.id]?.map { "`\($0)`" }.joined(separator: ", ") ?? ""
        return [row.id, row.statement.replacing("|", with: "/"), tests]
      })
  }

  private static var choices: String {
    rows(
      ["what", "our choice", "how to override"],
      Choices.all.map { [$0.name, "`\($0.value.replacing("|", with: "` or `"))`", $0.override] })
  }
}
