import Foundation
import JSONText
import Testing

@Suite("JSON reader: limits and hostile documents")
struct JSONLimitsTests {
  private func nested(_ depth: Int, _ open: String = "[", _ inner: String = "", _ close: String = "]") -> String {
    String(repeating: open, count: depth) + inner + String(repeating: close, count: depth)
  }

  @Test("64 levels are read, the 65th bracket is refused")
  func depth() throws {
    #expect(try JSONDocument(parsing: nested(64)).root.count == 1)
    #expect(try JSONDocument(parsing: nested(64, #"{"a":"#, "1", "}")).root.count == 1)
    #expect(throws: JSONError(code: .tooDeep, offset: 64)) { try JSONDocument(parsing: nested(65)) }
    #expect(throws: JSONError(code: .tooDeep, offset: 320)) {
      try JSONDocument(parsing: nested(65, #"{"a":"#, "1", "}"))
    }
  }

  @Test("depth is what is open at once, not what has been opened")
  func breadth() throws {
    let text = "[" + Array(repeating: nested(63), count: 500).joined(separator: ",") + "]"
    #expect(try JSONDocument(parsing: text).root.count == 500)
  }

  @Test("limits chosen by the caller")
  func chosenLimits() throws {
    let shallow = JSONLimits(maximumDepth: 1)
    #expect(try JSONDocument(parsing: "[1]", limits: shallow).root.count == 1)
    #expect(throws: JSONError(code: .tooDeep, offset: 1)) { try JSONDocument(parsing: "[[]]", limits: shallow) }
    let flat = JSONLimits(maximumDepth: 0)
    #expect(try JSONDocument(parsing: "1", limits: flat).root.int64 == 1)
    #expect(throws: JSONError(code: .tooDeep, offset: 0)) { try JSONDocument(parsing: "{}", limits: flat) }
    let short = JSONLimits(maximumBytes: 3)
    #expect(try JSONDocument(parsing: "[1]", limits: short).root.count == 1)
    #expect(throws: JSONError(code: .tooLarge, offset: 3)) { try JSONDocument(parsing: "[1] ", limits: short) }
  }

  @Test("senseless limits neither trap nor let anything through", arguments: [-1, .min])
  func negativeLimits(_ limit: Int) {
    #expect(throws: JSONError(code: .tooLarge, offset: 0)) {
      try JSONDocument(parsing: "1", limits: JSONLimits(maximumBytes: limit))
    }
    #expect(throws: JSONError(code: .tooDeep, offset: 0)) {
      try JSONDocument(parsing: "[]", limits: JSONLimits(maximumDepth: limit))
    }
  }

  @Test("the greatest limits are no limits")
  func greatestLimits() throws {
    let limits = JSONLimits(maximumDepth: .max, maximumBytes: .max)
    #expect(try JSONDocument(parsing: nested(100_000), limits: limits).root.count == 1)
  }

  @Test("4 MiB are read, one byte more is refused")
  func size() throws {
    let text = "\"" + String(repeating: "x", count: (4 << 20) - 2) + "\""
    #expect(try JSONDocument(parsing: text).root.stringBytes?.range == 1..<(4 << 20) - 1)
    #expect(throws: JSONError(code: .tooLarge, offset: 4 << 20)) { try JSONDocument(parsing: text + " ") }
  }

  @Test("a million open brackets")
  func openBrackets() {
    #expect(throws: JSONError(code: .tooDeep, offset: 64)) {
      try JSONDocument(parsing: String(repeating: "[", count: 1_000_000))
    }
    #expect(throws: JSONError(code: .tooDeep, offset: 320)) {
      try JSONDocument(parsing: String(repeating: #"{"a":"#, count: 200_000))
    }
  }

  @Test("an object of 100 000 keys, and its one repeated key found", .timeLimit(.minutes(10)))
  func manyKeys() throws {
    let members = (0..<100_000).map { "\"key\($0)\":\($0)" }
    let root = try JSONDocument(parsing: "{" + members.joined(separator: ",") + "}").root
    #expect(root.count == 100_000)
    #expect(root["key99999"]?.int64 == 99_999)
    let repeated = "{" + members.joined(separator: ",") + ",\"key5\":0}"
    #expect(throws: JSONError(code: .duplicateKey, offset: repeated.utf8.count - 9)) {
      try JSONDocument(parsing: repeated)
    }
  }

  /// At each place either text leads to the same FNV-1a hash, so all 4096 keys made of them have one hash.
  private static let collisions = [
    ("ZHMQ4Sus", "GduNfSoo"), ("1MmSPdGG", "Y5vkFGH2"), ("jj1C0E5Q", "lZyyCoQj"), ("ljooh7X4", "YjDC1Iny"),
    ("VHih4bM9", "gZFaaZVJ"), ("Z49RvDPp", "drTftr2a"), ("VVFM1QkU", "XvALoLhY"), ("24f4DobP", "kW0jzoGU"),
    ("MmRHS84T", "q5hrGWnq"), ("O4ERlCod", "LVYhP7xh"), ("7DdUYau9", "ATfuUNFW"), ("NopKFEQ0", "nMehR7rY"),
  ]

  private func fnv1a(_ text: String) -> UInt32 {
    text.utf8.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }

  @Test("keys made to have one hash", .timeLimit(.minutes(10)))
  func collidingKeys() throws {
    let keys = (0..<1 << 12).map { number in
      Self.collisions.enumerated().map { number >> $0 & 1 == 0 ? $1.0 : $1.1 }.joined()
    }
    #expect(Set(keys.map { fnv1a($0) }).count == 1)
    let members = keys.map { "\"\($0)\":1" }.joined(separator: ",")
    let document = try JSONDocument(parsing: "{" + members + "}")
    #expect(document.root.count == 1 << 12)
    #expect(document.root[keys[4_000]]?.int64 == 1)
    #expect(throws: JSONError(code: .duplicateKey, offset: members.utf8.count + 2)) {
      try JSONDocument(parsing: "{" + members + ",\"\(keys[77])\":2}")
    }
    let few = keys[..<20].map { "\"\($0)\":1" }.joined(separator: ",")
    #expect(try JSONDocument(parsing: "{" + few + "}").root[keys[19]]?.int64 == 1)
  }

  @Test("long keys that differ at their end only")
  func longKeys() throws {
    let prefix = String(repeating: "k", count: 2_000)
    let text = "{" + (0..<1_000).map { "\"\(prefix)\($0)\":1" }.joined(separator: ",") + "}"
    #expect(try JSONDocument(parsing: text).root.count == 1_000)
  }

  @Test("small and big objects find the same repeated key", arguments: [2, 3, 23, 24, 25, 26, 60])
  func repeatedKeyAnywhere(_ count: Int) throws {
    let offsets = (0..<count).map { 1 + $0 * 8 }
    for first in 0..<count {
      for second in first + 1..<count {
        let keys = (0..<count).map { $0 == second ? first : $0 }.map { "\"k\($0 + 10)\":1" }
        let text = "{" + keys.joined(separator: ",") + "}"
        #expect(throws: JSONError(code: .duplicateKey, offset: offsets[second])) { try JSONDocument(parsing: text) }
      }
    }
  }

  @Test("with several repeated keys the first one counts", arguments: [10, 100])
  func firstRepeatedKey(_ count: Int) {
    let members = (0..<count).map { "\"k\($0 + 100)\":1" }
    let text = "{" + (members + members.reversed()).joined(separator: ",") + "}"
    #expect(throws: JSONError(code: .duplicateKey, offset: 1 + count * 9)) { try JSONDocument(parsing: text) }
  }

  @Test("a caller with a stack of 32 KB can do everything")
  func smallStack() throws {
    let text = nested(31, #"[{"key":"#, #"["\u00e9",1.5e3,{"b":1,"a":2}]"#, "}]")
    let finished = DispatchSemaphore(value: 0)
    let isEqual = Handover(false)
    let thread = Thread {
      if let left = try? JSONDocument(parsing: text), let right = try? JSONDocument(parsing: left.root.compactText) {
        isEqual.value = left.root.isEqual(to: right.root)
      }
      finished.signal()
    }
    thread.stackSize = 32 << 10
    thread.start()
    finished.wait()
    #expect(isEqual.value)
  }
}

/// A value two threads hand over, one after the other.
private final class Handover: @unchecked Sendable {
  private let lock = NSLock()
  private var stored: Bool

  init(_ value: Bool) { stored = value }

  var value: Bool {
    get { lock.withLock { stored } }
    set { lock.withLock { stored = newValue } }
  }
}
