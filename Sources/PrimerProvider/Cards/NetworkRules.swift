/// What a network's cards look like.
public struct NetworkRules: Sendable {
  public let displayName: String
  /// Bit n: numbers of n digits exist.
  let lengths: UInt32
  /// After how many digits a space is written.
  public let gaps: [Int]
  public let securityCodeLength: Int
  /// How the network calls its security code.
  public let securityCodeName: String

  init(
    _ displayName: String, _ lengths: [UInt32], gaps: [Int] = NetworkRules.everyFour, code: String,
    codeLength: Int = 3
  ) {
    var bits: UInt32 = 0
    for length in lengths { bits |= 1 << length }
    self.displayName = displayName
    self.lengths = bits
    self.gaps = gaps
    securityCodeLength = codeLength
    securityCodeName = code
  }

  static let everyFour = [4, 8, 12]
  static let fourSixRest = [4, 10]

  public func allows(length: Int) -> Bool { length < 32 && lengths >> UInt32(length) & 1 == 1 }

  public var numberLengths: [Int] { (0..<32).filter { allows(length: $0) } }
}

extension CardNetwork {
  /// nil for those that only the back end's BIN data tells apart.
  public var rules: NetworkRules? {
    switch self {
    case .amex: NetworkRules("American Express", [15], gaps: NetworkRules.fourSixRest, code: "CID", codeLength: 4)
    case .dinersClub: NetworkRules("Diners", [14, 16, 19], gaps: NetworkRules.fourSixRest, code: "CVV")
    case .discover: NetworkRules("Discover", [16, 19], code: "CID")
    case .elo: NetworkRules("Elo", [16], code: "CVE")
    case .hiper: NetworkRules("Hiper", [16], code: "CVC")
    case .hipercard: NetworkRules("Hiper", [16], code: "CVC")
    case .jcb: NetworkRules("JCB", [16, 17, 18, 19], code: "CVV")
    case .maestro: NetworkRules("Maestro", [16, 17, 18, 19], code: "CVC")
    case .mastercard: NetworkRules("Mastercard", [16], code: "CVC")
    case .mir: NetworkRules("Mir", [16, 17, 18, 19], code: "CVP2")
    case .visa: NetworkRules("Visa", [16, 18, 19], code: "CVV")
    case .unionPay: NetworkRules("UnionPay", [14, 15, 16, 17, 18, 19], code: "CVN")
    case .bancontact, .cartesBancaires, .eftpos, .other: nil
    }
  }

  /// The numbers that its cards begin with, in pairs: from, to.
  public var prefixes: [UInt32] {
    switch self {
    case .amex: NetworkPrefixes.amex
    case .dinersClub: NetworkPrefixes.dinersClub
    case .discover: NetworkPrefixes.discover
    case .elo: NetworkPrefixes.elo
    case .hiper: NetworkPrefixes.hiper
    case .hipercard: NetworkPrefixes.hipercard
    case .jcb: NetworkPrefixes.jcb
    case .maestro: NetworkPrefixes.maestro
    case .mastercard: NetworkPrefixes.mastercard
    case .mir: NetworkPrefixes.mir
    case .visa: NetworkPrefixes.visa
    case .unionPay: NetworkPrefixes.unionPay
    case .bancontact, .cartesBancaires, .eftpos, .other: []
    }
  }
}

/// Both ends of a range have as many digits. None has more than `LeadingDigits.most`.
private enum NetworkPrefixes {
  static let amex: [UInt32] = [34, 34, 37, 37]
  static let dinersClub: [UInt32] = [300, 305, 36, 36, 38, 38, 39, 39]
  static let discover: [UInt32] = [6011, 6011, 644, 649, 65, 65]
  static let elo: [UInt32] = [
    401178, 401178, 401179, 401179, 438935, 438935, 457631, 457631, 457632, 457632, 431274, 431274, 451416, 451416,
    457393, 457393, 504175, 504175, 506699, 506778, 509000, 509999, 627780, 627780, 636297, 636297, 636368, 636368,
    650031, 650033, 650035, 650051, 650405, 650439, 650485, 650538, 650541, 650598, 650700, 650718, 650720, 650727,
    650901, 650978, 651652, 651679, 655000, 655019, 655021, 655058,
  ]
  static let hiper: [UInt32] = [
    637095, 637095, 63_737_423, 63_737_423, 63_743_358, 63_743_358, 637568, 637568, 637599, 637599, 637609, 637609,
    637612, 637612,
  ]
  static let hipercard: [UInt32] = [606282, 606282]
  static let jcb: [UInt32] = [2131, 2131, 1800, 1800, 3528, 3589]
  static let maestro: [UInt32] = [
    493698, 493698, 500000, 504174, 504176, 506698, 506779, 508999, 56, 59, 63, 63, 67, 67, 6, 6,
  ]
  static let mastercard: [UInt32] = [51, 55, 2221, 2229, 223, 229, 23, 26, 270, 271, 2720, 2720]
  static let mir: [UInt32] = [2200, 2204]
  static let visa: [UInt32] = [4, 4]
  static let unionPay: [UInt32] = [
    620, 620, 624, 626, 62100, 62182, 62184, 62187, 62185, 62197, 62200, 62205, 622010, 622999, 622018, 622018,
    622019, 622999, 62207, 62209, 622126, 622925, 623, 626, 6270, 6270, 6272, 6272, 6276, 6276, 627700, 627779,
    627781, 627799, 6282, 6289, 6291, 6291, 6292, 6292, 810, 810, 8110, 8131, 8132, 8151, 8152, 8163, 8164, 8171,
  ]
}
