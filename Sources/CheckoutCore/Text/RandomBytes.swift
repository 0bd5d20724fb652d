/// Sixteen random bytes, handed in by whoever drives the core, which has no randomness of its own.
public struct RandomBytes: Hashable, Sendable {
  public var high: UInt64
  public var low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// False for what a failed source of randomness leaves: chance alone does not give it in the age of the universe.
  public var isUsable: Bool { high != 0 || low != 0 }

  /// The text of a version 4 UUID (RFC 9562) of these bytes; six of their bits give way to version and variant.
  public var uuid: String {
    let versioned = RandomBytes(
      high: high & 0xFFFF_FFFF_FFFF_0FFF | 0x4000,
      low: low & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (position, digit) in versioned.hexDigits.enumerated() {
      if position == 8 || position == 12 || position == 16 || position == 20 { text.append(UInt8(ascii: "-")) }
      text.append(digit)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Sixteen digits from which the bytes cannot be told, so that they may be shown beside a UUID of the same bytes.
  public var tag: String {
    let mixed = RandomBytes.mixed(high &+ RandomBytes.mixed(low))
    return String(decoding: RandomBytes(high: mixed, low: 0).hexDigits.prefix(16), as: UTF8.self)
  }

  /// The finaliser of SplitMix64: each bit of the result hangs on every bit of the number.
  private static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// All 32 digits, in small letters.
  public var hex: String { String(decoding: hexDigits, as: UTF8.self) }

  private var hexDigits: [UInt8] {
    var digits: [UInt8] = []
    digits.reserveCapacity(32)
    for half in [high, low] {
      var shift: UInt64 = 64
      while shift > 0 {
        shift -= 4
        let nibble = UInt8(truncatingIfNeeded: half >> shift) & 15
        digits.append(nibble < 10 ? nibble + UInt8(ascii: "0") : nibble - 10 + UInt8(ascii: "a"))
      }
    }
    return digits
  }
}
