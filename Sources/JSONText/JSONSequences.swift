/// The elements of an array, in order.
public struct JSONElements: Sequence, Sendable {
  let array: JSONValue

  /// Starts at the first element.
  public func makeIterator() -> Iterator { Iterator(array: array) }

  /// How many there are.
  public var underestimatedCount: Int { array.kind == .array ? array.count : 0 }

  /// Goes through the elements.
  public struct Iterator: IteratorProtocol, Sendable {
    private let storage: JSONStorage
    private var index: Int
    private let end: Int

    init(array: JSONValue) {
      let node = array.node
      storage = array.storage
      index = array.index + 1
      end = node.kind == .array ? Int(node.end) : 0
    }

    /// The next element.
    public mutating func next() -> JSONValue? {
      guard index < end else { return nil }
      defer { index = storage.index(after: index) }
      return JSONValue(storage: storage, index: index)
    }
  }
}

/// A member of an object.
public struct JSONMember: Sendable {
  /// The key with its escapes resolved.
  public let key: String
  /// Where the key's opening quote stands in the text.
  public let keyOffset: Int
  /// The value.
  public let value: JSONValue
}

/// The members of an object, in the order of the text.
public struct JSONMembers: Sequence, Sendable {
  let object: JSONValue

  /// Starts at the first member.
  public func makeIterator() -> Iterator { Iterator(storage: object.storage, walk: JSONMemberWalk(object: object)) }

  /// How many there are.
  public var underestimatedCount: Int { object.kind == .object ? object.count : 0 }

  /// Goes through the members.
  public struct Iterator: IteratorProtocol, Sendable {
    let storage: JSONStorage
    var walk: JSONMemberWalk

    /// The next member.
    public mutating func next() -> JSONMember? {
      guard let index = walk.next() else { return nil }
      let key = storage.node(at: index)
      return JSONMember(
        key: storage.string(of: key), keyOffset: Int(key.start), value: JSONValue(storage: storage, index: index + 1))
    }
  }
}

/// Goes through the tape entries of an object's keys; each one's value is the next entry.
struct JSONMemberWalk: IteratorProtocol, Sendable {
  private let storage: JSONStorage
  private var index: Int
  private let end: Int

  init(object: JSONValue) {
    let node = object.node
    storage = object.storage
    index = object.index + 1
    end = node.kind == .object ? Int(node.end) : 0
  }

  mutating func next() -> Int? {
    guard index < end else { return nil }
    defer { index = storage.index(after: index + 1) }
    return index
  }
}
