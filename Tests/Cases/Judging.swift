import JSONText

/// What a group's function makes of a row.
enum Answer {
  /// By the row's own keys, as JSON.
  case ours([String: String])
  /// A sentence and no data: a named test holds it.
  case prose
  /// Neither: the function does not know this kind of row.
  case notUnderstood(String)

  static func expected(_ json: String) -> Answer { .ours(["expected": json]) }
  static func expected(_ value: Bool) -> Answer { .expected(value ? "true" : "false") }
  static func expected(_ value: Bool?) -> Answer { .expected(value.map { $0 ? "true" : "false" } ?? "null") }
  static func expected(text: String?) -> Answer { .expected(JSON.text(text)) }
  static func expected(texts: [String]?) -> Answer { .expected(JSON.texts(texts)) }
}

/// What answers the rows of one group.
struct GroupFunction: Sendable {
  /// The keys of a row that are no expectation.
  let inputs: Set<String>
  let answer: @Sendable (Row) -> Answer

  init(_ inputs: Set<String> = ["input"], _ answer: @escaping @Sendable (Row) -> Answer) {
    self.inputs = inputs
    self.answer = answer
  }

  /// For groups that hold nothing but sentences.
  static let prose = GroupFunction { _ in .prose }
}

enum Verdict {
  case passed
  case failed(String)
  case prose
}

extension GroupFunction {
  func judge(_ row: Row) -> Verdict {
    switch answer(row) {
    case .prose: return .prose
    case .notUnderstood(let why): return .failed("not understood: \(why)")
    case .ours(let ours):
      var isCompared = false
      for member in row.value.members where !inputs.contains(member.key) && member.key != "note" {
        guard let text = ours[member.key] else { return .failed("not understood: \(member.key)") }
        guard JSON.isEqual(text, member.value) else {
          return .failed("\(member.key): expected \(member.value.compactText), got \(text)")
        }
        isCompared = true
      }
      return isCompared ? .passed : .failed("nothing is expected")
    }
  }
}

enum JSON {
  static func text(_ text: String?) -> String {
    guard let text else { return "null" }
    var writer = JSONWriter()
    writer.string(text)
    return writer.text
  }

  static func texts(_ texts: [String]?) -> String {
    texts.map { "[" + $0.map { text($0) }.joined(separator: ",") + "]" } ?? "null"
  }

  static func numbers(_ numbers: [Int]) -> String { "[" + numbers.map { "\($0)" }.joined(separator: ",") + "]" }

  static func isEqual(_ text: String, _ value: JSONValue) -> Bool {
    guard let document = try? JSONDocument(parsing: text) else { return false }
    return document.root.isEqual(to: value)
  }
}
