import Foundation
import Testing

/// The statements that this library has to keep, and the tests that say by a tag which of them they hold: a comment
/// `seed: ID` right above the test.
enum SeedRows {
  struct Row {
    let id: String
    let statement: String
  }

  struct Holder: Hashable {
    let id: String
    let test: String
  }

  /// In the order of the file.
  static let all: [Row] = {
    let file = SourceRulesTests.root.appending(path: "Tests/House/seed_rows.tsv")
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
      return Row(id: String(cells[0]), statement: cells.count > 1 ? String(cells[1]) : "")
    }
  }()

  static let holders: [Holder] = {
    var found: [Holder] = []
    for folder in ["Tests", "bindings"] {
      let base = SourceRulesTests.root.appending(path: folder)
      guard let files = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil) else { continue }
      for case let file as URL in files where ["swift", "c", "py"].contains(file.pathExtension) {
        // This one speaks of tags.
        if file.path.contains("/Tests/House/") { continue }
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
        found += tags(of: text, in: file)
      }
    }
    return found.sorted { $0.test < $1.test }
  }()

  private static func tags(of text: String, in file: URL) -> [Holder] {
    var found: [Holder] = []
    var waiting: [String] = []
    for line in text.split(separator: "\n") {
      if let tag = line.firstMatch(of: /^\s*(?:\/\/|\/\*|#) seed: ([0-9A-Za-z:-]+)(?: \*\/)?$/) {
        waiting.append(String(tag.1))
      } else if !waiting.isEmpty, let test = name(line) {
        found += waiting.map { Holder(id: $0, test: "\(file.deletingPathExtension().lastPathComponent).\(test)") }
        waiting = []
      }
    }
    // A tag with no test after it holds nothing, and is reported as unknown.
    return found + waiting.map { Holder(id: "\($0) without a test", test: file.lastPathComponent) }
  }

  private static func name(_ line: Substring) -> String? {
    let test =
      /^\s*(?:@\w+(?:\(.*\))? )*(?:(?:private |static |mutating |async )*func|static void|(?:async )?def) (\w+)\(/
    return line.firstMatch(of: test).map { String($0.1) }
  }

  /// By row; rows that nobody holds are not in it.
  static let tests: [String: [String]] = Dictionary(grouping: holders, by: \.id).mapValues { $0.map(\.test) }

  /// Those of the back end that is not built yet are not asked for.
  static var missing: [Row] { all.filter { !$0.id.hasPrefix("003:") && tests[$0.id] == nil } }
}

@Suite("Rows of the seeds")
struct SeedRowTests {
  @Test("every tag names a row")
  func tagsAreKnown() {
    let known = Set(SeedRows.all.map(\.id))
    #expect(known.count > 200)
    #expect(known.count == SeedRows.all.count)
    for holder in SeedRows.holders where !known.contains(holder.id) {
      Issue.record("\(holder.test) holds a row that is not there: \(holder.id)")
    }
  }

  @Test("no row is without a test")
  func missing() {
    let missing = SeedRows.missing
    #expect(missing.isEmpty, "\(missing.map(\.id))")
    print("rows: held=\(SeedRows.tests.count) missing=\(missing.count): \(missing.map(\.id).joined(separator: " "))")
  }
}
