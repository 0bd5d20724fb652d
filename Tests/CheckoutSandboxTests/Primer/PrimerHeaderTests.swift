import Testing

@testable import CheckoutSandbox

/// A wrong request is refused before anything happens, so that whoever sends one is found out.
@Suite struct PrimerHeaderTests {
  var primer = PrimerBench()

  /// A body that each call takes.
  private static func body(_ kind: PrimerCall.Kind) -> SandboxJSON? { kind.method == "GET" ? nil : .object([]) }

  @Test(arguments: PrimerCall.Kind.allCases)
  mutating func everyCallSaysWhoIsCalling(_ kind: PrimerCall.Kind) throws {
    try primer.create()
    let needed = ["Primer-SDK-Version", "Primer-SDK-Client", "Primer-SDK-Checkout-Session-ID"]
    for name in needed {
      let reply = primer.call(kind, "1", Self.body(kind), headers: [name: nil])
      #expect(reply.status == 400 && reply.errorId == "MissingHeader", "\(name)")
    }
    let noUUID = primer.call(kind, "1", Self.body(kind), headers: ["Primer-SDK-Checkout-Session-ID": "x"])
    #expect(noUUID.errorId == "MissingHeader")
    for token in [nil, "", "wrong"] as [String?] {
      let reply = primer.call(kind, "1", Self.body(kind), headers: ["Primer-Client-Token": token])
      #expect(reply.status == 401 && reply.errorId == "Unauthorized")
    }
  }

  @Test(arguments: PrimerCall.Kind.allCases)
  mutating func theVersionStandsWhereItBelongs(_ kind: PrimerCall.Kind) throws {
    try primer.create()
    let versioned = ![.poll, .lookUpPhone].contains(kind)
    #expect(kind.isVersioned == versioned)
    let missing = primer.call(kind, "1", Self.body(kind), headers: ["X-Api-Version": nil])
    let other = primer.call(kind, "1", Self.body(kind), headers: ["X-Api-Version": "2.3"])
    if versioned {
      #expect(missing.errorId == "MissingHeader" && other.errorId == "MissingHeader")
    } else {
      #expect(other.errorId == "UnexpectedHeader")
      #expect(missing.errorId != "MissingHeader" && missing.errorId != "UnexpectedHeader")
    }
  }

  @Test(arguments: PrimerCall.Kind.allCases)
  mutating func anIdempotencyKeyBelongsToCreateAlone(_ kind: PrimerCall.Kind) throws {
    try primer.create()
    let reply = primer.call(kind, "1", Self.body(kind), headers: ["X-Idempotency-Key": "k"])
    #expect((reply.errorId == "UnexpectedHeader") == (kind != .createPayment))
  }

  @Test(arguments: PrimerCall.Kind.allCases)
  mutating func aRequestsIdHasItsForm(_ kind: PrimerCall.Kind) throws {
    try primer.create()
    let right = String(repeating: "a1", count: 16)
    for id in ["", "x", right + "a", right.dropLast() + "-"] {
      #expect(primer.call(kind, "1", Self.body(kind), headers: ["X-Request-ID": id]).errorId == "UnexpectedHeader")
    }
    let reply = primer.call(kind, "1", Self.body(kind), headers: ["X-Request-ID": right])
    #expect(reply.errorId != "UnexpectedHeader")
  }

  @Test(arguments: PrimerCall.Kind.allCases)
  mutating func aBodyIsJSONAndAGetHasNone(_ kind: PrimerCall.Kind) throws {
    try primer.create()
    switch kind.method {
    case "GET":
      let reply = primer.call(kind, "1", nil, headers: ["Content-Type": "application/json"])
      #expect(reply.status == 400 && reply.errorId == "UnexpectedHeader")
    case "POST":
      #expect(primer.call(kind, "1", .object([]), headers: ["Content-Type": "text/plain"]).status == 415)
      #expect(primer.call(kind, "1", .object([]), headers: ["Content-Type": nil]).status == 415)
    default: #expect(kind == .deleteSaved)
    }
  }

  @Test(arguments: PrimerCall.Kind.allCases)
  mutating func aPathKnowsItsMethods(_ kind: PrimerCall.Kind) throws {
    try primer.create()
    let known = PrimerCall.Kind.allCases.filter { $0.pattern == kind.pattern }.map(\.method)
    for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] where !known.contains(method) {
      let reply = primer.bench.send(method, PrimerBench.path(kind, "1"), headers: primer.headers(kind))
      #expect(reply.status == 405, "\(method)")
    }
  }

  @Test mutating func theConfigurationIsAskedWithItsMetadata() throws {
    try primer.create()
    let headers = primer.headers(.configuration)
    #expect(primer.bench.send("GET", PrimerBench.path(.configuration), headers: headers).status == 400)
  }

  @Test mutating func anUnknownPathIsNobodys() throws {
    try primer.create()
    for path in ["/primer/pci", "/primer/pci/payments/1", "/primer/core/payments", "/primer/status", "/payments"] {
      let reply = primer.bench.send("POST", path, "{}", headers: primer.headers(.createPayment))
      #expect(reply.status == 404, "\(path)")
    }
  }
}
