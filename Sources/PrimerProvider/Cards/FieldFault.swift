/// The fields of a card form.
public enum FormField: UInt8, CaseIterable, Hashable, Sendable {
  case number, expiry, cvv, holder
  case countryCode, firstName, lastName, addressLine1, addressLine2, postalCode, city, state, phoneNumber

  /// As the back end's own forms name it.
  public var type: String {
    switch self {
    case .number: "CARD_NUMBER"
    case .expiry: "EXPIRY_DATE"
    case .cvv: "CVV"
    case .holder: "CARDHOLDER_NAME"
    case .countryCode: "COUNTRY_CODE"
    case .firstName: "FIRST_NAME"
    case .lastName: "LAST_NAME"
    case .addressLine1: "ADDRESS_LINE_1"
    case .addressLine2: "ADDRESS_LINE_2"
    case .postalCode: "POSTAL_CODE"
    case .city: "CITY"
    case .state: "STATE"
    case .phoneNumber: "PHONE_NUMBER"
    }
  }

  public var isOfCard: Bool { rawValue <= FormField.holder.rawValue }

  /// Only the second line of an address may be left out.
  public var isRequired: Bool { self != .addressLine2 }
}

/// Why a field is not valid by CheckoutComponents' rules.
public enum FieldFault: Hashable, Sendable {
  case required, invalid, unsupportedCardType, cardExpired, cardholderNameLength

  public func code(_ field: FormField) -> String {
    switch self {
    case .required, .invalid: "invalid-" + FieldFault.small(field)
    case .unsupportedCardType: "unsupported-card-type"
    case .cardExpired: "card-expired"
    case .cardholderNameLength: "invalid-cardholder-name-length"
    }
  }

  public func errorID(_ field: FormField) -> String {
    switch self {
    case .required: FieldFault.small(field) + "_required"
    case .invalid: FieldFault.small(field) + "_invalid"
    case .unsupportedCardType: "unsupported_card_type"
    case .cardExpired: "card_expired"
    case .cardholderNameLength: "cardholder_name_length"
    }
  }

  private static func small(_ field: FormField) -> String {
    var bytes: [UInt8] = []
    for byte in field.type.utf8 { bytes.append(Bytes.isLetter(byte) ? byte | 0x20 : byte) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
