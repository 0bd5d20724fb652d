/// How a payment ends, as a card's form token (`tok_<case>_`, filled up to 32) or a saved card's value asks for it.
enum PaymentCase: String, CaseIterable {
  case success, declined, waiting, uncertain, error, unlisted, lost, slow
  case threeDS = "threeds"
  case threeDSPost = "threeds_post"
  case threeDSJSON = "threeds_json"
  case threeDSBody = "threeds_body"
  case threeDSHTML = "threeds_html"

  /// What the primary's result and the whole answer say.
  struct Verdict: Hashable {
    let state: String
    let code: String
    let globalStatus: String
    let authorization: String
  }

  var verdict: Verdict {
    switch self {
    case .success, .lost, .slow:
      Verdict(state: "SUCCESS", code: "SUCCEEDED", globalStatus: "SUCCESS", authorization: "AUTHORIZED")
    case .declined:
      Verdict(state: "FAILED", code: "REJECTED_BANK", globalStatus: "FAILED", authorization: "REFUSED")
    case .uncertain:
      Verdict(state: "UNCERTAIN", code: "UNCERTAIN", globalStatus: "UNCERTAIN", authorization: "PENDING")
    case .error:
      Verdict(
        state: "ERROR", code: "TECHNICAL_ISSUE_TO_CONTACT_PARTNER", globalStatus: "ERROR", authorization: "ERROR")
    case .unlisted:
      Verdict(state: "SANDBOX_STATE", code: "SANDBOX_CODE", globalStatus: "SANDBOX_STATUS", authorization: "PENDING")
    case .waiting, .threeDS, .threeDSPost, .threeDSJSON, .threeDSBody, .threeDSHTML:
      Verdict(state: "WAITING", code: "WAITING_PARTNER_RESPONSE", globalStatus: "WAITING", authorization: "PENDING")
    }
  }

  var delivery: Answer.Delivery {
    switch self {
    case .lost: .lost
    case .slow: .delayed(milliseconds: 1_500)
    default: .whole
    }
  }

  /// Does the shopper decide on a page of the sandbox?
  var needsPage: Bool {
    switch self {
    case .threeDS, .threeDSPost, .threeDSJSON, .threeDSBody, .threeDSHTML: true
    default: false
    }
  }

  /// The case that a text with that prefix (`tok_`, `wtk_`) names; the longest name wins.
  init?(named text: String, prefix: String) {
    let named = Self.allCases.filter { text.hasPrefix("\(prefix)\($0.rawValue)_") }
    guard let longest = named.max(by: { $0.rawValue.count < $1.rawValue.count }) else { return nil }
    self = longest
  }

  /// The case of a form token of the vault: 32 characters of its alphabet.
  init?(formToken: String) {
    let isWellFormed =
      formToken.utf8.count == 32
      && formToken.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
    guard isWellFormed else { return nil }
    self.init(named: formToken, prefix: "tok_")
  }
}
