/// Keys are the same when their unescaped UTF-8 bytes are. Swift's `==` would also join those that are only
/// canonically equivalent.
extension JSONParser {
  /// Above this many members keys are sorted by hash instead of compared one with another.
  private static let mostComparedPairwise: UInt32 = 24

  func keyHash(_ content: Range<Int>, hasEscapes: Bool) -> UInt32 {
    hasEscapes ? jsonKeyHash(JSONUnescaped(bytes, content)) : jsonKeyHash(bytes[content])
  }

  /// The first key of a closed object that stands there a second time.
  func repeatedKey(ofObjectAt index: Int) -> JSONNode? {
    let count = nodes[index].detail
    if count < 2 { return nil }
    return count <= Self.mostComparedPairwise ? repeatedByComparing(index) : repeatedBySorting(index)
  }

  private func repeatedByComparing(_ object: Int) -> JSONNode? {
    let end = Int(nodes[object].end)
    var later = object + 1
    while later < end {
      var earlier = object + 1
      while earlier < later {
        if isSameKey(nodes[earlier], nodes[later]) { return nodes[later] }
        earlier = keyIndex(after: earlier)
      }
      later = keyIndex(after: later)
    }
    return nil
  }

  /// An object of many members costs n log n comparisons whatever its keys are, so nobody can make it slow.
  private func repeatedBySorting(_ object: Int) -> JSONNode? {
    var keys: [JSONNode] = []
    keys.reserveCapacity(Int(nodes[object].detail))
    var index = object + 1
    while index < Int(nodes[object].end) {
      keys.append(nodes[index])
      index = keyIndex(after: index)
    }
    keys.sort { isOrderedBefore($0, $1) }
    var repeated: JSONNode?
    for (earlier, later) in zip(keys, keys.dropFirst()) where isSameKey(earlier, later) {
      if later.start < repeated?.start ?? .max { repeated = later }
    }
    return repeated
  }

  private func keyIndex(after key: Int) -> Int {
    let value = nodes[key + 1]
    return value.isContainer ? Int(value.end) : key + 2
  }

  private func isSameKey(_ first: JSONNode, _ second: JSONNode) -> Bool {
    first.detail == second.detail && compareKeys(first, second) == 0
  }

  private func isOrderedBefore(_ first: JSONNode, _ second: JSONNode) -> Bool {
    if first.detail != second.detail { return first.detail < second.detail }
    let order = compareKeys(first, second)
    return order == 0 ? first.start < second.start : order < 0
  }

  private func compareKeys(_ first: JSONNode, _ second: JSONNode) -> Int {
    compareBytes(JSONUnescaped(bytes, first.content), JSONUnescaped(bytes, second.content))
  }
}

/// FNV-1a. It only spares comparisons: keys of one hash are compared byte by byte.
func jsonKeyHash(_ bytes: some Sequence<UInt8>) -> UInt32 {
  var hash: UInt32 = 0x811C_9DC5
  for byte in bytes {
    hash = (hash ^ UInt32(byte)) &* 0x0100_0193
  }
  return hash
}

/// Below zero, zero or above zero as the first sorts before, with or behind the second.
func compareBytes(_ first: some Sequence<UInt8>, _ second: some Sequence<UInt8>) -> Int {
  var left = first.makeIterator()
  var right = second.makeIterator()
  while true {
    let leftByte = left.next().map { Int($0) } ?? -1
    let rightByte = right.next().map { Int($0) } ?? -1
    if leftByte != rightByte || leftByte < 0 { return leftByte - rightByte }
  }
}
