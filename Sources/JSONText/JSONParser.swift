/// Reads a text into a tape: the structure of RFC 8259. Strings, numbers and keys have files of their own.
///
/// There is no recursion and no stack: an open container's entry remembers the container around it.
struct JSONParser {
  let bytes: [UInt8]
  let maximumDepth: Int
  var nodes: [JSONNode] = []
  var position = 0
  private var depth = 0
  /// The innermost open container, or `outermost`.
  private var container = JSONParser.outermost
  private static let outermost = UInt32.max

  /// Offsets and counts are 32 bits wide on the tape.
  private static let widestText = Int(Int32.max)

  init(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) {
    let maximumBytes = min(max(limits.maximumBytes, 0), Self.widestText)
    guard bytes.count <= maximumBytes else { throw JSONError(code: .tooLarge, offset: maximumBytes) }
    self.bytes = bytes
    maximumDepth = limits.maximumDepth
    nodes.reserveCapacity(bytes.count / 8 + 4)
  }

  /// Reads the whole text.
  mutating func parse() throws(JSONError) {
    skipWhitespace()
    guard position < bytes.count else { throw JSONError(code: .empty, offset: position) }
    repeat {
      if try beginValue() { try endValue() }
    } while container != Self.outermost
    skipWhitespace()
    guard position == bytes.count else { throw JSONError(code: .trailingText, offset: position) }
  }

  /// The byte at the position; 0, which no rule allows, at the end.
  var current: UInt8 { byte(at: position) }

  func byte(at offset: Int) -> UInt8 {
    offset < bytes.count ? bytes[offset] : 0
  }

  /// The error for a byte that cannot stand at the position.
  func unexpected() -> JSONError {
    JSONError(code: position < bytes.count ? .unexpectedByte : .unexpectedEnd, offset: position)
  }

  mutating func skipWhitespace() {
    while true {
      switch current {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  /// Reads a scalar, an empty container, or the start of a container up to its first value.
  /// - Returns: whether a value is complete
  private mutating func beginValue() throws(JSONError) -> Bool {
    switch current {
    case UInt8(ascii: "\""): try readString(isKey: false)
    case UInt8(ascii: "{"): return try open(.object)
    case UInt8(ascii: "["): return try open(.array)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
    case UInt8(ascii: "t"): try readWord("true", .boolean)
    case UInt8(ascii: "f"): try readWord("false", .boolean)
    case UInt8(ascii: "n"): try readWord("null", .null)
    default: throw unexpected()
    }
    return true
  }

  /// Goes on behind a complete value to the next one, closing the containers that end here.
  private mutating func endValue() throws(JSONError) {
    while container != Self.outermost {
      let index = Int(container)
      nodes[index].detail += 1
      let isObject = nodes[index].kind == .object
      skipWhitespace()
      if current == UInt8(ascii: ",") {
        position += 1
        skipWhitespace()
        if isObject { try readKey() }
        return
      }
      guard current == closingBracket(isObject) else { throw unexpected() }
      try close()
    }
  }

  private func closingBracket(_ isObject: Bool) -> UInt8 {
    isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
  }

  private mutating func open(_ kind: JSONValue.Kind) throws(JSONError) -> Bool {
    guard depth < maximumDepth else { throw JSONError(code: .tooDeep, offset: position) }
    depth += 1
    nodes.append(JSONNode(start: UInt32(truncatingIfNeeded: position), end: container, kind: kind))
    container = UInt32(truncatingIfNeeded: nodes.count - 1)
    position += 1
    skipWhitespace()
    if current == closingBracket(kind == .object) {
      try close()
      return true
    }
    if kind == .object { try readKey() }
    return false
  }

  private mutating func close() throws(JSONError) {
    let index = Int(container)
    position += 1
    depth -= 1
    container = nodes[index].end
    nodes[index].end = UInt32(truncatingIfNeeded: nodes.count)
    if nodes[index].kind == .object, let repeated = repeatedKey(ofObjectAt: index) {
      throw JSONError(code: .duplicateKey, offset: Int(repeated.start))
    }
  }

  private mutating func readKey() throws(JSONError) {
    guard current == UInt8(ascii: "\"") else { throw unexpected() }
    try readString(isKey: true)
    skipWhitespace()
    guard current == UInt8(ascii: ":") else { throw unexpected() }
    position += 1
    skipWhitespace()
  }

  private mutating func readWord(_ word: String, _ kind: JSONValue.Kind) throws(JSONError) {
    let start = position
    for letter in word.utf8 {
      guard current == letter else { throw unexpected() }
      position += 1
    }
    append(kind, from: start)
  }

  /// Adds a token that ends at the position.
  mutating func append(_ kind: JSONValue.Kind, from start: Int, detail: UInt32 = 0, hasEscapes: Bool = false) {
    nodes.append(
      JSONNode(
        start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: position), detail: detail,
        kind: kind, hasEscapes: hasEscapes))
  }
}
