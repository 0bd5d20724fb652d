import Testing

@testable import CheckoutSandbox

@Suite struct FaultTests {
  var bench = Bench()

  /// Meets a fault at /validate with a card that pays; returns the answer and how many payments there are.
  private mutating func validate(with fault: SandboxJSON) throws -> (reply: Bench.Reply, payments: Int) {
    let session = try bench.session()
    let added = bench.fault(fault.merging(["path": "validate"]))
    #expect(added.status == 201, "\(added.text)")
    let reply = bench.validate(session, [Bench.card("120.00")])
    return (reply, bench.payments().count)
  }

  @Test mutating func everyFaultDoesWhatItSays() throws {
    for kind in FaultKind.allCases {
      bench = Bench()
      let (reply, payments) = try validate(with: ["fault": .string(kind.rawValue)])
      #expect(payments == (kind.processesByDefault ? 1 : 0), "\(kind)")
      #expect(bench.requests(path: "validate").count == 1)
      let answered = bench.requests(path: "validate")[0]["answered"]
      #expect(answered == (reply.status == 0 ? .null : .integer(Int64(reply.status))))
      switch kind {
      case .dropBeforeReading: #expect(reply.action == .hangUpBeforeReading)
      case .dropAfterReading, .processThenDrop: #expect(reply.action == .hangUp)
      case .reset: #expect(reply.action == .reset)
      case .delay: #expect(reply.status == 200 && reply.delay == 0)
      case .status: #expect(reply.status == 503 && reply.code == "SANDBOX_FAULT")
      case .garbage:
        #expect(reply.status == 200)
        #expect(reply.header("Content-Type") == "application/json")
        #expect(reply.json == .null)
        #expect(String(validating: reply.response?.body ?? [], as: UTF8.self) == nil)
      case .redirect3xx: #expect(reply.status == 307 && reply.header("Location")?.hasPrefix(Bench.base) == true)
      case .truncated, .halfHeader, .clockSkew: break
      }
      #expect(reply.response == nil || reply.header("Date") != nil)
    }
  }

  @Test mutating func brokenAnswersBreakTheRealOne() throws {
    let truncated = try validate(with: ["fault": "truncated"]).reply.action
    guard case .sendBroken(let bytes) = truncated else {
      Issue.record("\(truncated)")
      return
    }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"))
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
    let length = try #require(parts[0].firstMatch(of: #/Content-Length: (\d+)/#).flatMap { Int($0.1) })
    #expect(parts[1].utf8.count == length / 2)
    #expect(parts[0].contains("Date: "))
    bench = Bench()
    let half = try validate(with: ["fault": "halfHeader"]).reply.action
    #expect(half == .sendBroken(Array("HTTP/1.1 200 OK\r\nContent".utf8)))
  }

  @Test(arguments: ["status", "garbage", "truncated", "halfHeader", "reset", "redirect3xx"], [true, false])
  mutating func someFaultsLetTheTestChooseWhetherItIsProcessed(_ kind: String, _ processes: Bool) throws {
    let (_, payments) = try validate(with: ["fault": .string(kind), "process": .bool(processes)])
    #expect(payments == (processes ? 1 : 0))
  }

  @Test mutating func parametersAreObeyed() throws {
    let slow = try validate(with: ["fault": "delay", "delayMs": 200])
    #expect(slow.reply.delay == 200 && slow.reply.status == 200)
    let status = try validate(with: ["fault": "status", "status": 409, "body": ["code": "SESSION_ALREADY_SUBMITTED"]])
    #expect(status.reply.status == 409 && status.reply.text == #"{"code":"SESSION_ALREADY_SUBMITTED"}"#)
    let away = try validate(with: ["fault": "redirect3xx", "status": 302, "location": "https://elsewhere.example/"])
    #expect(away.reply.status == 302 && away.reply.header("Location") == "https://elsewhere.example/")
    let lost = try validate(with: ["fault": "delay", "delayMs": 1])
    #expect(lost.reply.delay == 1)
  }

  @Test mutating func aFollowedRedirectIsSeen() throws {
    let (reply, _) = try validate(with: ["fault": "redirect3xx"])
    let location = try #require(reply.header("Location"))
    #expect(location.hasSuffix("/validate?redirected=1"))
    let path = String(location.dropFirst(Bench.base.count).dropLast("?redirected=1".count))
    _ = bench.send("POST", path, query: ["redirected": "1"], headers: Bench.clientHeaders)
    #expect(bench.requests(path: "validate").map { $0["query"]?["redirected"] } == [nil, "1"])
  }

  @Test mutating func faultsHitAsOftenAsAskedAfterThoseSkipped() {
    _ = bench.fault(["path": "datetime", "fault": "status", "status": 500, "skip": 1, "times": 2])
    _ = bench.fault(["path": "datetime", "fault": "status", "status": 501])
    // Rules stand in line: while the first still lets requests pass, the second hits.
    #expect((0..<5).map { _ in bench.send("GET", "/datetime").status } == [501, 500, 500, 200, 200])
    #expect(bench.send("GET", "/sandbox/faults").json["faults"] == [])
  }

