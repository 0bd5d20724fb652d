import CSystem
import CheckoutCore

/// libcurl for one runtime, driven by its poller. Decides nothing: it says what was sent and what came back.
final class CurlTransport {
  private let client: OpaquePointer
  private let lastLook: LastLook

  /// The answer to "may it leave?", asked when the connection stands and before the first byte.
  private final class LastLook {
    let mayLeave: (UInt64) -> Bool

    init(_ mayLeave: @escaping (UInt64) -> Bool) {
      self.mayLeave = mayLeave
    }
  }

  /// `poller` is an hcs_poller that outlives the transport. `mayLeave` is called from `timeout` and `socketReady` with
  /// the request's identifier, and must not call the transport.
  init(
    options: TransportOptions, poller: OpaquePointer, mayLeave: @escaping (UInt64) -> Bool
  ) throws(TransportFault) {
    guard let settings = hcs_http_options_create() else { throw .outOfMemory }
    defer { hcs_http_options_destroy(settings) }
    try Self.apply(options, to: settings)
    let lastLook = LastLook(mayLeave)
    hcs_http_options_gate(
      settings,
      { context, identifier in
        guard let context else { return 0 }
        return Unmanaged<LastLook>.fromOpaque(context).takeUnretainedValue().mayLeave(identifier) ? 1 : 0
      }, Unmanaged.passUnretained(lastLook).toOpaque())
    var words = [CChar](repeating: 0, count: 256)
    guard let client = hcs_http_create(settings, poller, &words, words.count) else {
      let bytes = words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .unavailable(String(decoding: bytes, as: UTF8.self))
    }
    self.client = client
    self.lastLook = lastLook
  }

  deinit {
    hcs_http_destroy(client)
  }

  /// "7.88.1", once a transport was made.
  static var libraryVersion: String? {
    guard let words = hcs_http_library_version() else { return nil }
    // libcurl's own words are "libcurl/7.88.1 OpenSSL/3.0.15 ...".
    let name = String(cString: words).utf8.prefix { $0 != UInt8(ascii: " ") }
    return String(decoding: name.drop { $0 != UInt8(ascii: "/") }.dropFirst(), as: UTF8.self)
  }

  /// On the boot clock, when `timeout` is due.
  var deadline: Int64? {
    let deadline = hcs_http_deadline(client)
    return deadline < 0 ? nil : deadline
  }

  var runningCount: Int { hcs_http_running(client) }

  /// Accepts the request; the first byte moves in a later `timeout`, which is due at once. `secrets` is the
  /// hcs_secret_store that the body's secrets are in.
  func start(_ request: TransportRequest, secrets: OpaquePointer? = nil) throws(TransportFault) {
    let prepared = try Self.prepare(request, secrets: secrets)
    if let fault = TransportFault(startCode: hcs_http_start(client, prepared)) { throw fault }
  }

  /// Ends a request that runs, without a result. Says whether it had left; nil when none runs under this identifier.
  func cancel(_ identifier: UInt64) -> Bool? {
    let answer = hcs_http_cancel(client, identifier)
    return answer < 0 ? nil : answer == 1
  }

  /// What the poller said about a socket.
  func socketReady(_ ready: hcs_ready) {
    hcs_http_socket_ready(client, ready.fd, ready.mask)
  }

  /// The deadline is reached. Calling it early is harmless.
  func timeout() {
    hcs_http_timeout(client)
  }

  /// Around many calls by one thread that does not wait for long in between.
  func beginRound() { hcs_http_round_begin(client) }
  func endRound() { hcs_http_round_end(client) }

  /// Gives up what ended requests have left, sockets first. It takes its time.
  func tidy() { hcs_http_tidy(client) }

  /// The next request that has ended; each is handed out once.
  func nextResult() -> TransportResult? {
    var result = hcs_http_result()
    guard hcs_http_finished(client, &result) == 1 else { return nil }
    return TransportResult(result)
  }
}

extension CurlTransport {
  private static func apply(_ options: TransportOptions, to settings: OpaquePointer) throws(TransportFault) {
    let certificate = options.clientCertificate
    try set(options.authoritiesFile, as: HCS_HTTP_CA_FILE, in: settings)
    try set(options.proxy, as: HCS_HTTP_PROXY, in: settings)
    try set(options.userAgent, as: HCS_HTTP_USER_AGENT, in: settings)
    try set(certificate?.certificateFile, as: HCS_HTTP_CLIENT_CERTIFICATE, in: settings)
    try set(certificate?.keyFile, as: HCS_HTTP_CLIENT_KEY, in: settings)
    try set(certificate?.keyPassword, as: HCS_HTTP_CLIENT_KEY_PASSWORD, in: settings)
    hcs_http_options_allow_loopback(settings, options.allowsLoopbackHTTP ? 1 : 0)
  }

  private static func set(_ text: String?, as option: Int, in settings: OpaquePointer) throws(TransportFault) {
    guard let text else { return }
    let code = text.withBytes { hcs_http_options_text(settings, Int32(option), $0, $1) }
    guard code == 0 else { throw .optionInvalid }
  }

  /// The request in the shim's memory, which `hcs_http_start` takes over.
  private static func prepare(
    _ request: TransportRequest, secrets: OpaquePointer?
  ) throws(TransportFault) -> OpaquePointer {
    let content = request.content
    let made = content.method.withBytes { method, methodLength in
      content.url.withBytes { hcs_http_request_create(request.identifier, method, methodLength, $0, $1) }
    }
    guard let prepared = made else { throw .urlInvalid }
    hcs_http_request_limits(
      prepared, request.connectMilliseconds, request.totalMilliseconds, max(0, request.responseBytes))
    if content.money != .none { hcs_http_request_money(prepared) }
    do throws(TransportFault) {
      for header in content.headers { try add(header, to: prepared) }
      if !content.body.isEmpty { hcs_http_request_body(prepared, try assemble(content.body, secrets: secrets)) }
    } catch {
      hcs_http_request_destroy(prepared)
      throw error
    }
    return prepared
  }

  private static func add(_ header: Header, to prepared: OpaquePointer) throws(TransportFault) {
    let code = header.name.withBytes { name, nameLength in
      header.value.withBytes { hcs_http_request_header(prepared, name, nameLength, $0, $1) }
    }
    if let fault = TransportFault(startCode: code) { throw fault }
  }

  private static func assemble(
    _ parts: [BodyPart], secrets: OpaquePointer?
  ) throws(TransportFault) -> OpaquePointer {
    guard let body = hcs_body_create(secrets) else { throw .outOfMemory }
    for part in parts {
      let fault: TransportFault? =
        switch part {
        case .text(let text): text.withBytes { hcs_body_append_text(body, $0, $1) } == 0 ? nil : .outOfMemory
        case .secret(let secret): hcs_body_append_secret(body, secret.value) == 0 ? nil : .secretMissing
        }
      if let fault {
        hcs_body_destroy(body)
        throw fault
      }
    }
    return body
  }
}
