import JSONText

// Calls to the back end that are no payment: opened by a command or by the session, sent by the carrier, ended once.
extension Core {
  /// How many balances are read at once.
  static let mostBalanceReads = 8

  /// The place of the next that is to be sent.
  func nextService(_ moment: Moment) -> Int? {
    let reads = standing == .ready ? services.filter { $0.readsBalance && $0.request != nil }.count : Int.max
    return services.firstIndex { service in
      guard service.request == nil, service.asksAgainAt ?? Int64.min <= moment.now.boot else { return false }
      return !service.readsBalance || reads < Core.mostBalanceReads
    }
  }

  /// `request`: nil when this back end has no such service.
  mutating func send(service index: Int, _ request: Request?, _ moment: Moment, _ out: inout [Output]) {
    guard services.indices.contains(index) else { return }
    guard let request else { return end(service: index, .refused(CheckoutError(.methodNotImplemented)), moment, &out) }
    services[index].asksAgainAt = nil
    services[index].request = send(request, moment, &out)
  }

  func serviceIndex(_ request: RequestID) -> Int? { services.firstIndex { $0.request == request } }

  /// A whole answer, read; or none.
  mutating func finish(service index: Int, _ reading: ServiceReading, _ moment: Moment, _ out: inout [Output]) {
    guard services.indices.contains(index), let request = services[index].request else { return }
    forget(request)
    end(service: index, reading, moment, &out)
  }

  private mutating func end(
    service index: Int, _ reading: ServiceReading, _ moment: Moment, _ out: inout [Output]
  ) {
    if case .readBalance(let order) = services[index].order {
      return finish(balance: index, order, reading.balance, moment, &out)
    }
    let service = services.remove(at: index)
    publication.isDue = true
    switch service.order {
    case .simulateLoan(let order): finish(loan: order, service, reading, &out)
    case .listTokens(let session): finish(list: session, service, reading, &out)
    default: finish(change: service, reading, moment, &out)
    }
  }

  /// Ends them before they are answered: nobody waits for what comes.
  mutating func dropServices(_ selection: ServiceCall.Selection, _ error: CheckoutError, _ out: inout [Output]) {
    let dropped = services.filter { $0.isMeant(by: selection) }
    services.removeAll { $0.isMeant(by: selection) }
    for service in dropped {
      if let request = service.request {
        forget(request)
        out.append(.cancel(request))
      }
      if let call = service.call { failure(of: call, error, &out) }
    }
  }

  /// What is known of a request that got no whole answer, or one that says no.
  static func refusal(_ received: Received, _ code: ErrorCode) -> CheckoutError {
    var writer = JSONWriter()
    writer.beginObject()
    switch received {
    case .answer(let answer): writer.member("statusCode", integer: answer.status)
    case .nothing(let left, _): writer.member("left", boolean: left)
    }
    writer.endObject()
    return CheckoutError(code, moved: .no, details: writer.text)
  }
}

extension ServiceReading {
  fileprivate var balance: BalanceReading {
    if case .balance(let reading) = self { return reading }
    return .refused(.failedToInitSecondaryToken, details: nil)
  }
}
