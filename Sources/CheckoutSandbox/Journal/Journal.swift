/// Everything that was received, for tests to read back.
struct Journal: Hashable, Sendable {
  private struct Entry: Hashable {
    let number: Int64
    let request: SandboxRequest
    let at: Int64
    var answered: Int?
  }

  private var entries: [Entry] = []
  private var nextNumber: Int64 = 1

  /// Records a request and returns its number.
  mutating func record(_ request: SandboxRequest, at now: Int64) -> Int64 {
    entries.append(Entry(number: nextNumber, request: request, at: now))
    nextNumber += 1
    return nextNumber - 1
  }

  /// Notes how a request was answered; nil when it never was in whole.
  mutating func note(_ number: Int64, answered status: Int?) {
    guard let index = entries.lastIndex(where: { $0.number == number }) else { return }
    entries[index].answered = status
  }

  /// Forgets everything; numbers go on.
  mutating func clear() { entries = [] }

  /// The requests, all or those of one path.
  func document(path: String?) -> SandboxJSON {
    let matching = entries.filter { entry in path.map { entry.request.matches(path: $0) } ?? true }
    return ["requests": .array(matching.map(Self.document))]
  }

  private static func document(_ entry: Entry) -> SandboxJSON {
    [
      "n": .integer(entry.number), "method": .string(entry.request.method), "path": .string(entry.request.path),
      "query": query(entry.request), "headers": headers(entry.request),
      "body": body(entry.request), "at": .integer(entry.at),
      "connection": .integer(Int64(entry.request.connection)),
      "answered": entry.answered.map { .integer(Int64($0)) } ?? .null,
    ]
  }

  private static func query(_ request: SandboxRequest) -> SandboxJSON {
    let sorted = request.query.sorted { $0.key < $1.key }
    return .object(sorted.map { SandboxJSON.Member(name: $0.key, value: .string($0.value)) })
  }

  /// Names in lower case; a credential that the sandbox does not compare is cut to its scheme.
  private static func headers(_ request: SandboxRequest) -> SandboxJSON {
    var document = SandboxJSON.object([])
    for header in request.headers {
      let name = header.name.lowercased()
      var value = header.value
      if name == "authorization" { value = value.split(separator: " ").first.map(String.init) ?? "" }
      document[name] = .string(document[name]?.string.map { "\($0), \(value)" } ?? value)
    }
    return document
  }

  private static func body(_ request: SandboxRequest) -> SandboxJSON {
    guard let bytes = request.body, !bytes.isEmpty else { return .null }
    if let document = try? SandboxJSON(reading: bytes) { return document }
    return .string(String(decoding: bytes, as: UTF8.self))
  }
}
