import Foundation
import Testing

@testable import CheckoutCore

/// Privacy by type: what an event may hold is a short list of types, none of which has room for what may not be told.
@Suite("Monitoring's types")
struct MonitoringRulesTests {
  static let folder = "CheckoutCore/Monitoring"
  static let allowed: Set<String> = [
    "MonitoredDevice", "Tally", "ErrorCode", "MonitoredItem", "DisabledCode", "MonitoredToken", "PartnerEvent",
    "MaskedText", "Call", "MonitoredTime", "Bool", "SessionState", "MonitoredResult", "MonitoredFailure",
    "DeliveryKind",
  ]

  private static func text(_ file: String) throws -> String {
    try String(
      contentsOf: SourceRulesTests.root.appending(path: "Sources/CheckoutCore/Monitoring/\(file)"), encoding: .utf8)
  }

  @Test("an event holds nothing but these types")
  func payloads() throws {
    let cases = try Self.text("MonitoringEvent.swift").matches(of: /\n  case (\w+)(?:\((.*)\))?/)
    #expect(cases.count == MonitoringCode.allCases.filter { $0.isEmitted }.count)
    for found in cases {
      for part in (found.2 ?? "").split(separator: ", ") {
        let type = String(part.split(separator: ": ").last ?? "").replacing("?", with: "")
        #expect(Self.allowed.contains(type), "\(found.1) holds a \(type)")
      }
    }
  }

  @Test("what they hold is made from items, answers, instants and counts, never from a number or a text as it came")
  func makers() throws {
    let text = try Self.text("MonitoringTypes.swift")
    let makers = text.matches(of: /\n  +(?:public )?init[?]?(?:<\w+>)?\(([^)]*)\)/).map { String($0.1) }
    #expect(
      Set(makers) == [
        "of elements: [Element], andOneMore isOneMore: Bool = false", "from start: Int64, to end: Instant",
        "of answer: Answer", "_ method: PaymentMethod", "_ token: PaymentToken, of method: PaymentMethod",
        "_ token: SavedSecondaryToken, of method: PaymentMethod", "_ result: PaymentResult, _ session: ClientSession",
      ])
  }

  @Test("the table of codes has a row for each")
  func documented() {
    #expect(Set(MonitoringWhen.rows.keys) == Set(MonitoringCode.allCases.filter { $0.isEmitted }))
  }
}

/// When each is told, for the table.
enum MonitoringWhen {
  static let rows: [MonitoringCode: (when: String, payload: String)] = [
    .create: ("creation or restore", "restored, osVersion, model, screen (as the host's `device` says)"),
    .ready: ("after it", "-"),
    .setSession: ("a session is set or refreshed", "nb_methods, nb_survivors"),
    .expiredSession: ("it expires", "-"),
    .setWalletSession: ("the wallet session is attached", "-"),
    .setWalletSessionFailed: ("it could not be", "code"),
    .methodDisabled: (
      "a method enters a disabled state, or is filtered out", "partner, method, code, filtered, recoverable"
    ),
    .methodSetPrimary: ("selection", "partner, method"),
    .primaryTokenSetAsPrimary: ("selection", "partner, method, tokenId"),
    .clearPrimarySplit: ("selection", "partner, method"),
    .methodGetPaymentElement: ("an element is opened", "partner, method"),
    .primaryTokenGetPaymentElement: ("an element is opened", "partner, method, tokenId"),
    .methodGetSecondaryToken: ("a gift card is read", "partner, method"),
    .secondaryTokenTake: ("a gift card is drawn in", "partner, method, partial"),
    .secondaryTokenRemoveFromSplit: ("it is taken out", "partner, method"),
    .secondaryTokenRegister: ("it is to be saved", "partner, method"),
    .tokenEdit: ("a saved instrument is renamed", "partner, method, tokenId"),
    .tokenDelete: ("it is deleted", "partner, method, tokenId"),
    .tokenSetFavorite: ("it is made the favourite", "partner, method, tokenId"),
    .deleteAllTokens: ("all are deleted", "-"),
    .methodLoanSim: ("a loan is simulated", "partner, method"),
    .methodRegister: ("the save decision", "partner, method, saveToken"),
    .partnerUIEvent: ("a partner's step reports, or the host cannot do it", "partner, method, code, reason"),
    .partnerAPICallStart: ("before a call of the payment API", "call, httpMethod, path (the template)"),
    .partnerAPICallEnd: ("after it", "the same, durationMs, success"),
    .paymentFulfilled: ("the split starts covering the amount, or stops to", "isFulfilled"),
    .submitPayment: ("a submit entered", "nb_splits"),
    .submitBlocked: ("a second one was refused", "state"),
    .validationStarted: ("the payment request is handed over", "nb_items"),
    .validationSuccess: (
      "its answer says success", "global_status, results[partner, method, state, code, description, partnerStatus]"
    ),
    .validationFailed: ("its answer says anything else", "the same"),
    .paymentError: (
      "a submit was refused or failed", "code; call, httpMethod, path, api_status of the call that failed"
    ),
    .onBeforeValidateHookFailed: ("that hook answered an error", "-"),
    .clientHookError: ("another hook did, or gave no answer in time", "hook"),
    .pageUnload: ("teardown", "-"),
  ]
}
