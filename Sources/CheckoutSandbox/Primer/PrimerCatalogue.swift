/// The methods and modules that every configuration has unless the session asks for others.
enum PrimerCatalogue {
  /// The types, in the order in which they are listed.
  static let types = [
    "PAYMENT_CARD", "ADYEN_IDEAL", "ADYEN_BLIK", "XFERS_PAYNOW", "ADYEN_MULTIBANCO", "APPLE_PAY", "KLARNA",
    "SANDBOX_UNLISTED",
  ]

  static func configurationId(of type: String) -> String { "configuration-\(type.lowercased())" }

  /// `paymentMethods`.
  static func methods(only wanted: Set<String>?, without skipped: Set<String>, capturesCVV: Bool) -> SandboxJSON {
    let listed = types.filter { wanted?.contains($0) != false && !skipped.contains($0) }
    return .array(
      listed.map { type in
        [
          "id": .string(configurationId(of: type)), "implementationType": .string(implementation(type)),
          "type": .string(type), "name": .string(name(type)), "processorConfigId": .string("processor-\(type)"),
          "options": options(type, capturesCVV: capturesCVV), "displayMetadata": display(type),
        ]
      })
  }

  /// `checkoutModules`.
  static let modules: SandboxJSON = [
    [
      "type": "CARD_INFORMATION", "requestUrl": .null,
      "options": ["cardHolderName": true, "saveCardCheckbox": false],
    ]
  ]

  /// What has to be done before a payment with a method other than a card is made.
  static func steps(of type: String) -> [PrimerStep] {
    switch type {
    case "ADYEN_IDEAL": [.redirection(hasPage: true, qrCode: nil)]
    case "ADYEN_BLIK": [.redirection(hasPage: false, qrCode: nil)]
    case "XFERS_PAYNOW": [.redirection(hasPage: false, qrCode: "c2FuZGJveA==")]
    case "ADYEN_MULTIBANCO": [.voucher]
    default: []
    }
  }

  private static func implementation(_ type: String) -> String {
    switch type {
    case "ADYEN_IDEAL", "ADYEN_MULTIBANCO": "WEB_REDIRECT"
    case "ADYEN_BLIK": "FORM_WITH_REDIRECT"
    case "XFERS_PAYNOW": "BACKEND_DRIVEN"
    case "SANDBOX_UNLISTED": "SANDBOX_IMPLEMENTATION"
    default: "NATIVE_SDK"
    }
  }

  private static func name(_ type: String) -> String {
    switch type {
    case "PAYMENT_CARD": "Card"
    case "ADYEN_IDEAL": "iDEAL"
    case "ADYEN_BLIK": "BLIK"
    case "XFERS_PAYNOW": "PayNow"
    case "ADYEN_MULTIBANCO": "Multibanco"
    case "APPLE_PAY": "Apple Pay"
    case "KLARNA": "Klarna"
    default: "Unlisted"
    }
  }

  private static func options(_ type: String, capturesCVV: Bool) -> SandboxJSON {
    guard type == "PAYMENT_CARD" else { return .object([]) }
    return ["threeDSecureEnabled": true, "captureVaultedCardCvv": .bool(capturesCVV)]
  }

  private static func display(_ type: String) -> SandboxJSON {
    [
      "button": [
        "iconUrl": ["colored": .string("https://assets.example/\(type.lowercased()).png")],
        "backgroundColor": ["colored": "#FFFFFF"], "borderColor": ["colored": "#4B2489"],
        "borderWidth": ["colored": 1], "cornerRadius": 4,
      ]
    ]
  }
}
