import Foundation
import Testing

@testable import CheckoutRuntime

/// A host of one runtime, told by callback. It notes what it is told, and whether that was still allowed.
private final class ToldHost {
  let runtime: Runtime
  private(set) var told: [(kind: Int32, json: [String: Any])] = []
  private(set) var releases = 0
  private(set) var toldAfterRelease = 0

  init(_ options: String) throws {
    runtime = try Runtime.create(
      abiVersion: Library.abiVersion, Array(options.utf8),
      HostCallbacks(listener: nil, hook: nil, release: nil, user: nil)
    ).runtime
  }

  deinit { runtime.destroy() }

  func create(_ more: String = "") throws -> UInt64 {
    let request = #"{"widgetData":"\#(Self.widgetData)","apiPaths":{"payment":"https://pay.example"}\#(more)}"#
    let callbacks = HostCallbacks(
      listener: { user, _, kind, json in
        guard let user, let json else { return }
        Unmanaged<ToldHost>.fromOpaque(user).takeUnretainedValue().tell(kind, String(cString: json))
      }, hook: nil,
      release: { user in
        guard let user else { return }
        Unmanaged<ToldHost>.fromOpaque(user).takeUnretainedValue().releases += 1
      }, user: Unmanaged.passUnretained(self).toOpaque())
    var bytes = Array(request.utf8)
    return try runtime.create(&bytes, callbacks).0
  }

  /// Called with what is told, in the callback.
  var spy: (() -> Void)?

  private func tell(_ kind: Int32, _ json: String) {
    spy?()
    if releases > 0 { toldAfterRelease += 1 }
    let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    told.append((kind, object ?? [:]))
  }

  func perform(_ call: HostCall, _ checkout: UInt64, _ request: String) throws {
    _ = try Handles.checkout(checkout).perform(call, Array(request.utf8))
  }

  func pump() throws { for _ in 0..<4 { try runtime.poll(timeout: 0) } }

  static let widgetData = Data(
    """
    {"api_key":"k","entity_id":"e1","environment":"sandbox","session":{"id":"s1","amount":120.00,\
    "currency_code":"EUR","expiration_date":"2099-01-01T00:30:00Z","protocols":{\
    "hipay":{"bancontact":{"configurations":{"stable":true,"labels":["primary"],"settings":{}}},\
    "ideal":{"configurations":{"stable":true,"labels":["primary"],"settings":{}}}}}}}
    """.utf8
  ).base64EncodedString()
}

@Suite("Deliveries")
struct DeliveryTests {
  @Test("what is told in order adds up to what is read, however many calls come before a poll")
  func changesKeepTheirOrder() throws {
    let host = try ToldHost(#"{"transport":"host","clock":"manual"}"#)
    let checkout = try host.create()
    try host.perform(.setPrimary, checkout, #"{"item":"hipay-bancontact"}"#)
    try host.perform(.elementOpen, checkout, #"{"item":"hipay-bancontact"}"#)
    try host.perform(.setPrimary, checkout, #"{"item":"hipay-ideal"}"#)
    try host.pump()
    let sequence = host.told.compactMap { $0.json["seq"] as? Int }
    #expect(sequence == sequence.sorted())
    var primary: String?
    for event in host.told {
      guard let changed = event.json["changed"] as? [String: Any] else { continue }
      if let told = changed["primary"] as? [String: Any] { primary = told["item"] as? String }
    }
    #expect(primary == "hipay-ideal")
  }

  @Test("release is the last use of what the host gave")
  func nothingAfterRelease() throws {
    let host = try ToldHost(#"{"transport":"host","clock":"manual"}"#)
    let checkout = try Handles.checkout(host.create())
    checkout.release()
    // In the callback of the last change, with the release queued: the session expires.
    host.spy = { [weak host] in
      _ = try? host?.runtime.notify(Array(#"{"advanceMs":1125899906842624}"#.utf8))
    }
    try host.pump()
    #expect(host.releases == 1)
    #expect(host.toldAfterRelease == 0)
  }

  @Test("hooks that nobody could answer are refused")
  func hooksNeedSomeoneToAsk() throws {
    let host = try ToldHost(#"{"transport":"host","clock":"manual"}"#)
    let checkout = try host.create()
    #expect(throws: CallFault.self) { try host.perform(.setHooks, checkout, #"{"hooks":["checkpoint"]}"#) }
    try host.perform(.setHooks, checkout, #"{"hooks":[]}"#)
  }

  @Test("a host that carries the HTTP must have a hook, or pull")
  func transportNeedsSomeoneToAsk() {
    #expect(throws: CallFault.self) {
      try Runtime.create(
        abiVersion: Library.abiVersion, Array(#"{"transport":"host"}"#.utf8),
        HostCallbacks(listener: { _, _, _, _ in }, hook: nil, release: nil, user: nil))
    }
  }

  @Test("a loop that is told of edges only reads a long answer to its end")
  func edgesForLongAnswers() throws {
    let length = 150_000
    let head = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\nConnection: close\r\n\r\n"
    let server = try RawServer([.read, .send(head), .sendFiller(length), .hold])
    defer { server.stop() }
    let host = try ToldHost(#"{"allowLoopbackHTTP":true}"#)
    let loop = try EdgeLoop(host.runtime.descriptor)
    let paths = #"{"payment":"https://pay.example","datetime":"http://127.0.0.1:\#(server.port)"}"#
    var request = Array(#"{"widgetData":"\#(ToldHost.widgetData)","apiPaths":\#(paths)}"#.utf8)
    _ = try host.runtime.create(
      &request, HostCallbacks(listener: nil, hook: nil, release: nil, user: nil))
    let limit = Date() + 3
    while host.runtime.transfers.count > 0, Date() < limit {
      if loop.wait(milliseconds: 100) { try host.runtime.poll(timeout: 0) }
      // Everything has arrived before the next look, so that no packet makes an edge of its own.
      usleep(20_000)
    }
    #expect(host.runtime.transfers.isEmpty)
  }
}

/// An epoll that is told of edges only; the functions are not in the toolchain's module of the C library.
private final class EdgeLoop {
  private typealias Create = @convention(c) (Int32) -> Int32
  private typealias Control = @convention(c) (Int32, Int32, Int32, UnsafeMutableRawPointer?) -> Int32
  private typealias Wait = @convention(c) (Int32, UnsafeMutableRawPointer?, Int32, Int32) -> Int32
  private let descriptor: Int32
  private let wait: Wait
  /// EPOLLIN and EPOLLET; the data that follows is not used.
  private var event: (UInt32, UInt32, UInt32, UInt32) = (1 | 1 << 31, 0, 0, 0)

  enum Failure: Error { case noEpoll }

  init(_ watched: Int32) throws {
    guard let create = dlsym(nil, "epoll_create1"), let control = dlsym(nil, "epoll_ctl"),
      let wait = dlsym(nil, "epoll_wait")
    else { throw Failure.noEpoll }
    descriptor = unsafeBitCast(create, to: Create.self)(0)
    self.wait = unsafeBitCast(wait, to: Wait.self)
    guard unsafeBitCast(control, to: Control.self)(descriptor, 1, watched, &event) == 0 else { throw Failure.noEpoll }
  }

  deinit { close(descriptor) }

  func wait(milliseconds: Int32) -> Bool {
    var ready: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    return wait(descriptor, &ready, 1, milliseconds) > 0
  }
}
