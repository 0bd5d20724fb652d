import Foundation

/// Where something leaves the library for a place that the rules speak of.
enum Outlet: String, CaseIterable {
  /// What is reported to Purse, and the audit copy of it.
  case monitoring
  /// An error object, as a reply or inside an event.
  case error
  /// The message of an error: for people.
  case errorMessage
  /// What the listener is told.
  case event
  /// What a hook is asked.
  case question
  case snapshot
}

/// Something that was put in and must not come out everywhere.
struct Secret {
  enum Kind: CaseIterable {
    case cardNumber, securityCode, pin, name, amount, transaction, partnerPayload, refusedBody, hookWords, formToken
    case savedValue, apiKey, freshCardID

    /// Where it must not be.
    var forbidden: Set<Outlet> {
      switch self {
      case .cardNumber, .securityCode, .pin, .transaction, .partnerPayload, .refusedBody: Set(Outlet.allCases)
      // The host's own form answered it, and gets it back in the saved state.
      case .formToken: [.monitoring, .error, .errorMessage, .event]
      case .name, .hookWords: [.monitoring, .error, .errorMessage]
      case .amount: [.monitoring, .errorMessage]
      // The saved state holds the session as the host passed it.
      case .savedValue, .apiKey: [.monitoring, .error, .errorMessage, .event, .question]
      case .freshCardID: [.monitoring]
      }
    }
  }

  var kind: Kind
  var text: String

  init(_ kind: Kind, _ text: String) {
    self.kind = kind
    self.text = text
  }

  /// Numbers are found however they are grouped.
  private var isNumber: Bool { kind == .cardNumber || kind == .amount }

  func isIn(_ text: Searched) -> Bool {
    isNumber ? text.joined.contains(Searched.joined(self.text)) : text.text.contains(self.text)
  }
}

/// A text that left, and the same without what groups digits.
struct Searched {
  let text: String
  let joined: String

  init(_ text: String) {
    self.text = text
    joined = Searched.joined(text)
  }

  static func joined(_ text: String) -> String {
    String(decoding: text.utf8.filter { !" .,-_'".utf8.contains($0) }, as: UTF8.self)
  }
}

/// The secrets of one run, each unlike anything else that a run writes.
struct Secrets {
  private(set) var all: [Secret] = []
  private var dice: Dice

  init(_ dice: Dice) { self.dice = dice }

  /// A new secret; it is searched for from here on.
  mutating func plant(_ kind: Secret.Kind) -> String {
    let text =
      switch kind {
      case .cardNumber: "4" + digits(15)
      case .securityCode: "cvv" + digits(9)
      case .pin: "pin" + digits(9)
      case .name: "Shopper" + letters(8)
      case .amount: "\(7 + dice.below(3))" + digits(6)
      case .transaction: "tx-\(letters(4))-\(digits(8))"
      case .partnerPayload: "payload" + letters(10)
      case .refusedBody: "body" + letters(10)
      case .hookWords: "hook" + letters(10)
      case .formToken: "tok_success_" + letters(20)
      case .savedValue: "saved" + letters(12)
      case .apiKey: "key" + letters(12)
      case .freshCardID: "\"gc\(dice.below(9))"
      }
    all.append(Secret(kind, text))
    return text
  }

  /// An amount as the wire writes it.
  mutating func plantAmount() -> String {
    let minor = plant(.amount)
    return minor.dropLast(2) + "." + minor.suffix(2)
  }

  mutating func watch(_ kind: Secret.Kind, _ text: String) { all.append(Secret(kind, text)) }

  /// What of them is where it must not be.
  func leaks(_ text: String, _ outlet: Outlet) -> [Secret] {
    let searched = Searched(text)
    return all.filter { $0.kind.forbidden.contains(outlet) && $0.isIn(searched) }
  }

  private mutating func digits(_ count: Int) -> String { (0..<count).map { _ in String(dice.below(10)) }.joined() }

  private mutating func letters(_ count: Int) -> String {
    (0..<count).map { _ in String(UnicodeScalar(UInt8(97 + dice.below(26)))) }.joined()
  }
}
