import PrimerProvider

extension Groups {
  static let texts: [String: GroupFunction] = [
    "string_utils": GroupFunction(["op", "input"]) { row in
      guard let operation = row.string("op"), let input = row.string("input") else { return .notUnderstood("a text") }
      let bytes = Array(input.utf8)
      switch operation {
      case "withoutWhiteSpace": return .expected(text: text(TypedText.withoutWhiteSpace(bytes.span)))
      case "isNumeric": return .expected(TypedText.isNumeric(bytes.span))
      case "groupBy4": return .expected(text: text(TypedText.grouped(bytes.span, by: 4)))
      case "base64url": return .expected(text: text(TypedText.urlSafe(bytes.span)))
      case "isHttpOrHttpsURL": return .expected(TypedText.isHTTP(bytes.span))
      default: return .notUnderstood(operation)
      }
    }
  ]

  private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
