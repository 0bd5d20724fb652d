/// The beginning of the addresses that a shopper returns to.
struct ReturnPrefix {
  private let url: RedirectURL
  /// Nil for an app's own scheme.
  private let host: RedirectHost?

  /// Nil for a prefix that must match nothing: empty, not a URL, or of a scheme that is the web's or the system's.
  init?(_ text: String) {
    guard let url = RedirectURL(text) else { return nil }
    self.url = url
    if url.hasScheme("https") {
      guard let authority = url.authority, let host = RedirectHost(authority: authority) else { return nil }
      self.host = host
      return
    }
    if Self.foreignSchemes.contains(where: { url.hasScheme($0) }) { return nil }
    host = nil
  }

  /// The system hands such a return to the app that registered the scheme; an https one stays in the browser.
  var isOwnScheme: Bool { host == nil }

  func covers(_ target: RedirectURL) -> Bool {
    guard target.scheme == url.scheme, !target.hasDotSegment else { return false }
    guard let host else { return Self.matches(Self.opaque(target), beginsWith: Self.opaque(url)) }
    guard let authority = target.authority, let other = RedirectHost(authority: authority), other.name == host.name,
      (other.port ?? 443) == (host.port ?? 443)
    else { return false }
    return Self.matches(Self.rooted(target.rest), beginsWith: Self.rooted(url.rest))
  }

  /// Schemes that are never an app's own.
  private static let foreignSchemes = [
    "http", "javascript", "data", "file", "about", "blob", "intent", "vbscript", "ws", "wss", "ftp", "content",
    "view-source",
  ]

  /// Everything behind the scheme's colon.
  private static func opaque(_ url: RedirectURL) -> [UInt8] {
    guard let authority = url.authority else { return url.rest }
    return Array("//".utf8) + authority + url.rest
  }

  /// An absent path is the path `/`.
  private static func rooted(_ rest: [UInt8]) -> [UInt8] {
    rest.first == UInt8(ascii: "/") ? rest : [UInt8(ascii: "/")] + rest
  }

  /// Whether the text begins with the prefix and a part of the URL ends there, so that `return` is no `returned`.
  private static func matches(_ text: [UInt8], beginsWith prefix: [UInt8]) -> Bool {
    guard text.starts(with: prefix) else { return false }
    guard let next = text.dropFirst(prefix.count).first, let last = prefix.last else { return true }
    if prefix.contains(UInt8(ascii: "?")) || prefix.contains(UInt8(ascii: "#")) {
      return isOne(next, of: "&#") || isOne(last, of: "?#&=")
    }
    return isOne(next, of: "/?#") || isOne(last, of: "/")
  }

  private static func isOne(_ byte: UInt8, of set: String) -> Bool { set.utf8.contains(byte) }
}
