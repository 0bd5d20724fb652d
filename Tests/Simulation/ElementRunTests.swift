import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

/// Random hosts with every kind of element: data that come late, amounts that move under them, approvals, sessions.
@Suite("Random runs of elements")
struct ElementRunTests {
  @Test("Data are for what is paid, every call is answered, and no approval pays twice")
  func runs() throws {
    for seed in 1...150 {
      var run = try ElementRun(seed: UInt64(seed))
      run.play(steps: 80)
      #expect(run.violation == nil, "seed \(seed): \(run.violation ?? "")\n\(run.history.joined(separator: "\n"))")
      if run.violation != nil { return }
    }
  }
}

private struct ElementRun: CommandRun {
  private var dice: Dice
  let world: World
  var violation: String?
  var history: [String] = []
  private var session = 1
  /// What the back end remembers of each step it gave: the session and the amount.
  private var steps: [Int: String] = [:]
  var opened = 0
  private var paid: [String: Int] = [:]

  init(seed: UInt64) throws {
    dice = Dice(seed)
    world = try Shop.open([.beforeValidate])
    for number in 1...2 { try world.readCard("70.00", number: UInt64(number)) }
    opened = world.results.count
  }

  mutating func play(steps count: Int) {
    for _ in 0..<count where violation == nil {
      step()
      check()
    }
    finish()
  }

  private mutating func step() {
    let native = dice.pick([Shop.klarna, Shop.applePay, Shop.payPal]) ?? Shop.klarna
    switch dice.below(16) {
    case 0, 1:
      attempt("open \(native)", isCall: true) { (world) throws(CheckoutError) in try world.open(native, "shop://back") }
    case 2: attempt("ready \(native)") { (world) throws(CheckoutError) in try world.report(native, .ready) }
    case 3: attempt("close \(native)") { (world) throws(CheckoutError) in try world.perform(.elementClose(native)) }
    case 4:
      attempt("choose \(native)") { (world) throws(CheckoutError) in try world.perform(.setPrimary(.item(native))) }
    case 5, 6:
      let (card, amount) = ("gc\(1 + dice.below(2))", dice.chance(30) ? nil : Int64(1 + dice.below(7_000)))
      attempt("take \(card)") { (world) throws(CheckoutError) in try world.take(card, amount) }
    case 7:
      let card = "gc\(1 + dice.below(2))"
      attempt("remove \(card)") { (world) throws(CheckoutError) in try world.perform(.removeSecondary(token: card)) }
    case 8: attempt("submit") { (world) throws(CheckoutError) in try world.submit() }
    case 9:
      let data = dice.chance(50) ? #"{"token":"x"}"# : nil
      attempt("approve \(native)") { (world) throws(CheckoutError) in
        try world.report(native, .approved(paymentData: data))
      }
    case 10:
      let report: ElementReport = dice.chance(60) ? .partnerError("x", recoverable: true) : .canceled
      attempt("report \(native)") { (world) throws(CheckoutError) in try world.report(native, report) }
    case 11:
      guard dice.chance(20) else { return }
      session += 1
      let blob = Shop.blob("s\(session)", amount: dice.chance(50) ? "120.00" : "80.00").text
      attempt("session \(session)") { (world) throws(CheckoutError) in try world.perform(.setSession(widgetData: blob))
      }
    case 12: answerHook()
    case 13: world.settleCancelled(left: false)
    default: backEnd()
    }
  }

  private mutating func answerHook() {
    guard let ticket = dice.pick(world.openTickets) else { return }
    let yes: HookAnswer = ticket.kind == .step ? .ok(#"{"payment_data":{"t":1}}"#) : .ok("{}")
    let answer = dice.chance(80) ? yes : dice.chance(50) ? .canceled : .error("no")
    attempt("answer \(ticket.kind)") { (world) throws(CheckoutError) in
      try world.perform(.answer(ticket: ticket.ticket, answer))
    }
  }

  private mutating func backEnd() {
    guard let open = dice.pick(world.open) else { return }
    guard world.letsGo(open.id) else { return world.receive(open.id, .nothing(left: false, reason: "stopped")) }
    history.append("\(open.request.call) \(open.request.shownBody)")
    switch open.request.call {
    case .initialize:
      if dice.chance(15) { return world.receive(open.id, .nothing(left: true, reason: "lost")) }
      let step = steps.count + 1
      steps[step] = basis(open.request)
      world.receive(open.id, AttemptTests.answer(200, Shop.data(step)))
    case .validate:
      checkSteps(open.request)
      if dice.chance(50) { return world.receive(open.id, AttemptTests.answer(400)) }
      paid[open.request.url, default: 0] += 1
      world.receive(open.id, AttemptTests.answer(200, Wire.validated(dice.chance(50) ? "SUCCESS" : "FAILED")))
    default:
      world.receive(open.id, .nothing(left: false, reason: "no such service"))
    }
  }

  /// The session of a request, and the amount of its last item.
  private func basis(_ request: Request) -> String {
    let amount = request.shownBody.split(separator: #""amount":"#).last?.prefix { $0 != "," } ?? ""
    let session = request.url.split(separator: "/sessions/").last?.prefix { $0 != "/" } ?? ""
    return "\(session) \(amount)"
  }

  private mutating func checkSteps(_ request: Request) {
    let body = World.parse(request.shownBody)
    guard let last = Array(body.elements).last, last["partner"]?.string != "illicado" else { return }
    guard let step = last["step_id"]?.int64, let given = steps[Int(step)] else {
      violation = "a widget's payment without a step"
      return
    }
    if given != basis(request) { violation = "data for \(given) pay \(basis(request))" }
  }

  // MARK: Invariants

  private mutating func check() {
    let core = world.checkout.core
    for element in core.elements {
      let waits = element.initialization.calls.isEmpty == false
      if waits, element.initialization.request == nil { violation = "a call waits for nothing" }
      if core.isReady(element) != element.toldReady { violation = "readiness was not told: \(element.id)" }
      guard element.id == Shop.klarna || element.id == Shop.applePay, core.isReady(element) else { continue }
      let basis = Initialization.Basis(session: core.session.id, amount: core.remaining)
      if element.initialization.basis != basis { violation = "ready with data for something else" }
    }
    let asked = core.elements.compactMap { $0.initialization.request }
    if Set(asked).count != asked.count { violation = "one request for two elements" }
    if paid.contains(where: { $0.value > 1 }) { violation = "paid twice" }
    let attempts = world.outcomes.compactMap { $0["attempt"]?.int64 }
    if Set(attempts).count != attempts.count { violation = "two outcomes of one attempt" }
    var copy = world.checkout
    _ = copy.takeChange()
    for property in Property.allCases
    where copy.core.publication.told[property.rawValue] != copy.core.text(of: property) {
      violation = "I5: \(property.name)"
    }
  }

  private mutating func finish() {
    attempt("teardown") { (world) throws(CheckoutError) in try world.perform(.teardown) }
    world.settleCancelled()
    while let open = world.open.first { world.receive(open.id, .nothing(left: false, reason: "the end")) }
    if !world.checkout.core.isDrained { violation = "not drained" }
    let calls = world.results.compactMap { $0["call"]?.int64 }
    if calls.count != opened || Set(calls).count != calls.count { violation = "calls \(opened), results \(calls)" }
  }
}
