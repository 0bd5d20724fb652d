import CMicrohttpd
import CSandboxServer
import CheckoutSandbox

/// What libmicrohttpd calls, on the connection's own thread.
enum Callbacks {
  /// A request being read; libmicrohttpd carries it from call to call.
  private final class Exchange {
    var request: SandboxRequest

    init(_ head: SandboxRequest) {
      request = head
      request.body = []
    }
  }

  /// More than any request of a checkout; whoever sends more is cut off.
  private static let largestBody = 8 << 20

  static let connected: MHD_NotifyConnectionCallback = { context, _, socketContext, reason in
    guard reason == .CONNECTION_NOTIFY_STARTED, let context, let socketContext else { return }
    socketContext.pointee = UnsafeMutableRawPointer(bitPattern: service(context).nextConnection())
  }

  static let completed: MHD_RequestCompletedCallback = { _, _, state, _ in
    guard let state, let exchange = state.pointee else { return }
    Unmanaged<Exchange>.fromOpaque(exchange).release()
    state.pointee = nil
  }

  static let access: MHD_AccessHandlerCallback = { context, connection, url, method, _, upload, uploadSize, state in
    guard let context, let connection, let url, let method, let uploadSize, let state else { return .NO }
    let service = service(context)
    guard let known = state.pointee else {
      let head = head(connection, url: url, method: method)
      if let action = service.open(head) { return perform(action, connection, service) }
      state.pointee = Unmanaged.passRetained(Exchange(head)).toOpaque()
      return .YES
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(known).takeUnretainedValue()
    if uploadSize.pointee > 0, let upload {
      exchange.request.body?.append(contentsOf: UnsafeRawBufferPointer(start: upload, count: uploadSize.pointee))
      uploadSize.pointee = 0
      return (exchange.request.body?.count ?? 0) <= largestBody ? .YES : .NO
    }
    return perform(service.handle(exchange.request), connection, service)
  }

  private static func service(_ context: UnsafeMutableRawPointer) -> Service {
    Unmanaged<Service>.fromOpaque(context).takeUnretainedValue()
  }
}

// A request's head.
extension Callbacks {
  private static func head(
    _ connection: OpaquePointer, url: UnsafePointer<CChar>, method: UnsafePointer<CChar>
  ) -> SandboxRequest {
    var query: [String: String] = [:]
    for pair in pairs(connection, .GET_ARGUMENT_KIND) { query[pair.name] = pair.value }
    return SandboxRequest(
      method: String(cString: method), path: String(cString: url), query: query,
      headers: pairs(connection, .HEADER_KIND), connection: Int(csandbox_connection_number(connection)))
  }

  private static func pairs(_ connection: OpaquePointer, _ kind: MHD_ValueKind) -> [SandboxRequest.Header] {
    var found: [SandboxRequest.Header] = []
    withUnsafeMutablePointer(to: &found) { found in
      _ = MHD_get_connection_values(connection, kind, collect, found)
    }
    return found
  }

  private static let collect: MHD_KeyValueIterator = { found, _, name, value in
    guard let found, let name else { return .NO }
    let header = SandboxRequest.Header(name: String(cString: name), value: value.map { String(cString: $0) } ?? "")
    found.assumingMemoryBound(to: [SandboxRequest.Header].self).pointee.append(header)
    return .YES
  }
}

// What is done with it. MHD_NO closes the connection without another byte.
extension Callbacks {
  private static func perform(_ action: SandboxAction, _ connection: OpaquePointer, _ service: Service) -> MHD_Result {
    switch action {
    case .hangUpBeforeReading, .hangUp: return .NO
    case .reset:
      _ = csandbox_reset(connection)
      return .NO
    case .sendBroken(let bytes):
      _ = csandbox_send_raw(connection, bytes, bytes.count)
      return .NO
    case .respond(let response, let delay):
      service.wait(milliseconds: delay)
      return send(response, connection)
    }
  }

  private static func send(_ response: SandboxResponse, _ connection: OpaquePointer) -> MHD_Result {
    var body = response.body
    guard let answer = MHD_create_response_from_buffer(body.count, &body, .RESPMEM_MUST_COPY) else { return .NO }
    defer { MHD_destroy_response(answer) }
    for header in response.headers { _ = MHD_add_response_header(answer, header.name, header.value) }
    return MHD_queue_response(connection, UInt32(response.status), answer)
  }
}
