import CheckoutCore

/// The Purse back end: reads `widget.data`, and speaks `/init` and `/validate` of one client session.
public struct Purse: Provider {
  public typealias Script = PurseScript

  let endpoint: PurseEndpoint
  public let monitoringOrigin: MonitoringOrigin?

  public static func open(
    _ widgetData: String, _ options: ProviderOptions
  ) throws(CheckoutError) -> Opened<Purse> {
    let blob = try SessionBlob(widgetData)
    let session = try blob.clientSession(widgetData)
    let endpoint = try PurseEndpoint(blob, session, options)
    let origin = MonitoringOrigin(entityID: blob.entityID, walletSessionID: blob.walletSession?.id)
    let purse = Purse(endpoint: endpoint, monitoringOrigin: endpoint.isMonitored ? origin : nil)
    return Opened(provider: purse, session: session)
  }

  public mutating func loadRequest(_: String) throws(CheckoutError) -> Request? { nil }

  /// Nothing is ever loaded: the session was whole when it was opened.
  public mutating func load(_: Answer, _ session: ClientSession) throws(CheckoutError) -> ClientSession { session }

  public func script(for order: PaymentOrder) -> PurseScript { PurseScript(order, endpoint) }

  public func balanceRequest(_ read: BalanceOrder) -> Request {
    var body = BodyWriter()
    ItemPayload(read).write(to: &body)
    return endpoint.initialize(body.parts)
  }

  public func balance(in answer: Answer, currency: Currency) -> BalanceReading {
    BalanceAnswer.reading(answer, currency: currency)
  }

  public func elementRequest(_ order: ElementOrder) -> Request {
    var body = BodyWriter()
    ItemPayload(order).write(to: &body)
    return endpoint.initialize(body.parts)
  }

  public func elementData(in answer: Answer) -> ElementReading { ElementAnswer.reading(answer) }

  public func request(for order: ServiceOrder) -> Request? { ServiceRequest.request(for: order, endpoint) }

  public func reading(_ answer: Answer, of order: ServiceOrder) -> ServiceReading {
    ServiceAnswer.reading(answer, of: order)
  }

  /// As the merchant's backend received it.
  public static func walletSession(_ fields: FieldReader) throws(CheckoutError) -> WalletSession {
    let merchant = try fields.nonEmptyString("merchant")
    guard isVisibleASCII(merchant) else { throw fields.malformed("merchant", "not the value of a header") }
    let id = try fields.pathSegment("session_id")
    guard isVisibleASCII(id) else { throw fields.malformed("session_id", "not the value of a header") }
    var expiresAt: Int64?
    if let text = try fields.optionalString("expiration_date") {
      expiresAt = DateText.milliseconds(fromISO8601: text)
      if expiresAt == nil { throw fields.malformed("expiration_date", "not a date of ISO 8601") }
    }
    return WalletSession(
      id: id, owner: try fields.pathSegment("owner_reference"), merchant: merchant, expiresAt: expiresAt)
  }

  public func timeRequest() -> Request? { endpoint.time() }

  public func serverTime(in answer: Answer) -> Int64? { TimeAnswer.milliseconds(answer) }

  public func monitoringRequest(_ body: String) -> Request? { endpoint.monitoring(body) }

  public func pathTemplate(of call: Call) -> String {
    switch call {
    case .initialize: Choices.initPath.value
    case .validate: Choices.validatePath.value
    case .time: Choices.timePath.value
    case .monitoring: Choices.monitoringPath.value
    case .simulate: Choices.simulationPath.value
    case .wallet: Choices.walletListPath.value
    // Another back end's.
    case .configuration, .sessionAction, .tokenize, .payment, .poll, .threeDS: ""
    }
  }
}
