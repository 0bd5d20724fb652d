/// The networks of one card, beside those that the session allows.
public struct NetworkChoice: Hashable, Sendable {
  /// The card's networks that are allowed, in the session's order.
  public let selectable: [CardNetwork]
  /// Those, and then the card's others.
  public let detected: [CardNetwork]

  public init(allowed: [CardNetwork], networks: [CardNetwork]) {
    var selectable: [CardNetwork] = []
    for network in allowed where networks.contains(network) && !selectable.contains(network) {
      selectable.append(network)
    }
    var detected = selectable
    for network in networks where !detected.contains(network) { detected.append(network) }
    self.selectable = selectable
    self.detected = detected
  }

  /// The one to pay with when the shopper picks none.
  public var preferred: CardNetwork? { selectable.first }

  /// Chosen for the shopper where there is a network among several that nobody may pick.
  public var autoSelected: CardNetwork? {
    guard selectable.count > 1 else { return nil }
    for network in selectable where !network.allowsUserSelection { return selectable.first }
    return nil
  }
}

/// The shopper's pick of a network: it outlives keystrokes, but not its own offer.
public struct NetworkPick: Hashable, Sendable {
  public private(set) var picked: CardNetwork?

  public init() {}

  /// False for a network that is not offered, or that nobody may pick: nothing changes. `other` takes the pick back.
  public mutating func pick(_ network: CardNetwork, _ choice: NetworkChoice) -> Bool {
    if network == .other {
      picked = nil
      return true
    }
    guard network.allowsUserSelection, choice.selectable.contains(network) else { return false }
    picked = network
    return true
  }

  /// What the card is known to be has changed, or was told again.
  public mutating func follow(_ choice: NetworkChoice) {
    if let picked, !choice.selectable.contains(picked) { self.picked = nil }
  }

  /// The network that would be paid with.
  public func selected(_ choice: NetworkChoice) -> CardNetwork? {
    picked ?? choice.autoSelected ?? choice.preferred
  }
}
