/// A page that the back end wants shown. Never opened by the library: the host has the screen.
public enum RedirectAction: Hashable, Sendable {
  case get(url: String)
  case postForm(url: String, formDataURLEncoded: String)
  /// A document of the partner's that submits itself.
  case postHTML(html: String)

  /// Only a GET survives outside a web view that the host controls.
  var surfaces: [String] {
    switch self {
    case .get: ["systemBrowser", "webView", "secondDevice"]
    case .postForm, .postHTML: ["webView"]
    }
  }

  var startURL: String? {
    switch self {
    case .get(let url), .postForm(let url, _): url
    case .postHTML: nil
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
