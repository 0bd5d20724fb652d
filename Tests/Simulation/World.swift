import CheckoutRuntime
import Foundation
import JSONText
import PurseProvider

@testable import CheckoutCore

/// A seeded source of choices: the same seed makes the same run.
struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1 }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  mutating func below(_ bound: Int) -> Int { bound <= 1 ? 0 : Int(next() % UInt64(bound)) }
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  mutating func pick<T>(_ values: [T]) -> T? { values.isEmpty ? nil : values[below(values.count)] }
}

/// One checkout, its host and its clock, with no socket and no sleep. Tests drive it, and read what came out.
final class World {
  struct Told {
    var kind: DeliveryKind
    var json: JSONValue
  }

  struct Asked {
    var kind: DeliveryKind
    var ticket: Int64
    var json: JSONValue
  }

  var checkout: Checkout<BackEnd>
  var clock: Instant
  /// Requests that have no result yet.
  var open: [(id: RequestID, request: Request)] = []
  /// Every money request that was handed to the transport.
  var money: [Request] = []
  /// Batches of monitoring, as they were sent.
  var monitoring: [Request] = []
  var cancelled: [RequestID] = []
  var told: [Told] = []
  var asked: [Asked] = []
  var openTickets: [Asked] = []
  /// What a host that follows the rules has stored.
  var stored: (revision: Int64, text: String)?
  var forgotten: [SecretID] = []
  /// False: the system gives no random numbers.
  var hasRandomness = true
  /// A saved state had no higher revision than all before it.
  private(set) var sawRevisionFall = false
  let options: CheckoutOptions
  /// What the host says of the back end.
  let provider: ProviderOptions
  private var nextRandom: UInt64 = 1
  /// What the checkouts of one process share.
  let process: Process
  private let handle: UInt64

  final class Process {
    var register = SessionRegister()
    var highestRevision: Int64 = 0
    private var handles: UInt64 = 0

    func open() -> UInt64 {
      handles += 1
      return handles
    }
  }

  static let start = Instant(boot: 5_000_000, wall: 1_893_456_000_000)
  static let roots = ProviderOptions(
    paymentRoot: "https://pay.example", timeRoot: "https://time.example", logsRoot: "https://logs.example",
    walletRoot: "https://wallet.example")

  convenience init(
    _ blob: Blob, _ options: CheckoutOptions = World.options(), beside other: World? = nil, hasTime: Bool = true
  ) throws(CheckoutError) {
    try self.init(widgetData: blob.text, options, beside: other, hasTime: hasTime)
  }

  init(
    widgetData: String, _ options: CheckoutOptions = World.options(), beside other: World? = nil, hasTime: Bool = true,
    provider: ProviderOptions = World.roots
  ) throws(CheckoutError) {
    self.options = options
    self.provider = provider
    clock = other?.clock ?? World.start
    process = other?.process ?? Process()
    nextRandom = other.map { $0.nextRandom &+ 100_000 } ?? 1
    var out: [Output] = []
    checkout = try Checkout(
      widgetData: widgetData, options, provider, process.register.seen(by: 0),
      Moment(now: clock, random: RandomBytes(high: 7, low: 7)), &out)
    handle = process.open()
    checkout.core.join(&process.register, as: handle)
    absorb(out)
    if hasTime { learnTime() }
  }

  /// The server's time, whatever the device's calendar says.
  var serverTime: Int64 { World.start.wall + clock.boot - World.start.boot }

  /// As if an answer had said what the time is.
  private func learnTime() {
    checkout.core.clock.observe(serverTime: serverTime, grain: 0, sentAt: clock.boot, receivedAt: clock.boot)
    var out: [Output] = []
    checkout.observe(moment, &out)
    absorb(out)
  }

  static func options(_ hooks: [Hook] = [], capabilities: [Step] = [.collect]) -> CheckoutOptions {
    CheckoutOptions(
      hooks: hooks, capabilities: [Capability(item: "purse-creditcard", steps: capabilities)],
      releaseDate: World.start.wall - 86_400_000)
  }

  var moment: Moment {
    nextRandom &+= 1
    let bytes = RandomBytes(high: nextRandom, low: nextRandom &* 31)
    return Moment(
      now: clock, random: hasRandomness ? bytes : RandomBytes(high: 0, low: 0), revision: process.highestRevision)
  }

  /// Another world's random bytes: two worlds that begin alike must not draw alike.
  func reseed(_ number: UInt64) { nextRandom = number }

