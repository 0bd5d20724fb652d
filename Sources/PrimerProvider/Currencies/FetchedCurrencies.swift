import CheckoutCore
import JSONText

extension CurrencyTable {
  /// The table at `{assetsUrl}/currency-information/v1/data.json`: `[{"c":"USD","m":2},...]`, in which other keys may
  /// stand. nil when any of it is not that: prices are not read by half a table, the one before goes on counting.
  public init?(primerAsset body: [UInt8]) {
    guard let root = try? JSONDocument(parsing: body).root, root.count > 0, root.kind == .array else { return nil }
    var rows: [Currency] = []
    for row in root.elements {
      guard let code = row["c"]?.string, let digits = row["m"]?.int64, (0...9).contains(digits) else { return nil }
      rows.append(Currency(code: code, digits: Int(digits)))
    }
    self.init(rows)
  }
}
