// Text that goes into URLs, forms and headers, byte by byte: what may stand there is a matter of ASCII.

/// A path segment: all but the unreserved characters of RFC 3986 is encoded.
public func percentEncoded(segment: String) -> String {
  var encoded: [UInt8] = []
  for byte in segment.utf8 {
    if isUnreserved(byte) { encoded.append(byte) } else { appendPercentEncoded(byte, to: &encoded) }
  }
  return String(decoding: encoded, as: UTF8.self)
}

/// A name or a value of `application/x-www-form-urlencoded`.
public func appendFormEncoded(_ bytes: some Sequence<UInt8>, to encoded: inout [UInt8]) {
  for byte in bytes {
    switch byte {
    case UInt8(ascii: " "): encoded.append(UInt8(ascii: "+"))
    case UInt8(ascii: "~"): appendPercentEncoded(byte, to: &encoded)
    case UInt8(ascii: "*"): encoded.append(byte)
    case _ where isUnreserved(byte): encoded.append(byte)
    default: appendPercentEncoded(byte, to: &encoded)
    }
  }
}

/// The bytes that an encoded name or value of a query string stands for. A `%` that encodes nothing stands for itself.
public func formDecoded(_ text: some Collection<UInt8>) -> [UInt8] {
  var decoded: [UInt8] = []
  var rest = text[...]
  while let byte = rest.popFirst() {
    if byte == UInt8(ascii: "%"), let high = hexValue(rest.first), let low = hexValue(rest.dropFirst().first) {
      decoded.append(high << 4 | low)
      rest = rest.dropFirst(2)
    } else {
      decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
    }
  }
  return decoded
}

public func withoutTrailingSlash(_ root: String) -> String {
  var bytes = Array(root.utf8)
  while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
  return String(decoding: bytes, as: UTF8.self)
}

/// A token of RFC 9110.
public func isHeaderName(_ text: String) -> Bool {
  !text.utf8.isEmpty
    && text.utf8.allSatisfy { byte in isLetterOrDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte) }
}

public func isLetterOrDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: false
  }
}

private func isUnreserved(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || "-._~".utf8.contains(byte) }

private func appendPercentEncoded(_ byte: UInt8, to encoded: inout [UInt8]) {
  encoded.append(UInt8(ascii: "%"))
  encoded.append(hexDigit(byte >> 4))
  encoded.append(hexDigit(byte & 0xF))
}

private func hexDigit(_ value: UInt8) -> UInt8 {
  value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + (value - 10)
}

private func hexValue(_ digit: UInt8?) -> UInt8? {
  guard let digit else { return nil }
  switch digit {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): return digit - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): return digit - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): return digit - UInt8(ascii: "A") + 10
  default: return nil
  }
}