  // MARK: Driving

  @discardableResult
  func perform(_ command: Command) throws(CheckoutError) -> JSONValue {
    var out: [Output] = []
    var changed = checkout
    let moment = moment
    do throws(CheckoutError) {
      let reply = try changed.perform(command, process.register.seen(by: handle), moment, &out)
      checkout = changed
      absorb(out)
      return Self.parse(reply)
    } catch {
      checkout.refused(command, error, moment)
      throw error
    }
  }

  /// The app may be suspended.
  func background() {
    var out: [Output] = []
    checkout.flushMonitoring(moment, &out)
    absorb(out)
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

  /// Asks for the last look first, as the transport does.
  @discardableResult
  func answer(_ call: Call, _ status: Int, _ body: String) -> Bool {
    guard let request = open.first(where: { $0.request.call == call }) else { return false }
    guard checkout.mayLeave(request.id, at: clock) else {
      receive(request.id, .nothing(left: false, reason: "stopped"))
      return false
    }
    receive(request.id, .answer(Answer(status: status, date: nil, body: Array(body.utf8))))
    return true
  }

  /// The transport's last look.
  func letsGo(_ id: RequestID) -> Bool { checkout.mayLeave(id, at: clock) }

  func lose(_ call: Call, left: Bool) {
    guard let request = open.first(where: { $0.request.call == call }) else { return }
    if left, !checkout.mayLeave(request.id, at: clock) {
      return receive(request.id, .nothing(left: false, reason: "stopped"))
    }
    receive(request.id, .nothing(left: left, reason: "lost"))
  }

  func answerTicket(_ kind: DeliveryKind, _ answer: HookAnswer) throws(CheckoutError) {
    guard let ticket = openTickets.first(where: { $0.kind == kind }) else {
      throw CheckoutError(.ticketClosed)
    }
    try perform(.answer(ticket: ticket.ticket, answer))
  }

  // MARK: Reading

  /// Another checkout of the process holds the session.
  func isTaken(_ session: String) -> Bool { process.register.isTaken(session, by: handle) }

  /// The host lets go of the handle, and everything was told.
  func leave() { checkout.core.leave(&process.register, as: handle) }

  private func absorb(_ out: [Output]) {
    checkout.core.report(to: &process.register, as: handle)
    let before = process.highestRevision
    process.highestRevision = max(before, checkout.core.revision)
    for output in out {
      switch output {
      case .send(let id, let request):
        open.append((id, request))
        if request.money == .opens { money.append(request) }
        if request.call == .monitoring { monitoring.append(request) }
      case .cancel(let id):
        cancelled.append(id)
      case .tell(let kind, let text):
        told.append(Told(kind: kind, json: Self.parse(text)))
      case .ask(let kind, let ticket, let text):
        let question = Asked(kind: kind, ticket: ticket, json: Self.parse(text))
        if kind == .checkpoint, question.json["revision"]?.int64 ?? 0 <= before { sawRevisionFall = true }
        ask(question)
      case .forget(let secret):
        forgotten.append(secret)
      }
    }
    let open = Set(checkout.core.tickets.map { $0.id })
    openTickets.removeAll { !open.contains($0.ticket) }
  }

  private func ask(_ asked: Asked) {
    self.asked.append(asked)
    if asked.ticket != 0 { openTickets.append(asked) }
    if asked.kind == .checkpoint, let revision = asked.json["revision"]?.int64,
      let text = asked.json["snapshot"]?.string, revision > stored?.revision ?? 0
    {
      stored = (revision, text)
    }
  }

  /// A result for whatever was cancelled, as the transport gives it.
  func settleCancelled(left: Bool = false) {
    for id in cancelled where open.contains(where: { $0.id == id }) {
      receive(id, .nothing(left: left, reason: "cancelled"))
    }
    cancelled = []
  }

  func state(_ property: Property) -> JSONValue { Self.parse(checkout.core.text(of: property)) }
  var sessionState: String { state(.sessionState).string ?? "" }
  /// The id of the page that was opened last.
  var page: String {
    told.last { $0.kind == .redirect && $0.json["state"]?.string == "open" }?.json["presentation"]?.string ?? ""
  }
  var isUnknown: Bool { state(.outcomeUnknown).boolean ?? false }
  var outcomes: [JSONValue] { told.filter { $0.kind == .outcome }.map { $0.json } }
  var results: [JSONValue] { told.filter { $0.kind == .result }.map { $0.json } }

  static func parse(_ text: String) -> JSONValue {
    (try? JSONDocument(parsing: text))?.root ?? JSONDocument.null.root
  }

  // MARK: Killing

  /// What a restart makes of a snapshot.
  /// `inSameProcess`: with what the register knows; else as after a kill.
  func restored(from text: String, inSameProcess: Bool = false) throws(CheckoutError) -> (World, JSONValue) {
    let world = World(dead: self, inSameProcess ? process : Process())
    var out: [Output] = []
    var reply = ""
    world.checkout = try Checkout(
      restoring: SavedState(Array(text.utf8)), options, provider, world.process.register.seen(by: 0), world.moment,
      &out, reply: &reply)
    world.checkout.core.join(&world.process.register, as: world.handle)
    world.absorb(out)
    world.learnTime()
    return (world, Self.parse(reply))
  }

  private init(dead: World, _ process: Process) {
    checkout = dead.checkout
    self.process = process
    handle = process.open()
    clock = dead.clock
    options = dead.options
    provider = dead.provider
    stored = dead.stored
    nextRandom = dead.nextRandom &+ 1_000
  }
}

extension JSONDocument {
  static let null: JSONDocument = (try? JSONDocument(parsing: "null")) ?? { preconditionFailure("null is JSON") }()
}

/// A client session as the back end writes it.
struct Blob {
  var id = "s1"
  var amount = "120.00"
  var currency = "EUR"
  var expires = "2030-01-01T00:30:00Z"
  var environment = "sandbox"
  var extra = ""
  /// More members beside the session, each after a comma.
  var beside = ""
  /// More protocols, each after a comma.
  var methods = ""
  var key: String? = "k"
  var savedValue = "v1"
  var holder = "A Holder"
  /// The text itself, in place of all that.
  var raw: String?

