/// The moment at which something happens, handed in: the core reads no clock and makes no randomness.
public struct Moment: Hashable, Sendable {
  public var now: Instant
  /// Fresh for each input; at most one id of each kind is made from it.
  public var random: RandomBytes
  /// The highest revision of any saved state that the runtime has seen: the next one is higher.
  public var revision: Int64

  public init(now: Instant, random: RandomBytes, revision: Int64 = 0) {
    self.now = now
    self.random = random
    self.revision = revision
  }
}

/// Everything that can happen to a checkout.
public enum Input: Hashable, Sendable {
  case command(Command)
  case received(RequestID, Received)
  /// A deadline may have passed.
  case tick
}

/// What the host asks for.
public enum Command: Hashable, Sendable {
  case setSession(widgetData: String)
  case setHooks([Hook])
  case setPrimary(PrimaryChoice)
  case readSecondary(ReadSecondary)
  case applySecondary(token: String, amount: Int64?)
  case removeSecondary(token: String)
  case register(Registration, isWanted: Bool)
  case simulateLoan(item: String, amount: Int64?, tag: String?)
  case setWalletSession(WalletSession, tag: String?)
  case updateToken(String, TokenChange, tag: String?)
  case deleteToken(TokenDeletion, tag: String?)
  case elementOpen(ElementOpen)
  case elementReport(element: String, ElementReport)
  case elementClose(String)
  case submit(Submit)
  case abortAttempt(Int64)
  case abortCall(Int64)
  case resolve(attempt: Int64, ResolveVerdict)
  case answer(ticket: Int64, HookAnswer)
  case redirectReport(presentation: String, PresentationEnd)
  case redirectPresent(attempt: Int64, tag: String?)
  case start(tag: String?)
  case refresh(tag: String?)
  case cancel
  case dismiss
  case setField(element: String, CardField)
  case teardown

  var verb: Verb {
    switch self {
    case .setPrimary, .readSecondary, .applySecondary, .removeSecondary, .register, .simulateLoan: .choose
    case .setWalletSession, .updateToken, .deleteToken: .wallet
    case .elementOpen, .setField: .openElement
    case .start, .refresh, .cancel, .dismiss: .lifecycle
    case .submit: .submit
    case .setSession: .setSession
    case .resolve: .resolve
    case .setHooks, .elementReport, .elementClose, .abortAttempt, .abortCall, .redirectReport, .redirectPresent:
      .follow
    case .answer, .teardown: .always
    }
  }
}

public enum PrimaryChoice: Hashable, Sendable {
  case item(String)
  case token(String)
  case none
}

public struct ReadSecondary: Hashable, Sendable {
  public var item: String
  public var number: TypedNumber
  public var securityCode: TypedNumber?
  public var tag: String?
  /// Number and code, sealed under the host's key for the saved state; nil without a key.
  public var sealed: String?

  public init(item: String, number: TypedNumber, securityCode: TypedNumber?, tag: String?, sealed: String? = nil) {
    self.item = item
    self.number = number
    self.securityCode = securityCode
    self.tag = tag
    self.sealed = sealed
  }
}

/// What the core may know of a typed number: the rest stays in the store.
public struct TypedNumber: Hashable, Sendable {
  public var secret: SecretID
  public var length: Int
  /// The last four characters, for the mask; empty for codes and short numbers.
  public var lastFour: String
  /// Digits only.
  public var isNumeric: Bool

  public init(secret: SecretID, length: Int, lastFour: String, isNumeric: Bool = true) {
    self.secret = secret
    self.length = length
    self.lastFour = lastFour
    self.isNumeric = isNumeric
  }

  /// What is shown of it.
  public var mask: String { lastFour.isEmpty ? "****" : "**** " + lastFour }
}

public struct ElementOpen: Hashable, Sendable {
  public var choice: PrimaryChoice
  public var presentsRedirects: Bool
  public var appReturnURL: String?
  /// The host wants a saved card's security code asked for.
  public var asksSecurityCode: Bool
  public var tag: String?

  public init(
    choice: PrimaryChoice, presentsRedirects: Bool, appReturnURL: String?, asksSecurityCode: Bool = false, tag: String?
  ) {
    self.choice = choice
    self.presentsRedirects = presentsRedirects
    self.appReturnURL = appReturnURL
    self.asksSecurityCode = asksSecurityCode
    self.tag = tag
  }
}

public enum ElementReport: Hashable, Sendable {
  case ready
  case formValidity(Bool)
  /// The brands of the card that is being typed.
  case brands([String])
  case brandSelected(String)
  /// The shopper approved in the partner's own interface; with what the payment needs, as compact JSON, or without.
  case approved(paymentData: String?)
  case canceled
  /// The partner is about to leave for its own page or app.
  case redirect
  case initFailed(String)
  case clientError(String)
  case partnerError(String, recoverable: Bool)
  case endOfSession
}

public struct Submit: Hashable, Sendable {
  public var source: String?
  public var skipsBeforeValidate: Bool

  public init(source: String?, skipsBeforeValidate: Bool) {
    self.source = source
    self.skipsBeforeValidate = skipsBeforeValidate
  }
}

public enum ResolveVerdict: Hashable, Sendable, CaseIterable {
  case paid, declined, notCreated, abandoned

  public var name: String {
    switch self {
    case .paid: "paid"
    case .declined: "declined"
    case .notCreated: "notCreated"
    case .abandoned: "abandoned"
    }
  }
}

/// What a checkout wants done. The buffer is the caller's; outputs are no part of the state.
public enum Output: Hashable, Sendable {
  case send(RequestID, Request)
  /// Stop it if it can be stopped; its one result still comes.
  case cancel(RequestID)
  /// JSON for the listener.
  case tell(DeliveryKind, String)
  /// JSON for the hook; ticket 0 expects no answer.
  case ask(DeliveryKind, ticket: Int64, String)
  /// The checkout no longer needs this number.
  case forget(SecretID)
}
