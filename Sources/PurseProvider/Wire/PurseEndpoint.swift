import CheckoutCore
import JSONText

/// Where one session's requests go and what they all carry.
struct PurseEndpoint: Hashable, Sendable {
  private let initURL: String
  private let validateURL: String
  /// nil when the environment has no known root and the host named none: the Date headers must do.
  private let timeURL: String?
  /// nil without a key, or when the host moved the other services and did not say where this one is.
  private let monitoringURL: String?
  private let simulationURL: String
  /// nil as above: then nothing of the wallet can be changed.
  let walletRoot: String?
  private let apiKey: String?
  private let idempotencyHeader: String?

  init(_ blob: SessionBlob, _ session: ClientSession, _ options: ProviderOptions) throws(CheckoutError) {
    let known = PurseEndpoint.root(of: session.environment)
    let paymentRoot = try PurseEndpoint.checked(options.paymentRoot, "apiPaths.payment") ?? known
    let timeRoot = try PurseEndpoint.checked(options.timeRoot, "apiPaths.datetime") ?? known
    guard let paymentRoot else {
      throw CheckoutError(
        .invalidInitParams, message: "the root of this environment is not known", path: "apiPaths.payment",
        details: SessionBlob.details("missing", ["apiPaths.payment"]))
    }
    if let name = options.idempotencyHeader, !isHeaderName(name) {
      throw CheckoutError(.invalidInitParams, message: "not the name of a header", path: "idempotencyHeader")
    }
    let ids = [
      (placeholder: "entityId", text: percentEncoded(segment: blob.entityID)),
      (placeholder: "sessionId", text: percentEncoded(segment: session.id)),
    ]
    initURL = paymentRoot + Choices.initPath.filled(ids)
    validateURL = paymentRoot + Choices.validatePath.filled(ids)
    simulationURL = paymentRoot + Choices.simulationPath.filled(ids)
    walletRoot = try PurseEndpoint.checked(options.walletRoot, "apiPaths.wallet") ?? known
    timeURL = timeRoot.map { $0 + Choices.timePath.value }
    monitoringURL = try PurseEndpoint.monitoringURL(blob.apiKey, known, options)
    apiKey = blob.apiKey
    idempotencyHeader = options.idempotencyHeader
  }

  private static func monitoringURL(
    _ apiKey: String?, _ known: String?, _ options: ProviderOptions
  ) throws(CheckoutError) -> String? {
    let isMoved = options.paymentRoot != nil || options.timeRoot != nil
    let root = try PurseEndpoint.checked(options.logsRoot, "apiPaths.logs") ?? (isMoved ? nil : known)
    guard let root, let apiKey else { return nil }
    return root + Choices.monitoringPath.value + "?api-key=" + percentEncoded(segment: apiKey)
  }

  private static func root(of environment: String) -> String? {
    switch environment {
    case "sandbox": Choices.sandboxRoot.value
    case "production": Choices.productionRoot.value
    default: nil
    }
  }

  /// A root of the host's, to which a path can be added.
  private static func checked(_ root: String?, _ path: String) throws(CheckoutError) -> String? {
    guard let root else { return nil }
    let text = withoutTrailingSlash(root)
    let isPlain = isVisibleASCII(text) && !text.utf8.contains { "?#\\".utf8.contains($0) }
    guard isPlain else { throw CheckoutError(.invalidInitParams, message: "not the root of a service", path: path) }
    return text
  }

  func initialize(_ body: [BodyPart]) -> Request {
    Request(call: .initialize, method: "POST", url: initURL, headers: jsonHeaders, body: body)
  }

  func simulate(_ body: [BodyPart]) -> Request {
    Request(call: .simulate, method: "POST", url: simulationURL, headers: jsonHeaders, body: body)
  }

  /// `path` begins with a slash; `body` is JSON, or empty for none.
  func wallet(
    _ method: String, _ root: String, _ path: String, _ session: WalletSession, _ body: [BodyPart] = []
  ) -> Request {
    let own = [
      Header(Choices.merchantHeader.value, session.merchant), Header(Choices.walletHeader.value, session.id),
    ]
    return Request(
      call: .wallet, method: method, url: root + path, headers: (body.isEmpty ? headers : jsonHeaders) + own,
      body: body)
  }

  func validate(_ body: [BodyPart], idempotencyKey: String?) -> Request {
    var key: [Header] = []
    if let name = idempotencyHeader, let idempotencyKey { key.append(Header(name, idempotencyKey)) }
    return Request(
      call: .validate, method: "POST", url: validateURL, headers: jsonHeaders + key, body: body, money: .opens,
      idempotencyKey: idempotencyKey)
  }

  func time() -> Request? {
    timeURL.map { Request(call: .time, method: "GET", url: $0, headers: headers, body: []) }
  }

  var isMonitored: Bool { monitoringURL != nil }

  func monitoring(_ body: String) -> Request? {
    monitoringURL.map { url in
      Request(
        call: .monitoring, method: "POST", url: url, headers: [Header("content-type", "application/json")],
        body: [.text(body)])
    }
  }

  private var headers: [Header] {
    [Header("accept", "application/json")] + (apiKey.map { [Header("x-api-key", $0)] } ?? [])
  }

  private var jsonHeaders: [Header] { [Header("content-type", "application/json")] + headers }
}
