import CheckoutCore
import Testing

@testable import PrimerProvider

@Suite("Primer's currencies")
struct CurrencyTableTests {
  static func fetched(_ text: String) -> CurrencyTable? { CurrencyTable(primerAsset: Array(text.utf8)) }

  @Test(
    "The bundled table",
    arguments: [("USD", 2), ("JPY", 0), ("KWD", 3), ("VUV", 0), ("HUF", 2), ("BYR", 0), ("BYN", 2)])
  func bundled(_ code: String, _ digits: Int) {
    #expect(CurrencyTable.bundledPrimer.currency(code) == Currency(code: code, digits: digits))
  }

  @Test(
    "What the bundled table lacks is no currency",
    arguments: ["CLF", "UYW", "XPT", "XXX", "ZZZ", "usd", "US", "USD2", ""])
  func notBundled(_ code: String) {
    #expect(CurrencyTable.bundledPrimer.currency(code) == nil)
  }

  @Test("A fetched table is the table: what it lacks is gone, what it says otherwise counts")
  func override() throws {
    let table = try #require(Self.fetched(#"[{"m":0,"c":"USD","name":"x"},{"c":"ABC","m":9}]"#))
    #expect(table.currency("USD")?.digits == 0)
    #expect(table.currency("ABC")?.digits == 9)
    #expect(table.currency("EUR") == nil)
  }

  @Test("Of a code that stands twice the first counts")
  func twice() throws {
    let table = try #require(Self.fetched(#"[{"c":"USD","m":2},{"c":"USD","m":3}]"#))
    #expect(table.currency("USD")?.digits == 2)
  }

  @Test(
    "Half a table is none",
    arguments: [
      "", "[]", "{}", "null", #"{"c":"USD","m":2}"#, #"[{"c":"USD"}]"#, #"[{"m":2}]"#, #"[{"c":"USD","m":"2"}]"#,
      #"[{"c":"USD","m":2.0}]"#, #"[{"c":"USD","m":-1}]"#, #"[{"c":"USD","m":10}]"#, #"[{"c":"usd","m":2}]"#,
      #"[{"c":"US","m":2}]"#, #"[{"c":"USDX","m":2}]"#, #"[{"c":"ÉA","m":2}]"#, #"[{"c":"USD","m":2},7]"#,
      #"[{"c":"USD","m":2}"#,
    ])
  func malformed(_ text: String) {
    #expect(Self.fetched(text) == nil)
  }
}
