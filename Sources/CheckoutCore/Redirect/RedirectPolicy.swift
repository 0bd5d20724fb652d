/// What a host's page is to do with a navigation: stop it, let it go on, or close, because the shopper has come back.
public enum RedirectVerdict: Hashable, Sendable { case block, allow, returned }

/// Which navigations a page that was opened for a payment may make, and which one ends it.
public struct RedirectPolicy: Hashable, Sendable {
  /// Lets loopback hosts (127.0.0.0/8, `[::1]`, `localhost`) be reached over http, and on any port. For tests.
  public var allowLoopbackHTTP: Bool
  /// The hosts that may be visited; empty for any. `host:port` lists a port other than 443.
  public var hosts: [String]
  /// How the address that the shopper returns to begins: an app's own scheme or https. Empty: no address is a return.
  public var returnURLPrefix: String

  public init(allowLoopbackHTTP: Bool = false, hosts: [String] = [], returnURLPrefix: String = "") {
    self.allowLoopbackHTTP = allowLoopbackHTTP
    self.hosts = hosts
    self.returnURLPrefix = returnURLPrefix
  }

  /// Whether a list of hosts may hold this: a host, or a host and its port.
  public static func isHost(_ entry: String) -> Bool { RedirectHost(authority: Array(entry.utf8)) != nil }

  /// Whether a service of a back end may be reached there: over https, or at this machine where that is allowed.
  public static func isService(_ url: String, allowLoopbackHTTP: Bool) -> Bool {
    guard let (target, host) = service(url) else { return false }
    return allowLoopbackHTTP && host.isLoopback || target.hasScheme("https")
  }

  /// Whether a host's name ends with a domain, which begins with a dot; or is this machine's, where that is allowed.
  public static func isService(_ url: String, under domain: String, allowLoopbackHTTP: Bool) -> Bool {
    guard let (target, host) = service(url) else { return false }
    if allowLoopbackHTTP, host.isLoopback { return true }
    return target.hasScheme("https") && host.port == nil
      && host.name.suffix(domain.utf8.count).elementsEqual(domain.utf8)
  }

  private static func service(_ url: String) -> (RedirectURL, RedirectHost)? {
    guard let target = RedirectURL(url), target.hasScheme("https") || target.hasScheme("http"),
      let authority = target.authority, let host = RedirectHost(authority: authority)
    else { return nil }
    return (target, host)
  }

  /// The verdict on a navigation. A return needs no place in the list of hosts.
  public func verdict(for url: String) -> RedirectVerdict {
    guard let target = RedirectURL(url) else { return .block }
    if let prefix = ReturnPrefix(returnURLPrefix), prefix.covers(target) { return .returned }
    return isAllowed(target) ? .allow : .block
  }

  private func isAllowed(_ url: RedirectURL) -> Bool {
    guard let authority = url.authority, let host = RedirectHost(authority: authority) else { return false }
    let isFree = allowLoopbackHTTP && host.isLoopback
    let isPlain = url.hasScheme("http")
    guard isPlain ? isFree : url.hasScheme("https") else { return false }
    let port = host.port ?? (isPlain ? 80 : 443)
    let isUsualPort = isFree || port == 443
    if hosts.isEmpty { return isUsualPort }
    return hosts.contains { host.isNamed($0, port: port, isPortOptional: isUsualPort) }
  }
}
