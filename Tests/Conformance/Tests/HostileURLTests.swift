import CheckoutCore
import Foundation
import Testing
import URLReadings

/// The table of hostile URLs, and what libcurl and browsers make of each.
@Suite("Hostile URLs")
struct HostileURLTests {
  /// As committed, or as read here when the tables are made.
  static let libcurl =
    isUpdating
    ? Dictionary(
      HostileURL.all.map { ($0.url, URLReading.libcurl($0.url).description) }, uniquingKeysWith: { first, _ in first })
    : readings("libcurl.tsv")
  static let whatwg = readings("whatwg.tsv")
  static var isUpdating: Bool { ProcessInfo.processInfo.environment["UPDATE_TABLES"] != nil }

  /// By URL.
  static func readings(_ name: String) -> [String: String] {
    Dictionary(
      HostileURL.rows(name).map { (HostileURL.decoded($0[0]), $0[1]) }, uniquingKeysWith: { first, _ in first })
  }

  // seed: 001:33b
  @Test("The verdicts of the table")
  func verdicts() {
    for row in HostileURL.all {
      #expect(!row.policies.isEmpty, "no policy is named \(row.policy)")
      for policy in row.policies {
        #expect(policy.verdict(for: row.url) == row.verdict, "\(row.policy): \(HostileURL.encoded(row.url))")
      }
    }
  }

  @Test("The table is large, says why, and repeats nothing")
  func size() {
    let blocked = HostileURL.all.filter { $0.verdict == .block }
    #expect(blocked.count >= 450)
    #expect(Set(blocked.map { $0.url }).count >= 400)
    #expect(HostileURL.all.filter { $0.verdict != .block }.count >= 150)
    #expect(HostileURL.all.allSatisfy { !$0.why.isEmpty })
    #expect(Set(HostileURL.all.map { $0.policy + "\t" + $0.url }).count == HostileURL.all.count)
  }

  /// A reader that refuses connects to nowhere.
  static func isHarmless(_ reading: String, _ url: String) -> Bool {
    reading == URLReading.refused.description || reading == URLReading.plain(url).description
  }

  @Test("Nothing is let through that libcurl, a browser or the URL Standard would send elsewhere")
  func readers() {
    for row in HostileURL.all where row.verdict != .block && row.url.lowercased().hasPrefix("http") {
      let shown = HostileURL.encoded(row.url)
      #expect(Self.isHarmless(URLReading.libcurl(row.url).description, row.url), "libcurl here: \(shown)")
      #expect(Self.isHarmless(Self.libcurl[row.url] ?? "", row.url), "libcurl as committed: \(shown)")
      #expect(Self.isHarmless(Self.whatwg[row.url] ?? "", row.url), "whatwg as committed: \(shown)")
    }
  }

  @Test("The table has teeth: some that are blocked would have gone elsewhere, to libcurl and to browsers")
  func teeth() {
    let blocked = HostileURL.all.filter { $0.verdict == .block }.map { $0.url }
    let places = blocked.filter { (Self.libcurl[$0] ?? "").hasSuffix(" evil.example 443") }
    #expect(places.count >= 5)
    #expect(blocked.filter { (Self.libcurl[$0] ?? "refused") != (Self.whatwg[$0] ?? "refused") }.count >= 50)
  }

  @Test("Our own browser reading is node's")
  func browserReading() {
    var compared = 0
    for (url, reading) in Self.whatwg {
      let own = URLReading.browser(url)
      if own == .unread { continue }
      compared += 1
      #expect(own.description == reading, "\(HostileURL.encoded(url))")
    }
    #expect(compared >= 400)
  }

  @Test("libcurl's readings are those of the libcurl that wrote them")
  func committed() throws {
    let urls = HostileURL.all.map { $0.url }
    let file = HostileURL.folder.appending(path: "libcurl.tsv")
    if Self.isUpdating {
      var seen: Set<String> = []
      let lines = urls.filter { seen.insert($0).inserted }.map {
        HostileURL.encoded($0) + "\t" + (Self.libcurl[$0] ?? "")
      }
      let text = (["url\tlibcurl \(URLReading.libcurlVersion)"] + lines).joined(separator: "\n") + "\n"
      try text.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    #expect(urls.allSatisfy { Self.libcurl[$0] != nil && Self.whatwg[$0] != nil })
    guard Self.head("libcurl.tsv") == "libcurl \(URLReading.libcurlVersion)" else { return }
    for url in urls {
      #expect(Self.libcurl[url] == URLReading.libcurl(url).description, "\(HostileURL.encoded(url))")
    }
  }

  // MARK: The page for people

  @Test("hostile_urls.md is the table beside the readings")
  func page() throws {
    let file = HostileURL.folder.appending(path: "hostile_urls.md")
    if Self.isUpdating {
      try Self.page.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(try String(contentsOf: file, encoding: .utf8) == Self.page)
    }
  }

  private static var libcurlReader: String {
    isUpdating ? "libcurl \(URLReading.libcurlVersion)" : head("libcurl.tsv")
  }

  /// The name of a file's reader.
  private static func head(_ name: String) -> String {
    let text = (try? String(contentsOf: HostileURL.folder.appending(path: name), encoding: .utf8)) ?? ""
    return text.prefix { $0 != "\n" }.split(separator: "\t").last.map(String.init) ?? ""
  }

  static var page: String {
    let readers = [libcurlReader, head("whatwg.tsv")]
    let counts = HostileURL.names.map { each in
      "\(HostileURL.all.filter { $0.verdict == each.verdict }.count) \(each.name)"
    }
    let top = """
      # URLs, the verdicts on them, and how others read them

      Made from `hostile_urls.tsv`, `libcurl.tsv` and `whatwg.tsv`; `README.md` says how. \(HostileURL.all.count) rows: \
      \(counts.joined(separator: ", ")). A reading is scheme, host and port.

      | policy | URL | verdict | why | \(readers[0]) | \(readers[1]) |
      | --- | --- | --- | --- | --- | --- |

      """
    let lines = HostileURL.all.map { row in
      let cells = [
        row.policy, code(row.url), row.verdictName, row.why, code(libcurl[row.url]), code(whatwg[row.url]),
      ]
      return "| " + cells.joined(separator: " | ") + " |\n"
    }
    return top + lines.joined()
  }

  private static func code(_ text: String?) -> String {
    guard let text else { return "" }
    let encoded = HostileURL.encoded(text).dropFirst().dropLast()
    let short = encoded.count > 100 ? encoded.prefix(96) + " ..." : encoded
    return "<code>" + short.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("|", with: "&#124;")
      + "</code>"
  }
}
