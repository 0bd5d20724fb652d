/// Reads an object's members, each of which may be left out, and refuses what is not as it should be.
struct MemberReader {
  private let document: SandboxJSON
  private let code: String
  private let pointer: String

  /// Refuses what is no object, and names that are not in the list.
  init(_ document: SandboxJSON, names: Set<String>, code: String, at pointer: String = "") throws(Refusal) {
    self.document = document
    self.code = code
    self.pointer = pointer
    guard document.members != nil else { throw Refusal(400, code, "An object is wanted.", at: pointer) }
    try document.requireNames(names, at: pointer, status: 400)
  }

  func refusal(_ name: String, _ message: String) -> Refusal {
    Refusal(400, code, message, at: "\(pointer)/\(name)")
  }

  func text(_ name: String) throws(Refusal) -> String? {
    guard let value = document[name] else { return nil }
    guard let text = value.string, !text.isEmpty else { throw refusal(name, "A text is wanted.") }
    return text
  }

  func flag(_ name: String) throws(Refusal) -> Bool? {
    guard let value = document[name] else { return nil }
    guard let flag = value.bool else { throw refusal(name, "A boolean is wanted.") }
    return flag
  }

  func object(_ name: String) throws(Refusal) -> SandboxJSON? {
    guard let value = document[name] else { return nil }
    guard value.members != nil else { throw refusal(name, "An object is wanted.") }
    return value
  }

  /// A list of different texts that are all in the catalogue.
  func choice(_ name: String, of catalogue: [String]) throws(Refusal) -> Set<String>? {
    guard let value = document[name] else { return nil }
    let names = Set(value.elements?.compactMap(\.string) ?? [])
    guard names.count == value.elements?.count, names.isSubset(of: catalogue) else {
      throw refusal(name, "A list from the catalogue is wanted.")
    }
    return names
  }

  func count(_ name: String, _ range: ClosedRange<Int64>) throws(Refusal) -> Int64? {
    guard let value = document[name] else { return nil }
    guard let count = value.integer, range.contains(count) else {
      throw refusal(name, "A whole number from \(range.lowerBound) to \(range.upperBound) is wanted.")
    }
    return count
  }
}
