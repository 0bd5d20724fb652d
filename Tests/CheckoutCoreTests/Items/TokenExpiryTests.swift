import Testing

@testable import CheckoutCore

@Suite("When a saved instrument has expired")
struct TokenExpiryTests {
  @Test(
    "A date is good for its day, a time for its instant",
    arguments: [
      ("2030-01-01T00:00:00Z", 1_893_456_000_000 + 129_600_000), ("2030-01-01T00:00:01Z", 1_893_456_001_000),
      ("2030-01-01T12:00:00+02:00", 1_893_492_000_000), ("05/31", nil), ("", nil), (nil, nil),
    ] as [(String?, Int64?)])
  func moment(_ text: String?, _ moment: Int64?) { #expect(TokenExpiries.moment(text) == moment) }

  /// Any order of watching and any steps of the clock: what has gone is exactly what is past, and stays gone.
  @Test("What is gone is what is past")
  func property() {
    var random = ValueGenerator(seed: 42)
    for _ in 0..<300 {
      var expiries = TokenExpiries()
      var due: [(String, Int64)] = []
      for index in 0..<Int(random.next() % 6) {
        let seconds = 1 + Int64(random.next() % 50)
        due.append(("t\(index)", seconds * 1_000))
        expiries.watch("t\(index)", DateText.iso8601(seconds * 1_000))
      }
      var now: Int64 = 0
      for _ in 0..<8 {
        now += Int64(random.next() % 20) * 1_000
        let before = expiries.gone.count
        let isMore = expiries.advance { $0 <= now }
        #expect(isMore == (expiries.gone.count > before))
        #expect(Set(expiries.gone) == Set(due.filter { $0.1 <= now }.map { $0.0 }))
        #expect(expiries.next == due.map { $0.1 }.filter { $0 > now }.min())
      }
    }
  }
}
