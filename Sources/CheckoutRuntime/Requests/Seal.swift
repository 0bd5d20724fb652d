import CSystem
import CheckoutCore
import JSONText

/// Seals gift cards of one session under the host's key, and opens them again. Numbers and key stay in the store.
struct Seal {
  let store: OpaquePointer
  let key: SecretID
  let session: String

  /// What the saved state may hold of a card that was typed; nil when there is no randomness to seal it with.
  func sealed(_ read: ReadSecondary) -> String? {
    let context = context(item: read.item, mask: read.number.mask)
    var nonce = [UInt8](repeating: 0, count: 24)
    var sealed = [UInt8](repeating: 0, count: Int(HCS_SEALED_LENGTH))
    guard hcs_random(&nonce, nonce.count) == 0,
      hcs_seal(
        store, key.value, nonce, read.number.secret.value, read.securityCode?.secret.value ?? 0, context,
        context.count, &sealed) == 0
    else { return nil }
    return Base64.encode(sealed)
  }

  /// Gives each sealed card its number, or says that this key does not open it.
  func open(_ saved: inout SavedState) {
    for card in saved.sealedCards {
      let context = context(item: card.item, mask: card.mask)
      let sealed = Base64.decode(card.sealed) ?? []
      var number: UInt64 = 0
      var code: UInt64 = 0
      if hcs_open(store, key.value, sealed, sealed.count, context, context.count, &number, &code) == 0 {
        saved.open(card, number: SecretID(number), securityCode: code == 0 ? nil : SecretID(code))
      } else {
        saved.leaveUnopened(card)
      }
    }
  }

  /// A seal belongs to this card of this session: moved elsewhere, it does not open.
  private func context(item: String, mask: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginArray()
    for part in ["headless checkout, gift card, 1", session, item, mask] { writer.string(part) }
    writer.endArray()
    return Array(writer.text.utf8)
  }
}
