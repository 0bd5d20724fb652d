import PurseProvider

@testable import CheckoutCore

/// What one move did beside changing the world.
struct StepTrace {
  var violation: String?
  /// For each checkpoint of this move: what was stored before it, and the outcomes that had been told by then. An
  /// outcome that was told since is one that the dying host need not have seen.
  var interrupted: [(disk: Int?, outcomes: [Int])] = []
  var isRefused = false
}

extension SmallWorld {
  static let initialized = Array(Wire.initialized().utf8)
  static let covers = Array(Wire.initialized("500.00").utf8)
  static let refused: [UInt8] = Array("{}".utf8)

  /// Makes a move. `trace.isRefused`: the core refused it, and nothing changed.
  mutating func take(_ move: Move, _ disk: Disk, _ trace: inout StepTrace) {
    trace = StepTrace()
    checkout.core.next.revision = 0
    let wasTornDown = core.isTornDown
    let sentBefore = open.count
    switch move.kind {
    case .letGo, .neverLeft, .answerMoney, .loseMoney, .cancelTooLate, .answerOther, .strayArrives, .strayVanishes:
      backEnd(move, disk, &trace)
    case .expire:
      budget.expiries -= 1
      // Nobody ticks: the next thing that happens must notice.
      time = session + 1
    case .timeOut:
      tick(after: Core.timeInterval + 1_000, disk, &trace)
    case .switchWindow:
      switchWindow()
    case .kill:
      kill(disk, &trace)
    default:
      guard let command = command(for: move) else { return trace.isRefused = true }
      spend(move)
      let wasUnknown = core.isOutcomeUnknown
      perform(command, disk, &trace)
      if wasUnknown, move.kind == .setSession, !trace.isRefused {
        trace.violation = "I1: an unknown outcome was forgotten"
      }
    }
    if other != nil { checkout.core.report(to: &register, as: handle) }
    if trace.isRefused || trace.violation != nil { return }
    if move.kind != .switchWindow, wasTornDown, core.isTornDown, open.count > sentBefore {
      trace.violation = "I4: a request after teardown"
    }
    check(&trace)
  }

  private mutating func spend(_ move: Move) {
    switch move.kind {
    case .submit: budget.submits -= 1
    case .setSession: budget.sessions -= 1
    case .report where move.choice < 4: budget.reports -= 1
    case .resolve where move.choice == 3:
      budget.lies -= 1
      truth[session].wasLiedAbout = true
    default: break
    }
  }

  // MARK: The host

  private func command(for move: Move) -> Command? {
    let choice = Int(move.choice)
    let item = choice == 0 ? Self.card : Self.page
    switch move.kind {
    case .choosePrimary: return .setPrimary(choice == 2 ? .token(Self.token) : .item(item))
    case .readGiftCard:
      let number = TypedNumber(secret: SecretID(1), length: 16, lastFour: "0001")
      return .readSecondary(ReadSecondary(item: Self.giftCard, number: number, securityCode: nil, tag: nil))
    case .applyGiftCard:
      return core.secondaries.first.map { .applySecondary(token: $0.id, amount: [nil, 2_000, 6_000][choice]) }
    case .removeGiftCard: return core.secondaries.first.map { .removeSecondary(token: $0.id) }
    case .openElement:
      return .elementOpen(ElementOpen(choice: .item(item), presentsRedirects: true, appReturnURL: nil, tag: nil))
    case .fillForm: return .elementReport(element: Self.card, .formValidity(true))
    case .report: return .elementReport(element: Self.card, Self.reports[choice])
    case .closeElement: return .elementClose(item)
    case .submit: return .submit(Submit(source: nil, skipsBeforeValidate: false))
    case .abortAttempt: return core.attempt.map { .abortAttempt($0.id) }
    case .abortRead: return core.reads.first.map { .abortCall($0.call.id) }
    case .setSession: return .setSession(widgetData: Self.sessions[1 - session])
    case .resolve: return core.pendingAttempt.map { .resolve(attempt: $0.id, Self.verdicts[choice]) }
    case .answer:
      let ticket = core.tickets[choice / 4]
      return .answer(ticket: ticket.id, Self.answer(to: ticket.kind, choice % 4))
    case .endPage: return core.presentation.map { .redirectReport(presentation: $0.id, Self.ends[choice]) }
    case .endRestoredPage:
      return core.restored?.presentation.map { .redirectReport(presentation: $0, Self.ends[choice]) }
    case .presentAgain: return core.presentable.map { .redirectPresent(attempt: $0.attempt, tag: nil) }
    case .teardown: return .teardown
    default: return nil
    }
  }

  private static let reports: [ElementReport] = [
    .canceled, .partnerError("x", recoverable: true), .initFailed("x"), .endOfSession, .ready,
  ]
  private static let verdicts: [ResolveVerdict] = [.abandoned, .paid, .notCreated, .notCreated]
  private static let ends: [PresentationEnd] = [
    .returned(url: "myapp://return"), .returned(url: nil), .canceled, .failed("x"),
  ]

