/// Small questions about typed text.
public enum TypedText {
  public static func withoutWhiteSpace(_ text: Span<UInt8>) -> [UInt8] {
    var kept: [UInt8] = []
    var start = 0
    var at = 0
    while let scalar = Scalars.next(text, &at) {
      if !Scalars.isWhiteSpace(scalar) && !Scalars.isLineBreak(scalar) {
        for index in start..<at { kept.append(text[index]) }
      }
      start = at
    }
    return kept
  }

  public static func isNumeric(_ text: Span<UInt8>) -> Bool { Bytes.areDigits(text) }

  /// A space after every so many bytes of ASCII.
  public static func grouped(_ text: Span<UInt8>, by size: Int) -> [UInt8] {
    var grouped: [UInt8] = []
    for index in text.indices {
      if index > 0, index % size == 0 { grouped.append(UInt8(ascii: " ")) }
      grouped.append(text[index])
    }
    return grouped
  }

  /// Base64 in the alphabet of URLs, without padding.
  public static func urlSafe(_ base64: Span<UInt8>) -> [UInt8] {
    var safe: [UInt8] = []
    for index in base64.indices {
      switch base64[index] {
      case UInt8(ascii: "+"): safe.append(UInt8(ascii: "-"))
      case UInt8(ascii: "/"): safe.append(UInt8(ascii: "_"))
      case UInt8(ascii: "="): continue
      default: safe.append(base64[index])
      }
    }
    return safe
  }

  /// By its scheme alone.
  public static func isHTTP(_ url: Span<UInt8>) -> Bool {
    for scheme in ["http://", "https://"] where url.count >= scheme.utf8.count {
      var index = 0
      for byte in scheme.utf8 {
        let small = Bytes.isLetter(url[index]) ? url[index] | 0x20 : url[index]
        if small != byte { break }
        index += 1
      }
      if index == scheme.utf8.count { return true }
    }
    return false
  }
}
