import CSystem
import CheckoutCore
import JSONText

/// A request that a checkout sent and whose one result it still waits for.
struct Transfer {
  var checkout: HostedCheckout
  var request: RequestID
  var content: Request
}

struct TransferResult {
  var checkout: HostedCheckout
  var request: RequestID
  var received: Received
}

/// A request that the host carries.
struct HostRequest {
  var ticket: UInt64
  var transfer: UInt64
  /// Boot milliseconds after which its answer is too late.
  var deadline: Int64
  /// The host has been asked: from here on it may have left.
  var isDelivered = false
}

extension Runtime {
  // MARK: From the checkouts

  func send(_ request: RequestID, _ content: Request, from checkout: HostedCheckout) {
    let transfer = nextTransfer
    nextTransfer &+= 1
    transfers[transfer] = Transfer(checkout: checkout, request: request, content: content)
    if options.usesHostTransport {
      let ticket = nextHostTicket
      nextHostTicket &+= 1
      hostRequests.append(
        HostRequest(ticket: ticket, transfer: transfer, deadline: now.boot &+ options.timeout(of: content.call)))
      queue(.http(ticket: ticket), pulls: callbacks.pulls)
    } else {
      toStart.append(transfer)
    }
  }

  /// Its one result comes in any case: here, unless it is already on its way.
  func cancel(_ request: RequestID, of checkout: HostedCheckout) {
    guard let transfer = transfers.first(where: { $0.value.checkout === checkout && $0.value.request == request })?.key
    else { return }
    if let index = toStart.firstIndex(of: transfer) {
      toStart.remove(at: index)
      finish(transfer, .nothing(left: false, reason: "cancelled"))
    } else if let index = hostRequests.firstIndex(where: { $0.transfer == transfer }) {
      let wasDelivered = hostRequests.remove(at: index).isDelivered
      finish(transfer, .nothing(left: wasDelivered, reason: "cancelled"))
    } else if let left = curl?.cancel(transfer) {
      finish(transfer, .nothing(left: left, reason: "cancelled"))
    }
  }

  func finish(_ transfer: UInt64, _ received: Received) {
    guard let ended = transfers.removeValue(forKey: transfer) else { return }
    results.append(TransferResult(checkout: ended.checkout, request: ended.request, received: received))
  }

  /// The last look, right before the first byte.
  func mayLeave(_ transfer: UInt64) -> Bool {
    guard let transfer = transfers[transfer] else { return false }
    return transfer.checkout.checkout.mayLeave(transfer.request, at: now)
  }

  // MARK: libcurl

  func startTransfers() {
    guard let curl, !toStart.isEmpty else { return }
    let starting = toStart
    toStart = []
    for transfer in starting {
      guard let content = transfers[transfer]?.content else { continue }
      do throws(TransportFault) {
        try curl.start(TransportRequest(transfer, content, options), secrets: secrets)
      } catch {
        finish(transfer, .nothing(left: false, reason: error.words))
      }
    }
  }

  func collectTransfers() {
    guard let curl else { return }
    while let result = curl.nextResult() {
      finish(result.identifier, Received(result, isTrusted: result.wasSecure || options.transport.allowsLoopbackHTTP))
    }
  }

  // MARK: The host's transport

  /// The hook's JSON, with the numbers in it; nil when it must not leave after all.
  func hostRequest(_ ticket: UInt64) -> HostText? {
    guard let index = hostRequests.firstIndex(where: { $0.ticket == ticket }),
      let transfer = transfers[hostRequests[index].transfer]
    else { return nil }
    guard mayLeave(hostRequests[index].transfer) else {
      finish(hostRequests.remove(at: index).transfer, .nothing(left: false, reason: "stopped"))
      return nil
    }
    hostRequests[index].isDelivered = true
    return transfer.content.hostText(timeout: options.timeout(of: transfer.content.call), secrets: secrets)
  }

  public func answerHTTP(
    _ ticket: UInt64, _ answer: [UInt8], _ body: [UInt8]
  ) throws(CallFault) -> String {
    let read = try reading { () throws(CheckoutError) in try HostHTTPAnswer(HostJSON.object(answer)) }
    lock.acquire()
    defer { lock.release() }
    expireHostRequests()
    guard let index = hostRequests.firstIndex(where: { $0.ticket == ticket && $0.isDelivered }) else {
      throw .refused(CheckoutError(.ticketClosed))
    }
    guard Int64(body.count) <= options.maxResponseBytes else {
      throw .refused(CheckoutError(.invalidArgument, message: "the body is larger than allowed", path: "length"))
    }
    finish(hostRequests.remove(at: index).transfer, read.received(body))
    feedResults()
    return "{}"
  }

  /// The library's own deadline: what the host says later is too late.
  func expireHostRequests() {
    let now = now.boot
    while let index = hostRequests.firstIndex(where: { $0.deadline <= now }) {
      let overdue = hostRequests.remove(at: index)
      finish(overdue.transfer, .nothing(left: overdue.isDelivered, reason: "timed out"))
    }
    feedResults()
  }
}

