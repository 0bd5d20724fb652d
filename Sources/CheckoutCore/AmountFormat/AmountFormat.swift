/// Amounts of money as people read them, in the manner of a locale. Integer arithmetic alone: every amount of 64 bits is
/// written exactly.
public struct AmountFormat {
  public enum Style: Hashable, Sendable, CaseIterable {
    /// As Primer's own interface writes: the symbol that CLDR's root has for the currency, with no space between it and
    /// the number; side, groups and digits are the locale's.
    case sdk
    /// The currency pattern of the locale, with its own symbol.
    case standard

    public var name: String {
      switch self {
      case .sdk: "sdk"
      case .standard: "standard"
      }
    }
  }

  private let layout: LocaleLayout
  /// The symbols of the locale and of its truncations that have a line, root's last.
  private let symbols: [LocaleSymbols]

  /// An identifier as Unicode, BCP 47 or POSIX spell it, in any case. What CLDR has nothing of its own for is truncated at
  /// the end (`de-DE-u-nu-latn`, `de-DE`, `de`); what is left unknown is written as CLDR's root is.
  public init(locale: String) {
    let lines = LocaleTable().lines(for: locale)
    layout = LocaleTable.layout(of: lines)
    symbols = lines.map { LocaleSymbols($0) }
  }

  public func text(_ minorUnits: Int64, _ currency: Currency, _ style: Style) -> String {
    let symbol = symbol(of: currency.code, style)
    let isNegative = minorUnits < 0
    let prefix = isNegative ? layout.negativePrefix : layout.prefix
    let suffix = isNegative ? layout.negativeSuffix : layout.suffix
    var text: [UInt8] = []
    switch style {
    case .sdk: prefix.writeTight(symbol, to: &text)
    case .standard: prefix.writeSpaced(symbol, isPrefix: true, to: &text)
    }
    layout.write(minorUnits.magnitude, digits: currency.digits, to: &text)
    switch style {
    case .sdk: suffix.writeTight(symbol, to: &text)
    case .standard: suffix.writeSpaced(symbol, isPrefix: false, to: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The symbol of a currency, its code where there is none.
  public func symbol(of code: String, _ style: Style) -> String {
    guard code.utf8.count == 3 else { return code }
    for symbols in style == .sdk ? symbols.suffix(1) : symbols[...] {
      if let symbol = symbols.symbol(of: code) { return symbol }
    }
    return code
  }
}
