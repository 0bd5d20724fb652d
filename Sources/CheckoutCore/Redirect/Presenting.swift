import JSONText

extension Core {
  /// Where the shopper returns to: what the element's host named, else what the session says.
  func returnURLPrefix(of source: String?) -> String {
    source.flatMap { element($0)?.appReturnURL } ?? session.redirection
  }

  /// Of a page that another process opened: an element that was opened again may name another place.
  private func returnURLPrefix(of restored: RestoredAttempt) -> String {
    restored.source.flatMap { element($0)?.appReturnURL } ?? restored.returnURLPrefix ?? session.redirection
  }

  var redirectPolicy: RedirectPolicy {
    let prefix =
      attempt?.returnURLPrefix ?? presentable?.returnURLPrefix ?? restored.map { returnURLPrefix(of: $0) }
      ?? returnURLPrefix(of: primary?.id)
    return RedirectPolicy(
      allowLoopbackHTTP: options.allowLoopbackHTTP, hosts: options.redirectHosts, returnURLPrefix: prefix)
  }

  /// The id of the page that is opened next. A link of another attempt, checkout or day does not have it.
  var nextPresentation: String { "p\(next.presentation)-" + presentationTag }

  public func redirectVerdict(_ url: String) -> RedirectVerdict { redirectPolicy.verdict(for: url) }

  func write(_ action: RedirectAction, _ writer: inout JSONWriter) {
    writer.beginObject()
    switch action {
    case .get(let url):
      writer.member("kind", string: "get")
      writer.member("url", string: url)
    case .postForm(let url, let form):
      writer.member("kind", string: "postForm")
      writer.member("url", string: url)
      writer.member("formDataURLEncoded", string: form)
    case .postHTML(let html):
      writer.member("kind", string: "postHTML")
      writer.member("html", string: html)
    }
    writer.member("returnURLPrefix", string: redirectPolicy.returnURLPrefix)
    writer.key("surfaces")
    writer.array(action.surfaces(returningTo: redirectPolicy.returnURLPrefix)) { $1.string($0.name) }
    writer.endObject()
  }

  /// The page a script wants shown is refused before the host ever sees it.
  func isPresentable(_ action: RedirectAction) -> Bool {
    guard let url = action.startURL else { return true }
    return redirectPolicy.verdict(for: url) == .allow
  }

  mutating func openPresentation(
    _ action: RedirectAction, attempt: Int64, isLate: Bool, _ out: inout [Output]
  ) -> String {
    let id = nextPresentation
    _ = Core.draw(&next.presentation)
    presentation = Presentation(id: id, attempt: attempt, action: action, isLate: isLate)
    tell(.redirect, &out) { core, writer in
      writer.member("state", string: "open")
      writer.member("attempt", integer: attempt)
      writer.member("presentation", string: id)
      writer.key("action")
      core.write(action, &writer)
    }
    return id
  }

  /// Before the host is asked whether it takes the page over.
  mutating func tellRequiresAction(_ source: String, _ out: inout [Output]) {
    guard element(source) != nil else { return }
    tell(.element, &out) { _, writer in
      writer.member("element", string: source)
      writer.member("what", string: "requiresAction")
    }
  }

  /// The page is taken away when its attempt ends for another reason than the page itself.
  mutating func closePresentation(_ ending: Ending, _ out: inout [Output]) {
    guard let open = presentation, !open.isLate else { return }
    let reason =
      switch ending {
      case .returned, .completed: "returned"
      case .canceled: "canceled"
      case .failed: isTornDown ? "tornDown" : "failed"
      }
    tellClosed(open, reason, url: nil, &out)
  }

  private mutating func tellClosed(_ closed: Presentation, _ reason: String, url: String?, _ out: inout [Output]) {
    presentation = nil
    tell(.redirect, &out) { _, writer in
      writer.member("state", string: "closed")
      writer.member("attempt", integer: closed.attempt)
      writer.member("presentation", string: closed.id)
      writer.member("reason", string: reason)
      if let url { writer.member("url", string: url) }
    }
  }

  // MARK: Reports

