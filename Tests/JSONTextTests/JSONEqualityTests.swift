import Foundation
import JSONText
import Testing

@Suite("JSON equality")
struct JSONEqualityTests {
  private func isEqual(_ left: String, _ right: String) throws -> Bool {
    let (left, right) = (try JSONDocument(parsing: left).root, try JSONDocument(parsing: right).root)
    let isEqual = left.isEqual(to: right)
    #expect(right.isEqual(to: left) == isEqual)
    return isEqual
  }

  @Test(
    "the same value in other words",
    arguments: [
      ("null", " null "), ("[1,2]", "[ 1 , 2 ]"), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), (#""A""#, #""\u0041""#),
      (#"{"A":1}"#, #"{"\u0041":1}"#), (#"{"x":{"a":[],"b":{}}}"#, #"{"x":{"b":{},"a":[]}}"#),
      ("1", "1.0"), ("1", "10e-1"), ("1", "0.1E+1"), ("100", "1e2"), ("0", "-0"), ("0", "0e999"), ("0.0", "-0e-7"),
      ("-1.50", "-15e-1"), ("1e400", "10e399"), ("1e05", "1e5"), ("1e+5", "100000"), ("1e-0", "1"), ("1e00", "1e0"),
      ("12345678901234567890.12", "1234567890123456789012e-2"),
      ("1e1000000000000000000000000000000", "10e999999999999999999999999999999"),
      ("1e-1000000000000000000000000000000", "0.1e-999999999999999999999999999999"),
      ("100e99999999999999999998", "1e100000000000000000000"), ("1e-1", "0.1"), ("1000e-2", "10"),
    ])
  func equal(_ left: String, _ right: String) throws {
    #expect(try isEqual(left, right))
  }

  @Test(
    "different values",
    arguments: [
      ("null", "false"), ("true", "false"), ("0", "false"), (#""1""#, "1"), ("[]", "{}"), ("[1,2]", "[2,1]"),
      ("[1]", "[1,1]"), ("[1,2]", "[1,3]"), (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"b":1}"#),
      (#"{"a":1}"#, #"{"a":1,"b":1}"#), (#"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#), (#""a""#, #""b""#), (#""a""#, #""aa""#),
      ("\"\u{E9}\"", "\"e\u{301}\""), ("{\"\u{E9}\":1}", "{\"e\u{301}\":1}"), ("[[[1]]]", "[[[2]]]"),
      ("1", "-1"), ("1", "2"), ("1", "10"), ("1", "1.00000000000000000000000000000000000000000000001"),
      ("1e400", "1e401"),
      ("1e400", "2e400"), ("1e1000000000000000000000000000000", "1e1000000000000000000000000000001"),
      ("1e1000000000000000000000000000000", "1e-1000000000000000000000000000000"), ("1e5", "1e-5"), ("0", "1e-999"),
      ("9007199254740993", "9007199254740992"), ("0.1", "0.10000000000000000555"),
    ])
  func different(_ left: String, _ right: String) throws {
    #expect(try !isEqual(left, right))
  }

  @Test("literals of an exhaustive list are the same exactly when Foundation's decimals are")
  func decimals() throws {
    let literals = exhaustiveLiterals()
    #expect(literals.count == 3_510)
    var numbers = try literals.map { literal in
      (try #require(Decimal(string: literal)), try JSONDocument(parsing: literal).root)
    }
    numbers.sort { $0.0 < $1.0 }
    var equalPairs = 0
    for index in numbers.indices {
      for other in numbers.dropFirst(index).prefix(40) {
        let isSame = numbers[index].0 == other.0
        equalPairs += isSame ? 1 : 0
        #expect(numbers[index].1.isEqual(to: other.1) == isSame)
      }
    }
    #expect(equalPairs > 2 * numbers.count)
  }

  /// All JSON numbers that can be built from these characters, up to six of them.
  private func exhaustiveLiterals() -> [String] {
    var texts = [""]
    var literals: [String] = []
    for _ in 0..<6 {
      texts = texts.flatMap { text in "012-.e".map { text + String($0) } }
      literals += texts.filter { (try? JSONDocument(parsing: $0)) != nil && (Decimal(string: $0) != nil) }
    }
    return literals.filter { exponent($0).magnitude < 60 }
  }

  private func exponent(_ literal: String) -> Int {
    Int(literal.split(separator: "e").dropFirst().first ?? "0") ?? 0
  }

  @Test("reordering keys and respelling keeps a random document equal; changing one scalar does not")
  func randomDocuments() throws {
    var generator = JSONGenerator(seed: 5)
    for _ in 0..<500 {
      let tree = generator.tree(depth: 4)
      let original = try JSONDocument(parsing: generator.spell(tree))
      let shuffled = try JSONDocument(parsing: generator.spell(generator.shuffle(tree)))
      try #require(original.root.isEqual(to: shuffled.root))
      let changed = try JSONDocument(parsing: generator.spell(generator.shuffle(generator.change(tree))))
      try #require(!original.root.isEqual(to: changed.root))
      try #require(!changed.root.isEqual(to: original.root))
    }
  }

  @Test("big objects in opposite order")
  func bigObjects() throws {
    let members = (0..<2_000).map { "\"key\($0)\":[\($0)]" }
    let forwards = "{" + members.joined(separator: ",") + "}"
    let backwards = "{" + members.reversed().joined(separator: ",") + "}"
    #expect(try isEqual(forwards, backwards))
    #expect(try !isEqual(forwards, backwards.replacingOccurrences(of: "[1234]", with: "[1235]")))
  }
}

extension JSONGenerator {
  /// The same value with the members of all objects in another order.
  fileprivate mutating func shuffle(_ tree: JSONTree) -> JSONTree {
    switch tree {
    case .array(let elements): return .array(elements.map { shuffle($0) })
    case .object(let members):
      let shuffled = members.map { JSONTree.Member(key: $0.key, value: shuffle($0.value)) }
      return .object(shuffled.shuffled(using: &random))
    default: return tree
    }
  }

  /// The value with one thing in it made different.
  fileprivate mutating func change(_ tree: JSONTree) -> JSONTree {
    switch tree {
    case .null: return .boolean(false)
    case .boolean(let value): return .boolean(!value)
    case .integer(let value): return .integer(value ^ 1)
    case .real(let value): return .real(value + 0.5)
    case .string(let bytes): return .string(bytes + [0x21])
    case .array(var elements):
      guard !elements.isEmpty else { return .array([.null]) }
      let index = number(below: elements.count)
      elements[index] = change(elements[index])
      return .array(elements)
    case .object(var members):
      guard !members.isEmpty else { return .object([JSONTree.Member(key: [], value: .null)]) }
      let index = number(below: members.count)
      if chance(50) {
        members[index].value = change(members[index].value)
      } else {
        members[index].key += Array("a key no other is".utf8)
      }
      return .object(members)
    }
  }
}
