import Testing

@testable import CheckoutCore

/// The table as it lies there, and what holds for whatever it has.
@Suite("Locales' data")
struct LocaleDataTests {
  static let lines = LocaleData.locales.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  static let layouts = LocaleData.layouts.split(separator: "\n", omittingEmptySubsequences: false)
  static let names = lines.map { String($0.prefix { $0 != "," }) }

  @Test("Lines are in the order of their bytes, each locale once, and every one is found")
  func order() {
    #expect(zip(Self.lines, Self.lines.dropFirst()).allSatisfy { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(Set(Self.names).count == Self.names.count)
    let table = LocaleTable()
    for name in Self.names {
      let depth = name == "root" ? 2 : 1
      #expect(table.lines(for: name).count >= depth, "\(name)")
    }
    #expect(Self.names.contains("root") && Self.names.count > 500)
  }

  @Test("Every line names a layout that is there, and every layout is named")
  func places() throws {
    var places: Set<Int> = []
    for line in Self.lines {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      places.insert(try #require(Int(fields[1]), "\(line)"))
      for symbol in fields.dropFirst(2) {
        #expect(symbol.utf8.prefix(3).allSatisfy(ASCII.isCapital) && symbol.utf8.count >= 3, "\(line)")
      }
    }
    #expect(places == Set(Self.layouts.indices))
  }

  @Test("It is small")
  func size() {
    #expect(LocaleData.locales.utf8.count + LocaleData.layouts.utf8.count < 20_000)
  }

  /// The digits of a text, whatever their script.
  static func digits(_ text: String) -> String {
    text.unicodeScalars.compactMap { scalar in
      guard scalar.properties.numericType == .decimal else { return nil }
      return scalar.properties.numericValue.map { String(Int($0)) }
    }.joined()
  }

  static let amounts: [Int64] =
    [0, 1, 9, 10, 99, 100, 999, 1_000, 9_999, 10_000, 123_456_789, 1 << 53, (1 << 53) + 1, .max] + [.min, -1, -100]

  @Test("In every locale the digits are the amount's, whole and in order", arguments: [0, 2, 3])
  func roundTrip(_ decimals: Int) {
    for name in Self.names {
      let format = AmountFormat(locale: name)
      for amount in Self.amounts {
        let text = format.text(amount, Currency(code: "EUR", digits: decimals), .sdk)
        let wanted = Amount.decimalText(amount, digits: decimals).filter { $0.isNumber }
        #expect(Self.digits(text) == wanted, "\(name) \(amount)")
      }
    }
  }

  @Test("A negative amount has a minus, and else what the positive one has")
  func negatives() {
    let minuses: [Unicode.Scalar] = ["-", "\u{2212}"]
    for name in Self.names {
      let format = AmountFormat(locale: name)
      for style in AmountFormat.Style.allCases {
        let euro = Currency(code: "EUR", digits: 2)
        let negative = format.text(-123_456, euro, style).unicodeScalars
        let positive = format.text(123_456, euro, style).unicodeScalars
        #expect(negative.count { minuses.contains($0) } == 1, "\(name)")
        #expect(!positive.contains { minuses.contains($0) }, "\(name)")
        let symbol = format.symbol(of: "EUR", style)
        #expect(String(negative).contains(symbol) && String(positive).contains(symbol), "\(name)")
      }
    }
  }

  @Test("In Primer's style no space is beside the symbol")
  func tight() {
    for name in Self.names {
      let text = AmountFormat(locale: name).text(123_456, Currency(code: "KWD", digits: 3), .sdk)
      for space in [" ", "\u{A0}", "\u{202F}"] {
        #expect(!text.contains("KWD" + space) && !text.contains(space + "KWD"), "\(name)")
      }
    }
  }
}
