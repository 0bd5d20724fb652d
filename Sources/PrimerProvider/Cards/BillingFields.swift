/// What may be known of a billing field that was typed. All rules look at the text without the white space around it.
public struct TypedBillingField: Hashable, Sendable {
  private let isBlank: Bool
  private let isValid: Bool
  private let postalForms: PostalForms

  public init(_ field: FormField, _ text: Span<UInt8>) {
    let trimmed = text.extracting(Bytes.trimmed(text))
    isBlank = trimmed.isEmpty
    isValid = TypedBillingField.isValid(field, trimmed)
    postalForms = field == .postalCode ? PostalForms(trimmed) : []
  }

  /// nil for what is valid. A postal code is of the country that was chosen.
  public func fault(_ field: FormField, country: CountryCode?, isRequired: Bool) -> FieldFault? {
    if isBlank { return isRequired ? .required : nil }
    if field == .postalCode { return postalForms.contains(.of(country)) ? nil : .invalid }
    return isValid ? nil : .invalid
  }

  private static func isValid(_ field: FormField, _ text: Span<UInt8>) -> Bool {
    switch field {
    case .firstName, .lastName: Scalars.count(text) >= 2 && Scalars.areLetters(text, or: "-'")
    case .addressLine1, .addressLine2: (3...100).contains(Scalars.count(text))
    case .city: Scalars.count(text) >= 2 && Scalars.areLetters(text, or: "-.'")
    case .state: Scalars.count(text) >= 2
    case .countryCode: CountryCode(text) != nil
    case .phoneNumber: isPhoneNumber(text)
    case .postalCode, .number, .expiry, .cvv, .holder: false
    }
  }

  /// Seven to fifteen digits, and what people write between them.
  private static func isPhoneNumber(_ text: Span<UInt8>) -> Bool {
    var digits = 0
    for index in text.indices {
      if Bytes.isDigit(text[index]) {
        digits += 1
      } else if !" -()+".utf8.contains(text[index]) {
        return false
      }
    }
    return (7...15).contains(digits)
  }
}

/// Two or three letters, kept as capitals.
public struct CountryCode: Hashable, Sendable {
  private let letters: UInt32

  private init(_ letters: UInt32) { self.letters = letters }

  /// White space around it does not count; nil for what is no country code.
  public init?(_ text: Span<UInt8>) {
    let trimmed = text.extracting(Bytes.trimmed(text))
    guard (2...3).contains(trimmed.count) else { return nil }
    var letters: UInt32 = 0
    for index in trimmed.indices {
      guard Bytes.isLetter(trimmed[index]) else { return nil }
      letters = letters << 8 | UInt32(trimmed[index] & 0xDF)
    }
    self.letters = letters
  }

  static let canada = CountryCode(0x4341)
  static let unitedKingdom = CountryCode(0x4742)
  static let unitedStates = CountryCode(0x5553)

  public var text: String {
    var bytes: [UInt8] = []
    for shift: UInt32 in [16, 8, 0] {
      let byte = UInt8(truncatingIfNeeded: letters >> shift)
      if byte != 0 { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The countries' ways of writing a postal code that a text has: the country may be chosen after it.
struct PostalForms: OptionSet, Hashable {
  let rawValue: UInt8

  static let unitedStates = PostalForms(rawValue: 1)
  static let canada = PostalForms(rawValue: 2)
  static let unitedKingdom = PostalForms(rawValue: 4)
  /// Any other country's, and that of none.
  static let other = PostalForms(rawValue: 8)

  static func of(_ country: CountryCode?) -> PostalForms {
    switch country {
    case .unitedStates: .unitedStates
    case .canada: .canada
    case .unitedKingdom: .unitedKingdom
    default: .other
    }
  }
}

extension PostalForms {
  init(_ text: Span<UInt8>) {
    var forms: PostalForms = []
    if Bytes.match("99999", text) || Bytes.match("99999-9999", text) { forms.insert(.unitedStates) }
    if Bytes.match("A9A 9A9", text) || Bytes.match("A9A9A9", text) { forms.insert(.canada) }
    if (5...8).contains(Scalars.count(text)) { forms.insert(.unitedKingdom) }
    if (3...10).contains(text.count), Bytes.areAlphanumeric(text, or: " -") { forms.insert(.other) }
    self = forms
  }
}
