/// One HTTP request as the sandbox sees it.
public struct SandboxRequest: Hashable, Sendable {
  /// One header line, the name as it was sent.
  public struct Header: Hashable, Sendable {
    /// The header's name.
    public let name: String
    /// The header's value.
    public let value: String

    /// A header line.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// `GET`, `POST` ...
  public var method: String
  /// The path without its query, percent-decoded.
  public var path: String
  /// The query's parameters, percent-decoded.
  public var query: [String: String]
  /// The header lines in the order received.
  public var headers: [Header]
  /// The body; nil when it was not read.
  public var body: [UInt8]?
  /// Which TCP connection brought it, counted from 1; 0 when there is none.
  public var connection: Int

  /// A request.
  public init(
    method: String, path: String, query: [String: String] = [:], headers: [Header] = [], body: [UInt8]? = nil,
    connection: Int = 0
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.connection = connection
  }

  /// The value of the first header of that name, whatever its case.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }

  /// The path's segments.
  var segments: [String] { path.split(separator: "/").map(String.init) }

  /// Is this one of the requests that a fault or a journal filter means? A path that starts with a slash is the whole
  /// path, `*` is every path, anything else is one segment of it: `validate`, `client-sessions`.
  func matches(path pattern: String) -> Bool {
    if pattern == "*" { return true }
    return pattern.hasPrefix("/") ? path == pattern : segments.contains(pattern)
  }
}
