import Foundation

/// How long a machine runs: a number of inputs, or, asked by `make fuzz`, a time.
struct Fuzzing {
  let seed: UInt64
  private let until: Date?
  private let inputs: Int

  init(inputs: Int) {
    let environment = ProcessInfo.processInfo.environment
    seed = environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    until = environment["FUZZ_SECONDS"].flatMap { Double($0) }.map { Date(timeIntervalSinceNow: $0) }
    self.inputs = inputs
  }

  /// Where `make fuzz` looks for what passed.
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: ".build/fuzz")

  func isOver(after count: Int) -> Bool {
    guard let until else { return count >= inputs }
    return count % 1_000 == 0 && Date() >= until
  }
}
