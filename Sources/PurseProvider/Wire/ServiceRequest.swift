import CheckoutCore
import JSONText

/// What is sent for an order that is no payment.
enum ServiceRequest {
  /// nil when no root of the wallet is known.
  static func request(for order: ServiceOrder, _ endpoint: PurseEndpoint) -> Request? {
    switch order {
    case .listTokens(let session):
      return wallet(endpoint, session, "GET", Choices.walletListPath)
    case .rename(let session, let token, let name):
      return wallet(endpoint, session, "PATCH", Choices.walletTokenPath, token: token) {
        $0.member("name", string: name)
      }
    case .makeFavorite(let session, let token):
      return wallet(endpoint, session, "PUT", Choices.walletFavoritePath, token: token) { _ in }
    case .delete(let session, let token):
      return wallet(endpoint, session, "DELETE", Choices.walletTokenPath, token: token)
    case .deleteAll(let session):
      return wallet(endpoint, session, "DELETE", Choices.walletAllPath)
    case .simulateLoan(let order):
      return endpoint.simulate(body { write(order, to: &$0) })
    case .readBalance(let order):
      var body = BodyWriter()
      ItemPayload(order).write(to: &body)
      return endpoint.initialize(body.parts)
    }
  }

  private static func wallet(
    _ endpoint: PurseEndpoint, _ session: WalletSession, _ method: String, _ path: Choice, token: String = "",
    _ members: ((inout JSONWriter) -> Void)? = nil
  ) -> Request? {
    guard let root = endpoint.walletRoot else { return nil }
    let filled = path.filled([
      (placeholder: "customerId", text: percentEncoded(segment: session.owner)),
      (placeholder: "walletSessionId", text: percentEncoded(segment: session.id)),
      (placeholder: "tokenId", text: percentEncoded(segment: token)),
    ])
    return endpoint.wallet(method, root, filled, session, members.map { body($0) } ?? [])
  }

  private static func body(_ members: (inout JSONWriter) -> Void) -> [BodyPart] {
    var writer = JSONWriter()
    writer.beginObject()
    members(&writer)
    writer.endObject()
    return [.text(writer.text)]
  }

  private static func write(_ order: LoanOrder, to writer: inout JSONWriter) {
    writer.member("partner", string: order.name.partner)
    writer.member("method", string: order.name.method)
    writer.key("amount")
    writer.numberLiteral(Amount.decimalText(order.amount, digits: order.currency.digits))
    writer.member("currency_code", string: order.currency.code)
  }
}
