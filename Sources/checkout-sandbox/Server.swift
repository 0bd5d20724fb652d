import CMicrohttpd
import CSandboxServer
import CheckoutSandbox
import Foundation

/// The sandbox behind libmicrohttpd, on loopback.
final class Server {
  private let service: Service
  private let daemon: OpaquePointer
  private let base: String
  private let port: UInt16

  init(_ options: Options) throws(Failure) {
    let certificate = try Self.text(options.tls?.certificate)
    let key = try Self.text(options.tls?.key)
    var bound: UInt16 = 0
    let listener = csandbox_listen(options.port, &bound)
    guard listener >= 0 else {
      throw .start("cannot listen on 127.0.0.1:\(options.port): \(String(cString: strerror(errno)))")
    }
    port = bound
    base = "\(options.tls == nil ? "http" : "https")://127.0.0.1:\(bound)"
    service = Service(base: base)
    // The daemon's callbacks borrow the service, which outlives the daemon: `stop` returns once no thread is left.
    let context = Unmanaged.passUnretained(service).toOpaque()
    guard
      let daemon = csandbox_start(
        listener, certificate, key, Callbacks.access, Callbacks.completed, Callbacks.connected, context)
    else {
      throw .start("libmicrohttpd does not start; is the certificate right, and the key its own?")
    }
    self.daemon = daemon
  }

  /// Says where the server is reached: in the port file, then on standard output.
  func announce(_ options: Options) throws(Failure) {
    if let file = options.portFile {
      do {
        try "\(port)\n".write(toFile: file, atomically: true, encoding: .utf8)
      } catch {
        throw .start("cannot write \(file)")
      }
    }
    // Whoever closed standard output has the port file.
    try? FileHandle.standardOutput.write(contentsOf: Data("checkout-sandbox: \(base)\n".utf8))
  }

  func stop() {
    service.stop()
    MHD_stop_daemon(daemon)
  }

  private static func text(_ path: String?) throws(Failure) -> String? {
    guard let path else { return nil }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { throw .start("cannot read \(path)") }
    return text
  }
}
