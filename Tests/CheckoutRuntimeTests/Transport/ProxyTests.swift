import Testing

@testable import CheckoutRuntime

/// A proxy is one that was given, and a request has not left before the tunnel through it stands.
@Suite struct ProxyTests {
  private func run(_ proxy: RawServer, url: String) throws -> TransportResult {
    let options = TransportOptions(proxy: "http://127.0.0.1:\(proxy.port)", allowsLoopbackHTTP: true)
    return try #require(try TransportBench(options).run(.money(url)))
  }

  @Test(arguments: ["502 Bad Gateway", "407 Proxy Authentication Required", "200 OK"])
  func tunnel(_ answer: String) throws {
    let proxy = try RawServer([.read, .send("HTTP/1.1 \(answer)\r\n\r\n"), .close])
    defer { proxy.stop() }
    let result = try run(proxy, url: "https://shop.invalid/pay?number=1")
    #expect(!result.left)
    #expect(!result.isComplete)
    #expect(result.status == 0)
    #expect(result.date == nil)
    #expect(proxy.requests.count == 1)
    #expect(proxy.requests.first?.hasPrefix("CONNECT shop.invalid:443 HTTP/1.1\r\n") == true)
  }

  @Test func thisMachineIsReachedDirectly() throws {
    let proxy = try RawServer([.close])
    let server = try RawServer([.read, AnswerTableTests.answer("200 OK"), .hold])
    defer {
      proxy.stop()
      server.stop()
    }
    #expect(try run(proxy, url: server.url).isComplete)
    #expect(proxy.connections == 0)
  }
}
