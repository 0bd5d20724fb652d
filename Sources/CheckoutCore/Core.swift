import JSONText

/// What the host fixes at create, and passes again at restore.
public struct CheckoutOptions: Hashable, Sendable {
  public var lockedEnvironment: String?
  public var disabledMethods: [String]
  public var hooks: [Hook]
  public var capabilities: [Capability]
  /// Milliseconds; nil: hooks wait for ever.
  public var hookTimeout: Int64?
  public var allowLoopbackHTTP: Bool
  /// The only hosts that a page may visit; empty for any.
  public var redirectHosts: [String]
  /// Milliseconds since 1970 of this library's release, the least that a device's clock must say to be believed.
  public var releaseDate: Int64
  /// nil: nothing is noted and nothing is sent.
  public var monitoring: MonitoringOptions?
  /// Payments get a key of the core's own where nobody else gives one.
  public var sendsOwnKey: Bool
  /// Milliseconds that a payment which waits for its shopper is asked about; nil: for ever.
  public var pollTimeout: Int64?

  /// Ours: the back end names no limit.
  public static let standardPollTimeout: Int64 = 900_000

  public init(
    lockedEnvironment: String? = nil, disabledMethods: [String] = [], hooks: [Hook] = [],
    capabilities: [Capability] = [], hookTimeout: Int64? = nil, allowLoopbackHTTP: Bool = false,
    redirectHosts: [String] = [], releaseDate: Int64 = 0, monitoring: MonitoringOptions? = nil,
    sendsOwnKey: Bool = false,
    pollTimeout: Int64? = CheckoutOptions.standardPollTimeout
  ) {
    self.lockedEnvironment = lockedEnvironment
    self.disabledMethods = disabledMethods
    self.hooks = hooks
    self.capabilities = capabilities
    self.hookTimeout = hookTimeout
    self.allowLoopbackHTTP = allowLoopbackHTTP
    self.redirectHosts = redirectHosts
    self.releaseDate = releaseDate
    self.monitoring = monitoring
    self.sendsOwnKey = sendsOwnKey
    self.pollTimeout = pollTimeout
  }

  func has(_ step: Step, for item: String) -> Bool {
    capabilities.contains { $0.item == item && $0.steps.contains(step) }
  }
}

/// The checkout without its back end: every guard, the ledger, the attempt, the split. It knows no provider; the
/// carrier (`Checkout`) brings the two together.
public struct Core: Hashable, Sendable {
  private var boxedOptions: Boxed<CheckoutOptions>
  private(set) var boxedSession: Boxed<ClientSession>
  private var boxedAttempt = Boxed<Attempt?>(nil)
  /// What is offered: the session's methods less those that are disabled, unreachable or incompatible.
  var methods: [PaymentMethod]
  let instanceID: String
  var clock: ServerClock

  var primary: Source?
  var secondaries: [SecondaryToken] = []
  var split = Split()
  var elements: [Element] = []
  var technical: [String: TechnicalState] = [:]
  var expiries = TokenExpiries()
  var generations: [String: Int64] = [:]
  /// What `collect` steps answered and no request has used, by source.
  var collected: [String: String] = [:]

  var ledger = Ledger()
  var tickets: [Ticket] = []
  var reads: [GiftCardRead] = []
  var services: [ServiceCall] = []
  var wallet = Wallet()
  var timeRequest: RequestID?
  /// Boot milliseconds.
  var timeAskedAt: Int64?
  /// Boot milliseconds at which each open request was sent: the round trip widens what its Date header says.
  var sentAt: [RequestID: Int64] = [:]
  var presentation: Presentation?
  /// What the ids of pages end with: drawn anew for each attempt, so that no id of another one is this one's.
  var presentationTag = ""
  /// The page of an ended attempt that may be shown again.
  var presentable: Presentable?
  /// An attempt of an earlier process whose outcome was never told.
  var restored: RestoredAttempt?
  /// Ids of the sessions that this checkout has spent.
  var spentSessions: [String] = []
  /// What is known of sessions that were left unspent: a payment that the host called not created may still arrive.
  var leftLedgers: [NamedLedger] = []

  var life: Life

  public internal(set) var isTornDown = false
  var isTerminated = false
  var isExpired = false

  var next = Counters()
  var publication = Publication()
  var monitor = Monitor()

  struct Counters: Hashable {
    var attempt: Int64 = 1
    var call: Int64 = 1
    var request: Int64 = 1
    var ticket: Int64 = 1
    var token: Int64 = 1
    var presentation: Int64 = 1
    var revision: Int64 = 0
  }

  init(session: ClientSession, options: CheckoutOptions, instanceID: String) {
    boxedOptions = Boxed(options)
    boxedSession = Boxed(session)
    self.instanceID = instanceID
    clock = ServerClock(releaseDate: options.releaseDate)
    life = Life(session)
    methods = []
    methods = offered(by: session)
    takeUpWallet()
    watchTokens()
  }

  // MARK: The large parts

