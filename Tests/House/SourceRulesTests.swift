import Foundation
import Testing

/// The rules of Sources/README.md that a reader of the text can hold.
@Suite("The house")
struct SourceRulesTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// What each shipped target may import: only what lies further in.
  static let imports: [String: Set<String>] = [
    "JSONText": [],
    "CheckoutCore": ["JSONText"],
    "PurseProvider": ["CheckoutCore", "JSONText"],
    "PrimerProvider": ["CheckoutCore", "JSONText"],
    "CheckoutRuntime": ["CSystem", "PurseProvider", "PrimerProvider", "CheckoutCore", "JSONText"],
    "HeadlessCheckout": ["CHeadlessCheckout", "CSystem", "CheckoutRuntime", "CheckoutCore"],
  ]
  static let pure = ["JSONText", "CheckoutCore", "PurseProvider", "PrimerProvider"]

  static func sources(_ target: String) throws -> [(name: String, lines: [String])] {
    let folder = root.appending(path: "Sources/\(target)")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var sources: [(String, [String])] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      sources.append(("\(target)/\(file.lastPathComponent)", text.components(separatedBy: "\n")))
    }
    return sources
  }

  /// The code of a line: comments and texts do not count.
  static func code(_ line: String) -> String {
    var code = line.replacing(/"(\\.|[^"\\])*"/, with: "\"\"")
    if let comment = code.range(of: "//") { code = String(code[..<comment.lowerBound]) }
    return code
  }

  @Test("imports point inward", arguments: imports.keys.sorted())
  func importsPointInward(_ target: String) throws {
    let sources = try Self.sources(target)
    #expect(!sources.isEmpty)
    for (name, lines) in sources {
      for line in lines {
        let statement = /^\s*(?:@\w+(?:\(\w+\))?\s+)*(?:public\s+)?import\s+(?:\w+\s+)?(\w+)/
        guard let match = Self.code(line).firstMatch(of: statement) else { continue }
        #expect(Self.imports[target]?.contains(String(match.1)) == true, "\(name) imports \(match.1)")
      }
    }
  }

  @Test("nothing that can trap, block or run by itself", arguments: imports.keys.sorted())
  func forbiddenWords(_ target: String) throws {
    let forbidden: [Regex<Substring>] = [
      /\btry!/, /\bas!/, /\bfatalError\(/, /\bprecondition(?:Failure)?\(/, /\bassert(?:ionFailure)?\(/, /@MainActor\b/,
      /\bTask\s*[.{(]/, /\basync\b/, /\bawait\b/, /\bDispatch/, /\bDouble\b/, /\bFloat\b/,
      /[\w\])]!(?=[.,)\]\s]|$)(?!=)/,
    ]
    for (name, lines) in try Self.sources(target) {
      for (index, line) in lines.enumerated() {
        let code = Self.code(line)
        for pattern in forbidden where code.contains(pattern) { Issue.record("\(name):\(index + 1): \(line)") }
      }
    }
  }

  @Test("the pure targets read no clock, randomness or environment", arguments: pure)
  func purity(_ target: String) throws {
    let forbidden: [Regex<Substring>] = [
      /SystemRandomNumberGenerator/, /\.random\(/, /\bgetenv\b/, /\bclock_gettime\b/, /\bContinuousClock\b/,
      /\bprint\(/,
    ]
    for (name, lines) in try Self.sources(target) {
      for (index, line) in lines.enumerated() {
        let code = Self.code(line)
        for pattern in forbidden where code.contains(pattern) { Issue.record("\(name):\(index + 1): \(line)") }
      }
    }
  }

  @Test("every export is checked against the header, and the header's functions are all exported")
  func exports() throws {
    let lines = try Self.sources("HeadlessCheckout").flatMap { $0.lines }
    var exported: Set<String> = []
    for (index, line) in lines.enumerated() where line.contains("@_cdecl") {
      let attribute = try #require(line.firstMatch(of: /^@_cdecl\("(hco_\w+)"\) @implementation$/), "\(line)")
      #expect(lines[index + 1].hasPrefix("public func \(attribute.1)("), "\(lines[index + 1])")
      exported.insert(String(attribute.1))
    }
    let header = try String(contentsOf: Self.root.appending(path: "include/headless_checkout.h"), encoding: .utf8)
      .replacing(/\/\*[\s\S]*?\*\//, with: "")
    let declared = Set(header.matches(of: /\b(hco_\w+)\(/).map { String($0.1) })
    #expect(exported == declared)
    #expect(lines.allSatisfy { !$0.hasPrefix("@c") })
  }
}
