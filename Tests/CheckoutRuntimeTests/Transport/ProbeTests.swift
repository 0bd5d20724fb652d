import Foundation
import Testing

/// Tests/CSystemProbe, each scenario in a process of its own.
@Suite struct ProbeTests {
  static let answers: [RawServer.Step] = (0..<50).flatMap { _ in [.read, AnswerTableTests.answer("200 OK")] }

  struct Run {
    var status: Int32
    var output: String
  }

  static func probe(_ arguments: [String], environment: [String: String] = [:]) throws -> Run {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "csystem-probe")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Run(
      status: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus,
      output: String(decoding: output, as: UTF8.self))
  }

  @Test(arguments: ["hygiene", "pending", "threads", "forks"]) func withServer(_ scenario: String) throws {
    let server = try RawServer(Self.answers)
    defer { server.stop() }
    let run = try Self.probe([scenario, "\(server.port)"])
    #expect(run.status == 0)
    #expect(run.output == "")
  }

  @Test(arguments: ["forks-under-load", "secrets-in-child", "table", "wake"]) func alone(_ scenario: String) throws {
    let run = try Self.probe([scenario])
    #expect(run.status == 0)
    #expect(run.output == "")
  }

  @Test func environmentIsNotAsked() throws {
    let server = try RawServer(Self.answers)
    let proxy = try RawServer([.close])
    defer {
      server.stop()
      proxy.stop()
    }
    let address = "http://127.0.0.1:\(proxy.port)"
    let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    let run = try Self.probe(
      ["hygiene", "\(server.port)"], environment: Dictionary(uniqueKeysWithValues: names.map { ($0, address) }))
    #expect(run.status == 0)
    #expect(run.output == "")
    #expect(proxy.connections == 0)
  }

  // MARK: Other libraries in libcurl's place

  /// A folder with a shared library compiled from `source`, or with these bytes if there is no source.
  private func folder(_ name: String, source: String?) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: "probe-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let library = folder.appending(path: name)
    guard let source else {
      try Data("not a library".utf8).write(to: library)
      return folder
    }
    let file = folder.appending(path: "source.c")
    try Data(source.utf8).write(to: file)
    let compiler = Process()
    compiler.executableURL = URL(filePath: "/usr/bin/env")
    compiler.arguments = ["clang", "-shared", "-fPIC", "-w", "-o", library.path, file.path]
    try compiler.run()
    compiler.waitUntilExit()
    #expect(compiler.terminationStatus == 0)
    return folder
  }

  static let functions = [
    "global_init", "free", "easy_init", "easy_setopt", "easy_getinfo", "easy_cleanup", "easy_reset", "easy_strerror",
    "multi_init", "multi_setopt", "multi_add_handle", "multi_remove_handle", "multi_socket_action", "multi_info_read",
    "multi_cleanup", "slist_append", "slist_free_all", "url", "url_cleanup", "url_set", "url_get",
  ]

  private func stand(version: String, number: String, features: String) -> String {
    Self.functions.map { "void *curl_\($0)() { return 0; }\n" }.joined() + """
      static struct { int age; const char *version; unsigned number; const char *host; int features; long rest[40]; }
        about = { 9, "\(version)", \(number), "host", \(features) };
      void *curl_version_info() { return &about; }
      """
  }

  private func words(libcurl source: String?) throws -> String {
    let folder = try folder("libcurl.so.4", source: source)
    defer { try? FileManager.default.removeItem(at: folder) }
    let run = try Self.probe(["load"], environment: ["LD_LIBRARY_PATH": folder.path])
    #expect(run.status == 0)
    return run.output
  }

  @Test func libcurlOfTheSystem() throws {
    let output = try Self.probe(["load"]).output
    #expect(output.hasPrefix("libcurl/"))
    #expect(output.split(separator: " ").count == 2)
  }

  @Test func libcurlThatCannotBeLoaded() throws {
    #expect(try words(libcurl: nil) == "libcurl.so.4 cannot be loaded: is libcurl installed?\n")
  }

  @Test func libcurlWithoutAFunction() throws {
    #expect(
      try words(libcurl: "void *curl_global_init() { return 0; }")
        == "libcurl.so.4 has no function curl_version_info\n")
  }

  @Test func libcurlThatIsTooOld() throws {
    #expect(
      try words(libcurl: stand(version: "7.79.1", number: "0x074f01", features: "4"))
        == "libcurl 7.79.1 is too old: 7.80.0 or later is needed\n")
  }

  @Test func libcurlWithoutTLS() throws {
    #expect(
      try words(libcurl: stand(version: "8.0.0", number: "0x080000", features: "0"))
        == "this libcurl is built without TLS\n")
  }

  @Test func namesThatTakeLongAreGivenUpInTime() throws {
    let folder = try folder(
      "slow.so", source: "#include <unistd.h>\nint getaddrinfo() { sleep(4); return -2; }")
    defer { try? FileManager.default.removeItem(at: folder) }
    let start = Date()
    let run = try Self.probe(
      ["slow-names"], environment: ["LD_PRELOAD": folder.appending(path: "slow.so").path])
    #expect(Date().timeIntervalSince(start) < 3, "nor is a name looked up before the first request")
    #expect(run.status == 0)
    #expect(run.output == "")
  }
}
