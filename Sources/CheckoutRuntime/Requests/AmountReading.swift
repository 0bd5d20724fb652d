import CheckoutCore

extension ShownAmount {
  /// {"amount","currency"?,"locale"?,"style"?}; `locale` is the runtime's.
  init(_ request: borrowing FieldReader, locale: String) throws(CheckoutError) {
    try request.allowOnly("amount currency locale style")
    let style = try request.choice("style", AmountFormat.Style.allCases.map { $0.name })
    self.init(
      amount: try request.integer("amount"), currency: try request.optionalString("currency"),
      locale: try request.optionalLocale("locale") ?? locale,
      style: AmountFormat.Style.allCases.first { $0.name == style } ?? .sdk)
  }
}

extension FieldReader {
  /// An identifier of a locale, known or not: truncation finds what there is.
  func optionalLocale(_ key: String) throws(CheckoutError) -> String? {
    guard let locale = try optionalString(key) else { return nil }
    guard (1...64).contains(locale.utf8.count) else { throw malformed(key, "not a locale") }
    return locale
  }
}
