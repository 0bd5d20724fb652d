import JSONText

// Elements whose partner's data come from `/init`, and are for one amount of one session. When either moves the element
// is not ready, and is initialised again: one request at a time, for what it would pay then.
extension Core {
  /// The next element that wants its data, and what it is to be asked for.
  func wantedInitialization() -> (id: String, order: ElementOrder)? {
    for element in elements where element.initialization.request == nil && wantsData(element) {
      guard let method = ownMethod(of: element) else { continue }
      return (element.id, ElementOrder(method: method, amount: remaining, currency: session.currency))
    }
    return nil
  }

  /// It has none for what it would pay now, and nothing speaks against asking.
  func wantsData(_ element: Element) -> Bool {
    guard ownMethod(of: element)?.initializesAtOpen == true, standing == .ready, primarySendsSlice,
      !isFailedForGood(element.id)
    else { return false }
    let basis = initializationBasis
    return element.initialization.basis != basis && element.initialization.refused != basis
  }

  mutating func initialize(_ id: String, _ request: Request, _ moment: Moment, _ out: inout [Output]) {
    guard let index = elementIndex(id) else { return }
    elements[index].initialization.asked = initializationBasis
    elements[index].initialization.request = send(request, moment, &out)
    publication.isDue = true
  }

  mutating func finishInitialization(
    _ id: String, _ reading: ElementReading, _ moment: Moment, _ out: inout [Output]
  ) {
    guard let index = elementIndex(id), let request = elements[index].initialization.request else { return }
    forget(request)
    let asked = elements[index].initialization.asked
    elements[index].initialization.request = nil
    elements[index].initialization.asked = nil
    switch reading {
    case .read(let data):
      elements[index].initialization.data = data
      elements[index].initialization.basis = asked
      elements[index].initialization.refused = nil
      // The widget has to be shown anew with them.
      elements[index].isWidgetReady = false
      // The amount may have moved while they were on their way: then they are asked for again.
      if !wantsData(elements[index]) { initialized(id, data, moment, &out) }
    case .refused(let details):
      elements[index].initialization.refused = asked
      refuse(id, CheckoutError(.partnerUIError, moved: .no, details: details), &out)
    }
  }

  private mutating func initialized(_ id: String, _ data: InitData, _ moment: Moment, _ out: inout [Output]) {
    guard let index = elementIndex(id) else { return }
    let calls = elements[index].initialization.calls
    elements[index].initialization.calls = []
    guard calls.isEmpty else {
      for call in calls { finishOpen(call, id, moment, &out) }
      return
    }
    tellElement(id, "initialized", "init", data.json, &out)
  }

  /// One that was never there leaves its item usable: it can be opened again. One that was is stale and stays so.
  private mutating func refuse(_ id: String, _ error: CheckoutError, _ out: inout [Output]) {
    guard let index = elementIndex(id) else { return }
    let calls = elements[index].initialization.calls
    elements[index].initialization.calls = []
    if elements[index].initialization.data == nil { elements.remove(at: index) }
    guard calls.isEmpty else {
      for call in calls { failure(of: call, error, &out) }
      return
    }
    tellElement(id, "initFailed", "error", error.json, &out)
  }

  /// Nothing is waited for any more.
  mutating func endInitialization(_ index: Int, _ out: inout [Output]) {
    guard let request = elements[index].initialization.request else { return }
    elements[index].initialization.request = nil
    elements[index].initialization.asked = nil
    forget(request)
    out.append(.cancel(request))
  }

  mutating func endInitializations(_ error: CheckoutError, _ out: inout [Output]) {
    for index in elements.indices {
      endInitialization(index, &out)
      let calls = elements[index].initialization.calls
      elements[index].initialization.calls = []
      for call in calls { failure(of: call, error, &out) }
    }
  }

  /// Of another session nothing that is bound to an amount survives; who waits for an element waits on.
  mutating func dropAmountBound(_ out: inout [Output]) {
    for index in elements.indices {
      endInitialization(index, &out)
      elements[index].initialization.refused = nil
    }
    for method in methods where method.nature == .native { collected[method.id] = nil }
  }

  /// Readiness follows the split, too, and nobody waits for data that are not on their way.
  mutating func settleElements(_ moment: Moment, _ out: inout [Output]) {
    for element in elements {
      if element.initialization.request == nil, !element.initialization.calls.isEmpty,
        let index = elementIndex(element.id)
      {
        elements[index].initialization.calls = []
        for call in element.initialization.calls { finishOpen(call, element.id, moment, &out) }
      }
      guard let element = self.element(element.id), isReady(element) != element.toldReady else { continue }
      tellReady(element.id, &out)
    }
  }

  /// A wallet's approval and a widget's answer are for one amount.
  func prepared(_ text: String, for amount: Int64) -> String? {
    guard let root = try? JSONDocument(parsing: text).root, root["amount"]?.int64 == amount else { return nil }
    return root["data"]?.compactText
  }

  static func bound(_ data: String, to amount: Int64) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("amount", integer: amount)
    writer.member("data", raw: data)
    writer.endObject()
    return writer.text
  }
}
