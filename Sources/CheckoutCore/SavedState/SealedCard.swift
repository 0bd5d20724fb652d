/// A gift card of a snapshot.
struct SavedGiftCard: Hashable {
  var token: SecondaryToken
  var hasHandle: Bool
  /// The wallet keeps it.
  var isSaved = false
  /// There is a key, but not the one that it was sealed with; or the snapshot was edited.
  var isUnopened = false

  /// Why it could not be paid with; nil when it can. `rule`: of its method, nil when that is not offered.
  func reasonToDrop(_ rule: GiftCardRule?) -> String? {
    guard let rule else { return "notOffered" }
    if isSaved { return token.walletValue == nil ? "notOffered" : nil }
    if rule.paysByHandle ? hasHandle : token.number != nil { return nil }
    return isUnopened ? "cannotBeOpened" : "needsNumber"
  }
}

/// A gift card whose number a snapshot holds sealed. Whoever has the key opens it before the snapshot is restored.
public struct SealedCard: Hashable, Sendable {
  let index: Int
  public let item: String
  public let mask: String
  public let sealed: String
}

extension SavedState {
  public var sealedCards: [SealedCard] {
    giftCards.indices.compactMap { index in
      let token = giftCards[index].token
      return token.sealed.map { SealedCard(index: index, item: token.item, mask: token.mask, sealed: $0) }
    }
  }

  public mutating func open(_ card: SealedCard, number: SecretID, securityCode: SecretID?) {
    guard giftCards.indices.contains(card.index) else { return }
    giftCards[card.index].token.number = number
    giftCards[card.index].token.securityCode = securityCode
  }

  public mutating func leaveUnopened(_ card: SealedCard) {
    guard giftCards.indices.contains(card.index) else { return }
    giftCards[card.index].isUnopened = true
  }

  /// All numbers and codes that it was given: to be wiped when it cannot be restored.
  public var secrets: [SecretID] {
    giftCards.flatMap { [$0.token.number, $0.token.securityCode].compactMap { $0 } }
  }
}
