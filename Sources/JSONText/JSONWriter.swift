/// Writes JSON text piece by piece. Commas are put in by themselves; keys stand in the order of the calls.
///
/// The caller is responsible for the shape (a key before each member's value, an end for each begin); a wrong order of
/// calls yields a wrong text and nothing worse.
public struct JSONWriter: Hashable, Sendable {
  /// The text so far.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Starts an empty text, with room for a small one.
  public init() { bytes.reserveCapacity(JSONWriter.usualLength) }

  private static let usualLength = 224

  /// The text so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Begins an object.
  public mutating func beginObject() {
    begin(UInt8(ascii: "{"))
  }

  /// Ends the object begun last.
  public mutating func endObject() {
    end(isObject: true)
  }

  /// Begins an array.
  public mutating func beginArray() {
    begin(UInt8(ascii: "["))
  }

  /// Ends the array begun last.
  public mutating func endArray() {
    end(isObject: false)
  }

  /// Writes the key of a member; its value comes next.
  public mutating func key(_ key: String) {
    append(quoted: key, isKey: true)
    needsComma = false
  }

  /// Writes a string.
  public mutating func string(_ value: String) {
    append(quoted: value, isKey: false)
    needsComma = true
  }

  /// Writes an integer.
  public mutating func integer(_ value: Int64) {
    raw(String(value).utf8)
  }

  /// Writes an integer.
  public mutating func integer(_ value: Int) {
    raw(String(value).utf8)
  }

  /// Writes `true` or `false`.
  public mutating func boolean(_ value: Bool) {
    raw((value ? "true" : "false").utf8)
  }

  /// Writes `null`.
  public mutating func null() {
    raw("null".utf8)
  }

  /// Writes a text that is a JSON value already.
  public mutating func raw(_ jsonText: String) {
    raw(jsonText.utf8)
  }

  /// Writes a number as it is spelt.
  public mutating func numberLiteral(_ text: String) {
    raw(text.utf8)
  }

  mutating func raw(_ value: some Collection<UInt8>) {
    separate()
    bytes.append(contentsOf: value)
    needsComma = true
  }

  mutating func end(isObject: Bool) {
    bytes.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    needsComma = true
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func endKey() {
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }
}

// Strings that come from a document.
extension JSONWriter {
  mutating func key(stringOf node: JSONNode, in text: [UInt8]) {
    separate()
    appendQuoted(node, in: text)
    endKey()
  }

  mutating func string(of node: JSONNode, in text: [UInt8]) {
    separate()
    appendQuoted(node, in: text)
    needsComma = true
  }

  private mutating func appendQuoted(_ node: JSONNode, in text: [UInt8]) {
    if node.hasEscapes {
      appendQuoted(Array(JSONUnescaped(text, node.content)))
    } else {
      appendQuoted(text[node.content])
    }
  }
}

// Escaping: what JSON demands and no more.
extension JSONWriter {
  /// Most of what is written, so that room is made once for all of it.
  private mutating func append(quoted text: String, isKey: Bool) {
    guard isPlain(text.utf8.span) else {
      separate()
      appendQuoted(text.utf8)
      if isKey { bytes.append(UInt8(ascii: ":")) }
      return
    }
    let hasComma = needsComma
    bytes.append(addingCapacity: text.utf8.count + 4) { output in
      if hasComma { output.append(UInt8(ascii: ",")) }
      output.append(UInt8(ascii: "\""))
      let content = text.utf8.span
      for index in content.indices { output.append(content[index]) }
      output.append(UInt8(ascii: "\""))
      if isKey { output.append(UInt8(ascii: ":")) }
    }
  }

  private func isPlain(_ text: Span<UInt8>) -> Bool {
    for index in text.indices where needsEscape(text[index]) { return false }
    return true
  }

  private mutating func appendQuoted(_ content: some Collection<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    if content.contains(where: { needsEscape($0) }) {
      for byte in content { appendEscaped(byte) }
    } else {
      bytes.append(contentsOf: content)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscaped(_ byte: UInt8) {
    guard needsEscape(byte) else { return bytes.append(byte) }
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case ..<0x20:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(UInt8(ascii: "0") + byte >> 4)
      bytes.append(hexadecimalCharacter(byte & 0xF))
    default: bytes.append(byte)
    }
  }

  private func hexadecimalCharacter(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + (digit - 10)
  }
}
