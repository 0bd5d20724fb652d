/// Where ids come from: a seeded sequence, so that a test can expect the same ids again.
struct Identifiers: Hashable, Sendable {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func word() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A random (version 4) uuid.
  mutating func uuid() -> String {
    let high = (word() & ~0xF000) | 0x4000
    let low = (word() & ~(0b11 << 62)) | (0b10 << 62)
    let digits = Self.hexadecimal(high) + Self.hexadecimal(low)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text += "-" }
      text.append(digit)
    }
    return text
  }

  private static func hexadecimal(_ word: UInt64) -> String {
    let digits = String(word, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
