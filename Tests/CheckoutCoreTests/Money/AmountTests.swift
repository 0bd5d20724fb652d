import CheckoutCore
import Foundation
import Testing

@Suite("Amounts")
struct AmountTests {
  static let readable: [(text: String, digits: Int, units: Int64)] = [
    ("19.99", 2, 1_999), ("19.9", 2, 1_990), ("19", 2, 1_900), ("0", 2, 0), ("0.0", 2, 0), ("0.01", 2, 1),
    ("1e2", 2, 10_000), ("1E2", 2, 10_000), ("1e+2", 2, 10_000), ("1.9990e1", 2, 1_999), ("1999e-2", 2, 1_999),
    ("199900e-4", 2, 1_999), ("19.990000000000000000000000", 2, 1_999), ("-0", 2, 0), ("-0.00e5", 2, 0),
    ("0e999999999999999999999999", 2, 0), ("0e-999999999999999999999999", 2, 0), ("0.000e400", 0, 0),
    ("271.92", 2, 27_192), ("175", 2, 17_500), ("120", 0, 120), ("120.0", 0, 120), ("1.2e2", 0, 120),
    ("1.234", 3, 1_234), ("1.2345", 4, 12_345), ("0.0001", 4, 1), ("90071992547409.91", 2, 9_007_199_254_740_991),
    ("9007199254740991", 0, 9_007_199_254_740_991), ("9007199254740.991", 3, 9_007_199_254_740_991),
    ("900719925474.0991", 4, 9_007_199_254_740_991), ("9.007199254740991e15", 0, 9_007_199_254_740_991),
    ("9007199254740991e0", 0, 9_007_199_254_740_991), ("0.00000000000000000000000000000001e32", 0, 1),
    ("100000000000000000000000000000000e-32", 0, 1), ("0.1e1", 0, 1), ("1e-2", 2, 1), ("10e-3", 2, 1),
  ]

  // seed: 002:60
  // seed: 002:18d
  @Test("A literal becomes minor units exactly", arguments: readable)
  func reads(text: String, digits: Int, units: Int64) throws {
    #expect(try Amount.minorUnits(fromDecimal: text, digits: digits) == units)
  }

  static let refused: [(text: String, digits: Int, fault: Amount.Fault)] = [
    ("19.999", 2, .tooPrecise), ("0.001", 2, .tooPrecise), ("1.5", 0, .tooPrecise), ("1e-3", 2, .tooPrecise),
    ("1e-400", 2, .tooPrecise), ("1e-99999999999999999999", 2, .tooPrecise), ("0.00001", 4, .tooPrecise),
    ("99999999999999999999.999", 2, .tooPrecise), ("1.00000000000000000000000000000000001", 2, .tooPrecise),
    ("1e400", 2, .overflow), ("1e99999999999999999999", 2, .overflow), ("90071992547409.92", 2, .overflow),
    ("9007199254740992", 0, .overflow), ("9223372036854775807", 0, .overflow), ("9223372036854775808", 0, .overflow),
    ("92233720368547758070", 2, .overflow), ("18446744073709551616", 0, .overflow),
    ("18446744073709551617", 0, .overflow), ("90071992547409910", 0, .overflow), ("1e16", 0, .overflow),
    ("1e14", 2, .overflow), ("-1", 2, .negative), ("-0.01", 2, .negative), ("-0.001", 2, .negative),
    ("-1e400", 2, .negative), ("-19.99", 2, .negative),
  ]

  @Test("What is no amount is refused by name", arguments: refused)
  func refuses(text: String, digits: Int, fault: Amount.Fault) {
    #expect(throws: fault) { try Amount.minorUnits(fromDecimal: text, digits: digits) }
  }

