import Testing

@testable import CheckoutSandbox

@Suite struct JournalTests {
  var bench = Bench()

  @Test mutating func whatWasReceivedCanBeReadBack() throws {
    let session = try bench.session()
    bench.now += 5
    _ = bench.validate(session, [Bench.card("120.00", "declined")])
    let all = bench.requests()
    #expect(all.map { $0["n"]?.integer } == [1, 2])
    #expect(all.map { $0["method"] } == ["POST", "POST"])
    let validate = try #require(bench.requests(path: "validate").first)
    #expect(validate["n"] == 2)
    #expect(validate["path"] == .string("/\(Bench.entity)/sessions/\(session)/validate"))
    #expect(validate["headers"] == ["content-type": "application/json", "x-api-key": .string(Bench.key)])
    #expect(validate["body"]?[0]?["amount"] == .number("120.00"))
    #expect(validate["at"]?.integer == 1_893_456_000_005)
    #expect(validate["answered"] == 200)
  }

  @Test mutating func bodiesAreJSONOrTextAndABearerIsNotShown() {
    let headers = ["Authorization": "Bearer secret", "X-Other": "a"]
    _ = bench.send("POST", "/nothing", "plain text", headers: headers)
    _ = bench.send("GET", "/nothing", query: ["b": "2", "a": "1"])
    let requests = bench.requests()
    #expect(requests[0]["body"] == "plain text")
    #expect(requests[0]["headers"] == ["authorization": "Bearer", "x-other": "a"])
    #expect(requests[0]["answered"] == 404)
    #expect(requests[1]["body"] == .null)
    #expect(requests[1]["query"]?.text == #"{"a":"1","b":"2"}"#)
  }

  @Test mutating func headersThatStandTwiceAreJoined() {
    let headers = [SandboxRequest.Header(name: "X-A", value: "1"), SandboxRequest.Header(name: "x-a", value: "2")]
    _ = bench.send(SandboxRequest(method: "GET", path: "/datetime", headers: headers, connection: 3))
    #expect(bench.requests()[0]["headers"] == ["x-a": "1, 2"])
    #expect(bench.requests()[0]["connection"] == 3)
  }

  @Test mutating func pathsAreFoundBySegmentOrWhole() {
    for path in ["/datetime", "/datetimes", "/a/datetime/b"] { _ = bench.send("GET", path) }
    #expect(bench.requests(path: "datetime").map { $0["n"]?.integer } == [1, 3])
    #expect(bench.requests(path: "/datetime").map { $0["n"]?.integer } == [1])
    #expect(bench.requests(path: "*").count == 3)
    #expect(bench.requests(path: "nothing").isEmpty)
  }

  @Test mutating func theJournalCanBeClearedAndLeavesTheControlsOut() {
    _ = bench.send("GET", "/datetime")
    _ = bench.fault(["path": "x", "fault": "reset"])
    #expect(bench.requests().count == 1)
    #expect(bench.send("DELETE", "/sandbox/requests").status == 204)
    #expect(bench.requests().isEmpty)
    _ = bench.send("GET", "/datetime")
    #expect(bench.requests().map { $0["n"]?.integer } == [2])
  }

  @Test mutating func theSameInputsGiveTheSameAnswers() throws {
    func run() throws -> [String] {
      var bench = Bench()
      let created = bench.create(Bench.order())
      let session = try #require(created.json["id"]?.string)
      let paid = bench.validate(session, [Bench.card("120.00", "threeds")])
      return [created.text, paid.text, bench.send("GET", "/sandbox/requests").text]
    }
    #expect(try run() == run())
  }
}
