import Foundation
import Testing

/// What is promised, and what checks each promise: the table of include/README.md is made of it.
struct Promise {
  struct Check {
    var machine: String
    var file: String
    /// What in that file checks it.
    var mark: String
  }

  var id: String
  var text: String
  var checks: [Check]

  private static func explore(_ mark: String, _ file: String = "Stepping.swift") -> Check {
    Check(machine: "`make explore`", file: "Tests/Simulation/Explorer/\(file)", mark: mark)
  }

  private static func simulate(_ mark: String) -> Check {
    Check(machine: "`make simulate`", file: "Tests/Simulation/RandomRunTests.swift", mark: mark)
  }

  private static func host(_ file: String, _ mark: String) -> Check {
    Check(machine: "C host: \(mark)", file: "Tests/CHost/\(file)", mark: mark)
  }

  private static let crash = Check(machine: "`make crash`", file: "Tests/Crash/driver.py", mark: "double=")

  static let all: [Promise] = [
    Promise(
      id: "I1", text: "one payment at most is created per session",
      checks: [explore("I1: paid"), simulate("I1: "), crash, host("test_threads.c", "c4_sixty_four_submits")]),
    Promise(
      id: "I2", text: "exactly one outcome per attempt, carrying its id", checks: [explore("I2: "), simulate("I2: ")]),
    Promise(
      id: "I3", text: "slices are positive (0 only for amount 0), within their balance, and sum to at most the amount",
      checks: [explore("I3: "), simulate("I3: ")]),
    Promise(
      id: "I4",
      text: "after teardown: the attempt's outcome, its checkpoints, open calls' results, one change, then `release`",
      checks: [
        explore("I4: "), host("test_callbacks.c", "c4_release_waits_for_the_outcome"),
        host("test_saved.c", "teardown_mid_flight"),
      ]
    ),
    Promise(
      id: "I5", text: "what is published equals what is derived afresh", checks: [explore("I5: "), simulate("I5: ")]),
    Promise(
      id: "I6", text: "save, restore, save gives the same bytes but for savedAt and revision; revisions never fall",
      checks: [explore("I6: ", "Disk.swift"), simulate("I6: ")]),
    Promise(
      id: "I7", text: "no card number, PIN or CVV in any error, event or snapshot",
      checks: [host("test_saved.c", "numbers_are_nowhere"), host("test_saved.c", "check_silence")]),
    Promise(
      id: "I8", text: "every call answers, no input crashes, and a refused call changes nothing",
      checks: [simulate("a refused call changed something"), host("test_saved.c", "broken_snapshots")]),
    Promise(
      id: "I9", text: "certainly expired by the server's clock is never submitted, and nothing else is called expired",
      checks: [explore("I9: "), simulate("I9: ")]),
    Promise(
      id: "I10", text: "killed at any output and restored from the last checkpoint, I1 holds",
      checks: [explore("mutating func interrupt"), simulate("I10: "), crash]),
    Promise(
      id: "I11", text: "the same inputs give the same outputs, byte for byte", checks: [simulate("(I11)")]),
    Promise(
      id: "I12", text: "from every reachable state some sequence of host calls leads out",
      checks: [explore("I12: ", "Search.swift")]),
  ]
}

@Suite("Promises")
struct PromisesTests {
  @Test("whatever is said to check a promise is there", arguments: Promise.all.map { $0.id })
  func checksExist(_ id: String) throws {
    let promise = try #require(Promise.all.first { $0.id == id })
    #expect(!promise.checks.isEmpty)
    for check in promise.checks {
      let text = try String(contentsOf: SourceRulesTests.root.appending(path: check.file), encoding: .utf8)
      #expect(text.contains(check.mark), "\(check.file) has no \(check.mark)")
    }
  }
}
