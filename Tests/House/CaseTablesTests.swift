import Foundation
import Testing

/// The lists beside Primer's cases name rows and tests that are there.
@Suite("Tables of the cases")
struct CaseTablesTests {
  static let folder = SourceRulesTests.root.appending(path: "Tests/Cases")

  private static func lines(_ name: String) throws -> [[String]] {
    let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    return text.split(separator: "\n").dropFirst().map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  /// By group, the inputs that are texts.
  private static func inputs() throws -> [String: Set<String>] {
    let file = try Data(contentsOf: folder.appending(path: "primer_cases.json"))
    let root = try #require(try JSONSerialization.jsonObject(with: file) as? [String: Any])
    let groups = try #require(root["groups"] as? [[String: Any]])
    var inputs: [String: Set<String>] = [:]
    for group in groups {
      let rows = try #require(group["cases"] as? [[String: Any]])
      inputs[try #require(group["id"] as? String)] = Set(rows.compactMap { $0["input"] as? String })
    }
    return inputs
  }

  /// "Suite.function", of every test in the tree: a function with `@Test` above it in Swift, one that begins with
  /// `test_` in C and Python.
  private static func tests() throws -> Set<String> {
    var tests: Set<String> = []
    for folder in ["Tests", "bindings"] {
      let base = SourceRulesTests.root.appending(path: folder)
      let files = try #require(FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil))
      for case let file as URL in files where ["swift", "c", "py"].contains(file.pathExtension) {
        let text = try String(contentsOf: file, encoding: .utf8)
        let name = file.deletingPathExtension().lastPathComponent
        let swift = /@Test[^@]*?\bfunc (\w+)\(/
        let other = /(?:void|def) (test_\w+)\(/
        for found in text.matches(of: swift) { tests.insert("\(name).\(found.1)") }
        for found in text.matches(of: other) { tests.insert("\(name).\(found.1)") }
      }
    }
    return tests
  }

  @Test("every row of sentences that is said to be held is one, and its test is there")
  func holders() throws {
    let inputs = try Self.inputs()
    let tests = try Self.tests()
    let lines = try Self.lines("prose.tsv")
    #expect(!lines.isEmpty)
    for cells in lines {
      try #require(cells.count == 3, "\(cells)")
      let isRow = inputs[cells[0]]?.contains(cells[1]) == true || (inputs[cells[0]] != nil && cells[1].hasPrefix("{"))
      #expect(isRow, "no such row: \(cells)")
      #expect(tests.contains(cells[2]), "no such test: \(cells[2])")
    }
  }

  @Test("what is different on purpose is of a group that is there, and has a reason")
  func differences() throws {
    let inputs = try Self.inputs()
    for cells in try Self.lines("different.tsv") {
      try #require(cells.count == 4, "\(cells)")
      #expect(inputs[cells[0]] != nil, "no such group: \(cells[0])")
      #expect(cells[3].count > 10, "no reason: \(cells)")
    }
  }
}
