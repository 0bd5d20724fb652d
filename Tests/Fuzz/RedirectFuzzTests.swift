import CheckoutCore
import Foundation
import Testing
import URLReadings

@Suite("Redirect policy, fuzzed")
struct RedirectFuzzTests {
  static let prefixes = [
    "", "myapp://return", "https://shop.example/return", "https://shop.example", "https://shop.example:8443/return",
    "https://shop.example/return?session=1", "com.example.shop:", "http://shop.example/return", "javascript:", "data:",
  ]
  static let lists = [[], [], ["psp.example"], ["psp.example", "bank.example:8443", "127.0.0.1"]]

  // seed: 001:33b
  @Test("Nothing passes that another reader would send elsewhere")
  func agreement() throws {
    let run = Fuzzing(inputs: 20_000)
    let maker = URLMaker()
    var dice = Dice(run.seed)
    var counts: [RedirectVerdict: Int] = [:]
    var passed: [String] = []
    var disagreements = 0
    var input = 0
    while !run.isOver(after: input) {
      input += 1
      // A prefix that nobody would choose is made as the URLs are.
      let prefix = dice.chance(10) ? maker.url(&dice) : dice.pick(Self.prefixes)
      let url = dice.chance(20) ? maker.near(prefix, &dice) : maker.url(&dice)
      let policy = RedirectPolicy(
        allowLoopbackHTTP: dice.chance(30), hosts: dice.pick(Self.lists), returnURLPrefix: prefix)
      let verdict = policy.verdict(for: url)
      counts[verdict, default: 0] += 1
      if let fault = Self.fault(url, policy, verdict) {
        disagreements += 1
        Issue.record("seed \(run.seed), input \(input): \(fault): \(HostileURL.encoded(url)) under \(policy)")
        if disagreements >= 10 { break }
      }
      if verdict != .block, Self.isWeb(url), passed.count < 50_000 { passed.append(HostileURL.encoded(url)) }
    }
    try FileManager.default.createDirectory(at: Fuzzing.folder, withIntermediateDirectories: true)
    try passed.joined(separator: "\n").appending("\n")
      .write(to: Fuzzing.folder.appending(path: "passed.txt"), atomically: true, encoding: .utf8)
    let verdicts = HostileURL.names.map { "\($0.name)=\(counts[$0.verdict] ?? 0)" }.joined(separator: " ")
    print("fuzz: urls seed=\(run.seed) inputs=\(input) \(verdicts) disagreements=\(disagreements)")
    #expect(counts.count == 3 && counts.values.allSatisfy { $0 >= input / 200 }, "\(counts)")
  }

  static func isWeb(_ url: String) -> Bool { ["http:", "https:"].contains { url.lowercased().hasPrefix($0) } }

  static func fault(_ url: String, _ policy: RedirectPolicy, _ verdict: RedirectVerdict) -> String? {
    if verdict == .block { return nil }
    if isWeb(url) {
      let plain = URLReading.plain(url)
      for (name, reading) in [("libcurl", URLReading.libcurl(url)), ("browser", URLReading.browser(url))] {
        if reading != plain, reading != .refused, reading != .unread { return "\(name) reads \(reading)" }
      }
      // That it passed at all says that libcurl can connect to it.
      if URLReading.libcurl(url) == .refused { return "libcurl refuses it" }
    }
    return verdict == .returned ? faultOfReturn(url, policy) : faultOfAllowed(url, policy)
  }

  private static func faultOfAllowed(_ url: String, _ policy: RedirectPolicy) -> String? {
    guard case .place(let scheme, let host, let port) = URLReading.plain(url) else { return "no place" }
    let isLoopback = host == "localhost" || host == "[::1]" || host.hasPrefix("127.")
    if scheme != "https" && !(scheme == "http" && policy.allowLoopbackHTTP && isLoopback) { return "not encrypted" }
    let isFree = policy.allowLoopbackHTTP && isLoopback
    let isListed = policy.hosts.contains { $0 == host && (isFree || port == 443) || $0 == "\(host):\(port)" }
    if !policy.hosts.isEmpty, !isListed { return "not listed" }
    if policy.hosts.isEmpty, port != 443, !isFree { return "another port" }
    // Whatever a narrower policy lets through, a wider one does too.
    var wider = policy
    if !wider.hosts.isEmpty { wider.hosts.append("other.example") }
    if wider.verdict(for: url) != .allow { return "a wider list lets less through" }
    wider.allowLoopbackHTTP = true
    return wider.verdict(for: url) == .allow ? nil : "loopback lets less through"
  }

  private static func faultOfReturn(_ url: String, _ policy: RedirectPolicy) -> String? {
    let prefix = policy.returnURLPrefix
    let (scheme, own) = (url.prefix { $0 != ":" }.lowercased(), prefix.prefix { $0 != ":" }.lowercased())
    if prefix.isEmpty || scheme != own { return "a return with another scheme" }
    if ["http", "javascript", "data", "file", "intent", "about", "blob"].contains(scheme) { return "a foreign scheme" }
    if scheme == "https" {
      guard URLReading.plain(url) == URLReading.plain(prefix) else { return "a return to another place" }
    } else if !url.dropFirst(scheme.count).utf8.starts(with: prefix.dropFirst(own.count).utf8) {
      return "a return that does not begin like one"
    }
    return nil
  }
}
