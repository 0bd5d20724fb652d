import Foundation
import Testing

@testable import CheckoutSandbox

/// A sandbox in the hand, with a clock that stands still until it is moved.
struct Bench {
  static let base = "http://127.0.0.1:4711"
  static let key = "sandbox-api-key"
  static let entity = "7b9f6f3c-6a35-4c39-8f5a-0f3f8f2b0001"

  var sandbox = Sandbox(base: base, seed: 7)
  /// 2030-01-01T00:00:00Z
  var now: Int64 = 1_893_456_000_000

  /// A status and a body; status 0 when there was no whole answer.
  struct Reply {
    let action: SandboxAction

    var response: SandboxResponse? {
      guard case .respond(let response, _) = action else { return nil }
      return response
    }

    var delay: Int? {
      guard case .respond(_, let delay) = action else { return nil }
      return delay
    }

    var status: Int { response?.status ?? 0 }
    var text: String { String(decoding: response?.body ?? [], as: UTF8.self) }
    var json: SandboxJSON { (try? SandboxJSON(reading: response?.body ?? [])) ?? .null }
    var code: String? { json["code"]?.string }
    var pointer: String? { json["pointer"]?.string }
    func header(_ name: String) -> String? { response?.header(name) }
  }

  mutating func send(_ request: SandboxRequest) -> Reply { Reply(action: sandbox.handle(request, at: now)) }

  mutating func send(
    _ method: String, _ path: String, _ body: String? = nil, query: [String: String] = [:],
    headers: [String: String] = [:]
  ) -> Reply {
    let lines = headers.sorted { $0.key < $1.key }.map { SandboxRequest.Header(name: $0.key, value: $0.value) }
    return send(
      SandboxRequest(
        method: method, path: path, query: query, headers: lines, body: body.map { Array($0.utf8) }))
  }
}

// The merchant.
extension Bench {
  static let merchantHeaders = [
    "x-api-key": key, "Authorization": "Bearer token", "Content-Type": "application/json",
  ]

  static func order(amount: Int64? = 12_000, currency: String = "EUR", sandbox: SandboxJSON? = nil) -> SandboxJSON {
    var order: SandboxJSON = [
      "entity_id": .string(entity), "currency": .string(currency), "shopper_redirection_url": "myapp://return",
      "order": ["reference": "O-1"],
    ]
    if let amount { order["amount"] = .integer(amount) }
    if let sandbox { order["sandbox"] = sandbox }
    return order
  }

  mutating func create(_ order: SandboxJSON, headers: [String: String] = merchantHeaders) -> Reply {
    send("POST", "/payment/v2/client-sessions", order.text, headers: headers)
  }

  /// Creates a session and returns its id.
  mutating func session(
    amount: Int64? = 12_000, currency: String = "EUR", sandbox: SandboxJSON? = nil
  ) throws -> String {
    let reply = create(Self.order(amount: amount, currency: currency, sandbox: sandbox))
    #expect(reply.status == 201, "\(reply.text)")
    return try #require(reply.json["id"]?.string)
  }

  mutating func read(_ session: String) -> Reply {
    send("GET", "/payment/v2/client-sessions/\(session)", headers: Self.merchantHeaders)
  }

  static func blob(_ created: Reply) throws -> SandboxJSON {
    let data = try #require(created.json["widget"]?["data"]?.string)
    let bytes = try #require(Data(base64Encoded: data))
    return try SandboxJSON(reading: Array(bytes))
  }
}

// The client.
extension Bench {
  static let clientHeaders = ["x-api-key": key, "Content-Type": "application/json"]

  static func item(
    _ id: String, _ amount: String, data: SandboxJSON = .object([]), step: Int64? = nil
  ) -> SandboxJSON {
    let parts = id.split(separator: "-", maxSplits: 1).map(String.init)
    var item: SandboxJSON = [
      "partner": .string(parts[0]), "method": .string(parts[1]), "amount": .number(amount), "payment_data": data,
      "partner_data": .object([]), "payment_preferences": .object([]),
    ]
    if let step { item["step_id"] = .integer(step) }
    return item
  }

  static func giftCard(
    _ number: String, _ amount: String, id: String = "illicado-giftcard", code: String = "1234", step: Int64? = nil
  ) -> SandboxJSON {
    item(id, amount, data: ["card": ["number": .string(number), "csc": .string(code)]], step: step)
  }

  static func token(_ name: String) -> String {
    let start = "tok_\(name)_"
    return start + String(repeating: "x", count: 32 - start.count)
  }

  static func card(_ amount: String, _ name: String = "success") -> SandboxJSON {
    item("purse-creditcard", amount, data: ["vault_form_token": .string(token(name)), "selected_network": "VISA"])
  }

  mutating func initialize(
    _ session: String, _ item: SandboxJSON, headers: [String: String] = clientHeaders
  ) -> Reply {
    send("POST", "/\(Self.entity)/sessions/\(session)/init", item.text, headers: headers)
  }

  mutating func validate(
    _ session: String, _ items: SandboxJSON, headers: [String: String] = clientHeaders
  ) -> Reply {
    send("POST", "/\(Self.entity)/sessions/\(session)/validate", items.text, headers: headers)
  }

  /// Reads a gift card and returns its step.
  mutating func step(_ session: String, _ item: SandboxJSON) throws -> Int64 {
    let reply = initialize(session, item)
    #expect(reply.status == 200, "\(reply.text)")
    return try #require(reply.json["step_id"]?.integer)
  }
}

// The test's own calls.
extension Bench {
  mutating func fault(_ fault: SandboxJSON) -> Reply { send("POST", "/sandbox/faults", fault.text) }

  mutating func requests(path: String? = nil) -> [SandboxJSON] {
    let query = path.map { ["path": $0] } ?? [:]
    return send("GET", "/sandbox/requests", query: query).json["requests"]?.elements ?? []
  }

  mutating func payments() -> [SandboxJSON] { send("GET", "/sandbox/payments").json["payments"]?.elements ?? [] }
}
