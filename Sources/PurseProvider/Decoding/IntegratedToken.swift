import CheckoutCore

/// A saved instrument that a session brings.
struct IntegratedToken {
  var id: String
  var value: String
  var mask: String
  var expiresAt: String?
  var needsSecurityCode: Bool
  var name: String?
  var isFavorite: Bool
  var owner: String?

  static func all(_ method: FieldReader) throws(CheckoutError) -> [IntegratedToken] {
    guard method.has("integrated_tokens") else { return [] }
    var tokens: [IntegratedToken] = []
    for fields in try method.objects("integrated_tokens") { tokens.append(try IntegratedToken(fields)) }
    return tokens
  }

  init(_ fields: FieldReader) throws(CheckoutError) {
    id = try fields.nonEmptyString("id")
    value = try fields.nonEmptyString("value")
    expiresAt = try fields.optionalString("expiration_date").flatMap { WireDate.text($0) }
    needsSecurityCode = try fields.optionalBoolean(Choices.tokenNeedsCode.value) ?? false
    name = try fields.optionalString("name").flatMap { $0.isEmpty ? nil : $0 }
    isFavorite = try fields.optionalBoolean("favorite") ?? false
    owner = try fields.optionalString("owner_reference")
    mask = ""
    guard let description = try fields.optionalObject("description") else { return }
    for key in ["masked_pan", "display_token", "brand_name"] {
      guard let text = try description.optionalString(key), !text.isEmpty, mask.isEmpty else { continue }
      mask = IntegratedToken.masked(text)
    }
  }

  /// Whatever the back end calls a mask, a whole number is never shown.
  private static func masked(_ text: String) -> String {
    guard CardNumber.looksLikeOne(text) else { return text }
    return "**** " + String(decoding: text.utf8.suffix(4), as: UTF8.self)
  }

  func paymentToken(of item: String) -> PaymentToken {
    PaymentToken(
      id: id, item: item, mask: mask, expiresAt: expiresAt, value: value, needsSecurityCode: needsSecurityCode,
      name: name, isFavorite: isFavorite, owner: owner)
  }

  func savedSecondary(of item: String) -> SavedSecondaryToken {
    SavedSecondaryToken(paymentToken(of: item))
  }
}

/// A date for showing, in the one form that hosts read; nil when the back end wrote something else.
enum WireDate {
  static func text(_ text: String) -> String? {
    let moment = DateText.milliseconds(fromISO8601: text) ?? DateText.milliseconds(fromISO8601: text + "T00:00:00Z")
    return moment.map { DateText.iso8601($0) }
  }
}
