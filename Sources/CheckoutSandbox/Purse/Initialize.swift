/// POST .../init: a gift card's balance, or the start of a partner's payment.
extension PurseBackend {
  mutating func initialize(_ request: SandboxRequest, at now: Int64) throws(Refusal) -> SandboxResponse {
    let index = try clientSession(request)
    try request.requireJSONContentType()
    let session = sessions[index]
    try session.requireOpen(at: now)
    let item = try PurseItem(request.json(), at: "", digits: session.currency.digits)
    let method = try session.usable(item)
    guard item.amount <= session.amount else {
      throw Refusal(422, "INVALID_AMOUNT", "The amount is more than the session's.", at: "/amount")
    }
    switch method.kind {
    case .secondary: return try readGiftCard(item, of: index, at: now)
    case .card: throw Refusal(422, "INIT_NOT_EXPECTED", "This method has no init.", at: "/method")
    case .native, .redirection: return try start(item, method, of: index, at: now)
    }
  }

  private mutating func start(
    _ item: PurseItem, _ method: PurseMethod, of index: Int, at now: Int64
  ) throws(Refusal) -> SandboxResponse {
    let record = try step(item, number: nil, of: index)
    let result = widgetData(record, method, of: index)
    return .json(200, answer(record, of: index, state: "SUCCESS", code: "SUCCEEDED", result: result, at: now))
  }

  /// What the partner's widget is shown with.
  private func widgetData(_ record: PurseInit, _ method: PurseMethod, of index: Int) -> SandboxJSON {
    if method.partner == "klarna" { return ["client_token": .string("sandbox-klarna-\(record.id)")] }
    guard method.method == "applepay" || method.method == "googlepay" else { return .object([]) }
    let session = sessions[index]
    return [
      "payment_request": [
        "countryCode": "FR", "currencyCode": .string(session.currency.code),
        "total": .string(Amount.literal(record.amount, digits: session.currency.digits)),
      ]
    ]
  }

  private mutating func readGiftCard(
    _ item: PurseItem, of index: Int, at now: Int64
  ) throws(Refusal) -> SandboxResponse {
    guard item.amount == sessions[index].amount else {
      throw Refusal(422, "INVALID_AMOUNT", "A gift card is read with the session's amount.", at: "/amount")
    }
    guard let card = try item.giftCard() else {
      throw PurseItem.refusal("A gift card number is wanted.", "/payment_data")
    }
    try requireKnown(item, of: index)
    let record = try step(item, number: card.number, of: index)
    switch GiftCardNumbers.reading(number: card.number, code: card.code, asked: record.asked) {
    case .balance(let hundredths):
      return .json(200, balanceAnswer(record, hundredths: hundredths, of: index, at: now))
    case .waiting:
      return .json(200, answer(record, of: index, state: "WAITING", code: "WAITING_PARTNER_RESPONSE", at: now))
    case .refused(let code):
      return .json(200, answer(record, of: index, state: "FAILED", code: code, at: now))
    case .technicalError:
      throw Refusal(500, "TECHNICAL_ERROR", "The issuer cannot be asked.")
    }
  }

  /// A saved gift card is one that the shopper still has.
  private func requireKnown(_ item: PurseItem, of index: Int) throws(Refusal) {
    guard let value = item.paymentData["wallet_token"] else { return }
    let method = sessions[index].method(item.partner, item.method)
    guard let value = value.string, let method, savedToken(value, of: method, in: sessions[index]) != nil else {
      throw Refusal(
        422, "UNKNOWN_WALLET_TOKEN", "The wallet does not hold this token.", at: "/payment_data/wallet_token")
    }
  }

  private mutating func balanceAnswer(
    _ record: PurseInit, hundredths: Int64, of index: Int, at now: Int64
  ) -> SandboxJSON {
    let session = sessions[index]
    let balance = Amount.minorUnits(hundredths: hundredths, digits: session.currency.digits)
    if let place = session.inits.firstIndex(where: { $0.stepId == record.stepId }) {
      sessions[index].inits[place].balance = balance
    }
    var result: SandboxJSON = [
      "amount": session.literal(balance), "currency_code": .string(session.currency.code),
      "expiration_date": "2039-12-31T23:59:59Z",
    ]
    if record.method == "loyaltycard" { result["total_amount"] = session.literal(balance * 2) }
    return answer(record, of: index, state: "SUCCESS", code: "SUCCEEDED", result: result, at: now)
  }

  /// The record of this /init: a new one, or, where the item echoes a step, that one asked again.
  private mutating func step(_ item: PurseItem, number: String?, of index: Int) throws(Refusal) -> PurseInit {
    guard let stepId = item.stepId else {
      let record = PurseInit(
        id: identifiers.uuid(), stepId: Int64(sessions[index].inits.count) + 1, partner: item.partner,
        method: item.method, amount: item.amount, number: number)
      sessions[index].inits.append(record)
      return record
    }
    let place = sessions[index].inits.firstIndex {
      $0.stepId == stepId && $0.partner == item.partner && $0.method == item.method && $0.number == number
    }
    guard let place else { throw Refusal(422, "UNKNOWN_STEP", "This step is not of this item.", at: "/step_id") }
    sessions[index].inits[place].asked += 1
    return sessions[index].inits[place]
  }

  private func answer(
    _ record: PurseInit, of index: Int, state: String, code: String, result: SandboxJSON = .object([]), at now: Int64
  ) -> SandboxJSON {
    [
      "id": .string(record.id), "session_id": .string(sessions[index].id), "date": .string(SandboxTime.seconds(now)),
      "partner": .string(record.partner), "method": .string(record.method), "step_id": .integer(record.stepId),
      "status": ["action": "INIT", "state": .string(state), "code": .string(code)], "plugin_result": result,
    ]
  }
}

extension PurseSession {
  /// Refuses what comes too late.
  func requireOpen(at now: Int64) throws(Refusal) {
    if isSubmitted, !submitsAgain {
      throw Refusal(409, "SESSION_ALREADY_SUBMITTED", "The session was submitted before.")
    }
    if now >= expiresAt { throw Refusal(403, "SESSION_EXPIRED", "The session has expired.") }
  }

  /// The item's method, if this session can be paid with it.
  func usable(_ item: PurseItem) throws(Refusal) -> PurseMethod {
    guard let method = method(item.partner, item.method) else {
      throw Refusal(422, "UNKNOWN_METHOD", "The session does not have this method.", at: "\(item.pointer)/method")
    }
    guard method.isStable else {
      throw Refusal(422, "METHOD_UNSTABLE", "The method is not available.", at: "\(item.pointer)/method")
    }
    guard !isInformationRequest || method.isForLaterUse else {
      throw Refusal(422, "METHOD_NOT_FOR_LATER_USE", "The session registers only.", at: "\(item.pointer)/method")
    }
    return method
  }
}
