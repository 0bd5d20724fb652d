import JSONText

/// The properties that a host can read and is told of when they change.
public enum Property: Int, Hashable, Sendable, CaseIterable {
  case sessionState, isTornDown, outcomeUnknown, sessionId, environment, expiresAt, currency, amount
  case isInformationRequest, paymentMethods, paymentTokens, savedSecondaryTokens, secondaryTokens, primary
  case amountSplit, remainingAmountToPay, isPaymentFulfilled, submitBlockers, elements, itemGenerations
  case disabledMethods, pendingAttempt, waitingFor

  public var name: String {
    switch self {
    case .sessionState: "sessionState"
    case .isTornDown: "isTornDown"
    case .outcomeUnknown: "outcomeUnknown"
    case .sessionId: "sessionId"
    case .environment: "environment"
    case .expiresAt: "expiresAt"
    case .currency: "currency"
    case .amount: "amount"
    case .isInformationRequest: "isInformationRequest"
    case .paymentMethods: "paymentMethods"
    case .paymentTokens: "paymentTokens"
    case .savedSecondaryTokens: "savedSecondaryTokens"
    case .secondaryTokens: "secondaryTokens"
    case .primary: "primary"
    case .amountSplit: "amountSplit"
    case .remainingAmountToPay: "remainingAmountToPay"
    case .isPaymentFulfilled: "isPaymentFulfilled"
    case .submitBlockers: "submitBlockers"
    case .elements: "elements"
    case .itemGenerations: "itemGenerations"
    case .disabledMethods: "disabledMethods"
    case .pendingAttempt: "pendingAttempt"
    case .waitingFor: "waitingFor"
    }
  }

  public static func named(_ text: String) -> Property? { allCases.first { $0.name == text } }

  /// What the choosing calls answer with.
  public static let split: [Property] = [
    .amountSplit, .remainingAmountToPay, .isPaymentFulfilled, .primary, .submitBlockers,
  ]
}

/// What the host was last told. No part of what the checkout is: two cores that differ only here behave alike.
struct Publication: Hashable {
  /// The JSON of each property, in the order of the enum; empty before the first.
  var told: [String] = []
  /// What the listings among them were written from.
  var listings: Listings?
  /// Something may have changed since.
  var isDue = false
  var sequence: Int64 = 1
}

/// All that the listings are written from. They are long, and most changes leave them alone: while this is the same they
/// need not be written to be compared.
struct Listings: Hashable {
  var methods: [PaymentMethod]
  /// What of each method's JSON never changes.
  var heads: [String]
  var tokens: [PaymentToken]
  var savedSecondaries: [SavedSecondaryToken]
  var disabled: [DisabledState?]
  var technical: [String: TechnicalState]
  var generations: [String: Int64]
  /// What says that saved cards' elements ask for their security code.
  var codeElements: String

  init(_ core: Core) {
    methods = core.methods
    heads = core.heads
    tokens = core.tokens
    savedSecondaries = core.session.savedSecondaries
    disabled = methods.map { core.disabledState(of: $0) } + tokens.map { core.disabledState(of: $0) }
    technical = core.technical
    generations = core.generations
    codeElements = core.codeElements
  }
}

/// The JSON of one state after the other: most of a list has the same.
private struct DisabledWords {
  private var state: DisabledState?
  private var text = "null"

  mutating func text(of state: DisabledState?) -> String {
    if state == self.state { return text }
    self.state = state
    var writer = JSONWriter()
    if let state { state.write(to: &writer) } else { writer.null() }
    text = writer.text
    return text
  }
}

extension Property {
  fileprivate var isListing: Bool {
    switch self {
    case .paymentMethods, .paymentTokens, .savedSecondaryTokens, .itemGenerations: true
    default: false
    }
  }
}

