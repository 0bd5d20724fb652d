import Foundation
import Testing

@testable import CheckoutSandbox

/// A client session of the pretend Primer, and the calls that its client makes.
struct PrimerBench {
  var bench = Bench()
  var session = ""
  /// The client token's payload.
  var token: SandboxJSON = .null

  static let merchantHeaders = ["X-Api-Key": Bench.key, "Content-Type": "application/json"]

  static let order: SandboxJSON = [
    "orderId": "O-1", "currencyCode": "EUR", "customerId": "shopper-1",
    "order": [
      "countryCode": "FR",
      "lineItems": [
        [
          "itemId": "shoes", "description": "Shoes", "amount": 5_000, "quantity": 2, "discountAmount": 500,
          "taxAmount": 100,
        ]
      ],
      "shipping": ["amount": 400, "methodId": "standard", "methodName": "Standard"],
    ],
  ]

  mutating func merchant(_ method: String, _ path: String, _ body: SandboxJSON? = nil) -> Bench.Reply {
    bench.send(method, path, body?.text, headers: Self.merchantHeaders)
  }

  /// Creates a session; its calls are made from then on.
  @discardableResult
  mutating func create(_ patch: SandboxJSON = .object([]), sandbox: SandboxJSON? = nil) throws -> SandboxJSON {
    var order = Self.order.merging(patch)
    if let sandbox { order["sandbox"] = sandbox }
    let reply = merchant("POST", "/client-session", order)
    #expect(reply.status == 200, "\(reply.text)")
    session = try #require(reply.json["id"]?.string)
    token = try Self.payload(reply.json["clientToken"])
    return reply.json
  }

  static func payload(_ token: SandboxJSON?) throws -> SandboxJSON {
    let parts = try #require(token?.string).split(separator: ".")
    try #require(parts.count == 3)
    var text = String(parts[1]).replacing("-", with: "+").replacing("_", with: "/")
    while text.count % 4 != 0 { text += "=" }
    return try SandboxJSON(reading: Array(try #require(Data(base64Encoded: text))))
  }
}

// The client.
extension PrimerBench {
  static let uuid = "0f8fad5b-d9cb-469f-a165-70867728950e"

  /// The headers that a call has to carry.
  func headers(_ kind: PrimerCall.Kind) -> [String: String] {
    var headers = [
      "Primer-SDK-Version": "1.0.0", "Primer-SDK-Client": "HEADLESS", "Primer-SDK-Checkout-Session-ID": Self.uuid,
      "Primer-Client-Token": token["accessToken"]?.string ?? "",
    ]
    if kind.isVersioned { headers["X-Api-Version"] = "2.4" }
    if kind.method != "GET" { headers["Content-Type"] = "application/json" }
    return headers
  }

  /// The path of a call, with that value.
  static func path(_ kind: PrimerCall.Kind, _ value: String = "") -> String {
    "/" + kind.pattern.map { $0.hasPrefix("{") ? value : String($0) }.joined(separator: "/")
  }

  mutating func call(
    _ kind: PrimerCall.Kind, _ value: String = "", _ body: SandboxJSON? = nil, headers extra: [String: String?] = [:]
  ) -> Bench.Reply {
    var headers = headers(kind)
    for (name, value) in extra { headers[name] = value }
    let query = kind == .configuration ? ["withDisplayMetadata": "true"] : [:]
    return bench.send(kind.method, Self.path(kind, value), body?.text, query: query, headers: headers)
  }

  static func card(_ number: String = "4242424242424242", _ patch: SandboxJSON = .object([])) -> SandboxJSON {
    let card: SandboxJSON = [
      "number": .string(number), "cvv": "123", "expirationMonth": "12", "expirationYear": "2039",
      "cardholderName": "Sandbox Shopper",
    ]
    return ["paymentInstrument": card.merging(patch)]
  }

  /// A token of a card.
  mutating func tokenize(_ number: String = "4242424242424242") throws -> String {
    let reply = call(.tokenize, "", Self.card(number))
    #expect(reply.status == 200, "\(reply.text)")
    return try #require(reply.json["token"]?.string)
  }

  /// A token of another method.
  mutating func tokenize(type: String, returnURL: String? = nil) throws -> String {
    var instrument: SandboxJSON = [
      "paymentMethodType": .string(type),
      "paymentMethodConfigId": .string(PrimerCatalogue.configurationId(of: type)),
    ]
    if let returnURL { instrument["sessionInfo"] = ["redirectionUrl": .string(returnURL)] }
    let reply = call(.tokenize, "", ["paymentInstrument": instrument])
    #expect(reply.status == 200, "\(reply.text)")
    return try #require(reply.json["token"]?.string)
  }

  mutating func pay(_ token: String, key: String? = nil) -> Bench.Reply {
    call(
      .createPayment, "", ["paymentMethodToken": .string(token)], headers: key.map { ["X-Idempotency-Key": $0] } ?? [:])
  }

  /// Pays with the card that asks for a case.
  mutating func pay(_ payment: PrimerCase) throws -> Bench.Reply { pay(try tokenize(payment.number)) }

  mutating func resume(_ payment: String, _ token: SandboxJSON?) -> Bench.Reply {
    call(.resumePayment, payment, ["resumeToken": token ?? .null])
  }

  /// The id of the action that a required action's token polls.
  static func action(_ payload: SandboxJSON) throws -> String {
    let url = try #require(payload["statusUrl"]?.string)
    #expect(url.hasPrefix("\(Bench.base)/primer/status/"))
    return String(try #require(url.split(separator: "/").last))
  }

  /// Opens the page of a required action and decides.
  mutating func decide(_ payload: SandboxJSON, _ decision: String) throws -> Bench.Reply {
    let url = try #require(payload["redirectUrl"]?.string)
    return bench.send("GET", "\(url.dropFirst(Bench.base.count))/\(decision)")
  }

  mutating func payments() -> [SandboxJSON] {
    bench.send("GET", "/sandbox/payments", query: ["sessionId": session]).json["payments"]?.elements ?? []
  }
}

extension Bench.Reply {
  /// The id of Primer's error document.
  var errorId: String? { json["error"]?["errorId"]?.string }
  var errorPointer: String? { json["error"]?["validationErrors"]?[0]?["pointer"]?.string }
}
