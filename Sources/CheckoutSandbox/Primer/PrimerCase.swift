/// How a payment goes, as a card's number, a saved method's id (`pm_<case>_...`) or an exact amount asks for it.
enum PrimerCase: String, CaseIterable {
  case success, declined, canceled, pending
  case checkoutComplete = "checkout_complete"
  case checkoutFailure = "checkout_failure"
  case determined
  case withoutId = "without_id"
  case unlisted, refused, unreadable
  case errorIn2xx = "error_in_2xx"
  case lost, slow
  case frictionless = "threeds_frictionless"
  case skipped = "threeds_skipped"
  case notPerformed = "threeds_not_performed"
  case authenticationFailed = "threeds_failed"
  case challenge = "threeds_challenge"
  case strictChallenge = "threeds_strict"
  case method = "threeds_method"
  case processor3DS = "processor_3ds"
  case shownPending = "processor_3ds_shown"
  case twoActions = "two_actions"
  case unlistedAction = "unlisted_action"
  case lostResume = "lost_resume"

  /// What a payment's answer says in the end.
  var verdict: PrimerVerdict {
    switch self {
    case .declined: .declined
    case .canceled: .canceled
    case .pending: .pending
    case .checkoutComplete: PrimerVerdict(status: "PENDING", outcome: "CHECKOUT_COMPLETE")
    case .checkoutFailure: PrimerVerdict(status: "PENDING", outcome: "CHECKOUT_FAILURE")
    case .determined: PrimerVerdict(status: "SUCCESS", outcome: "DETERMINE_FROM_PAYMENT_STATUS")
    case .withoutId: PrimerVerdict(status: "SUCCESS", hasId: false)
    case .unlisted: PrimerVerdict(status: "SANDBOX_STATUS")
    case .shownPending: PrimerVerdict(status: "PENDING", showsSuccess: true)
    default: .success
    }
  }

  /// What the shopper, or the client, has to do first, one after the other.
  var steps: [PrimerStep] {
    switch self {
    case .frictionless: [.threeDS("AUTH_SUCCESS")]
    case .skipped: [.threeDS("SKIPPED")]
    case .notPerformed: [.threeDS("NOT_PERFORMED")]
    case .authenticationFailed: [.threeDS("AUTH_FAILED")]
    case .challenge, .strictChallenge: [.threeDS("CHALLENGE")]
    case .method: [.threeDS("METHOD")]
    case .processor3DS, .shownPending, .lostResume: [.processor3DS]
    case .twoActions: [.threeDS("CHALLENGE"), .processor3DS]
    case .unlistedAction: [.unlisted]
    default: []
    }
  }

  /// What becomes of a challenge that the client cannot show.
  var decisionWithoutChallenge: PrimerDecision { self == .strictChallenge ? .decline : .approve }

  /// The card number that asks for it.
  var number: String {
    switch self {
    case .success: "4111110000000005"
    case .declined: "4111110000000013"
    case .canceled: "4111110000000021"
    case .pending: "4111110000000039"
    case .checkoutComplete: "4111110000000047"
    case .checkoutFailure: "4111110000000054"
    case .determined: "4111110000000062"
    case .withoutId: "4111110000000070"
    case .unlisted: "4111110000000088"
    case .refused: "4111110000000096"
    case .unreadable: "4111110000000104"
    case .errorIn2xx: "4111110000000112"
    case .lost: "4111110000000120"
    case .slow: "4111110000000138"
    case .frictionless: "4111110000010004"
    case .skipped: "4111110000010012"
    case .notPerformed: "4111110000010020"
    case .authenticationFailed: "4111110000010038"
    case .challenge: "4111110000010046"
    case .strictChallenge: "4111110000010053"
    case .method: "4111110000010061"
    case .processor3DS: "4111110000010079"
    case .shownPending: "4111110000010087"
    case .twoActions: "4111110000010095"
    case .unlistedAction: "4111110000010103"
    case .lostResume: "4111110000010111"
    }
  }

  /// Exact amounts, in minor units, that ask for a case where nothing else does.
  static let amounts: [Int64: PrimerCase] = [
    10_051: .declined, 10_052: .pending, 10_053: .checkoutFailure, 10_054: .unreadable, 10_055: .processor3DS,
  ]

  /// The case of a card number; nil for a number that asks for nothing.
  init?(number: String) {
    guard let named = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = named
  }

  /// The case that a saved method's id names; the longest name wins.
  init?(savedId: String) {
    let named = Self.allCases.filter { savedId.hasPrefix("pm_\($0.rawValue)_") }
    guard let longest = named.max(by: { $0.rawValue.count < $1.rawValue.count }) else { return nil }
    self = longest
  }
}

/// What a payment's answer says.
struct PrimerVerdict: Hashable {
  var status: String
  var reason: String?
  var outcome: String?
  var showsSuccess: Bool?
  var hasId = true

  static let success = PrimerVerdict(status: "SUCCESS")
  static let pending = PrimerVerdict(status: "PENDING")
  static let declined = PrimerVerdict(status: "FAILED", reason: "payment-failed")
  static let canceled = PrimerVerdict(status: "FAILED", reason: "cancelled-by-customer")
}

/// How a required action ended: on its page, or by the answers of a 3DS authentication.
enum PrimerDecision: String, CaseIterable {
  case approve, decline, cancel, pend

  /// What the resumed payment says; nil when it goes on as its case wants.
  var verdict: PrimerVerdict? {
    switch self {
    case .approve: nil
    case .decline: .declined
    case .cancel: .canceled
    case .pend: .pending
    }
  }
}

/// One required action.
enum PrimerStep: Hashable {
  /// With the response code of its authentication.
  case threeDS(String)
  case processor3DS
  /// The intent is the method's type and `_REDIRECTION`; without a page it is a wait, or a code to scan.
  case redirection(hasPage: Bool, qrCode: String?)
  case voucher
  /// One that no client knows.
  case unlisted

  /// The required action's name.
  var name: String {
    switch self {
    case .threeDS: "3DS_AUTHENTICATION"
    case .processor3DS: "PROCESSOR_3DS"
    case .redirection: "USE_PRIMER_SDK"
    case .voucher: "PAYMENT_METHOD_VOUCHER"
    case .unlisted: "SANDBOX_ACTION"
    }
  }

  /// The intent in the required action's token.
  func intent(of methodType: String) -> String {
    guard case .redirection = self else { return name }
    return "\(methodType)_REDIRECTION"
  }

  /// Does a page of the sandbox ask how it ends?
  var hasPage: Bool {
    switch self {
    case .processor3DS: true
    case .redirection(let hasPage, _): hasPage
    default: false
    }
  }

  /// Is it waited for at a `statusUrl`?
  var isPolled: Bool {
    switch self {
    case .processor3DS, .redirection: true
    default: false
    }
  }
}
