import CheckoutCore
import JSONText

/// The answer to the configuration call.
struct Configuration {
  private let root: JSONValue
  private let methods: [JSONValue]
  private let session: JSONValue?

  /// nil when it is none: the methods and the modules must be lists.
  init?(_ root: JSONValue) {
    guard let methods = root.list("paymentMethods"), root.list("checkoutModules") != nil else { return nil }
    self.root = root
    self.methods = methods
    session = root.object("clientSession")
  }

  var coreURL: String? { root.text("coreUrl") }
  var pciURL: String? { root.text("pciUrl") }

  /// The session with its order and the methods that can be offered. How many decimals a currency has is never said here:
  /// `currencies` has it.
  func session(_ unloaded: ClientSession, _ currencies: CurrencyTable) throws(CheckoutError) -> ClientSession {
    if methods.isEmpty { throw CheckoutError(.misconfiguredPaymentMethods) }
    guard let session else { throw CheckoutError(.missingConfiguration) }
    let order = session.object("order")
    var loaded = unloaded
    loaded.amount = amount(order) ?? 0
    loaded.currency = order?.text("currencyCode").flatMap { currencies.currency($0) } ?? .none
    loaded.currencies = currencies
    loaded.order = OrderSnapshot.text(session, loaded.currency)
    loaded.methods = methods.compactMap { method(of: $0) }
    if loaded.methods.isEmpty { throw CheckoutError(.missingConfiguration) }
    return loaded
  }

  /// What is charged: the merchant's amount outranks the order's total.
  private func amount(_ order: JSONValue?) -> Int64? {
    guard let amount = order?.number("merchantAmount") ?? order?.number("totalOrderAmount") else { return nil }
    return (0...Amount.maximum).contains(amount) ? amount : nil
  }

  /// nil for one that needs what a host without screens does not have. Of two of one type the first counts.
  private func method(of entry: JSONValue) -> PaymentMethod? {
    guard let type = entry.text("type"), !type.isEmpty,
      methods.first(where: { $0.text("type") == type })?.offset == entry.offset
    else { return nil }
    let isCard = type == Configuration.card
    guard isCard || entry.text("implementationType") == "WEB_REDIRECT" else { return nil }
    var traits: PaymentMethod.Traits = isCard ? .ownForm : .needsReturnURL
    if hasSurcharge(type) { traits.insert(.hasSurcharge) }
    return PaymentMethod(
      id: type, partner: BackEndName.primer.name, method: type, kind: .primary,
      nature: isCard ? .card : .redirection, traits: traits, brands: isCard ? networks : [],
      configuration: entry.text("id") ?? "")
  }

  static let card = "PAYMENT_CARD"

  private var networks: [String] {
    guard let list = session?.object("paymentMethod")?.list("orderedAllowedCardNetworks") else { return [] }
    return list.compactMap { $0.string }
  }

  private func hasSurcharge(_ type: String) -> Bool {
    let options = session?.object("paymentMethod")?.list("options") ?? []
    return options.contains { option in
      guard option.text("type") == type else { return false }
      return (option.number("surcharge") ?? 0) > 0 || !(option.list("networks") ?? []).isEmpty
    }
  }
}