  @Test mutating func aFaultWithoutEndLastsUntilDeleted() {
    _ = bench.fault(["path": "datetime", "fault": "status", "times": .null])
    for _ in 0..<10 { #expect(bench.send("GET", "/datetime").status == 503) }
    #expect(bench.send("DELETE", "/sandbox/faults").status == 204)
    #expect(bench.send("GET", "/datetime").status == 200)
  }

  @Test mutating func aFaultIsForItsPathAndMethodAndNeverForTheControls() throws {
    _ = bench.fault(["path": "*", "fault": "reset", "times": .null])
    #expect(bench.send("GET", "/datetime").action == .reset)
    #expect(bench.send("GET", "/sandbox/requests").status == 200)
    #expect(bench.send("GET", "/sandbox/payments").status == 200)
    #expect(bench.send("DELETE", "/sandbox/faults").status == 204)
    _ = bench.fault(["path": "client-sessions", "method": "GET", "fault": "status"])
    let id = try bench.session()
    #expect(bench.read(id).status == 503)
    _ = bench.fault(["path": "/\(Bench.entity)/sessions/\(id)/validate", "fault": "status"])
    #expect(bench.validate(try bench.session(), [Bench.card("120.00")]).status == 200)
    #expect(bench.validate(id, [Bench.card("120.00")]).status == 503)
  }

  @Test mutating func theClockCanBeWrong() throws {
    let session = try bench.session(sandbox: ["expiresInS": 600])
    _ = bench.fault(["path": "*", "fault": "clockSkew", "skewS": -3_600])
    let time = bench.send("GET", "/datetime")
    #expect(time.json["iso"] == "2029-12-31T23:00:00.000Z")
    #expect(time.header("Date") == "Mon, 31 Dec 2029 23:00:00 GMT")
    _ = bench.fault(["fault": "clockSkew", "skewS": 1_800, "times": 1])
    #expect(bench.send("GET", "/datetime").json["iso"] == "2029-12-31T23:30:00.000Z")
    #expect(bench.send("GET", "/datetime").json["iso"] == "2029-12-31T23:00:00.000Z")
    // Whoever is late by the true clock is in time by this one.
    bench.now += 900_000
    #expect(bench.validate(session, [Bench.card("120.00")]).status == 200)
    _ = bench.send("DELETE", "/sandbox/faults")
    _ = bench.fault(["fault": "clockSkew", "skewS": 3_600])
    let other = try bench.session(sandbox: ["expiresInS": 600])
    #expect(bench.validate(other, [Bench.card("120.00")]).status == 200)
    _ = bench.send("DELETE", "/sandbox/faults")
    _ = bench.fault(["path": "validate", "fault": "clockSkew", "skewS": 3_600])
    #expect(bench.validate(try bench.session(), [Bench.card("120.00")]).code == "SESSION_EXPIRED")
  }

  @Test mutating func aSkewGoesWithAnotherFault() {
    _ = bench.fault(["path": "datetime", "fault": "clockSkew", "skewS": 60])
    _ = bench.fault(["path": "datetime", "fault": "status"])
    let reply = bench.send("GET", "/datetime")
    #expect(reply.status == 503)
    #expect(reply.header("Date") == "Tue, 01 Jan 2030 00:01:00 GMT")
  }

  @Test mutating func aLostPaymentMeetsADelayAsALoss() throws {
    let session = try bench.session()
    _ = bench.fault(["path": "validate", "fault": "delay", "delayMs": 10])
    #expect(bench.validate(session, [Bench.card("120.00", "lost")]).action == .hangUp)
  }

  @Test mutating func dropBeforeReadingIsSaidBeforeTheBody() throws {
    let session = try bench.session()
    let path = "/\(Bench.entity)/sessions/\(session)/validate"
    let head = SandboxRequest(method: "POST", path: path)
    #expect(bench.sandbox.open(head, at: bench.now) == nil)
    _ = bench.fault(["path": "validate", "fault": "status"])
    #expect(bench.sandbox.open(head, at: bench.now) == nil)
    _ = bench.send("DELETE", "/sandbox/faults")
    _ = bench.fault(["path": "validate", "fault": "dropBeforeReading", "skip": 1])
    #expect(bench.sandbox.open(head, at: bench.now) == nil)
    _ = bench.send(head)
    #expect(bench.sandbox.open(head, at: bench.now) == .hangUpBeforeReading)
    #expect(bench.sandbox.open(head, at: bench.now) == nil)
    #expect(bench.requests(path: "validate").map { $0["body"] } == [.null, .null])
    _ = bench.fault(["path": "*", "fault": "dropBeforeReading"])
    #expect(bench.sandbox.open(SandboxRequest(method: "DELETE", path: "/sandbox/faults"), at: bench.now) == nil)
  }

  @Test(
    arguments: [
      #"{"path":"init"}"#, #"{"path":"init","fault":"fire"}"#, #"{"fault":"reset"}"#, #"{"path":1,"fault":"reset"}"#,
      #"{"path":"init","fault":"reset","typo":1}"#, #"{"path":"init","fault":"reset","times":0}"#,
      #"{"path":"init","fault":"reset","times":"1"}"#, #"{"path":"init","fault":"reset","skip":-1}"#,
      #"{"path":"init","fault":"status","status":99}"#, #"{"path":"init","fault":"redirect3xx","status":200}"#,
      #"{"path":"init","fault":"delay","delayMs":600001}"#, #"{"path":"init","fault":"delay","process":false}"#,
      #"{"path":"init","fault":"dropAfterReading","process":true}"#, #"{"path":"init","fault":"reset","process":1}"#,
      #"{"path":"init","fault":"reset","method":1}"#, #"{"path":"init","fault":"redirect3xx","location":1}"#, "[]", "",
    ])
  mutating func aBadFaultIsRefused(_ body: String) {
    #expect(bench.send("POST", "/sandbox/faults", body).status == 400)
    #expect(bench.send("GET", "/sandbox/faults").json == ["faults": []])
  }
}
