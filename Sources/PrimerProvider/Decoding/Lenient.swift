import JSONText

// A back end's answers are read leniently: what has another type is not there.
extension JSONValue {
  func text(_ key: String) -> String? { self[key]?.string }

  func number(_ key: String) -> Int64? { self[key]?.int64 }

  func flag(_ key: String) -> Bool? { self[key]?.boolean }

  func object(_ key: String) -> JSONValue? {
    guard let member = self[key], member.kind == .object else { return nil }
    return member
  }

  func list(_ key: String) -> [JSONValue]? {
    guard let member = self[key], member.kind == .array else { return nil }
    return Array(member.elements)
  }
}
