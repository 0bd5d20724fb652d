/// One method of a session, as its protocols describe it.
struct PurseMethod {
  /// How a method is paid with; the first rule that matches wins.
  enum Kind {
    case secondary, card, native, redirection
  }

  let partner: String
  let method: String
  /// `configurations` of the protocol.
  let configurations: SandboxJSON
  /// `integrated_tokens` of the protocol.
  let tokens: [SandboxJSON]

  var id: String { "\(partner)-\(method)" }

  /// Finds a method in a session's protocols.
  init?(partner: String, method: String, protocols: SandboxJSON) {
    guard let found = protocols[partner]?[method], let configurations = found["configurations"] else { return nil }
    self.partner = partner
    self.method = method
    self.configurations = configurations
    tokens = found["integrated_tokens"]?.elements ?? []
  }

  var kind: Kind {
    if configurations["labels"]?.elements?.contains("secondary") == true { return .secondary }
    let vendor = configurations["vault"]?["vendor"]?.string
    if method == "creditcard", let vendor, vendor != "none" { return .card }
    if method == "applepay" || method == "googlepay" || partner == "klarna" { return .native }
    if partner == "paypal", settings?["merchant_specifics"]?["integration_mode"]?.string != "redirection" {
      return .native
    }
    return .redirection
  }

  var settings: SandboxJSON? { configurations["settings"] }

  var isStable: Bool { configurations["stable"]?.bool != false }

  /// Its payments can be made in instalments.
  var isSimulable: Bool { method == "loan" || method == "paylater" }

  var isForLaterUse: Bool { settings?["registration_mode"]?.string == "OFF_SESSION" }

  var canBeSaved: Bool { settings?["save_token"]?.bool == true }

  var usageLimit: Int64? { settings?["usage_per_session_limit"]?.integer }

  var brands: [String] { configurations["vault"]?["supported_brands"]?.elements?.compactMap(\.string) ?? [] }

  /// A bound of the amount, `payment_min_amount` or `payment_max_amount`, in minor units.
  func bound(_ name: String, digits: Int) -> Int64? {
    settings?[name]?.numberLiteral.flatMap { Amount.minorUnits(of: $0, digits: digits) }
  }

  /// Does the partner know the gift card by its init handle, so that validate may leave the number out?
  var handleIsEnough: Bool { partner == "buybox" || partner == "illicado" }
}
