import Foundation
import Testing

@testable import CheckoutCore

/// Amounts as text, beside what the ICU in Foundation makes of every locale it has. Where it says otherwise is data:
/// `icu_amounts.tsv`, made by `make amount-table`.
@Suite("Amounts beside ICU")
struct AmountFormatConformanceTests {
  /// Those that are money today, and some that Primer's table has besides.
  static let codes =
    CurrencyTable.iso4217.entries.split(separator: " ").map { String($0.prefix(3)) }
    + ["ANG", "BGN", "BYR", "CUC", "HRK", "ZWL"]
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let file = root.appending(path: "Tests/Conformance/icu_amounts.tsv")
  static let locales = Locale.availableIdentifiers.sorted()

  static func icu(_ amount: Int64, _ code: String, _ locale: String) -> String {
    let style = Decimal.FormatStyle.Currency(code: code, locale: Locale(identifier: locale))
    return (Decimal(amount) / 100).formatted(style.precision(.fractionLength(2)))
  }

  /// What is not ASCII as its number: it may run from right to left, or be a space.
  static func shown(_ text: String) -> String {
    text.unicodeScalars.map { $0.isASCII ? String($0) : "<" + String($0.value, radix: 16, uppercase: true) + ">" }
      .joined()
  }

  /// The lines of one locale: one for each amount that differs, but one for all where most currencies do.
  static func differences(_ locale: String) -> [String] {
    let format = AmountFormat(locale: locale)
    func line(_ name: String, _ amount: Int64, _ code: String) -> String? {
      let icu = icu(amount, code, locale)
      let ours = format.text(amount, Currency(code: code, digits: 2), .standard)
      return icu == ours ? nil : [locale, name, shown(icu), shown(ours)].joined(separator: "\t")
    }
    let lines = codes.compactMap { line($0, -123_456_789, $0) }
    let isAnotherLayout = lines.count > codes.count / 2
    let others = isAnotherLayout ? [] : [0, 5, 123_456, 1_234_567].compactMap { line("EUR \($0)", $0, "EUR") }
    guard isAnotherLayout else { return lines + others }
    let symbols = codes.filter { !icu(1, $0, locale).contains(format.symbol(of: $0, .standard)) }
    return [line("*", -123_456_789, "EUR") ?? "\(locale)\t*\tsame\tsame"] + symbols.compactMap { line($0, 1, $0) }
  }

  @Test("Every locale and currency is as ICU has it, or is listed as different")
  func standard() throws {
    let heading = "locale\tamount\ticu\tours"
    let lines = [heading] + Self.locales.flatMap { Self.differences($0) }
    if ProcessInfo.processInfo.environment["UPDATE_TABLES"] != nil {
      try (lines.joined(separator: "\n") + "\n").write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let listed = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init)
    #expect(Self.locales.count > 900)
    #expect(Set(lines).subtracting(listed) == [], "not listed")
    #expect(Set(listed).subtracting(lines) == [], "listed, and no longer so")
  }

  static let babel = root.appending(path: ".build/babel/bin/python").path

  @Test("The table is what its maker makes", .enabled(if: FileManager.default.isExecutableFile(atPath: babel)))
  func maker() throws {
    let process = Process()
    process.executableURL = URL(filePath: Self.babel)
    process.arguments = [
      Self.root.appending(path: "Sources/CheckoutCore/AmountFormat/make_locale_data.py").path, "--check",
    ]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  /// Primer's algorithm, on ICU's text with the root's symbol in the place of the locale's.
  static func primersAlgorithm(_ text: String, _ symbol: String) -> String {
    if text.hasPrefix(symbol) {
      return symbol + text.dropFirst(symbol.count).trimmingCharacters(in: .whitespaces)
    }
    return text.dropLast(symbol.count).trimmingCharacters(in: .whitespaces) + symbol
  }

  @Test("Primer's style is what its own algorithm makes of ICU's text")
  func sdk() throws {
    let other = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").filter {
      $0.contains("\t*\t") || $0.contains("\tEUR")
    }.map { $0.prefix { $0 != "\t" } }
    var count = 0
    for locale in Self.locales where !other.contains(locale[...]) {
      let format = AmountFormat(locale: locale)
      for code in ["EUR", "USD", "SEK", "KWD"] {
        let own = format.symbol(of: code, .standard)
        let root = format.symbol(of: code, .sdk)
        for amount in [0, 123_456, 1_234_567_890] as [Int64] {
          let text = Self.icu(amount, code, locale).replacing(own, with: root)
          // Where a mark stands before the symbol Primer's algorithm takes the symbol for a suffix, and cuts digits off.
          guard text.hasPrefix(root) || text.hasSuffix(root) else { continue }
          let ours = format.text(amount, Currency(code: code, digits: 2), .sdk)
          #expect(ours == Self.primersAlgorithm(text, root), "\(locale) \(code) \(amount)")
          count += 1
        }
      }
    }
    #expect(count > 9_000)
  }
}
