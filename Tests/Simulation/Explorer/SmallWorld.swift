import CheckoutRuntime
import PurseProvider

@testable import CheckoutCore

/// How much of the world a search may use up: what has no budget must close by itself.
struct Budget: Hashable {
  var submits = 2
  var kills = 1
  var sessions = 1
  var expiries = 1
  var reports = 1
  /// Whether there is a gift card at all.
  var giftCards = 1
  /// How often the host says `notCreated` though a payment may exist or come.
  var lies = 0
  /// Answers whose Date header is decades ahead.
  var badDates = 0
  /// A second checkout of the first session, in the same runtime.
  var windows = 1
  /// The saved card can be chosen.
  var hasTokens = false
  /// The card's partner has a step after the answer.
  var hasPostValidate = false

  /// Submits, answers and kills, and little else: as deep as it goes.
  static let money = Budget(submits: 3, kills: 2, sessions: 0, expiries: 0, reports: 0, giftCards: 0)
  /// A host that is wrong about what its backend did: the key must save it.
  static let doubts = Budget(submits: 3, kills: 1, sessions: 0, expiries: 0, reports: 0, giftCards: 0, lies: 1)
  /// Two checkouts of one session.
  static let windows = Budget(
    submits: 2, kills: 0, sessions: 0, expiries: 0, reports: 0, giftCards: 0, lies: 1, windows: 2)
  /// The server's time, a wrong header, and an expiry.
  static let clock = Budget(submits: 1, kills: 1, sessions: 1, expiries: 1, reports: 0, giftCards: 0, badDates: 1)
  /// A step after the answer, and a saved card.
  static let steps = Budget(
    submits: 2, kills: 1, sessions: 0, expiries: 0, reports: 1, giftCards: 0, hasTokens: true, hasPostValidate: true)

  var options: CheckoutOptions {
    World.options(Hook.allCases, capabilities: hasPostValidate ? [.collect, .postValidate] : [.collect])
  }
}

/// What really is at the back end for one session, which no checkout can see.
struct BackEndTruth: Hashable {
  var payments = 0
  /// Requests that left and may still arrive, though nobody waits for their answer.
  var strays = 0
  /// The idempotency key of a request that left and got no definite verdict; 0: none.
  var unsettledKey = 0
  /// The host said `notCreated` too early: from here on only the key keeps a repetition from being a second payment.
  var wasLiedAbout = false

  /// A request arrives that pays. The same key pays once, and no other may come.
  mutating func pay() { payments = wasLiedAbout ? 1 : payments + 1 }
}

/// A request without a result.
struct OpenRequest: Hashable {
  var id: RequestID
  var call: Call
  var opensPayment: Bool
  var session: Int
  var key: Int
  /// An earlier request with this key got no verdict.
  var isRepetition: Bool
  var hasLeft = false
  var isCancelled = false
}

/// A second checkout, while the first is looked at.
struct Window {
  var checkout: Checkout<BackEnd>
  var open: [OpenRequest] = []
  var outcomes: [Int] = []
}

/// One checkout, its host, its back end and its disk: a value that a search copies at each step.
struct SmallWorld {
  var checkout: Checkout<BackEnd>
  var open: [OpenRequest] = []
  var other: Window?
  /// The checkout's own number in the register.
  var handle: UInt64 = 1
  var register = SessionRegister()
  var truth = [BackEndTruth(), BackEndTruth()]
  /// The snapshot that a host which follows the rules has stored; nil: none yet.
  var disk: Int?
  /// 0 at first, then past the first session's expiry, then past the second's.
  var time = 0
  var budget: Budget
  /// How often the outcome of each attempt was told, by its id.
  var outcomes: [Int] = []

  static let card = "purse-creditcard"
  static let page = "hipay-bancontact"
  static let giftCard = "illicado-giftcard"
  static let wallTimes: [Int64] = [0, 31 * 60_000, 121 * 60_000]
  static let sessions = [Blob(id: "s1"), Blob(id: "s2", expires: "2030-01-01T02:00:00Z")].map { $0.text }
  static let token = "t1"
  static let dates = [
    "Tue, 01 Jan 2030 00:00:00 GMT", "Tue, 01 Jan 2030 00:31:00 GMT", "Tue, 01 Jan 2030 02:01:00 GMT",
  ]

  var core: Core { checkout.core }
  var session: Int { checkout.core.session.id == "s1" ? 0 : 1 }

  static func instant(_ time: Int) -> Instant {
    Instant(boot: World.start.boot + wallTimes[time], wall: World.start.wall + wallTimes[time])
  }

  var now: Instant { Self.instant(time) }
  var isExpired: Bool { time > session }

  /// Fresh for each attempt of each checkout, so that a renewed key shows; the same for the rest, so that ids do not
  /// multiply states.
  var moment: Moment { Self.moment(time, key: Int(core.next.attempt) + (handle == 1 ? 0 : 8)) }

  static func moment(_ time: Int, key: Int) -> Moment {
    Moment(now: instant(time), random: RandomBytes(high: 7, low: UInt64(key)))
  }

  init(_ budget: Budget) throws(CheckoutError) {
    self.budget = budget
    checkout = try Self.fresh(0, budget.options)
    if budget.windows > 1 { other = Window(checkout: checkout) }
  }

  mutating func switchWindow() {
    guard var shown = other else { return }
    swap(&shown.checkout, &checkout)
    swap(&shown.open, &open)
    swap(&shown.outcomes, &outcomes)
    other = shown
    handle = 3 - handle
  }

  /// As a host makes one that has nothing stored.
  static func fresh(_ time: Int, _ options: CheckoutOptions) throws(CheckoutError) -> Checkout<BackEnd> {
    var out: [Output] = []
    var checkout = try Checkout<BackEnd>(
      widgetData: sessions[0], options, World.roots, .alone, moment(time, key: 0), &out)
    quiet(&checkout, time)
    return checkout
  }

  /// The time is known at once, and nobody listens to changes: neither is what is searched here.
  static func quiet(_ checkout: inout Checkout<BackEnd>, _ time: Int) {
    var out: [Output] = []
    if let request = checkout.core.timeRequest {
      checkout.received(request, .nothing(left: false, reason: "no time"), moment(time, key: 0), &out)
    }
    let now = instant(time)
    checkout.core.clock.observe(serverTime: now.wall, grain: 0, sentAt: now.boot, receivedAt: now.boot)
    checkout.observe(moment(time, key: 0), &out)
    checkout.core.publication.told = []
    checkout.core.publication.isDue = false
  }
}