extension TransportRequest {
  fileprivate init(_ identifier: UInt64, _ content: Request, _ options: RuntimeOptions) {
    self.init(
      identifier: identifier, content: content, connectMilliseconds: options.connectTimeout,
      totalMilliseconds: options.timeout(of: content.call), responseBytes: Int(options.maxResponseBytes))
  }
}

extension Received {
  /// A status without a whole answer is no answer.
  fileprivate init(_ result: TransportResult, isTrusted: Bool) {
    if result.isComplete, result.status != 0, !result.wasTooLarge, !result.wasKeptFromResending {
      self = .answer(Answer(status: result.status, date: result.date, body: result.body, isTrusted: isTrusted))
    } else {
      self = .nothing(left: result.left, reason: result.message)
    }
  }
}

extension Request {
  /// The `http` hook's JSON. Its bytes may hold a card number, so they are wiped when the host has had them.
  fileprivate func hostText(timeout: Int64, secrets: OpaquePointer) -> HostText {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("type", string: "http")
    writer.member("method", string: method)
    writer.member("url", string: url)
    writer.key("headers")
    writer.beginObject()
    for header in headers { writer.member(header.name, string: header.value) }
    writer.endObject()
    writer.member("timeoutMs", integer: timeout)
    writer.member("money", string: money.name)
    writer.member("freshConnection", boolean: money != .none)
    writer.key("body")
    if body.isEmpty { writer.null() } else { writer.string("") }
    writer.endObject()
    var bytes = writer.bytes
    guard !body.isEmpty else { return HostText(bytes, isSecret: false) }
    defer { bytes.withUnsafeMutableBytes { hcs_wipe($0.baseAddress, $0.count) } }
    // The body is the last member: its text goes between the quotes that were written for it. Room for all of it is
    // made now, so that no outgrown copy is left behind unwiped.
    bytes.removeLast(2)
    bytes.reserveCapacity(bytes.count + 2 + body.reduce(0) { $0 + $1.mostBytes(secrets) })
    append(&bytes, secrets)
    bytes.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: "}")])
    return HostText(bytes, isSecret: true)
  }

  private func append(_ bytes: inout [UInt8], _ secrets: OpaquePointer) {
    for part in body {
      switch part {
      case .text(let text):
        var writer = JSONWriter()
        writer.string(text)
        bytes.append(contentsOf: writer.bytes.dropFirst().dropLast())
      case .secret(let id):
        var secret = [UInt8](repeating: 0, count: hcs_secret_length(secrets, id.value))
        let length = hcs_secret_copy(secrets, id.value, &secret, secret.count)
        bytes.append(contentsOf: secret.prefix(length))
        secret.withUnsafeMutableBytes { hcs_wipe($0.baseAddress, $0.count) }
      }
    }
  }
}

extension CheckoutCore.BodyPart {
  /// An escaped character takes six bytes at most.
  fileprivate func mostBytes(_ secrets: OpaquePointer) -> Int {
    switch self {
    case .text(let text): text.utf8.count * 6
    case .secret(let id): hcs_secret_length(secrets, id.value)
    }
  }
}

/// How the host's own HTTP ended.
private enum HostHTTPAnswer {
  case answer(status: Int, date: String?)
  case nothing(left: Bool, reason: String)

  init(_ request: borrowing FieldReader) throws(CheckoutError) {
    try request.allowOnly("ok error left")
    if request.value["ok"] != nil {
      try request.allowOnly("ok")
      let ok = try request.object("ok")
      try ok.allowOnly("status headers")
      let status = try ok.integer("status")
      guard (100...599).contains(status) else { throw ok.malformed("status", "not an HTTP status") }
      self = .answer(status: Int(status), date: try HostHTTPAnswer.date(try ok.optionalObject("headers")))
    } else {
      let error = try request.object("error")
      try error.allowOnly("message")
      _ = try error.optionalString("message")
      // Not said counts as left: in doubt the outcome is unknown.
      self = .nothing(left: try request.optionalBoolean("left") ?? true, reason: "the host's transport failed")
    }
  }

  /// Header names are the host's to spell.
  private static func date(_ headers: FieldReader?) throws(CheckoutError) -> String? {
    guard let headers else { return nil }
    var date: String?
    for member in headers.value.members {
      let text = try headers.string(member.key)
      if isDate(member.key) { date = text }
    }
    return date
  }

  private static func isDate(_ name: String) -> Bool {
    Array(name.utf8).map { $0 | 0x20 } == Array("date".utf8)
  }

  func received(_ body: [UInt8]) -> Received {
    switch self {
    case .answer(let status, let date): .answer(Answer(status: status, date: date, body: body))
    case .nothing(let left, let reason): .nothing(left: left, reason: reason)
    }
  }
}
