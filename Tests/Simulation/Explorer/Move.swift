import PurseProvider

@testable import CheckoutCore

/// One thing that can happen to a small world.
struct Move: Hashable {
  enum Kind: UInt8 {
    // The host.
    case choosePrimary, readGiftCard, applyGiftCard, removeGiftCard
    case openElement, fillForm, report, closeElement
    case submit, abortAttempt, abortRead, setSession, resolve, answer, endPage, endRestoredPage, presentAgain, teardown
    // The transport and the back end.
    case letGo, neverLeft, answerMoney, loseMoney, cancelTooLate, answerOther, strayArrives, strayVanishes
    // Time and death.
    case expire, timeOut, kill
    // The shopper looks at the other window.
    case switchWindow
  }

  var kind: Kind
  var choice: UInt8 = 0
  /// How many checkpoints of this move were stored before the process was killed; nil: it was not.
  var killedAfter: UInt8?

  init(_ kind: Kind, _ choice: Int = 0) {
    self.kind = kind
    self.choice = UInt8(choice)
  }

  /// A host can do it, or it comes by itself: what a way out may be made of.
  var isWayOut: Bool {
    guard killedAfter == nil else { return false }
    switch kind {
    case .kill, .strayArrives, .strayVanishes, .teardown, .expire: return false
    default: return true
    }
  }

  var text: String {
    let name = choice == 0 ? "\(kind)" : "\(kind) \(choice)"
    return killedAfter.map { "\(name), killed with \($0) of its checkpoints stored" } ?? name
  }
}

/// What the back end makes of a payment's request.
struct MoneyAnswer {
  var status: Int
  var body: [UInt8]
  var createsPayment: Bool
  /// A verdict after which nothing is owed to this key: the payment is known, or certainly is not.
  var isVerdict: Bool
  var isRefusal: Bool

  private static func row(
    _ status: Int, _ body: String, creates: Bool, verdict: Bool = false, refusal: Bool = false
  ) -> MoneyAnswer {
    MoneyAnswer(
      status: status, body: Array(body.utf8), createsPayment: creates, isVerdict: verdict, isRefusal: refusal)
  }

  static let all = [
    row(200, Wire.validated("SUCCESS"), creates: true, verdict: true),
    row(200, Wire.validated("WAITING", redirection: Wire.page), creates: true, verdict: true),
    row(200, Wire.validated("FAILED"), creates: true, verdict: true),
    row(200, "<html>", creates: true),
    row(500, "{}", creates: true),
    row(422, #"{"code":"SESSION_ALREADY_SUBMITTED"}"#, creates: true),
    row(500, "{}", creates: false),
    row(400, "{}", creates: false, refusal: true),
    row(403, "{}", creates: false, refusal: true),
  ]
}

extension SmallWorld {
  /// Everything that can happen now. What the table of refusals forbids is not tried.
  func moves(_ moves: inout [Move]) {
    moves.removeAll(keepingCapacity: true)
    let standing = core.standing
    if standing.refusal(of: .choose) == nil { addChoices(&moves) }
    if standing.refusal(of: .openElement) == nil { addOpenings(&moves) }
    if standing.refusal(of: .follow) == nil { addFollowing(&moves) }
    if standing.refusal(of: .submit) == nil, budget.submits > 0, core.submitBlockers.isEmpty {
      moves.append(Move(.submit))
    }
    if standing.refusal(of: .setSession) == nil, budget.sessions > 0 { moves.append(Move(.setSession)) }
    if standing.refusal(of: .resolve) == nil { addVerdicts(&moves) }
    addAnswers(&moves)
    if !core.isTornDown { moves.append(Move(.teardown)) }
    addBackEnd(&moves)
    if budget.expiries > 0, !isExpired { moves.append(Move(.expire)) }
    if isExpired != core.isExpired || core.isExpired || core.tickets.contains(where: { $0.deadline != nil }) {
      moves.append(Move(.timeOut))
    }
    if budget.kills > 0 { moves.append(Move(.kill)) }
    if other != nil { moves.append(Move(.switchWindow)) }
  }

