import CSystem
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
    request.url = server.url
    #expect(try bench.run(request, secrets: secrets)?.isComplete == true)
    return try #require(server.requests.first).replacing("127.0.0.1:\(server.port)", with: "HOST")
  }

  @Test func moneyRequest() throws {
    var request = TransportRequest.money("", body: "{\"a\":1}")
    request.headers.append(.init(name: "Idempotency-Key", value: "k-1"))
    request.headers.append(.init(name: "X-Empty", value: ""))
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
    request.method = .post
    request.body = []
    let text = try sent(request)
    #expect(text == "POST /path HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nContent-Length: 0\r\n\r\n")
    request.body = [.text(Array("x".utf8))]
    for method in [TransportRequest.Method.put, .patch, .delete] {
      request.method = method
      #expect(
        try sent(request)
          == "\(method.text) /path HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nContent-Length: 1\r\n\r\nx")
    }
  }

  @Test func deleteWithoutBody() throws {
    var request = TransportRequest.get("")
    request.method = .delete
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
    request.body = [.text(Array("{\"n\":\"".utf8)), .secret(secret), .text(Array("\"}".utf8))]
    #expect(try sent(request, secrets: store).hasSuffix("\r\n\r\n{\"n\":\"4111111111111111\"}"))
    request.body = [.secret(secret + 1)]
    let bench = try TransportBench()
    request.url = "http://127.0.0.1:1/"
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
    request.headers = [.init(name: name, value: value)]
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
