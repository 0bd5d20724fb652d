import CSystem
import CheckoutCore
import Testing

@testable import CheckoutRuntime

/// What is on the wire, byte for byte, and what is not let onto it.
@Suite struct RequestTextTests {
  private func sent(
    _ request: TransportRequest, options: TransportOptions = .init(allowsLoopbackHTTP: true),
    secrets: OpaquePointer? = nil
  ) throws -> String {
    let server = try RawServer([.read, AnswerTableTests.answer("200 OK"), .hold])
    defer { server.stop() }
    let bench = try TransportBench(options)
    var request = request
    request.content.url = server.url
    #expect(try bench.run(request, secrets: secrets)?.isComplete == true)
    return try #require(server.requests.first).replacing("127.0.0.1:\(server.port)", with: "HOST")
  }

  @Test func moneyRequest() throws {
    var request = TransportRequest.money("", body: "{\"a\":1}")
    request.content.headers.append(Header("Idempotency-Key", "k-1"))
    request.content.headers.append(Header("X-Empty", ""))
    let options = TransportOptions(userAgent: "HeadlessCheckout/1", allowsLoopbackHTTP: true)
    #expect(
      try sent(request, options: options) == """
        POST /path HTTP/1.1\r
        Host: HOST\r
        User-Agent: HeadlessCheckout/1\r
        Accept: */*\r
        Content-Type: application/json\r
        Idempotency-Key: k-1\r
        X-Empty:\r
        Content-Length: 7\r
        \r
        {"a":1}
        """)
  }

  @Test func get() throws {
    #expect(try sent(.get("")) == "GET /path HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\n\r\n")
  }

  @Test func bodyWithoutItsTypeClaimsNone() throws {
    var request = TransportRequest.get("")
    request.content.method = "POST"
    let text = try sent(request)
    #expect(text == "POST /path HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nContent-Length: 0\r\n\r\n")
    request.content.body = [.text("x")]
    for method in ["PUT", "PATCH", "DELETE"] {
      request.content.method = method
      #expect(
        try sent(request)
          == "\(method) /path HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nContent-Length: 1\r\n\r\nx")
    }
  }

  /// A handle of libcurl's serves one request after the other.
  @Test func nothingOfAnEarlierRequestIsInTheNext() throws {
    let answer = AnswerTableTests.answer("200 OK")
    let server = try RawServer([.read, answer, .read, answer, .hold], [.read, answer, .hold])
    defer { server.stop() }
    let bench = try TransportBench()
    var first = TransportRequest.get(server.url, identifier: 1)
    first.content.method = "PATCH"
    first.content.headers = [Header("X-First", "1"), Header("Content-Type", "text/plain")]
    first.content.body = [.text("first")]
    first.responseBytes = 2
    #expect(try bench.run(first)?.isComplete == true)
    #expect(try bench.run(.get(server.url, identifier: 2))?.isComplete == true)
    #expect(try bench.run(.money(server.url, identifier: 3, body: "{}"))?.isComplete == true)
    let host = "/path HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nAccept: */*\r\n"
    #expect(
      server.requests == [
        "PATCH \(host)X-First: 1\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nfirst",
        "GET \(host)\r\n", "POST \(host)Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
      ])
    #expect(server.connections == 2)
  }

  @Test func deleteWithoutBody() throws {
    var request = TransportRequest.get("")
    request.content.method = "DELETE"
    #expect(try sent(request) == "DELETE /path HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\n\r\n")
  }

  /// Where libcurl would ask first whether it may send (more than a megabyte), it must not.
  @Test func largeBodyIsSentWithoutAsking() throws {
    let body = String(repeating: "b", count: 1_500_000)
    let text = try sent(.money("", body: body))
    #expect(text.hasSuffix("\r\n\r\n" + body))
    #expect(!text.contains("Expect"))
  }

  @Test func secretsArePutInPlace() throws {
    let store = try #require(hcs_secret_store_create())
    defer { hcs_secret_store_destroy(store) }
    let number = Array("4111111111111111".utf8)
    let secret = hcs_secret_intern(store, number, number.count)
    var request = TransportRequest.money("")
    request.content.body = [.text("{\"n\":\""), .secret(SecretID(secret)), .text("\"}")]
    #expect(try sent(request, secrets: store).hasSuffix("\r\n\r\n{\"n\":\"4111111111111111\"}"))
    request.content.body = [.secret(SecretID(secret + 1))]
    let bench = try TransportBench()
    request.content.url = "http://127.0.0.1:1/"
    #expect(throws: TransportFault.secretMissing) { try bench.transport.start(request, secrets: store) }
    #expect(throws: TransportFault.secretMissing) { try bench.transport.start(request) }
  }

  @Test(arguments: [
    ("A\r\nB", "x"), ("A", "x\r\nB: y"), ("A", "x\ny"), ("A", "x\u{0}y"), ("", "x"), ("A B", "x"), ("A:", "x"),
    ("Ä", "x"), ("Content-Length", "5"), ("content-LENGTH", "5"), ("Transfer-Encoding", "chunked"), ("Host", "x"),
    ("Expect", "100-continue"), ("Connection", "close"), ("Upgrade", "h2c"), ("TE", "trailers"),
  ]) func headerIsRefused(name: String, value: String) throws {
    let bench = try TransportBench()
    var request = TransportRequest.get("http://127.0.0.1:1/")
    request.content.headers = [Header(name, value)]
    #expect(throws: TransportFault.headerInvalid) { try bench.transport.start(request) }
    #expect(bench.transport.runningCount == 0)
  }

  @Test func answerHeadersOfInterest() throws {
    let server = try RawServer([
      .read,
      .send(
        "HTTP/1.1 103 Early\r\nDate: early\r\n\r\nHTTP/1.1 429 No\r\ndate:  Tue, 01 Jan 2030 00:00:00 GMT \r\n"
          + "Date: second\r\nContent-Type: application/json;charset=utf-8\r\nRETRY-AFTER: 7\r\nDated: no\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n0\r\nContent-Type: trailer\r\n\r\n"), .hold,
    ])
    defer { server.stop() }
    let result = try #require(try TransportBench().run(.get(server.url)))
    #expect(result.isComplete)
    #expect(result.status == 429)
    #expect(result.date == "Tue, 01 Jan 2030 00:00:00 GMT")
    #expect(result.contentType == "application/json;charset=utf-8")
    #expect(result.retryAfter == "7")
    #expect(!result.wasSecure)
  }

  @Test func answerHeadersMayBeMissing() throws {
    let server = try RawServer([.read, AnswerTableTests.answer("200 OK"), .hold])
    defer { server.stop() }
    let result = try #require(try TransportBench().run(.get(server.url)))
    #expect(result.date == nil)
    #expect(result.contentType == nil)
    #expect(result.retryAfter == nil)
  }

  @Test func answerOfJustTheAllowedLength() throws {
    for (length, fits) in [(1000, true), (1001, false)] {
      let server = try RawServer([
        .read, .send("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n"), .sendFiller(length), .hold,
      ])
      defer { server.stop() }
      var request = TransportRequest.get(server.url)
      request.responseBytes = 1000
      let result = try #require(try TransportBench().run(request))
      #expect(result.isComplete == fits)
      #expect(result.wasTooLarge == !fits)
      #expect(result.body.count <= 1000)
    }
  }
}
