import JSONText

extension Core {
  /// What a native step gave stays with its source until a request has used it.
  mutating func keep(collected text: String?) {
    guard let text, let attempt, !attempt.isFormStale, let source = attempt.source, let method = offeredMethod(source)
    else { return }
    let isAmountBound = method.nature == .native
    collected[source] = isAmountBound ? Core.bound(text, to: attempt.order.slices.last?.amount ?? 0) : text
  }

  // MARK: Opening

  /// `isWaiting`: its data are asked for first, and the call ends with them.
  mutating func openElement(_ open: ElementOpen) throws(CheckoutError) -> (call: OpenCall, isWaiting: Bool) {
    guard let source = try self.source(open.choice), let method = method(of: source) else {
      throw CheckoutError(.paymentMethodNotFound)
    }
    // Later it may be opened only to receive what a page brings back.
    if standing == .ready { try check(lasting(disabledState(of: source))) }
    if let url = open.appReturnURL { try checkReturnURL(url) }
    if case .item = source, method.needsReturnURL, open.appReturnURL == nil {
      throw CheckoutError(session.backEnd.badParameter, message: "this method needs appReturnURL", path: "appReturnURL")
    }
    let call = OpenCall(id: Core.draw(&next.call), tag: open.tag)
    let index = index(of: source, method)
    elements[index].presentsRedirects = open.presentsRedirects
    elements[index].appReturnURL = open.appReturnURL
    elements[index].asksSecurityCode = open.asksSecurityCode
    // The host asks again for what was refused.
    elements[index].initialization.refused = nil
    let isWaiting = wantsData(elements[index])
    if isWaiting { elements[index].initialization.calls.append(call) }
    return (call, isWaiting)
  }

  /// What the rest of the session cannot mend.
  private func lasting(_ state: DisabledState?) -> DisabledState? {
    state?.code.facts.flags.contains(.technical) == true ? state : nil
  }

  private mutating func index(of source: Source, _ method: PaymentMethod) -> Int {
    if let index = elementIndex(source.id) { return index }
    elements.append(Element(id: source.id, item: method.id, presentsRedirects: false))
    return elements.count - 1
  }

  /// A prefix under which no URL could ever be recognised as a return is a mistake of the host's.
  private func checkReturnURL(_ url: String) throws(CheckoutError) {
    let policy = RedirectPolicy(allowLoopbackHTTP: options.allowLoopbackHTTP, returnURLPrefix: url)
    guard policy.verdict(for: url) == .returned else {
      throw CheckoutError(
        session.backEnd.badParameter, message: "appReturnURL is not a return URL", path: "appReturnURL")
    }
  }

  mutating func finishOpen(_ call: OpenCall, _ id: String, _ moment: Moment, _ out: inout [Output]) {
    guard let element = element(id) else { return }
    result(of: call, &out) { core, writer in
      writer.beginObject()
      writer.key("element")
      core.write(element, &writer)
      if let data = core.freshData(of: element) { writer.member("init", raw: data.json) }
      writer.endObject()
    }
    if isReady(element) { tellReady(id, &out) }
    deliverHeldReturn(moment, &out)
  }

  /// `value`: JSON text of the one member more that `what` has, if it has one.
  @inline(never)
  mutating func tellElement(_ id: String, _ what: String, _ key: String, _ value: String, _ out: inout [Output]) {
    tell(.element, &out) { _, writer in
      writer.member("element", string: id)
      writer.member("what", string: what)
      if !key.isEmpty { writer.member(key, raw: value) }
    }
  }

  mutating func tellReady(_ id: String, _ out: inout [Output]) {
    guard let index = elementIndex(id) else { return }
    let isReady = isReady(elements[index])
    elements[index].toldReady = isReady
    tellElement(id, "ready", "isReady", isReady ? "true" : "false", &out)
  }

  // MARK: Closing

  /// Closing drops the form; the choice of the primary stays.
  mutating func closeElement(_ id: String, _ moment: Moment, _ out: inout [Output]) throws(CheckoutError) {
    guard let index = elementIndex(id) else { throw CheckoutError(.missingToken) }
    endInitialization(index, &out)
    let calls = elements[index].initialization.calls
    if !hasLeft { stop(attemptOf: id, .canceled, moment, &out) }
    if let element = element(id) { forgetCard(of: element, &out) }
    elements.removeAll { $0.id == id }
    for call in calls { result(of: call, &out) { $1.ignored() } }
  }

  mutating func closeElements(of ids: [String], _ reason: DisabledCode, _ out: inout [Output]) {
    for element in elements where ids.contains(element.id) {
      if let index = elementIndex(element.id) { endInitialization(index, &out) }
      forgetCard(of: element, &out)
      elements.removeAll { $0.id == element.id }
      for call in element.initialization.calls { failure(of: call, CheckoutError(.paymentMethodNotFound), &out) }
      tellElement(element.id, "closed", "reason", "\"" + reason.facts.text + "\"", &out)
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
