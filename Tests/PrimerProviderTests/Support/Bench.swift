import CheckoutRuntime
import Foundation
import JSONText

@testable import CheckoutCore
@testable import PrimerProvider

/// One Primer checkout, its host and its clock, with no socket and no sleep.
final class Bench {
  struct Told {
    var kind: DeliveryKind
    var json: JSONValue
  }

  var checkout: Checkout<BackEnd>
  var clock = Bench.start
  var open: [(id: RequestID, request: Request)] = []
  /// Every request, in order.
  var sent: [Request] = []
  var cancelled: [RequestID] = []
  var told: [Told] = []
  var asked: [(kind: DeliveryKind, ticket: Int64, json: JSONValue)] = []
  var forgotten: [SecretID] = []
  private var left: Set<RequestID> = []
  let options: CheckoutOptions
  private var random: UInt64 = 1

  static let start = Instant(boot: 5_000_000, wall: 1_893_456_000_000)

  init(
    _ token: Token = Token(), hooks: [Hook] = [], manual: Bool = false, ownKey: Bool = false,
    pollTimeout: Int64? = CheckoutOptions.standardPollTimeout
  ) throws(CheckoutError) {
    options = CheckoutOptions(
      hooks: hooks, releaseDate: Bench.start.wall - 86_400_000, sendsOwnKey: ownKey, pollTimeout: pollTimeout)
    var out: [Output] = []
    checkout = try Checkout(
      widgetData: token.text, options, Bench.provider(manual: manual), .alone,
      Moment(now: Bench.start, random: RandomBytes(high: 9, low: 9)), &out)
    absorb(out)
  }

  private init(_ checkout: Checkout<BackEnd>, _ options: CheckoutOptions) {
    self.checkout = checkout
    self.options = options
  }

  static func provider(manual: Bool = false) -> ProviderOptions {
    var provider = ProviderOptions()
    provider.backEnd = .primer
    provider.handlesPaymentManually = manual
    return provider
  }

  var moment: Moment {
    random &+= 1
    return Moment(now: clock, random: RandomBytes(high: random, low: random &* 31))
  }

  // MARK: Driving

  @discardableResult
  func perform(_ command: Command) throws(CheckoutError) -> JSONValue {
    var out: [Output] = []
    var changed = checkout
    let reply = try changed.perform(command, .alone, moment, &out)
    checkout = changed
    absorb(out)
    return Bench.parse(reply)
  }

  func advance(_ milliseconds: Int64) {
    clock.boot += milliseconds
    clock.wall += milliseconds
    var out: [Output] = []
    checkout.tick(moment, &out)
    absorb(out)
  }

  func receive(_ id: RequestID, _ received: Received) {
    open.removeAll { $0.id == id }
    var out: [Output] = []
    checkout.received(id, received, moment, &out)
    absorb(out)
  }

  /// Answers the open request of that call, after the transport's last look.
  func answer(_ call: Call, _ status: Int = 200, _ body: String) {
    guard let request = open.first(where: { $0.request.call == call }) else { return }
    guard left.contains(request.id) || letsGo(request.id) else {
      return receive(request.id, .nothing(left: false, reason: "stopped"))
    }
    receive(request.id, .answer(Answer(status: status, date: nil, body: Array(body.utf8))))
  }

  /// The transport's last look.
  func letsGo(_ id: RequestID) -> Bool {
    guard checkout.mayLeave(id, at: clock) else { return false }
    left.insert(id)
    return true
  }

  func lose(_ call: Call, left: Bool) {
    guard let request = open.first(where: { $0.request.call == call }) else { return }
    if left { _ = letsGo(request.id) }
    receive(request.id, .nothing(left: left, reason: "lost"))
  }

  func answerTicket(_ kind: DeliveryKind, _ answer: HookAnswer) throws(CheckoutError) {
    try perform(.answer(ticket: asked.last { $0.kind == kind && $0.ticket != 0 }?.ticket ?? 0, answer))
  }

  private func absorb(_ out: [Output]) {
    for output in out {
      switch output {
      case .send(let id, let request):
        open.append((id, request))
        sent.append(request)
      case .cancel(let id): cancelled.append(id)
      case .tell(let kind, let text): told.append(Told(kind: kind, json: Bench.parse(text)))
      case .ask(let kind, let ticket, let text): asked.append((kind, ticket, Bench.parse(text)))
      case .forget(let secret): forgotten.append(secret)
      }
    }
  }

  // MARK: Shortcuts

  /// Started and loaded.
  func ready(_ configuration: String = Wire.configuration()) throws(CheckoutError) {
    try perform(.start(tag: nil))
    answer(.configuration, 200, configuration)
  }

  /// The card form, filled and chosen.
  func fill(redirects: Bool = true) throws(CheckoutError) {
    try perform(
      .elementOpen(
        ElementOpen(choice: .item("PAYMENT_CARD"), presentsRedirects: redirects, appReturnURL: nil, tag: nil)))
    for field: CardField in [
      .number(SecretID(1)), .securityCode(SecretID(2)), .holder(SecretID(3)),
      .expiry(CardExpiry(month: 4, year: 2035)),
    ] { try perform(.setField(element: "PAYMENT_CARD", field)) }
    try perform(.setPrimary(.item("PAYMENT_CARD")))
  }

