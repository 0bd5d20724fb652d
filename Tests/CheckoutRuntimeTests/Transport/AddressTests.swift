import Testing

@testable import CheckoutRuntime

/// Where a request may go.
@Suite struct AddressTests {
  private func fault(_ url: String, allowsLoopbackHTTP: Bool) throws -> TransportFault? {
    let bench = try TransportBench(.init(allowsLoopbackHTTP: allowsLoopbackHTTP))
    do throws(TransportFault) {
      // It is started and never pumped: nothing is looked up or sent.
      try bench.transport.start(.get(url))
      return nil
    } catch {
      return error
    }
  }

  static let thisMachine = [
    "http://127.0.0.1/", "http://127.0.0.1:8080/a?b", "HTTP://127.0.0.1/", "http://127.255.255.254/",
    "http://127.1/", "http://2130706433/", "http://0x7f000001/", "http://[::1]/", "http://[0:0:0:0:0:0:0:1]:80/",
    "http://localhost/", "http://LocalHost:1234/",
  ]

  @Test(arguments: thisMachine) func plainToThisMachine(_ url: String) throws {
    #expect(try fault(url, allowsLoopbackHTTP: true) == nil)
    #expect(try fault(url, allowsLoopbackHTTP: false) == .urlRefused)
  }

  @Test(arguments: [
    "https://example.invalid/", "https://127.0.0.1:4711/", "https://localhost/", "HTTPS://example.invalid",
  ]) func overTLS(_ url: String) throws {
    #expect(try fault(url, allowsLoopbackHTTP: true) == nil)
    #expect(try fault(url, allowsLoopbackHTTP: false) == nil)
  }

  @Test(arguments: [
    "http://example.invalid/", "http://10.0.0.1/", "http://0.0.0.0/", "http://128.0.0.1/", "http://126.255.255.255/",
    "http://[::]/", "http://[::2]/", "http://[::ffff:127.0.0.1]/", "http://[fe80::1]/", "http://localhost./",
    "http://localhost.example.invalid/", "http://a.localhost/", "http://127.0.0.1.example.invalid/",
    "http://localhos/", "http://localhostt/", "ftp://127.0.0.1/", "file:///etc/hostname", "ws://127.0.0.1/",
    "dict://127.0.0.1/", "telnet://localhost/",
  ]) func elsewhere(_ url: String) throws {
    let seen = try fault(url, allowsLoopbackHTTP: true)
    #expect(seen == .urlRefused || seen == .urlInvalid)
    #expect(try fault(url, allowsLoopbackHTTP: false) != nil)
  }

  @Test(arguments: [
    "", "/", "127.0.0.1", "//127.0.0.1/", "localhost:80", "http:", "http:///", "http://127.0.0.1:99999/",
    "http://127.0.0.1:x/", "http://user@127.0.0.1/", "https://user:word@example.invalid/",
    "http://127.0.0.1@example.invalid/", "https://exa mple.invalid/", "https://[::1/", "nothing://127.0.0.1/",
    "https://example.invalid/\u{0}", "https://example.invalid/\r\nX: y",
  ]) func noAddress(_ url: String) throws {
    #expect(try fault(url, allowsLoopbackHTTP: true) == .urlInvalid)
  }

  @Test func localhostIsReached() throws {
    let server = try RawServer([.read, AnswerTableTests.answer("200 OK"), .hold])
    defer { server.stop() }
    let result = try #require(try TransportBench().run(.money("http://localhost:\(server.port)/")))
    #expect(result.isComplete)
    #expect(server.requests.count == 1)
  }
}
