import JSONText

/// The properties that a host can read and is told of when they change.
public enum Property: Int, Hashable, Sendable, CaseIterable {
  case sessionState, phase, isTornDown, outcomeUnknown, sessionId, environment, expiresAt, currency, amount
  case isInformationRequest, paymentMethods, paymentTokens, savedSecondaryTokens, secondaryTokens, primary
  case amountSplit, remainingAmountToPay, isPaymentFulfilled, submitBlockers, elements, itemGenerations
  case registrations, walletSession
  case disabledMethods, pendingAttempt, waitingFor, awaitingDecision, clientSession

  public var name: String {
    switch self {
    case .sessionState: "sessionState"
    case .phase: "phase"
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
    case .registrations: "registrations"
    case .walletSession: "walletSession"
    case .disabledMethods: "disabledMethods"
    case .pendingAttempt: "pendingAttempt"
    case .waitingFor: "waitingFor"
    case .awaitingDecision: "awaitingDecision"
    case .clientSession: "clientSession"
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
  /// Something may have changed since.
  var isDue = false
  var sequence: Int64 = 1
  var memory: Memory?

  /// Kept to save work, and equal to any other. On the heap, so that a checkout is copied without it.
  final class Memory: Hashable, Sendable {
    /// What `told` was derived from.
    let facts: Facts
    /// The long lists as they were last written.
    let lists: Lists
    /// And as they were before a payment disabled everything: when it ends they are mostly the same again.
    let listsAside: Lists?

    init(facts: Facts, lists: Lists, listsAside: Lists? = nil) {
      self.facts = facts
      self.lists = lists
      self.listsAside = listsAside
    }

    static func == (_: Memory, _: Memory) -> Bool { true }
    func hash(into _: inout Hasher) {}
  }
}

/// The lists of items, which are long, and what tells whether they are still the same.
struct Lists {
  var technical: [String: TechnicalState]
  var disabled: [DisabledState?]
  /// What of each method's JSON never changes.
  var heads: [String]
  var methods: String
  var tokens: String
  /// What says that saved cards' elements ask for their security code.
  var codeElements: String

  func isSame(_ technical: [String: TechnicalState], _ disabled: [DisabledState?], _ codeElements: String) -> Bool {
    self.disabled == disabled && self.technical == technical && self.codeElements == codeElements
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
    let lists = self.lists(heads: methods.map { head(of: $0) }, disabledStates)
    publication.memory = Publication.Memory(facts: facts, lists: lists)
    publication.told = Property.allCases.map { text(of: $0, lists) }
    publication.isDue = false
  }

  /// The change that is due, if anything differs. Called before any other event, and when the queue is empty.
  public mutating func takeChange() -> String? {
    guard publication.isDue else { return nil }
    publication.isDue = false
    guard !publication.told.isEmpty, let earlier = publication.memory else { return nil }
    let facts = self.facts
    let changes = facts.changes(since: earlier.facts)
    if changes.isEmpty { return nil }
    let memory = remembering(facts, changes, earlier)
    publication.memory = memory
    return change(differing(changes, memory.lists))
  }

  /// What differs from what was told, of all that may have changed.
  private func differing(_ changes: Facts.Group, _ lists: Lists) -> [(Property, String)] {
    var differing: [(Property, String)] = []
    for property in Property.allCases where !property.basis.isDisjoint(with: changes) {
      let text = text(of: property, lists)
      if publication.told[property.rawValue] != text { differing.append((property, text)) }
    }
    return differing
  }

  /// The event that tells it.
  private mutating func change(_ differing: [(Property, String)]) -> String? {
    if differing.isEmpty { return nil }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("type", string: DeliveryKind.change.name)
    writer.member("seq", integer: Core.draw(&publication.sequence))
    writer.key("changed")
    writer.beginObject()
    for (property, text) in differing {
      publication.told[property.rawValue] = text
      writer.member(property.name, raw: text)
    }
    writer.endObject()
    writer.endObject()
    return writer.text
  }

  public var isChangeDue: Bool { publication.isDue }

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

  /// The lists stand there already.
  private func text(of property: Property, _ lists: Lists) -> String {
    switch property {
    case .paymentMethods: lists.methods
    case .paymentTokens: lists.tokens
    default: text(of: property)
    }
  }

  // MARK: The long lists

  /// What is kept of these facts, with the lists as they are now.
  private func remembering(
    _ facts: Facts, _ changes: Facts.Group, _ earlier: Publication.Memory
  ) -> Publication.Memory {
    let last = earlier.lists
    if changes.isDisjoint(with: Property.paymentTokens.basis) {
      return Publication.Memory(facts: facts, lists: last, listsAside: earlier.listsAside)
    }
    let disabled = disabledStates
    if changes.contains(.offer) {
      return Publication.Memory(facts: facts, lists: lists(heads: methods.map { head(of: $0) }, disabled))
    }
    let codeElements = self.codeElements
    if last.isSame(technical, disabled, codeElements) {
      return Publication.Memory(facts: facts, lists: last, listsAside: earlier.listsAside)
    }
    if let aside = earlier.listsAside, aside.isSame(technical, disabled, codeElements) {
      return Publication.Memory(facts: facts, lists: aside, listsAside: last)
    }
    return Publication.Memory(facts: facts, lists: lists(heads: last.heads, disabled), listsAside: last)
  }

  /// Of methods, then of tokens.
  private var disabledStates: [DisabledState?] {
    methods.map { disabledState(of: $0) } + tokens.map { disabledState(of: $0) }
  }

  private func lists(heads: [String], _ disabled: [DisabledState?]) -> Lists {
    var writer = JSONWriter()
    write(methods, heads, &writer)
    return Lists(
      technical: technical, disabled: disabled, heads: heads, methods: writer.text, tokens: text(of: .paymentTokens),
      codeElements: codeElements)
  }

  private func write(_ property: Property, to writer: inout JSONWriter) {
    switch property {
    case .sessionState: writer.string(sessionState.name)
    case .phase: writer.string(phaseName)
    case .isTornDown: writer.boolean(isTornDown)
    case .outcomeUnknown: writer.boolean(isOutcomeUnknown)
    case .sessionId: writer.string(session.id)
    case .environment: writer.string(session.environment)
    case .expiresAt:
      if session.expiresAt < ClientSession.never {
        writer.string(DateText.iso8601(session.expiresAt))
      } else {
        writer.null()
      }
    case .currency where session.currency == .none: writer.null()
    case .currency:
      writer.beginObject()
      writer.member("code", string: session.currency.code)
      writer.member("digits", integer: session.currency.digits)
      writer.endObject()
    case .amount: if session.isLoaded { writer.integer(session.amount) } else { writer.null() }
    case .isInformationRequest: writer.boolean(session.isInformationRequest)
    case .paymentMethods: writeMethods(&writer)
    case .paymentTokens: writeTokens(&writer)
    case .savedSecondaryTokens: writer.array(savedSecondaries) { write($0, &$1) }
    case .secondaryTokens: writer.array(secondaries.filter { $0.walletValue == nil }) { write($0, &$1) }
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
    case .registrations: writer.array(registrations) { $0.write(to: &$1) }
    case .walletSession:
      if let session = wallet.session { session.write(to: &writer) } else { writer.null() }
    case .disabledMethods: writer.array(options.disabledMethods) { $1.string($0) }
    case .pendingAttempt: writePendingAttempt(&writer)
    case .waitingFor: writer.array(tickets) { write($0, &$1) }
    case .awaitingDecision: writer.boolean(isAwaitingDecision)
    case .clientSession: if let order = session.order { writer.raw(order) } else { writer.null() }
    }
  }

  private func writeMethods(_ writer: inout JSONWriter) {
    let isKnown = publication.memory?.facts.methods == methods
    let heads = isKnown ? publication.memory?.lists.heads : nil
    write(methods, heads ?? methods.map { head(of: $0) }, &writer)
  }

  private func write(_ methods: [PaymentMethod], _ heads: [String], _ writer: inout JSONWriter) {
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
    writer.member("simulable", boolean: method.isSimulable)
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
    writer.member("name", optionalString: token.name)
    writer.member("isFavorite", boolean: token.isFavorite)
    writer.member("expiresAt", optionalString: token.expiresAt)
    writer.member("disabled", raw: disabled)
    writer.member("hasUI", boolean: hasUI(token))
    writer.member("selfSubmitting", boolean: false)
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
    primary.write(to: &writer)
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
    methods.map { $0.id } + tokens.map { $0.id } + savedSecondaries.map { $0.id }
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
