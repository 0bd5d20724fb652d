import JSONText

/// A snapshot, read. Everything in it is doubted: it was outside.
public struct SavedState: Hashable, Sendable {
  public var backEnd: BackEndName
  public var widgetData: String
  var lockedEnvironment: String?
  var disabledMethods: [String]
  var instanceID: String
  var primary: Source?
  var giftCards: [SavedGiftCard]
  var slices: [Split.Slice]
  var collected: [String: String]
  var generations: [String: Int64]
  var spentSessions: [String]
  var isTerminated: Bool
  var ledger: Ledger
  var leftLedgers: [NamedLedger] = []
  var attempt: RestoredAttempt?
  var wallet: SavedWallet
  var next: Core.Counters

  /// What was accepted must come back: a step's answer stands deeper here than it did in the host's own text, and
  /// beside others of its size.
  public static let mostBytes = 64 << 20
  private static let limits = JSONLimits(
    maximumDepth: JSONLimits.standard.maximumDepth + 4, maximumBytes: mostBytes)

  public init(_ bytes: [UInt8]) throws(CheckoutError) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONDocument(parsing: bytes, limits: SavedState.limits)
    } catch {
      throw CheckoutError(.sessionMalformed, message: error.message, path: "snapshot", offset: error.offset)
    }
    let root = FieldReader(document.root, "snapshot")
    guard try root.integer("format") == Snapshot.format else {
      throw CheckoutError(.sessionMalformed, message: "a snapshot of another version", path: "snapshot.format")
    }
    guard let backEnd = BackEndName.named(try root.optionalString("provider") ?? BackEndName.purse.name) else {
      throw root.malformed("provider")
    }
    self.backEnd = backEnd
    widgetData = try root.string("widgetData")
    lockedEnvironment = try root.optionalString("lockedEnvironment")
    disabledMethods = try root.strings("disabledMethods")
    instanceID = try root.string("instanceId")
    primary = try SavedState.primary(try root.optionalObject("primary"))
    isTerminated = try root.boolean("terminated")
    spentSessions = try root.strings("spentSessions")
    collected = try root.rawMembers("collected")
    generations = try root.integerMembers("generations")
    giftCards = try SavedState.giftCards(root)
    wallet = try SavedWallet(root)
    slices = try SavedState.slices(root)
    ledger = try SavedState.ledger(try root.object("ledger"))
    for fields in try root.objects("leftSessions") {
      let left = try SavedState.ledger(fields)
      guard left.standing == .clear else { throw fields.malformed("mark") }
      leftLedgers.append(NamedLedger(session: try fields.string("session"), ledger: left))
    }
    next = try SavedState.counters(try root.object("next"))
    next.revision = try root.integer("revision")
    attempt = try SavedState.attempt(try root.optionalObject("attempt"), wasAnswered: ledger.isSettled)
    try checkConsistency()
  }

  private static func primary(_ fields: FieldReader?) throws(CheckoutError) -> Source? {
    guard let fields else { return nil }
    if let item = try fields.optionalString("item") { return .item(item) }
    return .token(try fields.string("token"))
  }

  private static func giftCards(_ root: FieldReader) throws(CheckoutError) -> [SavedGiftCard] {
    var cards: [SavedGiftCard] = []
    for fields in try root.objects("giftCards") {
      let handle = try fields.optionalObject("init")
      let token = SecondaryToken(
        id: try fields.string("id"), item: try fields.string("item"), mask: try fields.string("mask"),
        balance: try fields.amount("balance"), totalBalance: try fields.optionalInteger("totalBalance"),
        expiresAt: try fields.optionalString("expiresAt"),
        handle: BalanceHandle(id: try handle?.string("id") ?? "", stepID: try handle?.optionalInteger("stepId")),
        sealed: try fields.optionalString("sealed"))
      let isSaved = try fields.optionalBoolean("saved") ?? false
      cards.append(SavedGiftCard(token: token, hasHandle: handle != nil, isSaved: isSaved))
    }
    return cards
  }

  private static func slices(_ root: FieldReader) throws(CheckoutError) -> [Split.Slice] {
    var slices: [Split.Slice] = []
    for fields in try root.objects("slices") {
      slices.append(Split.Slice(token: try fields.string("token"), amount: try fields.amount("amount")))
    }
    return slices
  }

  private static func ledger(_ fields: FieldReader) throws(CheckoutError) -> Ledger {
    var ledger = Ledger()
    let mark = try fields.string("mark")
    guard let standing = Ledger.Standing.allCases.first(where: { $0.name == mark }) else {
      throw fields.malformed("mark")
    }
    ledger.standing = standing
    ledger.idempotencyKey = try fields.optionalHeaderText("key")
    ledger.isRepetition = try fields.boolean("repeats")
    ledger.attempt = try fields.optionalInteger("attempt")
    if let payment = try fields.optionalObject("payment") {
      ledger.payment = PaymentReference(
        id: try payment.optionalString("id"), orderID: try payment.optionalString("orderId"),
        status: try payment.string("status"), failureReason: try payment.optionalString("reason"))
    }
    return ledger
  }

  private static func counters(_ fields: FieldReader) throws(CheckoutError) -> Core.Counters {
    var next = Core.Counters()
    next.attempt = try fields.integer("attempt")
    next.call = try fields.integer("call")
    next.ticket = try fields.integer("ticket")
    next.token = try fields.integer("token")
    next.presentation = try fields.integer("presentation")
    return next
  }

  private static func attempt(_ fields: FieldReader?, wasAnswered: Bool) throws(CheckoutError) -> RestoredAttempt? {
    guard let fields else { return nil }
    let held = try fields.optionalObject("return")
    return RestoredAttempt(
      id: try fields.integer("id"), source: try fields.optionalString("element"),
      presentation: try fields.optionalString("presentation"),
      returnURLPrefix: try fields.optionalString("returnURLPrefix"), wasAnswered: wasAnswered,
      heldReturn: try held.map { held throws(CheckoutError) in
        RestoredAttempt.HeldReturn(url: try held.optionalString("url"))
      })
  }

  /// Edited by hand, it could otherwise make a session payable that is not, or one name stand for two cards.
  private func checkConsistency() throws(CheckoutError) {
    let counters = [next.attempt, next.call, next.ticket, next.token, next.presentation]
    let isOpen = ledger.standing != .clear
    guard counters.allSatisfy({ $0 >= 1 && $0 <= Amount.maximum }), (0..<Amount.maximum).contains(next.revision),
      isOpen == (ledger.attempt != nil) || ledger.isRepetition || !isOpen,
      attempt == nil || (isOpen && attempt?.id == ledger.attempt),
      Set(giftCards.map { $0.token.id }).count == giftCards.count
    else { throw CheckoutError(.sessionMalformed, message: "the snapshot contradicts itself", path: "snapshot") }
  }
}

