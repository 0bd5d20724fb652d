/// One entry of the flat tape a document is read into. Entries stand in document order: a container is followed by its
/// content, a member's key by its value.
struct JSONNode {
  /// Where the token starts in the text: a string's opening quote, a container's bracket.
  var start: UInt32
  /// Scalars and keys: the byte behind the token. Containers: the entry behind the last one inside; while they are
  /// still open, the container around them, so that the reader needs no stack.
  var end: UInt32
  /// Containers: how many elements or members. Keys: the hash of the key.
  var detail: UInt32 = 0
  var kind: JSONValue.Kind
  var hasEscapes = false

  /// What is read once the text has been given up.
  static var null: JSONNode { JSONNode(start: 0, end: 0, kind: .null) }

  var isContainer: Bool { kind == .object || kind == .array }

  /// The bytes of a scalar.
  var token: Range<Int> { Int(start)..<max(Int(start), Int(end)) }

  /// The bytes between a string's quotes.
  var content: Range<Int> { Int(start) + 1..<max(Int(start) + 1, Int(end) - 1) }
}
