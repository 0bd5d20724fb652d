extension TypedCardNumber {
  /// CheckoutComponents' rule. With no network allowed by name, network and its lengths are not looked at.
  ///
  /// `known` are the card's networks by the back end's word, where it gave it: a card is supported when one of them is
  /// allowed, whatever its first digits say.
  public func fault(allowed: [CardNetwork], known: [CardNetwork] = []) -> FieldFault? {
    if isBlank { return .required }
    guard isNumeric, TypedCardNumber.lengths.contains(digits), passesLuhn else { return .invalid }
    if allowed.isEmpty { return nil }
    let network = leading.network
    guard isAllowed(network, allowed, known) else { return .unsupportedCardType }
    return network?.rules?.allows(length: digits) == false ? .invalid : nil
  }

  private func isAllowed(_ network: CardNetwork?, _ allowed: [CardNetwork], _ known: [CardNetwork]) -> Bool {
    for network in known where allowed.contains(network) { return true }
    guard known.isEmpty, let network else { return false }
    return allowed.contains(network)
  }

  /// The rule of headless raw data, which sees digits alone.
  public var isValidRaw: Bool {
    if let rules = leading.network?.rules, !rules.allows(length: digits) { return false }
    return TypedCardNumber.lengths.contains(digits) && passesLuhn
  }
}
