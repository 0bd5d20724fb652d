import Foundation

/// The lists beside the cases. Both have a line of headings, and columns by tabs.
struct Tables {
  struct RowName: Hashable {
    let group: String
    let row: String
  }

  struct Difference {
    let ours: String
    let why: String
  }

  /// The tests that hold rows of sentences.
  let tests: [RowName: String]
  /// Rows that the library answers otherwise on purpose.
  let differences: [RowName: Difference]

  init(_ folder: URL) throws {
    tests = Dictionary(
      try Tables.lines(folder.appending(path: "prose.tsv"), columns: 3).map { cells in
        (RowName(group: cells[0], row: cells[1]), cells[2])
      }, uniquingKeysWith: { first, other in "\(first), \(other)" })
    differences = Dictionary(
      try Tables.lines(folder.appending(path: "different.tsv"), columns: 4).map { cells in
        (RowName(group: cells[0], row: cells[1]), Difference(ours: cells[2], why: cells[3]))
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func lines(_ file: URL, columns: Int) throws -> [[String]] {
    let text = try String(contentsOf: file, encoding: .utf8)
    return try text.split(separator: "\n").dropFirst().map { line in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells.count == columns, cells.allSatisfy({ !$0.isEmpty }) else {
        throw CaseFile.Unreadable(description: "\(file.lastPathComponent): \(line)")
      }
      return cells
    }
  }
}
