import Foundation

/// Runs the cases: `cases [FILE]`, this folder's own file without one. Exits 1 when a row fails, 2 when the file cannot
/// be read.
let folder = URL(filePath: #filePath).deletingLastPathComponent()
do {
  let file = try CaseFile(
    CommandLine.arguments.dropFirst().first ?? folder.appending(path: "primer_cases.json").path)
  var runner = Runner(try Tables(folder))
  for group in file.groups { runner.run(group) }
  runner.total()
  exit(runner.failed == 0 ? 0 : 1)
} catch {
  print("cases: \(error)")
  exit(2)
}
