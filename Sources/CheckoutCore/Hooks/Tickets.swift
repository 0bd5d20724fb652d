import JSONText

/// Why a checkpoint is told.
enum CheckpointReason: Hashable {
  case beforeSend, answered, outcome, resolved, session

  var name: String {
    switch self {
    case .beforeSend: "beforeSend"
    case .answered: "answered"
    case .outcome: "outcome"
    case .resolved: "resolved"
    case .session: "session"
    }
  }
}

extension Core {
  func overdueTicket(_ moment: Moment) -> Ticket? {
    tickets.first { ticket in
      guard let deadline = ticket.deadline else { return false }
      return deadline <= moment.now.boot
    }
  }

  /// Ours: a step that ends nothing must not hold an outcome for ever.
  static let afterValidateTimeout: Int64 = 30_000
  static let postValidateTimeout: Int64 = 60_000
  /// After so long a host is told that a payment waits for its decision. It waits on.
  static let decisionWarning: Int64 = 5_000

  // MARK: Asking

  /// Asks the host, or goes on at once when the hook is not set.
  mutating func ask(_ question: Question, _ moment: Moment, _ out: inout [Output]) -> Next {
    if case .redirection(let action) = question { attempt?.action = action }
    if case .redirection = question, let source = attempt?.source { tellRequiresAction(source, &out) }
    guard isSet(question) else { return .script(.answered(.unset)) }
    let ticket = openTicket(question.kind, question, deadline: timeout(of: question), moment)
    attempt?.wait = .ticket(ticket)
    if case .beforePayment = question, let last = tickets.indices.last {
      tickets[last].warnsAt = moment.now.boot &+ Core.decisionWarning
    }
    publication.isDue = true
    if let change = takeChange() { out.append(.tell(.change, change)) }
    out.append(.ask(question.kind, ticket: ticket, text(of: question, presentation: nextPresentation)))
    return .rest
  }

  private func isSet(_ question: Question) -> Bool {
    switch question {
    case .step: true
    case .beforeValidate: isAsked(.beforeValidate)
    case .afterValidate: isAsked(.afterValidate)
    case .redirection: isAsked(.redirection)
    case .beforePayment: isAsked(.beforePayment)
    case .idempotencyKey: isAsked(.idempotencyKey)
    }
  }

  func isAsked(_ hook: Hook) -> Bool { (attempt?.hooks ?? options.hooks).contains(hook) }

  private func timeout(of question: Question) -> Int64? {
    switch question {
    case .afterValidate: Core.afterValidateTimeout
    // A decision about money may take as long as it takes.
    case .beforePayment: nil
    case .step(.postValidate, _): Core.postValidateTimeout
    default: options.hookTimeout
    }
  }

  mutating func openTicket(
    _ kind: DeliveryKind, _ question: Question?, deadline: Int64?, _ moment: Moment
  ) -> Int64 {
    let id = Core.draw(&next.ticket)
    tickets.append(
      Ticket(
        id: id, kind: kind, question: question, since: moment.now, deadline: deadline.map { moment.now.boot &+ $0 }))
    publication.isDue = true
    return id
  }

