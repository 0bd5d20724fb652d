import Glibc
import Testing

@testable import CheckoutSandbox

/// A TCP connection that hides nothing: what arrives, byte for byte, and how it ends.
final class Wire {
  struct Failure: Error {
    let call: String
    let code: Int32
  }

  /// How the other side ended it.
  enum End: Equatable { case open, closed, reset }

  struct Reply {
    var bytes: [UInt8] = []
    var end = End.open

    private var parts: [Substring] { text.split(separator: "\r\n\r\n", maxSplits: 1) }
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var head: String { parts.first.map(String.init) ?? "" }
    var body: String { parts.count > 1 ? String(parts[1]) : "" }
    var status: Int { head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
    var json: SandboxJSON { (try? SandboxJSON(reading: body)) ?? .null }

    func header(_ name: String) -> String? {
      for line in head.split(separator: "\r\n").dropFirst() {
        let pair = line.split(separator: ":", maxSplits: 1)
        if pair.first?.lowercased() == name.lowercased() { return pair.last?.trimmingPrefix(" ").description }
      }
      return nil
    }

    var isWhole: Bool {
      guard parts.count > 0, text.contains("\r\n\r\n") else { return false }
      return body.utf8.count >= header("Content-Length").flatMap { Int($0) } ?? 0
    }
  }

  let descriptor: Int32

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Failure(call: "connect", code: errno) }
  }

  deinit { close(descriptor) }

  func write(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw Failure(call: "send", code: errno)
    }
  }

  static func request(_ method: String, _ path: String, _ body: String, headers: [String: String]) -> String {
    var text = "\(method) \(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
    return text + "\r\n" + body
  }

  func exchange(
    _ method: String, _ path: String, _ body: String = "", headers: [String: String] = [:]
  ) throws -> Reply {
    try write(Self.request(method, path, body, headers: headers))
    return try read()
  }

  /// Reads one whole answer, or what there is until the connection ends.
  func read() throws -> Reply {
    var reply = Reply()
    while !reply.isWhole {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count > 0 {
        reply.bytes += buffer[..<count]
      } else {
        guard count == 0 || errno == ECONNRESET else { throw Failure(call: "recv", code: errno) }
        reply.end = count == 0 ? .closed : .reset
        return reply
      }
    }
    return reply
  }
}
