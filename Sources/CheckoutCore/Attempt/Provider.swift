/// A back end. It decodes sessions and turns one payment into a script; it never sends, asks or decides about money.
public protocol Provider: Hashable, Sendable {
  associatedtype Script: PaymentScript

  /// Reads a session's text. `options` are the host's.
  static func open(_ widgetData: String, _ options: ProviderOptions) throws(CheckoutError) -> Opened<Self>

  /// The request that loads the session; nil: it was whole when it was opened. `id`: fresh for each loading.
  mutating func loadRequest(_ id: String) throws(CheckoutError) -> Request?
  /// What the answer makes of the session.
  mutating func load(_ answer: Answer, _ session: ClientSession) throws(CheckoutError) -> ClientSession

  func script(for order: PaymentOrder) -> Script
  /// The request that reads a gift card's balance; `handle` when it is asked again.
  func balanceRequest(_ read: BalanceOrder) -> Request
  func balance(in answer: Answer, currency: Currency) -> BalanceReading
  /// The request without which an element cannot be shown.
  func elementRequest(_ order: ElementOrder) -> Request
  func elementData(in answer: Answer) -> ElementReading
  /// nil when this back end has no such service.
  func request(for order: ServiceOrder) -> Request?
  func reading(_ answer: Answer, of order: ServiceOrder) -> ServiceReading
  func timeRequest() -> Request?
  /// Milliseconds since 1970, from the time service's answer.
  func serverTime(in answer: Answer) -> Int64?

  /// nil: the session has no key, or there is nowhere to send it, and so nothing is monitored.
  var monitoringOrigin: MonitoringOrigin? { get }
  /// Sends a batch, a JSON array of messages.
  func monitoringRequest(_ body: String) -> Request?
  /// The path of a call with its placeholders, for monitoring.
  func pathTemplate(of call: Call) -> String
}

/// A provider and the session it decoded.
public struct Opened<P: Provider>: Sendable {
  public var provider: P
  public var session: ClientSession

  public init(provider: P, session: ClientSession) {
    self.provider = provider
    self.session = session
  }
}

/// What the host says about the back end, at create and again at restore.
public struct ProviderOptions: Hashable, Sendable {
  public var backEnd = BackEndName.purse
  /// Plain http to this machine is allowed.
  public var allowsLoopbackHTTP = false
  /// The session's text comes from a saved state, which was outside: it must not say where card numbers are sent.
  public var isRestored = false
  /// The host would send the payment itself.
  public var handlesPaymentManually = false
  public var paymentRoot: String?
  public var timeRoot: String?
  public var logsRoot: String?
  public var walletRoot: String?
  /// nil: no idempotency header.
  public var idempotencyHeader: String?

  public init(
    paymentRoot: String? = nil, timeRoot: String? = nil, logsRoot: String? = nil, walletRoot: String? = nil,
    idempotencyHeader: String? = "Idempotency-Key"
  ) {
    self.paymentRoot = paymentRoot
    self.timeRoot = timeRoot
    self.logsRoot = logsRoot
    self.walletRoot = walletRoot
    self.idempotencyHeader = idempotencyHeader
  }
}

/// One payment, as the core hands it to a script: fixed from the accepted submit on.
public struct PaymentOrder: Hashable, Sendable {
  public var slices: [PaymentSlice]
  public var currency: Currency
  /// A key that an earlier attempt left behind, or the core's own; nil for none.
  public var idempotencyKey: String?
  /// It stands for an earlier request of this session that has no verdict, and outranks all others.
  public var isKeyRetained = false
  /// 32 letters and digits, fresh for each payment.
  public var requestID = ""
  /// What was typed into the card form.
  public var card = CardFields()
  public var skipsBeforeValidate: Bool
  /// The host shows pages: a redirect is presented rather than reported as completed.
  public var presentsRedirects: Bool
  /// What a card's `collect` step is told.
  public var tenantID: String?
  /// The primary's item has a postValidate step.
  public var hasPostValidate: Bool
  /// The brand that the shopper chose, or that stands first, of a card with several.
  public var selectedBrand: String? = nil
  /// Where a partner's own app returns to.
  public var appReturnURL: String? = nil
}

public struct PaymentSlice: Hashable, Sendable {
  public enum Source: Hashable, Sendable {
    /// A primary method, with what an earlier attempt's `collect` answered and nothing has used.
    case method(collected: String?)
    case token(PaymentToken)
    case giftCard(handle: BalanceHandle, number: SecretID?, securityCode: SecretID?)
    /// One that the wallet keeps, by what the wire calls it.
    case savedGiftCard(handle: BalanceHandle, value: String)
  }

  public var method: PaymentMethod
  public var amount: Int64
  public var source: Source
  /// What the element was initialised with, for this amount of this session.
  public var initData: InitData? = nil
  /// A saved card whose security code must be typed again.
  public var asksSecurityCode = false
  /// It is to be saved with this payment.
  public var registration: Registration? = nil
}

public struct BalanceOrder: Hashable, Sendable {
  public var method: PaymentMethod
  public var number: SecretID
  public var securityCode: SecretID?
  /// The whole session's amount, which the issuer's /init wants.
  public var amount: Int64
  public var currency: Currency
  public var handle: BalanceHandle?
}

public enum BalanceReading: Hashable, Sendable {
  case read(Balance)
  /// The issuer asks its shopper: ask again after a while.
  case waiting(BalanceHandle)
  case refused(ErrorCode, details: String?)
}

