import CheckoutCore
import JSONText

/// What a host reads as `clientSession`: the order as it was when the session was loaded.
enum OrderSnapshot {
  /// `currency`: `.none` when the table of currencies does not know it.
  static func text(_ session: JSONValue, _ currency: Currency) -> String {
    let order = session.object("order")
    let customer = session.object("customer")
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("customerId", optionalString: customer?.text("customerId"))
    writer.member("orderId", optionalString: order?.text("orderId"))
    writer.member("currencyCode", optionalString: currency == .none ? nil : currency.code)
    writer.integers(["totalAmount": "totalOrderAmount"], of: order)
    writer.key("lineItems")
    write(order?.list("lineItems"), &writer) {
      $0.number("quantity") != nil
    } item: { item, writer in
      writer.texts(["itemId", "taxCode"], of: item)
      writer.member("itemDescription", optionalString: item.text("description"))
      for key in ["amount", "discountAmount", "quantity", "taxAmount"] { writer.integers([key: key], of: item) }
    }
    writeDetails(order, &writer)
    write(customer, &writer)
    writer.key("paymentMethod")
    writer.beginObject()
    writer.key("orderedAllowedCardNetworks")
    writer.beginArray()
    for network in session.object("paymentMethod")?.list("orderedAllowedCardNetworks") ?? [] {
      writer.string(known(network.string))
    }
    writer.endArray()
    writer.endObject()
    writer.key("fees")
    write(order?.list("fees"), &writer) {
      $0.text("type") != nil
    } item: { fee, writer in
      writer.texts(["type"], of: fee)
      writer.integers(["amount": "amount"], of: fee)
    }
    writer.endObject()
    return writer.text
  }

  private static func writeDetails(_ order: JSONValue?, _ writer: inout JSONWriter) {
    writer.key("orderDetails")
    writer.beginObject()
    writer.texts(["countryCode"], of: order)
    writer.key("shipping")
    if let shipping = order?.object("shipping") {
      writer.beginObject()
      writer.integers(["amount": "amount"], of: shipping)
      writer.texts(["methodId", "methodName", "methodDescription"], of: shipping)
      writer.endObject()
    } else {
      writer.null()
    }
    writer.endObject()
  }

  private static func write(_ customer: JSONValue?, _ writer: inout JSONWriter) {
    writer.key("customer")
    guard let customer else { return writer.null() }
    writer.beginObject()
    writer.texts(["emailAddress", "mobileNumber", "firstName", "lastName"], of: customer)
    for key in ["billingAddress", "shippingAddress"] {
      writer.key(key)
      guard let address = customer.object(key) else {
        writer.null()
        continue
      }
      writer.beginObject()
      writer.texts(
        [
          "firstName", "lastName", "addressLine1", "addressLine2", "postalCode", "city", "state", "countryCode",
        ], of: address)
      writer.endObject()
    }
    writer.endObject()
  }

  /// A list with a bad element is not there.
  private static func write(
    _ list: [JSONValue]?, _ writer: inout JSONWriter, isGood: (JSONValue) -> Bool,
    item: (JSONValue, inout JSONWriter) -> Void
  ) {
    guard let list, list.allSatisfy(isGood) else { return writer.null() }
    writer.beginArray()
    for element in list {
      writer.beginObject()
      item(element, &writer)
      writer.endObject()
    }
    writer.endArray()
  }

  private static let networks = [
    "AMEX", "BANCONTACT", "CARTES_BANCAIRES", "DINERS_CLUB", "DISCOVER", "EFTPOS", "ELO", "HIPER", "HIPERCARD", "JCB",
    "MAESTRO", "MASTERCARD", "MIR", "VISA", "UNIONPAY",
  ]

  /// None is dropped: what is not known is another.
  private static func known(_ network: String?) -> String {
    guard let network, networks.contains(network) else { return "OTHER" }
    return network
  }
}

extension JSONWriter {
  fileprivate mutating func texts(_ keys: [String], of value: JSONValue?) {
    for key in keys { member(key, optionalString: value?.text(key)) }
  }

  /// By the name that the host reads and the one that the back end writes.
  fileprivate mutating func integers(_ keys: KeyValuePairs<String, String>, of value: JSONValue?) {
    for (name, key) in keys {
      self.key(name)
      if let number = value?.number(key), number.magnitude <= UInt64(Amount.maximum) { integer(number) } else { null() }
    }
  }
}
