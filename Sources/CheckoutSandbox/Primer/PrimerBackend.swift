/// The pretend Primer: the merchant's calls, the client's calls, the shopper's pages.
struct PrimerBackend: Hashable {
  /// `http://127.0.0.1:PORT`, for the addresses in tokens and answers.
  let base: String
  var identifiers: Identifiers
  var sessions: [PrimerSession] = []
  var vaults: [PrimerVault] = []

  init(base: String, seed: UInt64) {
    self.base = base
    identifiers = Identifiers(seed: ~seed)
  }

  /// Answers a request by the clock that it meets; nil when the path is not Primer's.
  mutating func handle(_ request: SandboxRequest, at now: Int64) -> Answer? {
    do throws(Refusal) {
      return try answer(request, at: now)
    } catch {
      return Answer(response: .json(error.status, errorDocument(error)))
    }
  }

  private mutating func answer(_ request: SandboxRequest, at now: Int64) throws(Refusal) -> Answer? {
    if let call = try PrimerCall(request) { return try client(call, request, at: now) }
    let segments = request.segments
    switch segments.count {
    case 1 where segments == ["client-session"]: return Answer(response: try clientSession(request, at: now))
    case 2...3 where segments[0] == "payments": return Answer(response: try merchantPayment(request))
    case 5 where segments == ["primer", "assets", "currency-information", "v1", "data.json"]:
      return Answer(response: .json(200, PrimerCurrencies.document))
    case 4...5 where segments.starts(with: ["sandbox", "primer", "pages"]):
      return Answer(response: try page(request))
    default: return nil
    }
  }

  private mutating func client(
    _ call: PrimerCall, _ request: SandboxRequest, at now: Int64
  ) throws(Refusal) -> Answer {
    let index = try session(request, at: now)
    try call.check(request)
    switch call.kind {
    case .configuration: return Answer(response: .json(200, configuration(index, request)))
    case .tokenize: return Answer(response: try tokenize(request, of: index, at: now))
    case .listVault: return Answer(response: listSaved(index))
    case .deleteSaved: return Answer(response: try deleteSaved(call.value, of: index))
    case .exchange: return Answer(response: try exchange(call.value, request, of: index))
    case .actions: return Answer(response: try act(request, of: index))
    case .createPayment: return try createPayment(request, of: index, at: now)
    case .resumePayment: return try resumePayment(call.value, request, of: index, at: now)
    case .beginAuthentication: return Answer(response: try beginAuthentication(call.value, request, of: index))
    case .continueAuthentication: return Answer(response: try continueAuthentication(call.value, request, of: index))
    case .lookUpPhone: return Answer(response: PrimerPhones.lookUp(call.value))
    case .binData: return Answer(response: try PrimerNetworks.binData(call.value))
    case .poll: return Answer(response: try poll(call.value, of: index))
    }
  }

  /// The index of the session whose token the request carries.
  private func session(_ request: SandboxRequest, at now: Int64) throws(Refusal) -> Int {
    guard let token = request.header("Primer-Client-Token"),
      let index = sessions.firstIndex(where: { $0.isOpened(by: token) })
    else { throw Refusal(401, "Unauthorized", "The access token is missing or wrong.") }
    guard now < sessions[index].expiresAt else {
      throw Refusal(401, "ClientTokenExpired", "The client token has expired.")
    }
    return index
  }

  /// `{"error":{...}}`, with an id for the people who look into it.
  mutating func errorDocument(_ refusal: Refusal) -> SandboxJSON {
    var error: SandboxJSON = [
      "errorId": .string(refusal.code), "description": .string(refusal.message),
      "diagnosticsId": .string(identifiers.uuid()),
    ]
    if let pointer = refusal.pointer {
      error["validationErrors"] = [["pointer": .string(pointer), "message": .string(refusal.message)]]
    }
    return ["error": error]
  }

  /// All payments that were made, each with its session.
  func payments(sessionId: String?) -> [SandboxJSON] {
    var documents: [SandboxJSON] = []
    for session in sessions where sessionId == nil || sessionId == session.id {
      for payment in session.payments {
        documents.append([
          "sessionId": .string(session.id), "paymentId": .string(payment.id), "amount": .integer(payment.amount),
          "currency": .string(session.order.currency.code), "status": .string(payment.verdict.status),
          "method": .string(payment.instrument.type),
          "resumes": .integer(Int64(payment.actions.filter(\.isResumed).count)),
        ])
      }
    }
    return documents
  }
}