  var options: CheckoutOptions {
    _read { yield boxedOptions.value }
    _modify { yield &boxedOptions.value }
  }

  var session: ClientSession {
    _read { yield boxedSession.value }
    _modify { yield &boxedSession.value }
  }

  var attempt: Attempt? {
    _read { yield boxedAttempt.value }
    _modify { yield &boxedAttempt.value }
  }

  // MARK: Its session

  /// A session is refused before anything is made of it.
  static func admit(_ session: ClientSession, _ options: CheckoutOptions, isTaken: Bool) throws(CheckoutError) {
    if let locked = options.lockedEnvironment, locked != session.environment {
      throw CheckoutError(.environmentMismatch)
    }
    if isTaken { throw CheckoutError(.submitBlocked) }
  }

  mutating func replaceSession(_ session: ClientSession) {
    self.session = session
    methods = offered(by: session)
    watchTokens()
  }

  /// A saved instrument goes with its method, but needs none of the steps that a new one does.
  var tokens: [PaymentToken] {
    session.tokens.filter { isOffered($0) }
  }

  private func isOffered(_ token: PaymentToken) -> Bool {
    !options.disabledMethods.contains(token.item) && session.methods.contains { $0.id == token.item }
  }

  func offeredMethod(_ id: String) -> PaymentMethod? { methods.first { $0.id == id } }
  func offeredToken(_ id: String) -> PaymentToken? {
    session.tokens.first { $0.id == id && isOffered($0) }
  }

  // MARK: Where it stands

  /// Not `attempt != nil`: that would copy the attempt to compare it with none.
  var hasAttempt: Bool {
    if case .some = attempt { true } else { false }
  }

  public var standing: Standing {
    if isTornDown { return .tornDown }
    if hasAttempt { return .inFlight }
    switch ledger.standing {
    case .unknown: return .unknown
    case .spent: return .submitted
    case .spentInError: return .error
    // Only an attempt holds these, and there is none.
    case .marked, .inFlight, .open: return .unknown
    case .clear: break
    }
    if isTerminated { return .terminated }
    if isExpired { return .expired }
    return life.isReady ? .ready : .idle
  }

  public var sessionState: SessionState {
    switch ledger.standing {
    case .spent: return .submitted
    case .spentInError: return .error
    case .unknown: return .submitted
    case .clear, .marked, .inFlight, .open: break
    }
    if hasAttempt { return .submitting }
    if isTerminated { return .terminated }
    if isExpired { return .expired }
    return life.isReady ? .ready : .idle
  }

  var isOutcomeUnknown: Bool { ledger.standing == .unknown }

  /// The money request was handed over and let go, or answered.
  var hasLeft: Bool {
    ledger.isSettled || ledger.standing == .unknown || ledger.standing == .open
      || (ledger.standing == .inFlight && attempt?.hasLeft == true)
  }

  func permit(_ verb: Verb) throws(CheckoutError) {
    guard let code = standing.refusal(of: verb) else { return }
    throw CheckoutError(code, details: blockerDetails(code))
  }

  /// Everything that was promised has been told: the host's `release` may run.
  public var isDrained: Bool {
    isTornDown && !hasAttempt && reads.isEmpty && services.isEmpty && monitor.isDrained
  }

  public var sessionID: String { session.id }

  /// Moves a counter on, and cannot trap.
  static func draw(_ counter: inout Int64) -> Int64 {
    let value = counter
    counter = value &+ 1
    return value
  }
}

/// What pays the remainder.
public enum Source: Hashable, Sendable {
  case item(String)
  case token(String)

  var id: String {
    switch self {
    case .item(let id), .token(let id): id
    }
  }

  /// As a member of the object that speaks of it.
  func write(to writer: inout JSONWriter) {
    switch self {
    case .item(let id): writer.member("item", string: id)
    case .token(let id): writer.member("token", string: id)
    }
  }
}

/// A page that is shown.
struct Presentation: Hashable {
  var id: String
  var attempt: Int64
  var action: RedirectAction
  /// Shown again after its attempt ended: its return is an event only.
  var isLate: Bool
}

struct Presentable: Hashable {
  var attempt: Int64
  var action: RedirectAction
  var source: String?
  var returnURLPrefix: String
  /// The call that waits for the redirection hook, when it is being presented again.
  var call: OpenCall?
  var ticket: Int64?
}

/// A call that ends in a `result`.
struct OpenCall: Hashable {
  var id: Int64
  var tag: String?
}

struct RestoredAttempt: Hashable {
  var id: Int64
  var source: String?
  /// The page that was open when the process ended, or the one that would have been opened next.
  var presentation: String?
  /// Where that page returns to.
  var returnURLPrefix: String?
  /// The answer had been read, so that nothing is unknown but how the page ended.
  var wasAnswered: Bool
  /// A return that was reported before the element was opened again.
  var heldReturn: HeldReturn?

  struct HeldReturn: Hashable {
    var url: String?
  }
}
