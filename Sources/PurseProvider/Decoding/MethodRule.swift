import CheckoutCore

/// What a method's nature follows from.
struct MethodFacts {
  var partner: String
  var method: String
  var labels: [String]
  /// nil without a vault.
  var vaultVendor: String?
  var integrationMode: String?

  init(
    _ partner: String, _ method: String, _ configuration: FieldReader, _ settings: FieldReader?
  ) throws(CheckoutError) {
    self.partner = partner
    self.method = method
    labels = try configuration.optionalStrings("labels")
    if let vault = try configuration.optionalObject("vault") {
      vaultVendor = try vault.optionalString("vendor") ?? ""
    }
    integrationMode = try settings?.optionalObject("merchant_specifics")?.optionalString("integration_mode")
  }
}

/// A row of the table that says what a method is. Every condition that a row names must hold.
struct MethodRule {
  var label: String?
  var partner: String?
  var method: String?
  var keepsCardsInVault = false
  var integrationModeIsNot: String?

  var kind: PaymentMethod.Kind
  var nature: PaymentMethod.Nature
  var traits: PaymentMethod.Traits = []

  /// The first row that matches counts.
  static let table: [MethodRule] = [
    MethodRule(label: Choices.secondaryLabel.value, kind: .secondary, nature: .giftCard),
    MethodRule(method: "creditcard", keepsCardsInVault: true, kind: .primary, nature: .card),
    MethodRule(method: "applepay", kind: .primary, nature: .native, traits: [.initializesAtOpen, .selfSubmitting]),
    MethodRule(method: "googlepay", kind: .primary, nature: .native, traits: [.initializesAtOpen, .selfSubmitting]),
    MethodRule(
      partner: "paypal", integrationModeIsNot: "redirection", kind: .primary, nature: .native,
      traits: .selfSubmitting),
    MethodRule(partner: "klarna", kind: .primary, nature: .native, traits: [.initializesAtOpen, .needsReturnURL]),
  ]

  /// What no row says.
  static let rest = MethodRule(kind: .primary, nature: .redirection)

  static func match(_ facts: MethodFacts) -> MethodRule { table.first { $0.matches(facts) } ?? rest }

  private func matches(_ facts: MethodFacts) -> Bool {
    if let label, !facts.labels.contains(label) { return false }
    if let partner, partner != facts.partner { return false }
    if let method, method != facts.method { return false }
    if keepsCardsInVault, facts.vaultVendor == nil || facts.vaultVendor == "none" { return false }
    if let mode = integrationModeIsNot, mode == facts.integrationMode { return false }
    return true
  }
}
