import Testing

@testable import CheckoutSandbox

@Suite struct MonitoringSinkTests {
  var bench = Bench()

  private static let message = #"{"instanceId":"i","platform":"c","event":{"code":"HEADLESS_CHECKOUT_READY"}}"#

  private mutating func post(_ body: String, key: String? = "k", type: String = "application/json") -> Bench.Reply {
    bench.send(
      "POST", "/widget/headless_checkout", body, query: key.map { ["api-key": $0] } ?? [:],
      headers: ["Content-Type": type])
  }

  private mutating func batches() -> [SandboxJSON] {
    bench.send("GET", "/sandbox/monitoring").json["batches"]?.elements ?? []
  }

  @Test mutating func whatArrivesCanBeReadBack() {
    #expect(post("[\(Self.message),\(Self.message)]").status == 204)
    bench.now += 7
    #expect(post("[\(Self.message)]", key: "other").status == 204)
    let batches = batches()
    #expect(batches.compactMap { $0["apiKey"]?.string } == ["k", "other"])
    #expect(batches.compactMap { $0["messages"]?.elements?.count } == [2, 1])
    #expect(batches.compactMap { $0["at"]?.integer } == [1_893_456_000_000, 1_893_456_000_007])
    #expect(batches[0]["messages"]?[0]?["event"]?["code"] == "HEADLESS_CHECKOUT_READY")
    #expect(bench.send("DELETE", "/sandbox/monitoring").status == 204)
    #expect(self.batches().isEmpty)
  }

  @Test mutating func whatIsWrongIsRefusedAndNotKept() {
    #expect(post("[\(Self.message)]", key: nil).status == 401)
    #expect(post("[\(Self.message)]", type: "text/plain").status == 415)
    #expect(post("[").status == 400)
    #expect(post("[]").code == "INVALID_BATCH")
    #expect(post("{}").code == "INVALID_BATCH")
    #expect(post(#"[{"instanceId":"i"}]"#).code == "INVALID_BATCH")
    #expect(post(#"[{"instanceId":"i","event":{"code":"X"},"amount":1}]"#).code == "UNKNOWN_KEY")
    #expect(post("[\(Self.message)" + String(repeating: " ", count: 65_536) + "]").status == 413)
    #expect(bench.send("GET", "/widget/headless_checkout").status == 405)
    #expect(batches().isEmpty)
  }
}
