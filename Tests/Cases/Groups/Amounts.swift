import CheckoutCore
import JSONText
import PrimerProvider

extension Groups {
  /// Amounts and currencies as they are shown.
  static let amounts: [String: GroupFunction] = {
    var amounts = ["CAD", "CNY", "EUR", "GBP", "JPY", "KRW", "SEK", "USD"].reduce(into: [String: GroupFunction]()) {
      $0["amount_format_\($1)"] = Amounts.inPrimersStyle
    }
    amounts["amount_format_misc"] = Amounts.majorUnits
    amounts["amount_format_reactnative"] = Amounts.inTheLocalesStyle
    amounts["amount_format_android"] = Amounts.plain
    amounts["amount_format_linux_measured"] = Amounts.measured
    amounts["currency_loader"] = Amounts.lookUp
    amounts["currency_decimal_digits"] = Amounts.digits
    return amounts
  }()
}

private enum Amounts {
  static let inPrimersStyle = GroupFunction(["amountMinor", "currency", "decimalDigits", "locale"]) { row in
    guard let currency = currency(row), row["decimalDigits"]?.int64 == Int64(currency.digits),
      let text = text(row, currency, .sdk)
    else { return .notUnderstood("an amount of a known currency") }
    return .expected(text: text)
  }

  static let majorUnits = GroupFunction(["op", "amountMinor", "currency", "decimalDigits"]) { row in
    guard let currency = currency(row) else { return .notUnderstood("a known currency") }
    switch row.string("op") {
    case "minorUnitDivisor":
      let divisor = try? Amount.minorUnits(fromDecimal: "1", digits: currency.digits)
      return divisor.map { .expected("\($0)") } ?? .notUnderstood("too many digits")
    case "toMajor":
      guard let amount = row["amountMinor"]?.int64 else { return .notUnderstood("an amount") }
      return .expected(text: sameNumber(Amount.decimalText(amount, digits: currency.digits), row.string("expected")))
    default:
      return .notUnderstood("an operation")
    }
  }

  static let inTheLocalesStyle = GroupFunction(["op", "amountMinor", "currency", "locale"]) { row in
    let currency = currency(row)
    switch row.string("op") {
    case "digits":
      return .expected(currency.map { "\($0.digits)" } ?? "null")
    case "format":
      guard let currency, let text = text(row, currency, .standard) else { return .notUnderstood("an amount") }
      return .expected(text: text)
    case "format matches":
      guard let currency, let text = text(row, currency, .standard), let description = row.string("expected") else {
        return .notUnderstood("an amount")
      }
      return .expected(text: isDescribed(text, description) ? description : text)
    default:
      return .notUnderstood("an operation")
    }
  }

  static let plain = GroupFunction(["op", "amountMinor", "currency", "digits", "locale", "input"]) { row in
    switch row.string("op") {
    case "decimal":
      guard let currency = currency(row), row["digits"]?.int64 == Int64(currency.digits),
        let text = text(row, currency, .sdk)
      else { return .notUnderstood("an amount") }
      return .expected(text: text.replacing(AmountFormat(locale: "").symbol(of: currency.code, .sdk), with: ""))
    case "parse table":
      guard let input = row.string("input"), let table = CurrencyTable(primerAsset: Array(input.utf8)),
        let expected = row["expected"]
      else { return .notUnderstood("a table") }
      let entries = expected.elements.map { entry in
        let code = entry.elements.first { _ in true }?.string ?? ""
        return "[\"\(code)\",\(table.currency(code).map { "\($0.digits)" } ?? "null")]"
      }
      return .expected("[\(entries.joined(separator: ","))]")
    default:
      return .notUnderstood("an operation")
    }
  }

  static let measured = GroupFunction(["op", "amountMinor", "currency", "locale", "verdict"]) { row in
    if row.string("op") == "root symbol" {
      guard let code = row.string("currency") else { return .notUnderstood("a currency") }
      return .expected(text: AmountFormat(locale: "").symbol(of: code, .sdk))
    }
    guard let currency = currency(row), let text = text(row, currency, .sdk) else { return .notUnderstood("an amount") }
    // The plain formatter's text is Primer's but for the space beside the symbol.
    let raw = row.string("rawFormatter")
    let isRaw = raw?.replacing("\u{A0}", with: "") == text
    return .ours(["rawFormatter": JSON.text(isRaw ? raw : text), "iosAlgorithm": JSON.text(text)])
  }

  static let lookUp = GroupFunction { row in
    guard let input = row.string("input") else { return .notUnderstood("a sentence") }
    if input == "lookup unknown code" { return .expected(found("ZZZ")) }
    guard input.hasPrefix("lookup known code ") else { return .prose }
    return .expected(found(String(input.suffix(3))))
  }

  static let digits = GroupFunction(["decimalDigits", "codes"]) { row in
    guard let digits = row["decimalDigits"]?.int64, let codes = row.strings("codes") else {
      return .notUnderstood("digits and codes")
    }
    let same = codes.filter { CurrencyTable.bundledPrimer.currency($0).map { Int64($0.digits) } == digits }
    return .ours(["n": "\(same.count)"])
  }

  // MARK: Rows

  private static func currency(_ row: Row) -> Currency? {
    row.string("currency").flatMap { CurrencyTable.bundledPrimer.currency($0) }
  }

  private static func text(_ row: Row, _ currency: Currency, _ style: AmountFormat.Style) -> String? {
    guard let amount = row["amountMinor"]?.int64, let locale = row.string("locale") else { return nil }
    return AmountFormat(locale: locale).text(amount, currency, style)
  }

  private static func found(_ code: String) -> String {
    guard let currency = CurrencyTable.bundledPrimer.currency(code) else { return "null" }
    return "{\"code\":\"\(currency.code)\",\"decimalDigits\":\(currency.digits)}"
  }

  /// The number as the row spells it, when it is the same: a row may leave out zeros at the end.
  private static func sameNumber(_ text: String, _ spelling: String?) -> String {
    let number = try? Amount.minorUnits(fromDecimal: text, digits: 9)
    guard let spelling, number == (try? Amount.minorUnits(fromDecimal: spelling, digits: 9)) else { return text }
    return spelling
  }

  /// "contains 1,000 and a yen sign"
  private static func isDescribed(_ text: String, _ description: String) -> Bool {
    let signs = ["yen": ["¥", "￥"], "euro": ["€"], "dollar": ["$"], "pound": ["£"], "won": ["₩"]]
    let words = description.split(separator: " ").map(String.init)
    guard words.first == "contains" else { return false }
    return words.dropFirst().allSatisfy { word in
      if let sign = signs[word] { return sign.contains { text.contains($0) } }
      return ["and", "a", "the", "sign"].contains(word) || text.contains(word)
    }
  }
}