  static let notNumbers = [
    "", " ", "-", "+", "+1", ".", ".5", "5.", "-.5", "01", "-01", "00", "1e", "1e+", "1e-", "e5", "1e5.0", "1.e5",
    "12,50", "1 000", "1_000", " 1", "1 ", "1\n", "1\u{0}", "\u{FEFF}1", "0x10", "NaN", "Infinity", "1.2.3", "--1",
    "-+1", "1e--2", "1e1e1", "\u{661}", "\u{FF11}", "1\u{301}", "1€", "€1", "null", "\"1\"", "1f", "1..2", "1-", "1e5-",
    "−1",
  ]

  @Test("What is no number is refused", arguments: notNumbers)
  func refusesText(_ text: String) {
    #expect(throws: Amount.Fault.notANumber) { try Amount.minorUnits(fromDecimal: text, digits: 2) }
  }

  @Test(
    "Printed amounts",
    arguments: [
      (1_999, 2, "19.99"), (5, 2, "0.05"), (50, 2, "0.50"), (0, 2, "0.00"), (100, 2, "1.00"), (120, 0, "120"),
      (0, 0, "0"), (1, 3, "0.001"), (1_234, 3, "1.234"), (1, 4, "0.0001"), (12_345, 4, "1.2345"), (7, 1, "0.7"),
      (9_007_199_254_740_991, 2, "90071992547409.91"), (-5, 2, "-0.05"), (Int64.min, 2, "-92233720368547758.08"),
      (Int64.max, 0, "9223372036854775807"), (5, -1, "5"), (5, 40, "0.000000000000000005"),
    ] as [(Int64, Int, String)])
  func prints(units: Int64, digits: Int, text: String) {
    #expect(Amount.decimalText(units, digits: digits) == text)
  }

  static var boundaries: [Int64] {
    var values: Set<Int64> = [0, Amount.maximum]
    var power: Int64 = 1
    while power <= Amount.maximum {
      values.formUnion([power - 1, power, power + 1, Amount.maximum - power])
      power *= 10
    }
    return values.filter { $0 >= 0 && $0 <= Amount.maximum }.sorted()
  }

  // seed: 002:60
  @Test("Printing and reading are inverse", arguments: 0...4)
  func roundTrip(digits: Int) throws {
    var random = ValueGenerator(seed: 11 + UInt64(digits))
    let drawn = (0..<4_000).map { _ in random.amount(upTo: Amount.maximum) }
    for units in Self.boundaries + drawn {
      let text = Amount.decimalText(units, digits: digits)
      #expect(text.split(separator: ".").dropFirst().first?.count ?? 0 == digits)
      #expect(try Amount.minorUnits(fromDecimal: text, digits: digits) == units)
    }
  }

  @Test("Every spelling of one amount is that amount", arguments: 0...4)
  func spellings(digits: Int) throws {
    var random = ValueGenerator(seed: 23 + UInt64(digits))
    for _ in 0..<4_000 {
      let units = random.amount(upTo: Amount.maximum)
      let (text, exponent) = Self.respelt(units, digits: digits, &random)
      #expect(try Amount.minorUnits(fromDecimal: text + exponent, digits: digits) == units, "\(text)\(exponent)")
    }
  }

  /// The same value with zeros added and the point moved, and the exponent that makes up for it.
  static func respelt(_ units: Int64, digits: Int, _ random: inout ValueGenerator) -> (String, String) {
    let zeros = random.count(0...30)
    let whole = String(units) + String(repeating: "0", count: zeros)
    let behind = random.count(0...(whole.count + 20))
    let padded = String(repeating: "0", count: max(0, behind + 1 - whole.count)) + whole
    let point = padded.index(padded.endIndex, offsetBy: -behind)
    let front = padded[..<point].drop { $0 == "0" }
    let text = (front.isEmpty ? "0" : front) + (behind == 0 ? "" : "." + padded[point...])
    let exponent = behind - zeros - digits
    let sign = exponent < 0 ? "-" : random.element(of: ["", "+"])
    return (
      String(text), random.element(of: ["e", "E"]) + sign + random.element(of: ["", "00"]) + String(abs(exponent))
    )
  }

