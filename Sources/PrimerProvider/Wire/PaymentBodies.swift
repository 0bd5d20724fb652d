import CheckoutCore
import JSONText

/// The bodies of a payment's calls.
enum PaymentBodies {
  static func select(_ method: PaymentMethod, network: String?) -> [BodyPart] {
    body { writer in
      writer.key("actions")
      writer.beginArray()
      writer.beginObject()
      writer.member("type", string: "SELECT_PAYMENT_METHOD")
      writer.key("params")
      writer.beginObject()
      writer.member("paymentMethodType", string: method.id)
      if method.ownsForm {
        writer.key("binData")
        writer.beginObject()
        writer.member("network", string: network ?? "OTHER")
        writer.endObject()
      }
      writer.endObject()
      writer.endObject()
      writer.endArray()
    }
  }

  /// What was typed is put in where the secrets are; nil when the form is not whole.
  static func card(_ card: CardFields, network: String?) -> [BodyPart]? {
    guard let number = card.number, let code = card.securityCode, let expiry = card.expiry else { return nil }
    var body = BodyWriter()
    body.json.beginObject()
    body.json.key("paymentInstrument")
    body.json.beginObject()
    body.member("number", secret: number)
    body.member("cvv", secret: code)
    body.json.member("expirationMonth", string: expiry.month < 10 ? "0\(expiry.month)" : "\(expiry.month)")
    body.json.member("expirationYear", string: "\(expiry.year)")
    if let holder = card.holder { body.member("cardholderName", secret: holder) }
    if let network { body.json.member("preferredNetwork", string: network) }
    body.json.endObject()
    body.json.endObject()
    return body.parts
  }

  static func webRedirect(_ method: PaymentMethod, returnURL: String?) -> [BodyPart] {
    body { writer in
      writer.key("paymentInstrument")
      writer.beginObject()
      writer.member("type", string: "OFF_SESSION_PAYMENT")
      writer.member("paymentMethodType", string: method.id)
      if !method.configuration.isEmpty { writer.member("paymentMethodConfigId", string: method.configuration) }
      writer.key("sessionInfo")
      writer.beginObject()
      writer.member("locale", string: "en-US")
      writer.member("platform", string: platform)
      writer.member("redirectionUrl", optionalString: returnURL)
      writer.endObject()
      writer.endObject()
    }
  }

  static func create(_ methodToken: String) -> [BodyPart] {
    body { $0.member("paymentMethodToken", string: methodToken) }
  }

  static func resume(_ resumeToken: String) -> [BodyPart] { body { $0.member("resumeToken", string: resumeToken) } }

  /// There is no native part that could show a challenge, and the back end is told so.
  static func withoutChallenge() -> [BodyPart] {
    body { writer in
      writer.member("platform", string: platform)
      writer.member("status", string: "FAILURE")
      writer.key("error")
      writer.beginObject()
      writer.member("reasonCode", string: "MISSING_SDK_DEPENDENCY")
      writer.member("reasonText", string: "This client has no native 3DS component.")
      writer.endObject()
    }
  }

  private static let platform = "HEADLESS"

  private static func body(_ members: (inout JSONWriter) -> Void) -> [BodyPart] {
    var writer = JSONWriter()
    writer.beginObject()
    members(&writer)
    writer.endObject()
    return [.text(writer.text)]
  }
}
