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

  /// The split covers the amount, nothing that pays is disabled, and every form in it is valid.
  var isPaymentFulfilled: Bool {
    isCovered && invalidForm == nil && !disabledSources.contains { $0.state.code != .submitting }
  }

  /// The primary's form, when it is needed and not valid. Only the card's is a form that is validated; a widget that
  /// must know where to return to has to be there.
  private var invalidForm: String? {
    guard primarySendsSlice, let primary, collected[primary.id] == nil, let method = method(of: primary) else {
      return nil
    }
    let element = element(primary.id)
    let isMissing =
      switch primary {
      case .item: method.nature == .card ? element?.isFormValid != true : method.needsReturnURL && element == nil
      case .token(let id):
        offeredToken(id).map { needsSecurityCode($0, of: method) } == true && element?.isFormValid != true
      }
    return isMissing ? primary.id : nil
  }

  /// In the order in which a submit is refused; empty means that it may go.
  var submitBlockers: [Blocker] {
    if let code = standing.refusal(of: .submit) { return [Blocker(code: code, details: blockerDetails(code))] }
    var blockers: [Blocker] = []
    if !isCovered { blockers.append(Blocker(code: .paymentNotFulfilledOnSubmit)) }
    blockers += disabledSources.map { Blocker(code: .methodDisabled, item: $0.id, details: $0.state.json) }
    if let form = invalidForm { blockers.append(Blocker(code: .elementNotFulfilled, item: form)) }
    return blockers
  }

  private struct DisabledSource {
    var id: String
    var state: DisabledState
  }

  /// Of those that send a slice.
  private var disabledSources: [DisabledSource] {
    var sources = split.slices.compactMap { slice -> DisabledSource? in
      guard let token = secondary(slice.token), let state = disabledState(of: token) else { return nil }
      return DisabledSource(id: slice.token, state: state)
    }
    if primarySendsSlice, let primary, let state = disabledState(of: primary) {
      sources.append(DisabledSource(id: primary.id, state: state))
    }
    return sources
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
}
