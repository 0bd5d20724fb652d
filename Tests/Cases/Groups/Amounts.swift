extension Groups {
  /// Amounts and currencies as they are shown.
  static let amounts: [String: GroupFunction] = {
    var amounts: [String: GroupFunction] = [:]
    for code in ["CAD", "CNY", "EUR", "GBP", "JPY", "KRW", "SEK", "USD"] { amounts["amount_format_\(code)"] = .prose }
    for id in ["misc", "reactnative", "android", "linux_measured"] { amounts["amount_format_\(id)"] = .prose }
    amounts["currency_loader"] = .prose
    amounts["currency_decimal_digits"] = .prose
    return amounts
  }()
}
