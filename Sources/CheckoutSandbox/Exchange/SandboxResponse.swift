/// A whole HTTP answer.
public struct SandboxResponse: Hashable, Sendable {
  /// The status.
  public var status: Int
  /// The header lines; Content-Length and Connection are the server's business.
  public var headers: [SandboxRequest.Header]
  /// The body.
  public var body: [UInt8]

  /// An answer.
  public init(status: Int, headers: [SandboxRequest.Header] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The value of the first header of that name.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }

  /// An answer that holds JSON.
  static func json(_ status: Int, _ document: SandboxJSON) -> SandboxResponse {
    SandboxResponse(
      status: status, headers: [.init(name: "Content-Type", value: "application/json")],
      body: Array(document.text.utf8))
  }

  /// An answer that holds a page.
  static func html(_ status: Int, _ page: String) -> SandboxResponse {
    SandboxResponse(
      status: status, headers: [.init(name: "Content-Type", value: "text/html; charset=utf-8")],
      body: Array(page.utf8))
  }

  /// The answer as it stands on the wire, for the faults that break it on its way.
  func wireBytes() -> (head: [UInt8], body: [UInt8]) {
    var head = "HTTP/1.1 \(status) \(Self.reason(status))\r\n"
    for header in headers { head += "\(header.name): \(header.value)\r\n" }
    head += "Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    return (Array(head.utf8), body)
  }

  private static func reason(_ status: Int) -> String {
    let reasons = [
      200: "OK", 201: "Created", 204: "No Content", 302: "Found", 400: "Bad Request", 401: "Unauthorized",
      403: "Forbidden", 404: "Not Found", 409: "Conflict", 422: "Unprocessable Content", 500: "Internal Server Error",
    ]
    return reasons[status] ?? "Status \(status)"
  }
}
