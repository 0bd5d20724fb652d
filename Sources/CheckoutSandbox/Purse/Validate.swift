/// POST .../validate: the one call that makes a payment.
extension PurseBackend {
  mutating func validate(_ request: SandboxRequest, at now: Int64) throws(Refusal) -> Answer {
    let index = try clientSession(request)
    if let response = try sessions[index].repeated(request) { return Answer(response: response) }
    try request.requireJSONContentType()
    try sessions[index].requireOpen(at: now)
    let split = try CheckedSplit(request.json(), of: sessions[index]) { savedToken($0, of: $1, in: sessions[index]) }
    let answer = pay(split, of: index, at: now)
    if let key = request.header("Idempotency-Key") {
      sessions[index].accepted.append(
        PurseSession.Accepted(key: key, body: request.body ?? [], response: answer.response))
    }
    return answer
  }

  private mutating func pay(_ split: CheckedSplit, of index: Int, at now: Int64) -> Answer {
    let ending = split.ending
    let payment = PursePayment(
      id: identifiers.uuid(), sessionId: sessions[index].id, amount: sessions[index].amount,
      slices: split.slices.map {
        PursePayment.Slice(partner: $0.method.partner, method: $0.method.method, amount: $0.item.amount)
      },
      authorization: ending.verdict.authorization, pageId: ending.needsPage ? identifiers.uuid() : nil)
    sessions[index].payments.append(payment)
    if ending.verdict.globalStatus == "SUCCESS" { save(split, of: index) }
    var results: [SandboxJSON] = []
    for slice in split.slices { results.append(result(slice, of: payment, session: sessions[index], at: now)) }
    let document: SandboxJSON = [
      "results": .array(results), "redirection": redirection(ending, pageId: payment.pageId),
      "global_status": .string(ending.verdict.globalStatus),
    ]
    return Answer(response: .json(200, document), delivery: ending.delivery)
  }

  private mutating func result(
    _ slice: CheckedSplit.Slice, of payment: PursePayment, session: PurseSession, at now: Int64
  ) -> SandboxJSON {
    let verdict = slice.ending.verdict
    var pluginResult: SandboxJSON = [
      "status": .string(verdict.state == "SUCCESS" ? "OK" : verdict.code), "amount": session.literal(slice.item.amount),
    ]
    if let logs = logs(slice.ending, pageId: payment.pageId) { pluginResult["logs"] = logs }
    return [
      "id": .string(identifiers.uuid()), "date": .string(SandboxTime.seconds(now)),
      "partner": .string(slice.method.partner), "method": .string(slice.method.method),
      "session_id": .string(session.id), "transaction_id": .string(identifiers.uuid()),
      "status": ["action": "AUTHORIZE", "state": .string(verdict.state), "code": .string(verdict.code)],
      "plugin_result": pluginResult,
    ]
  }

  /// The root of a redirection: a URL, a URL to post a body to, or a whole form.
  private func redirection(_ ending: PaymentCase, pageId: String?) -> SandboxJSON {
    guard let url = pageId.map(pageURL) else { return .object([]) }
    switch ending {
    case .threeDSHTML: return ["name": "sandbox", "form": .string(SandboxPages.selfSubmittingForm(action: url))]
    case .threeDSBody:
      return ["url": .string(url), "method": "POST", "body": "PaReq=sandbox-request&MD=sandbox%20data"]
    case .threeDSJSON: return .object([])
    default: return ["url": .string(url)]
    }
  }

  /// What a partner's own answer adds: parameters to post, as JSON in a text or as an object.
  private func logs(_ ending: PaymentCase, pageId: String?) -> SandboxJSON? {
    guard let url = pageId.map(pageURL) else { return nil }
    switch ending {
    case .threeDSPost: return ["redirect_url_post_params": "{\"PaReq\":\"sandbox-request\",\"MD\":\"sandbox data\"}"]
    case .threeDSJSON:
      return [
        "redirection_url": .string(url), "redirection_method": "POST",
        "redirection_json": "{\"creq\":\"sandbox-request\",\"session\":{\"id\":\"1\",\"kind\":\"3ds\"}}",
      ]
    default: return nil
    }
  }
}

extension PurseSession {
  /// The answer of the same request with the same idempotency key; refuses the key with another body.
  fileprivate func repeated(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse? {
    guard let key = request.header("Idempotency-Key"), let before = accepted.first(where: { $0.key == key }) else {
      return nil
    }
    guard before.body == request.body ?? [] else {
      throw Refusal(409, "IDEMPOTENCY_KEY_USED", "The idempotency key was used for another request.")
    }
    return before.response
  }
}
