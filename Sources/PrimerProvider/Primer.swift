import CheckoutCore
import JSONText

/// The Primer back end: reads a client token, loads its configuration, and speaks the calls of one checkout session.
public struct Primer: Provider {
  public typealias Script = PrimerScript

  let token: ClientToken
  let options: ProviderOptions
  /// What the last loading said; nil before.
  private(set) var endpoint: PrimerEndpoint?
  /// Primer's own, once it was fetched.
  private(set) var currencies = CurrencyTable.bundledPrimer

  public static func open(_ clientToken: String, _ options: ProviderOptions) throws(CheckoutError) -> Opened<Primer> {
    guard let token = ClientToken(clientToken), token.configurationURL != nil, token.isPlain,
      token.urls.allSatisfy({ isAllowed($0, options) })
    else { throw CheckoutError(.invalidClientToken, path: "clientToken") }
    let session = ClientSession.unloaded(
      .primer, id: token.sessionID, environment: token.environment, expiresAt: token.expiresAt, text: clientToken)
    return Opened(provider: Primer(token: token, options: options), session: session)
  }

  private init(token: ClientToken, options: ProviderOptions) {
    self.token = token
    self.options = options
  }

  /// A token that comes from a saved state names Primer's own hosts, or it could send card numbers anywhere.
  private static func isAllowed(_ url: String, _ options: ProviderOptions) -> Bool {
    let isLocal = options.allowsLoopbackHTTP
    return options.isRestored
      ? RedirectPolicy.isService(url, under: ".primer.io", allowLoopbackHTTP: isLocal)
      : RedirectPolicy.isService(url, allowLoopbackHTTP: isLocal)
  }

  // MARK: Loading

  public mutating func loadRequest(_ id: String) throws(CheckoutError) -> Request? {
    if options.handlesPaymentManually {
      throw CheckoutError(.invalidValue, message: "payments are not handled manually", path: "paymentHandling")
    }
    let endpoint = PrimerEndpoint(token, checkoutSession: id, allowsLoopbackHTTP: options.allowsLoopbackHTTP)
    self.endpoint = endpoint
    return endpoint.configuration()
  }

  public mutating func load(_ answer: Answer, _ session: ClientSession) throws(CheckoutError) -> ClientSession {
    guard let root = try? JSONDocument(parsing: answer.body).root, let configuration = Configuration(root) else {
      throw CheckoutError(.missingConfiguration)
    }
    try endpoint?.adopt(configuration)
    return try configuration.session(session, currencies)
  }

  // MARK: The seam

  public func script(for order: PaymentOrder) -> PrimerScript { PrimerScript(order, endpoint) }

  // No gift cards and no widgets: nothing ever asks for one of these.
  public func balanceRequest(_ read: BalanceOrder) -> Request { .none }
  public func balance(in answer: Answer, currency: Currency) -> BalanceReading {
    .refused(.methodNotImplemented, details: nil)
  }
  public func elementRequest(_ order: ElementOrder) -> Request { .none }
  public func elementData(in answer: Answer) -> ElementReading { .refused(details: "{}") }

  public func request(for order: ServiceOrder) -> Request? { nil }
  public func reading(_ answer: Answer, of order: ServiceOrder) -> ServiceReading {
    .refused(CheckoutError(.methodNotImplemented))
  }

  /// The Date headers must do.
  public func timeRequest() -> Request? { nil }
  public func serverTime(in answer: Answer) -> Int64? { nil }

  public var monitoringOrigin: MonitoringOrigin? { nil }
  public func monitoringRequest(_ body: String) -> Request? { nil }
  public func pathTemplate(of call: Call) -> String { "" }
}

extension Request {
  fileprivate static let none = Request(call: .configuration, method: "GET", url: "", headers: [], body: [])
}
