/// The page on which a shopper, or a test, decides how a redirected payment ends.
extension PurseBackend {
  /// The last segment of a decision's address, and what becomes of the payment.
  private static let decisions = ["approve": "AUTHORIZED", "decline": "REFUSED", "cancel": "ABORTED"]

  func pageURL(_ pageId: String) -> String { "\(base)/sandbox/pages/\(pageId)" }

  mutating func page(_ request: SandboxRequest, at now: Int64) throws(Refusal) -> SandboxResponse {
    guard ["GET", "POST"].contains(request.method) else { throw .methodNotAllowed(request.method) }
    let segments = request.segments
    guard let place = place(ofPage: segments[2]) else { throw .notFound }
    if segments.count == 3 {
      return .html(200, SandboxPages.decision(pageURL(segments[2]), ["approve", "decline", "cancel"]))
    }
    guard let authorization = Self.decisions[segments[3]] else { throw .notFound }
    if sessions[place.session].payments[place.payment].authorization == "PENDING" {
      sessions[place.session].payments[place.payment].authorization = authorization
    }
    return comeBack(sessions[place.session], sessions[place.session].payments[place.payment])
  }

  private func place(ofPage pageId: String) -> (session: Int, payment: Int)? {
    for (index, session) in sessions.enumerated() {
      if let payment = session.payments.firstIndex(where: { $0.pageId == pageId }) { return (index, payment) }
    }
    return nil
  }

  /// Sends the shopper back to the merchant, with what looks like a signed statement.
  private func comeBack(_ session: PurseSession, _ payment: PursePayment) -> SandboxResponse {
    guard let target = session.redirection else { return .html(200, SandboxPages.end) }
    let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let address = String(parts[0])
    let mark = address.contains("?") ? "&" : "?"
    let fragment = parts.count > 1 ? "#\(parts[1])" : ""
    let location = "\(address)\(mark)purse-redirection-data=\(Self.statement(session, payment))\(fragment)"
    return SandboxResponse(status: 302, headers: [.init(name: "Location", value: location)])
  }

  private static func statement(_ session: PurseSession, _ payment: PursePayment) -> String {
    let header: SandboxJSON = ["alg": "RS256", "typ": "JWT", "kid": "sandbox"]
    let claims: SandboxJSON = [
      "client_session_id": .string(session.id), "payment_id": .string(payment.id),
      "authorization_status": .string(payment.authorization), "client_session_status": "SUBMITTED",
    ]
    let parts = [header.text, claims.text, "not a signature: this is a sandbox"]
    return parts.map { Base64Text.encode($0.utf8, urlSafe: true, padded: false) }.joined(separator: ".")
  }
}