extension Core {
  /// The object of the named properties, derived afresh.
  public func properties(_ wanted: [Property]) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    for property in wanted { writer.member(property.name, raw: text(of: property)) }
    writer.endObject()
    return writer.text
  }

  /// The values as they are now count as told: the reply of create and restore carries them.
  mutating func markAllTold() {
    publication.told = Property.allCases.map { text(of: $0) }
    publication.listings = Listings(self)
    publication.isDue = false
  }

  /// The change that is due, if anything differs. Called before any other event, and when the queue is empty.
  public mutating func takeChange() -> String? {
    guard publication.isDue else { return nil }
    publication.isDue = false
    var writer = JSONWriter()
    var isEmpty = true
    let listings = Listings(self)
    let areListingsSame = listings == publication.listings
    publication.listings = listings
    for property in Property.allCases where !(areListingsSame && property.isListing) {
      guard publication.told.indices.contains(property.rawValue) else { continue }
      let text = text(of: property)
      guard publication.told[property.rawValue] != text else { continue }
      publication.told[property.rawValue] = text
      if isEmpty { beginEvent(.change, &writer, "changed") }
      isEmpty = false
      writer.member(property.name, raw: text)
    }
    guard !isEmpty else { return nil }
    writer.endObject()
    writer.endObject()
    return writer.text
  }

  public var isChangeDue: Bool { publication.isDue }

  private mutating func beginEvent(_ kind: DeliveryKind, _ writer: inout JSONWriter, _ key: String) {
    writer.beginObject()
    writer.member("type", string: kind.name)
    writer.member("seq", integer: Core.draw(&publication.sequence))
    writer.key(key)
    writer.beginObject()
  }

  /// Emits an event, after the change that led to it.
  mutating func tell(_ kind: DeliveryKind, _ out: inout [Output], _ write: (Core, inout JSONWriter) -> Void) {
    var writer = beginTelling(kind, &out)
    write(self, &writer)
    endTelling(kind, &writer, &out)
  }

  // Apart, because the compiler makes a copy of `tell` for each of its closures.
  @inline(never)
  private mutating func beginTelling(_ kind: DeliveryKind, _ out: inout [Output]) -> JSONWriter {
    publication.isDue = true
    if let change = takeChange() { out.append(.tell(.change, change)) }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("type", string: kind.name)
    writer.member("seq", integer: Core.draw(&publication.sequence))
    return writer
  }

  @inline(never)
  private func endTelling(_ kind: DeliveryKind, _ writer: inout JSONWriter, _ out: inout [Output]) {
    writer.endObject()
    out.append(.tell(kind, writer.text))
  }

  func text(of property: Property) -> String {
    var writer = JSONWriter()
    write(property, to: &writer)
    return writer.text
  }

  private func write(_ property: Property, to writer: inout JSONWriter) {
    switch property {
    case .sessionState: writer.string(sessionState.name)
    case .isTornDown: writer.boolean(isTornDown)
    case .outcomeUnknown: writer.boolean(isOutcomeUnknown)
    case .sessionId: writer.string(session.id)
    case .environment: writer.string(session.environment)
    case .expiresAt: writer.string(DateText.iso8601(session.expiresAt))
    case .currency:
      writer.beginObject()
      writer.member("code", string: session.currency.code)
      writer.member("digits", integer: session.currency.digits)
      writer.endObject()
    case .amount: writer.integer(session.amount)
    case .isInformationRequest: writer.boolean(session.isInformationRequest)
    case .paymentMethods: writeMethods(&writer)
    case .paymentTokens: writeTokens(&writer)
    case .savedSecondaryTokens: writer.array(session.savedSecondaries) { write($0, &$1) }
    case .secondaryTokens: writer.array(secondaries) { write($0, &$1) }
    case .primary: writePrimary(&writer)
    case .amountSplit: writer.array(slices) { $0.write(to: &$1) }
    case .remainingAmountToPay: writer.integer(remaining)
    case .isPaymentFulfilled: writer.boolean(isPaymentFulfilled)
    case .submitBlockers: writer.array(submitBlockers) { $0.write(to: &$1) }
    case .elements: writer.array(elements) { write($0, &$1) }
    case .itemGenerations:
      writer.beginObject()
      for id in itemIDs { writer.member(id, integer: generations[id] ?? 0) }
      writer.endObject()
    case .disabledMethods: writer.array(options.disabledMethods) { $1.string($0) }
    case .pendingAttempt: writePendingAttempt(&writer)
    case .waitingFor: writer.array(tickets) { write($0, &$1) }
    }
  }

  private func writeMethods(_ writer: inout JSONWriter) {
    var words = DisabledWords()
    writer.beginArray()
    for (method, head) in zip(methods, heads) {
      writer.raw(head)
      writer.member("disabled", raw: words.text(of: disabledState(of: method)))
      writer.member("hasUI", boolean: hasUI(method))
      writer.member("selfSubmitting", boolean: method.isSelfSubmitting)
      writer.endObject()
    }
    writer.endArray()
  }

  fileprivate var heads: [String] {
    if let listings = publication.listings, listings.methods == methods { return listings.heads }
    return methods.map { head(of: $0) }
  }

  /// An object that is still open.
  private func head(of method: PaymentMethod) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("id", string: method.id)
    writer.member("partner", string: method.partner)
    writer.member("method", string: method.method)
    writer.member("kind", string: method.kind == .primary ? "primary" : "secondary")
    writer.member("position", optionalInteger: method.position)
    writer.member("minAmount", optionalInteger: method.minAmount)
    writer.member("maxAmount", optionalInteger: method.maxAmount)
    writer.member("limit", optionalInteger: method.limit)
    writer.member("canBeRegistered", boolean: method.canBeRegistered)
    return writer.text
  }

  private func writeTokens(_ writer: inout JSONWriter) {
    var words = DisabledWords()
    writer.array(tokens) { write($0, words.text(of: disabledState(of: $0)), &$1) }
  }

  private func write(_ token: PaymentToken, _ disabled: String, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", string: token.id)
    writer.member("item", string: token.item)
    writer.member("mask", string: token.mask)
    writer.member("expiresAt", optionalString: token.expiresAt)
    writer.member("disabled", raw: disabled)
    writer.member("hasUI", boolean: hasUI(token))
    writer.member("selfSubmitting", boolean: false)
    writer.endObject()
  }

  private func write(_ token: SavedSecondaryToken, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", string: token.id)
    writer.member("item", string: token.item)
    writer.member("mask", string: token.mask)
    writer.member("expiresAt", optionalString: token.expiresAt)
    writer.endObject()
  }

  func write(_ token: SecondaryToken, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("id", string: token.id)
    writer.member("item", string: token.item)
    writer.member("mask", string: token.mask)
    writer.member("balance", integer: token.balance)
    writer.member("totalBalance", optionalInteger: token.totalBalance)
    writer.member("expiresAt", optionalString: token.expiresAt)
    writer.member("applied", integer: split.amount(of: token.id) ?? 0)
    writer.key("disabled")
    if let disabled = disabledState(of: token) { disabled.write(to: &writer) } else { writer.null() }
    writer.endObject()
  }

  private func writePrimary(_ writer: inout JSONWriter) {
    guard let primary else { return writer.null() }
    writer.beginObject()
    switch primary {
    case .item(let id): writer.member("item", string: id)
    case .token(let id): writer.member("token", string: id)
    }
    writer.endObject()
  }

  private func writePendingAttempt(_ writer: inout JSONWriter) {
    guard let pending = pendingAttempt else { return writer.null() }
    writer.beginObject()
    writer.member("attempt", integer: pending.id)
    writer.member("moved", string: pending.moved.text)
    writer.endObject()
  }

  private func write(_ ticket: Ticket, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("ticket", integer: ticket.id)
    writer.member("kind", string: ticket.kind.name)
    writer.member("since", string: DateText.iso8601(ticket.since.wall))
    writer.endObject()
  }

  private var itemIDs: [String] {
    methods.map { $0.id } + tokens.map { $0.id } + session.savedSecondaries.map { $0.id }
  }
}

extension JSONWriter {
  mutating func array<T>(_ values: [T], _ write: (T, inout JSONWriter) -> Void) {
    beginArray()
    for value in values { write(value, &self) }
    endArray()
  }

  mutating func member(_ name: String, optionalInteger value: Int64?) {
    key(name)
    if let value { integer(value) } else { null() }
  }
}
