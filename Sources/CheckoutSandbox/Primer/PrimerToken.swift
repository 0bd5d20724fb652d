/// The tokens' text: a JWT whose signature is none.
enum PrimerToken {
  static func text(_ payload: SandboxJSON) -> String {
    let header: SandboxJSON = ["alg": "HS256", "typ": "JWT"]
    return [header.text, payload.text, "not a signature: this is a sandbox"]
      .map { Base64Text.encode($0.utf8, urlSafe: true, padded: false) }.joined(separator: ".")
  }

  /// A client token's payload.
  static func payload(
    base: String, sessionId: String, accessToken: String, expiresAt: Int64
  ) -> SandboxJSON {
    [
      "exp": .integer(expiresAt / 1_000), "accessToken": .string(accessToken),
      "configurationUrl": .string("\(base)/client-sdk/configuration"), "coreUrl": .string("\(base)/primer/core"),
      "pciUrl": .string("\(base)/primer/pci"), "env": "SANDBOX", "intent": "CHECKOUT",
      "paymentFlow": "PREFER_VAULT", "clientSessionId": .string(sessionId), "primerAccountId": "sandbox-account",
    ]
  }
}
