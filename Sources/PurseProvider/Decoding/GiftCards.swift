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
    /// The issuer asks its shopper before it tells the balance.
    var isPolled = false
    /// Its payment needs no number, only what the balance reading was called.
    var paysByHandle = false
  }

  /// Issuers that are not here tell at once and want the number again.
  static let issuers: [Issuer] = [
    Issuer(partner: "buybox", isPolled: true),
    Issuer(partner: "illicado", paysByHandle: true),
  ]

  static func partners(_ isMeant: (Issuer) -> Bool) -> String {
    issuers.filter(isMeant).map { $0.partner }.joined(separator: "|")
  }

  static func takePolicy(_ partner: String, _ method: String) -> PaymentMethod.TakePolicy {
    takePolicies.first { $0.partner == partner && $0.method == method }?.policy ?? .free
  }

  static func rule(_ partner: String) -> GiftCardRule {
    var rule = GiftCardRule.standard
    if let issuer = issuers.first(where: { $0.partner == partner }) {
      rule.isPolled = issuer.isPolled
      rule.paysByHandle = issuer.paysByHandle
    }
    return rule
  }
}
