/// A card scheme, in the order of the back end's own list.
public enum CardNetwork: UInt8, CaseIterable, Hashable, Sendable {
  case amex, bancontact, cartesBancaires, dinersClub, discover, eftpos, elo, hiper, hipercard, jcb, maestro, mastercard
  case mir, visa, unionPay
  /// What the rules do not know.
  case other

  /// As the back end spells it.
  public var text: String {
    switch self {
    case .amex: "AMEX"
    case .bancontact: "BANCONTACT"
    case .cartesBancaires: "CARTES_BANCAIRES"
    case .dinersClub: "DINERS_CLUB"
    case .discover: "DISCOVER"
    case .eftpos: "EFTPOS"
    case .elo: "ELO"
    case .hiper: "HIPER"
    case .hipercard: "HIPERCARD"
    case .jcb: "JCB"
    case .maestro: "MAESTRO"
    case .mastercard: "MASTERCARD"
    case .mir: "MIR"
    case .visa: "VISA"
    case .unionPay: "UNIONPAY"
    case .other: "OTHER"
    }
  }

  /// A spelling of the back end's; what it does not know is `other`.
  public init(text: String) {
    self = .other
    for network in CardNetwork.allCases where network.text == text { self = network }
  }

  /// For people.
  public var displayName: String {
    switch self {
    case .bancontact: "Bancontact"
    case .cartesBancaires: "Cartes Bancaires"
    case .eftpos: "EFTPOS"
    default: rules?.displayName ?? "Unknown"
    }
  }

  /// Whether the shopper may choose it among several. The Australian debit scheme follows the merchant's order instead.
  public var allowsUserSelection: Bool { self != .eftpos }

  /// The networks of a session that a card may belong to; what the rules do not know is none.
  public static func allowed(_ names: [String]) -> [CardNetwork] {
    var allowed: [CardNetwork] = []
    for name in names {
      let network = CardNetwork(text: name)
      if network != .other, !allowed.contains(network) { allowed.append(network) }
    }
    return allowed
  }
}
