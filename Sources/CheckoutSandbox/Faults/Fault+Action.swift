extension Fault {
  /// What the server does instead of sending the answer that was made, if one was.
  func action(insteadOf answer: Answer?, to request: SandboxRequest, base: String) -> SandboxAction {
    switch kind {
    case .dropBeforeReading: .hangUpBeforeReading
    case .dropAfterReading, .processThenDrop: .hangUp
    case .reset: .reset
    case .delay: delayed(answer)
    case .status: .respond(.json(Int(status), body ?? Self.errorBody), afterMilliseconds: 0)
    case .redirect3xx: .respond(redirect(request, base: base), afterMilliseconds: 0)
    case .garbage: .respond(garbage, afterMilliseconds: 0)
    case .truncated: .sendBroken(truncated(answer))
    case .halfHeader: .sendBroken(halfHeader(answer))
    case .clockSkew: answer?.action ?? .hangUp
    }
  }

  private static let errorBody: SandboxJSON = ["code": "SANDBOX_FAULT", "message": "A fault that was asked for."]

  private func delayed(_ answer: Answer?) -> SandboxAction {
    guard case .respond(let response, let delay) = answer?.action else { return .hangUp }
    return .respond(response, afterMilliseconds: delay + Int(delayMilliseconds))
  }

  /// Without a location the target is the request's own path, marked: who follows it is seen in the journal.
  private func redirect(_ request: SandboxRequest, base: String) -> SandboxResponse {
    let target = location ?? "\(base)\(request.path)?redirected=1"
    return SandboxResponse(status: Int(status), headers: [.init(name: "Location", value: target)])
  }

  /// A promise of JSON that is neither JSON nor UTF-8.
  private var garbage: SandboxResponse {
    SandboxResponse(
      status: 200, headers: [.init(name: "Content-Type", value: "application/json")],
      body: Array("{\"results\":[<html>".utf8) + [0xFF, 0xFE, 0x00])
  }

  private func truncated(_ answer: Answer?) -> [UInt8] {
    let (head, body) = (answer?.response ?? .json(200, Self.errorBody)).wireBytes()
    return head + body.prefix(body.count / 2)
  }

  private func halfHeader(_ answer: Answer?) -> [UInt8] {
    let head = (answer?.response ?? .json(200, Self.errorBody)).wireBytes().head
    return Array(head.prefix(24))
  }
}
