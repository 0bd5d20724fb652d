/// The two calls of a 3DS authentication.
extension PrimerBackend {
  private static let device: Set<String> = [
    "sdkAppId", "sdkTransactionId", "sdkTimeout", "sdkEncData", "sdkEphemPubKey", "sdkReferenceNumber",
  ]

  mutating func beginAuthentication(
    _ token: String, _ request: SandboxRequest, of index: Int
  ) throws(Refusal) -> SandboxResponse {
    let body = try request.jsonObject()
    guard ["2.1.0", "2.2.0"].contains(body["maxProtocolVersion"]?.string) else {
      throw PrimerOrder.refusal("A protocol version is wanted.", "/maxProtocolVersion")
    }
    if let device = body["device"] { try device.requireNames(Self.device, at: "/device", status: 400) }
    let place = try authentication(token, of: index)
    let payment = payment(place)
    guard let action = payment.actions.last, case .threeDS(let code) = action.step else { throw Self.noAuthentication }
    let isFinal = code != "CHALLENGE" && code != "METHOD"
    if isFinal { decide(place, code == "AUTH_FAILED" ? .decline : .approve) }
    return .json(
      200,
      [
        "authentication": [
          "responseCode": .string(code), "protocolVersion": "2.2.0", "transactionId": .string(action.id),
        ],
        "token": payment.instrument.document, "resumeToken": isFinal ? .string(action.resumeToken) : .null,
      ])
  }

  mutating func continueAuthentication(
    _ token: String, _ request: SandboxRequest, of index: Int
  ) throws(Refusal) -> SandboxResponse {
    let body = try request.jsonObject()
    guard body["platform"]?.string?.isEmpty == false else {
      throw PrimerOrder.refusal("A platform is wanted.", "/platform")
    }
    let place = try authentication(token, of: index)
    let payment = payment(place)
    switch body["status"]?.string {
    case "SUCCESS": decide(place, .approve)
    case "FAILURE":
      guard body["error"]?["reasonCode"]?.string?.wholeMatch(of: #/[A-Z0-9_]+/#) != nil else {
        throw PrimerOrder.refusal("A failure has a reason.", "/error/reasonCode")
      }
      decide(place, payment.ending.decisionWithoutChallenge)
    default: throw PrimerOrder.refusal("SUCCESS or FAILURE is wanted.", "/status")
    }
    return .json(
      200, ["token": payment.instrument.document, "resumeToken": .text(payment.actions.last?.resumeToken)])
  }

  /// The payment whose authentication is asked for by the token it was made with.
  private func authentication(_ token: String, of index: Int) throws(Refusal) -> PrimerPlace {
    let found = sessions[index].payments.firstIndex { $0.instrument.token == token }
    guard let found, case .threeDS = sessions[index].payments[found].actions.last?.step else {
      throw Self.noAuthentication
    }
    return PrimerPlace(session: index, payment: found)
  }

  private mutating func decide(_ place: PrimerPlace, _ decision: PrimerDecision) {
    let last = payment(place).actions.count - 1
    guard payment(place).actions[last].decision == nil else { return }
    sessions[place.session].payments[place.payment].actions[last].decision = decision
  }

  private static let noAuthentication = Refusal(
    404, "AuthenticationNotFound", "No payment with this token waits for an authentication.")
}
