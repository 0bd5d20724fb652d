/// A currency: its code and the number of decimals of its major unit.
public struct Currency: Hashable, Sendable {
  public let code: String
  public let digits: Int

  /// A currency of ISO 4217 by its alphabetic code, in capitals; nil for any other text, and for the codes of metals,
  /// funds and tests, which have no minor unit and so can price nothing.
  public init?(code: String) {
    guard let currency = CurrencyTable.iso4217.currency(code) else { return nil }
    self = currency
  }

  /// Of an order whose currency is not known.
  public static let none = Currency(code: "", digits: 2)

  /// A currency whose digits the back end told.
  public init(code: String, digits: Int) {
    self.code = code
    self.digits = digits
  }
}
