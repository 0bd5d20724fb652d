import JSONText

// What an element is, derived from its method, its reports and its data.
extension Core {
  func element(_ id: String) -> Element? { elements.first { $0.id == id } }

  func elementIndex(_ id: String) -> Int? { elements.firstIndex { $0.id == id } }

  /// The method that an element shows itself; nil for a saved instrument's.
  func ownMethod(of element: Element) -> PaymentMethod? {
    element.id == element.item ? offeredMethod(element.item) : nil
  }

  /// A card's form, whole or for its security code alone.
  func showsCardForm(_ element: Element) -> Bool {
    if let method = ownMethod(of: element) { return method.nature == .card }
    guard let token = offeredToken(element.id) else { return false }
    return needsCode(token)
  }

  func needsCode(_ token: PaymentToken) -> Bool {
    session.method(token.item).map { needsSecurityCode(token, of: $0) } ?? false
  }

  /// The elements in which the host wants a security code asked for, in one text.
  var codeElements: String {
    var ids = ""
    for element in elements where element.asksSecurityCode { ids += element.id + "\n" }
    return ids
  }

  /// Nothing is shown of what failed for good, or of a saved instrument that asks for nothing.
  func hasUI(_ element: Element) -> Bool {
    if isFailedForGood(element.id) { return false }
    return ownMethod(of: element)?.hasUI ?? showsCardForm(element)
  }

  func hasUI(_ method: PaymentMethod) -> Bool { method.hasUI && !isFailedForGood(method.id) }

  func hasUI(_ token: PaymentToken) -> Bool {
    needsCode(token) && disabledState(of: token)?.code.facts.flags.contains(.technical) != true
  }

  func isSelfSubmitting(_ element: Element) -> Bool { ownMethod(of: element)?.isSelfSubmitting == true }

  /// Usable: the form is valid, the widget is there with data that still hold, or there is nothing to show.
  func isReady(_ element: Element) -> Bool {
    if technical[element.id] != nil { return false }
    if showsCardForm(element) { return element.isFormValid }
    guard let method = ownMethod(of: element), method.nature == .native else { return true }
    return element.isWidgetReady && (!method.initializesAtOpen || freshData(of: element) != nil)
  }

  // MARK: Data

  /// What a primary would pay now.
  var initializationBasis: Initialization.Basis { Initialization.Basis(session: session.id, amount: remaining) }

  /// Its data, if they are for what it would pay now.
  func freshData(of element: Element) -> InitData? {
    element.initialization.basis == initializationBasis ? element.initialization.data : nil
  }

  /// The amount or the session has moved since it was initialised.
  func isStale(_ element: Element) -> Bool { element.initialization.data != nil && freshData(of: element) == nil }

  // MARK: JSON

  func write(_ element: Element, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("element", string: element.id)
    writer.member("hasUI", boolean: hasUI(element))
    writer.member("selfSubmitting", boolean: isSelfSubmitting(element))
    writer.member("isReady", boolean: isReady(element))
    writer.member("stale", boolean: isStale(element))
    writer.key("card")
    if showsCardForm(element) { writeCard(element, &writer) } else { writer.null() }
    writer.endObject()
  }

  private func writeCard(_ element: Element, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("tenantId", optionalString: session.tenantID)
    writer.member("securityCodeOnly", boolean: element.id != element.item)
    writer.key("supportedBrands")
    writer.array(session.method(element.item)?.brands ?? []) { $1.string($0) }
    writer.key("detectedBrands")
    writer.array(element.brands.detected) { $1.string($0) }
    writer.member("selectedBrand", optionalString: element.brands.selected)
    writer.member("isFormValid", boolean: element.isFormValid)
    writer.endObject()
  }
}