  func text(of question: Question, presentation: String) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("type", string: question.kind.name)
    writer.member("attempt", integer: attempt?.id ?? presentable?.attempt ?? 0)
    switch question {
    case .step(let step, let data):
      writer.member("element", optionalString: attempt?.source)
      writer.member("step", string: step.name)
      writer.member("data", raw: data)
    case .beforeValidate:
      writer.member("split", raw: text(of: .amountSplit))
    case .afterValidate, .idempotencyKey:
      break
    case .beforePayment(let method, let retainedKey):
      writer.member("paymentMethodType", string: method)
      writer.member("retainedIdempotencyKey", optionalString: retainedKey)
    case .redirection(let action):
      writer.member("presentation", string: presentation)
      writer.key("action")
      write(action, &writer)
    }
    writer.endObject()
    return writer.text
  }

  // MARK: Checkpoints

  mutating func askCheckpoint(
    _ reason: CheckpointReason, of ended: Int64? = nil, ticket: Int64, _ moment: Moment, _ out: inout [Output]
  ) {
    publication.isDue = true
    if let change = takeChange() { out.append(.tell(.change, change)) }
    let snapshot = snapshot(moment)
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("type", string: "checkpoint")
    writer.member("attempt", optionalInteger: ended ?? attempt?.id ?? ledger.attempt)
    writer.member("reason", string: reason.name)
    writer.member("revision", integer: next.revision)
    writer.member("marked", boolean: isMarked)
    writer.member("savedAt", integer: Core.seconds(moment.now.wall))
    writer.member("snapshot", string: snapshot)
    writer.endObject()
    out.append(.ask(.checkpoint, ticket: ticket, writer.text))
  }

  /// Told, not asked: a stored "left" must not outlive a harmless end.
  mutating func tellCheckpoint(_ reason: CheckpointReason, _ moment: Moment, _ out: inout [Output]) {
    guard isAsked(.checkpoint) else { return }
    askCheckpoint(reason, ticket: 0, moment, &out)
  }

  // MARK: Answers

  mutating func answer(
    _ id: Int64, _ answer: HookAnswer, _ moment: Moment, _ out: inout [Output]
  ) throws(CheckoutError) -> Next {
    guard let ticket = tickets.first(where: { $0.id == id }) else { throw CheckoutError(.ticketClosed) }
    try check(answer, for: ticket)
    return settle(ticket, answer, moment, &out)
  }

  /// The ticket is closed and whoever asked goes on.
  mutating func settle(_ ticket: Ticket, _ answer: HookAnswer, _ moment: Moment, _ out: inout [Output]) -> Next {
    tickets.removeAll { $0.id == ticket.id }
    noteAnswer(answer, to: ticket.kind)
    publication.isDue = true
    if let waiting = presentable, waiting.ticket == ticket.id {
      answeredPresenting(waiting, answer, moment, &out)
      return .rest
    }
    switch attempt?.wait {
    case .checkpoint(ticket.id, let request):
      return answeredCheckpoint(answer, request, moment, &out)
    case .ticket(ticket.id):
      attempt?.wait = .script
      return .script(.answered(answer))
    default:
      return .rest
    }
  }

  /// A malformed answer leaves the ticket open.
  private func check(_ answer: HookAnswer, for ticket: Ticket) throws(CheckoutError) {
    guard case .ok(let text) = answer, let question = ticket.question else { return }
    guard let document = try? JSONDocument(parsing: text) else { throw CheckoutError(.invalidArgument, path: "ok") }
    switch question {
    case .redirection:
      guard document.root["takeOver"]?.boolean != nil else {
        throw CheckoutError(.invalidArgument, message: "takeOver must be true or false", path: "ok.takeOver")
      }
    case .step(.collect, _):
      if CardNumber.isIn(document.root) {
        throw CheckoutError(.invalidArgument, message: "a card number is not accepted here", path: "ok")
      }
    case .beforePayment, .idempotencyKey:
      let fields = FieldReader(document.root, "ok", .invalidArgument)
      try fields.allowOnly("idempotencyKey")
      if let key = try fields.optionalString("idempotencyKey"), !isHeaderValue(key) {
        throw fields.malformed("idempotencyKey", "1 to 255 visible characters of ASCII are wanted")
      }
    case .step, .beforeValidate, .afterValidate:
      break
    }
  }

  /// Once for each decision.
  mutating func warnOfDecision(_ moment: Moment, _ out: inout [Output]) {
    for index in tickets.indices {
      guard let time = tickets[index].warnsAt, time <= moment.now.boot else { continue }
      tickets[index].warnsAt = nil
      let ticket = tickets[index]
      tell(.log, &out) { core, writer in
        writer.member("level", string: "warning")
        writer.member("code", string: "DECISION_AWAITED")
        writer.member("message", string: "a payment waits for the answer to beforePayment")
        writer.member("attempt", optionalInteger: core.attempt?.id)
        writer.member("ticket", integer: ticket.id)
      }
    }
  }

  /// The time that a script slept is over.
  mutating func wakesAttempt(_ moment: Moment) -> Bool {
    guard case .timer(let time) = attempt?.wait, time <= moment.now.boot else { return false }
    attempt?.wait = .script
    return true
  }

  /// The tickets that an ended attempt leaves open are closed, and the host is told.
  mutating func withdrawTickets(_ out: inout [Output]) {
    let open = tickets
    tickets = []
    for ticket in open { tellClosed(ticket, &out) }
  }

  mutating func tellClosed(_ ticket: Ticket, _ out: inout [Output]) {
    tell(.ticket, &out) { core, writer in
      writer.member("ticket", integer: ticket.id)
      writer.member("reason", string: (core.isTornDown ? ErrorCode.checkoutTornDown : ErrorCode.ticketClosed).text)
    }
  }

  static func seconds(_ milliseconds: Int64) -> Int64 { milliseconds / 1_000 }
}

extension Question {
  var kind: DeliveryKind {
    switch self {
    case .step: .step
    case .beforeValidate: .beforeValidate
    case .afterValidate: .afterValidate
    case .redirection: .redirection
    case .beforePayment: .beforePayment
    case .idempotencyKey: .idempotencyKey
    }
  }
}

/// A key, as it may stand in a header.
private func isHeaderValue(_ text: String) -> Bool { text.utf8.count <= 255 && isVisibleASCII(text) }

extension HookAnswer {
  /// The key that a host gave for its payment.
  public var idempotencyKey: String? {
    guard case .ok(let text) = self, let document = try? JSONDocument(parsing: text) else { return nil }
    return document.root["idempotencyKey"]?.string
  }
}

/// What must not be taken for a token.
public enum CardNumber {
  /// Anywhere in a value, as text, as a number or as a name. The reader bounds the depth.
  static func isIn(_ value: JSONValue) -> Bool {
    switch value.kind {
    case .string: looksLikeOne(value.string ?? "")
    case .number: looksLikeOne(value.numberText ?? "")
    case .array: value.elements.contains { isIn($0) }
    case .object: value.members.contains { looksLikeOne($0.key) || isIn($0.value) }
    case .null, .boolean: false
    }
  }

  /// 12 to 19 digits once spaces and dashes are dropped.
  public static func looksLikeOne(_ text: String) -> Bool {
    var digits = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
      case UInt8(ascii: " "), UInt8(ascii: "-"): continue
      default: return false
      }
    }
    return (12...19).contains(digits)
  }
}
