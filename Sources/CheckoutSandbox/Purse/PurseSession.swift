/// What the pretend back end knows of one client session.
struct PurseSession: Hashable {
  let id: String
  let entityId: String
  /// The key that created the session: merchant calls need it.
  let merchantKey: String
  /// The key in the blob: client calls need it. A blob without one needs none.
  let clientKey: String?
  /// The merchant's request, echoed by every read.
  let echo: SandboxJSON
  let currency: Currency
  let amount: Int64
  let isInformationRequest: Bool
  let expiresAt: Int64
  let redirection: String?
  let protocols: SandboxJSON
  let widget: SandboxJSON
  /// A test's wish: a second validate is a second payment, so that a client that sends one is found out.
  let submitsAgain: Bool
  /// The shopper whose wallet the session shows.
  let owner: String?

  var inits: [PurseInit] = []
  var payments: [PursePayment] = []
  var accepted: [Accepted] = []

  /// A validate that was answered, kept for the same request with the same idempotency key.
  struct Accepted: Hashable {
    let key: String
    let body: [UInt8]
    let response: SandboxResponse
  }

  var isSubmitted: Bool { !payments.isEmpty }

  func method(_ partner: String, _ method: String) -> PurseMethod? {
    PurseMethod(partner: partner, method: method, protocols: protocols)
  }

  func literal(_ minorUnits: Int64) -> SandboxJSON {
    .number(Amount.literal(minorUnits, digits: currency.digits))
  }
}

/// One /init that was answered, known by its step.
struct PurseInit: Hashable {
  let id: String
  let stepId: Int64
  let partner: String
  let method: String
  let amount: Int64
  /// The gift card's number; nil for other methods.
  let number: String?
  /// How many times it was asked.
  var asked: Int64 = 1
  /// The gift card's balance, once it is known.
  var balance: Int64?
}

/// One payment that was made, and how it stands.
struct PursePayment: Hashable {
  /// One slice of the split.
  struct Slice: Hashable {
    let partner: String
    let method: String
    let amount: Int64
  }

  let id: String
  let sessionId: String
  let amount: Int64
  let slices: [Slice]
  /// `AUTHORIZED`, `PENDING`, `ERROR`, `ABORTED` or `REFUSED`.
  var authorization: String
  /// The page on which the shopper decides, if there is one.
  let pageId: String?

  var splitDocument: SandboxJSON {
    .array(
      slices.map {
        ["partner": .string($0.partner), "method": .string($0.method), "amount": .integer($0.amount)]
      })
  }
}
