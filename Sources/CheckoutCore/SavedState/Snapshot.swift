import JSONText

/// The saved state: plain JSON that a host stores and hands back unread. `format` is raised when an older reader could
/// misread it.
enum Snapshot {
  static let format: Int64 = 1
}

extension Core {
  /// The stored bytes say that the request may have left: as strict as what could happen next.
  var isMarked: Bool { ledger.standing != .clear && !ledger.isSettled }

  /// The revision of the last snapshot that was made, or that it was restored from.
  public var revision: Int64 { next.revision }

  /// What the host may store. Each has a higher revision than the last.
  public mutating func saveState(_ moment: Moment) -> String { snapshot(moment) }

  mutating func snapshot(_ moment: Moment) -> String {
    next.revision = max(next.revision, moment.revision) &+ 1
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("format", integer: Snapshot.format)
    writer.member("savedAt", integer: Core.seconds(moment.now.wall))
    writer.member("revision", integer: next.revision)
    writer.member("marked", boolean: isMarked)
    writer.member("provider", string: session.backEnd.name)
    writer.member("widgetData", string: session.widgetData)
    writer.member("lockedEnvironment", optionalString: options.lockedEnvironment)
    writer.key("disabledMethods")
    writer.array(options.disabledMethods) { $1.string($0) }
    writer.member("instanceId", string: instanceID)
    writer.member("primary", raw: text(of: .primary))
    writer.key("giftCards")
    writer.array(secondaries) { writeSaved($0, &$1) }
    writer.key("slices")
    writer.array(split.slices) { writeSaved($0, &$1) }
    writeSavedMaps(&writer)
    writeSavedWallet(&writer)
    writer.member("terminated", boolean: isTerminated)
    writeSavedLedger(&writer)
    writeSavedAttempt(&writer)
    writeSavedCounters(&writer)
    writer.endObject()
    return writer.text
  }

  /// Never its number or code: only what is sealed of them, and the handle of its reading where it can be paid with.
  private func writeSaved(_ token: SecondaryToken, _ writer: inout JSONWriter) {
    let paysByHandle = session.method(token.item)?.numberRule.paysByHandle ?? false
    writer.beginObject()
    writer.member("id", string: token.id)
    writer.member("item", string: token.item)
    writer.member("mask", string: token.mask)
    writer.member("balance", integer: token.balance)
    writer.member("totalBalance", optionalInteger: token.totalBalance)
    writer.member("expiresAt", optionalString: token.expiresAt)
    writer.key("init")
    if paysByHandle || token.sealed != nil || token.walletValue != nil {
      writer.beginObject()
      writer.member("id", string: token.handle.id)
      writer.member("stepId", optionalInteger: token.handle.stepID)
      writer.endObject()
    } else {
      writer.null()
    }
    writer.member("sealed", optionalString: token.sealed)
    writer.member("saved", boolean: token.walletValue != nil)
    writer.endObject()
  }

  private func writeSaved(_ slice: Split.Slice, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("token", string: slice.token)
    writer.member("amount", integer: slice.amount)
    writer.endObject()
  }

  /// Key order is sorted: the same state gives the same bytes.
  private func writeSavedMaps(_ writer: inout JSONWriter) {
    writer.key("collected")
    writer.beginObject()
    for (id, text) in collected.sorted(by: { $0.key < $1.key }) { writer.member(id, raw: text) }
    writer.endObject()
    writer.key("generations")
    writer.beginObject()
    for (id, count) in generations.sorted(by: { $0.key < $1.key }) { writer.member(id, integer: count) }
    writer.endObject()
    writer.key("spentSessions")
    writer.array(spentSessions) { $1.string($0) }
  }

  private func writeSavedLedger(_ writer: inout JSONWriter) {
    writer.key("ledger")
    writer.beginObject()
    writeMembers(of: ledger, &writer)
    writer.endObject()
    writer.key("leftSessions")
    writer.array(leftLedgers) { left, writer in
      writer.beginObject()
      writer.member("session", string: left.session)
      writeMembers(of: left.ledger, &writer)
      writer.endObject()
    }
  }

  private func writeMembers(of ledger: Ledger, _ writer: inout JSONWriter) {
    writer.member("mark", string: ledger.standing.name)
    writer.member("key", optionalString: ledger.idempotencyKey)
    writer.member("repeats", boolean: ledger.isRepetition)
    writer.member("attempt", optionalInteger: ledger.attempt)
    guard let payment = ledger.payment else { return }
    writer.key("payment")
    writer.beginObject()
    writer.member("id", optionalString: payment.id)
    writer.member("orderId", optionalString: payment.orderID)
    writer.member("status", string: payment.status)
    writer.member("reason", optionalString: payment.failureReason)
    writer.endObject()
  }

  /// An attempt whose outcome was not told. One of which nothing left simply never was.
  private func writeSavedAttempt(_ writer: inout JSONWriter) {
    writer.key("attempt")
    guard ledger.standing != .clear, let open = undelivered else { return writer.null() }
    writer.beginObject()
    writer.member("id", integer: open.id)
    writer.member("element", optionalString: open.source)
    writer.member("presentation", optionalString: open.presentation)
    writer.member("returnURLPrefix", optionalString: open.returnURLPrefix)
    writer.key("return")
    if let held = open.heldReturn {
      writer.beginObject()
      writer.member("url", optionalString: held.url)
      writer.endObject()
    } else {
      writer.null()
    }
    writer.endObject()
  }

  private var undelivered: RestoredAttempt? {
    if let attempt {
      // A page may be opened after the last checkpoint: its name is known before.
      let next = ledger.isSettled || ledger.standing == .open ? nextPresentation : nil
      return RestoredAttempt(
        id: attempt.id, source: attempt.source, presentation: presentation?.id ?? next,
        returnURLPrefix: attempt.returnURLPrefix, wasAnswered: ledger.isSettled)
    }
    return restored
  }

  private func writeSavedCounters(_ writer: inout JSONWriter) {
    writer.key("next")
    writer.beginObject()
    writer.member("attempt", integer: next.attempt)
    writer.member("call", integer: next.call)
    writer.member("ticket", integer: next.ticket)
    writer.member("token", integer: next.token)
    writer.member("presentation", integer: next.presentation)
    writer.endObject()
  }
}
