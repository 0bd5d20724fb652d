/// A value inside a document: a view that is cheap to copy and keeps the document's text alive.
public struct JSONValue: Sendable {
  /// What a value is.
  public enum Kind: Hashable, Sendable {
    case null, boolean, number, string, array, object
  }

  let storage: JSONStorage
  let index: Int

  var node: JSONNode { storage.node(at: index) }

  /// What the value is.
  public var kind: Kind { node.kind }

  /// Where the value starts in the text, in bytes from 0.
  public var offset: Int { Int(node.start) }

  /// Whether it is `null`.
  public var isNull: Bool { kind == .null }

  /// `true` or `false`; nil for any other value.
  public var boolean: Bool? {
    let node = node
    return node.kind == .boolean ? node.end - node.start == 4 : nil
  }

  /// The string with its escapes resolved; nil unless it is a string.
  public var string: String? {
    let node = node
    return node.kind == .string ? storage.string(of: node) : nil
  }

  /// Where the string's raw content lies in the text; nil unless it is a string.
  public var stringBytes: JSONStringBytes? {
    let node = node
    guard node.kind == .string else { return nil }
    return JSONStringBytes(range: node.content, hasEscapes: node.hasEscapes)
  }

  /// The number's literal as written; nil unless it is a number.
  public var numberText: String? {
    guard let literal = numberBytes else { return nil }
    return String(decoding: literal, as: UTF8.self)
  }

  /// The number, when its literal has neither fraction nor exponent and fits.
  public var int64: Int64? {
    guard let literal = numberBytes else { return nil }
    let isNegative = literal.first == UInt8(ascii: "-")
    var value: Int64 = 0
    for byte in isNegative ? literal.dropFirst() : literal {
      guard isDigit(byte) else { return nil }
      let digit = Int64(byte - UInt8(ascii: "0"))
      let (tens, tensOverflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, sumOverflow) =
        isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      guard !tensOverflow, !sumOverflow else { return nil }
      value = sum
    }
    return value
  }

  var numberBytes: ArraySlice<UInt8>? {
    let node = node
    return node.kind == .number ? storage.text(node.token) : nil
  }

  /// How many elements an array or members an object has, else 0.
  public var count: Int {
    let node = node
    return node.isContainer ? Int(node.detail) : 0
  }

  /// The elements of an array, none for any other value.
  public var elements: JSONElements { JSONElements(array: self) }

  /// The members of an object as they stand in the text, none for any other value.
  public var members: JSONMembers { JSONMembers(object: self) }

  /// The value of an object's member. Keys are compared by their UTF-8 bytes.
  public subscript(key: String) -> JSONValue? {
    let hash = jsonKeyHash(key.utf8)
    var walk = JSONMemberWalk(object: self)
    while let member = walk.next() {
      let found = storage.node(at: member)
      if found.detail == hash, compareBytes(JSONUnescaped(storage.bytes, found.content), key.utf8) == 0 {
        return JSONValue(storage: storage, index: member + 1)
      }
    }
    return nil
  }
}

/// Where the content of a string lies in the text, between the quotes and with its escapes.
public struct JSONStringBytes: Hashable, Sendable {
  /// The bytes between the quotes.
  public let range: Range<Int>
  /// Whether the bytes differ from what they stand for.
  public let hasEscapes: Bool

  /// What the bytes stand for, one by one: no copy of them is made. `text` is what the value was read from.
  public func unescaped(in text: [UInt8]) -> JSONUnescaped { JSONUnescaped(text, range) }
}
