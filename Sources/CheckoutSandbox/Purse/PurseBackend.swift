/// The pretend Purse: merchant calls, client calls, the shopper's pages and the time service.
struct PurseBackend: Hashable {
  /// `http://127.0.0.1:PORT`, for the pages that answers point to.
  let base: String
  var identifiers: Identifiers
  var sessions: [PurseSession] = []
  var monitoring = MonitoringSink()
  var wallets: [PurseWallet] = []
  var walletSessions: [PurseWalletSession] = []

  init(base: String, seed: UInt64) {
    self.base = base
    identifiers = Identifiers(seed: seed)
  }

  /// Answers a request by the clock that it meets; nil when the path is not Purse's.
  mutating func handle(_ request: SandboxRequest, at now: Int64) throws(Refusal) -> Answer? {
    let segments = request.segments
    switch (request.method, segments.count) {
    case (_, 1) where segments[0] == "datetime":
      try require("GET", request)
      return Answer(response: datetime(now))
    case (_, 3) where segments == ["payment", "v2", "client-sessions"]:
      try require("POST", request)
      return Answer(response: try createSession(request, at: now))
    case (_, 4) where segments.starts(with: ["payment", "v2", "client-sessions"]):
      try require("GET", request)
      return Answer(response: try readSession(request, id: segments[3]))
    case (_, 4) where segments[1] == "sessions" && segments[3] == "init":
      try require("POST", request)
      return Answer(response: try initialize(request, at: now))
    case (_, 4) where segments[1] == "sessions" && segments[3] == "simulation":
      try require("POST", request)
      return Answer(response: try simulate(request, at: now))
    case (_, 4) where segments[1] == "sessions" && segments[3] == "validate":
      try require("POST", request)
      return try validate(request, at: now)
    case (_, 2) where segments == ["widget", "headless_checkout"]:
      try require("POST", request)
      return Answer(response: try monitoring.receive(request, at: now))
    case (_, 2) where segments == ["sandbox", "widget.js"]:
      try require("GET", request)
      return Answer(response: Self.script)
    case (_, 3...4) where segments.starts(with: ["sandbox", "pages"]):
      return Answer(response: try page(request, at: now))
    default: return try handleWallet(request, at: now).map { Answer(response: $0) }
    }
  }

  private func require(_ method: String, _ request: SandboxRequest) throws(Refusal) {
    guard request.method == method else { throw .methodNotAllowed(request.method) }
  }

  /// What a browser would load and this library's hosts never do.
  private static let script = SandboxResponse(
    status: 200, headers: [.init(name: "Content-Type", value: "text/javascript")], body: Array("// No widget.".utf8))

  private func datetime(_ now: Int64) -> SandboxResponse {
    .json(200, ["utc": .string(SandboxTime.httpDate(now)), "iso": .string(SandboxTime.milliseconds(now))])
  }

  /// The index of the session that a client call means, once the call may be made at all.
  func clientSession(_ request: SandboxRequest) throws(Refusal) -> Int {
    let segments = request.segments
    guard let index = sessions.firstIndex(where: { $0.id == segments[2] && $0.entityId == segments[0] }) else {
      throw Refusal(404, "SESSION_NOT_FOUND", "There is no such session.")
    }
    if let key = sessions[index].clientKey, request.header("x-api-key") != key {
      throw Refusal(401, "UNAUTHORIZED", "The x-api-key is missing or wrong.")
    }
    return index
  }

  /// All payments that were made, each with its session.
  func payments(sessionId: String?) -> [SandboxJSON] {
    var documents: [SandboxJSON] = []
    for session in sessions where sessionId == nil || sessionId == session.id {
      for payment in session.payments {
        documents.append([
          "sessionId": .string(payment.sessionId), "paymentId": .string(payment.id),
          "amount": .integer(payment.amount), "currency": .string(session.currency.code),
          "status": .string(payment.authorization), "split": payment.splitDocument,
        ])
      }
    }
    return documents
  }
}
