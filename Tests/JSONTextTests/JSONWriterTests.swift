import JSONText
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
  @Test("commas, key order and every kind of value")
  func everyKind() {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("z", string: "a")
    writer.member("a", integer: Int64.min)
    writer.member("n", optionalString: nil)
    writer.member("s", optionalString: "x")
    writer.member("b", boolean: true)
    writer.member("r", raw: "[1,2]")
    writer.member("i", integer: 7)
    writer.key("l")
    writer.beginArray()
    writer.null()
    writer.boolean(false)
    writer.numberLiteral("10.50")
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.string("")
    writer.endArray()
    writer.endObject()
    #expect(
      writer.text
        == #"{"z":"a","a":-9223372036854775808,"n":null,"s":"x","b":true,"r":[1,2],"i":7,"l":[null,false,10.50,{},[],""]}"#
    )
    #expect(writer.bytes == Array(writer.text.utf8))
  }

  @Test("a document written anew is the same text")
  func roundTrip() throws {
    let text = #"{"a":[1,2,{"b":"\n\"é😀"}],"c":{},"d":[[],[[]],-0.10e+5],"e":null,"f":true,"g":false}"#
    let document = try JSONDocument(parsing: text)
    #expect(document.root.compactText == text)
    #expect(document.root["a"]?.compactText == #"[1,2,{"b":"\n\"é😀"}]"#)
    #expect(document.root["d"]?.elements.map(\.compactText) == ["[]", "[[]]", "-0.10e+5"])
    #expect(document.root["g"]?.boolean == false)
  }
}

@Suite("JSON writer: escaping")
struct JSONWriterEscapingTests {
  private func written(_ string: String) -> String {
    var writer = JSONWriter()
    writer.string(string)
    return writer.text
  }

  @Test("only quotes, backslashes and control characters are escaped, short where JSON has a short form")
  func everyASCIICharacter() {
    let short: [UInt8: String] = [
      0x08: #"\b"#, 0x09: #"\t"#, 0x0A: #"\n"#, 0x0C: #"\f"#, 0x0D: #"\r"#, 0x22: #"\""#, 0x5C: #"\\"#,
    ]
    for byte in UInt8(0)..<0x80 {
      let character = String(UnicodeScalar(byte))
      let digits = String(byte, radix: 16)
      let long = byte < 0x20 ? "\\u00" + (digits.count < 2 ? "0" : "") + digits : character
      #expect(written(character) == "\"" + (short[byte] ?? long) + "\"")
      #expect(written("é" + character + "x") == "\"é" + (short[byte] ?? long) + "x\"")
    }
  }

  @Test(
    "everything else is written as it is",
    arguments: ["", "/", "\u{7F}", "\u{80}", "é", "\u{2028}\u{2029}", "\u{FEFF}", "😀"])
  func verbatim(_ string: String) {
    #expect(written(string) == "\"\(string)\"")
  }

  @Test("every Unicode scalar comes back from both readers")
  func everyScalar() throws {
    for plane in UInt32(0)..<17 {
      var string = ""
      string.unicodeScalars.append(contentsOf: (plane << 16...plane << 16 | 0xFFFF).compactMap { Unicode.Scalar($0) })
      let written = Array(written(string).utf8)
      #expect(try JSONDocument(parsing: written).root.string.map { Array($0.utf8) } == Array(string.utf8))
      #expect(JanssonResult(reading: written) == .value(.string(Array(string.utf8))))
    }
  }

  @Test("keys are escaped as strings are")
  func keys() throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("\"\u{0}\n", integer: 1)
    writer.endObject()
    #expect(writer.text == #"{"\"\u0000\n":1}"#)
  }

  @Test("compact text spells strings as the writer does")
  func respelt() throws {
    let document = try JSONDocument(parsing: #"{ "\u0041\/" : "\u00e9\u000A\u007f\ud83d\ude00\u001F" }"#)
    #expect(document.root.compactText == "{\"A/\":\"é\\n\u{7F}😀\\u001f\"}")
  }
}

@Suite("JSON writer: wrong use")
struct JSONWriterMisuseTests {
  @Test("no order of calls traps")
  func anyOrder() {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<300 {
      var writer = JSONWriter()
      for _ in 0..<20 {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: writer.beginObject()
        case 1: writer.endObject()
        case 2: writer.beginArray()
        case 3: writer.endArray()
        case 4: writer.key("k")
        case 5: writer.string("\"")
        case 6: writer.integer(Int.random(in: .min ... .max, using: &generator))
        case 7: writer.raw("")
        case 8: writer.numberLiteral("no number")
        default: writer.null()
        }
      }
      #expect(writer.text.utf8.count == writer.bytes.count)
    }
  }
}
