/// The UTF-8 bytes a string's raw content stands for. The content has passed the reader, so its escapes are whole.
public struct JSONUnescaped: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int
  /// Bytes of an escaped character still to be handed out, the next one lowest. None of them is zero.
  private var pending: UInt32 = 0

  init(_ bytes: [UInt8], _ content: Range<Int>) {
    self.bytes = bytes
    position = content.lowerBound
    end = Swift.min(content.upperBound, bytes.count)
  }

  public mutating func next() -> UInt8? {
    if pending != 0 {
      let byte = UInt8(truncatingIfNeeded: pending)
      pending >>= 8
      return byte
    }
    guard position < end else { return nil }
    let byte = bytes[position]
    position += 1
    return byte == UInt8(ascii: "\\") ? escaped() : byte
  }

  private mutating func escaped() -> UInt8? {
    guard position < end else { return nil }
    let letter = bytes[position]
    position += 1
    switch letter {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "u"): return encode(scalar())
    default: return letter
    }
  }

  /// The scalar of a `\u` escape, or of the pair of them that it starts.
  private mutating func scalar() -> UInt32 {
    let unit = codeUnit()
    guard unit & 0xFC00 == 0xD800 else { return unit }
    position += 2
    return 0x10000 + (unit & 0x3FF) << 10 + codeUnit() & 0x3FF
  }

  private mutating func codeUnit() -> UInt32 {
    var unit: UInt32 = 0
    for offset in position..<Swift.min(position + 4, Swift.max(position, end)) {
      unit = unit << 4 | UInt32(hexadecimalDigit(bytes[offset]) ?? 0)
    }
    position += 4
    return unit
  }

  /// The first byte of the scalar's UTF-8; the others become pending.
  private mutating func encode(_ scalar: UInt32) -> UInt8 {
    func continuation(_ shift: UInt32) -> UInt32 { 0x80 | scalar >> shift & 0x3F }
    switch scalar {
    case ..<0x80:
      return UInt8(truncatingIfNeeded: scalar)
    case ..<0x800:
      pending = continuation(0)
      return UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
    case ..<0x10000:
      pending = continuation(6) | continuation(0) << 8
      return UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
    default:
      pending = continuation(12) | continuation(6) << 8 | continuation(0) << 16
      return UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
    }
  }
}

/// The value of a hexadecimal digit.
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
  default: nil
  }
}
