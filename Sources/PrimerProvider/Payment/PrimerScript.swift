import CheckoutCore
import JSONText

/// One payment with Primer: the host's decision, a token, the payment once, and its required actions one by one.
public struct PrimerScript: PaymentScript {
  private let order: PaymentOrder
  private let endpoint: PrimerEndpoint?
  private var stage = Stage.fresh
  private var key: String?
  /// What stands for the instrument: good for one payment.
  private var methodToken = ""
  private var paymentID = ""
  private var actions = 0

  private enum Stage: Hashable, Sendable {
    case fresh
    case deciding
    case namingKey
    case selecting
    case tokenizing
    case tokenized
    case creating
    case settled(PaymentResult)
    case open(RequiredAction?)
    case authenticating(RequiredAction)
    case polling(RequiredAction)
    case polled(RequiredAction, resumeToken: String?)
    case sleeping(RequiredAction)
    case presenting
    case resuming
    case ended
  }

  init(_ order: PaymentOrder, _ endpoint: PrimerEndpoint?) {
    self.order = order
    self.endpoint = endpoint
    key = order.idempotencyKey
  }

  static let pollInterval: Int64 = 1_000
  static let pollIntervalAfterError: Int64 = 3_000
  /// Ours: a back end that never stops asking is a fault of its own.
  static let mostActions = 10

  // MARK: The seam

  public mutating func next(_ event: ScriptEvent) -> Move {
    switch (stage, event) {
    case (.fresh, .begin): begin()
    case (.deciding, .answered(let answer)): decided(answer)
    case (.namingKey, .answered(let answer)): named(answer)
    case (.selecting, .read): tokenize()
    case (.tokenized, .read): create()
    case (.settled(let result), .read): end(result.ending)
    case (.open(let action), .read): act(action)
    case (.polled(let action, let resumeToken), .read): polled(action, resumeToken)
    case (.polling(let action), .failed): sleep(action, PrimerScript.pollIntervalAfterError)
    case (.sleeping(let action), .woke): poll(action)
    case (.polling, .presented(.returned)), (.sleeping, .presented(.returned)): .stay
    case (_, .presented(let end)): presented(end)
    case (.creating, .failed(let error)): self.end(.failed(error, spendsInError: false))
    case (_, .failed(let error)): fail(.unknown, details: error.details)
    default: fail(.unknown)
    }
  }

  public mutating func read(_ answer: Answer, to call: Call) -> Reading {
    switch (stage, call) {
    case (.selecting, .sessionAction):
      // What it says of the order waits for the next refresh.
      return .read
    case (.tokenizing, .tokenize):
      guard let token = (try? JSONDocument(parsing: answer.body).root)?.text("token"), !token.isEmpty else {
        return .unreadable
      }
      methodToken = token
      stage = .tokenized
      return .read
    case (.creating, .payment): return readPayment(answer, .created)
    case (.resuming, .payment): return readPayment(answer, .resumed)
    case (.polling(let action), .poll): return readPoll(answer, action)
    case (.authenticating(let action), .threeDS):
      guard let token = (try? JSONDocument(parsing: answer.body).root)?.text("resumeToken"), !token.isEmpty else {
        return .unreadable
      }
      stage = .polled(action, resumeToken: token)
      return .read
    default: return .unreadable
    }
  }

  public func speaksOfEarlierPayment(_ answer: Answer) -> Bool { PrimerRefusal(answer).speaksOfEarlierPayment }

  public func refusal(in answer: Answer) -> CheckoutError? {
    PrimerRefusal(answer).error(.failedToCreatePayment, status: answer.status)
  }

  /// Nothing of it is worth keeping: a token is good for one payment.
  public var collected: String? { nil }

  // MARK: The decision

  private var slice: PaymentSlice? { order.slices.last }

  private mutating func begin() -> Move {
    guard let slice else { return fail(.unknown) }
    stage = .deciding
    return .ask(.beforePayment(method: slice.method.id, retainedKey: order.isKeyRetained ? key : nil))
  }

  private mutating func decided(_ answer: HookAnswer) -> Move {
    guard answer.isConsent else { return stopped(answer) }
    if order.isKeyRetained { return select() }
    if let named = answer.idempotencyKey {
      key = named
      return select()
    }
    stage = .namingKey
    return .ask(.idempotencyKey)
  }

  private mutating func named(_ answer: HookAnswer) -> Move {
    guard answer.isConsent else { return stopped(answer) }
    if let named = answer.idempotencyKey { key = named }
    return select()
  }

  private mutating func stopped(_ answer: HookAnswer) -> Move {
    guard case .error(let message) = answer else { return end(.canceled) }
    let isPlain = !message.isEmpty && !CardNumber.looksLikeOne(message)
    return fail(.merchantError, message: isPlain ? message : "Payment creation aborted")
  }

  // MARK: The payment

  private mutating func select() -> Move {
    guard let method = slice?.method else { return fail(.unknown) }
    guard method.ownsForm || method.traits.contains(.hasSurcharge) else { return tokenize() }
    stage = .selecting
    return post(.sessionAction, "/client-session/actions", PaymentBodies.select(method, network: order.selectedBrand))
  }

