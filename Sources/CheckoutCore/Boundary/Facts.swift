/// All that the properties are derived from. To find that two of these are the same costs little; to write the JSON of
/// every property, only to find that it is the same, does not.
struct Facts {
  var standing: Standing
  var sessionState: SessionState
  var isOutcomeUnknown: Bool
  var isTornDown: Bool
  var isReady: Bool
  var session: Boxed<ClientSession>
  var methods: [PaymentMethod]
  var disabledMethods: [String]
  var technical: [String: TechnicalState]
  var expiries: TokenExpiries
  var primary: Source?
  var secondaries: [SecondaryToken]
  var split: Split
  var elements: [Element]
  var collected: [String: String]
  var generations: [String: Int64]
  var pendingID: Int64?
  var pendingMoved: Moved?
  var tickets: [Ticket]
  var registrations: [Registration]
  var walletSession: WalletSession?
  /// Saved instruments whose deletion is under way.
  var deletions: [String]

  /// A few facts that change together.
  struct Group: OptionSet {
    var rawValue: UInt16

    static let standing = Group(rawValue: 1 << 0)
    static let submitting = Group(rawValue: 1 << 1)
    /// The session and what of it is offered.
    static let offer = Group(rawValue: 1 << 2)
    static let technical = Group(rawValue: 1 << 3)
    static let split = Group(rawValue: 1 << 4)
    /// The elements and what their forms gave.
    static let forms = Group(rawValue: 1 << 5)
    static let generations = Group(rawValue: 1 << 6)
    static let pending = Group(rawValue: 1 << 7)
    static let tickets = Group(rawValue: 1 << 8)
    static let wallet = Group(rawValue: 1 << 9)
  }

  /// What differs from earlier facts.
  func changes(since earlier: Facts) -> Group {
    var changes: Group = []
    if standing != earlier.standing || sessionState != earlier.sessionState
      || isOutcomeUnknown != earlier.isOutcomeUnknown || isTornDown != earlier.isTornDown
      || isReady != earlier.isReady
    {
      changes.insert(.standing)
    }
    if (sessionState == .submitting) != (earlier.sessionState == .submitting) { changes.insert(.submitting) }
    if session != earlier.session || methods != earlier.methods || disabledMethods != earlier.disabledMethods {
      changes.insert(.offer)
    }
    if technical != earlier.technical || expiries != earlier.expiries { changes.insert(.technical) }
    if primary != earlier.primary || secondaries != earlier.secondaries || split != earlier.split {
      changes.insert(.split)
    }
    if elements != earlier.elements || collected != earlier.collected { changes.insert(.forms) }
    if generations != earlier.generations { changes.insert(.generations) }
    if pendingID != earlier.pendingID || pendingMoved != earlier.pendingMoved { changes.insert(.pending) }
    if tickets != earlier.tickets { changes.insert(.tickets) }
    if registrations != earlier.registrations || walletSession != earlier.walletSession
      || deletions != earlier.deletions
    {
      changes.insert(.wallet)
    }
    return changes
  }
}

extension Core {
  var facts: Facts {
    let pending = pendingAttempt
    return Facts(
      standing: standing, sessionState: sessionState, isOutcomeUnknown: isOutcomeUnknown, isTornDown: isTornDown,
      isReady: life.isReady,
      session: boxedSession, methods: methods, disabledMethods: options.disabledMethods, technical: technical,
      expiries: expiries, primary: primary, secondaries: secondaries, split: split, elements: elements,
      collected: collected,
      generations: generations, pendingID: pending?.id, pendingMoved: pending?.moved, tickets: tickets,
      registrations: wallet.registrations, walletSession: wallet.session,
      deletions: beingDeleted)
  }
}

extension Property {
  /// While none of these changes, neither does the property.
  var basis: Facts.Group {
    switch self {
    case .sessionState, .phase, .isTornDown, .outcomeUnknown: .standing
    case .sessionId, .environment, .expiresAt, .currency, .amount, .isInformationRequest, .disabledMethods,
      .clientSession:
      .offer
    case .paymentMethods: [.offer, .submitting, .technical, .split]
    case .paymentTokens: [.offer, .submitting, .technical, .split, .forms, .wallet]
    case .savedSecondaryTokens: [.offer, .submitting, .technical, .split, .wallet]
    case .secondaryTokens: [.offer, .submitting, .technical, .split]
    case .primary: .split
    case .amountSplit, .remainingAmountToPay: [.offer, .split]
    case .isPaymentFulfilled: [.standing, .submitting, .offer, .technical, .split, .forms]
    case .submitBlockers: [.standing, .submitting, .offer, .technical, .split, .forms, .wallet]
    case .elements: [.standing, .submitting, .offer, .technical, .split, .forms]
    case .itemGenerations: [.offer, .generations]
    case .registrations: [.offer, .split, .wallet]
    case .walletSession: .wallet
    case .pendingAttempt: .pending
    case .waitingFor, .awaitingDecision: .tickets
    }
  }
}
