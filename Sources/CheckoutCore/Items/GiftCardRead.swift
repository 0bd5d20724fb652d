import JSONText

/// A gift card whose balance is being asked for.
struct GiftCardRead: Hashable {
  var call: OpenCall
  var order: BalanceOrder
  var mask: String
  var sealed: String?
  /// nil while it waits to ask again.
  var request: RequestID?
  var startedAt: Int64
  /// Boot milliseconds at which to ask again.
  var asksAgainAt: Int64?

  /// Ours: the facts name no interval.
  static let pollInterval: Int64 = 2_000
  static let pollLimit: Int64 = 180_000
}

extension Core {
  /// Checks what was typed, and opens the call. The carrier sends the request.
  mutating func openRead(_ read: ReadSecondary, _ moment: Moment) throws(CheckoutError) -> GiftCardRead {
    guard let method = offeredMethod(read.item), method.kind == .secondary else {
      throw CheckoutError(.paymentMethodNotFound)
    }
    try method.numberRule.check(read.number, read.securityCode)
    try check(technical[method.id].map { DisabledState($0.code) })
    let isKnown =
      secondaries.contains { $0.item == read.item && $0.number == read.number.secret }
      || reads.contains { $0.order.method.id == read.item && $0.order.number == read.number.secret }
    if isKnown { throw CheckoutError(.tokenAlreadyExists) }
    let order = BalanceOrder(
      method: method, number: read.number.secret, securityCode: read.securityCode?.secret, amount: session.amount,
      currency: session.currency, handle: nil)
    return GiftCardRead(
      call: OpenCall(id: Core.draw(&next.call), tag: read.tag), order: order,
      mask: read.number.mask, sealed: method.numberRule.paysByHandle ? nil : read.sealed, request: nil,
      startedAt: moment.now.boot, asksAgainAt: nil)
  }

  mutating func send(_ read: GiftCardRead, _ request: Request, _ moment: Moment, _ out: inout [Output]) {
    var read = read
    read.asksAgainAt = nil
    read.request = send(request, moment, &out)
    if let index = reads.firstIndex(where: { $0.call.id == read.call.id }) {
      reads[index] = read
    } else {
      reads.append(read)
    }
  }

  /// A read whose time to ask again has come.
  func dueRead(_ moment: Moment) -> GiftCardRead? {
    reads.first { read in
      guard let due = read.asksAgainAt else { return false }
      return due <= moment.now.boot
    }
  }

  mutating func finish(_ read: GiftCardRead, _ reading: BalanceReading, _ moment: Moment, _ out: inout [Output]) {
    switch reading {
    case .read(let reading):
      guard reading.amount > 0 else { return close(read, CheckoutError(.secondaryTokenEmptyBalance), &out) }
      if let expiry = TokenExpiries.moment(reading.expiresAt), clock.isCertainlyExpired(expiry, at: moment.now) {
        return close(read, CheckoutError(.failedToInitSecondaryToken, details: #"{"reason":"expired"}"#), &out)
      }
      addToken(read, reading, &out)
    case .waiting(let handle):
      waitAgain(read, handle, moment, &out)
    case .refused(let code, let details):
      close(read, CheckoutError(code, details: details), &out)
    }
  }

  private mutating func waitAgain(
    _ read: GiftCardRead, _ handle: BalanceHandle, _ moment: Moment, _ out: inout [Output]
  ) {
    let asksAgainAt = moment.now.boot &+ GiftCardRead.pollInterval
    guard read.order.method.numberRule.isPolled else {
      return close(read, CheckoutError(.failedToInitSecondaryToken), &out)
    }
    guard asksAgainAt &- read.startedAt <= GiftCardRead.pollLimit else {
      return close(read, CheckoutError(.userActionRequestHasExpired), &out)
    }
    guard let index = reads.firstIndex(where: { $0.call.id == read.call.id }) else { return }
    reads[index].request = nil
    reads[index].order.handle = handle
    reads[index].asksAgainAt = asksAgainAt
  }

  private mutating func addToken(_ read: GiftCardRead, _ reading: Balance, _ out: inout [Output]) {
    let number = Core.draw(&next.token)
    let token = SecondaryToken(
      id: "gc\(number)", item: read.order.method.id, mask: read.mask, balance: reading.amount,
      totalBalance: reading.total, expiresAt: reading.expiresAt, handle: reading.handle, number: read.order.number,
      securityCode: read.order.securityCode, sealed: read.sealed)
    secondaries.append(token)
    expiries.watch(token.id, token.expiresAt)
    reads.removeAll { $0.call.id == read.call.id }
    result(of: read.call, &out) { core, writer in
      writer.beginObject()
      writer.key("token")
      core.write(token, &writer)
      writer.endObject()
    }
  }

  /// Ends a read with an error; the typed number is forgotten.
  mutating func close(_ read: GiftCardRead, _ error: CheckoutError, _ out: inout [Output]) {
    reads.removeAll { $0.call.id == read.call.id }
    if let request = read.request {
      sentAt[request] = nil
      out.append(.cancel(request))
    }
    out.append(.forget(read.order.number))
    if let code = read.order.securityCode { out.append(.forget(code)) }
    failure(of: read.call, error, &out)
  }

  mutating func abortRead(_ call: Int64, _ out: inout [Output]) throws(CheckoutError) {
    guard let read = reads.first(where: { $0.call.id == call }) else {
      // It has ended; a balance reading moves no money.
      throw CheckoutError(.tooLate, moved: .no)
    }
    close(read, CheckoutError(.secondaryMethodRequestAborted), &out)
  }

  /// Their numbers are wiped.
  func forgetNumbers(_ out: inout [Output]) {
    for token in secondaries { forgetNumber(of: token, &out) }
  }

  func forgetNumber(of token: SecondaryToken, _ out: inout [Output]) {
    if let number = token.number { out.append(.forget(number)) }
    if let code = token.securityCode { out.append(.forget(code)) }
  }

  /// A card that a restart left without the number that its payment needs. It was kept for as long as the split had to
  /// stay as it was sent.
  mutating func dropNumberless() {
    let gone = secondaries.filter { token in
      token.number == nil && token.walletValue == nil && session.method(token.item)?.numberRule.paysByHandle != true
    }
    for token in gone { split.remove(token.id) }
    secondaries.removeAll { gone.contains($0) }
  }
}
