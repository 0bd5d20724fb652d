/// What a provider decoded from one client session: everything the shopper can do. The core never sees a wire format.
public struct ClientSession: Hashable, Sendable {
  public var backEnd = BackEndName.purse
  public var id: String
  public var environment: String
  public var amount: Int64
  public var currency: Currency
  /// The back end's currencies, for amounts in another one than the session's.
  public var currencies = CurrencyTable.iso4217
  /// A data-collection session: nothing to pay, the primary is sent with 0.
  public var isInformationRequest: Bool
  /// Milliseconds since 1970.
  public var expiresAt: Int64
  /// Where the shopper returns to; empty when the session names no place.
  public var redirection: String
  /// The parameter of a return's URL that holds the back end's statement, a JWT; empty for none.
  public var returnStatementParameter = ""
  /// What this session offers, in its order. Methods that are filtered out are not here.
  public var methods: [PaymentMethod]
  /// Methods that the session has and calls unstable: they are not offered.
  public var unstable: [MethodName]
  public var tokens: [PaymentToken]
  public var savedSecondaries: [SavedSecondaryToken]
  /// Leave to change the saved instruments, when the session brings it.
  public var walletSession: WalletSession?
  /// The card vault's tenant, handed to the host's card form.
  public var tenantID: String?
  /// Compact JSON of the vault's front data: a method is unchanged only when this is.
  public var vault: String
  /// What the back end says of the order, as compact JSON for the host; nil: not loaded, or this back end says nothing.
  public var order: String? = nil
  /// The text that the session was read from, for the snapshot.
  public var widgetData: String

  public init(
    id: String, environment: String, amount: Int64, currency: Currency, isInformationRequest: Bool, expiresAt: Int64,
    redirection: String, methods: [PaymentMethod], unstable: [MethodName] = [], tokens: [PaymentToken],
    savedSecondaries: [SavedSecondaryToken], walletSession: WalletSession? = nil, tenantID: String?, vault: String,
    widgetData: String
  ) {
    self.id = id
    self.environment = environment
    self.amount = amount
    self.currency = currency
    self.isInformationRequest = isInformationRequest
    self.expiresAt = expiresAt
    self.redirection = redirection
    self.methods = methods
    self.unstable = unstable
    self.tokens = tokens
    self.savedSecondaries = savedSecondaries
    self.walletSession = walletSession
    self.tenantID = tenantID
    self.vault = vault
    self.widgetData = widgetData
  }

  /// Milliseconds since 1970 of a session that never expires.
  public static let never: Int64 = 253_402_300_799_000

  /// A session that is still to be loaded: nothing is known of its order.
  public static func unloaded(
    _ backEnd: BackEndName, id: String, environment: String, expiresAt: Int64, text: String
  ) -> ClientSession {
    var session = ClientSession(
      id: id, environment: environment, amount: 0, currency: .none, isInformationRequest: false, expiresAt: expiresAt,
      redirection: "", methods: [], tokens: [], savedSecondaries: [], tenantID: nil, vault: "", widgetData: text)
    session.backEnd = backEnd
    return session
  }

  /// The same session with its order forgotten.
  var unloaded: ClientSession {
    .unloaded(backEnd, id: id, environment: environment, expiresAt: expiresAt, text: widgetData)
  }

  var isLoaded: Bool { order != nil || !backEnd.hasLifecycle }

  /// Nothing is covered by gift cards here, so that a primary is always sent, with a slice of 0.
  var needsPrimaryForNothing: Bool { isInformationRequest || amount == 0 }

  public func method(_ id: String) -> PaymentMethod? { methods.first { $0.id == id } }
  public func token(_ id: String) -> PaymentToken? { tokens.first { $0.id == id } }
}

/// What names a method.
public struct MethodName: Hashable, Sendable {
  public var partner: String
  public var method: String

  public init(partner: String, method: String) {
    self.partner = partner
    self.method = method
  }
}
