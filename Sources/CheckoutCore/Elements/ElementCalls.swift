import JSONText

extension Core {
  /// What a card's form gave stays with its source until a request has used it.
  mutating func keep(collected text: String?) {
    guard let text, let attempt, !attempt.isFormStale, let source = attempt.source, offeredMethod(source) != nil
    else { return }
    collected[source] = text
  }

  func element(_ id: String) -> Element? { elements.first { $0.id == id } }

  func hasUI(_ element: Element) -> Bool {
    guard element.id == element.item else { return false }
    return offeredMethod(element.item)?.hasUI == true && technical[element.id] != .fatal
  }

  /// Usable: the form is valid, or there is nothing to fill.
  func isReady(_ element: Element) -> Bool {
    if technical[element.id] != nil { return false }
    guard element.id == element.item, let method = offeredMethod(element.item) else { return true }
    return method.nature == .card ? element.isFormValid : true
  }

  mutating func openElement(_ open: ElementOpen) throws(CheckoutError) -> OpenCall {
    guard let source = try self.source(open.choice), let method = method(of: source) else {
      throw CheckoutError(.paymentMethodNotFound)
    }
    if technical[source.id] == .fatal { throw CheckoutError(.methodDisabled) }
    if let url = open.appReturnURL { try checkReturnURL(url) }
    if let index = elements.firstIndex(where: { $0.id == source.id }) {
      elements[index].presentsRedirects = open.presentsRedirects
      elements[index].appReturnURL = open.appReturnURL
    } else {
      elements.append(
        Element(
          id: source.id, item: method.id, presentsRedirects: open.presentsRedirects, appReturnURL: open.appReturnURL))
    }
    return OpenCall(id: Core.draw(&next.call), tag: open.tag)
  }

  /// A prefix under which no URL could ever be recognised as a return is a mistake of the host's.
  private func checkReturnURL(_ url: String) throws(CheckoutError) {
    let policy = RedirectPolicy(allowLoopbackHTTP: options.allowLoopbackHTTP, returnURLPrefix: url)
    guard policy.verdict(for: url) == .returned else {
      throw CheckoutError(.invalidInitParams, message: "appReturnURL is not a return URL", path: "appReturnURL")
    }
  }

  mutating func finishOpen(_ call: OpenCall, _ id: String, _ moment: Moment, _ out: inout [Output]) {
    guard let element = element(id) else { return }
    result(of: call, &out) { core, writer in
      writer.beginObject()
      writer.key("element")
      core.write(element, &writer)
      writer.endObject()
    }
    if isReady(element) { tellReady(element, &out) }
    deliverHeldReturn(moment, &out)
  }

  func tellReadyChange(from wasReady: Bool, _ id: String) -> Element? {
    guard let element = element(id), isReady(element) != wasReady else { return nil }
    return element
  }

  mutating func tellReady(_ element: Element, _ out: inout [Output]) {
    let isReady = isReady(element)
    tell(.element, &out) { _, writer in
      writer.member("element", string: element.id)
      writer.member("what", string: "ready")
      writer.member("isReady", boolean: isReady)
    }
  }

  /// What the host knows. Once a payment's request has left, it waits until the attempt is over.
  mutating func report(
    _ id: String, _ report: ElementReport, _ moment: Moment, _ out: inout [Output]
  ) throws(CheckoutError) {
    guard element(id) != nil else { throw CheckoutError(.missingToken) }
    if hasAttempt, hasLeft {
      attempt?.queue(report, of: id)
      return
    }
    apply(report, to: id, moment, &out)
  }

  mutating func apply(_ report: ElementReport, to id: String, _ moment: Moment, _ out: inout [Output]) {
    guard let before = element(id) else { return }
    let wasReady = isReady(before)
    switch report {
    case .ready:
      if technical[id] == .recoverable { technical[id] = nil }
    case .formValidity(let isValid):
      setFormValidity(isValid, of: id)
    case .canceled:
      stop(attemptOf: id, .canceled, moment, &out)
    case .initFailed, .clientError:
      fail(id, .fatal, moment, &out)
    case .partnerError(_, let recoverable):
      fail(id, recoverable ? .recoverable : .fatal, moment, &out)
    case .endOfSession:
      isTerminated = true
      stopAttempt(.partner(CheckoutError(.partnerUIError)), moment, &out)
    }
    if let element = tellReadyChange(from: wasReady, id) { tellReady(element, &out) }
  }

  private mutating func setFormValidity(_ isValid: Bool, of id: String) {
    guard let index = elements.firstIndex(where: { $0.id == id }) else { return }
    elements[index].isFormValid = isValid
    // The form changed: what an earlier collect answered no longer speaks of it.
    collected[id] = nil
    if attempt?.source == id { attempt?.isFormStale = true }
  }

  private mutating func fail(_ id: String, _ state: TechnicalState, _ moment: Moment, _ out: inout [Output]) {
    // Final for the session: a later recoverable failure does not soften it.
    if technical[id] != .fatal { technical[id] = state }
    stop(attemptOf: id, .partner(CheckoutError(.partnerUIError)), moment, &out)
    if technical[id] == .fatal, primary?.id == id { primary = nil }
  }

  private mutating func stop(
    attemptOf id: String, _ reason: Attempt.Stop, _ moment: Moment, _ out: inout [Output]
  ) {
    if attempt?.source == id { stopAttempt(reason, moment, &out) }
  }

  /// Closing drops the form; the choice of the primary stays.
  mutating func closeElement(_ id: String, _ moment: Moment, _ out: inout [Output]) throws(CheckoutError) {
    guard element(id) != nil else { throw CheckoutError(.missingToken) }
    if !hasLeft { stop(attemptOf: id, .canceled, moment, &out) }
    elements.removeAll { $0.id == id }
  }

  mutating func closeElements(of ids: [String], _ reason: String, _ out: inout [Output]) {
    for element in elements where ids.contains(element.id) {
      elements.removeAll { $0.id == element.id }
      tell(.element, &out) { _, writer in
        writer.member("element", string: element.id)
        writer.member("what", string: "closed")
        writer.member("reason", string: reason)
      }
    }
  }
}

extension ElementOpen {
  var id: String {
    switch choice {
    case .item(let id), .token(let id): id
    case .none: ""
    }
  }
}
