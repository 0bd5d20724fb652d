import CheckoutCore

/// What differs between the issuers of gift cards.
enum GiftCards {
  struct Policy {
    var partner: String
    var method: String
    var policy: PaymentMethod.TakePolicy
  }

  /// Methods that are not here are free.
  static let takePolicies: [Policy] = [
    Policy(partner: "easy2play", method: "voucher", policy: .max),
    Policy(partner: "easy2play", method: "giftcard", policy: .free),
    Policy(partner: "illicado", method: "giftcard", policy: .free),
    Policy(partner: "ogloba", method: "giftcard", policy: .free),
    Policy(partner: "buybox", method: "giftcard", policy: .free),
    Policy(partner: "maxxing", method: "loyaltycard", policy: .max),
  ]

  struct Issuer {
    var partner: String
    /// nil: every method of the partner's.
    var method: String?
    var rule: GiftCardRule
  }

  /// The first row that matches counts. Issuers that are not here tell at once, take letters, ask for no code and want
  /// the number again.
  static let issuers: [Issuer] = [
    Issuer(partner: "buybox", rule: GiftCardRule(numberLength: 8...24, isNumeric: true, isPolled: true)),
    Issuer(partner: "illicado", rule: GiftCardRule(numberLength: 8...24, isNumeric: true, paysByHandle: true)),
    Issuer(
      partner: "ogloba",
      rule: GiftCardRule(numberLength: 8...24, codeLength: 3...8, isNumeric: true, codeFromLength: 13)),
    Issuer(partner: "easy2play", method: "voucher", rule: GiftCardRule(numberLength: 8...24, isVoucher: true)),
    Issuer(partner: "maxxing", rule: GiftCardRule(numberLength: 8...24, isNumeric: true)),
  ]

  static func partners(_ isMeant: (GiftCardRule) -> Bool) -> String {
    issuers.filter { isMeant($0.rule) }.map { $0.partner }.joined(separator: "|")
  }

  static func takePolicy(_ partner: String, _ method: String) -> PaymentMethod.TakePolicy {
    takePolicies.first { $0.partner == partner && $0.method == method }?.policy ?? .free
  }

  static func rule(_ partner: String, _ method: String = "giftcard") -> GiftCardRule {
    issuers.first { $0.partner == partner && ($0.method == nil || $0.method == method) }?.rule ?? .standard
  }
}
