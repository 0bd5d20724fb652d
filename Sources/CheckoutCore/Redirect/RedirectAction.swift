/// A page that the back end wants shown. Never opened by the library: the host has the screen.
public enum RedirectAction: Hashable, Sendable {
  case get(url: String)
  case postForm(url: String, formDataURLEncoded: String)
  /// A document of the partner's that submits itself.
  case postHTML(html: String)

  /// The most bytes that a QR code holds (version 40, level L).
  static let longestCode = 2_953

  /// Where the page may be shown. A system browser and another device can only GET; a browser gives back nothing but an
  /// app's own scheme, so that any other return needs a web view; another device gives back nothing, and its host asks
  /// its backend instead.
  func surfaces(returningTo prefix: String) -> [RedirectSurface] {
    guard case .get(let url) = self else { return [.webView] }
    var surfaces: [RedirectSurface] = [.webView]
    if ReturnPrefix(prefix)?.isOwnScheme == true { surfaces.insert(.systemBrowser, at: 0) }
    if url.utf8.count <= RedirectAction.longestCode { surfaces.append(.secondDevice) }
    return surfaces
  }

  var startURL: String? {
    switch self {
    case .get(let url), .postForm(let url, _): url
    case .postHTML: nil
    }
  }
}

public enum RedirectSurface: Hashable, Sendable, CaseIterable {
  /// The shopper's own browser, which hands the return to whoever registered its scheme.
  case systemBrowser
  /// A view of the host's, which asks for a verdict on every navigation.
  case webView
  /// The shopper's telephone, by a code that holds the URL. For hosts with no browser.
  case secondDevice

  public var name: String {
    switch self {
    case .systemBrowser: "systemBrowser"
    case .webView: "webView"
    case .secondDevice: "secondDevice"
    }
  }
}

/// How a presentation ended, as the host tells it.
public enum PresentationEnd: Hashable, Sendable {
  /// Back; the URL may be unreadable.
  case returned(url: String?)
  case canceled
  case failed(String)
}