  @Test("Reading agrees with Foundation's decimals")
  func agreesWithDecimal() throws {
    var random = ValueGenerator(seed: 37)
    var verdicts: [String: Int] = [:]
    for _ in 0..<20_000 {
      let digits = random.count(0...4)
      var text = String(random.amount(upTo: Int64.max - 1))
      if random.flip() { text += "." + String(random.amount(upTo: random.element(of: [9, 999, 999_999]))) }
      if random.flip() { text += "e" + String(random.count(-12...12)) }
      var units = try #require(Decimal(string: text, locale: nil)) * pow(Decimal(10), digits)
      var whole = Decimal()
      NSDecimalRound(&whole, &units, 0, .down)
      let isWhole = whole == units
      switch Self.verdict(text, digits: digits) {
      case .success(let read):
        #expect(units == Decimal(read), "\(text) \(digits)")
        verdicts["read", default: 0] += 1
      case .failure(.tooPrecise):
        #expect(!isWhole, "\(text) \(digits)")
        verdicts["tooPrecise", default: 0] += 1
      case .failure(.overflow):
        #expect(isWhole && units > Decimal(Amount.maximum), "\(text) \(digits)")
        verdicts["overflow", default: 0] += 1
      case .failure: Issue.record("\(text) is a number and not negative")
      }
    }
    #expect(verdicts.count == 3 && verdicts.values.allSatisfy { $0 > 500 })
  }

  static func verdict(_ text: String, digits: Int) -> Result<Int64, Amount.Fault> {
    do throws(Amount.Fault) {
      return .success(try Amount.minorUnits(fromDecimal: text, digits: digits))
    } catch {
      return .failure(error)
    }
  }

  @Test("A text is a number exactly when JSON's grammar says so")
  func grammar() throws {
    let json = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+\-]?[0-9]+)?/
    var random = ValueGenerator(seed: 41)
    let alphabet = Array("0011234599..--++eE, x")
    var numbers = 0
    for _ in 0..<20_000 {
      let text = String((0..<random.count(1...7)).map { _ in random.element(of: alphabet) })
      let isNumber = Self.verdict(text, digits: 2) != .failure(.notANumber)
      #expect(isNumber == (text.wholeMatch(of: json) != nil), "\(text)")
      if isNumber { numbers += 1 }
    }
    #expect(numbers > 1_000)
  }

  @Test("Neither a long text nor a huge exponent costs more than reading it", .timeLimit(.minutes(10)))
  func longTexts() {
    let zeros = String(repeating: "0", count: 100_000)
    #expect(Self.verdict("1" + zeros, digits: 2) == .failure(.overflow))
    #expect(Self.verdict("1" + zeros + "e-100000", digits: 2) == .success(100))
    #expect(Self.verdict("0." + zeros + "1", digits: 2) == .failure(.tooPrecise))
    #expect(Self.verdict("0." + zeros + "1e100001", digits: 2) == .success(100))
    #expect(Self.verdict("1" + zeros + "1", digits: 2) == .failure(.overflow))
    #expect(Self.verdict("0e" + zeros + "1", digits: 2) == .success(0))
    #expect(Self.verdict("1e9223372036854775807", digits: 2) == .failure(.overflow))
    #expect(Self.verdict("1e-9223372036854775808", digits: 2) == .failure(.tooPrecise))
    #expect(Self.verdict("1e1099511627776", digits: .max) == .failure(.overflow))
    #expect(Self.verdict("1e-1099511627776", digits: .min) == .failure(.tooPrecise))
  }

  @Test("Faults have names")
  func names() {
    let faults: [Amount.Fault] = [.notANumber, .negative, .tooPrecise, .overflow]
    #expect(faults.map(\.name) == ["notANumber", "negative", "tooPrecise", "overflow"])
  }
}
