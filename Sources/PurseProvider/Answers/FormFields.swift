import CheckoutCore
import JSONText

/// The fields of a form that a page posts: an object, or a string that holds an object or a query string. Members of
/// members are named `key[subKey]`.
struct FormFields {
  /// What nesting could otherwise multiply without end.
  private static let longestForm = 1 << 20
  private static let longestName = 1_024

  private var encoded: [UInt8] = []

  /// The text of `application/x-www-form-urlencoded`; nil when the value is nothing that fields could be read from.
  static func encoded(_ value: JSONValue) -> String? {
    var fields = FormFields()
    guard fields.read(value) else { return nil }
    return String(decoding: fields.encoded, as: UTF8.self)
  }

  private mutating func read(_ value: JSONValue) -> Bool {
    if value.kind == .object { return appendMembers(of: value, under: nil) }
    guard let text = value.string else { return false }
    if text.utf8.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
      guard let root = try? JSONDocument(parsing: text).root, root.kind == .object else { return false }
      return appendMembers(of: root, under: nil)
    }
    return appendQuery(text)
  }

  // MARK: Objects

  /// `name` is nil for the outermost object. Recursion ends where the reader's limit on nesting does.
  private mutating func appendMembers(of object: JSONValue, under name: [UInt8]?) -> Bool {
    for member in object.members {
      let key = Array(member.key.utf8)
      let full = name.map { $0 + Array("[".utf8) + key + Array("]".utf8) } ?? key
      guard append(member.value, named: full) else { return false }
    }
    return true
  }

  private mutating func appendElements(of array: JSONValue, under name: [UInt8]) -> Bool {
    for (position, element) in array.elements.enumerated() {
      guard append(element, named: name + Array("[\(position)]".utf8)) else { return false }
    }
    return true
  }

  private mutating func append(_ value: JSONValue, named name: [UInt8]) -> Bool {
    guard name.count <= FormFields.longestName else { return false }
    switch value.kind {
    case .object: return appendMembers(of: value, under: name)
    case .array: return appendElements(of: value, under: name)
    case .string: return append(name, (value.string ?? "").utf8)
    case .number: return append(name, (value.numberText ?? "").utf8)
    case .boolean: return append(name, (value.boolean == true ? "true" : "false").utf8)
    case .null: return append(name, "".utf8)
    }
  }

  private mutating func append(_ name: some Sequence<UInt8>, _ value: some Sequence<UInt8>) -> Bool {
    if !encoded.isEmpty { encoded.append(UInt8(ascii: "&")) }
    appendFormEncoded(name, to: &encoded)
    encoded.append(UInt8(ascii: "="))
    appendFormEncoded(value, to: &encoded)
    return encoded.count <= FormFields.longestForm
  }

  // MARK: Query strings

  private mutating func appendQuery(_ text: String) -> Bool {
    var query = Array(text.utf8)[...]
    if query.first == UInt8(ascii: "?") { query = query.dropFirst() }
    guard query.contains(UInt8(ascii: "=")) else { return false }
    for pair in query.split(separator: UInt8(ascii: "&")) {
      let name = pair.prefix { $0 != UInt8(ascii: "=") }
      let value = pair.dropFirst(name.count + 1)
      guard append(formDecoded(name), formDecoded(value)) else { return false }
    }
    return true
  }
}
