import Foundation
import Testing

@testable import CheckoutCore

@Suite("Currencies")
struct CurrencyTests {
  static let withoutDecimals = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
    "XPF",
  ]
  static let withThree = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
  static let withFour = ["CLF", "UYW"]

  static let entries = CurrencyTable.iso4217.entries.split(separator: " ").map {
    (String($0.prefix(3)), String($0.dropFirst(3)))
  }

  /// Every text of three capitals, known or not.
  static let allTexts: [String] = {
    let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
    return letters.flatMap { first in letters.flatMap { second in letters.map { first + second + $0 } } }
  }()

  @Test("The table is in order, and holds each code once")
  func order() {
    let codes = Self.entries.map(\.0)
    #expect(codes == Set(codes).sorted())
    #expect(codes.count == 165)
  }

  @Test("Exactly the codes of the table are found, with their digits")
  func lookUp() {
    let table = Dictionary(uniqueKeysWithValues: Self.entries)
    for text in Self.allTexts {
      let found = Currency(code: text)
      #expect(found.map { String($0.digits) } == table[text], "\(text)")
      #expect(found == nil || found?.code == text)
    }
  }

  @Test("Digits as ISO 4217 lists them")
  func digits() {
    func codes(_ digits: String) -> [String] { Self.entries.filter { $0.1 == digits }.map(\.0) }
    #expect(codes("0") == Self.withoutDecimals)
    #expect(codes("3") == Self.withThree)
    #expect(codes("4") == Self.withFour)
    #expect(codes("2").count == 165 - 17 - 7 - 2)
  }

  @Test(
    "Other texts are no currency",
    arguments: [
      "", "E", "EU", "EURO", "eur", "Eur", "EU€", " EUR", "EUR ", "EUR2", "UR2", "R2 ", "2 A", "978", "É",
      "\u{0}\u{0}\u{0}", "ＥＵＲ",
    ])
  func unknown(_ text: String) {
    #expect(Currency(code: text) == nil)
  }

  @Test(
    "Codes with no minor unit, and withdrawn ones, price nothing",
    arguments: [
      "XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XDR", "XPD", "XPT", "XSU", "XTS", "XUA", "XXX", "ANG", "BGN", "BYR",
      "CUC", "DEM", "FRF", "HRK", "LTL", "LVL", "MRO", "SLL", "STD", "VEF", "ZMK", "ZWL",
    ])
  func withoutMinorUnit(_ code: String) {
    #expect(Currency(code: code) == nil)
  }

  @Test("A back end's own digits stand")
  func ownDigits() {
    #expect(Currency(code: "EUR", digits: 2) == Currency(code: "EUR"))
    #expect(Currency(code: "BTC", digits: 8).digits == 8)
    #expect(Currency(code: "EUR", digits: 3) != Currency(code: "EUR"))
  }

  /// Where Foundation's tables (which follow custom at the till) say other than ISO 4217.
  static let foundationDiffers: [String: Int] = [
    "AFN": 0, "ALL": 0, "COP": 0, "IDR": 0, "IQD": 0, "IRR": 0, "KPW": 0, "LAK": 0, "LBP": 0, "MGA": 0, "MMK": 0,
    "PKR": 0,
    "RSD": 0, "SOS": 0, "SYP": 0, "YER": 0,
  ]

  @Test("Digits agree with Foundation's but where custom differs from the standard")
  func agreesWithFoundation() {
    let ninths = Decimal(sign: .plus, exponent: -6, significand: 7_111_111)
    var differences: [String: Int] = [:]
    for (code, digits) in Self.entries {
      let text = ninths.formatted(.currency(code: code).locale(Locale(identifier: "en_US")))
      let custom = text.split(separator: ".").dropFirst().first?.count ?? 0
      if String(custom) != digits { differences[code] = custom }
    }
    #expect(differences == Self.foundationDiffers)
  }
}
