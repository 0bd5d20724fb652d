import Foundation
import Testing

@testable import CheckoutSandbox

/// The program behind TLS, asked by the openssl command.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TLSTests {
  private static func openssl(_ arguments: [String], input: String = "") throws -> String {
    let process = Process()
    let (into, out) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    process.standardInput = into
    process.standardOutput = out
    process.standardError = FileHandle.nullDevice
    try process.run()
    into.fileHandleForWriting.write(Data(input.utf8))
    let text = try out.fileHandleForReading.readToEnd() ?? Data()
    try into.fileHandleForWriting.close()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }

  private static func get(_ port: UInt16, _ path: String, method: String = "GET", body: String = "") throws -> String {
    let headers = ["Connection": "close"]
    return try openssl(
      ["s_client", "-quiet", "-connect", "127.0.0.1:\(port)"],
      input: Wire.request(method, path, body, headers: headers))
  }

  @Test func itServesAndBreaksAnswersBehindTLSToo() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let certificate = directory.appending(path: "certificate.pem").path
    let key = directory.appending(path: "key.pem").path
    _ = try Self.openssl([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
      "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
    ])
    let running = try RunningSandbox(["--tls", certificate, key])
    #expect(running.line == "checkout-sandbox: https://127.0.0.1:\(running.port)")
    #expect(try Self.get(running.port, "/datetime").hasPrefix("HTTP/1.1 200 OK\r\n"))
    for (fault, answer) in [
      ("halfHeader", "HTTP/1.1 200 OK\r\nContent"), ("reset", ""), ("dropAfterReading", ""), ("dropBeforeReading", ""),
    ] {
      let script: SandboxJSON = ["path": "datetime", "fault": .string(fault)]
      _ = try Self.get(running.port, "/sandbox/faults", method: "POST", body: script.text)
      #expect(try Self.get(running.port, "/datetime") == answer)
    }
    #expect(try Self.get(running.port, "/datetime").contains("\r\n\r\n{\"utc\":"))
    #expect(running.stop() == 0)
  }
}
