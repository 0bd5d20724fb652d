/// Why a text is no JSON, and where.
public struct SandboxJSONError: Error, Hashable, Sendable {
  /// What was wrong.
  public let reason: String
  /// The byte at which it was found.
  public let offset: Int
}

extension SandboxJSON {
  /// Reads one JSON document strictly: RFC 8259, no duplicate names, at most 64 levels, UTF-8 only.
  public init(reading bytes: [UInt8]) throws(SandboxJSONError) {
    var reader = Reader(bytes: bytes)
    self = try reader.document()
  }

  /// Reads one JSON document from text.
  public init(reading text: String) throws(SandboxJSONError) {
    try self.init(reading: Array(text.utf8))
  }
}

private struct Reader {
  let bytes: [UInt8]
  var position = 0
  var depth = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  func failure(_ reason: String) -> SandboxJSONError { SandboxJSONError(reason: reason, offset: position) }

  mutating func document() throws(SandboxJSONError) -> SandboxJSON {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw failure("not UTF-8") }
    let value = try self.value()
    skipSpace()
    guard next == nil else { throw failure("something follows the document") }
    return value
  }

  mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
  }

  mutating func value() throws(SandboxJSONError) -> SandboxJSON {
    skipSpace()
    guard let byte = next else { throw failure("a value is missing") }
    switch byte {
    case UInt8(ascii: "{"): return try nested { reader throws(SandboxJSONError) in try reader.object() }
    case UInt8(ascii: "["): return try nested { reader throws(SandboxJSONError) in try reader.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  mutating func nested(
    _ body: (inout Reader) throws(SandboxJSONError) -> SandboxJSON
  ) throws(SandboxJSONError) -> SandboxJSON {
    guard depth < 64 else { throw failure("nested too deeply") }
    depth += 1
    position += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  mutating func word(_ word: String, _ value: SandboxJSON) throws(SandboxJSONError) -> SandboxJSON {
    guard bytes[position...].starts(with: word.utf8) else { throw failure("unknown word") }
    position += word.utf8.count
    return value
  }

  mutating func accept(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  mutating func object() throws(SandboxJSONError) -> SandboxJSON {
    var members: [SandboxJSON.Member] = []
    var names: Set<String> = []
    if accept("}") { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\"") else { throw failure("a name is missing") }
      let name = try string()
      guard names.insert(name).inserted else { throw failure("duplicate name") }
      guard accept(":") else { throw failure("a colon is missing") }
      members.append(SandboxJSON.Member(name: name, value: try value()))
    } while accept(",")
    guard accept("}") else { throw failure("an object is not closed") }
    return .object(members)
  }

  mutating func array() throws(SandboxJSONError) -> SandboxJSON {
    var elements: [SandboxJSON] = []
    if accept("]") { return .array([]) }
    repeat { elements.append(try value()) } while accept(",")
    guard accept("]") else { throw failure("an array is not closed") }
    return .array(elements)
  }
}

// Scalars.
extension Reader {
  mutating func number() throws(SandboxJSONError) -> String {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") { position += 1 } else { try digits() }
    if next == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      if let sign = next, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  mutating func digits() throws(SandboxJSONError) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw failure("a digit is missing") }
  }

  mutating func string() throws(SandboxJSONError) -> String {
    position += 1
    var text: [UInt8] = []
    while let byte = next, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw failure("a control character in a string") }
      position += 1
      if byte == UInt8(ascii: "\\") {
        text.append(contentsOf: String(try escape()).utf8)
      } else {
        text.append(byte)
      }
    }
    guard next != nil else { throw failure("a string is not closed") }
    position += 1
    return String(decoding: text, as: UTF8.self)
  }

  mutating func escape() throws(SandboxJSONError) -> Unicode.Scalar {
    guard let byte = next else { throw failure("a string is not closed") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw failure("unknown escape")
    }
  }

  mutating func unicodeEscape() throws(SandboxJSONError) -> Unicode.Scalar {
    let high = try codeUnit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard high < 0xDC00, bytes[position...].starts(with: "\\u".utf8) else { throw failure("half a surrogate pair") }
    position += 2
    let low = try codeUnit()
    guard (0xDC00...0xDFFF).contains(low) else { throw failure("half a surrogate pair") }
    let value = 0x10000 + ((UInt32(high) - 0xD800) << 10) + (UInt32(low) - 0xDC00)
    guard let scalar = Unicode.Scalar(value) else { throw failure("half a surrogate pair") }
    return scalar
  }

  mutating func codeUnit() throws(SandboxJSONError) -> UInt16 {
    guard position + 4 <= bytes.count else { throw failure("a string is not closed") }
    let text = String(decoding: bytes[position..<position + 4], as: UTF8.self)
    guard text.utf8.allSatisfy({ isHexadecimal($0) }), let value = UInt16(text, radix: 16) else {
      throw failure("four hexadecimal digits are missing")
    }
    position += 4
    return value
  }

  func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      return true
    default: return false
    }
  }
}
