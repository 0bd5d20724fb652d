import Foundation
import Glibc
import Testing

@testable import CheckoutSandbox

/// The program itself, over real sockets.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ProgramTests {
  @Test(arguments: [SIGTERM, SIGINT])
  func itSaysWhereItIsAndStopsCleanly(_ signal: Int32) throws {
    let running = try RunningSandbox()
    #expect(running.line == "checkout-sandbox: http://127.0.0.1:\(running.port)")
    #expect(try running.send("GET", "/datetime").status == 200)
    let idle = try running.connect()
    #expect(try idle.exchange("GET", "/datetime").status == 200)
    #expect(running.stop(signal) == 0)
    #expect(try idle.read().end == .closed)
  }

  @Test func itListensOnLoopbackOnly() throws {
    let running = try RunningSandbox()
    let port = String(running.port, radix: 16, uppercase: true)
    let suffix = ":" + String(repeating: "0", count: 4 - port.count) + port
    var listening: [String] = []
    for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
      for line in try String(contentsOfFile: table, encoding: .utf8).split(separator: "\n") {
        let fields = line.split(separator: " ")
        if fields.count > 3, fields[3] == "0A", fields[1].hasSuffix(suffix) { listening.append(String(fields[1])) }
      }
    }
    #expect(listening == ["0100007F\(suffix)"])
    #expect(running.stop() == 0)
  }

  @Test func thePortFileAndTheChosenPort() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appending(path: "port").path
    let first = try RunningSandbox(["--port-file", file])
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "\(first.port)\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["port"])
    let taken = try RunningSandbox.run(["--port", "\(first.port)"])
    #expect(taken.status == 1)
    #expect(taken.error.contains("cannot listen on 127.0.0.1:\(first.port)"))
    #expect(first.stop() == 0)
    let second = try RunningSandbox(["--port", "\(first.port)"])
    #expect(second.port == first.port)
    #expect(second.stop() == 0)
  }

  @Test(
    arguments: [
      ["--port"], ["--port", "65536"], ["--port", "x"], ["--tls", "certificate"], ["--port-file"], ["--other"], ["x"],
    ])
  func aBadCommandLineIsRefused(_ arguments: [String]) throws {
    let (status, error) = try RunningSandbox.run(arguments)
    #expect(status == 2)
    #expect(error.contains("usage: checkout-sandbox"))
  }

  @Test func whatCannotBeReadOrWrittenEndsIt() throws {
    #expect(try RunningSandbox.run(["--port-file", "/nowhere/port"]).status == 1)
    #expect(try RunningSandbox.run(["--tls", "/nowhere/certificate", "/nowhere/key"]).status == 1)
    #expect(try RunningSandbox.run(["--tls", "/dev/null", "/dev/null"]).status == 1)
  }

  @Test func aWholePayment() throws {
    let running = try RunningSandbox()
    let wire = try running.connect()
    let created = try wire.exchange(
      "POST", "/payment/v2/client-sessions", Bench.order().text, headers: Bench.merchantHeaders)
    #expect(created.status == 201)
    let id = try #require(created.json["id"]?.string)
    let path = "/\(Bench.entity)/sessions/\(id)"
    let card = Bench.giftCard("6000000000005000", "120.00")
    let read = try wire.exchange("POST", "\(path)/init", card.text, headers: Bench.clientHeaders)
    #expect(read.json["plugin_result"]?["amount"] == .number("50.00"))
    let split: SandboxJSON = [Bench.giftCard("6000000000005000", "50.00", step: 1), Bench.card("70.00", "threeds")]
    let paid = try wire.exchange("POST", "\(path)/validate", split.text, headers: Bench.clientHeaders)
    let page = try #require(paid.json["redirection"]?["url"]?.string)
    let base = "http://127.0.0.1:\(running.port)"
    #expect(page.hasPrefix("\(base)/sandbox/pages/"))
    let decided = try wire.exchange("GET", "\(page.dropFirst(base.count))/approve")
    #expect(decided.status == 302)
    #expect(decided.header("Location")?.hasPrefix("myapp://return?purse-redirection-data=") == true)
    let payments = try wire.exchange("GET", "/sandbox/payments?sessionId=\(id)").json["payments"]
    #expect(payments?.elements?.map { $0["status"] } == ["AUTHORIZED"])
    // One connection carried it all, and the journal knows.
    let requests = try running.requests(path: id)
    #expect(requests.count == 2)
    #expect(Set(requests.map { $0["connection"] }) == [1])
    #expect(running.stop() == 0)
  }

  @Test func aWholePrimerPayment() throws {
    let running = try RunningSandbox()
    let base = "http://127.0.0.1:\(running.port)"
    let wire = try running.connect()
    var primer = PrimerBench()
    let order = PrimerBench.order.merging(["sandbox": ["pendingPolls": 0, "returnURL": "shop://back"]])
    let created = try wire.exchange("POST", "/client-session", order.text, headers: PrimerBench.merchantHeaders).json
    primer.token = try PrimerBench.payload(created["clientToken"])
    #expect(primer.token["configurationUrl"] == .string("\(base)/client-sdk/configuration"))
    func call(_ kind: PrimerCall.Kind, _ value: String = "", _ body: SandboxJSON? = nil) throws -> SandboxJSON {
      let query = kind == .configuration ? "?withDisplayMetadata=true" : ""
      let reply = try wire.exchange(
        kind.method, PrimerBench.path(kind, value) + query, body?.text ?? "", headers: primer.headers(kind))
      #expect(reply.status == 200, "\(reply.text)")
      return reply.json
    }
    #expect(try call(.configuration)["clientSession"]?["clientSessionId"] == created["id"])
    #expect(try call(.lookUpPhone, "+33612345678")["isValid"] == true)
    let token = try call(.tokenize, "", PrimerBench.card(PrimerCase.processor3DS.number))["token"] ?? .null
    let payment = try call(.createPayment, "", ["paymentMethodToken": token])
    let action = try PrimerBench.payload(payment["requiredAction"]?["clientToken"])
    let page = try #require(action["redirectUrl"]?.string)
    let poll = try #require(action["statusUrl"]?.string?.split(separator: "/").last)
    #expect(try call(.poll, String(poll))["status"] == "PENDING")
    #expect(try wire.exchange("GET", "\(page.dropFirst(base.count))/approve").header("Location") == "shop://back")
    let resumeToken = try call(.poll, String(poll))["id"] ?? .null
    let resumed = try call(.resumePayment, payment["id"]?.string ?? "", ["resumeToken": resumeToken])
    #expect(resumed["status"] == "SUCCESS")
    #expect(try running.send("GET", "/sandbox/payments").json["payments"]?.elements?.count == 1)
    #expect(running.stop() == 0)
  }

  @Test func theDateIsTheSandboxsOwn() throws {
    let running = try RunningSandbox()
    let before = Int64(Date().timeIntervalSince1970)
    let wire = try running.connect()
    let text = try wire.exchange("GET", "/datetime")
    #expect(text.head.components(separatedBy: "Date:").count == 2)
    #expect(text.header("Date") == text.json["utc"]?.string)
    try running.fault(["fault": "clockSkew", "skewS": -86_400])
    let iso = try #require(try wire.exchange("GET", "/datetime").json["iso"]?.string)
    let skewed = try #require(SandboxTime.reading(iso.prefix(19) + "Z")) / 1_000
    #expect((before - 86_400...before - 86_390).contains(skewed))
    #expect(running.stop() == 0)
  }

  @Test func manyConnectionsAreServedAtOnce() throws {
    let running = try RunningSandbox()
    try running.fault(["path": "datetime", "fault": "delay", "delayMs": 1_500])
    let slow = try running.connect()
    try slow.write(Wire.request("GET", "/datetime", "", headers: [:]))
    usleep(50_000)
    let start = Date()
    let others = try (0..<20).map { _ in try running.connect() }
    for _ in 0..<3 {
      for other in others { try other.write(Wire.request("GET", "/datetime", "", headers: [:])) }
      for other in others { #expect(try other.read().status == 200) }
    }
    #expect(Date().timeIntervalSince(start) < 1.2)
    #expect(try slow.read().status == 200)
    #expect(Date().timeIntervalSince(start) >= 1.3)
    #expect(running.stop() == 0)
  }

  @Test func aDelayDoesNotHoldUpTheEnd() throws {
    let running = try RunningSandbox()
    try running.fault(["path": "datetime", "fault": "delay", "delayMs": 60_000])
    try running.connect().write(Wire.request("GET", "/datetime", "", headers: [:]))
    let waiting = try running.connect()
    try running.fault(["path": "datetime", "fault": "delay", "delayMs": 60_000])
    try waiting.write(Wire.request("GET", "/datetime", "", headers: [:]))
    usleep(50_000)
    let start = Date()
    #expect(running.stop() == 0)
    #expect(Date().timeIntervalSince(start) < 5)
  }
}

