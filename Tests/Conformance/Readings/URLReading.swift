import CURLReading

/// What a reader of URLs makes of one: where it would connect to.
public enum URLReading: Hashable, Sendable, CustomStringConvertible {
  case place(scheme: String, host: String, port: Int)
  case refused
  /// This reader does not know: nothing is said.
  case unread

  public var description: String {
    switch self {
    case .place(let scheme, let host, let port): "\(scheme) \(host) \(port < 0 ? "-" : String(port))"
    case .refused: "refused"
    case .unread: "unread"
    }
  }

  /// libcurl's, as `curl_easy_perform` would read it. A NUL ends a text in C.
  public static func libcurl(_ url: String) -> URLReading {
    let reading = curl_reading_of(url)
    if reading.is_refused { return .refused }
    return .place(scheme: text(reading.scheme), host: text(reading.host), port: Int(reading.port))
  }

  public static var libcurlVersion: String { String(cString: curl_reading_version()) }

  private static func text<Buffer>(_ buffer: Buffer) -> String {
    withUnsafeBytes(of: buffer) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// The plainest reading there is, of text that has nothing to read two ways: what stands between `//` and the path.
  public static func plain(_ url: String) -> URLReading {
    guard let slashes = url.firstRange(of: "://") else { return .refused }
    let scheme = url[..<slashes.lowerBound].lowercased()
    var host = url[slashes.upperBound...].prefix { !"/?#".contains($0) }.lowercased()
    var port = scheme == "http" ? 80 : 443
    if !host.hasSuffix("]"), let colon = host.lastIndex(of: ":") {
      guard let number = Int(host[host.index(after: colon)...]) else { return .refused }
      port = number
      host = String(host[..<colon])
    }
    return .place(scheme: scheme, host: host, port: port)
  }
}
