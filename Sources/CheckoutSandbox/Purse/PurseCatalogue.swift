/// The methods that every session has unless it asks for others.
enum PurseCatalogue {
  /// The value of the saved card; its name says how a payment with it ends.
  static let savedCard = "wtk_success_4242"

  /// The value of the saved card that is paid with only beside a fresh security code.
  static let savedCardWithCode = "wtk_success_code_1881"

  /// The ids, in the order of their positions.
  static let identifiers = [
    "purse-creditcard", "illicado-giftcard", "easy2play-giftcard", "buybox-giftcard", "hipay-bancontact",
    "fintecture-instantpayment", "paypal-wallet", "klarna-paylater", "younited-loan", "hipay-mbway",
    "adyen-applepay", "paypal-paypal", "ogloba-giftcard", "maxxing-loyaltycard",
  ]

  /// `protocols`: partner, then method. An information request's card is for later use, everything else stays as it is
  /// and so has to be left out by the client.
  static func protocols(
    only wanted: Set<String>?, digits: Int, isInformationRequest: Bool, wallet: PurseWallet? = nil
  ) -> SandboxJSON {
    var protocols = SandboxJSON.object([])
    for (index, id) in identifiers.enumerated() where wanted?.contains(id) != false {
      guard let dash = id.firstIndex(of: "-") else { continue }
      let partner = String(id[..<dash])
      let method = String(id[id.index(after: dash)...])
      var entry = entry(
        id, method: method, position: index + 1, digits: digits, isInformationRequest: isInformationRequest)
      if let wallet { entry["integrated_tokens"] = .array(wallet.tokens(of: partner, method)) }
      var methods = protocols[partner] ?? .object([])
      methods[method] = entry
      protocols[partner] = methods
    }
    return protocols
  }

  private static func entry(
    _ id: String, method: String, position: Int, digits: Int, isInformationRequest: Bool
  ) -> SandboxJSON {
    let isGiftCard = method == "giftcard" || method == "loyaltycard"
    var configurations: SandboxJSON = [
      "stable": .bool(id != "hipay-mbway"), "template": .string(method),
      "labels": [isGiftCard ? "secondary" : "primary"], "position": .integer(Int64(position)),
    ]
    let isCard = id == "purse-creditcard"
    if isCard { configurations["vault"] = vault }
    configurations["settings"] = settings(id, digits: digits, isForLaterUse: isCard && isInformationRequest)
    return ["configurations": configurations, "integrated_tokens": isCard ? [token, tokenWithCode] : []]
  }

  private static func settings(_ id: String, digits: Int, isForLaterUse: Bool) -> SandboxJSON {
    let settings: SandboxJSON = [
      "registration_mode": isForLaterUse ? "OFF_SESSION" : "ON_SESSION",
      "save_token": .bool(id == "purse-creditcard" || id == "illicado-giftcard"),
    ]
    return settings.merging(particulars(id, digits: digits))
  }

  private static func particulars(_ id: String, digits: Int) -> SandboxJSON {
    func amount(_ hundredths: Int64) -> SandboxJSON {
      .number(Amount.literal(Amount.minorUnits(hundredths: hundredths, digits: digits), digits: digits))
    }
    switch id {
    case "illicado-giftcard", "easy2play-giftcard": return ["usage_per_session_limit": 3]
    case "buybox-giftcard": return ["usage_per_session_limit": 1]
    case "ogloba-giftcard": return ["payment_min_amount": amount(5_00), "payment_max_amount": amount(60_00)]
    case "fintecture-instantpayment": return ["payment_min_amount": amount(10_00)]
    case "younited-loan": return ["payment_min_amount": amount(5_000_00), "payment_max_amount": amount(50_000_00)]
    case "paypal-wallet":
      let specifics: SandboxJSON = [
        "integration_mode": "redirection", "client_id": "sandbox", "merchant_id": "sandbox",
      ]
      return ["merchant_specifics": specifics]
    case "paypal-paypal": return ["merchant_specifics": ["integration_mode": "popup", "client_id": "sandbox"]]
    default: return .object([])
    }
  }

  private static let vault: SandboxJSON = [
    "supported_brands": ["VISA", "MASTERCARD", "CARTE_BANCAIRE", "AMERICAN_EXPRESS"], "token_scope": "method",
    "vendor": "purse",
  ]

  private static let token = savedCard("4242", savedCard)
  private static let tokenWithCode = savedCard("1881", savedCardWithCode).merging(["cvv_required": true])

  private static func savedCard(_ lastFour: String, _ value: String) -> SandboxJSON {
    [
      "id": .string("5b1f0a3e-7c55-4f0e-9d11-7a2a6f1c\(lastFour)"), "value": .string(value),
      "uniqueness_token": .string("sandbox-uniqueness-\(lastFour)"), "expiration_date": "2039-12-31T23:59:59Z",
      "owner_reference": "sandbox-customer", "merchant": "sandbox-merchant", "favorite": false,
      "description": [
        "brand_name": "VISA", "masked_pan": .string("**** **** **** \(lastFour)"), "holder_name": "Sandbox Shopper",
      ],
      "payment_id": ["origin": "partner", "partner": "purse", "method": "creditcard"], "name": "Saved card",
      "source": "MERCHANT", "created_at": "2025-01-01T00:00:00Z",
    ]
  }
}
