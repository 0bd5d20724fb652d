import Foundation

/// A server on 127.0.0.1 that does to each connection what its script says, and remembers what arrived.
final class RawServer: @unchecked Sendable {
  enum Step: Sendable {
    /// Reads one whole request; ends the script when the peer is gone.
    case read
    case send(String)
    /// Sends so many bytes of "x".
    case sendFiller(Int)
    case pause(milliseconds: UInt32)
    /// Keeps the connection open until the server stops.
    case hold
    case close
    /// Closes in such a way that the peer gets a reset.
    case reset
  }

  let port: UInt16
  private let listener: Int32
  private let scripts: [[Step]]
  private let lock = NSLock()
  private var open: Set<Int32> = []
  private var isStopped = false
  private var connectionCount = 0
  private var receivedRequests: [String] = []
  private var receivedBytes = 0

  /// Connection n gets script n; the last script serves all that follow.
  init(_ scripts: [Step]...) throws {
    self.scripts = scripts
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> Bool in
        var size = length
        return bind(descriptor, generic, length) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, generic, &size) == 0
      }
    }
    guard bound else { throw Failure.cannotListen }
    port = UInt16(bigEndian: address.sin_port)
    Thread.detachNewThread { [self] in acceptAll() }
  }

  enum Failure: Error { case cannotListen }

  var url: String { "http://127.0.0.1:\(port)/path" }
  var connections: Int { lock.withLock { connectionCount } }
  var requests: [String] { lock.withLock { receivedRequests } }
  var bytes: Int { lock.withLock { receivedBytes } }

  func stop() {
    lock.withLock {
      isStopped = true
      for descriptor in open { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  /// A port of 127.0.0.1 on which nobody listens.
  static func unusedPort() throws -> UInt16 {
    let server = try RawServer([.close])
    server.stop()
    while connectSucceeds(server.port) { usleep(1000) }
    return server.port
  }

  private static func connectSucceeds(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { Foundation.close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private func acceptAll() {
    while true {
      let descriptor = accept(listener, nil, nil)
      if descriptor < 0 { break }
      let script: [Step]? = lock.withLock {
        if isStopped { return nil }
        open.insert(descriptor)
        let script = scripts[min(connectionCount, scripts.count - 1)]
        connectionCount += 1
        return script
      }
      guard let script else {
        Foundation.close(descriptor)
        break
      }
      Thread.detachNewThread { [self] in perform(script, on: descriptor) }
    }
    Foundation.close(listener)
  }

  private func perform(_ script: [Step], on descriptor: Int32) {
    var pending: [UInt8] = []
    loop: for step in script {
      switch step {
      case .read: if !readRequest(descriptor, &pending) { break loop }
      case .send(let text): send(Array(text.utf8), on: descriptor)
      case .sendFiller(let count): send([UInt8](repeating: UInt8(ascii: "x"), count: count), on: descriptor)
      case .pause(let milliseconds): usleep(milliseconds * 1000)
      case .hold: while receive(descriptor, &pending) {}
      case .close: break loop
      case .reset:
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        break loop
      }
    }
    lock.withLock {
      open.remove(descriptor)
      Foundation.close(descriptor)
    }
  }

  private func send(_ bytes: [UInt8], on descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if sent <= 0 { return }
      rest = rest.dropFirst(sent)
    }
  }

  private func receive(_ descriptor: Int32, _ pending: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count <= 0 { return false }
    pending.append(contentsOf: buffer.prefix(count))
    lock.withLock { receivedBytes += count }
    return true
  }

  private func readRequest(_ descriptor: Int32, _ pending: inout [UInt8]) -> Bool {
    while true {
      if let end = Self.endOfRequest(pending) {
        let text = String(decoding: pending.prefix(end), as: UTF8.self)
        pending.removeFirst(end)
        lock.withLock { receivedRequests.append(text) }
        return true
      }
      if !receive(descriptor, &pending) { return false }
    }
  }

  private static func endOfRequest(_ bytes: [UInt8]) -> Int? {
    guard let head = Data(bytes).range(of: Data("\r\n\r\n".utf8)) else { return nil }
    let text = String(decoding: bytes.prefix(head.upperBound), as: UTF8.self).lowercased()
    var length = 0
    for line in text.components(separatedBy: "\r\n") where line.hasPrefix("content-length:") {
      length = Int(line.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) ?? 0
    }
    return bytes.count >= head.upperBound + length ? head.upperBound + length : nil
  }
}
