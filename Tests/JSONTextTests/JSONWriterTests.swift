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
