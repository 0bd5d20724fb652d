import Foundation
import PurseProvider
import Testing

@testable import CheckoutCore

/// The tables of include/README.md are made from the code. `UPDATE_TABLES=1` writes them; otherwise they must be equal.
@Suite("Generated tables", .serialized)
struct GeneratedTablesTests {
  static let page = SourceRulesTests.root.appending(path: "include/README.md")

  static var tables: [String: String] {
    [
      "errors": errors, "transitions": transitions, "refusals": refusals, "disabled": disabled, "choices": choices,
      "monitoring": monitoring, "rows": seedRows,
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
    return ours.contains(code) ? "ours" : "[public](\(documentation)\(code.documentationFragment))"
  }

  private static var transitions: String {
    rows(
      ["event", "from", "to"],
      Transition.all.map { [$0.event, $0.from.name, $0.to.name + ($0.outcomeUnknown ? ", outcomeUnknown" : "")] })
  }

  private static let standings: [(Standing, String)] = [
    (.ready, "ready"), (.inFlight, "in flight"), (.unknown, "unknown"), (.submitted, "submitted"), (.error, "error"),
    (.expired, "expired"), (.terminated, "terminated"), (.tornDown, "torn down"),
  ]

  private static let verbs: [(Verb, String)] = [
    (.choose, "set_primary, read, apply and remove a gift card"), (.openElement, "element_open"),
    (.submit, "submit"), (.setSession, "set_session"), (.resolve, "resolve"),
    (.follow, "element_report, element_close, abort, set_hooks, redirect_report, redirect_present"),
    (.always, "answer, teardown"),
  ]

  private static var refusals: String {
    rows(
      ["call"] + standings.map { $0.1 },
      verbs.map { verb in
        [verb.1] + standings.map { $0.0.refusal(of: verb.0).map { "`\($0.text)`" } ?? "allowed" }
      })
  }

  private static var disabled: String {
    let states: [DisabledState] = [
      .submitting, .partnerUIFatalError, .partnerUIRecoverableError, .paymentFulfilled,
      .minAmountNotMet(minAmount: 1, restToPay: 0), .maxAmountExceeded(maxAmount: 1),
    ]
    return rows(
      ["code", "isTechnical", "requiresUIClear", "isRecoverable", "isAmountDriven", "message"],
      states.map { state in
        let behaviour = state.behaviour
        return ["`\(behaviour.code)`"]
          + [behaviour.isTechnical, behaviour.requiresUIClear, behaviour.isRecoverable, behaviour.isAmountDriven]
          .map { $0 ? "yes" : "no" } + [behaviour.message]
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
