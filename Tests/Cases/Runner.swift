/// Runs a file's groups and prints a line for each, with what is wrong below it.
struct Runner {
  let tables: Tables
  private(set) var passed = 0
  private(set) var failed = 0
  private(set) var held = 0
  private(set) var missing = 0

  init(_ tables: Tables) { self.tables = tables }

  mutating func run(_ group: CaseFile.Group) {
    guard let function = Groups.all[group.id] else {
      failed += group.rows.count
      print("cases: \(group.id) passed=0 failed=\(group.rows.count)")
      print("  nothing here answers this group")
      return
    }
    var tally = Tally()
    for row in group.rows { judge(row, function, group.id, &tally) }
    print("cases: \(group.id) passed=\(tally.passed) failed=\(tally.failed)\(tally.sentences)")
    for line in tally.lines { print("  \(line)") }
    passed += tally.passed
    failed += tally.failed
    held += tally.held
    missing += tally.missing
  }

  private struct Tally {
    var passed = 0
    var failed = 0
    var held = 0
    var missing = 0
    var lines: [String] = []

    var sentences: String { held + missing == 0 ? "" : " held=\(held) missing=\(missing)" }
  }

  private func judge(_ row: Row, _ function: GroupFunction, _ group: String, _ tally: inout Tally) {
    let name = Tables.RowName(group: group, row: row.key)
    let verdict = function.judge(row)
    if let difference = tables.differences[name] { return judge(verdict, difference, name, &tally) }
    switch verdict {
    case .passed: tally.passed += 1
    case .failed(let why):
      tally.failed += 1
      tally.lines.append("failed: \(row.key): \(why)")
    case .prose where tables.tests[name] != nil: tally.held += 1
    case .prose:
      tally.missing += 1
      tally.lines.append("missing: \(row.key)")
    }
  }

  /// A row that is different on purpose: it must be so still, and in the way that is written down.
  private func judge(
    _ verdict: Verdict, _ difference: Tables.Difference, _ name: Tables.RowName, _ tally: inout Tally
  ) {
    switch verdict {
    case .failed(let why) where why.hasSuffix("got \(difference.ours)"):
      tally.passed += 1
      tally.lines.append("different: \(name.row): \(difference.ours), since \(difference.why)")
    case .prose where tables.tests[name] != nil:
      tally.held += 1
      tally.lines.append("different: \(name.row): \(difference.ours), since \(difference.why)")
    case .passed:
      tally.failed += 1
      tally.lines.append("failed: \(name.row): no longer different")
    case .failed(let why):
      tally.failed += 1
      tally.lines.append("failed: \(name.row): \(why)")
    case .prose:
      tally.missing += 1
      tally.lines.append("missing: \(name.row)")
    }
  }

  func total() {
    print("cases: rows of sentences: \(held) held by tests, \(missing) missing")
    print("cases: \(passed) passed, \(failed) failed")
  }
}
