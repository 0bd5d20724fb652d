import CheckoutCore

/// What a payment waits for before it can go on, by the intent of its token.
struct RequiredAction: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// A challenge that only a native component could show.
    case threeDS
    /// A page, if it has one, and a poll, if it has one.
    case page
    /// The shopper pays elsewhere.
    case voucher
    case unsupported
  }

  let kind: Kind
  /// Under which the action is gone on with.
  let accessToken: String
  let redirectURL: String?
  let statusURL: String?
  /// A JSON object.
  let voucher: String

  /// nil when its token cannot be read.
  init?(_ text: String?) {
    guard let text, let token = ClientToken(text) else { return nil }
    accessToken = token.accessToken
    redirectURL = token.redirectURL
    statusURL = token.statusURL
    voucher = token.voucher
    switch token.intent {
    case "3DS_AUTHENTICATION": kind = .threeDS
    case "PROCESSOR_3DS": kind = .page
    case "PAYMENT_METHOD_VOUCHER": kind = .voucher
    case _ where RequiredAction.isRedirection(token.intent): kind = .page
    default: kind = .unsupported
    }
  }

  private static func isRedirection(_ intent: String) -> Bool {
    let mark = Array("_REDIRECTION".utf8)
    let bytes = Array(intent.utf8)
    guard bytes.count >= mark.count else { return false }
    return bytes.indices.dropLast(mark.count - 1).contains { bytes[$0...].prefix(mark.count).elementsEqual(mark) }
  }
}
