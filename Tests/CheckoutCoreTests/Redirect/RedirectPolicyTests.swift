import Foundation
import Testing

@testable import CheckoutCore

@Suite("Redirect policy")
struct RedirectPolicyTests {
  /// A list with such an entry would block every page: `hco_create` refuses it.
  @Test("What is no host matches nothing, and is told apart")
  func nonsenseInTheList() {
    let nonsense = [
      "", "*", "*.example", "https://psp.example", "psp.example/", "psp.example.", ".example", "psp.example:",
      "psp.example:0", "psp.example:x", "user@psp.example", "psp example", "psp%2eexample", "[::2]", "1.2.3",
    ]
    let policy = RedirectPolicy(hosts: nonsense + ["example", "Bank.example:8443"])
    #expect(nonsense.allSatisfy { !RedirectPolicy.isHost($0) })
    #expect(["example", "Bank.example:8443", "[::1]", "127.0.0.1:80"].allSatisfy { RedirectPolicy.isHost($0) })
    #expect(policy.verdict(for: "https://example/") == .allow)
    #expect(policy.verdict(for: "https://bank.example:8443/") == .allow)
    for url in ["https://psp.example/", "https://a.example/", "https://bank.example/"] {
      #expect(policy.verdict(for: url) == .block)
    }
  }

  static let pieces = [
    "https:", "http:", "HTTPS:", "myapp:", "//", "//", "//", "/", "\\", ":", "@", "?", "#", ".", "..", "%2e", "%2F",
    "%00", "[", "]", "[::1]", "127.0.0.1", "127.1", "0x7f", "localhost", "psp.example", "shop.example", "evil.example",
    "shop.example/return", "a", "-", "_", "1", "443", ":443", ":80", ":8443", "é", "。", "\u{200B}", " ", "\n", "\u{0}",
    "|", "{", "\"", "<", "^", "%", "%zz", "xn--psp-dma", "&x=1", "=", ";", "~", "'", "\u{17F}", "\u{212A}",
  ]

  static let starts = [
    "https://psp.example/pay", "https://shop.example/return", "https://psp.example:443/?a=b#c",
    "http://127.0.0.1:4711/", "http://localhost/", "https://[::1]:8443/x", "https://1.2.3.4/",
    "https://shop.example/return?x", "myapp://return?x", "myapp://return",
  ]

  /// An address of a few pieces, or one with a few pieces put in, taken out or laid over.
  static func address(_ random: inout ValueGenerator) -> String {
    if random.count(0...3) == 0 {
      return "https://" + (0..<random.count(1...6)).map { _ in random.element(of: pieces) }.joined()
    }
    var text = Array(random.element(of: starts).unicodeScalars)
    for _ in 0..<random.count(1...3) {
      let at = random.count(0...text.count)
      let until = min(text.count, at + random.count(0...2))
      text.replaceSubrange(at..<until, with: random.flip() ? Array(random.element(of: pieces).unicodeScalars) : [])
    }
    var address = ""
    address.unicodeScalars.append(contentsOf: text)
    return address
  }

  @Test("What is let through reads the same in Foundation", arguments: 0..<4 as Range<UInt64>)
  func agreesWithFoundation(seed: UInt64) throws {
    var random = ValueGenerator(seed: 83 + seed)
    let policies = [
      RedirectPolicy(returnURLPrefix: "https://shop.example/return"),
      RedirectPolicy(allowLoopbackHTTP: true, returnURLPrefix: "myapp://return"),
    ]
    var counts: [RedirectVerdict: Int] = [:]
    for _ in 0..<6_000 {
      let address = Self.address(&random)
      let policy = random.element(of: policies)
      let verdict = policy.verdict(for: address)
      counts[verdict, default: 0] += 1
      if verdict != .block { try Self.check(address, verdict, policy) }
    }
    #expect(counts.count == 3 && counts.values.allSatisfy { $0 > 50 }, "\(counts)")
  }

  static func check(_ address: String, _ verdict: RedirectVerdict, _ policy: RedirectPolicy) throws {
    let parts = try #require(URLComponents(string: address), "\(address.debugDescription)")
    let url = try #require(URL(string: address), "\(address.debugDescription)")
    let own = try #require(RedirectURL(address))
    #expect(parts.user == nil && parts.password == nil && url.user() == nil, "\(address.debugDescription)")
    #expect(parts.scheme?.lowercased() == String(decoding: own.scheme, as: UTF8.self))
    if verdict == .returned && policy.returnURLPrefix.hasPrefix("myapp") {
      #expect(parts.scheme?.lowercased() == "myapp" && parts.host == "return", "\(address.debugDescription)")
      return
    }
    let authority = try #require(own.authority)
    let host = try #require(RedirectHost(authority: authority))
    let name = String(decoding: host.name, as: UTF8.self)
    #expect(parts.encodedHost?.lowercased() == name, "\(address.debugDescription)")
    #expect(bare(url.host(percentEncoded: true)?.lowercased()) == bare(name), "\(address.debugDescription)")
    #expect(parts.port == host.port && url.port == host.port, "\(address.debugDescription)")
    let isPlain = parts.scheme?.lowercased() == "http"
    #expect(!isPlain || policy.allowLoopbackHTTP && ["127.", "localhost", "[::1]"].contains { name.hasPrefix($0) })
    if verdict == .returned {
      #expect(name == "shop.example" && url.standardized.path().hasPrefix("/return"), "\(address.debugDescription)")
    }
  }

  /// Without the brackets that not every reader keeps.
  static func bare(_ host: String?) -> String? {
    host?.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
  }

  @Test("No bytes crash the reading")
  func anyBytes() {
    var random = ValueGenerator(seed: 97)
    for _ in 0..<5_000 {
      let text = String(decoding: random.bytes(random.count(0...40)), as: UTF8.self)
      for start in ["", "https://", "https://a/", "myapp://return"] {
        let policy = RedirectPolicy(
          allowLoopbackHTTP: random.flip(), hosts: [text], returnURLPrefix: random.flip() ? text : "myapp://return")
        _ = policy.verdict(for: start + text)
      }
    }
  }
}
