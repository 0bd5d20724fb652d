/// What goes wrong with a request.
enum FaultKind: String, CaseIterable {
  case dropBeforeReading, dropAfterReading, processThenDrop, delay, status, garbage, truncated, halfHeader, reset
  case clockSkew, redirect3xx

  /// Is the request processed, as though nothing were wrong, before things go wrong?
  var processesByDefault: Bool {
    switch self {
    case .processThenDrop, .delay, .garbage, .truncated, .halfHeader, .clockSkew: true
    case .dropBeforeReading, .dropAfterReading, .status, .reset, .redirect3xx: false
    }
  }

  /// The kinds for which the script may choose.
  var mayChooseToProcess: Bool { [.status, .garbage, .truncated, .halfHeader, .reset, .redirect3xx].contains(self) }
}

/// One line of the fault script.
struct Fault: Hashable {
  var kind: FaultKind
  var path: String
  var method: String?
  /// How many matching requests pass unharmed first.
  var skip: Int64
  /// How many it hits; nil until the script is deleted.
  var times: Int64?
  var status: Int64
  var delayMilliseconds: Int64
  var skewSeconds: Int64
  var processes: Bool
  var body: SandboxJSON?
  var location: String?

  func matches(_ request: SandboxRequest) -> Bool {
    request.matches(path: path) && (method == nil || method == request.method)
  }
}

extension Fault {
  private static let names: Set<String> = [
    "path", "method", "skip", "times", "fault", "status", "delayMs", "skewS", "process", "body", "location",
  ]

  /// Reads `{"path","times","fault",...}`.
  init(_ document: SandboxJSON) throws(Refusal) {
    let reader = try MemberReader(document, names: Self.names, code: "INVALID_VALUE")
    guard let kind = document["fault"]?.string.flatMap(FaultKind.init(rawValue:)) else {
      throw Refusal(400, "UNKNOWN_FAULT", "The fault is unknown.", at: "/fault")
    }
    guard let path = document["path"]?.string ?? (kind == .clockSkew ? "*" : nil) else {
      throw Refusal(400, "MISSING_KEY", "A fault needs the path it is for.", at: "/path")
    }
    self.kind = kind
    self.path = path
    method = try reader.text("method")
    skip = try reader.count("skip", 0...1_000_000) ?? 0
    let untilDeleted = document["times"] == .null || (kind == .clockSkew && document["times"] == nil)
    times = untilDeleted ? nil : try reader.count("times", 1...1_000_000) ?? 1
    status = try reader.count("status", 200...599) ?? (kind == .redirect3xx ? 307 : 503)
    delayMilliseconds = try reader.count("delayMs", 0...600_000) ?? 0
    skewSeconds = try reader.count("skewS", -4_000_000_000...4_000_000_000) ?? 0
    body = document["body"]
    location = try reader.text("location")
    let processes = try reader.flag("process") ?? kind.processesByDefault
    self.processes = processes
    guard kind.mayChooseToProcess || processes == kind.processesByDefault else {
      throw Refusal(400, "INVALID_VALUE", "This fault does not let you choose.", at: "/process")
    }
    guard kind != .redirect3xx || (300...399).contains(status) else {
      throw Refusal(400, "INVALID_VALUE", "A redirect has a status from 300 to 399.", at: "/status")
    }
  }

  var document: SandboxJSON {
    var document: SandboxJSON = [
      "fault": .string(kind.rawValue), "path": .string(path), "skip": .integer(skip),
      "times": times.map { .integer($0) } ?? .null, "process": .bool(processes),
    ]
    if let method { document["method"] = .string(method) }
    if kind == .status || kind == .redirect3xx { document["status"] = .integer(status) }
    if kind == .delay { document["delayMs"] = .integer(delayMilliseconds) }
    if kind == .clockSkew { document["skewS"] = .integer(skewSeconds) }
    return document
  }
}
