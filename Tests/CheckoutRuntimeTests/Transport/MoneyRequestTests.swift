import CheckoutCore
import Testing

@testable import CheckoutRuntime

/// A request that can move money leaves once, and only when the last look lets it.
@Suite struct MoneyRequestTests {
  /// Answers one request, and dies under the second after it has read it: where libcurl sends again by itself.
  static let dyingConnection: [RawServer.Step] = [.read, AnswerTableTests.answer("200 OK"), .read, .close]
  static let goodConnection: [RawServer.Step] = [
    .read, AnswerTableTests.answer("200 OK"), .read, AnswerTableTests.answer("200 OK"), .hold,
  ]

  @Test func arrivesOnceThoughAKeptConnectionDies() throws {
    let server = try RawServer(Self.dyingConnection, Self.dyingConnection)
    defer { server.stop() }
    let bench = try TransportBench()
    #expect(try bench.run(.get(server.url, identifier: 1))?.isComplete == true)
    #expect(try bench.run(.money(server.url, identifier: 2))?.isComplete == true)
    #expect(try bench.run(.money(server.url, identifier: 3))?.isComplete == true)
    #expect(server.requests.count { $0.hasPrefix("POST") } == 2)
    #expect(server.connections == 3, "each had a connection of its own")
  }

  @Test func theDangerIsReal() throws {
    let server = try RawServer(Self.dyingConnection, Self.goodConnection)
    defer { server.stop() }
    let bench = try TransportBench()
    #expect(try bench.run(.get(server.url, identifier: 1))?.isComplete == true)
    var request = TransportRequest.money(server.url, identifier: 2)
    request.content.money = .none
    #expect(try bench.run(request)?.isComplete == true)
    #expect(server.requests.count { $0.hasPrefix("POST") } == 2, "libcurl sends what moves no money again")
  }

  @Test func keptConnectionsAreUsedForTheRest() throws {
    let server = try RawServer(Self.goodConnection)
    defer { server.stop() }
    let bench = try TransportBench()
    #expect(try bench.run(.get(server.url, identifier: 1))?.isComplete == true)
    #expect(try bench.run(.get(server.url, identifier: 2))?.isComplete == true)
    #expect(server.connections == 1)
  }

  @Test(arguments: [true, false]) func staysWhenTheLastLookRefuses(movesMoney: Bool) throws {
    let server = try RawServer([.read, AnswerTableTests.answer("200 OK"), .hold])
    defer { server.stop() }
    var asked: [UInt64] = []
    let bench = try TransportBench {
      asked.append($0)
      return false
    }
    var request = TransportRequest.money(server.url, identifier: 77)
    request.content.money = movesMoney ? .opens : .none
    let result = try #require(try bench.run(request))
    #expect(asked == [77])
    #expect(result.wasRefused)
    #expect(!result.left)
    #expect(!result.isComplete)
    #expect(result.leftAt == nil)
    for _ in 0..<5 { bench.pump(milliseconds: 20) }
    #expect(server.connections == 1, "it was asked when the connection stood")
    #expect(server.bytes == 0)
  }

  @Test func isAskedOnceAndBeforeTheFirstByte() throws {
    let server = try RawServer(Self.goodConnection)
    defer { server.stop() }
    var asked: [UInt64] = []
    var bytesWhenAsked: [Int] = []
    let bench = try TransportBench {
      asked.append($0)
      bytesWhenAsked.append(server.bytes)
      return true
    }
    let result = try #require(try bench.run(.money(server.url, identifier: 5)))
    #expect(asked == [5])
    #expect(bytesWhenAsked == [0])
    #expect(result.left)
    let leftAt = try #require(result.leftAt)
    let answeredAt = try #require(result.answeredAt)
    #expect(leftAt <= answeredAt)
    #expect(answeredAt - leftAt < 5000)
  }

  @Test func nothingIsDoneFromInsideTheLastLook() throws {
    let server = try RawServer(Self.goodConnection)
    defer { server.stop() }
    var bench: TransportBench?
    var fault: TransportFault?
    var canceled: Bool? = true
    let made = try TransportBench { _ in
      do throws(TransportFault) {
        try bench?.transport.start(.get(server.url, identifier: 9))
      } catch {
        fault = error
      }
      canceled = bench?.transport.cancel(5)
      bench?.transport.timeout()
      return true
    }
    bench = made
    #expect(try made.run(.money(server.url, identifier: 5))?.isComplete == true)
    #expect(fault == .reentrant)
    #expect(canceled == nil)
    bench = nil
  }

  @Test func cancelTellsWhetherItHadLeft() throws {
    let server = try RawServer([.read, .hold])
    defer { server.stop() }
    let bench = try TransportBench()
    try bench.transport.start(.money(server.url, identifier: 1))
    #expect(bench.transport.runningCount == 1)
    #expect(bench.transport.cancel(1) == false)
    #expect(bench.transport.cancel(1) == nil)
    #expect(bench.transport.runningCount == 0)

    try bench.transport.start(.money(server.url, identifier: 2))
    while server.requests.isEmpty { bench.pump(milliseconds: 20) }
    #expect(bench.transport.cancel(2) == true)
    bench.pump(milliseconds: 20)
    #expect(bench.transport.nextResult() == nil)
    #expect(server.requests.count == 1)
  }

  @Test func identifiersAreUnique() throws {
    let server = try RawServer([.read, .hold])
    defer { server.stop() }
    let bench = try TransportBench()
    try bench.transport.start(.money(server.url, identifier: 1))
    #expect(throws: TransportFault.identifierInUse) { try bench.transport.start(.get(server.url, identifier: 1)) }
    try bench.transport.start(.get(server.url, identifier: 2))
    #expect(bench.transport.runningCount == 2)
  }

  @Test func manyAtOnceDoNotMix() throws {
    let server = try RawServer([.read, .pause(milliseconds: 20), AnswerTableTests.answer("200 OK"), .hold])
    defer { server.stop() }
    let bench = try TransportBench()
    for identifier in UInt64(1)...20 {
      try bench.transport.start(.money(server.url, identifier: identifier, body: "body \(identifier)."))
    }
    for identifier in UInt64(1)...20 { #expect(bench.result(of: identifier)?.isComplete == true) }
    for identifier in 1...20 {
      #expect(server.requests.count { $0.hasSuffix("\r\n\r\nbody \(identifier).") } == 1)
    }
  }
}
