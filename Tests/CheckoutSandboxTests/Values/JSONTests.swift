import Testing

@testable import CheckoutSandbox

@Suite struct JSONTests {
  @Test(
    arguments: [
      "null", "true", "false", "0", "-0", "1", "70.00", "1e2", "1E+2", "1.50e-3", "123456789012345678901234567890.5",
      "\"\"", "\"text\"", "[]", "[1,[2],{}]", "{}", #"{"a":1,"b":{"c":[null]}}"#, #""\"\\\n\r\t\u0001""#, "\"é€😀\"",
    ])
  func whatIsReadIsWrittenTheSame(_ text: String) throws {
    #expect(try SandboxJSON(reading: text).text == text)
  }

  @Test func escapesAndSpaceAreRead() throws {
    #expect(try SandboxJSON(reading: #" [ "\u00e9\u20AC\ud83d\ude00\/\b\f" , 1 ] "#) == ["é€😀/\u{8}\u{C}", 1])
  }

  @Test(
    arguments: [
      "", " ", "nul", "True", "01", "+1", "1.", ".5", "1e", "-", "NaN", "\"", "\"\n\"", #""\x""#, #""\u12""#,
      #""\u+123""#, #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#, "[", "[1", "[1,]", "[1 2]", "{", "{\"a\"}",
      "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":1 \"b\":2}", "1 2", #"{"a":1,"a":2}"#,
    ])
  func whatIsNoJSONIsRefused(_ text: String) {
    #expect(throws: SandboxJSONError.self) { try SandboxJSON(reading: text) }
  }

  @Test func badUTF8AndDepthAreRefused() throws {
    #expect(throws: SandboxJSONError.self) { try SandboxJSON(reading: [0x22, 0xFF, 0x22]) }
    let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
    #expect(try SandboxJSON(reading: deep).text == deep)
    #expect(throws: SandboxJSONError.self) { try SandboxJSON(reading: "[\(deep)]") }
  }

  @Test func aFailureSaysWhere() {
    #expect(throws: SandboxJSONError(reason: "a value is missing", offset: 5)) {
      try SandboxJSON(reading: "{\"a\":")
    }
  }

  @Test func membersAreFoundChangedAddedAndRemoved() {
    var document: SandboxJSON = ["a": 1, "b": 2]
    document["a"] = 3
    document["b"] = nil
    document["c"] = [true]
    #expect(document.text == #"{"a":3,"c":[true]}"#)
    #expect(document["c"]?[0] == true)
    #expect(document["c"]?[1] == nil)
    #expect(document["d"] == nil)
  }

  @Test func aMergePatchMergesRemovesAndReplaces() throws {
    let document = try SandboxJSON(reading: #"{"a":{"b":1,"c":2},"d":[1],"e":"x"}"#)
    let patch = try SandboxJSON(reading: #"{"a":{"b":null,"f":{"g":null,"h":1}},"d":{"i":2},"e":3}"#)
    #expect(document.merging(patch).text == #"{"a":{"c":2,"f":{"h":1}},"d":{"i":2},"e":3}"#)
    #expect(document.merging("x") == "x")
  }
}
