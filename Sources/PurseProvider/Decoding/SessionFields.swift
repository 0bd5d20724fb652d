import CheckoutCore
import JSONText

/// The members of a payment session.
enum SessionFields {
  static let id = "id"
  static let amount = "amount"
  static let currency = "currency_code"
  static let expiration = "expiration_date"
  static let protocols = "protocols"
  static let informationRequest = "information_request"
  static let redirection = "redirection"
  static let vault = "vault"

  /// Not of the session, but of the URL that its shopper comes back to.
  static let returnStatement = "purse-redirection-data"

  /// Those without which nothing can be paid. An information request has nothing to pay.
  static func required(_ session: FieldReader) -> [String] {
    let always = [id, currency, expiration, protocols]
    return session.value[informationRequest]?.boolean == true ? always : always + [amount]
  }
}

extension SessionBlob {
  func clientSession(_ widgetData: String) throws(CheckoutError) -> ClientSession {
    let id = try session.pathSegment(SessionFields.id)
    let currency = try self.currency()
    let isInformationRequest = try session.optionalBoolean(SessionFields.informationRequest) ?? false
    let amount = try session.decimalAmount(SessionFields.amount, digits: currency.digits) ?? 0
    let expiresAt = try self.expiresAt()
    let redirection = try session.optionalString(SessionFields.redirection) ?? ""
    let vault = try session.optionalObject(SessionFields.vault)
    let tenantID = try SessionBlob.tenantID(vault)
    var items = ItemReader(currency: currency, isInformationRequest: isInformationRequest)
    try items.read(try session.object(SessionFields.protocols))
    var client = ClientSession(
      id: id, environment: environment, amount: isInformationRequest ? 0 : amount, currency: currency,
      isInformationRequest: isInformationRequest, expiresAt: expiresAt, redirection: redirection,
      methods: items.methods, unstable: items.unstable, tokens: items.tokens,
      savedSecondaries: items.savedSecondaries, walletSession: walletSession, tenantID: tenantID,
      vault: vault.map { CanonicalJSON.text(of: $0.value) } ?? "", widgetData: widgetData)
    client.returnStatementParameter = SessionFields.returnStatement
    return client
  }

  private func currency() throws(CheckoutError) -> Currency {
    guard let currency = Currency(code: try session.string(SessionFields.currency)) else {
      throw session.malformed(SessionFields.currency, "not a currency of ISO 4217")
    }
    return currency
  }

  private func expiresAt() throws(CheckoutError) -> Int64 {
    let text = try session.string(SessionFields.expiration)
    guard let moment = DateText.milliseconds(fromISO8601: text) else {
      throw session.malformed(SessionFields.expiration, "not a date of ISO 8601")
    }
    return moment
  }

  /// Whichever vendor keeps the cards: the card form takes either's id under one name.
  private static func tenantID(_ vault: FieldReader?) throws(CheckoutError) -> String? {
    guard let front = try vault?.optionalObject("vendor_front_data") else { return nil }
    if let tenant = try front.optionalObject("purse")?.optionalString("tenant_id") { return tenant }
    return try front.optionalObject("pci_proxy")?.optionalString("merchant_id")
  }
}
