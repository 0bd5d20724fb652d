import JSONText
import PurseProvider

@testable import CheckoutCore

/// A world with a method of every kind, and what its tests say to it.
enum Shop {
  static let card = "purse-creditcard"
  static let page = "hipay-bancontact"
  static let klarna = "klarna-paylater"
  static let applePay = "adyen-applepay"
  static let payPal = "paypal-wallet"
  static let illicado = "illicado-giftcard"
  static let loyalty = "maxxing-loyaltycard"
  static let ogloba = "ogloba-giftcard"

  private static func method(_ partner: String, _ method: String, _ more: String, label: String = "primary") -> String {
    #","\#(partner)":{"\#(method)":{"configurations":{"stable":true,"labels":["\#(label)"]\#(more)}}}"#
  }

  static let methods =
    method("klarna", "paylater", #","settings":{"payment_max_amount":100.00}"#)
    + method("adyen", "applepay", "") + method("paypal", "wallet", "")
    + method("maxxing", "loyaltycard", "", label: "secondary")
    + method(
      "ogloba", "giftcard", #","settings":{"payment_min_amount":5.00,"payment_max_amount":60.00}"#, label: "secondary")
    + method("younited", "loan", #","settings":{"payment_min_amount":50.00,"payment_max_amount":90.00}"#)
    + method("cofidis", "loan", #","settings":{"payment_min_amount":5000.00}"#)
    + #","floa":{"cb3x":{"configurations":{"stable":false,"labels":["primary"]}}}"#
      + """
      ,"aci":{"creditcard":{"configurations":{"labels":["primary"],"vault":{"vendor":"purse",\
      "supported_brands":["CARTE_BANCAIRE","VISA"]}},"integrated_tokens":[\
      {"id":"code","value":"w1","cvv_required":true},{"id":"soon","value":"w2","expiration_date":"2030-01-01T00:10:00Z"},\
      {"id":"plain","value":"w3"}]}}
      """

  static func blob(_ id: String = "s1", amount: String = "120.00") -> Blob {
    Blob(id: id, amount: amount, methods: methods)
  }

  static func options(_ hooks: [Hook] = [], without: [String] = []) -> CheckoutOptions {
    let capabilities = [
      Capability(item: card, steps: [.collect]), Capability(item: "aci-creditcard", steps: [.collect]),
      Capability(item: klarna, steps: [.prepare]), Capability(item: applePay, steps: [.prepare]),
      Capability(item: payPal, steps: [.prepare, .postValidate]),
    ]
    return CheckoutOptions(
      hooks: hooks, capabilities: capabilities.filter { !without.contains($0.item) },
      releaseDate: World.start.wall - 86_400_000)
  }

  static func open(
    _ hooks: [Hook] = [], without: [String] = [], amount: String = "120.00"
  ) throws(CheckoutError) -> World {
    try World(blob(amount: amount), options(hooks, without: without))
  }

  static func data(_ step: Int, _ result: String = #"{"client_token":"c"}"#) -> String {
    """
    {"id":"i\(step)","date":"2030-01-01T00:00:00Z","partner":"p","method":"m","step_id":\(step),\
    "status":{"action":"INIT","state":"SUCCESS","code":"SUCCEEDED"},"plugin_result":\(result)}
    """
  }
}

extension World {
  func open(
    _ item: String, _ returnURL: String? = nil, redirects: Bool = false
  ) throws(CheckoutError) {
    try perform(
      .elementOpen(
        ElementOpen(choice: .item(item), presentsRedirects: redirects, appReturnURL: returnURL, tag: item)))
  }

  func openToken(_ token: String, asksCode: Bool = false) throws(CheckoutError) {
    try perform(
      .elementOpen(
        ElementOpen(
          choice: .token(token), presentsRedirects: false, appReturnURL: nil, asksSecurityCode: asksCode, tag: nil)))
  }

  func report(_ element: String, _ report: ElementReport) throws(CheckoutError) {
    try perform(.elementReport(element: element, report))
  }

  func submit(_ source: String? = nil) throws(CheckoutError) {
    try perform(.submit(Submit(source: source, skipsBeforeValidate: false)))
  }

  /// A gift card with that balance, by the name under which it can be drawn in.
  @discardableResult
  func readCard(_ balance: String, of item: String = Shop.illicado, number: UInt64) throws(CheckoutError) -> String {
    try perform(
      .readSecondary(
        ReadSecondary(
          item: item, number: TypedNumber(secret: SecretID(number), length: 16, lastFour: "0001"),
          securityCode: TypedNumber(secret: SecretID(number + 1_000), length: 4, lastFour: ""), tag: nil)))
    answer(.initialize, 200, Wire.initialized(balance))
    return results.last?["result"]?["token"]?["id"]?.string ?? ""
  }

  func take(_ token: String, _ amount: Int64?) throws(CheckoutError) {
    try perform(.applySecondary(token: token, amount: amount))
  }

  func listed(_ id: String) -> JSONValue? {
    let lists = [state(.paymentMethods), state(.paymentTokens), state(.secondaryTokens)]
    return lists.flatMap { $0.elements }.first { $0["id"]?.string == id }
  }

  func disabled(_ id: String) -> JSONValue? { listed(id)?["disabled"] }
  func disabledCode(_ id: String) -> String? { disabled(id)?["code"]?.string }

  func shownElement(_ id: String) -> JSONValue? {
    state(.elements).elements.first { $0["element"]?.string == id }
  }

  func isReady(_ id: String) -> Bool? { shownElement(id)?["isReady"]?.boolean }

  /// What the listener heard of elements and partners, shortly.
  var heard: [String] {
    told.compactMap { told in
      let name = told.json["element"]?.string ?? ""
      switch told.kind {
      case .element:
        let what = told.json["what"]?.string ?? ""
        return "\(name) \(what)" + (told.json["isReady"]?.boolean.map { " \($0)" } ?? "")
      case .plugin: return "\(name) plugin \(told.json["event"]?.string ?? "")"
      case .outcome: return "outcome \(told.json["kind"]?.string ?? "")"
      default: return nil
      }
    }
  }

  var initRequests: [String] {
    open.filter { $0.request.call == .initialize }.map { $0.request.body.map { $0.shown }.joined() }
  }
}

extension BodyPart {
  var shown: String {
    switch self {
    case .text(let text): text
    case .secret(let id): "<\(id.value)>"
    }
  }
}

extension Request {
  var shownBody: String { body.map { $0.shown }.joined() }
}

extension JSONValue {
  subscript(index: Int) -> JSONValue? {
    let elements = Array(elements)
    return elements.indices.contains(index) ? elements[index] : nil
  }
}
