import JSONText
import Testing

@Suite("JSON: properties of random documents")
struct JSONPropertyTests {
  private func write(_ tree: JSONTree, to writer: inout JSONWriter) {
    switch tree {
    case .null: writer.null()
    case .boolean(let value): writer.boolean(value)
    case .integer(let value): writer.integer(value)
    case .real(let value): writer.numberLiteral("\(value)")
    case .string(let bytes): writer.string(String(decoding: bytes, as: UTF8.self))
    case .array(let elements):
      writer.beginArray()
      for element in elements { write(element, to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(String(decoding: member.key, as: UTF8.self))
        write(member.value, to: &writer)
      }
      writer.endObject()
    }
  }

  @Test("what is written is read back the same, here and by Jansson; written again it is the same text")
  func writeAndRead() throws {
    var generator = JSONGenerator(seed: 1)
    for _ in 0..<1_500 {
      let tree = generator.tree(depth: 5)
      var writer = JSONWriter()
      write(tree, to: &writer)
      let document = try JSONDocument(parsing: writer.bytes)
      try #require(JSONTree(document.root) == tree)
      try #require(JanssonResult(reading: writer.bytes) == .value(tree))
      try #require(document.root.compactText == writer.text)
    }
  }

  @Test("however a value is spelt, it is read as that value, and its compact text is the writer's")
  func spellings() throws {
    var generator = JSONGenerator(seed: 2)
    for _ in 0..<1_500 {
      let tree = generator.tree(depth: 5)
      let text = generator.spell(tree)
      let document = try JSONDocument(parsing: text)
      try #require(JSONTree(document.root) == tree, "\(text)")
      try #require(Verdict(Array(text.utf8)) == .bothAccept)
      let compact = try JSONDocument(parsing: document.root.compactText)
      try #require(JSONTree(compact.root) == tree, "\(text)")
      try #require(compact.root.compactText == document.root.compactText)
      try #require(compact.root.isEqual(to: document.root) && document.root.isEqual(to: compact.root))
    }
  }

  @Test("the compact text of a value inside a document is that of the value alone")
  func partsOfDocuments() throws {
    var generator = JSONGenerator(seed: 3)
    for _ in 0..<400 {
      let document = try JSONDocument(parsing: generator.spell(generator.tree(depth: 4)))
      for value in Array(document.root.elements) + document.root.members.map(\.value) {
        let alone = try JSONDocument(parsing: value.compactText)
        try #require(JSONTree(alone.root) == JSONTree(value))
      }
      for member in document.root.members {
        try #require(document.root[member.key]?.offset == member.value.offset)
      }
    }
  }

  @Test("broken documents are judged as Jansson judges them, but for the named exceptions")
  func mutations() {
    var generator = JSONGenerator(seed: 4)
    var verdicts: [Verdict: Int] = [:]
    for _ in 0..<600 {
      let text = Array(generator.spell(generator.tree(depth: 3)).utf8)
      for _ in 0..<25 { verdicts[Verdict(generator.mutate(text)), default: 0] += 1 }
    }
    let allowed: Set<Verdict> = [
      .bothAccept, .bothRefuse, .numberTooBigForJansson, .nulInKey, .nulOverlookedByJansson,
    ]
    #expect(Set(verdicts.keys).subtracting(allowed).isEmpty)
    #expect(verdicts[.bothAccept, default: 0] > 1_000)
    #expect(verdicts[.bothRefuse, default: 0] > 5_000)
  }

  @Test("every cut and every changed byte of one rich document is judged as Jansson judges it")
  func neighbours() {
    let text = Array(#"{"a":[-1.5e+3,"\u00e9\ud83d\ude00\né",{},[],true,null],"b":{"c":false,"d":0}}"#.utf8)
    var verdicts: Set<Verdict> = []
    for index in text.indices {
      verdicts.insert(Verdict(Array(text[..<index])))
      verdicts.insert(Verdict(Array(text[index...])))
      for byte in UInt8.min...UInt8.max {
        var changed = text
        changed[index] = byte
        verdicts.insert(Verdict(changed))
      }
    }
    #expect(verdicts == [.bothAccept, .bothRefuse])
  }
}

@Suite("JSON reader against Jansson: where they differ on purpose")
struct JSONDisagreementTests {
  @Test(
    "numbers that do not fit Jansson's types",
    arguments: ["9223372036854775808", "-9223372036854775809", "1e400", "[-1.0E+309]", #"{"a":123456789012345678901}"#])
  func numbers(_ text: String) {
    #expect(Verdict(Array(text.utf8)) == .numberTooBigForJansson)
  }

  @Test("U+0000 in a string is read by both, in a key by this reader only")
  func nul() {
    #expect(Verdict(Array(#""a\u0000b""#.utf8)) == .bothAccept)
    #expect(Verdict(Array(#"{"a\u0000b":1}"#.utf8)) == .nulInKey)
  }

  @Test("a NUL byte behind a number or a word", arguments: ["1\u{0}", "[1.5\u{0}]", "{\"a\":null\u{0}}", "true\u{0} "])
  func nulByte(_ text: String) {
    #expect(Verdict(Array(text.utf8)) == .nulOverlookedByJansson)
  }

  @Test("a NUL byte anywhere else", arguments: ["\u{0}1", "\"\"\u{0}", "[\u{0}]", "[]\u{0}", "1 \u{0}", "\"\u{0}\""])
  func nulByteElsewhere(_ text: String) {
    #expect(Verdict(Array(text.utf8)) == .bothRefuse)
  }

  @Test("deeper than 64 levels")
  func depth() {
    let nested = { String(repeating: "[", count: $0) + String(repeating: "]", count: $0) }
    #expect(Verdict(Array(nested(65).utf8)) == .deeperThanAllowed)
    #expect(Verdict(Array(nested(64).utf8)) == .bothAccept)
  }
}
