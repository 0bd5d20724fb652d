/// The `sandbox` member of the merchant's call: what no real back end would offer.
struct PrimerWishes: Hashable {
  var methods: Set<String>?
  var expiresInSeconds: Int64 = 86_400
  /// Patches of the client token's payload and of the configuration.
  var token: SandboxJSON = .object([])
  var configuration: SandboxJSON = .object([])
  /// How many polls answer PENDING after the decision.
  var pendingPolls: Int64 = 1
  /// Decides every required action at once, without its page.
  var decision: PrimerDecision?
  /// Where the page of a payment leads back whose instrument names no place.
  var returnURL: String?
  var capturesCVV = false
  /// What the vault lists instead of the shopper's methods.
  var vault: [SandboxJSON]?

  private static let names: Set<String> = [
    "methods", "expiresInS", "token", "configuration", "pendingPolls", "decision", "returnURL", "captureVaultedCardCvv",
    "vault",
  ]

  init(_ document: SandboxJSON?) throws(Refusal) {
    guard let document else { return }
    let reader = try MemberReader(document, names: Self.names, code: "InvalidRequest", at: "/sandbox")
    methods = try reader.choice("methods", of: PrimerCatalogue.types)
    expiresInSeconds = try reader.count("expiresInS", -31_536_000...31_536_000) ?? expiresInSeconds
    pendingPolls = try reader.count("pendingPolls", 0...1_000_000) ?? pendingPolls
    token = try reader.object("token") ?? token
    configuration = try reader.object("configuration") ?? configuration
    returnURL = try reader.text("returnURL")
    capturesCVV = try reader.flag("captureVaultedCardCvv") ?? capturesCVV
    if let name = try reader.text("decision") {
      decision = PrimerDecision(rawValue: name)
      guard decision != nil else { throw reader.refusal("decision", "A page's decision is wanted.") }
    }
    if let saved = document["vault"] {
      vault = saved.elements
      guard vault != nil else { throw reader.refusal("vault", "A list is wanted.") }
    }
  }
}
