/// POST .../simulation: what paying in instalments would come to.
extension PurseBackend {
  func simulate(_ request: SandboxRequest, at now: Int64) throws(Refusal) -> SandboxResponse {
    let session = sessions[try clientSession(request)]
    try request.requireJSONContentType()
    try session.requireOpen(at: now)
    let body = try request.jsonObject()
    try body.requireNames(["partner", "method", "amount", "currency_code", "shipments"], at: "", status: 422)
    guard let partner = body["partner"]?.string, let name = body["method"]?.string,
      let method = session.method(partner, name)
    else { throw Refusal(422, "UNKNOWN_METHOD", "The session does not have this method.", at: "/method") }
    guard method.isSimulable else {
      throw Refusal(422, "METHOD_NOT_SIMULABLE", "This method offers no instalments.", at: "/method")
    }
    let digits = session.currency.digits
    guard body["currency_code"]?.string == session.currency.code,
      let amount = body["amount"]?.numberLiteral.flatMap({ Amount.minorUnits(of: $0, digits: digits) }), amount > 0
    else { throw Refusal(422, "INVALID_AMOUNT", "The amount is none of this session's currency.", at: "/amount") }
    if let least = method.bound("payment_min_amount", digits: digits), amount < least { return .json(200, [.null]) }
    return .json(200, .array(candidates(amount, session)))
  }

  /// Three times at no cost, twelve times at a thirtieth of the amount, and one that the partner does not offer.
  private func candidates(_ amount: Int64, _ session: PurseSession) -> [SandboxJSON] {
    var dearer = candidate(amount, cost: amount / 30, times: 12, session)
    dearer["effective_annual_percentage_rate"] = .number("0.0649")
    dearer["legal_text"] = "A loan binds you and must be paid back."
    return [
      ["plugin_result": candidate(amount, cost: 0, times: 3, session).merging(["preferred": true])],
      ["plugin_result": dearer], ["plugin_result": .null],
    ]
  }

  private func candidate(_ amount: Int64, cost: Int64, times: Int64, _ session: PurseSession) -> SandboxJSON {
    let regular = (amount + cost) / times
    return [
      "initial_instalment_amount": session.literal(regular), "instalment_amount": session.literal(regular),
      "final_instalment_amount": session.literal(amount + cost - regular * (times - 1)),
      "instalment_number": .integer(times), "total_cost": session.literal(cost), "preferred": false,
    ]
  }
}
