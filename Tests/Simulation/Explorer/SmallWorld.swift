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

  /// Submits, answers and kills, and little else: as deep as it goes.
  static let money = Budget(submits: 3, kills: 2, sessions: 0, expiries: 0, reports: 0, giftCards: 0)
}

/// What really is at the back end for one session, which no checkout can see.
struct BackEndTruth: Hashable {
  var payments = 0
  /// Requests that left and may still arrive, though nobody waits for their answer.
  var strays = 0
  /// The idempotency key of a request that left and got no definite verdict; 0: none.
  var unsettledKey = 0
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

/// One checkout, its honest host, its back end and its disk: a value that a search copies at each step.
struct SmallWorld {
  var checkout: Checkout<Purse>
  var open: [OpenRequest] = []
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
  static let options = World.options(Hook.allCases)

  var core: Core { checkout.core }
  var session: Int { checkout.core.session.id == "s1" ? 0 : 1 }

  static func instant(_ time: Int) -> Instant {
    Instant(boot: World.start.boot + wallTimes[time], wall: World.start.wall + wallTimes[time])
  }

  var now: Instant { Self.instant(time) }
  var isExpired: Bool { time > session }

  /// Fresh for each attempt, so that a renewed key shows; the same for the rest, so that ids do not multiply states.
  var moment: Moment { Self.moment(time, key: Int(core.next.attempt)) }

  static func moment(_ time: Int, key: Int) -> Moment {
    Moment(now: instant(time), random: RandomBytes(high: 7, low: UInt64(key)))
  }

  init(_ budget: Budget) throws(CheckoutError) {
    self.budget = budget
    checkout = try Self.fresh(0)
  }

  /// As a host makes one that has nothing stored.
  static func fresh(_ time: Int) throws(CheckoutError) -> Checkout<Purse> {
    var out: [Output] = []
    var checkout = try Checkout<Purse>(
      widgetData: sessions[0], options, World.roots, .alone, moment(time, key: 0), &out)
    quiet(&checkout, time)
    return checkout
  }

  /// The time service answers at once, and nobody listens to changes: neither is what is searched here.
  static func quiet(_ checkout: inout Checkout<Purse>, _ time: Int) {
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
