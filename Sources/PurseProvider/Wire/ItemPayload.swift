import CheckoutCore
import JSONText

/// One item of a payment as `/init` and `/validate` take it.
struct ItemPayload {
  enum PaymentData {
    case empty
    /// The JSON object that a card form answered.
    case form(String)
    /// `form`: what a form for its security code answered.
    case savedToken(String, form: String?)
    case giftCard(number: SecretID, securityCode: SecretID?)
    case voucher(number: SecretID)
  }

  var name: MethodName
  /// The amount in major units, exactly.
  var amount: String
  var data: PaymentData
  /// nil: nothing is said about saving it.
  var saves: Bool?
  /// What it is to be saved as.
  var savedName: String?
  var stepID: Int64?

  /// What a partner's widget needs before it can be shown.
  init(_ order: ElementOrder) {
    name = order.method.name
    amount = Amount.decimalText(order.amount, digits: order.currency.digits)
    data = .empty
  }

  /// The reading of a gift card's balance. The issuer wants the whole session's amount.
  init(_ read: BalanceOrder) {
    name = read.method.name
    amount = Amount.decimalText(read.amount, digits: read.currency.digits)
    data = ItemPayload.numbers(of: read.method, read.number, read.securityCode)
    stepID = read.handle?.stepID
  }

  /// The same of one that the wallet keeps.
  init(_ read: SavedBalanceOrder) {
    name = read.name
    amount = Amount.decimalText(read.amount, digits: read.currency.digits)
    data = .savedToken(read.value, form: nil)
    stepID = read.handle?.stepID
  }

  /// A slice of a payment. `form` and `stepID` are what the steps before it brought, when it is the primary's.
  init(_ slice: PaymentSlice, _ currency: Currency, form: String?, stepID: Int64?) {
    name = slice.method.name
    amount = Amount.decimalText(slice.amount, digits: currency.digits)
    switch slice.source {
    case .method:
      data = form.map { .form($0) } ?? .empty
      // Silence must not save a card.
      if slice.method.nature == .card { saves = false }
      self.stepID = stepID
    case .token(let token):
      data = .savedToken(token.value, form: form)
      self.stepID = stepID
    case .giftCard(let handle, let number, let securityCode):
      data = ItemPayload.giftCard(slice.method, number, securityCode)
      self.stepID = handle.stepID
    case .savedGiftCard(let handle, let value):
      data = .savedToken(value, form: nil)
      self.stepID = handle.stepID
    }
    if let registration = slice.registration {
      saves = true
      savedName = registration.name
    }
  }

  private static func giftCard(
    _ method: PaymentMethod, _ number: SecretID?, _ securityCode: SecretID?
  ) -> PaymentData {
    guard !method.numberRule.paysByHandle, let number else { return .empty }
    return numbers(of: method, number, securityCode)
  }

  private static func numbers(
    of method: PaymentMethod, _ number: SecretID, _ securityCode: SecretID?
  ) -> PaymentData {
    method.numberRule.isVoucher ? .voucher(number: number) : .giftCard(number: number, securityCode: securityCode)
  }

  func write(to body: inout BodyWriter) {
    body.json.beginObject()
    body.json.member("partner", string: name.partner)
    body.json.member("method", string: name.method)
    body.json.key("amount")
    body.json.numberLiteral(amount)
    body.json.key("payment_data")
    writeData(to: &body)
    body.json.member("partner_data", raw: "{}")
    body.json.key("payment_preferences")
    body.json.beginObject()
    if let saves { body.json.member(Choices.saveToken.value, boolean: saves) }
    if let name = savedName { body.json.member(Choices.tokenName.value, string: name) }
    body.json.endObject()
    if let stepID { body.json.member("step_id", integer: stepID) }
    body.json.endObject()
  }

  private func writeData(to body: inout BodyWriter) {
    if case .form(let text) = data { return body.json.raw(text) }
    body.json.beginObject()
    switch data {
    case .empty, .form:
      break
    case .savedToken(let value, let form):
      body.json.member(Choices.walletToken.value, string: value)
      ItemPayload.writeMembers(of: form, to: &body)
    case .voucher(let number):
      body.member(Choices.voucherNumber.value, secret: number)
    case .giftCard(let number, let securityCode):
      body.json.key("card")
      body.json.beginObject()
      body.member("number", secret: number)
      if let securityCode { body.member("csc", secret: securityCode) }
      body.json.endObject()
    }
    body.json.endObject()
  }

  /// Not what would name another token.
  private static func writeMembers(of form: String?, to body: inout BodyWriter) {
    guard let form, let root = try? JSONDocument(parsing: form).root else { return }
    for member in root.members where member.key != Choices.walletToken.value {
      body.json.member(member.key, raw: member.value.compactText)
    }
  }
}
