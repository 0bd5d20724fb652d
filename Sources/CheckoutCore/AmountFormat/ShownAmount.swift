import JSONText

/// An amount that a host wants to show.
public struct ShownAmount: Hashable, Sendable {
  /// Minor units, of any sign and size.
  public var amount: Int64
  /// nil: the session's.
  public var currency: String?
  public var locale: String
  public var style: AmountFormat.Style

  public init(amount: Int64, currency: String?, locale: String, style: AmountFormat.Style) {
    self.amount = amount
    self.currency = currency
    self.locale = locale
    self.style = style
  }
}

extension Core {
  /// The reply of hco_format_amount. The text is null when no session is loaded, and for a currency whose digits the back
  /// end does not tell: guessing them would be wrong by a factor of ten or more.
  public func text(of shown: ShownAmount) -> String {
    let currency = shownCurrency(shown.currency)
    let text = currency.map { AmountFormat(locale: shown.locale).text(shown.amount, $0, shown.style) }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("text", optionalString: text)
    writer.endObject()
    return writer.text
  }

  private func shownCurrency(_ code: String?) -> Currency? {
    guard session.isLoaded, session.currency != .none || code != nil else { return nil }
    guard let code, code != session.currency.code else { return session.currency }
    return session.currencies.currency(code)
  }
}
