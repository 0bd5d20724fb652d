import CheckoutCore
import JSONText

/// Where one session's requests go and what they all carry.
struct PrimerEndpoint: Hashable, Sendable {
  private let accessToken: String
  private let configurationURL: String?
  /// A UUID for each loading.
  private let checkoutSession: String
  private let allowsLoopbackHTTP: Bool
  /// nil: neither the token nor the configuration names it.
  private var pciURL: String?

  init(_ token: ClientToken, checkoutSession: String, allowsLoopbackHTTP: Bool) {
    accessToken = token.accessToken
    configurationURL = token.configurationURL
    self.checkoutSession = checkoutSession
    self.allowsLoopbackHTTP = allowsLoopbackHTTP
    pciURL = token.pciURL
  }

  /// What the configuration says of where the calls go outranks the token.
  mutating func adopt(_ configuration: Configuration) throws(CheckoutError) {
    guard let url = configuration.pciURL ?? pciURL else { throw CheckoutError(.missingConfiguration) }
    guard isService(url) else {
      throw CheckoutError(.missingConfiguration, message: "the configuration names no service over https")
    }
    pciURL = withoutTrailingSlash(url)
  }

  func isService(_ url: String) -> Bool {
    isVisibleASCII(url) && RedirectPolicy.isService(url, allowLoopbackHTTP: allowsLoopbackHTTP)
  }

  static let apiVersion = Header("X-Api-Version", "2.4")
  static let client = "HEADLESS_C"
  static let version = "1.0.0"

  // MARK: Requests

  func configuration() -> Request? {
    configurationURL.map { url in
      let mark = url.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
      return Request(
        call: .configuration, method: "GET", url: url + mark + "withDisplayMetadata=true",
        headers: headers(accessToken, isVersioned: true), body: [])
    }
  }

  /// `identifier`: 32 letters and digits; nil sends none.
  func post(
    _ call: Call, _ path: String, _ body: [BodyPart], token: String? = nil, identifier: String? = nil,
    money: Money = .none, idempotencyKey: String? = nil
  ) -> Request? {
    guard let pciURL else { return nil }
    var headers = [Header("Content-Type", "application/json")]
    headers += self.headers(token ?? accessToken, isVersioned: true)
    if let identifier { headers.append(Header("X-Request-ID", identifier)) }
    if let idempotencyKey { headers.append(Header("X-Idempotency-Key", idempotencyKey)) }
    return Request(
      call: call, method: "POST", url: pciURL + path, headers: headers, body: body, money: money,
      idempotencyKey: idempotencyKey)
  }

  func poll(_ url: String, token accessToken: String) -> Request {
    Request(
      call: .poll, method: "GET", url: url, headers: headers(accessToken, isVersioned: false), body: [])
  }

  private func headers(_ accessToken: String, isVersioned: Bool) -> [Header] {
    let common = [
      Header("Primer-SDK-Version", PrimerEndpoint.version), Header("Primer-SDK-Client", PrimerEndpoint.client),
      Header("Primer-SDK-Checkout-Session-ID", checkoutSession), Header("Primer-Client-Token", accessToken),
    ]
    return isVersioned ? common + [PrimerEndpoint.apiVersion] : common
  }
}
