import JSONText
import Testing

@Suite("JSON reader: values")
struct JSONValueTests {
  @Test(
    "all spellings of a string",
    arguments: [
      (#""""#, ""), (#""abc""#, "abc"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041""#, "A"),
      (#""\u00e9\u00E9é""#, "ééé"), (#""\u0000""#, "\u{0}"), (#""\u007f""#, "\u{7F}"), ("\"\u{7F}\"", "\u{7F}"),
      (#""\u0080\u07ff\u0800\uffff""#, "\u{80}\u{7FF}\u{800}\u{FFFF}"), (#""\ud7ff\ue000""#, "\u{D7FF}\u{E000}"),
      (#""\ud800\udc00\udbff\udfff""#, "\u{10000}\u{10FFFF}"), (#""x\uD83D\uDE00y""#, "x😀y"),
      ("\"\u{2028}\u{FEFF}\u{FFFE}\"", "\u{2028}\u{FEFF}\u{FFFE}"), (#""a\\nb""#, "a\\nb"), (#""\\\\""#, "\\\\"),
      ("\"e\u{301}\u{E9}\"", "e\u{301}\u{E9}"),
    ])
  func strings(_ json: String, _ expected: String) throws {
    let value = try JSONDocument(parsing: json).root
    let string = try #require(value.string)
    #expect(Array(string.utf8) == Array(expected.utf8))
    #expect(value.kind == .string)
    #expect(value.stringBytes?.range == 1..<json.utf8.count - 1)
    #expect(value.stringBytes?.hasEscapes == json.contains("\\"))
  }

  @Test(
    "integers are literals without fraction and exponent that fit",
    arguments: [
      ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("9223372036854775807", .max), ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("-9223372036854775809", nil), ("92233720368547758070", nil),
      ("100000000000000000000000", nil), ("1.0", nil), ("1e0", nil), ("1E2", nil), ("-0.0", nil),
    ] as [(String, Int64?)])
  func integers(_ literal: String, _ expected: Int64?) throws {
    let value = try JSONDocument(parsing: literal).root
    #expect(value.int64 == expected)
    #expect(value.numberText == literal)
    #expect(value.kind == .number)
  }

  @Test(
    "number literals are kept as written",
    arguments: [
      "0.10", "12345678901234567.89", "-0.0", "1E400", "1e-999999999", "0e0", "3.14159265358979323846264338327950288",
      "1e+05", "-1.50E-07", "2.675", "9007199254740993",
    ])
  func literals(_ literal: String) throws {
    let element = try JSONDocument(parsing: "[ \(literal) ]").root.elements.first { _ in true }
    #expect(element?.numberText == literal)
    #expect(element?.compactText == literal)
  }

  @Test("every accessor answers for its own kind only")
  func accessors() throws {
    let root = try JSONDocument(parsing: #" {"n":null,"b":true,"i":7,"s":"x","a":[1,2],"o":{"k":"v"}} "#).root
    #expect(root.kind == .object)
    #expect(root.offset == 1)
    let values = root.members.map(\.value)
    #expect(values.map(\.kind) == [.null, .boolean, .number, .string, .array, .object])
    #expect(values.map(\.isNull) == [true, false, false, false, false, false])
    #expect(values.map(\.boolean) == [nil, true, nil, nil, nil, nil])
    #expect(values.map(\.int64) == [nil, nil, 7, nil, nil, nil])
    #expect(values.map(\.numberText) == [nil, nil, "7", nil, nil, nil])
    #expect(values.map(\.string) == [nil, nil, nil, "x", nil, nil])
    #expect(values.map { $0.stringBytes?.range.count } == [nil, nil, nil, 1, nil, nil])
    #expect(values.map(\.count) == [0, 0, 0, 0, 2, 1])
    #expect(values.map { Array($0.elements).count } == [0, 0, 0, 0, 2, 0])
    #expect(values.map { Array($0.members).count } == [0, 0, 0, 0, 0, 1])
    #expect(values.map { $0["k"]?.string } == [nil, nil, nil, nil, nil, "v"])
    #expect(values.map(\.offset) == [6, 15, 24, 30, 38, 48])
    #expect(root.members.map(\.key) == ["n", "b", "i", "s", "a", "o"])
    #expect(root.members.map(\.keyOffset) == [2, 11, 20, 26, 34, 44])
    #expect(root.members.underestimatedCount == 6)
    #expect(root.elements.underestimatedCount == 0)
  }

  @Test("a member is looked up by the bytes of its unescaped key")
  func lookup() throws {
    let root = try JSONDocument(parsing: "{\"a\\u0062\":1,\"\u{E9}\":2,\"e\\u0301\":3,\"\":4,\"x\":{\"ab\":5}}").root
    #expect(root["ab"]?.int64 == 1)
    #expect(root["\u{E9}"]?.int64 == 2)
    #expect(root["e\u{301}"]?.int64 == 3)
    #expect(root[""]?.int64 == 4)
    #expect(root["x"]?["ab"]?.int64 == 5)
    #expect(root["a"] == nil)
    #expect(root["abc"] == nil)
    #expect(root["b"] == nil)
  }

  @Test("canonically equivalent keys are two keys")
  func normalization() throws {
    #expect(try JSONDocument(parsing: "{\"\u{E9}\":1,\"e\u{301}\":2}").root.count == 2)
  }

  @Test("whitespace is allowed around every token")
  func whitespace() throws {
    let text = " \t\r\n[ \t\r\n1 \t\r\n, \t\r\n{ \t\r\n\"a\" \t\r\n: \t\r\n[ \t\r\n] \t\r\n} \t\r\n] \t\r\n"
    #expect(try JSONDocument(parsing: text).root.compactText == #"[1,{"a":[]}]"#)
  }

  @Test("documents are compared by their bytes")
  func documentEquality() throws {
    let (first, second) = (try JSONDocument(parsing: "[1]"), try JSONDocument(parsing: "[1]"))
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
    #expect(try first != JSONDocument(parsing: "[1 ]"))
    #expect(try JSONDocument(parsing: Array("[1]".utf8)) == first)
  }

  @Test("a document outlives the variable it was read into")
  func valuesKeepTheirDocument() throws {
    func inner() throws -> JSONValue? { try JSONDocument(parsing: #"{"a":["x"]}"#).root["a"] }
    #expect(try inner()?.elements.map(\.string) == ["x"])
  }
}

@Suite("JSON reader: giving up a text that holds a secret")
struct JSONSecretTests {
  @Test("the caller gets the bytes themselves and may overwrite them, even with values still around")
  func overwrittenInPlace() throws {
    var text = Array(#"{"number":"4111111111111111"}"#.utf8)
    let address = text.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
    var document = try JSONDocument(parsing: text)
    text = []
    let value = document.root["number"]
    #expect(value?.string == "4111111111111111")
    var isSameMemory = false
    document.withMutableBytes { bytes in
      for index in bytes.indices { bytes[index] = 0 }
      isSameMemory = bytes.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } == address
      #expect(bytes.count == 29)
    }
    #expect(isSameMemory)
  }

  @Test("afterwards everything reads as null, whatever was done to the bytes")
  func readsAsNull() throws {
    var document = try JSONDocument(parsing: #"{"a":[1,"x",{"b":true}],"c":"y"}"#)
    let copy = document
    let root = document.root
    let array = try #require(root["a"])
    let values = [root, copy.root] + root.members.map(\.value) + Array(array.elements)
    let elements = array.elements.makeIterator()
    let members = root.members.makeIterator()
    document.withMutableBytes { $0.removeAll() }
    for value in values + [document.root] {
      #expect(value.isNull)
      #expect(value.string == nil && value.int64 == nil && value.boolean == nil && value.numberText == nil)
      #expect(value.stringBytes == nil && value.count == 0 && value["a"] == nil && value.offset == 0)
      #expect(Array(value.elements).isEmpty && Array(value.members).isEmpty)
      #expect(value.compactText == "null")
      #expect(value.isEqual(to: value))
    }
    #expect(IteratorSequence(elements).allSatisfy { $0.isNull })
    #expect(IteratorSequence(members).allSatisfy { $0.key.isEmpty && $0.value.isNull })
    document.withMutableBytes { #expect($0.isEmpty) }
  }
}
