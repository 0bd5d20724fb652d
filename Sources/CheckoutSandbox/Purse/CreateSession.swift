/// The merchant's call that creates a client session, and the one that reads it.
extension PurseBackend {
  mutating func createSession(_ request: SandboxRequest, at now: Int64) throws(Refusal) -> SandboxResponse {
    let key = try merchantKey(request)
    let order = try MerchantOrder(request.jsonObject())
    let session = newSession(order, key: key, at: now)
    sessions.append(session)
    return .json(201, document(session))
  }

  func readSession(_ request: SandboxRequest, id: String) throws(Refusal) -> SandboxResponse {
    let key = try merchantKey(request)
    guard let session = sessions.first(where: { $0.id == id && $0.merchantKey == key }) else {
      throw Refusal(404, "SESSION_NOT_FOUND", "There is no such session.")
    }
    return .json(200, document(session))
  }

  func merchantKey(_ request: SandboxRequest) throws(Refusal) -> String {
    guard let key = request.header("x-api-key"), !key.isEmpty,
      let bearer = request.header("Authorization"), bearer.hasPrefix("Bearer "), bearer.count > 7
    else { throw Refusal(401, "UNAUTHORIZED", "An x-api-key and a bearer token are wanted.") }
    return key
  }

  private mutating func newSession(_ order: MerchantOrder, key: String, at now: Int64) -> PurseSession {
    let id = identifiers.uuid()
    let expiresAt = (now / 1_000 + order.wishes.expiresInSeconds) * 1_000
    let wallet = order.wishes.owner.map { owner in
      let session = newWalletSession(owner, "sandbox-merchant", key, expiresAt: expiresAt)
      return (session: session, wallet: wallets.first { $0.owner == owner } ?? PurseWallet(owner: owner))
    }
    let blob = WidgetBlob.document(
      order, id: id, key: key, expiresAt: expiresAt, tenantId: identifiers.uuid(), wallet: wallet)
    let shown = blob["session"] ?? .null
    let currency = shown["currency_code"]?.string.flatMap(Currency.init(code:)) ?? order.currency
    let amount = shown["amount"]?.numberLiteral.flatMap { Amount.minorUnits(of: $0, digits: currency.digits) }
    return PurseSession(
      id: id, entityId: (blob["entity_id"] ?? blob["entityId"])?.string ?? order.entityId,
      merchantKey: key, clientKey: (blob["api_key"] ?? blob["apiKey"])?.string,
      echo: order.echo, currency: currency, amount: amount ?? order.amount,
      isInformationRequest: shown["information_request"]?.bool ?? false,
      expiresAt: shown["expiration_date"]?.string.flatMap(SandboxTime.reading) ?? expiresAt,
      redirection: shown["redirection"]?.string, protocols: shown["protocols"] ?? .object([]),
      widget: ["js_url": .string("\(base)/sandbox/widget.js"), "data": .string(WidgetBlob.encode(blob, order.wishes))],
      submitsAgain: order.wishes.submitsAgain, owner: order.wishes.owner)
  }

  private func document(_ session: PurseSession) -> SandboxJSON {
    var document = session.echo
    document["id"] = .string(session.id)
    document["status"] = session.isSubmitted ? "SUBMITTED" : "CREATED"
    document["expires_at"] = .string(SandboxTime.milliseconds(session.expiresAt))
    document["widget"] = session.widget
    guard let payment = session.payments.last else { return document }
    document["payment_id"] = .string(payment.id)
    document["authorization"] = ["status": .string(payment.authorization)]
    document["split"] = payment.splitDocument
    return document
  }
}
