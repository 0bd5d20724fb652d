import CheckoutCore
import JSONText

/// One item of a payment as `/init` and `/validate` take it.
struct ItemPayload {
  enum PaymentData {
    case empty
    /// The JSON object that a card form answered.
    case form(String)
    case savedToken(String)
    case giftCard(number: SecretID, securityCode: SecretID?)
  }

  var method: PaymentMethod
  /// The amount in major units, exactly.
  var amount: String
  var data: PaymentData
  var decidesSaving = false
  var stepID: Int64?

  /// The reading of a gift card's balance. The issuer wants the whole session's amount.
  init(_ read: BalanceOrder) {
    method = read.method
    amount = Amount.decimalText(read.amount, digits: read.currency.digits)
    data = .giftCard(number: read.number, securityCode: read.securityCode)
    stepID = read.handle?.stepID
  }

  /// A slice of a payment. `form` and `stepID` are what the steps before it brought, when it is the primary's.
  init(_ slice: PaymentSlice, _ currency: Currency, form: String?, stepID: Int64?) {
    method = slice.method
    amount = Amount.decimalText(slice.amount, digits: currency.digits)
    switch slice.source {
    case .method:
      data = form.map { .form($0) } ?? .empty
      decidesSaving = slice.method.nature == .card
      self.stepID = stepID
    case .token(let token):
      data = .savedToken(token.value)
    case .giftCard(let handle, let number, let securityCode):
      data = ItemPayload.giftCard(slice.method, number, securityCode)
      self.stepID = handle.stepID
    }
  }

  private static func giftCard(
    _ method: PaymentMethod, _ number: SecretID?, _ securityCode: SecretID?
  ) -> PaymentData {
    guard !method.numberRule.paysByHandle, let number else { return .empty }
    return .giftCard(number: number, securityCode: securityCode)
  }

  func write(to body: inout BodyWriter) {
    body.json.beginObject()
    body.json.member("partner", string: method.partner)
    body.json.member("method", string: method.method)
    body.json.key("amount")
    body.json.numberLiteral(amount)
    body.json.key("payment_data")
    writeData(to: &body)
    body.json.member("partner_data", raw: "{}")
    body.json.key("payment_preferences")
    body.json.beginObject()
    // Nothing lets a shopper save a card yet, and silence must not save one.
    if decidesSaving { body.json.member(Choices.saveToken.value, boolean: false) }
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
    case .savedToken(let value):
      body.json.member(Choices.walletToken.value, string: value)
    case .giftCard(let number, let securityCode):
      body.json.key("card")
      body.json.beginObject()
      body.member("number", secret: number)
      if let securityCode { body.member("csc", secret: securityCode) }
      body.json.endObject()
    }
    body.json.endObject()
  }
}
