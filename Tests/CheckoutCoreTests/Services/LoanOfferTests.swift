import Testing

@testable import CheckoutCore

@Suite("Instalments")
struct LoanOfferTests {
  private static func offer(
    _ initial: Int64?, _ regular: Int64?, _ final: Int64?, times: Int64, cost: Int64 = 0, of amount: Int64
  ) -> LoanOffer? {
    LoanOffer(
      LoanOffer.Terms(initial: initial, regular: regular, final: final, count: times, cost: cost), of: amount)
  }

  struct Row {
    var initial: Int64?
    var regular: Int64?
    var final: Int64?
    var times: Int64
    var cost: Int64 = 0
    var amount: Int64
    /// nil: the terms do not add up.
    var instalments: [Int64]?
  }

  static let rows = [
    Row(initial: 4_000, regular: 4_000, final: 4_000, times: 3, amount: 12_000, instalments: [4_000, 4_000, 4_000]),
    // A third is not a whole number of cents: the last one takes the rounding.
    Row(initial: 3_333, regular: 3_333, final: 3_333, times: 3, amount: 10_000, instalments: [3_333, 3_333, 3_334]),
    Row(initial: 3_334, regular: 3_334, final: 3_334, times: 3, amount: 10_000, instalments: [3_334, 3_334, 3_332]),
    Row(initial: 3_334, regular: 3_333, final: 3_333, times: 3, amount: 10_000, instalments: [3_334, 3_333, 3_333]),
    Row(initial: nil, regular: 2_500, final: nil, times: 4, amount: 10_000, instalments: [2_500, 2_500, 2_500, 2_500]),
    Row(initial: 0, regular: 2_500, final: 0, times: 4, amount: 10_000, instalments: [2_500, 2_500, 2_500, 2_500]),
    Row(
      initial: 0, regular: 2_575, final: 2_575, times: 4, cost: 300, amount: 10_000,
      instalments: [2_575, 2_575, 2_575, 2_575]),
    Row(initial: 10_000, regular: nil, final: nil, times: 1, amount: 10_000, instalments: [10_000]),
    Row(initial: nil, regular: nil, final: 10_000, times: 1, amount: 10_000, instalments: [10_000]),
    Row(initial: 6_000, regular: 0, final: 4_000, times: 2, amount: 10_000, instalments: [6_000, 4_000]),
    // One minor unit an instalment is no rounding any more.
    Row(initial: 3_333, regular: 3_333, final: 3_331, times: 3, amount: 10_000),
    Row(initial: 3_333, regular: 3_333, final: 3_337, times: 3, amount: 10_000),
    Row(initial: 5_000, regular: 5_000, final: 5_000, times: 3, amount: 10_000),
    Row(initial: 5_000, regular: 0, final: 5_000, times: 3, amount: 10_000),
    Row(initial: -1, regular: 5_000, final: 5_001, times: 3, amount: 10_000),
    Row(initial: nil, regular: nil, final: nil, times: 3, amount: 10_000),
    Row(initial: nil, regular: 10_000, final: nil, times: 0, amount: 10_000),
    Row(initial: nil, regular: 1, final: nil, times: 601, amount: 601),
    Row(initial: nil, regular: 5_000, final: nil, times: 2, cost: -1, amount: 10_001),
    Row(initial: nil, regular: 0, final: nil, times: 1, amount: 0),
    Row(initial: nil, regular: Amount.maximum, final: nil, times: 2, cost: Amount.maximum, amount: Amount.maximum),
    Row(initial: Int64.max, regular: Int64.max, final: Int64.max, times: 600, cost: Int64.max, amount: Int64.max),
  ]

  @Test("Terms, and what is paid each time", arguments: rows.indices)
  func table(_ index: Int) {
    let row = Self.rows[index]
    let offer = Self.offer(
      row.initial, row.regular, row.final, times: row.times, cost: row.cost, of: row.amount)
    #expect(offer?.instalments == row.instalments)
  }

  @Test("Whatever the terms, what is offered sums to the total, to the minor unit, and nothing of it is nothing")
  func sums() {
    var random = SystemDice(7)
    var offered = 0
    for _ in 0..<20_000 {
      let amount = Int64(random.below(5_000_00) + 1)
      let cost = Int64(random.below(3) == 0 ? 0 : random.below(20_000))
      let times = Int64(random.below(25) + 1)
      let share = (amount + cost) / times
      func near() -> Int64? { random.below(6) == 0 ? nil : max(share + Int64(random.below(5)) - 2, 0) }
      let (initial, regular) = (near(), near())
      let left = (amount + cost) - (initial ?? 0) - (regular ?? 0) * max(times - 2, 0)
      let final = random.below(4) == 0 ? near() : left + Int64(random.below(7)) - 3
      guard let offer = Self.offer(initial, regular, final, times: times, cost: cost, of: amount) else { continue }
      offered += 1
      #expect(offer.instalments.reduce(0, +) == amount + cost && offer.total == amount + cost)
      #expect(offer.instalments.allSatisfy { $0 > 0 } && offer.instalments.count == Int(times))
      // Nothing but the last is other than what the back end said.
      for instalment in offer.instalments.dropLast() {
        #expect(instalment == initial || instalment == regular)
      }
    }
    #expect(offered > 5_000)
  }

  @Test("Every amount that splits evenly but for the rounding is offered", arguments: [2, 3, 4, 7, 10, 12, 24, 120])
  func even(_ times: Int64) throws {
    for amount in Int64(times * 100)..<Int64(times * 100 + 60) {
      let share = amount / times
      let offer = try #require(Self.offer(share, share, share, times: times, of: amount))
      #expect(offer.instalments.reduce(0, +) == amount)
    }
  }
}

/// A seeded source of choices.
private struct SystemDice {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  mutating func below(_ bound: Int) -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Int(state % UInt64(bound))
  }
}
