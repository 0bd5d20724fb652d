/// A currency and how many digits its minor unit has.
struct Currency: Hashable, Sendable {
  let code: String
  let digits: Int

  /// Nil unless the code is three capital letters.
  init?(code: String) {
    guard code.utf8.count == 3, code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else { return nil }
    self.code = code
    digits = Self.unusualDigits[code] ?? 2
  }

  /// ISO 4217: the currencies whose minor unit is not a hundredth.
  static let unusualDigits: [String: Int] = [
    "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0, "RWF": 0, "UGX": 0,
    "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0, "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3,
    "OMR": 3, "TND": 3, "CLF": 4, "UYW": 4,
  ]
}
