import JSONText

/// One text for all spellings of the same JSON: keys sorted, numbers by their value.
enum CanonicalJSON {
  static func text(of value: JSONValue) -> String {
    var writer = JSONWriter()
    write(value, to: &writer)
    return writer.text
  }

  /// Recursion ends where the reader's limit on nesting does.
  private static func write(_ value: JSONValue, to writer: inout JSONWriter) {
    switch value.kind {
    case .null: writer.null()
    case .boolean: writer.boolean(value.boolean == true)
    case .number: writer.numberLiteral(number(value.numberText ?? ""))
    case .string: writer.string(value.string ?? "")
    case .array:
      writer.beginArray()
      for element in value.elements { write(element, to: &writer) }
      writer.endArray()
    case .object:
      writer.beginObject()
      for member in value.members.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        writer.key(member.key)
        write(member.value, to: &writer)
      }
      writer.endObject()
    }
  }

  /// The significant digits and a power of ten. A literal with an absurd exponent stays as it is.
  private static func number(_ literal: String) -> String {
    var digits: [UInt8] = []
    var exponent = 0
    var isBehindPoint = false
    var bytes = literal.utf8[...]
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { bytes = bytes.dropFirst() }
    while let byte = bytes.first, byte != UInt8(ascii: "e"), byte != UInt8(ascii: "E") {
      bytes = bytes.dropFirst()
      if byte == UInt8(ascii: ".") {
        isBehindPoint = true
        continue
      }
      if isBehindPoint { exponent -= 1 }
      if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
    }
    guard !digits.isEmpty else { return "0" }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    guard let written = writtenExponent(bytes.dropFirst()) else { return literal }
    let text = (isNegative ? "-" : "") + String(decoding: digits, as: UTF8.self)
    let power = exponent + written
    return power == 0 ? text : text + "e" + String(power)
  }

  private static func writtenExponent(_ text: Substring.UTF8View) -> Int? {
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "0") }
    guard digits.count <= 15 else { return nil }
    var value = 0
    for digit in digits { value = value * 10 + Int(digit - UInt8(ascii: "0")) }
    return isNegative ? -value : value
  }
}
