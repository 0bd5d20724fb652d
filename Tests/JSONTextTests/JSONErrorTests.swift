import JSONText
import Testing

/// A text that must be refused, and how.
struct Refusal: CustomStringConvertible, Sendable {
  let text: [UInt8]
  let code: JSONError.Code
  let offset: Int

  init(_ text: String, _ code: JSONError.Code, _ offset: Int) {
    self.init(Array(text.utf8), code, offset)
  }

  init(_ text: [UInt8], _ code: JSONError.Code, _ offset: Int) {
    (self.text, self.code, self.offset) = (text, code, offset)
  }

  var description: String { String(decoding: text, as: UTF8.self) }

  static func quoted(_ bytes: [UInt8], _ code: JSONError.Code, _ offset: Int) -> Refusal {
    Refusal([0x22] + bytes + [0x22], code, offset)
  }
}

@Suite("JSON reader: what is refused, and where")
struct JSONErrorTests {
  static let structure: [Refusal] = [
    Refusal("", .empty, 0),
    Refusal(" \n\r\t", .empty, 4),
    Refusal("[", .unexpectedEnd, 1),
    Refusal("{", .unexpectedEnd, 1),
    Refusal("[1", .unexpectedEnd, 2),
    Refusal("[1,", .unexpectedEnd, 3),
    Refusal(#"{"a"#, .unexpectedEnd, 3),
    Refusal(#"{"a""#, .unexpectedEnd, 4),
    Refusal(#"{"a":"#, .unexpectedEnd, 5),
    Refusal(#"{"a":1"#, .unexpectedEnd, 6),
    Refusal(#"{"a":1,"#, .unexpectedEnd, 7),
    Refusal("]", .unexpectedByte, 0),
    Refusal("}", .unexpectedByte, 0),
    Refusal(",", .unexpectedByte, 0),
    Refusal(":", .unexpectedByte, 0),
    Refusal("[}", .unexpectedByte, 1),
    Refusal("{]", .unexpectedByte, 1),
    Refusal("[1}", .unexpectedByte, 2),
    Refusal(#"{"a":1]"#, .unexpectedByte, 6),
    Refusal("[1,]", .unexpectedByte, 3),
    Refusal("[,1]", .unexpectedByte, 1),
    Refusal("[1,,2]", .unexpectedByte, 3),
    Refusal("[1 2]", .unexpectedByte, 3),
    Refusal("[1:2]", .unexpectedByte, 2),
    Refusal(#"{"a":1,}"#, .unexpectedByte, 7),
    Refusal(#"{,"a":1}"#, .unexpectedByte, 1),
    Refusal(#"{"a" 1}"#, .unexpectedByte, 5),
    Refusal(#"{"a",1}"#, .unexpectedByte, 4),
    Refusal(#"{"a"}"#, .unexpectedByte, 4),
    Refusal(#"{"a":}"#, .unexpectedByte, 5),
    Refusal("{1:2}", .unexpectedByte, 1),
    Refusal("{a:2}", .unexpectedByte, 1),
    Refusal("{null:2}", .unexpectedByte, 1),
    Refusal("'a'", .unexpectedByte, 0),
    Refusal("// comment\n1", .unexpectedByte, 0),
    Refusal("[1,/* comment */2]", .unexpectedByte, 3),
    Refusal("[1]//", .trailingText, 3),
    Refusal("{} {}", .trailingText, 3),
    Refusal("1 2", .trailingText, 2),
    Refusal("[]]", .trailingText, 2),
    Refusal(#""a""b""#, .trailingText, 3),
    Refusal("null\u{0}", .trailingText, 4),
    Refusal("\u{FEFF}1", .unexpectedByte, 0),
    Refusal("1\u{FEFF}", .trailingText, 1),
    Refusal("\u{A0}1", .unexpectedByte, 0),
    Refusal("\u{C}1", .unexpectedByte, 0),
    Refusal("\u{B}1", .unexpectedByte, 0),
    Refusal("\u{0}1", .unexpectedByte, 0),
    Refusal([0xFF, 0xFE, 0x31, 0x00], .unexpectedByte, 0),
  ]

  static let words: [Refusal] = [
    Refusal("t", .unexpectedEnd, 1),
    Refusal("tru", .unexpectedEnd, 3),
    Refusal("truE", .unexpectedByte, 3),
    Refusal("True", .unexpectedByte, 0),
    Refusal("TRUE", .unexpectedByte, 0),
    Refusal("truee", .trailingText, 4),
    Refusal("[truefalse]", .unexpectedByte, 5),
    Refusal("fals", .unexpectedEnd, 4),
    Refusal("fa1se", .unexpectedByte, 2),
    Refusal("[nul]", .unexpectedByte, 4),
    Refusal("nil", .unexpectedByte, 1),
    Refusal("NaN", .unexpectedByte, 0),
    Refusal("nan", .unexpectedByte, 1),
    Refusal("Infinity", .unexpectedByte, 0),
    Refusal("undefined", .unexpectedByte, 0),
  ]

  static let numbers: [Refusal] = [
    Refusal("-", .invalidNumber, 1),
    Refusal("[-]", .invalidNumber, 2),
    Refusal("--1", .invalidNumber, 1),
    Refusal("-a", .invalidNumber, 1),
    Refusal("-Infinity", .invalidNumber, 1),
    Refusal("01", .invalidNumber, 1),
    Refusal("-01", .invalidNumber, 2),
    Refusal("00", .invalidNumber, 1),
    Refusal("1.", .invalidNumber, 2),
    Refusal("[1.]", .invalidNumber, 3),
    Refusal("1.e5", .invalidNumber, 2),
    Refusal("1..2", .invalidNumber, 2),
    Refusal("1.-2", .invalidNumber, 2),
    Refusal("1e", .invalidNumber, 2),
    Refusal("1e+", .invalidNumber, 3),
    Refusal("1E-", .invalidNumber, 3),
    Refusal("1e+-1", .invalidNumber, 3),
    Refusal("1e.5", .invalidNumber, 2),
    Refusal("-.5", .invalidNumber, 1),
    Refusal("+1", .unexpectedByte, 0),
    Refusal(".5", .unexpectedByte, 0),
    Refusal("1e5.5", .trailingText, 3),
    Refusal("1e5e5", .trailingText, 3),
    Refusal("1.5.5", .trailingText, 3),
    Refusal("0x10", .trailingText, 1),
    Refusal("1_000", .trailingText, 1),
    Refusal("[1,000.00]", .invalidNumber, 4),
    Refusal("1-", .trailingText, 1),
    Refusal("\u{FF11}", .unexpectedByte, 0),
  ]

  static let strings: [Refusal] = [
    Refusal(#"""#, .unexpectedEnd, 1),
    Refusal(#""abc"#, .unexpectedEnd, 4),
    Refusal(#""abc\"#, .unexpectedEnd, 5),
    Refusal(#""abc\""#, .unexpectedEnd, 6),
    Refusal(#""\u"#, .unexpectedEnd, 3),
    Refusal(#""\u12"#, .unexpectedEnd, 5),
    Refusal("\"a\nb\"", .controlCharacter, 2),
    Refusal("\"\t\"", .controlCharacter, 1),
    Refusal("\"\u{0}\"", .controlCharacter, 1),
    Refusal("\"ab\u{1F}\"", .controlCharacter, 3),
    Refusal("{\"a\rb\":1}", .controlCharacter, 3),
    Refusal(#""\a""#, .invalidEscape, 1),
    Refusal(#""ab\x41""#, .invalidEscape, 3),
    Refusal(#""\'""#, .invalidEscape, 1),
    Refusal(#""\U0041""#, .invalidEscape, 1),
    Refusal(#""\u""#, .invalidEscape, 1),
    Refusal(#""\u12G4""#, .invalidEscape, 1),
    Refusal(#""\u004""#, .invalidEscape, 1),
    Refusal(#""\u+041""#, .invalidEscape, 1),
    Refusal("\"\\\n\"", .invalidEscape, 1),
    Refusal("\"\\\u{E9}\"", .invalidEscape, 1),
    Refusal(#""x\ud800""#, .loneSurrogate, 2),
    Refusal(#""\uDBFFx""#, .loneSurrogate, 1),
    Refusal(#""\udc00""#, .loneSurrogate, 1),
    Refusal(#""\uDFFF\uD800""#, .loneSurrogate, 1),
    Refusal(#""\ud800\ud800\udc00""#, .loneSurrogate, 1),
    Refusal(#""\ud800\u0041""#, .loneSurrogate, 1),
    Refusal(#""\ud800\n""#, .loneSurrogate, 1),
    Refusal(#""\ud800\uzzzz""#, .invalidEscape, 7),
    Refusal(#""\ud83d\ude00\ude00""#, .loneSurrogate, 13),
    Refusal(#"{"\ud800":1}"#, .loneSurrogate, 2),
  ]

  static let encoding: [Refusal] = [
    .quoted([0x80], .invalidUTF8, 1),
    .quoted([0x61, 0xBF], .invalidUTF8, 2),
    .quoted([0xC0, 0x80], .invalidUTF8, 1),
    .quoted([0xC1, 0xBF], .invalidUTF8, 1),
    .quoted([0xC2], .invalidUTF8, 1),
    .quoted([0xC2, 0x41], .invalidUTF8, 1),
    .quoted([0xDF, 0xC0], .invalidUTF8, 1),
    .quoted([0xE0, 0x9F, 0xBF], .invalidUTF8, 1),
    .quoted([0xE0, 0xA0], .invalidUTF8, 1),
    .quoted([0xE1, 0x80, 0x22], .invalidUTF8, 1),
    .quoted([0xED, 0xA0, 0x80], .invalidUTF8, 1),
    .quoted([0xED, 0xBF, 0xBF], .invalidUTF8, 1),
    .quoted([0xF0, 0x8F, 0xBF, 0xBF], .invalidUTF8, 1),
    .quoted([0xF0, 0x90, 0x80], .invalidUTF8, 1),
    .quoted([0xF1, 0x80, 0xC0, 0x80], .invalidUTF8, 1),
    .quoted([0xF4, 0x90, 0x80, 0x80], .invalidUTF8, 1),
    .quoted([0xF5, 0x80, 0x80, 0x80], .invalidUTF8, 1),
    .quoted([0xFE], .invalidUTF8, 1),
    .quoted([0xFF], .invalidUTF8, 1),
    Refusal([0x22, 0xC3], .invalidUTF8, 1),
    Refusal([0x22, 0xF0, 0x9F, 0x98], .invalidUTF8, 1),
    Refusal([0x7B, 0x22, 0xC3, 0x22, 0x3A, 0x31, 0x7D], .invalidUTF8, 2),
  ]

  static let keys: [Refusal] = [
    Refusal(#"{"a":1,"a":2}"#, .duplicateKey, 7),
    Refusal(#"{"":1,"":2}"#, .duplicateKey, 6),
    Refusal(#"{"a":1,"\u0061":2}"#, .duplicateKey, 7),
    Refusal(#"{"\/":1,"/":2}"#, .duplicateKey, 8),
    Refusal(#"{"é":1,"\u00e9":2}"#, .duplicateKey, 8),
    Refusal(#"{"😀":1,"\uD83D\uDE00":2}"#, .duplicateKey, 10),
    Refusal(#"{"b":1,"a":{"a":1},"c":[1],"a":2}"#, .duplicateKey, 27),
    Refusal(#"[{"x":{"a":1,"b":2,"a":3}}]"#, .duplicateKey, 19),
    Refusal(#"{"a":1,"b":2,"b":3,"a":4}"#, .duplicateKey, 13),
    Refusal(#"{"a":1,"a":2}!"#, .duplicateKey, 7),
  ]

  static let tables = structure + words + numbers + strings + encoding + keys

  @Test("every refusal has its code and offset")
  func refusals() {
    for refusal in Self.tables {
      let expected = JSONError(code: refusal.code, offset: refusal.offset)
      #expect(throws: expected, "\(refusal)") { try JSONDocument(parsing: refusal.text) }
    }
  }

  @Test("the tables reach every code that does not depend on limits")
  func everyCode() {
    #expect(Set(Self.tables.map(\.code)).union([.tooDeep, .tooLarge]) == Set(JSONError.Code.allCases))
  }

  @Test("a document cut anywhere is refused, at its end or at the character or number that was cut")
  func everyPrefix() throws {
    let text = Array(
      #" { "a" : [ 1.5e+3 , "\u00e9\ud83d\ude00\n😀é" , { } , [ ] , true , null ] , "b" : { "c" : false } } "#.utf8)
    _ = try JSONDocument(parsing: text)
    for length in 0..<text.count - 1 {
      let error = try #require(throws: JSONError.self) { try JSONDocument(parsing: Array(text[..<length])) }
      switch error.code {
      case .unexpectedEnd, .invalidNumber: #expect(error.offset == length)
      case .invalidUTF8: #expect((1...3).contains(length - error.offset))
      case .loneSurrogate: #expect((6...7).contains(length - error.offset))
      case .empty: #expect(length < 2)
      default: Issue.record("\(error) at \(length)")
      }
    }
  }

  @Test("names are the cases' names; messages are distinct sentences with the offset and without the text")
  func wording() {
    var messages: Set<String> = []
    for code in JSONError.Code.allCases {
      let error = JSONError(code: code, offset: 4711)
      #expect(error.name == "\(code)")
      #expect(error.message.contains("4711"))
      messages.insert(error.message)
    }
    #expect(messages.count == JSONError.Code.allCases.count)
  }
}
