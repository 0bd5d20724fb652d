import Foundation
import Testing

@testable import CheckoutCore

/// Secrets in every input, and none of them where it must not be (I7).
///
/// `CANARY_RUNS` says how many runs; a leaking one prints its seed.
@Suite("Canary")
struct CanaryTests {
  // seed: 004:86
  // seed: 004:87
  // seed: 002:43
  @Test("nothing that was put in is where it must not be")
  func nothingLeaks() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["CANARY_RUNS"].flatMap { Int($0) } ?? 120
    let first = environment["CANARY_FIRST"].flatMap { Int($0) } ?? 1
    var planted = 0
    var looked = 0
    var leaks = 0
    for seed in first..<(first + count) {
      let run = try CanaryRun(seed: UInt64(seed))
      run.play(steps: 80)
      planted += run.secrets.all.count
      looked += run.looked
      leaks += run.leaks.count
      if let leak = run.leaks.first { Issue.record("CANARY_FIRST=\(seed) CANARY_RUNS=1: \(leak)") }
    }
    #expect(looked > count)
    print("canary: core runs=\(count) secrets=\(planted) leaks=\(leaks)")
  }

  @Test("each kind of secret is found at each outlet where it must not be", arguments: Secret.Kind.allCases)
  func isFound(_ kind: Secret.Kind) throws {
    for outlet in Outlet.allCases {
      let run = try CanaryRun(seed: 3)
      #expect(run.leaks.isEmpty)
      var secrets = run.secrets
      let text = secrets.plant(kind)
      let found = secrets.leaks("before \(text) after", outlet).contains { $0.kind == kind }
      #expect(found == kind.forbidden.contains(outlet), "\(kind) in \(outlet)")
    }
  }

  @Test("numbers are found however they are grouped")
  func grouping() {
    let number = Secret(.cardNumber, "4123456789012345")
    let amount = Secret(.amount, "7351928")
    for text in ["4123 4567 8901 2345", "4123-4567-8901-2345", "x4123456789012345y", "4123.4567.8901.2345"] {
      #expect(number.isIn(Searched(text)))
    }
    for text in ["73519.28", "73,519.28", "73 519,28", #"{"amount":7351928}"#] { #expect(amount.isIn(Searched(text))) }
    #expect(!amount.isIn(Searched("7351929")))
  }
}
