import Foundation

/// `openssl s_server` on a port of its own, with certificates made for the occasion.
final class TLSServer {
  let port: UInt16
  private let process: Process

  /// A key and certificate in a folder that goes away with it.
  final class Identity {
    let folder: URL
    var certificateFile: String { folder.appending(path: "certificate.pem").path }
    var keyFile: String { folder.appending(path: "key.pem").path }

    /// `name` as in subjectAltName: "IP:127.0.0.1", "DNS:localhost".
    init(name: String, keyPassword: String? = nil) throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let protection = keyPassword.map { ["-passout", "pass:\($0)"] } ?? ["-nodes"]
      try TLSServer.openssl(
        [
          "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-subj", "/CN=test",
          "-addext", "subjectAltName=\(name)", "-days", "2", "-keyout", keyFile, "-out", certificateFile,
        ] + protection)
    }

    deinit {
      try? FileManager.default.removeItem(at: folder)
    }
  }

  enum Failure: Error { case openssl, noPort }

  init(_ identity: Identity, arguments: [String] = []) throws {
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments =
      ["s_server", "-accept", "127.0.0.1:0", "-www", "-cert", identity.certificateFile, "-key", identity.keyFile]
      + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var text = ""
    while let chunk = try output.fileHandleForReading.read(upToCount: 1) {
      if chunk.isEmpty { break }
      text += String(decoding: chunk, as: UTF8.self)
      if text.hasSuffix("\n"), text.contains("ACCEPT") { break }
    }
    guard let last = text.split(separator: ":").last, let port = UInt16(last.trimmingCharacters(in: .newlines)) else {
      kill(process.processIdentifier, SIGKILL)
      throw Failure.noPort
    }
    self.port = port
  }

  deinit {
    // A child of a test may have been started with SIGTERM blocked.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private static func openssl(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/openssl")
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure.openssl }
  }
}
