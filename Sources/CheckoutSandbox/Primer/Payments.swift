/// POST payments, the one call that makes a payment, and POST payments/{id}/resume, which takes it further.
extension PrimerBackend {
  mutating func createPayment(_ request: SandboxRequest, of index: Int, at now: Int64) throws(Refusal) -> Answer {
    let body = try request.jsonObject()
    try body.requireNames(["paymentMethodToken"], at: "", status: 400)
    let key = request.header("X-Idempotency-Key")
    try checkKey(key, of: index)
    guard let token = body["paymentMethodToken"]?.string,
      let place = sessions[index].instruments.firstIndex(where: { $0.token == token })
    else { throw Refusal(422, "PaymentMethodTokenNotFound", "There is no such token.", at: "/paymentMethodToken") }
    let instrument = sessions[index].instruments[place]
    guard !instrument.isUsed else {
      throw Refusal(422, "PaymentMethodTokenUsed", "The token was used for a payment.", at: "/paymentMethodToken")
    }
    let ending = instrument.ending ?? PrimerCase.amounts[sessions[index].order.amountToPay] ?? .success
    guard ending != .refused else { throw Refusal(422, "PaymentRefused", "This card makes no payment.") }
    sessions[index].instruments[place].isUsed = true
    return pay(instrument, ending, key, of: index, at: now)
  }

  /// A key belongs to the merchant's account: whatever became of the payment, no other is made with it.
  private func checkKey(_ key: String?, of index: Int) throws(Refusal) {
    guard let key else { return }
    guard !key.isEmpty else { throw PrimerOrder.refusal("X-Idempotency-Key is empty.", "") }
    let account = sessions.filter { $0.merchantKey == sessions[index].merchantKey }
    guard !account.contains(where: { $0.payments.contains { $0.idempotencyKey == key } }) else {
      throw Refusal(409, "IdempotencyKeyAlreadyExists", "A payment was made with this idempotency key.")
    }
  }

  private mutating func pay(
    _ instrument: PrimerInstrument, _ ending: PrimerCase, _ key: String?, of index: Int, at now: Int64
  ) -> Answer {
    let payment = PrimerPayment(
      id: identifiers.uuid(), date: SandboxTime.milliseconds(now), instrument: instrument, ending: ending,
      amount: sessions[index].order.amountToPay, idempotencyKey: key,
      steps: PrimerCatalogue.steps(of: instrument.type) + ending.steps, verdict: .pending)
    sessions[index].payments.append(payment)
    return goOn(PrimerPlace(session: index, payment: sessions[index].payments.count - 1))
  }

  mutating func resumePayment(
    _ id: String, _ request: SandboxRequest, of index: Int, at now: Int64
  ) throws(Refusal) -> Answer {
    let body = try request.jsonObject()
    try body.requireNames(["resumeToken"], at: "", status: 400)
    let place = try place { $0.id == id }
    guard place.session == index else { throw Self.noSuchPayment }
    guard let action = payment(place).actions.last, action.resumeToken == body["resumeToken"]?.string else {
      throw Refusal(422, "ResumeTokenNotFound", "There is no such resume token.", at: "/resumeToken")
    }
    guard let decision = action.decision, !action.isResumed, payment(place).verdict.status == "PENDING" else {
      throw Refusal(409, "PaymentNotResumable", "The action is not done, or the payment was resumed or canceled.")
    }
    let last = payment(place).actions.count - 1
    sessions[index].payments[place.payment].actions[last].isResumed = true
    guard let verdict = decision.verdict else { return goOn(place) }
    sessions[index].payments[place.payment].verdict = verdict
    return Answer(response: .json(200, document(payment(place), of: sessions[index], hasId: true)))
  }

  /// The next required action, or the end.
  private mutating func goOn(_ place: PrimerPlace) -> Answer {
    let payment = payment(place)
    guard let step = payment.steps.first else { return end(place) }
    let action = newAction(step, payment, of: sessions[place.session])
    sessions[place.session].payments[place.payment].steps.removeFirst()
    sessions[place.session].payments[place.payment].actions.append(action)
    var document = document(payment, of: sessions[place.session], hasId: true)
    document["requiredAction"] = [
      "name": .string(step.name), "description": "A required action of the sandbox.",
      "clientToken": .string(action.clientToken),
    ]
    return Answer(response: .json(200, document))
  }

  private mutating func end(_ place: PrimerPlace) -> Answer {
    let ending = payment(place).ending
    sessions[place.session].payments[place.payment].verdict = ending.verdict
    if ending.verdict.status == "SUCCESS" { save(payment(place).instrument, of: place.session) }
    let document = document(payment(place), of: sessions[place.session], hasId: ending.verdict.hasId)
    switch ending {
    case .lost, .lostResume: return Answer(response: .json(200, document), delivery: .lost)
    case .slow: return Answer(response: .json(200, document), delivery: .delayed(milliseconds: 1_500))
    case .unreadable: return Answer(response: .html(200, "<p>A payment was made.</p>"))
    case .errorIn2xx:
      let refusal = Refusal(202, "SandboxError", "A payment was made, and this says nothing of it.")
      return Answer(response: .json(202, errorDocument(refusal)))
    default: return Answer(response: .json(200, document))
    }
  }
}

/// Where a payment is kept.
struct PrimerPlace: Hashable {
  let session: Int
  let payment: Int
}

extension PrimerBackend {
  static let noSuchPayment = Refusal(404, "PaymentNotFound", "There is no such payment.")

  func payment(_ place: PrimerPlace) -> PrimerPayment { sessions[place.session].payments[place.payment] }

  func place(where isWanted: (PrimerPayment) -> Bool) throws(Refusal) -> PrimerPlace {
    for (index, session) in sessions.enumerated() {
      if let payment = session.payments.firstIndex(where: isWanted) {
        return PrimerPlace(session: index, payment: payment)
      }
    }
    throw Self.noSuchPayment
  }

  /// A payment as the answers show it.
  func document(_ payment: PrimerPayment, of session: PrimerSession, hasId: Bool) -> SandboxJSON {
    var document: SandboxJSON = [
      "date": .string(payment.date), "status": .string(payment.verdict.status), "amount": .integer(payment.amount),
      "currencyCode": .string(session.order.currency.code), "orderId": session.order.document["orderId"] ?? .null,
      "customerId": .text(session.order.customerId),
    ]
    if hasId { document["id"] = .string(payment.id) }
    document["paymentFailureReason"] = payment.verdict.reason.map { .string($0) }
    document["checkoutOutcome"] = payment.verdict.outcome.map { .string($0) }
    document["showSuccessCheckoutOnPendingPayment"] = payment.verdict.showsSuccess.map { .bool($0) }
    return document
  }
}
