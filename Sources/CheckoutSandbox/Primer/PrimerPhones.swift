/// GET phone-number-lookups/{number}.
enum PrimerPhones {
  /// A number is right when it has a plus and seven to fifteen digits, of which the first is not 0.
  static func lookUp(_ number: String) -> SandboxResponse {
    guard number.wholeMatch(of: #/\+[1-9][0-9]{6,14}/#) != nil else { return .json(200, ["isValid": false]) }
    return .json(
      200,
      [
        "isValid": true, "countryCode": .string(String(number.prefix(3))),
        "nationalNumber": .string(String(number.dropFirst(3))),
      ])
  }
}