  @discardableResult
  func submit() throws(CheckoutError) -> Int64 {
    try perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))["attempt"]?.int64 ?? 0
  }

  /// Submitted, up to the request that creates the payment.
  func create() throws(CheckoutError) {
    try submit()
    tokenize()
  }

  func tokenize() {
    answer(.sessionAction, 200, "{}")
    answer(.tokenize, 200, #"{"token":"pm_1"}"#)
  }

  // MARK: Reading

  var outcomes: [JSONValue] { told.filter { $0.kind == .outcome }.map { $0.json } }
  var results: [JSONValue] { told.filter { $0.kind == .result }.map { $0.json } }
  var payments: [Request] { sent.filter { $0.call == .payment } }
  func state(_ property: Property) -> JSONValue { Bench.parse(checkout.core.text(of: property)) }
  var sessionState: String { state(.sessionState).string ?? "" }
  var phase: String { state(.phase).string ?? "" }
  var isUnknown: Bool { state(.outcomeUnknown).boolean ?? false }
  var page: String {
    told.last { $0.kind == .redirect && $0.json["state"]?.string == "open" }?.json["presentation"]?.string ?? ""
  }

  static func parse(_ text: String) -> JSONValue {
    guard let document = try? JSONDocument(parsing: text) else { preconditionFailure("not JSON: \(text)") }
    return document.root
  }

  /// What a restart makes of a snapshot.
  func restored(_ snapshot: String, _ provider: ProviderOptions = Bench.provider()) throws(CheckoutError) -> Bench {
    var out: [Output] = []
    var reply = ""
    let checkout = try Checkout<BackEnd>(
      restoring: SavedState(Array(snapshot.utf8)), options, provider, .alone, moment, &out, reply: &reply)
    let bench = Bench(checkout, options)
    bench.clock = clock
    bench.absorb(out)
    return bench
  }
}

/// A client token as the back end writes it.
struct Token {
  var members: [String: String] = [
    "accessToken": #""at_1""#, "configurationUrl": #""https://api.sandbox.primer.io/client-sdk/configuration""#,
    "coreUrl": #""https://api.sandbox.primer.io""#, "pciUrl": #""https://sdk.api.sandbox.primer.io""#,
    "env": #""SANDBOX""#, "intent": #""CHECKOUT""#, "exp": "1893542400", "clientSessionId": #""cs_1""#,
  ]

  init(_ changes: [String: String?] = [:]) {
    for (key, value) in changes { members[key] = value }
  }

  var payload: String {
    "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
  }

  var text: String {
    let parts = [#"{"alg":"HS256"}"#, payload].map { part in
      Data(part.utf8).base64EncodedString().replacingOccurrences(of: "=", with: "")
        .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
    }
    return parts.joined(separator: ".") + ".signature"
  }

  /// Of a required action: it leaves out what it has from the session's.
  static func action(_ intent: String, _ more: [String: String] = [:]) -> String {
    var token = Token()
    token.members = ["accessToken": #""at_action""#, "intent": "\"\(intent)\""]
    token.members.merge(more) { $1 }
    return token.text
  }
}

enum Wire {
  static let session = """
    {"clientSessionId":"cs_1","order":{"orderId":"order-1","totalOrderAmount":1200,"currencyCode":"EUR"},\
    "customer":{"customerId":"c1"},"paymentMethod":{"orderedAllowedCardNetworks":["VISA","TEST"]}}
    """
  static let methods = """
    {"id":"m1","type":"PAYMENT_CARD","implementationType":"NATIVE_SDK"},\
    {"id":"m2","type":"ADYEN_IDEAL","implementationType":"WEB_REDIRECT"},\
    {"id":"m3","type":"APPLE_PAY","implementationType":"NATIVE_SDK"}
    """

  static func configuration(session: String? = session, methods: String = methods) -> String {
    let member = session.map { #""clientSession":\#($0),"# } ?? ""
    return """
      {"pciUrl":"https://sdk.api.sandbox.primer.io","coreUrl":"https://api.sandbox.primer.io","env":"SANDBOX",\
      \(member)"paymentMethods":[\(methods)],"checkoutModules":[]}
      """
  }

  static func payment(_ status: String, id: String? = "pay_1", _ more: String = "") -> String {
    let idMember = id.map { #""id":"\#($0)","# } ?? ""
    return #"{\#(idMember)"orderId":"order-1","status":"\#(status)"\#(more)}"#
  }

  static func waiting(_ intent: String, _ more: [String: String] = [:]) -> String {
    payment("PENDING", #","requiredAction":{"name":"\#(intent)","clientToken":"\#(Token.action(intent, more))"}"#)
  }

  static let redirect = waiting(
    "PROCESSOR_3DS",
    ["redirectUrl": #""https://acs.example/page""#, "statusUrl": #""https://api.sandbox.primer.io/status/1""#])
  static let pending = #"{"status":"PENDING","id":"x","source":"s"}"#
  static let complete = #"{"status":"COMPLETE","id":"resume_1","source":"s"}"#

  static func payment(_ status: String, _ more: String) -> String { payment(status, id: "pay_1", more) }
}

extension Request {
  var text: String {
    body.map { part in
      switch part {
      case .text(let text): text
      case .secret(let id): "<\(id.value)>"
      }
    }.joined()
  }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
