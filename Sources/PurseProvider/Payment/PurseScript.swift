import CheckoutCore
import JSONText

/// One payment with Purse: what the primary needs first, the host's consent, `/validate` once, and what follows it.
public struct PurseScript: PaymentScript {
  private let order: PaymentOrder
  private let endpoint: PurseEndpoint
  private var stage = Stage.fresh
  /// What the primary's own step answered, now or for an earlier attempt.
  private var form: String?
  /// What the primary's `/init` gave, now or when its element was opened.
  private var initData: InitData?

  private enum Stage: Hashable, Sendable {
    case fresh
    case collecting
    case initializing
    case initialized
    case preparing
    case consenting
    case validating
    case answered(ValidateAnswer)
    case observing(ValidateAnswer)
    case postValidating(ValidateAnswer)
    case offering(ValidateAnswer, RedirectAction)
    case presenting
    case ended
  }

  init(_ order: PaymentOrder, _ endpoint: PurseEndpoint) {
    self.order = order
    self.endpoint = endpoint
    guard let primary else { return }
    initData = primary.initData
    guard case .method(let collected?) = primary.source else { return }
    switch primary.method.nature {
    case .card: form = CardForm(collected, brand: order.selectedBrand)?.text
    case .native: form = collected
    case .redirection, .giftCard: break
    }
  }

  // MARK: The seam

  public mutating func next(_ event: ScriptEvent) -> Move {
    switch (stage, event) {
    case (.fresh, .begin): begin()
    case (.collecting, .answered(let answer)): collected(answer)
    case (.initialized, .read): initialized()
    case (.preparing, .answered(let answer)): prepared(answer)
    case (.consenting, .answered(let answer)): consented(answer)
    case (.answered(let answer), .read): observe(answer)
    case (.observing(let answer), .answered): postValidate(answer)
    case (.postValidating(let answer), .answered(let reply)): postValidated(answer, reply)
    case (.offering(let answer, let action), .answered(let reply)): offered(answer, action, reply)
    case (.presenting, .presented(let end)): presented(end)
    case (_, .failed(let error)): self.end(.failed(error, spendsInError: false))
    default: fail(.unknownError)
    }
  }

  public mutating func read(_ answer: Answer, to call: Call) -> Reading {
    switch (stage, call) {
    case (.initializing, .initialize): return readInit(answer)
    case (.validating, .validate):
      guard let read = ValidateAnswer(answer.body) else { return .unreadable }
      stage = .answered(read)
      return .verdict(read.result)
    default: return .unreadable
    }
  }

  public func speaksOfEarlierPayment(_ answer: Answer) -> Bool { EarlierPayment.isMeant(by: answer) }

  public func refusal(in answer: Answer) -> CheckoutError? {
    guard let primary, case .token = primary.source, RefusalCodes(answer)?.hold(Choices.unknownTokenCodes) == true
    else { return nil }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("partner", string: primary.method.partner)
    writer.member("method", string: primary.method.method)
    writer.member("statusCode", integer: answer.status)
    writer.endObject()
    return CheckoutError(.paymentTokenNotFoundInSession, moved: .no, details: writer.text)
  }

  /// A form's token is worth keeping until a request has used it.
  public var collected: String? {
    switch stage {
    case .fresh, .collecting, .initializing, .initialized, .preparing, .consenting, .validating: form
    case .answered, .observing, .postValidating, .offering, .presenting, .ended: nil
    }
  }

  // MARK: Before the payment

  private var primary: PaymentSlice? { order.slices.last { $0.method.kind == .primary } }

  private mutating func begin() -> Move {
    guard !order.slices.isEmpty else { return fail(.unknownError) }
    guard let primary else { return askForConsent() }
    guard case .method = primary.source else { return primary.asksSecurityCode ? collect(primary) : askForConsent() }
    switch primary.method.nature {
    case .card: return form == nil ? collect(primary) : askForConsent()
    case .redirection: return initialize(primary)
    case .native: return initData == nil ? initialize(primary) : prepare(primary)
    case .giftCard: return askForConsent()
    }
  }

  private mutating func collect(_ slice: PaymentSlice) -> Move {
    stage = .collecting
    return .ask(.step(.collect, data: CardForm.question(slice, order)))
  }

  private mutating func collected(_ answer: HookAnswer) -> Move {
    took(answer) { [order] in CardForm($0, brand: order.selectedBrand)?.text }
  }