public struct Balance: Hashable, Sendable {
  /// What may be used.
  public var amount: Int64
  /// What a loyalty account holds in all.
  public var total: Int64?
  public var expiresAt: String?
  public var handle: BalanceHandle

  public init(amount: Int64, total: Int64? = nil, expiresAt: String?, handle: BalanceHandle) {
    self.amount = amount
    self.total = total
    self.expiresAt = expiresAt
    self.handle = handle
  }
}

/// What an element's `/init` is for.
public struct ElementOrder: Hashable, Sendable {
  public var method: PaymentMethod
  /// What the method would pay.
  public var amount: Int64
  public var currency: Currency
}

/// What a partner's widget is shown with.
public struct InitData: Hashable, Sendable {
  public var stepID: Int64?
  /// The partner's own object, as compact JSON.
  public var json: String

  public init(stepID: Int64?, json: String) {
    self.stepID = stepID
    self.json = json
  }
}

public enum ElementReading: Hashable, Sendable {
  case read(InitData)
  /// JSON of what is known about it.
  case refused(details: String)
}

/// One payment, step by step. An enum-driven value: it is told what happened and says the next move.
public protocol PaymentScript: Hashable, Sendable {
  mutating func next(_ event: ScriptEvent) -> Move
  /// Reads a 2xx answer to its latest request.
  mutating func read(_ answer: Answer, to call: Call) -> Reading
  /// A refusal that speaks of an earlier payment ("already submitted") tells nothing good about this one.
  func speaksOfEarlierPayment(_ answer: Answer) -> Bool
  /// What a definite refusal of the payment says that the host must know by its code; nil: nothing more than a refusal.
  func refusal(in answer: Answer) -> CheckoutError?
  /// What the native steps collected, worth keeping for another attempt of the same source.
  var collected: String? { get }
}

/// On the heap: a verdict is large, and most answers are none.
public indirect enum Reading: Hashable, Sendable {
  case unreadable
  /// It speaks of a payment and does not say what became of it.
  case unclear(PaymentReference)
  /// The payment was created, and waits for an action.
  case open(PaymentReference)
  /// Read; not about the payment's outcome.
  case read
  /// The back end's word about the payment.
  case verdict(PaymentResult)
  /// The back end refused this call by a 2xx answer that says so.
  case refused(CheckoutError)
}

public enum ScriptEvent: Hashable, Sendable {
  case begin
  case answered(HookAnswer)
  /// The answer was read.
  case read
  /// The request got no usable answer; the core has ruled out that money moved.
  case failed(CheckoutError)
  case presented(PresentationEnd)
  /// The time that it slept is over.
  case woke
}

public enum Move: Hashable, Sendable {
  case send(Request)
  case ask(Question)
  /// `polling`: asked beside the page, whose end is told too.
  case present(RedirectAction, polling: Request? = nil)
  /// Milliseconds. Past the payment's time limit its outcome is unknown.
  case sleep(Int64)
  /// Goes on waiting for what it waited for.
  case stay
  case end(Ending)
}

/// How a script ends. What it means for the session is the core's to say.
public enum Ending: Hashable, Sendable {
  case completed(PaymentResult)
  case returned(url: String?)
  case canceled
  /// `spendsInError`: a partner's step failed after the answer.
  case failed(CheckoutError, spendsInError: Bool)
}

/// The back end's verdict.
public struct PaymentResult: Hashable, Sendable {
  public enum Verdict: Hashable, Sendable {
    case success, pending, declined

    public var name: String {
      switch self {
      case .success: "success"
      case .pending: "pending"
      case .declined: "declined"
      }
    }
  }

  public struct Line: Hashable, Sendable {
    public var item: String
    public var state: String
    public var code: String
    /// For monitoring alone.
    public var description: MaskedText?
    public var partnerStatus: MaskedText?

    public init(
      item: String, state: String, code: String, description: MaskedText? = nil,
      partnerStatus: MaskedText? = nil
    ) {
      self.item = item
      self.state = state
      self.code = code
      self.description = description
      self.partnerStatus = partnerStatus
    }
  }

  /// The back end's own word.
  public var status: String
  public var verdict: Verdict
  public var lines: [Line]
  /// What a payment that waits for its shopper asks to be shown.
  public var page: RedirectAction?
  /// What the back end calls the payment.
  public var payment: PaymentReference? = nil
  /// What the shopper pays with elsewhere, as a JSON object.
  public var voucher: String? = nil
  /// The attempt fails with it; nil: it is completed.
  public var failure: CheckoutError? = nil

  public init(status: String, verdict: Verdict, lines: [Line], page: RedirectAction? = nil) {
    self.status = status
    self.verdict = verdict
    self.lines = lines
    self.page = page
  }

  public var ending: Ending { failure.map { .failed($0, spendsInError: false) } ?? .completed(self) }
}

/// A payment, by the names that the back end and the merchant have for it.
public struct PaymentReference: Hashable, Sendable {
  /// nil: the back end did not say.
  public var id: String?
  public var orderID: String?
  public var status: String
  public var failureReason: String?

  public init(id: String?, orderID: String?, status: String, failureReason: String? = nil) {
    self.id = id
    self.orderID = orderID
    self.status = status
    self.failureReason = failureReason
  }
}
