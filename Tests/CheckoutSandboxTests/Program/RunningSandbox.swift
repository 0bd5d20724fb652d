import Foundation
import Glibc
import Testing

@testable import CheckoutSandbox

/// The built program, running.
final class RunningSandbox {
  let process = Process()
  let line: String
  let port: UInt16

  /// Starts the program that lies next to the tests and reads the line that it prints.
  init(_ arguments: [String] = []) throws {
    let output = Pipe()
    process.executableURL = Self.program
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var text = ""
    while !text.hasSuffix("\n"), let byte = try output.fileHandleForReading.read(upToCount: 1) {
      text += String(decoding: byte, as: UTF8.self)
    }
    line = String(text.dropLast())
    port = try #require(line.split(separator: ":").last.flatMap { UInt16($0) }, "\(line)")
  }

  static var program: URL {
    let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: tests).deletingLastPathComponent().appending(path: "checkout-sandbox")
  }

  /// Runs the program to its end: status and standard error.
  static func run(_ arguments: [String]) throws -> (status: Int32, error: String) {
    let process = Process()
    let error = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = error
    try process.run()
    let text = try error.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self))
  }

  /// Asks it to stop; the status that it ends with, which has to be its own and not a signal's.
  func stop(_ signal: Int32 = SIGTERM) -> Int32 {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  func connect() throws -> Wire { try Wire(port: port) }

  /// One request on a connection of its own.
  func send(
    _ method: String, _ path: String, _ body: String = "", headers: [String: String] = [:]
  ) throws -> Wire.Reply {
    try connect().exchange(method, path, body, headers: headers)
  }

  func fault(_ fault: SandboxJSON) throws { #expect(try send("POST", "/sandbox/faults", fault.text).status == 201) }

  func requests(path: String) throws -> [SandboxJSON] {
    try send("GET", "/sandbox/requests?path=\(path)").json["requests"]?.elements ?? []
  }
}
