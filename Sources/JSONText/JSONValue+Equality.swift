extension JSONValue {
  /// Whether both are the same JSON: the order of keys does not count, and numbers are the same when they have the
  /// same exact decimal value, as 1, 1.0 and 10e-1 have.
  public func isEqual(to other: JSONValue) -> Bool {
    // A list of what is still to be compared instead of recursion, so that nesting costs no stack.
    var due = [(self, other)]
    while let (left, right) = due.popLast() {
      guard left.kind == right.kind, left.count == right.count else { return false }
      switch left.kind {
      case .null: break
      case .boolean: if left.boolean != right.boolean { return false }
      case .number: if !left.isEqualNumber(to: right) { return false }
      case .string: if !left.isEqualString(to: right) { return false }
      case .array: due.append(contentsOf: zip(left.elements, right.elements))
      case .object:
        for (leftKey, rightKey) in zip(left.keysInCommonOrder(), right.keysInCommonOrder()) {
          guard leftKey.isEqualString(to: rightKey) else { return false }
          due.append((leftKey.following, rightKey.following))
        }
      }
    }
    return true
  }

  private func isEqualNumber(to other: JSONValue) -> Bool {
    guard let left = numberBytes, let right = other.numberBytes else { return false }
    return JSONDecimal(left).isEqual(to: JSONDecimal(right))
  }

  private func isEqualString(to other: JSONValue) -> Bool {
    compareStrings(self, other) == 0
  }

  private var following: JSONValue { JSONValue(storage: storage, index: index + 1) }

  /// The keys in an order that depends on nothing but the keys.
  private func keysInCommonOrder() -> [JSONValue] {
    var keys: [JSONValue] = []
    var walk = JSONMemberWalk(object: self)
    while let key = walk.next() {
      keys.append(JSONValue(storage: storage, index: key))
    }
    keys.sort { left, right in
      let (leftHash, rightHash) = (left.node.detail, right.node.detail)
      return leftHash == rightHash ? compareStrings(left, right) < 0 : leftHash < rightHash
    }
    return keys
  }
}

private func compareStrings(_ left: JSONValue, _ right: JSONValue) -> Int {
  compareBytes(
    JSONUnescaped(left.storage.bytes, left.node.content), JSONUnescaped(right.storage.bytes, right.node.content))
}
