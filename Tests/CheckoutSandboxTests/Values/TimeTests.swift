import Foundation
import Testing

@testable import CheckoutSandbox

@Suite struct TimeTests {
  @Test func theThreeSpellings() {
    #expect(SandboxTime.httpDate(784_111_777_000) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(SandboxTime.seconds(1_893_456_000_999) == "2030-01-01T00:00:00Z")
    #expect(SandboxTime.milliseconds(1_893_456_000_009) == "2030-01-01T00:00:00.009Z")
    #expect(SandboxTime.seconds(-1_000) == "1969-12-31T23:59:59Z")
  }

  @Test func timesAreThoseOfFoundation() {
    let formatter = ISO8601DateFormatter()
    var generator = SeededGenerator(2)
    for _ in 0..<2_000 {
      let second = Int64.random(in: -2_000_000_000...32_000_000_000, using: &generator)
      let text = SandboxTime.seconds(second * 1_000)
      #expect(text == formatter.string(from: Date(timeIntervalSince1970: TimeInterval(second))))
      #expect(SandboxTime.reading(text) == second * 1_000)
    }
  }

  @Test(
    arguments: [
      "", "2030-01-01", "2030-13-01T00:00:00Z", "2030-02-29T00:00:00Z", "2030-01-01T24:00:00Z", "2030-01-01T00:00:60Z",
      "2030-00-01T00:00:00Z", "2030-01-01T00:00:00", "2030-01-01T00:00:00+00:00",
    ])
  func whatIsNoTimeIsNone(_ text: String) { #expect(SandboxTime.reading(text) == nil) }

  @Test func idsAreUUIDsAndRepeatWithTheSeed() {
    var first = Identifiers(seed: 1)
    var second = Identifiers(seed: 1)
    var other = Identifiers(seed: 2)
    var seen: Set<String> = []
    for _ in 0..<500 {
      let id = first.uuid()
      #expect(UUID(uuidString: id) != nil)
      #expect(id.wholeMatch(of: #/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#) != nil)
      #expect(id == second.uuid())
      #expect(id != other.uuid())
      seen.insert(id)
    }
    #expect(seen.count == 500)
  }
}
