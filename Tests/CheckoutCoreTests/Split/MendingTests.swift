import Testing

@testable import CheckoutCore

/// Gift cards stand in the way of a primary's minimum: the plan says how much less of which.
@Suite("Making room for a minimum")
struct MendingTests {
  /// All that a card may come down by.
  private func reductions(_ slice: Mending.Slice) -> [Int64] {
    if slice.isWhole { return [0, slice.amount] }
    return (0...slice.amount).filter { $0 == 0 || $0 == slice.amount || slice.amount - $0 >= slice.least }
  }

  /// Whether any choice of reductions does, by trying them all.
  private func canBeMended(_ mending: Mending) -> Bool {
    var sums: Set<Int64> = [0]
    for slice in mending.slices {
      sums = Set(sums.flatMap { sum in reductions(slice).map { sum + $0 } })
    }
    return sums.contains { $0 >= mending.missing && $0 <= mending.room }
  }

  private func check(_ mending: Mending) {
    let plan = mending.plan()
    if plan.isEmpty { return }
    var given: Int64 = 0
    for mend in plan {
      guard let slice = mending.slices.first(where: { $0.token == mend.token }) else {
        Issue.record("a card that is not there")
        return
      }
      #expect(reductions(slice).contains(mend.less) && mend.less > 0)
      #expect(mend.amount == slice.amount - mend.less)
      given += mend.less
    }
    #expect(Set(plan.map { $0.token }).count == plan.count)
    #expect(given >= mending.missing && given <= mending.room, "\(mending) \(plan)")
  }

  private func each(_ most: Int64, _ body: (Mending) -> Void) {
    for first in 1...most {
      for second in 0...most {
        for kinds in 0..<4 {
          for least in 0...Int64(2) {
            var slices = [Mending.Slice(token: "a", amount: first, isWhole: kinds & 1 != 0, least: least)]
            if second > 0 {
              slices.append(Mending.Slice(token: "b", amount: second, isWhole: kinds & 2 != 0, least: least))
            }
            for missing in 1...(2 * most) {
              for room in [missing - 1, missing, missing + 1, Int64.max] where room >= 0 {
                body(Mending(slices: slices, missing: missing, room: room))
              }
            }
          }
        }
      }
    }
  }

  @Test("Every plan does what it says, for every pair of small cards")
  func sound() { each(5) { check($0) } }

  @Test("Where one card is enough there is a plan of one card, and the least of those")
  func one() {
    each(5) { mending in
      let best = mending.slices.flatMap { slice in
        reductions(slice).filter { $0 >= mending.missing && $0 <= mending.room }
      }.min()
      guard let best else { return }
      let plan = mending.plan()
      #expect(plan.count == 1 && plan.first?.less == best, "\(mending) \(plan)")
    }
  }

  @Test("With cards that give any amount a plan is found whenever there is one")
  func complete() {
    each(5) { mending in
      guard mending.slices.allSatisfy({ !$0.isWhole && $0.least == 0 }) else { return }
      #expect(mending.plan().isEmpty == !canBeMended(mending), "\(mending)")
    }
  }

  @Test("Many cards, up to the largest amounts")
  func large() {
    var random = ValueGenerator(seed: 7)
    for _ in 0..<2_000 {
      let slices = (0..<Int(1 + random.next() % 6)).map { index in
        Mending.Slice(
          token: "gc\(index)", amount: 1 + Int64(random.next() % UInt64(Amount.maximum / 8)),
          isWhole: random.next() % 4 == 0, least: Int64(random.next() % 3))
      }
      let missing = 1 + Int64(random.next() % UInt64(Amount.maximum / 2))
      let room = random.next() % 2 == 0 ? Int64.max : missing + Int64(random.next() % 1_000)
      let mending = Mending(slices: slices, missing: missing, room: room)
      var given: Int64 = 0
      for mend in mending.plan() { given += mend.less }
      if !mending.plan().isEmpty { #expect(given >= missing && given <= room) }
    }
  }
}
