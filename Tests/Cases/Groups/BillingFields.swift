import JSONText
import PrimerProvider

extension Groups {
  /// The fields that are no card's.
  static let billingFields: [String: GroupFunction] = [
    "billing_fields": GroupFunction(["field", "required", "country", "input"]) { row in
      guard let field = row.string("field") else { return .notUnderstood("a field") }
      // A field that was never set is an empty one.
      let text = Array(written(row.string("input") ?? "").utf8)
      return fault(field, text.span, row)
    },
    "postal_headless": GroupFunction { row in
      guard let input = row.string("input") else { return .notUnderstood("a postal code") }
      return .expected(OtherFields.isRawPostalCode(Array(input.utf8).span))
    },
    "otp_headless": GroupFunction { row in
      guard let input = row.string("input") else { return .notUnderstood("a code") }
      return .expected(OtherFields.isOneTimeCode(Array(input.utf8).span))
    },
  ]

  private static func fault(_ name: String, _ text: Span<UInt8>, _ row: Row) -> Answer {
    if name.hasPrefix("otp") {
      return .expected(OtherFields.isOneTimeCode(text, digits: Int(name.dropFirst(3)) ?? 6))
    }
    if name == "email" { return .expected(OtherFields.isEmail(text)) }
    guard let field = field(name) else { return .notUnderstood(name) }
    let country = row.string("country").flatMap { CountryCode(Array($0.utf8).span) }
    let fault = TypedBillingField(field, text).fault(
      field, country: country, isRequired: row["required"]?.boolean ?? field.isRequired)
    return .ours([
      "expected": "\(fault == nil)", "errorCode": JSON.text(fault?.code(field)),
      "errorId": JSON.text(fault?.errorID(field)),
    ])
  }

  private static func field(_ name: String) -> FormField? {
    switch name {
    case "countryCode": .countryCode
    case "firstName": .firstName
    case "lastName": .lastName
    case "addressLine1": .addressLine1
    case "addressLine2": .addressLine2
    case "postalCode", "billingPostalCode": .postalCode
    case "city": .city
    case "state": .state
    case "phoneNumber": .phoneNumber
    default: nil
    }
  }

  /// `a*100` stands for a hundred of them.
  private static func written(_ text: String) -> String {
    guard let match = text.wholeMatch(of: /(.)\*([0-9]{1,4})/), let count = Int(match.2) else { return text }
    return String(repeating: String(match.1), count: count)
  }
}
