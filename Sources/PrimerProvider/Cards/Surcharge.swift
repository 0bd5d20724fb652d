import JSONText

/// What a method or a network adds to the amount.
public enum Surcharge {
  /// What is said of it beside a method's name.
  public enum Note: Hashable, Sendable {
    case none, unknown
    /// A plus sign, and the formatted amount.
    case amount(Int64)

    /// An amount that is not known outranks a number.
    public init(_ surcharge: Int64?, isUnknown: Bool, hasCurrency: Bool) {
      if isUnknown {
        self = .unknown
      } else if let surcharge, surcharge > 0, hasCurrency {
        self = .amount(surcharge)
      } else {
        self = .none
      }
    }

    /// `format` writes an amount of the session's currency.
    public func text(_ format: (Int64) -> String) -> String {
      switch self {
      case .none: "no additional fee"
      case .unknown: "additional fee may apply"
      case .amount(let amount): "+" + format(amount)
      }
    }
  }

  /// What a network adds, by the list of a session's card option; only a positive amount is one.
  public static func of(_ network: CardNetwork, in networks: JSONValue?) -> Int64? {
    guard let networks, networks.kind == .array else { return nil }
    for row in networks.elements where row["type"]?.string == network.text {
      for amount in [row["surcharge"]?["amount"]?.int64, row["surcharge"]?.int64] {
        if let amount, amount > 0 { return amount }
      }
    }
    return nil
  }
}
