import CheckoutRuntime
import PurseProvider

@testable import CheckoutCore

/// 64 bits of everything that decides how a world goes on: no serials, no revision, nothing that was only told, times
/// as distances.
struct Print {
  private(set) var value: UInt64 = 0x243F_6A88_85A3_08D3

  mutating func add(_ word: UInt64) {
    var mixed = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
    mixed ^= mixed >> 32
    mixed = mixed &* 0xD6E8_FEB8_6659_FD93
    value = mixed ^ (mixed >> 29)
  }

  mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }
  mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }
  mutating func add(_ flag: Bool) { add(flag ? 1 : 2 as UInt64) }

  mutating func add(_ text: String?) {
    guard let text else { return add(3 as UInt64) }
    add(Print.of(text))
  }

  mutating func add<T: Hashable>(hashable: T) { add(hashable.hashValue) }

  static func of(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { bytes in
      var print = Print()
      var word: UInt64 = 0
      for (position, byte) in bytes.enumerated() {
        word = word << 8 | UInt64(byte)
        if position & 7 == 7 { print.add(word) }
      }
      print.add(word)
      print.add(bytes.count)
      return print.value
    }
  }

  static func of(_ world: SmallWorld, _ disk: Disk) -> UInt64 {
    var print = Print()
    print.add(of(checkout: world.checkout))
    print.add(hashable: world.budget)
    print.add(world.time)
    for truth in world.truth {
      print.add(truth.payments)
      print.add(truth.strays)
      print.add(truth.unsettledKey)
      print.add(truth.wasLiedAbout)
    }
    print.add(world.open.count)
    for request in world.open { print.add(request, of: world.core) }
    if let other = world.other {
      print.add(of(checkout: other.checkout))
      print.add(other.open.count)
      for request in other.open { print.add(request, of: other.checkout.core) }
      print.add(hashable: world.register)
      print.add(world.handle)
    }
    print.add(world.disk.map { disk.prints[$0] } ?? 5)
    return print.value
  }

  private mutating func add(_ request: OpenRequest, of core: Core) {
    add(request.call == .validate ? 1 : request.call == .time ? 2 : 3)
    add(request.session)
    add(request.key)
    add(request.isRepetition)
    add(request.hasLeft)
    add(request.isCancelled)
    add(core.sentAt[request.id] != nil)
    add(core.ownerNumber(of: request))
  }

  static func of(checkout: Checkout<BackEnd>) -> UInt64 {
    var print = Print()
    let core = checkout.core
    print.add(core)
    if let script = checkout.script { print.add(hashable: script) }
    // Attempts of one number are one attempt, across restarts too.
    print.add(core.next.attempt)
    return print.value
  }

  private mutating func add(_ core: Core) {
    add(core.session.id)
    add(core.isTornDown)
    add(core.isTerminated)
    add(core.isExpired)
    add(hashable: core.clock)
    add(core.timeAskedAt ?? -1)
    add(core.timeRequest != nil)
    add(core.primary?.id)
    addSplit(core)
    for element in core.elements {
      add(element.id)
      add(element.isFormValid)
      add(element.presentsRedirects)
      add(hashable: element.card)
    }
    add(core.elements.count)
    for id in [SmallWorld.card, SmallWorld.page] {
      add(core.technical[id].map { $0 == .fatal ? 1 : 2 } ?? 0)
      add(core.collected[id])
      add(core.generations[id] ?? 0)
    }
    add(core.ledger.standing.name)
    add(core.ledger.idempotencyKey)
    add(core.ledger.isRepetition)
    add(core.ledger.attempt ?? -1)
    add(core.ledger.payment != nil)
    add(hashable: core.life.phase)
    add(core.life.request != nil)
    add(core.methods.count)
    addAttempt(core)
    addTickets(core)
    addPages(core)
    add(core.spentSessions.count)
    for id in core.spentSessions { add(id) }
  }

  private mutating func addSplit(_ core: Core) {
    for token in core.secondaries {
      add(token.balance)
      add(token.number != nil)
      add(core.split.amount(of: token.id) ?? 0)
    }
    add(core.secondaries.count)
    add(core.reads.count)
    for read in core.reads { add(read.request != nil) }
  }

  private mutating func addAttempt(_ core: Core) {
    guard let attempt = core.attempt else { return add(false) }
    add(attempt.id)
    add(attempt.source)
    switch attempt.wait {
    case .script: add(1)
    case .request(_, let call): add(call == .initialize ? 2 : 3)
    case .checkpoint(_, let request): add(hashable: request)
    case .money: add(4)
    case .ticket: add(5)
    case .presentation(let id): add(core.presentation?.id == id ? 6 : 7)
    case .timer: add(8)
    }
    add(attempt.hasLeft)
    add(attempt.isDetached)
    add(attempt.hasUsedCard)
    add(hashable: attempt.stop)
    add(hashable: attempt.result?.verdict)
    add(attempt.action != nil)
    add(hashable: attempt.queuedReports)
  }

  private mutating func addTickets(_ core: Core) {
    add(core.tickets.count)
    for ticket in core.tickets {
      add(Int(ticket.kind.rawValue))
      add(ticket.deadline ?? -1)
      add(ticket.warnsAt != nil)
      add(core.presentable?.ticket == ticket.id)
    }
  }

  private mutating func addPages(_ core: Core) {
    add(core.presentation?.attempt ?? 0)
    add(core.presentation?.isLate ?? false)
    add(core.presentable?.attempt ?? 0)
    add(core.presentable?.source)
    add(core.presentable?.call != nil)
    add(core.restored?.id ?? 0)
    add(core.restored?.source)
    add(core.restored?.presentation != nil)
    add(core.restored?.wasAnswered ?? false)
    add(core.restored?.heldReturn != nil)
    add(core.restored?.heldReturn?.url)
  }
}

extension Core {
  /// Whom a result of this request would reach.
  fileprivate func ownerNumber(of request: OpenRequest) -> Int {
    switch owner(of: request.id) {
    case .nobody: 0
    case .time: 1
    case .read: 2
    case .script: 3
    case .element: 5
    case .service: 6
    case .money: 4
    case .life: 7
    }
  }
}
