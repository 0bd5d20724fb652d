/// Where a checkout's monitoring arrives: a JSON array of messages a request, kept for tests to read back.
struct MonitoringSink: Hashable {
  static let mostBytes = 65_536
  private static let names: Set<String> = [
    "instanceId", "entityId", "paymentSessionId", "walletSessionId", "version", "env", "platform", "event",
  ]

  private var batches: [SandboxJSON] = []

  /// Takes a batch in, or says what is wrong with it.
  mutating func receive(_ request: SandboxRequest, at now: Int64) throws(Refusal) -> SandboxResponse {
    guard let key = request.query["api-key"], !key.isEmpty else {
      throw Refusal(401, "UNAUTHORIZED", "The api-key is missing.")
    }
    try request.requireJSONContentType()
    let size = request.body?.count ?? 0
    guard size <= Self.mostBytes else { throw Refusal(413, "BATCH_TOO_LARGE", "A batch has 64 KB at most.") }
    let document = try request.json()
    guard let messages = document.elements, !messages.isEmpty else {
      throw Refusal(422, "INVALID_BATCH", "A batch is an array of messages.")
    }
    for (index, message) in messages.enumerated() {
      try message.requireNames(Self.names, at: "/\(index)", status: 422)
      guard message["event"]?["code"]?.string != nil, message["instanceId"]?.string != nil else {
        throw Refusal(422, "INVALID_BATCH", "A message has an instance and an event.", at: "/\(index)")
      }
    }
    batches.append([
      "apiKey": .string(key), "at": .integer(now), "bytes": .integer(Int64(size)), "messages": document,
    ])
    return SandboxResponse(status: 204)
  }

  mutating func clear() { batches = [] }

  /// `{"batches":[{"apiKey","at","bytes","messages"}]}`
  var document: SandboxJSON { ["batches": .array(batches)] }
}
