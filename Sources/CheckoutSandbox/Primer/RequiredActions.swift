/// What a payment waits for: the action's token, its poll, and the page on which a shopper decides.
extension PrimerBackend {
  mutating func newAction(_ step: PrimerStep, _ payment: PrimerPayment, of session: PrimerSession) -> PrimerAction {
    let id = identifiers.uuid()
    let accessToken = identifiers.uuid()
    var payload: SandboxJSON = [
      "exp": .integer(session.expiresAt / 1_000), "accessToken": .string(accessToken),
      "intent": .string(step.intent(of: payment.instrument.type)),
    ]
    if step.isPolled { payload["statusUrl"] = .string("\(base)/primer/status/\(id)") }
    if step.hasPage { payload["redirectUrl"] = .string(pageURL(id)) }
    let action = PrimerAction(
      id: id, step: step, accessToken: accessToken,
      clientToken: PrimerToken.text(payload.merging(Self.particulars(of: step))), resumeToken: identifiers.uuid(),
      decision: decision(of: step, session), pendingPolls: session.wishes.pendingPolls)
    return action
  }

  /// What is decided from the start: where nobody is asked, and where the session wishes it.
  private func decision(of step: PrimerStep, _ session: PrimerSession) -> PrimerDecision? {
    if case .threeDS = step { return nil }
    return session.wishes.decision ?? (step.hasPage ? nil : .approve)
  }

  private static func particulars(of step: PrimerStep) -> SandboxJSON {
    switch step {
    case .threeDS: ["supportedThreeDsProtocolVersions": ["2.1.0", "2.2.0"]]
    case .redirection(_, let qrCode?): ["qrCode": .string(qrCode)]
    case .voucher: ["entity": "11683", "reference": "123 456 789", "expiresAt": "2039-12-31T23:59:59Z"]
    default: .object([])
    }
  }

  mutating func poll(_ id: String, of index: Int) throws(Refusal) -> SandboxResponse {
    let (place, number) = try action(id)
    guard place.session == index, payment(place).actions[number].step.isPolled else { throw Self.noSuchAction }
    let action = payment(place).actions[number]
    let isDone = action.decision != nil && action.pendingPolls == 0
    if action.decision != nil, !isDone { sessions[index].payments[place.payment].actions[number].pendingPolls -= 1 }
    return .json(
      200,
      [
        "status": isDone ? "COMPLETE" : "PENDING", "id": .string(isDone ? action.resumeToken : action.id),
        "source": "SANDBOX",
      ])
  }

  private func action(_ id: String) throws(Refusal) -> (place: PrimerPlace, number: Int) {
    let found = try? place { $0.actions.contains { $0.id == id } }
    guard let found, let number = payment(found).actions.firstIndex(where: { $0.id == id }) else {
      throw Self.noSuchAction
    }
    return (found, number)
  }

  private static let noSuchAction = Refusal(404, "ActionNotFound", "There is no such action.")
}

// The page.
extension PrimerBackend {
  func pageURL(_ id: String) -> String { "\(base)/sandbox/primer/pages/\(id)" }

  /// A page of links, and each link's way back. The first decision stands.
  mutating func page(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
    guard ["GET", "POST"].contains(request.method) else { throw .methodNotAllowed(request.method) }
    let segments = request.segments
    let (place, number) = try action(segments[3])
    guard payment(place).actions[number].step.hasPage else { throw Self.noSuchAction }
    guard segments.count == 5 else {
      return .html(200, SandboxPages.decision(pageURL(segments[3]), PrimerDecision.allCases.map(\.rawValue)))
    }
    guard let decision = PrimerDecision(rawValue: segments[4]) else { throw .notFound }
    if payment(place).actions[number].decision == nil {
      sessions[place.session].payments[place.payment].actions[number].decision = decision
    }
    let target = payment(place).instrument.returnURL ?? sessions[place.session].wishes.returnURL
    guard let target else { return .html(200, SandboxPages.end) }
    return SandboxResponse(status: 302, headers: [.init(name: "Location", value: target)])
  }
}
