import CSystem
import CheckoutCore
import Foundation

@testable import CheckoutRuntime

/// A poller and a transport, pumped on the test's own thread.
final class TransportBench {
  let transport: CurlTransport
  private let poller: Poller
  private var results: [UInt64: TransportResult] = [:]

  private final class Poller {
    let pointer: OpaquePointer

    init() throws {
      guard let pointer = hcs_poller_create(-1) else { throw Failure.noPoller }
      self.pointer = pointer
    }

    deinit {
      hcs_poller_destroy(pointer)
    }
  }

  enum Failure: Error { case noPoller }

  init(
    _ options: TransportOptions = .init(allowsLoopbackHTTP: true), mayLeave: @escaping (UInt64) -> Bool = { _ in true }
  ) throws {
    let poller = try Poller()
    self.poller = poller
    // The transport lets go of the closure after its client, so that the poller outlives that.
    transport = try CurlTransport(options: options, poller: poller.pointer) { identifier in
      withExtendedLifetime(poller) { mayLeave(identifier) }
    }
  }

  /// Pumps until the request has ended; nil when it has not within ten seconds.
  func result(of identifier: UInt64) -> TransportResult? {
    let limit = Date() + 10
    while results[identifier] == nil, Date() < limit { pump(milliseconds: 50) }
    return results[identifier]
  }

  func run(_ request: TransportRequest, secrets: OpaquePointer? = nil) throws -> TransportResult? {
    try transport.start(request, secrets: secrets)
    return result(of: request.identifier)
  }

  func pump(milliseconds: Int32) {
    var ready = [hcs_ready](repeating: hcs_ready(), count: 16)
    var woken: Int32 = 0
    var expired: Int32 = 0
    hcs_poller_deadline(poller.pointer, transport.deadline ?? -1)
    let count = hcs_poller_wait(
      poller.pointer, milliseconds, &ready, Int32(ready.count), &woken, &expired)
    if count > 0 {
      for socket in ready.prefix(Int(count)) { transport.socketReady(socket) }
    }
    if let deadline = transport.deadline, deadline <= hcs_boot_milliseconds() { transport.timeout() }
    while let result = transport.nextResult() { results[result.identifier] = result }
    transport.tidy()
  }
}

extension TransportRequest {
  static func get(_ url: String, identifier: UInt64 = 1) -> TransportRequest {
    TransportRequest(identifier, Request(call: .time, method: "GET", url: url, headers: [], body: []))
  }

  static func money(_ url: String, identifier: UInt64 = 1, body: String = "{\"amount\":100}") -> TransportRequest {
    let headers = [Header("Content-Type", "application/json")]
    let content = Request(
      call: .validate, method: "POST", url: url, headers: headers, body: [.text(body)], money: .opens)
    return TransportRequest(identifier, content)
  }

  private init(_ identifier: UInt64, _ content: Request) {
    self.init(
      identifier: identifier, content: content, connectMilliseconds: 3000, totalMilliseconds: 5000,
      responseBytes: 1 << 20)
  }
}
