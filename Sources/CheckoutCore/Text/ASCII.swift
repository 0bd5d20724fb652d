/// Questions about single bytes. Unicode's classes are never asked: they would let look-alikes through.
@inline(__always)
func isDigit(_ byte: UInt8) -> Bool {
  byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}

func isHexDigit(_ byte: UInt8) -> Bool {
  isDigit(byte) || (lowercased(byte) >= UInt8(ascii: "a") && lowercased(byte) <= UInt8(ascii: "f"))
}

func isLetter(_ byte: UInt8) -> Bool {
  lowercased(byte) >= UInt8(ascii: "a") && lowercased(byte) <= UInt8(ascii: "z")
}

/// The small letter of an ASCII capital; every other byte as it is.
func lowercased(_ byte: UInt8) -> UInt8 {
  byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte + 32 : byte
}