extension FieldReader {
  /// A text that goes into a header.
  func headerText(_ key: String) throws(CheckoutError) -> String {
    let text = try string(key)
    guard isVisibleASCII(text) else { throw malformed(key, "not the value of a header") }
    return text
  }

  fileprivate func optionalHeaderText(_ key: String) throws(CheckoutError) -> String? {
    try optionalString(key) == nil ? nil : try headerText(key)
  }
}

/// What a restore could not bring back.
struct Skipped: Hashable {
  var item: String
  var reason: String
}

extension Core {
  /// Rebuilds what the snapshot says of a session that has been decoded again.
  init(restoring saved: SavedState, _ session: ClientSession, _ options: CheckoutOptions, _ moment: Moment) {
    var options = options
    options.lockedEnvironment = saved.lockedEnvironment
    options.disabledMethods = saved.disabledMethods
    self.init(session: session, options: options, instanceID: saved.instanceID)
    restoreWallet(saved.wallet)
    ledger = saved.ledger
    // What was about to leave may have left.
    ledger.doubt()
    restored = saved.attempt
    next = saved.next
    next.request = 1
    leftLedgers = saved.leftLedgers
    isTerminated = saved.isTerminated
    spentSessions = saved.spentSessions
    generations = saved.generations
    collected = saved.collected.filter { offeredMethod($0.key) != nil }
    // What may have left may have used it.
    if let source = restored?.source { collected[source] = nil }
    isExpired = clock.isCertainlyExpired(session.expiresAt, at: moment.now)
  }

  /// Gift cards, slices and the primary, as far as this session still honours them. While a payment is unresolved the
  /// split stays as it was sent.
  mutating func restoreSplit(_ saved: SavedState, _ out: inout [Output]) -> [Skipped] {
    var skipped: [Skipped] = []
    let isFixed = ledger.standing != .clear
    for var card in saved.giftCards {
      if card.isSaved {
        card.token.walletValue = session.savedSecondaries.first { $0.id == card.token.id }?.value
      }
      let reason = card.reasonToDrop(offeredMethod(card.token.item)?.numberRule)
      if let reason, !isFixed {
        forgetNumber(of: card.token, &out)
        skipped.append(Skipped(item: card.token.id, reason: reason))
      } else {
        secondaries.append(card.token)
        expiries.watch(card.token.id, card.token.expiresAt)
      }
    }
    for slice in saved.slices {
      guard let token = secondary(slice.token) else { continue }
      if !(isFixed ? takeAsSent(slice, token) : (try? applySecondary(slice.token, amount: slice.amount)) != nil) {
        skipped.append(Skipped(item: slice.token, reason: "sliceNotHonoured"))
      }
    }
    restorePrimary(saved.primary, isFixed: isFixed, &skipped)
    return skipped
  }

  /// Of a payment that is not resolved: the rules of taking were asked when it was sent.
  private mutating func takeAsSent(_ slice: Split.Slice, _ token: SecondaryToken) -> Bool {
    guard slice.amount > 0, slice.amount <= token.balance, slice.amount <= remaining else { return false }
    split.take(slice.amount, from: slice.token)
    return true
  }

  private mutating func restorePrimary(_ saved: Source?, isFixed: Bool, _ skipped: inout [Skipped]) {
    guard let saved else { return }
    guard method(of: saved)?.kind == .primary else {
      return skipped.append(Skipped(item: saved.id, reason: "notOffered"))
    }
    if !isFixed, disabledState(of: saved) != nil {
      return skipped.append(Skipped(item: saved.id, reason: "disabled"))
    }
    primary = saved
  }

  func restoreReply(_ skipped: [Skipped]) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    for property in Property.allCases { writer.member(property.name, raw: text(of: property)) }
    writer.key("skipped")
    writer.array(skipped) { skipped, writer in
      writer.beginObject()
      writer.member("item", string: skipped.item)
      writer.member("reason", string: skipped.reason)
      writer.endObject()
    }
    writer.endObject()
    return writer.text
  }
}
