import Testing

@testable import CheckoutCore

@Suite("Amounts as text")
struct AmountFormatTests {
  static func text(_ amount: Int64, _ code: String, _ locale: String, _ style: AmountFormat.Style) -> String? {
    Currency(code: code).map { AmountFormat(locale: locale).text(amount, $0, style) }
  }

  @Test(
    "Primer's style: the root's symbol, no space, the locale's side, groups and digits",
    arguments: [
      (123_456, "USD", "en_US", "US$1,234.56"), (123_456, "USD", "de_DE", "1.234,56US$"),
      (123_456, "EUR", "es_ES", "1234,56€"), (1_234_567, "EUR", "es_ES", "12.345,67€"),
      (123_456_789, "EUR", "hi_IN", "€12,34,567.89"), (2560, "JPY", "ja_JP", "JP¥2,560"),
      (123_456, "SEK", "sv_SE", "1\u{A0}234,56SEK"), (123_456, "EUR", "fr_FR", "1\u{202F}234,56€"),
      (123_456, "GBP", "ar_SA", "\u{200F}١٬٢٣٤٫٥٦£"), (8000, "KWD", "en_US", "KWD8.000"),
      (1, "KWD", "en_US", "KWD0.001"),
      (0, "EUR", "nl_NL", "€0,00"), (123_450, "USD", "xx_YY", "US$1,234.50"),
    ])
  func sdk(_ amount: Int64, _ code: String, _ locale: String, _ text: String) {
    #expect(Self.text(amount, code, locale, .sdk) == text)
  }

  @Test(
    "The locale's own way",
    arguments: [
      (123_456, "USD", "en-US", "$1,234.56"), (123_456, "CAD", "en-US", "CA$1,234.56"),
      (123_456, "CAD", "en-CA", "$1,234.56"), (123_456, "EUR", "de-DE", "1.234,56\u{A0}€"),
      (123_456, "CHF", "en-US", "CHF\u{A0}1,234.56"), (123_456, "USD", "fr", "1\u{202F}234,56\u{A0}$US"),
      (123_456, "INR", "bn", "১,২৩৪.৫৬₹"), (123_456, "CHF", "bn", "১,২৩৪.৫৬\u{A0}CHF"),
      (2560, "JPY", "ja", "￥2,560"), (123_450, "USD", "xx", "US$\u{A0}1,234.50"),
      (123_450, "SEK", "sv-SE", "1\u{A0}234,50\u{A0}kr"), (123_450, "TWD", "zh-TW", "$1,234.50"),
    ])
  func standard(_ amount: Int64, _ code: String, _ locale: String, _ text: String) {
    #expect(Self.text(amount, code, locale, .standard) == text)
  }

  @Test(
    "Negative amounts keep their digits",
    arguments: [
      (-123_456, "USD", "en_US", "-US$1,234.56"), (-5, "USD", "en_US", "-US$0.05"),
      (-2560, "JPY", "ja_JP", "-JP¥2,560"),
      (-123_456, "USD", "de_DE", "-1.234,56US$"), (-123_456, "EUR", "sv_SE", "−1\u{A0}234,56€"),
      (-123_456, "EUR", "nl_NL", "€-1.234,56"),
    ])
  func negative(_ amount: Int64, _ code: String, _ locale: String, _ text: String) {
    #expect(Self.text(amount, code, locale, .sdk) == text)
  }

  @Test("Every 64-bit amount is exact")
  func extremes() {
    #expect(Self.text(.max, "USD", "en_US", .sdk) == "US$92,233,720,368,547,758.07")
    #expect(Self.text(.min, "USD", "en_US", .sdk) == "-US$92,233,720,368,547,758.08")
    #expect(Self.text(.max, "JPY", "en_US", .standard) == "¥9,223,372,036,854,775,807")
    #expect(Self.text(.min, "KWD", "de_DE", .sdk) == "-9.223.372.036.854.775,808KWD")
    #expect(Self.text(9_007_199_254_740_993, "EUR", "de_DE", .sdk) == "90.071.992.547.409,93€")
  }

  @Test(
    "A locale in any spelling, or what truncation leaves of it",
    arguments: [
      ("de_DE", "de"), ("de-de", "de"), ("DE_de.UTF-8", "de"), ("de_DE@euro", "de"), ("de-DE-u-nu-latn", "de"),
      ("de-XX", "de"), ("de_Latn_DE_1996", "de"), ("iw", "he"), ("in_ID", "id"), ("zh-TW", "zh-Hant-TW"),
      ("zh-HK", "zh-Hant-HK"), ("no_NO", "nb"), ("", "root"), ("_", "root"), ("x", "root"), ("r", "root"),
      ("en_150_", "en_150"), ("é", "root"),
      ("fr,28", "fr"), ("fr,28,ARS$AR", "fr"), ("de\nfr", "de"), ("de fr", "de"), (",", "root"), ("de__AT", "de"),
    ])
  func spellings(_ spelling: String, _ locale: String) {
    for style in AmountFormat.Style.allCases {
      for (amount, code) in [(-123_456_789, "EUR"), (1234, "TWD")] as [(Int64, String)] {
        #expect(Self.text(amount, code, spelling, style) == Self.text(amount, code, locale, style))
      }
    }
  }

  @Test(
    "The root's symbols",
    arguments: [("CNY", "CN¥"), ("KRW", "₩"), ("SEK", "SEK"), ("ZZZ", "ZZZ"), ("XXX", "¤"), ("", "")])
  func rootSymbols(_ code: String, _ symbol: String) {
    #expect(AmountFormat(locale: "zh").symbol(of: code, .sdk) == symbol)
  }
}
