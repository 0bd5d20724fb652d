import CheckoutCore
import PrimerProvider
import PurseProvider

/// The two back ends as one. The carrier is made once for both. Boxed: a checkout is copied at each call, and the code
/// that copies all of both would be a large part of the library.
public indirect enum BackEnd: Provider {
  case purse(Purse)
  case primer(Primer)

  public static func open(_ text: String, _ options: ProviderOptions) throws(CheckoutError) -> Opened<BackEnd> {
    switch options.backEnd {
    case .purse:
      let opened = try Purse.open(text, options)
      return Opened(provider: .purse(opened.provider), session: opened.session)
    case .primer:
      let opened = try Primer.open(text, options)
      return Opened(provider: .primer(opened.provider), session: opened.session)
    }
  }

  public mutating func loadRequest(_ id: String) throws(CheckoutError) -> Request? {
    guard case .primer(var primer) = self else { return nil }
    defer { self = .primer(primer) }
    return try primer.loadRequest(id)
  }

  public mutating func load(_ answer: Answer, _ session: ClientSession) throws(CheckoutError) -> ClientSession {
    guard case .primer(var primer) = self else { return session }
    defer { self = .primer(primer) }
    return try primer.load(answer, session)
  }

  public func script(for order: PaymentOrder) -> BackEndScript {
    switch self {
    case .purse(let purse): .purse(purse.script(for: order))
    case .primer(let primer): .primer(primer.script(for: order))
    }
  }

  public func balanceRequest(_ read: BalanceOrder) -> Request {
    switch self {
    case .purse(let purse): purse.balanceRequest(read)
    case .primer(let primer): primer.balanceRequest(read)
    }
  }

  public func balance(in answer: Answer, currency: Currency) -> BalanceReading {
    switch self {
    case .purse(let purse): purse.balance(in: answer, currency: currency)
    case .primer(let primer): primer.balance(in: answer, currency: currency)
    }
  }

  public func elementRequest(_ order: ElementOrder) -> Request {
    switch self {
    case .purse(let purse): purse.elementRequest(order)
    case .primer(let primer): primer.elementRequest(order)
    }
  }

  public func elementData(in answer: Answer) -> ElementReading {
    switch self {
    case .purse(let purse): purse.elementData(in: answer)
    case .primer(let primer): primer.elementData(in: answer)
    }
  }

  public func request(for order: ServiceOrder) -> Request? {
    switch self {
    case .purse(let purse): purse.request(for: order)
    case .primer(let primer): primer.request(for: order)
    }
  }

  public func reading(_ answer: Answer, of order: ServiceOrder) -> ServiceReading {
    switch self {
    case .purse(let purse): purse.reading(answer, of: order)
    case .primer(let primer): primer.reading(answer, of: order)
    }
  }

  public func timeRequest() -> Request? {
    switch self {
    case .purse(let purse): purse.timeRequest()
    case .primer(let primer): primer.timeRequest()
    }
  }

  public func serverTime(in answer: Answer) -> Int64? {
    switch self {
    case .purse(let purse): purse.serverTime(in: answer)
    case .primer(let primer): primer.serverTime(in: answer)
    }
  }

  public var monitoringOrigin: MonitoringOrigin? {
    switch self {
    case .purse(let purse): purse.monitoringOrigin
    case .primer(let primer): primer.monitoringOrigin
    }
  }

  public func monitoringRequest(_ body: String) -> Request? {
    switch self {
    case .purse(let purse): purse.monitoringRequest(body)
    case .primer(let primer): primer.monitoringRequest(body)
    }
  }

  public func pathTemplate(of call: Call) -> String {
    switch self {
    case .purse(let purse): purse.pathTemplate(of: call)
    case .primer(let primer): primer.pathTemplate(of: call)
    }
  }
}

public indirect enum BackEndScript: PaymentScript {
  case purse(PurseScript)
  case primer(PrimerScript)

  public mutating func next(_ event: ScriptEvent) -> Move {
    switch self {
    case .purse(var script):
      defer { self = .purse(script) }
      return script.next(event)
    case .primer(var script):
      defer { self = .primer(script) }
      return script.next(event)
    }
  }

  public mutating func read(_ answer: Answer, to call: Call) -> Reading {
    switch self {
    case .purse(var script):
      defer { self = .purse(script) }
      return script.read(answer, to: call)
    case .primer(var script):
      defer { self = .primer(script) }
      return script.read(answer, to: call)
    }
  }

  public func speaksOfEarlierPayment(_ answer: Answer) -> Bool {
    switch self {
    case .purse(let script): script.speaksOfEarlierPayment(answer)
    case .primer(let script): script.speaksOfEarlierPayment(answer)
    }
  }

  public func refusal(in answer: Answer) -> CheckoutError? {
    switch self {
    case .purse(let script): script.refusal(in: answer)
    case .primer(let script): script.refusal(in: answer)
    }
  }

  public var collected: String? {
    switch self {
    case .purse(let script): script.collected
    case .primer(let script): script.collected
    }
  }
}
