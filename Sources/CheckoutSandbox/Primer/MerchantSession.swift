/// The merchant's calls: the client session, and how its payments stand.
extension PrimerBackend {
  mutating func clientSession(_ request: SandboxRequest, at now: Int64) throws(Refusal) -> SandboxResponse {
    let key = try merchantKey(request)
    switch request.method {
    case "POST": return try create(request.jsonObject(), key, at: now)
    case "PATCH": return try patch(request.jsonObject(), key)
    default: throw .methodNotAllowed(request.method)
    }
  }

  private func merchantKey(_ request: SandboxRequest) throws(Refusal) -> String {
    guard let key = request.header("X-Api-Key"), !key.isEmpty else {
      throw Refusal(401, "Unauthorized", "An X-Api-Key is wanted.")
    }
    return key
  }

  private mutating func create(
    _ document: SandboxJSON, _ key: String, at now: Int64
  ) throws(Refusal) -> SandboxResponse {
    var body = document
    body["sandbox"] = nil
    let wishes = try PrimerWishes(document["sandbox"])
    let order = try PrimerOrder(body)
    let id = identifiers.uuid()
    let payload = PrimerToken.payload(
      base: base, sessionId: id, accessToken: identifiers.uuid(), expiresAt: now + wishes.expiresInSeconds * 1_000
    ).merging(wishes.token)
    let seconds = (payload["expiration"] ?? payload["exp"])?.integer ?? now / 1_000 + wishes.expiresInSeconds
    sessions.append(
      PrimerSession(
        id: id, merchantKey: key, clientToken: PrimerToken.text(payload),
        accessToken: payload["accessToken"]?.string ?? identifiers.uuid(),
        expiresAt: min(seconds, 9_000_000_000) * 1_000, wishes: wishes, order: order))
    return .json(200, echo(sessions[sessions.count - 1]))
  }

  private mutating func patch(_ document: SandboxJSON, _ key: String) throws(Refusal) -> SandboxResponse {
    let token = document["clientToken"]?.string
    guard let index = sessions.firstIndex(where: { $0.clientToken == token && $0.merchantKey == key }) else {
      throw Refusal(404, "ClientSessionNotFound", "There is no session with this client token.", at: "/clientToken")
    }
    var changes = document
    changes["clientToken"] = nil
    sessions[index].order = try sessions[index].order.patched(changes)
    return .json(200, echo(sessions[index]))
  }

  private func echo(_ session: PrimerSession) -> SandboxJSON {
    var document = session.order.document
    document["id"] = .string(session.id)
    document["clientToken"] = .string(session.clientToken)
    document["clientTokenExpirationDate"] = .string(SandboxTime.milliseconds(session.expiresAt))
    return document
  }

  /// `GET /payments/{id}` and `POST /payments/{id}/cancel`, as the merchant's backend asks and undoes.
  mutating func merchantPayment(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
    let key = try merchantKey(request)
    let segments = request.segments
    let place = try place { $0.id == segments[1] }
    guard sessions[place.session].merchantKey == key else { throw Self.noSuchPayment }
    switch (request.method, segments.dropFirst(2)) {
    case ("GET", []): break
    case ("POST", ["cancel"]):
      guard payment(place).verdict.status == "PENDING" else {
        throw Refusal(409, "PaymentNotCancellable", "Only a pending payment is cancelled.")
      }
      sessions[place.session].payments[place.payment].verdict = .canceled
      sessions[place.session].payments[place.payment].steps = []
    case (_, []), (_, ["cancel"]): throw .methodNotAllowed(request.method)
    default: throw .notFound
    }
    return .json(200, document(payment(place), of: sessions[place.session], hasId: true))
  }
}
