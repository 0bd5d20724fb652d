/// A currency: its code and the number of decimals of its major unit.
public struct Currency: Hashable, Sendable {
  public let code: String
  public let digits: Int

  /// A currency of ISO 4217 by its alphabetic code, in capitals; nil for any other text, and for the codes of metals,
  /// funds and tests, which have no minor unit and so can price nothing.
  public init?(code: String) {
    guard let digits = CurrencyTable.digits(of: code) else { return nil }
    self.init(code: code, digits: digits)
  }

  /// Of an order whose currency is not known.
  public static let none = Currency(code: "", digits: 2)

  /// A currency whose digits the back end told.
  public init(code: String, digits: Int) {
    self.code = code
    self.digits = digits
  }
}

/// The current codes of ISO 4217 that have a minor unit.
enum CurrencyTable {
  /// Entries of five bytes, in the order of their codes: the code, its digits, a space (but for the last).
  static let entries = """
    AED2 AFN2 ALL2 AMD2 AOA2 ARS2 AUD2 AWG2 AZN2 BAM2 BBD2 BDT2 BHD3 BIF0 BMD2 BND2 BOB2 BOV2 BRL2 BSD2 \
    BTN2 BWP2 BYN2 BZD2 CAD2 CDF2 CHE2 CHF2 CHW2 CLF4 CLP0 CNY2 COP2 COU2 CRC2 CUP2 CVE2 CZK2 DJF0 DKK2 \
    DOP2 DZD2 EGP2 ERN2 ETB2 EUR2 FJD2 FKP2 GBP2 GEL2 GHS2 GIP2 GMD2 GNF0 GTQ2 GYD2 HKD2 HNL2 HTG2 HUF2 \
    IDR2 ILS2 INR2 IQD3 IRR2 ISK0 JMD2 JOD3 JPY0 KES2 KGS2 KHR2 KMF0 KPW2 KRW0 KWD3 KYD2 KZT2 LAK2 LBP2 \
    LKR2 LRD2 LSL2 LYD3 MAD2 MDL2 MGA2 MKD2 MMK2 MNT2 MOP2 MRU2 MUR2 MVR2 MWK2 MXN2 MXV2 MYR2 MZN2 NAD2 \
    NGN2 NIO2 NOK2 NPR2 NZD2 OMR3 PAB2 PEN2 PGK2 PHP2 PKR2 PLN2 PYG0 QAR2 RON2 RSD2 RUB2 RWF0 SAR2 SBD2 \
    SCR2 SDG2 SEK2 SGD2 SHP2 SLE2 SOS2 SRD2 SSP2 STN2 SVC2 SYP2 SZL2 THB2 TJS2 TMT2 TND3 TOP2 TRY2 TTD2 \
    TWD2 TZS2 UAH2 UGX0 USD2 USN2 UYI0 UYU2 UYW4 UZS2 VED2 VES2 VND0 VUV0 WST2 XAD2 XAF0 XCD2 XCG2 XOF0 \
    XPF0 YER2 ZAR2 ZMW2 ZWG2
    """

  private static let width = 5

  static func digits(of code: String) -> Int? {
    guard code.utf8.count == width - 2 else { return nil }
    let wanted = key(code[...])
    var low = 0
    var high = (entries.utf8.count + 1) / width
    while low < high {
      let middle = (low + high) / 2
      let start = entries.utf8.index(entries.startIndex, offsetBy: middle * width)
      let end = entries.utf8.index(start, offsetBy: width - 2)
      let found = key(entries[start..<end])
      if found == wanted { return Int(entries.utf8[end]) - Int(UInt8(ascii: "0")) }
      if found < wanted {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return nil
  }

  /// The three bytes of a code as one number, in the same order.
  private static func key(_ code: Substring) -> UInt32 {
    var key: UInt32 = 0
    for byte in code.utf8 { key = key << 8 | UInt32(byte) }
    return key
  }
}