  private func addChoices(_ moves: inout [Move]) {
    for (choice, id) in [Self.card, Self.page].enumerated() where core.primary?.id != id {
      if core.disabledState(of: .item(id)) == nil { moves.append(Move(.choosePrimary, choice)) }
    }
    if budget.hasTokens, core.primary?.id != Self.token, core.disabledState(of: .token(Self.token)) == nil {
      moves.append(Move(.choosePrimary, 2))
    }
    if budget.giftCards > 0, core.reads.isEmpty, core.secondaries.isEmpty { moves.append(Move(.readGiftCard)) }
    guard let token = core.secondaries.first else { return }
    let applied = core.split.amount(of: token.id)
    if applied == nil { moves.append(Move(.applyGiftCard)) }
    if applied == nil, token.balance == 5_000 {
      moves.append(Move(.applyGiftCard, 1))
      // More than the card holds.
      moves.append(Move(.applyGiftCard, 2))
    }
    if applied != nil { moves.append(Move(.removeGiftCard)) }
  }

  private func addOpenings(_ moves: inout [Move]) {
    for (choice, id) in [Self.card, Self.page].enumerated()
    where core.element(id) == nil && core.technical[id] != .fatal {
      moves.append(Move(.openElement, choice))
    }
  }

  private func addFollowing(_ moves: inout [Move]) {
    if let element = core.element(Self.card) {
      // Reports that wait for the attempt's end: more of them are more of the same.
      let isQueueFull = (core.attempt?.queuedReports.count ?? 0) > 1
      if !element.isFormValid, !isQueueFull { moves.append(Move(.fillForm)) }
      if budget.reports > 0 { for choice in 0..<4 { moves.append(Move(.report, choice)) } }
      if core.technical[Self.card] == .recoverable, !isQueueFull { moves.append(Move(.report, 4)) }
      moves.append(Move(.closeElement, 0))
    }
    if core.element(Self.page) != nil { moves.append(Move(.closeElement, 1)) }
    if core.attempt != nil, !core.hasLeft, core.attempt?.stop == nil { moves.append(Move(.abortAttempt)) }
    if !core.reads.isEmpty { moves.append(Move(.abortRead)) }
    if core.presentation != nil { for choice in 0..<4 { moves.append(Move(.endPage, choice)) } }
    if core.restored?.presentation != nil { for choice in 0..<4 { moves.append(Move(.endRestoredPage, choice)) } }
    if let again = core.presentable, again.call == nil, core.attempt == nil, core.presentation == nil {
      moves.append(Move(.presentAgain))
    }
  }

  /// An honest host says `notCreated` only when no request of the session can have created a payment, or still may.
  private func addVerdicts(_ moves: inout [Move]) {
    guard core.pendingAttempt != nil else { return }
    let truth = truth[session]
    moves.append(Move(.resolve, 0))
    if truth.payments > 0 { moves.append(Move(.resolve, 1)) }
    let isWaitedFor = open.contains { $0.opensPayment && $0.session == session && $0.hasLeft }
    let isNothing = truth.payments == 0 && truth.strays == 0 && !isWaitedFor
    if core.ledger.isSettled { return }
    if isNothing { moves.append(Move(.resolve, 2)) } else if budget.lies > 0 { moves.append(Move(.resolve, 3)) }
  }

  private func addAnswers(_ moves: inout [Move]) {
    for (index, ticket) in core.tickets.enumerated() {
      let answers = ticket.kind == .step || ticket.kind == .redirection ? 3 : 2
      for answer in 0..<answers { moves.append(Move(.answer, index * 4 + answer)) }
    }
  }

  private func addBackEnd(_ moves: inout [Move]) {
    for (index, request) in open.enumerated() {
      guard request.opensPayment else {
        for answer in 0..<3 where answer != 1 || request.call != .time {
          moves.append(Move(.answerOther, index * 4 + answer))
        }
        if budget.badDates > 0 { moves.append(Move(.answerOther, index * 4 + 3)) }
        continue
      }
      guard request.hasLeft else {
        moves.append(Move(.letGo, index))
        moves.append(Move(.neverLeft, index))
        if request.isCancelled { moves.append(Move(.cancelTooLate, index)) }
        continue
      }
      for answer in MoneyAnswer.all.indices { moves.append(Move(.answerMoney, index * 16 + answer)) }
      for loss in 0..<3 { moves.append(Move(.loseMoney, index * 4 + loss)) }
    }
    for session in truth.indices where truth[session].strays > 0 {
      moves.append(Move(.strayArrives, session))
      moves.append(Move(.strayVanishes, session))
    }
  }
}