  private static func answer(to kind: DeliveryKind, _ choice: Int) -> HookAnswer {
    switch (kind, choice) {
    case (.step, 0): .ok(Wire.token)
    case (.redirection, 0): .ok(#"{"takeOver":false}"#)
    case (.redirection, 2): .ok(#"{"takeOver":true}"#)
    case (_, 0): .ok("{}")
    case (_, 1): .error("no")
    default: .canceled
    }
  }

  private mutating func perform(_ command: Command, _ disk: Disk, _ trace: inout StepTrace) {
    var out: [Output] = []
    do throws(CheckoutError) {
      _ = try checkout.perform(command, register.seen(by: handle), moment, &out)
    } catch {
      trace.isRefused = true
    }
    absorb(out, disk, &trace)
  }

  // MARK: The back end

  private mutating func backEnd(_ move: Move, _ disk: Disk, _ trace: inout StepTrace) {
    let choice = Int(move.choice)
    switch move.kind {
    case .letGo: letGo(choice, disk, &trace)
    case .neverLeft: receive(choice, .nothing(left: false, reason: "never left"), disk, &trace)
    case .cancelTooLate:
      leave(choice, &trace)
      truth[open[choice].session].strays += 1
      receive(choice, .nothing(left: true, reason: "too late"), disk, &trace)
    case .answerMoney: answerMoney(choice / 16, MoneyAnswer.all[choice % 16], disk, &trace)
    case .loseMoney:
      let session = open[choice / 4].session
      if choice % 4 == 0 { truth[session].strays += 1 }
      if choice % 4 == 1 { truth[session].pay() }
      receive(choice / 4, .nothing(left: true, reason: "lost"), disk, &trace)
    case .answerOther: answerOther(choice / 4, choice % 4, disk, &trace)
    case .strayArrives:
      truth[choice].strays -= 1
      truth[choice].pay()
    case .strayVanishes: truth[choice].strays -= 1
    default: trace.isRefused = true
    }
  }

  /// The transport is connected, and looks a last time.
  private mutating func letGo(_ index: Int, _ disk: Disk, _ trace: inout StepTrace) {
    let isStopped = core.attempt?.stop != nil
    guard checkout.mayLeave(open[index].id, at: now) else {
      return receive(index, .nothing(left: false, reason: "stopped"), disk, &trace)
    }
    if time > open[index].session { trace.violation = "I9: left though certainly expired" }
    if isStopped { trace.violation = "I9: left though the attempt was being stopped" }
    leave(index, &trace)
  }

  private mutating func leave(_ index: Int, _ trace: inout StepTrace) {
    open[index].hasLeft = true
    let session = open[index].session
    open[index].isRepetition = truth[session].unsettledKey != 0
    if open[index].isRepetition, truth[session].unsettledKey != open[index].key {
      trace.violation = "I1: the key was renewed though the earlier request has no verdict"
    }
    truth[session].unsettledKey = open[index].key
  }

  private mutating func answerMoney(_ index: Int, _ answer: MoneyAnswer, _ disk: Disk, _ trace: inout StepTrace) {
    let request = open[index]
    if answer.createsPayment { truth[request.session].pay() }
    if answer.isVerdict || (answer.isRefusal && !request.isRepetition) { truth[request.session].unsettledKey = 0 }
    receive(index, .answer(Answer(status: answer.status, date: nil, body: answer.body)), disk, &trace)
  }

  private mutating func answerOther(_ index: Int, _ choice: Int, _ disk: Disk, _ trace: inout StepTrace) {
    let date = open[index].call == .time ? Self.dates[time] : nil
    let answer =
      switch choice {
      case 0: Answer(status: 200, date: date, body: Self.initialized)
      case 1: Answer(status: 200, date: nil, body: Self.covers)
      case 2: Answer(status: 400, date: nil, body: Self.refused)
      default: Answer(status: 500, date: "Thu, 01 Jan 2099 00:00:00 GMT", body: Self.refused)
      }
    if choice == 3 { budget.badDates -= 1 }
    receive(index, .answer(answer), disk, &trace)
  }

  private mutating func receive(_ index: Int, _ received: Received, _ disk: Disk, _ trace: inout StepTrace) {
    let id = open.remove(at: index).id
    var out: [Output] = []
    checkout.received(id, received, moment, &out)
    absorb(out, disk, &trace)
  }

  private mutating func tick(after wait: Int64, _ disk: Disk, _ trace: inout StepTrace) {
    var moment = moment
    moment.now.boot += wait
    moment.now.wall += wait
    var out: [Output] = []
    checkout.tick(moment, &out)
    absorb(out, disk, &trace)
  }

  // MARK: Outputs

  private mutating func absorb(_ out: [Output], _ disk: Disk, _ trace: inout StepTrace) {
    var toldWhenStored = outcomes
    for output in out {
      switch output {
      case .send(let id, let request):
        open.append(
          OpenRequest(
            id: id, call: request.call, opensPayment: request.money == .opens, session: session,
            key: Self.key(of: request), isRepetition: false))
      case .cancel(let id):
        for index in open.indices where open[index].id == id { open[index].isCancelled = true }
      case .tell(.outcome, let text):
        count(outcome: text)
      case .ask(.checkpoint, _, let text):
        trace.interrupted.append((self.disk, toldWhenStored))
        toldWhenStored = outcomes
        self.disk = disk.store(text)
      case .tell, .ask, .forget:
        break
      }
    }
    if let broken = disk.violation { trace.violation = broken }
  }

  /// The last hexadecimal digit of the key, which is the number of the attempt that made it.
  private static func key(of request: Request) -> Int {
    let value = request.headers.first { $0.name == "Idempotency-Key" }?.value
    return value?.last?.hexDigitValue ?? 0
  }

  private mutating func count(outcome text: String) {
    let attempt = Self.attempt(in: text)
    while outcomes.count <= attempt { outcomes.append(0) }
    outcomes[attempt] += 1
  }

  /// The first number after `"attempt":`, without reading the whole.
  private static func attempt(in text: String) -> Int {
    var text = text
    return text.withUTF8 { bytes in
      let name = Array("\"attempt\":".utf8)
      for start in bytes.indices.dropLast(name.count) where bytes[start...].starts(with: name) {
        let digits = bytes[(start + name.count)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
      }
      return 0
    }
  }

  // MARK: Death

  /// The process dies and a host starts again from what it has stored. What had left is on its way.
  mutating func kill(_ disk: Disk, _ trace: inout StepTrace) {
    budget.kills -= 1
    for request in open where request.opensPayment && request.hasLeft { truth[request.session].strays += 1 }
    open = []
    let reborn = self.disk.map { disk.restored($0, time) } ?? disk.fresh(time)
    guard let reborn else { return trace.isRefused = true }
    checkout = reborn
    // An attempt that was never marked never was: its number is given again.
    let known = Int(core.next.attempt)
    if outcomes.count > known { outcomes.removeSubrange(known...) }
  }

  /// The same move, but the process dies when `stored` of its checkpoints have been stored.
  mutating func interrupt(_ stored: Int, _ interrupted: StepTrace, _ disk: Disk, _ trace: inout StepTrace) {
    trace = StepTrace()
    self.disk = interrupted.interrupted[stored].disk
    outcomes = interrupted.interrupted[stored].outcomes
    kill(disk, &trace)
    if !trace.isRefused { check(&trace) }
  }

  // MARK: Invariants

  /// Judged on the truth, not on what the core believes.
  func check(_ trace: inout StepTrace) {
    if trace.violation != nil { return }
    if let paid = truth.first(where: { $0.payments > 1 }) { trace.violation = "I1: paid \(paid.payments) times" }
    checkOutcomes(&trace)
    checkSplit(&trace)
  }

  private func checkOutcomes(_ trace: inout StepTrace) {
    for attempt in 1..<max(core.next.attempt, 1) {
      let told = attempt < outcomes.count ? outcomes[Int(attempt)] : 0
      let isOpen = core.attempt?.id == attempt || core.restored?.id == attempt
      // The other window's: its number is not given again here.
      if other != nil, told == 0, !isOpen { continue }
      if told != (isOpen ? 0 : 1) { trace.violation = "I2: attempt \(attempt) has \(told) outcomes, open: \(isOpen)" }
    }
  }

  private func checkSplit(_ trace: inout StepTrace) {
    var sum: Int64 = 0
    for slice in core.split.slices {
      sum += slice.amount
      let balance = core.secondary(slice.token)?.balance ?? 0
      if slice.amount <= 0 || slice.amount > balance { trace.violation = "I3: a slice outside its balance" }
    }
    if sum > core.session.amount { trace.violation = "I3: slices over the amount" }
    if core.ledger.standing == .inFlight, let order = core.attempt?.order,
      order.slices.reduce(0, { $0 + $1.amount }) != core.session.amount
    {
      trace.violation = "I3: what is sent is not the amount"
    }
  }

  /// I5, for the step that was just made of a world whose properties had all been told.
  mutating func checkPublished() -> String? {
    _ = checkout.takeChange()
    for property in Property.allCases where core.publication.told[property.rawValue] != core.text(of: property) {
      return "I5: \(property.name) differs from what was told"
    }
    return nil
  }

  /// Nothing is pending, and a submit or a set_session would be taken; or it is torn down and drained.
  var isSettled: Bool {
    if core.isTornDown { return core.isDrained }
    return core.attempt == nil && core.pendingAttempt == nil && core.reads.isEmpty && core.presentable?.call == nil
      && core.standing.refusal(of: .setSession) == nil
  }
}
