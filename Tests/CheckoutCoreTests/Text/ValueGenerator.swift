/// A small generator (SplitMix64) with a seed, so that a failing random test fails again.
struct ValueGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &self) }

  mutating func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func flip() -> Bool { next() & 1 == 0 }

  /// Numbers of every magnitude alike, where a plain draw would nearly always be huge.
  mutating func amount(upTo limit: Int64) -> Int64 {
    let mask = UInt64.max >> UInt64.random(in: 1...63, using: &self)
    return Int64(next() & mask) % (limit + 1)
  }

  mutating func element<Element>(of list: [Element]) -> Element {
    list[Int.random(in: 0..<list.count, using: &self)]
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