  private var keyMember: String { key.map { "\"api_key\":\"\($0)\"," } ?? "" }

  var text: String {
    if let raw { return raw }
    let json = """
      {\(keyMember)"entity_id":"e1","environment":"\(environment)","session":{"id":"\(id)","amount":\(amount),\
      "currency_code":"\(currency)","expiration_date":"\(expires)","redirection":"myapp://return","protocols":{\
      "purse":{"creditcard":{"configurations":{"stable":true,"labels":["primary"],"position":1,\
      "vault":{"supported_brands":["VISA"],"token_scope":"method","vendor":"purse"},"settings":{"save_token":true}},\
      "integrated_tokens":[{"id":"t1","value":"\(savedValue)","uniqueness_token":"u","expiration_date":"2031-01-01T00:00:00Z",\
      "description":{"masked_pan":"**** 4242","holder_name":"\(holder)"},"payment_id":{"origin":"partner","partner":"purse"}}]}},\
      "hipay":{"bancontact":{"configurations":{"stable":true,"labels":["primary"],"position":3,"settings":{\
      "payment_min_amount":10.00}}}},\
      "illicado":{"giftcard":{"configurations":{"stable":true,"labels":["secondary"],"position":2,\
      "settings":{"usage_per_session_limit":2}}}},\
      "buybox":{"giftcard":{"configurations":{"stable":true,"labels":["secondary"],"position":4,"settings":{}}}}\(methods)\
      }\(extra)}\(beside)}
      """
    return Data(json.utf8).base64EncodedString()
  }
}

enum Wire {
  static func initialized(_ amount: String = "50.00", state: String = "SUCCESS", code: String = "SUCCEEDED") -> String {
    """
    {"id":"i1","session_id":"s1","date":"2030-01-01T00:00:00Z","partner":"p","method":"m","step_id":1,\
    "status":{"action":"INIT","state":"\(state)","code":"\(code)"},\
    "plugin_result":{"amount":\(amount),"currency_code":"EUR"}}
    """
  }

  static func validated(_ status: String, redirection: String = "{}") -> String {
    """
    {"results":[{"id":"r1","date":"2030-01-01T00:00:00Z","method":"creditcard","partner":"purse","session_id":"s1",\
    "transaction_id":"x","plugin_result":{},"status":{"action":"AUTHORIZE","state":"\(status)","code":"SUCCEEDED"}}],\
    "redirection":\(redirection),"global_status":"\(status)"}
    """
  }

  static let page = #"{"url":"https://acs.example/challenge"}"#
  static let token = #"{"vault_form_token":"tok_success_0000000000000000000000","selected_network":"VISA"}"#
}