  private mutating func tokenize() -> Move {
    guard let method = slice?.method else { return fail(.unknown) }
    stage = .tokenizing
    guard method.ownsForm else {
      return post(
        .tokenize, "/payment-instruments", PaymentBodies.webRedirect(method, returnURL: order.appReturnURL))
    }
    guard let card = PaymentBodies.card(order.card, network: order.selectedBrand) else { return fail(.unknown) }
    return post(.tokenize, "/payment-instruments", card)
  }

  private mutating func create() -> Move {
    stage = .creating
    let request = endpoint?.post(
      .payment, "/payments", PaymentBodies.create(methodToken), identifier: order.requestID, money: .opens,
      idempotencyKey: key)
    return request.map { .send($0) } ?? fail(.unknown)
  }

  private mutating func readPayment(_ answer: Answer, _ step: PaymentAnswer.Step) -> Reading {
    guard let read = PaymentAnswer(answer.body) else { return .unreadable }
    let reading = read.reading(step, slice?.method.id ?? "")
    switch reading {
    case .verdict(let result):
      stage = .settled(result)
    case .open(let payment):
      return opened(RequiredAction(read.action), payment, reading)
    default:
      break
    }
    return reading
  }

  /// A voucher is the end of it: the shopper pays elsewhere, and the payment is pending.
  private mutating func opened(_ action: RequiredAction?, _ payment: PaymentReference, _ open: Reading) -> Reading {
    paymentID = payment.id ?? ""
    guard let action, action.kind == .voucher else {
      stage = .open(action)
      return open
    }
    var result = PaymentResult(
      status: "PENDING", verdict: .pending,
      lines: [PaymentResult.Line(item: slice?.method.id ?? "", state: "PENDING", code: "PENDING")])
    result.payment = payment
    result.voucher = action.voucher
    stage = .settled(result)
    return .verdict(result)
  }

  // MARK: Required actions

  private mutating func act(_ action: RequiredAction?) -> Move {
    actions += 1
    guard let action, actions <= PrimerScript.mostActions else { return fail(.invalidValue) }
    switch action.kind {
    case .threeDS:
      stage = .authenticating(action)
      let path = "/3ds/" + percentEncoded(segment: methodToken) + "/continue"
      return post(.threeDS, path, PaymentBodies.withoutChallenge(), token: action.accessToken)
    case .page: return show(action)
    case .voucher, .unsupported: return fail(.invalidValue)
    }
  }

  private mutating func show(_ action: RequiredAction) -> Move {
    let polling = pollRequest(action)
    guard let url = action.redirectURL else { return polling == nil ? fail(.invalidValue) : poll(action) }
    guard order.presentsRedirects else {
      return fail(.failedToRedirect, message: "the payment needs a page, and its element shows none")
    }
    stage = polling == nil ? .presenting : .polling(action)
    return .present(.get(url: url), polling: polling)
  }

  private func pollRequest(_ action: RequiredAction) -> Request? {
    guard let endpoint, let url = action.statusURL, endpoint.isService(url) else { return nil }
    return endpoint.poll(url, token: action.accessToken)
  }

  private mutating func poll(_ action: RequiredAction) -> Move {
    guard let request = pollRequest(action) else { return fail(.invalidValue) }
    stage = .polling(action)
    return .send(request)
  }

  private mutating func readPoll(_ answer: Answer, _ action: RequiredAction) -> Reading {
    guard let root = try? JSONDocument(parsing: answer.body).root else { return .unreadable }
    switch root.text("status") {
    case "PENDING":
      stage = .polled(action, resumeToken: nil)
      return .read
    case "COMPLETE":
      guard let id = root.text("id"), !id.isEmpty else { return .unreadable }
      stage = .polled(action, resumeToken: id)
      return .read
    default: return .unreadable
    }
  }

  private mutating func polled(_ action: RequiredAction, _ resumeToken: String?) -> Move {
    guard let resumeToken else { return sleep(action, PrimerScript.pollInterval) }
    stage = .resuming
    // Never with the key: that stands for the payment's creation.
    return post(
      .payment, "/payments/" + percentEncoded(segment: paymentID) + "/resume", PaymentBodies.resume(resumeToken),
      token: action.accessToken, money: .continues)
  }

  private mutating func sleep(_ action: RequiredAction, _ milliseconds: Int64) -> Move {
    stage = .sleeping(action)
    return .sleep(milliseconds)
  }

  /// Nothing more will be heard of the payment.
  private mutating func presented(_ end: PresentationEnd) -> Move {
    switch end {
    case .returned, .canceled: fail(.paymentCancelled)
    case .failed: fail(.failedToRedirect)
    }
  }

  // MARK: Sending and ending

  private mutating func post(
    _ call: Call, _ path: String, _ body: [BodyPart], token: String? = nil, money: Money = .none
  ) -> Move {
    endpoint?.post(call, path, body, token: token, money: money).map { .send($0) } ?? fail(.unknown)
  }

  private mutating func end(_ ending: Ending) -> Move {
    stage = .ended
    return .end(ending)
  }

  private mutating func fail(_ code: ErrorCode, message: String? = nil, details: String? = nil) -> Move {
    end(.failed(CheckoutError(code, message: message, details: details), spendsInError: false))
  }
}
