import CheckoutCore
import JSONText

/// What the host's card form is told and what it answers.
struct CardForm {
  /// Compact JSON: all of it goes into the payment.
  let text: String

  /// nil without a token of the vault's. `brand`: the one to pay with, where the answer names none.
  init?(_ answer: String, brand: String?) {
    guard let root = try? JSONDocument(parsing: answer).root,
      let token = root[Choices.formToken.value]?.string, !token.isEmpty
    else { return nil }
    let given = root.compactText
    guard let brand, root[Choices.selectedNetwork.value] == nil else {
      text = given
      return
    }
    var more = JSONWriter()
    more.beginObject()
    more.member(Choices.selectedNetwork.value, string: brand)
    more.endObject()
    // Two objects, neither of them empty, become one.
    text = String(decoding: given.utf8.dropLast() + ",".utf8 + more.text.utf8.dropFirst(), as: UTF8.self)
  }

  static func question(_ slice: PaymentSlice, _ order: PaymentOrder) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("tenantId", optionalString: order.tenantID)
    writer.key("brands")
    writer.beginArray()
    for brand in slice.method.brands { writer.string(brand) }
    writer.endArray()
    writer.member("selectedBrand", optionalString: order.selectedBrand)
    writer.member("securityCodeOnly", boolean: slice.asksSecurityCode)
    writer.member("amount", integer: slice.amount)
    writer.member("currency", string: order.currency.code)
    writer.endObject()
    return writer.text
  }
}

/// What the host's widget of a partner is told and what it answers.
enum WidgetStep {
  static func question(_ slice: PaymentSlice, _ order: PaymentOrder, _ data: InitData?) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("init", raw: data?.json ?? "{}")
    writer.member("amount", integer: slice.amount)
    writer.member("currency", string: order.currency.code)
    writer.member("appReturnURL", optionalString: order.appReturnURL)
    writer.endObject()
    return writer.text
  }

  /// The JSON object that the payment takes; nil when there is none.
  static func paymentData(_ answer: String) -> String? {
    guard let data = (try? JSONDocument(parsing: answer).root)?[Choices.walletData.value], data.kind == .object else {
      return nil
    }
    return data.compactText
  }
}
