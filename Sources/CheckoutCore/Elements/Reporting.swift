import JSONText

extension Core {
  /// What the host knows. Once a payment's request has left, it waits until the attempt is over.
  mutating func report(
    _ id: String, _ report: ElementReport, _ moment: Moment, _ out: inout [Output]
  ) throws(CheckoutError) {
    guard let element = element(id) else { throw CheckoutError(.missingToken) }
    try check(report, of: element)
    if hasAttempt, hasLeft {
      attempt?.queue(report, of: id)
      return
    }
    apply(report, to: id, moment, &out)
  }

  /// What cannot be true of this element.
  private func check(_ report: ElementReport, of element: Element) throws(CheckoutError) {
    switch report {
    case .brands, .formValidity:
      // A form that is none changes nothing.
      break
    case .brandSelected(let brand):
      var brands = element.brands
      try brands.select(brand, supported: supportedBrands(element))
    default:
      break
    }
  }

  private func supportedBrands(_ element: Element) -> [String] {
    showsCardForm(element) ? session.method(element.item)?.brands ?? [] : []
  }

  mutating func apply(_ report: ElementReport, to id: String, _ moment: Moment, _ out: inout [Output]) {
    guard let index = elementIndex(id) else { return }
    switch report {
    case .ready:
      elements[index].isWidgetReady = true
      if technical[id] == .recoverable { technical[id] = nil }
    case .formValidity where ownsForm(elements[index]):
      // This library sees for itself.
      break
    case .formValidity(let isValid):
      elements[index].isFormValid = isValid
      formChanged(id)
    case .brands(let brands):
      let before = elements[index].brands.selected
      elements[index].brands.detect(brands, supported: supportedBrands(elements[index]))
      if elements[index].brands.selected != before { formChanged(id) }
    case .brandSelected(let brand):
      let supported = supportedBrands(elements[index])
      if (try? elements[index].brands.select(brand, supported: supported)) != nil { formChanged(id) }
    case .approved:
      // It chooses and pays in one step, or is refused: nothing of it is left for later.
      break
    case .canceled:
      stop(attemptOf: id, .canceled, moment, &out)
    case .redirect:
      tellElement(id, "requiresAction", "", "", &out)
    case .initFailed:
      fail(id, elements[index].id == elements[index].item ? .fatal : .initFailed, moment, &out)
    case .clientError:
      fail(id, .fatal, moment, &out)
    case .partnerError(_, let recoverable):
      fail(id, recoverable ? .recoverable : .fatal, moment, &out)
    case .endOfSession:
      isTerminated = true
      stopAttempt(.partner(CheckoutError(.partnerUIError)), moment, &out)
    }
    if let element = element(id), isReady(element) != element.toldReady { tellReady(id, &out) }
    relay(report, of: id, &out)
  }

  /// What an earlier collect answered no longer speaks of the form.
  private mutating func formChanged(_ id: String) {
    collected[id] = nil
    if attempt?.source == id { attempt?.isFormStale = true }
  }

  private mutating func fail(_ id: String, _ state: TechnicalState, _ moment: Moment, _ out: inout [Output]) {
    if let index = elementIndex(id) { elements[index].isWidgetReady = false }
    markFailed(id, state)
    stop(attemptOf: id, .partner(CheckoutError(.partnerUIError)), moment, &out)
  }

  mutating func stop(attemptOf id: String, _ reason: Attempt.Stop, _ moment: Moment, _ out: inout [Output]) {
    // While the host decides about a payment its shopper cannot leave it.
    if attempt?.source == id, !isAwaitingDecision { stopAttempt(reason, moment, &out) }
  }

  // MARK: Approval

  /// A wallet names itself primary and pays, in one step that is refused whole.
  mutating func approve(
    _ id: String, _ paymentData: String?, _ others: RegisterView, _ moment: Moment
  ) throws(CheckoutError) -> Attempt {
    guard let element = element(id) else { throw CheckoutError(.missingToken) }
    guard isSelfSubmitting(element) else { throw CheckoutError(.methodNotImplemented) }
    try permit(.submit)
    try setPrimary(.item(id))
    if let paymentData { collected[id] = Core.bound(paymentData, to: remaining) }
    return try accept(Submit(source: nil, skipsBeforeValidate: false), others, moment)
  }

  // MARK: Telling

  /// Partners' events, told after the checkout has reacted to them. Their words may quote a number or an amount: digits
  /// are masked, as in monitoring.
  private mutating func relay(_ report: ElementReport, of id: String, _ out: inout [Output]) {
    guard let name = report.pluginEvent, !isTornDown else { return }
    tell(.plugin, &out) { _, writer in
      writer.member("element", string: id)
      writer.member("event", string: name)
      if let message = report.message { writer.member("message", string: MaskedText(message).text) }
      if case .partnerError(_, let recoverable) = report { writer.member("recoverable", boolean: recoverable) }
    }
  }
}

extension ElementReport {
  /// What a partner's part says; nil for what the host's own form does.
  var pluginEvent: String? {
    switch self {
    case .ready: "ready"
    case .canceled: "canceled"
    case .redirect: "redirect"
    case .initFailed: "initFailed"
    case .clientError: "clientError"
    case .partnerError: "partnerError"
    case .endOfSession: "endOfSession"
    case .formValidity, .brands, .brandSelected, .approved: nil
    }
  }

  var message: String? {
    switch self {
    case .initFailed(let message), .clientError(let message), .partnerError(let message, _): message
    default: nil
    }
  }
}
