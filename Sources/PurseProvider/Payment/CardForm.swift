import CheckoutCore
import JSONText

/// What the host's card form is told and what it answers.
struct CardForm {
  /// Compact JSON: all of it goes into the payment.
  let text: String

  /// nil without a token of the vault's.
  init?(_ answer: String) {
    guard let root = try? JSONDocument(parsing: answer).root,
      let token = root[Choices.formToken.value]?.string, !token.isEmpty
    else { return nil }
    text = root.compactText
  }

  static func question(_ slice: PaymentSlice, _ order: PaymentOrder) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("tenantId", optionalString: order.tenantID)
    writer.key("brands")
    writer.beginArray()
    for brand in slice.method.brands { writer.string(brand) }
    writer.endArray()
    writer.member("amount", integer: slice.amount)
    writer.member("currency", string: order.currency.code)
    writer.endObject()
    return writer.text
  }
}