  mutating func redirectReport(
    _ id: String, _ end: PresentationEnd, _ moment: Moment, _ out: inout [Output]
  ) throws(CheckoutError) -> (isLate: Bool, next: Next) {
    if case .returned(let url) = end, let url, redirectPolicy.verdict(for: url) != .returned {
      throw CheckoutError(.invalidArgument, message: "url is not the return URL", path: "url")
    }
    if let open = presentation, open.id == id {
      tellPaymentID(in: end.url, of: attempt?.source ?? presentable?.source, &out)
      if open.isLate {
        tellClosed(open, "late", url: end.url, &out)
        return (true, .rest)
      }
      if case .presentation = attempt?.wait {
        attempt?.wait = .script
      } else if case .returned = end {
        // It is asked about beside the page, and goes on without it.
        tellClosed(open, "returned", url: end.url, &out)
      }
      return (false, .script(.presented(end)))
    }
    if let restored, restored.presentation == id {
      // Its element may not be open yet: what a held return says is told when it is.
      reportRestored(restored, end, moment, &out)
      return (false, .rest)
    }
    throw CheckoutError(.ticketClosed)
  }

  // MARK: Presenting again

  mutating func presentAgain(
    _ attempt: Int64, _ tag: String?
  ) throws(CheckoutError) -> OpenCall {
    guard attempt >= 1, attempt < next.attempt else { throw CheckoutError(.invalidArgument, path: "attempt") }
    if hasAttempt { throw CheckoutError(.submitBlocked, details: blockerDetails(.submitBlocked)) }
    return OpenCall(id: Core.draw(&next.call), tag: tag)
  }

  mutating func startPresenting(_ call: OpenCall, _ attempt: Int64, _ moment: Moment, _ out: inout [Output]) {
    guard var again = presentable, again.attempt == attempt, again.call == nil, presentation == nil else {
      return result(of: call, &out) { $1.ignored() }
    }
    again.call = call
    presentationTag = moment.random.tag
    if let source = again.source { tellRequiresAction(source, &out) }
    guard isAsked(.redirection) else {
      presentable = again
      return answeredPresenting(again, .unset, moment, &out)
    }
    let question = Question.redirection(again.action)
    let ticket = openTicket(.redirection, question, deadline: options.hookTimeout, moment)
    again.ticket = ticket
    presentable = again
    if let change = takeChange() { out.append(.tell(.change, change)) }
    out.append(.ask(.redirection, ticket: ticket, text(of: question, presentation: nextPresentation)))
  }

  /// The session, or the checkout, is gone: a page of an ended attempt goes with it, and its call ends.
  mutating func endPresenting(_ reason: String, _ error: CheckoutError, _ out: inout [Output]) {
    let call = presentable?.call
    presentable = nil
    withdrawTickets(&out)
    if let open = presentation, open.isLate { tellClosed(open, reason, url: nil, &out) }
    if let call { failure(of: call, error, &out) }
  }

  mutating func answeredPresenting(
    _ again: Presentable, _ answer: HookAnswer, _ moment: Moment, _ out: inout [Output]
  ) {
    presentable?.call = nil
    presentable?.ticket = nil
    guard let call = again.call else { return }
    guard answer.isConsent else { return failure(of: call, CheckoutError(.postValidateFailed), &out) }
    if answer.takesOver { return result(of: call, &out) { $1.flag("takenOver") } }
    guard isPresentable(again.action) else { return failure(of: call, CheckoutError(.postValidateFailed), &out) }
    let id = openPresentation(again.action, attempt: again.attempt, isLate: true, &out)
    result(of: call, &out) { _, writer in
      writer.beginObject()
      writer.member("presentation", string: id)
      writer.endObject()
    }
  }
}

extension PresentationEnd {
  fileprivate var url: String? {
    if case .returned(let url) = self { return url }
    return nil
  }
}

extension HookAnswer {
  /// The host opens the page itself.
  public var takesOver: Bool {
    guard case .ok(let text) = self, let document = try? JSONDocument(parsing: text) else { return false }
    return document.root["takeOver"]?.boolean == true
  }
}

extension JSONWriter {
  mutating func ignored() { flag("ignored") }

  mutating func flag(_ name: String) {
    beginObject()
    member(name, boolean: true)
    endObject()
  }
}