  /// The shopper's own part, in the partner's widget. What was approved there before is not asked for again.
  private mutating func prepare(_ slice: PaymentSlice) -> Move {
    if form != nil { return askForConsent() }
    stage = .preparing
    return .ask(.step(.prepare, data: WidgetStep.question(slice, order, initData)))
  }

  private mutating func prepared(_ answer: HookAnswer) -> Move { took(answer) { WidgetStep.paymentData($0) } }

  private mutating func took(_ answer: HookAnswer, _ read: (String) -> String?) -> Move {
    switch answer {
    case .ok(let text):
      guard let form = read(text) else { return fail(.partnerUIError) }
      self.form = form
      return askForConsent()
    case .canceled: return end(.canceled)
    case .error, .unset: return fail(.partnerUIError)
    }
  }

  private mutating func initialized() -> Move {
    guard let primary, primary.method.nature == .native else { return askForConsent() }
    return prepare(primary)
  }

  private mutating func initialize(_ slice: PaymentSlice) -> Move {
    stage = .initializing
    var body = BodyWriter()
    ItemPayload(slice, order.currency, form: nil, stepID: nil).write(to: &body)
    return .send(endpoint.initialize(body.parts))
  }

  private mutating func readInit(_ answer: Answer) -> Reading {
    guard let read = InitAnswer(answer.body) else { return .unreadable }
    guard read.isStarted else { return .refused(CheckoutError(.validateFailed, moved: .no, details: read.refusal)) }
    initData = read.data
    stage = .initialized
    return .read
  }

  private mutating func askForConsent() -> Move {
    if order.skipsBeforeValidate { return validate() }
    stage = .consenting
    return .ask(.beforeValidate)
  }

  private mutating func consented(_ answer: HookAnswer) -> Move {
    answer.isConsent ? validate() : fail(.onBeforeValidateHookFailed)
  }

  // MARK: The payment

  private mutating func validate() -> Move {
    stage = .validating
    var body = BodyWriter()
    body.json.beginArray()
    for slice in order.slices {
      ItemPayload(slice, order.currency, form: form, stepID: initData?.stepID).write(to: &body)
    }
    body.json.endArray()
    return .send(endpoint.validate(body.parts, idempotencyKey: order.idempotencyKey))
  }

  // MARK: After the answer

  private mutating func observe(_ answer: ValidateAnswer) -> Move {
    stage = .observing(answer)
    return .ask(.afterValidate)
  }

  private mutating func postValidate(_ answer: ValidateAnswer) -> Move {
    guard order.hasPostValidate, primary != nil else { return redirect(answer) }
    stage = .postValidating(answer)
    return .ask(.step(.postValidate, data: answer.stepData))
  }

  private mutating func postValidated(_ answer: ValidateAnswer, _ reply: HookAnswer) -> Move {
    reply.isConsent ? redirect(answer) : fail(.postValidateFailed, spendsInError: true)
  }

  /// Only a payment that waits for the shopper has a page: a decisive word is the outcome, whatever comes with it.
  private mutating func redirect(_ answer: ValidateAnswer) -> Move {
    guard answer.result.verdict == .pending, order.presentsRedirects else { return end(.completed(answer.result)) }
    switch answer.redirect {
    case .none: return end(.completed(answer.result))
    case .unusable: return fail(.postValidateFailed, spendsInError: true)
    case .action(let action):
      stage = .offering(answer, action)
      return .ask(.redirection(action))
    }
  }

  private mutating func offered(_ answer: ValidateAnswer, _ action: RedirectAction, _ reply: HookAnswer) -> Move {
    guard reply.isConsent else { return fail(.postValidateFailed) }
    if reply.takesOver { return end(.completed(answer.result)) }
    stage = .presenting
    return .present(action)
  }

  private mutating func presented(_ end: PresentationEnd) -> Move {
    switch end {
    case .returned(let url): self.end(.returned(url: url))
    case .canceled: self.end(.canceled)
    case .failed: fail(.postValidateFailed, spendsInError: true)
    }
  }

  // MARK: Ending

  private mutating func end(_ ending: Ending) -> Move {
    stage = .ended
    return .end(ending)
  }

  private mutating func fail(_ code: ErrorCode, spendsInError: Bool = false) -> Move {
    end(.failed(CheckoutError(code, moved: moved), spendsInError: spendsInError))
  }

  /// What the stage says of the money.
  private var moved: Moved {
    switch stage {
    case .fresh, .collecting, .initializing, .initialized, .preparing, .consenting: .no
    case .validating, .ended: .unknown
    case .answered, .observing, .postValidating, .offering, .presenting: .yes
    }
  }
}
