/// A JSON text that has been read and found to be one, by the strict rules of RFC 8259 and the limits.
public struct JSONDocument: Sendable, Hashable {
  private let storage: JSONStorage

  /// Reads a text. The array is kept, not copied.
  public init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JSONError) {
    var parser = try JSONParser(bytes, limits: limits)
    try parser.parse()
    storage = JSONStorage(bytes: bytes, nodes: parser.nodes)
  }

  /// Reads a text.
  public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }

  /// The value the text consists of.
  public var root: JSONValue { JSONValue(storage: storage, index: 0) }

  /// Hands the text to the caller to overwrite it, in place if the caller no longer holds the array it was read from.
  ///
  /// This gives the text up: afterwards the document, its copies and all its values read as null. Nothing may be
  /// reading them on another thread meanwhile.
  public mutating func withMutableBytes(_ body: (inout [UInt8]) -> Void) {
    var text = storage.giveUpText()
    body(&text)
  }

  /// Documents are the same when their texts are, byte by byte.
  public static func == (left: JSONDocument, right: JSONDocument) -> Bool {
    left.storage.bytes == right.storage.bytes
  }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage.bytes)
  }
}