// What an HTTP server never means to do.
extension ProgramTests {
  @Test func brokenAnswersArriveBroken() throws {
    let running = try RunningSandbox()
    let meet = { (fault: String) throws -> Wire.Reply in
      try running.fault(["path": "datetime", "fault": .string(fault)])
      return try running.send("GET", "/datetime")
    }
    let half = try meet("halfHeader")
    #expect(half.text == "HTTP/1.1 200 OK\r\nContent" && half.end == .closed)
    let truncated = try meet("truncated")
    #expect(truncated.status == 200 && truncated.end == .closed)
    #expect(truncated.header("Content-Length") == "72" && truncated.body.utf8.count == 36)
    let reset = try meet("reset")
    #expect(reset.bytes.isEmpty && reset.end == .reset)
    for fault in ["dropAfterReading", "processThenDrop"] {
      let dropped = try meet(fault)
      #expect(dropped.bytes.isEmpty && dropped.end == .closed)
    }
    #expect(try meet("dropBeforeReading").bytes.isEmpty)
    #expect(try meet("status").status == 503)
    #expect(try meet("garbage").json == .null)
    let redirect = try meet("redirect3xx")
    #expect(redirect.status == 307)
    #expect(redirect.header("Location") == "http://127.0.0.1:\(running.port)/datetime?redirected=1")
    #expect(try running.send("GET", "/datetime").status == 200)
    let answered = try running.requests(path: "datetime").map { $0["answered"] ?? .null }
    #expect(answered == [.null, .null, .null, .null, .null, .null, 503, 200, 307, 200])
    #expect(running.stop() == 0)
  }

