/// What was typed into a card form that is the library's own. Numbers and names stay in the store of secrets.
public struct CardFields: Hashable, Sendable {
  public var number: SecretID?
  public var securityCode: SecretID?
  public var holder: SecretID?
  public var expiry: CardExpiry?

  public init(
    number: SecretID? = nil, securityCode: SecretID? = nil, holder: SecretID? = nil, expiry: CardExpiry? = nil
  ) {
    self.number = number
    self.securityCode = securityCode
    self.holder = holder
    self.expiry = expiry
  }

  /// Everything that a payment needs was typed.
  var isComplete: Bool { number != nil && securityCode != nil && expiry != nil }

  var secrets: [SecretID] { [number, securityCode, holder].compactMap { $0 } }

  /// Puts a field in, and answers what it replaces.
  mutating func set(_ field: CardField) -> SecretID? {
    let before: SecretID?
    switch field {
    case .number(let secret):
      before = number
      number = secret
    case .securityCode(let secret):
      before = securityCode
      securityCode = secret
    case .holder(let secret):
      before = holder
      holder = secret
    case .expiry(let expiry):
      before = nil
      self.expiry = expiry
    }
    return before
  }
}

public struct CardExpiry: Hashable, Sendable {
  public var month: Int
  /// All four digits.
  public var year: Int

  public init(month: Int, year: Int) {
    self.month = month
    self.year = year
  }
}

/// One field; nil: emptied.
public enum CardField: Hashable, Sendable {
  case number(SecretID?)
  case securityCode(SecretID?)
  /// As it stands in a JSON text.
  case holder(SecretID?)
  case expiry(CardExpiry?)
}

extension Core {
  /// The form is this library's own, and not the host's.
  func ownsForm(_ element: Element) -> Bool { ownMethod(of: element)?.ownsForm == true }

  mutating func setField(_ id: String, _ field: CardField, _ out: inout [Output]) throws(CheckoutError) {
    guard let index = elementIndex(id) else { throw CheckoutError(.missingToken) }
    guard ownsForm(elements[index]) else { throw CheckoutError(.methodNotImplemented) }
    if let replaced = elements[index].card.set(field) { out.append(.forget(replaced)) }
    elements[index].isFormValid = elements[index].card.isComplete
    if isReady(elements[index]) != elements[index].toldReady { tellReady(id, &out) }
  }

  /// Wiped, unless a payment that is under way still has to send it: then when that ends.
  mutating func forgetCard(of element: Element, _ out: inout [Output]) {
    if attempt?.order.card == element.card, attempt?.source == element.id { return }
    for secret in element.card.secrets { out.append(.forget(secret)) }
  }

  mutating func forgetCards(_ out: inout [Output]) {
    for index in elements.indices {
      forgetCard(of: elements[index], &out)
      elements[index].card = CardFields()
      if ownsForm(elements[index]) { elements[index].isFormValid = false }
    }
  }

  /// What was sent is not kept; nor what no element holds any more.
  mutating func dropUsedCard(of attempt: Attempt, _ out: inout [Output]) {
    let card = attempt.order.card
    let index = elements.firstIndex { $0.id == attempt.source && $0.card == card }
    if index != nil, !attempt.hasUsedCard { return }
    for secret in card.secrets { out.append(.forget(secret)) }
    guard let index, card != CardFields() else { return }
    elements[index].card = CardFields()
    elements[index].isFormValid = false
  }
}
