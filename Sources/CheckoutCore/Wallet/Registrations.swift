import JSONText

/// A decision to save what pays, taken with the payment.
public struct Registration: Hashable, Sendable {
  /// A primary method's id, or a fresh gift card's.
  public var source: Source
  public var name: String?

  public init(source: Source, name: String?) {
    self.source = source
    self.name = name
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    source.write(to: &writer)
    writer.member("name", optionalString: name)
    writer.endObject()
  }

  /// As it is written.
  init(_ fields: FieldReader) throws(CheckoutError) {
    name = try fields.optionalString("name")
    if let item = try fields.optionalString("item") {
      source = .item(item)
    } else {
      source = .token(try fields.string("token"))
    }
  }
}

extension Core {
  /// Only a method that the session lets be saved, and only when the host says so: silence saves nothing.
  mutating func register(_ registration: Registration, _ isWanted: Bool) throws(CheckoutError) {
    switch registration.source {
    case .item(let id):
      guard let method = offeredMethod(id), method.kind == .primary else { throw CheckoutError(.paymentMethodNotFound) }
      guard method.canBeRegistered else { throw CheckoutError(.methodNotRegisterable) }
    case .token(let id):
      guard let token = secondary(id), token.walletValue == nil else {
        throw CheckoutError(isListed(id) ? .tokenNotRegisterable : .missingToken)
      }
      guard session.method(token.item)?.canBeRegistered == true else { throw CheckoutError(.tokenNotRegisterable) }
    }
    if let name = registration.name { try TokenName.check(name) }
    wallet.registrations.removeAll { $0.source == registration.source }
    if isWanted { wallet.registrations.append(registration) }
  }

  /// What is published: a decision goes with what it is about.
  var registrations: [Registration] {
    wallet.registrations.filter { registration in
      switch registration.source {
      case .item(let id): offeredMethod(id) != nil
      case .token(let id): secondary(id) != nil
      }
    }
  }

  func registration(of source: Source) -> Registration? { wallet.registrations.first { $0.source == source } }
}
