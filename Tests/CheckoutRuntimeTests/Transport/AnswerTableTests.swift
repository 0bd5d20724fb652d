import Testing

@testable import CheckoutRuntime

/// What is said about a money request for everything that a network can do to it.
@Suite struct AnswerTableTests {
  struct Row: CustomTestStringConvertible, Sendable {
    var name: String
    var script: [RawServer.Step]
    /// Nil where the reset may come before the first byte or after it.
    var left: Bool? = true
    var isComplete = false
    var status = 0
    var body = ""
    var wasTooLarge = false
    var arrivals = 1

    var testDescription: String { name }
  }

  static func answer(_ status: String, _ body: String = "{}") -> RawServer.Step {
    .send("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  static let rows: [Row] = [
    Row(name: "whole answer", script: [.read, answer("200 OK"), .hold], isComplete: true, status: 200, body: "{}"),
    Row(
      name: "whole answer, then reset", script: [.read, answer("200 OK"), .pause(milliseconds: 100), .reset],
      isComplete: true, status: 200, body: "{}"),
    Row(
      name: "no content", script: [.read, .send("HTTP/1.1 204 No Content\r\n\r\n"), .hold], isComplete: true,
      status: 204),
    Row(
      name: "client error", script: [.read, answer("422 No", "[1]"), .hold], isComplete: true, status: 422, body: "[1]"),
    Row(name: "server error", script: [.read, answer("503 No"), .hold], isComplete: true, status: 503, body: "{}"),
    Row(
      name: "expectation failed", script: [.read, answer("417 No"), .read, answer("200 OK"), .hold], isComplete: true,
      status: 417, body: "{}"),
    Row(
      name: "unauthorised with a challenge",
      script: [
        .read, .send("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n"), .read,
        answer("200 OK"), .hold,
      ], isComplete: true, status: 401),
    Row(
      name: "request time-out, keep-alive", script: [.read, answer("408 No"), .read, answer("200 OK")],
      isComplete: true,
      status: 408, body: "{}"),
    Row(
      name: "moved",
      script: [
        .read, .send("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"), .read,
        answer("200 OK"), .hold,
      ], isComplete: true, status: 302),
    Row(
      name: "moved, method kept",
      script: [
        .read, .send("HTTP/1.1 308 Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"), .read,
        answer("200 OK"), .hold,
      ], isComplete: true, status: 308),
    Row(
      name: "interim answer first",
      script: [
        .read, .send("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nDate: x\r\n\r\n"), answer("201 Yes"),
        .hold,
      ], isComplete: true, status: 201, body: "{}"),
    Row(
      name: "chunked",
      script: [
        .read, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nDate: x\r\n\r\n"), .hold,
      ], isComplete: true, status: 200, body: "{}"),
    Row(
      name: "until the end of the connection", script: [.read, .send("HTTP/1.0 200 OK\r\n\r\n{}"), .close],
      isComplete: true,
      status: 200, body: "{}"),
    Row(name: "reset at once", script: [.reset], left: nil, arrivals: 0),
    Row(name: "reset before reading", script: [.pause(milliseconds: 100), .reset], arrivals: 0),
    Row(name: "closed before reading", script: [.close], left: nil, arrivals: 0),
    Row(name: "reads all, then closes", script: [.read, .close]),
    Row(name: "reads all, then resets", script: [.read, .reset]),
    Row(name: "reads all and never answers", script: [.read, .hold]),
    Row(name: "interim answer only", script: [.read, .send("HTTP/1.1 100 Continue\r\n\r\n"), .close]),
    Row(name: "half a status line", script: [.read, .send("HTTP/1.1 20"), .close]),
    Row(name: "status line only", script: [.read, .send("HTTP/1.1 200 OK\r\n"), .close]),
    Row(name: "half a header", script: [.read, .send("HTTP/1.1 200 OK\r\nContent-Len"), .close]),
    Row(name: "headers without their end", script: [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"), .close]),
    Row(
      name: "headers without their end, then reset",
      script: [
        .read, .send("HTTP/1.1 401 No\r\nContent-Length: 0\r\n"), .pause(milliseconds: 50), .reset,
      ]),
    Row(
      name: "headers without their end, then silence",
      script: [
        .read, .send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"), .hold,
      ]),
    Row(
      name: "truncated body", script: [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}"), .close],
      status: 200, body: "{}"),
    Row(
      name: "truncated body, then silence",
      script: [
        .read, .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}"), .hold,
      ], status: 200, body: "{}"),
    Row(
      name: "truncated chunk",
      script: [
        .read, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{}"), .close,
      ], status: 200, body: "{}"),
    Row(
      name: "chunks without the last",
      script: [
        .read, .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"), .close,
      ], status: 200, body: "{}"),
    Row(name: "not HTTP", script: [.read, .send("SSH-2.0-OpenSSH\r\n"), .close]),
    Row(name: "HTTP/0.9", script: [.read, .send("{\"paid\":true}"), .close]),
    Row(
      name: "length that is no number",
      script: [.read, .send("HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n{}"), .close]),
    Row(
      name: "unasked switch of protocols",
      script: [
        .read, .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n{}"), .close,
      ]),
    Row(
      name: "answer too large, by its length",
      script: [
        .read, .send("HTTP/1.1 200 OK\r\nContent-Length: 4000000\r\n\r\n"), .sendFiller(4_000_000), .hold,
      ], status: 200, wasTooLarge: true),
    Row(
      name: "answer too large, without length",
      script: [
        .read, .send("HTTP/1.1 200 OK\r\n\r\n"), .sendFiller(4_000_000), .close,
      ], status: 200, wasTooLarge: true),
    Row(
      name: "headers without end",
      script: [
        .read, .send("HTTP/1.1 200 OK\r\n" + String(repeating: "A: b\r\n", count: 100_000)), .hold,
      ], wasTooLarge: true),
  ]

  @Test(arguments: rows) func moneyRequest(_ row: Row) throws {
    let server = try RawServer(row.script)
    defer { server.stop() }
    let bench = try TransportBench()
    var request = TransportRequest.money(server.url)
    request.totalMilliseconds = 700
    let result = try #require(try bench.run(request))
    #expect(result.left == (row.left ?? result.left))
    #expect(result.isComplete == row.isComplete)
    #expect(result.status == row.status)
    #expect(result.wasTooLarge == row.wasTooLarge)
    #expect(!result.wasRefused)
    #expect(result.message.isEmpty == row.isComplete)
    if !row.wasTooLarge { #expect(String(decoding: result.body, as: UTF8.self) == row.body) }
    #expect(server.connections == 1)
    #expect(server.requests.count == row.arrivals)
    #expect(bench.transport.runningCount == 0)
  }

  struct Unreachable: CustomTestStringConvertible, Sendable {
    var name: String
    var url: String
    var libraryCode: Int32
    var testDescription: String { name }
  }

  static let unreachable = [
    Unreachable(name: "nobody listens", url: "https://127.0.0.1:1/", libraryCode: 7),
    Unreachable(name: "no such name", url: "https://nothing.invalid/", libraryCode: 6),
  ]

  @Test(arguments: unreachable) func neverLeft(_ row: Unreachable) throws {
    let bench = try TransportBench()
    let result = try #require(try bench.run(.money(row.url)))
    #expect(!result.left)
    #expect(!result.isComplete)
    #expect(result.status == 0)
    #expect(result.libraryCode == row.libraryCode)
    #expect(result.leftAt == nil)
    #expect(!result.message.isEmpty)
    #expect(!result.message.contains("invalid"), "the words name no host")
  }

  @Test func connectionThatNeverStands() throws {
    // A listener whose queue is full would do the same; a TLS handshake that is never answered is simpler.
    let server = try RawServer([.hold])
    defer { server.stop() }
    let bench = try TransportBench()
    var request = TransportRequest.money("https://127.0.0.1:\(server.port)/")
    request.connectMilliseconds = 300
    let result = try #require(try bench.run(request))
    #expect(!result.left)
    #expect(result.libraryCode == 28)
    #expect(server.requests.isEmpty)
  }

  @Test func plainServerUnderTLS() throws {
    let server = try RawServer([.pause(milliseconds: 50), .send("HTTP/1.1 400 Bad Request\r\n\r\n"), .close])
    defer { server.stop() }
    let bench = try TransportBench()
    let result = try #require(try bench.run(.money("https://127.0.0.1:\(server.port)/")))
    #expect(!result.left)
    #expect(result.status == 0)
    #expect(result.libraryCode == 35)
  }
}