  @Test func aBodyIsNotReadWhenItIsDroppedBefore() throws {
    let running = try RunningSandbox()
    try running.fault(["path": "init", "fault": "dropBeforeReading"])
    let wire = try running.connect()
    try wire.write("POST /e/sessions/s/init HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n")
    // Nothing of the body was sent, and still the connection ends.
    #expect(try wire.read().end != .open)
    let request = try #require(try running.requests(path: "init").first)
    #expect(request["body"] == .null && request["answered"] == .null)
    #expect(running.stop() == 0)
  }

  @Test func aLostAnswerWasAPayment() throws {
    let running = try RunningSandbox()
    let created = try running.send(
      "POST", "/payment/v2/client-sessions", Bench.order().text, headers: Bench.merchantHeaders)
    let id = try #require(created.json["id"]?.string)
    let split: SandboxJSON = [Bench.card("120.00", "lost")]
    let path = "/\(Bench.entity)/sessions/\(id)/validate"
    let lost = try running.send("POST", path, split.text, headers: Bench.clientHeaders)
    #expect(lost.bytes.isEmpty && lost.end == .closed)
    let payments = try running.send("GET", "/sandbox/payments").json["payments"]
    #expect(payments?.elements?.map { $0["status"] } == ["AUTHORIZED"])
    #expect(running.stop() == 0)
  }

  @Test func aBodyInPiecesIsPutTogether() throws {
    let running = try RunningSandbox()
    let wire = try running.connect()
    let text = Wire.request("POST", "/nothing", #"{"a":1}"#, headers: [:])
    for piece in [text.prefix(20), text.dropFirst(20).dropLast(3), text.suffix(3)] {
      try wire.write(String(piece))
      usleep(20_000)
    }
    #expect(try wire.read().status == 404)
    #expect(try running.requests(path: "nothing").first?["body"] == ["a": 1])
    #expect(running.stop() == 0)
  }
}
