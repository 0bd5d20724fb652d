/// What the pretend issuers' directory knows of card numbers.
enum PrimerNetworks {
  /// The networks that a session allows unless the merchant says otherwise.
  static let allowed = ["VISA", "MASTERCARD", "AMEX", "CARTES_BANCAIRES"]

  /// First eight digits with an answer of their own.
  static let known: [String: [String]] = [
    "49701000": ["CARTES_BANCAIRES", "VISA"], "51320000": ["CARTES_BANCAIRES", "MASTERCARD"],
    "46000000": ["VISA", "EFTPOS"], "45000000": [],
  ]

  /// First eight digits of which the directory knows nothing because it fails.
  static let failing = "45010000"

  /// All networks of a number, the national one first.
  static func networks(of number: String) -> [String] {
    if let networks = known[String(number.prefix(8))] { return networks }
    return brand(of: number).map { [$0] } ?? []
  }

  /// The international network that a number's first digits belong to.
  static func brand(of number: String) -> String? {
    guard let two = Int(number.prefix(2)) else { return nil }
    switch two {
    case 40...49: return "VISA"
    case 51...55, 22...27: return "MASTERCARD"
    case 34, 37: return "AMEX"
    case 60, 64, 65: return "DISCOVER"
    default: return nil
    }
  }

  static func binData(_ digits: String) throws(Refusal) -> SandboxResponse {
    guard digits.utf8.count == 8, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw Refusal(400, "InvalidRequest", "The first eight digits are wanted.")
    }
    guard digits != failing else { throw Refusal(500, "InternalServerError", "The directory fails for this number.") }
    return .json(
      200, ["firstDigits": .string(digits), "binData": .array(networks(of: digits).map(entry))])
  }

  private static func entry(_ network: String) -> SandboxJSON {
    [
      "displayName": .string(displayNames[network] ?? network), "network": .string(network),
      "issuerCountryCode": "FR", "issuerName": "Sandbox Bank", "issuerCurrencyCode": "EUR",
      "accountFundingType": "DEBIT",
    ]
  }

  private static let displayNames = [
    "VISA": "Visa", "MASTERCARD": "Mastercard", "AMEX": "Amex", "DISCOVER": "Discover",
    "CARTES_BANCAIRES": "Cartes Bancaires", "EFTPOS": "eftpos",
  ]

  /// Do the digits pass the check that card numbers carry?
  static func passesLuhn(_ number: String) -> Bool {
    var sum = 0
    for (place, byte) in number.utf8.reversed().enumerated() {
      let digit = Int(byte) - 0x30
      let doubled = digit * 2
      sum += place % 2 == 0 ? digit : doubled / 10 + doubled % 10
    }
    return sum % 10 == 0
  }
}
