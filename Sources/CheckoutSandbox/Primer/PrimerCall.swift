/// One of the calls that a client makes, and the value that stands in its path: an id, a token, a number.
struct PrimerCall: Hashable {
  enum Kind: String, CaseIterable {
    case configuration = "GET /client-sdk/configuration"
    case tokenize = "POST /primer/pci/payment-instruments"
    case listVault = "GET /primer/pci/payment-instruments"
    case deleteSaved = "DELETE /primer/pci/payment-instruments/{id}/vault"
    case exchange = "POST /primer/pci/payment-instruments/{id}/exchange"
    case actions = "POST /primer/pci/client-session/actions"
    case createPayment = "POST /primer/pci/payments"
    case resumePayment = "POST /primer/pci/payments/{id}/resume"
    case beginAuthentication = "POST /primer/pci/3ds/{token}/auth"
    case continueAuthentication = "POST /primer/pci/3ds/{token}/continue"
    case lookUpPhone = "GET /primer/pci/phone-number-lookups/{number}"
    case binData = "GET /primer/bin/v1/bin-data/{digits}"
    case poll = "GET /primer/status/{id}"

    var method: String { String(rawValue.prefix { $0 != " " }) }

    /// The path's segments, `{...}` where a value stands.
    var pattern: [Substring] { rawValue.split(separator: "/").dropFirst().map { $0 } }

    /// Does it say `X-Api-Version: 2.4`? The others never do.
    var isVersioned: Bool { self != .lookUpPhone && self != .poll }
  }

  let kind: Kind
  let value: String

  /// nil when the path is no client call's; refuses a method that its path does not know.
  init?(_ request: SandboxRequest) throws(Refusal) {
    let segments = request.segments
    let matching = Kind.allCases.filter { Self.value(of: segments, in: $0.pattern) != nil }
    guard !matching.isEmpty else { return nil }
    guard let kind = matching.first(where: { $0.method == request.method }) else {
      throw .methodNotAllowed(request.method)
    }
    self.kind = kind
    value = Self.value(of: segments, in: kind.pattern) ?? ""
  }

  /// The value's segment, empty where the pattern has none; nil for another path.
  private static func value(of segments: [String], in pattern: [Substring]) -> String? {
    guard segments.count == pattern.count else { return nil }
    var value = ""
    for (segment, expected) in zip(segments, pattern) {
      if expected.hasPrefix("{") { value = segment } else if segment != expected { return nil }
    }
    return value
  }
}

// What the headers have to say.
extension PrimerCall {
  static let version = "2.4"

  func check(_ request: SandboxRequest) throws(Refusal) {
    for name in ["Primer-SDK-Version", "Primer-SDK-Client"] where request.header(name)?.isEmpty != false {
      throw Self.refusal("MissingHeader", "\(name) is wanted.")
    }
    try Self.checkSession(request.header("Primer-SDK-Checkout-Session-ID"))
    try checkVersion(request.header("X-Api-Version"))
    if let id = request.header("X-Request-ID"), id.wholeMatch(of: #/[0-9A-Za-z]{32}/#) == nil {
      throw Self.refusal("UnexpectedHeader", "An X-Request-ID has 32 letters and digits.")
    }
    if kind != .createPayment, request.header("X-Idempotency-Key") != nil {
      throw Self.refusal("UnexpectedHeader", "X-Idempotency-Key belongs to the call that creates a payment.")
    }
    if request.method == "GET", request.header("Content-Type") != nil {
      throw Self.refusal("UnexpectedHeader", "A GET has no Content-Type.")
    }
    if request.method == "POST" { try request.requireJSONContentType() }
    if kind == .configuration, request.query["withDisplayMetadata"] != "true" {
      throw Self.refusal("InvalidRequest", "withDisplayMetadata=true is wanted.")
    }
  }

  private func checkVersion(_ version: String?) throws(Refusal) {
    if kind.isVersioned, version != Self.version {
      throw Self.refusal("MissingHeader", "X-Api-Version: \(Self.version) is wanted.")
    }
    if !kind.isVersioned, version != nil {
      throw Self.refusal("UnexpectedHeader", "This call has no X-Api-Version.")
    }
  }

  private static func checkSession(_ id: String?) throws(Refusal) {
    let isUUID = id?.wholeMatch(of: #/[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/#) != nil
    guard isUUID else { throw refusal("MissingHeader", "Primer-SDK-Checkout-Session-ID is wanted, a uuid.") }
  }

  private static func refusal(_ code: String, _ message: String) -> Refusal { Refusal(400, code, message) }
}
