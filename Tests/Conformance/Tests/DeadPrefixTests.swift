import CheckoutCore
import Testing
import URLReadings

@Suite("Prefixes that are no return")
struct DeadPrefixTests {
  static let prefixes: [String] = [
    "", " ", "/", "//shop.example/return", "return", "myapp", "://return", ":", "http://shop.example/return",
    "HTTP://shop.example/return", "http:", "http://127.0.0.1:4711/return", "javascript:", "JAVASCRIPT:alert(1)",
    "data:", "data:text/html,x", "file:", "file:///return", "about:", "about:blank", "blob:",
    "blob:https://shop.example/", "intent:", "Intent://return", "vbscript:", "ws:", "ws://return", "wss:",
    "wss://return", "ftp:", "ftp://return", "content:", "content://return", "view-source:",
    "View-Source:https://shop.example/return", "https:", "https:/", "https://", "https:///", "https:///return",
    "https:/shop.example/return", "https:return", "https://?", "https://user@shop.example/return",
    "https://shop.example./return", "https://shop.example:/return", "https://shop%2eexample/return",
    "https://1.2.3/return", "https://[::2]/return", "https://shop.example/return/../x", "https://shop.example/a b",
    "https://shöp.example/return", "myapp://a b", "myapp://a@return", "myapp://return/..", "my app://return",
    "1app://return", "myapp://return\n", "myapp:\\return", "myäpp://return",
  ]

  @Test("Nothing is a return under them, however like one it looks", arguments: prefixes)
  func deadPrefix(_ prefix: String) {
    for allowLoopbackHTTP in [false, true] {
      let policy = RedirectPolicy(allowLoopbackHTTP: allowLoopbackHTTP, returnURLPrefix: prefix)
      let own = ["", "/", "?x", "#x", "x"].map { prefix + $0 }
      for url in Self.prefixes + own + HostileURL.all.map({ $0.url }) {
        #expect(policy.verdict(for: url) != .returned, "\(HostileURL.encoded(url))")
      }
    }
  }
}
