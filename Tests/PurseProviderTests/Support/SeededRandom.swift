/// Random numbers that are the same in every run (SplitMix64), so that a failure can be repeated.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True once in so many times.
  mutating func chance(_ odds: UInt64) -> Bool { next() % odds == 0 }

  mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(next() % UInt64(bound)) : 0 }

  /// A text with a few bytes or pieces changed; sometimes none.
  mutating func garbled(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<below(4) { garble(&bytes) }
    return bytes
  }

  /// One change: a byte set, taken out or put in, a piece taken out, doubled or moved.
  mutating func garble(_ bytes: inout [UInt8]) {
    let interesting = Array("{}[]\",:0123456789.-+eE\\ntfu \u{0}é".utf8)
    let place = below(bytes.count)
    let end = min(bytes.count, place + 1 + below(24))
    switch below(6) {
    case 0 where !bytes.isEmpty: bytes[place] = interesting[below(interesting.count)]
    case 1 where !bytes.isEmpty: bytes[place] = UInt8(truncatingIfNeeded: next())
    case 2 where !bytes.isEmpty: bytes.removeSubrange(place..<end)
    case 3 where !bytes.isEmpty: bytes.insert(contentsOf: bytes[place..<end], at: below(bytes.count))
    case 4: bytes.insert(interesting[below(interesting.count)], at: place)
    default: bytes = Array(bytes.prefix(max(0, bytes.count - below(8))))
    }
  }
}
