/// The payment data of a card: a form token of the vault, or a saved card with or without a fresh security code.
enum CardData {
  static func ending(
    _ item: PurseItem, _ method: PurseMethod, saved known: (String) -> SandboxJSON?
  ) throws(Refusal) -> PaymentCase {
    let pointer = "\(item.pointer)/payment_data"
    try item.paymentData.requireNames(
      ["vault_form_token", "wallet_token", "selected_network"], at: pointer, status: 422)
    guard item.stepId == nil else { throw PurseItem.refusal("A card has no step.", "\(item.pointer)/step_id") }
    try checkNetwork(item, method)
    let saved = try savedCard(item, known)
    guard let value = item.paymentData["vault_form_token"] else {
      guard let saved else { throw PurseItem.refusal("A token is wanted.", pointer) }
      guard !saved.needsCode else {
        throw PurseItem.refusal("This saved card wants its security code.", "\(pointer)/vault_form_token")
      }
      return saved.ending
    }
    guard let ending = value.string.flatMap(PaymentCase.init(formToken:)) else {
      throw Refusal(422, "UNKNOWN_FORM_TOKEN", "The vault does not know this token.", at: "\(pointer)/vault_form_token")
    }
    return ending
  }

  /// How a saved card ends by itself: its value may name a case.
  private static func savedCard(
    _ item: PurseItem, _ known: (String) -> SandboxJSON?
  ) throws(Refusal) -> (ending: PaymentCase, needsCode: Bool)? {
    guard let token = item.paymentData["wallet_token"] else { return nil }
    guard let value = token.string, let saved = known(value) else { throw unknownToken(item) }
    return (PaymentCase(named: value, prefix: "wtk_") ?? .success, saved["cvv_required"]?.bool == true)
  }

  static func unknownToken(_ item: PurseItem) -> Refusal {
    Refusal(
      422, "UNKNOWN_WALLET_TOKEN", "The session does not hold this token.",
      at: "\(item.pointer)/payment_data/wallet_token")
  }

  private static func checkNetwork(_ item: PurseItem, _ method: PurseMethod) throws(Refusal) {
    guard let network = item.paymentData["selected_network"] else { return }
    guard let name = network.string, method.brands.contains(name) else {
      throw PurseItem.refusal("This brand is not supported.", "\(item.pointer)/payment_data/selected_network")
    }
  }
}
