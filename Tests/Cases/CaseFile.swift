import Foundation
import JSONText

/// A file of groups of rows, each an input and what is expected of it.
struct CaseFile {
  struct Group {
    let id: String
    let rows: [Row]
  }

  let groups: [Group]

  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  init(_ path: String) throws {
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    let root: JSONValue
    do {
      root = try JSONDocument(parsing: bytes).root
    } catch {
      throw Unreadable(description: "\(path): \(error)")
    }
    guard let groups = root["groups"], groups.kind == .array else {
      throw Unreadable(description: "\(path): no array of groups")
    }
    self.groups = try groups.elements.map { group in
      guard let id = group["id"]?.string, let rows = group["cases"], rows.kind == .array else {
        throw Unreadable(description: "\(path): a group without an id or without cases")
      }
      return Group(id: id, rows: rows.elements.map(Row.init))
    }
  }
}

/// One row of a group.
struct Row {
  let value: JSONValue

  init(_ value: JSONValue) { self.value = value }

  subscript(key: String) -> JSONValue? { value[key] }

  func string(_ key: String) -> String? { value[key]?.string }

  func strings(_ key: String) -> [String]? {
    guard let list = value[key], list.kind == .array else { return nil }
    return list.elements.compactMap { $0.string }
  }

  /// What tells the row from the others of its group, whatever is expected of it: its input where that is a text and
  /// all there is, and otherwise the members in the order of their keys.
  var key: String {
    let told = value.members.filter { !["expected", "note"].contains($0.key) }
    if told.count == 1, let input = told.first, input.key == "input", let text = input.value.string { return text }
    return "{" + told.map { "\"\($0.key)\":\($0.value.compactText)" }.sorted().joined(separator: ",") + "}"
  }
}
