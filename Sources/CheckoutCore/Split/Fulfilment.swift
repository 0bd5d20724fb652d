import JSONText

/// Why a submit would be refused now.
struct Blocker: Hashable {
  var code: ErrorCode
  var item: String?
  var details: String?

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("code", string: code.text)
    writer.member("item", optionalString: item)
    writer.key("details")
    if let details { writer.raw(details) } else { writer.null() }
    writer.endObject()
  }
}

/// One slice as the host sees it.
struct PublishedSlice: Hashable {
  var item: String
  var token: String?
  var amount: Int64

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("item", string: item)
    if let token { writer.member("token", string: token) }
    writer.member("amount", integer: amount)
    writer.endObject()
  }
}

extension Core {
  /// What the primary still has to pay.
  var remaining: Int64 {
    let (left, overflow) = session.amount.subtractingReportingOverflow(split.covered)
    return overflow ? 0 : max(left, 0)
  }

  /// The primary sends a slice when something is left, or when the session is one that pays nothing.
  var primarySendsSlice: Bool { remaining > 0 || session.needsPrimaryForNothing }

  /// The split, primary last.
  var slices: [PublishedSlice] {
    var slices = split.slices.compactMap { slice in
      secondary(slice.token).map { PublishedSlice(item: $0.item, token: $0.id, amount: slice.amount) }
    }
    if primarySendsSlice, let primary, let method = method(of: primary) {
      slices.append(PublishedSlice(item: method.id, token: tokenID(of: primary), amount: remaining))
    }
    return slices
  }

  func secondary(_ id: String) -> SecondaryToken? { secondaries.first { $0.id == id } }

  /// The method behind a source: its own, or its token's.
  func method(of source: Source) -> PaymentMethod? {
    switch source {
    case .item(let id): offeredMethod(id)
    case .token(let id): offeredToken(id).flatMap { session.method($0.item) }
    }
  }

  private func tokenID(of source: Source) -> String? {
    if case .token(let id) = source { return id }
    return nil
  }

  var isCovered: Bool { !primarySendsSlice || primary != nil }

  /// The split covers the amount and every form in it is valid.
  var isPaymentFulfilled: Bool { isCovered && invalidForm == nil }

  /// The primary's card form, when it is needed and not valid. Only the card's is a form that is validated.
  private var invalidForm: String? {
    guard primarySendsSlice, case .item(let id) = primary, let method = offeredMethod(id), method.nature == .card else {
      return nil
    }
    if collected[id] != nil { return nil }
    return elements.contains { $0.id == id && $0.isFormValid } ? nil : id
  }

  /// In the order in which a submit is refused; empty means that it may go.
  var submitBlockers: [Blocker] {
    if let code = standing.refusal(of: .submit) { return [Blocker(code: code, details: blockerDetails(code))] }
    var blockers: [Blocker] = []
    if !isCovered { blockers.append(Blocker(code: .paymentNotFulfilledOnSubmit)) }
    blockers += disabledSources
    if let form = invalidForm { blockers.append(Blocker(code: .elementNotFulfilled, item: form)) }
    return blockers
  }

  private var disabledSources: [Blocker] {
    guard primarySendsSlice, let primary, let disabled = disabledState(of: primary) else { return [] }
    var writer = JSONWriter()
    disabled.write(to: &writer)
    return [Blocker(code: .methodDisabled, item: primary.id, details: writer.text)]
  }

  /// The state goes with a SUBMIT_BLOCKED.
  func blockerDetails(_ code: ErrorCode) -> String? {
    guard code == .submitBlocked else { return nil }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("state", string: sessionState.name)
    writer.member("outcomeUnknown", boolean: isOutcomeUnknown)
    writer.endObject()
    return writer.text
  }

  // MARK: Disabled states

  func disabledState(of source: Source) -> DisabledState? {
    switch source {
    case .item(let id): offeredMethod(id).flatMap { disabledState(of: $0) }
    case .token(let id): offeredToken(id).flatMap { disabledState(of: $0) }
    }
  }

  func disabledState(of method: PaymentMethod) -> DisabledState? { disabledState(of: method, technicalOf: method.id) }

  func disabledState(of token: PaymentToken) -> DisabledState? {
    session.method(token.item).flatMap { disabledState(of: $0, technicalOf: token.id) }
  }

  private func disabledState(of method: PaymentMethod, technicalOf id: String) -> DisabledState? {
    if sessionState == .submitting { return .submitting }
    switch technical[id] {
    case .fatal: return .partnerUIFatalError
    case .recoverable: return .partnerUIRecoverableError
    case nil: break
    }
    if session.needsPrimaryForNothing { return nil }
    if remaining == 0 { return .paymentFulfilled }
    guard method.kind == .primary else { return nil }
    if let minimum = method.minAmount, minimum > remaining {
      return .minAmountNotMet(minAmount: minimum, restToPay: remaining)
    }
    if let maximum = method.maxAmount, maximum < remaining { return .maxAmountExceeded(maxAmount: maximum) }
    return nil
  }
}
