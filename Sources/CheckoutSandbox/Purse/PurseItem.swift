/// An item of /init or /validate, read strictly.
struct PurseItem {
  let partner: String
  let method: String
  let amount: Int64
  let paymentData: SandboxJSON
  let savesToken: Bool
  /// What it is to be saved as.
  let savedName: String?
  let stepId: Int64?
  /// Where it stands in the request's body.
  let pointer: String

  private static let names: Set<String> = [
    "partner", "method", "amount", "payment_data", "partner_data", "order", "payment_preferences", "step_id",
  ]

  init(_ document: SandboxJSON, at pointer: String, digits: Int) throws(Refusal) {
    guard document.members != nil else { throw Self.refusal("An item is an object.", pointer) }
    try document.requireNames(Self.names, at: pointer, status: 422)
    guard let partner = document["partner"]?.string, let method = document["method"]?.string else {
      throw Self.refusal("partner and method are wanted.", pointer)
    }
    for name in ["payment_data", "partner_data", "payment_preferences"] where document[name]?.members == nil {
      throw Self.refusal("An object is wanted.", "\(pointer)/\(name)")
    }
    guard let literal = document["amount"]?.numberLiteral, let amount = Amount.minorUnits(of: literal, digits: digits)
    else { throw Refusal(422, "INVALID_AMOUNT", "The amount is none of this currency.", at: "\(pointer)/amount") }
    self.partner = partner
    self.method = method
    self.amount = amount
    self.pointer = pointer
    paymentData = document["payment_data"] ?? .null
    stepId = try Self.stepId(document, pointer)
    savedName = document["payment_preferences"]?["name"]?.string
    savesToken = try Self.savesToken(document["payment_preferences"] ?? .null, "\(pointer)/payment_preferences")
  }

  private static func stepId(_ document: SandboxJSON, _ pointer: String) throws(Refusal) -> Int64? {
    guard let value = document["step_id"], value != .null else { return nil }
    guard let number = value.integer else { throw refusal("step_id is a number.", "\(pointer)/step_id") }
    return number
  }

  private static func savesToken(_ preferences: SandboxJSON, _ pointer: String) throws(Refusal) -> Bool {
    try preferences.requireNames(["save_token", "name"], at: pointer, status: 422)
    guard let value = preferences["save_token"] else { return false }
    guard let saves = value.bool else { throw refusal("save_token is a boolean.", "\(pointer)/save_token") }
    return saves
  }

  static func refusal(_ message: String, _ pointer: String) -> Refusal {
    Refusal(422, "INVALID_ITEM", message, at: pointer)
  }

  /// The gift card that the item names: `{"card":{"number","csc"}}`, `{"voucher_number"}` or a saved one's
  /// `{"wallet_token"}`, which stands for the number; nil when there is none.
  func giftCard() throws(Refusal) -> (number: String, code: String?)? {
    let pointer = "\(pointer)/payment_data"
    try paymentData.requireNames(["card", "voucher_number", "wallet_token"], at: pointer, status: 422)
    if let value = paymentData["wallet_token"]?.string { return (value, nil) }
    if let card = paymentData["card"] {
      try card.requireNames(["number", "csc"], at: "\(pointer)/card", status: 422)
      guard let number = card["number"]?.string else { throw Self.refusal("A number is wanted.", "\(pointer)/card") }
      return (number, card["csc"]?.string)
    }
    guard let voucher = paymentData["voucher_number"] else { return nil }
    guard let number = voucher.string else { throw Self.refusal("A number is wanted.", "\(pointer)/voucher_number") }
    return (number, nil)
  }
}
