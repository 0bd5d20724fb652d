import CheckoutRuntime
import JSONText
import PurseProvider

@testable import CheckoutCore

/// Every snapshot that was ever stored, each once: two that restore to the same state are one.
final class Disk {
  private struct Stored {
    var text: String
    var restored: [Int: Checkout<BackEnd>] = [:]
  }

  private let options: CheckoutOptions
  private var stored: [Stored] = []
  private var new: [Int: Checkout<BackEnd>?] = [:]
  private var byText: [UInt64: Int] = [:]
  private var byPrint: [UInt64: Int] = [:]
  private(set) var prints: [UInt64] = []
  private(set) var violation: String?
  var texts: Int { byText.count }
  var count: Int { stored.count }

  init(_ options: CheckoutOptions) { self.options = options }

  /// The place of a checkpoint's snapshot, from the JSON that the hook got.
  func store(_ checkpoint: String) -> Int {
    let textPrint = Print.of(checkpoint)
    if let known = byText[textPrint] { return known }
    let text = World.parse(checkpoint)["snapshot"]?.string ?? ""
    let candidate = Stored(text: text)
    let checkout = restore(text, 0)
    let print = checkout.map { Print.of(checkout: $0) } ?? textPrint
    let index: Int
    if let same = byPrint[print] {
      index = same
    } else {
      index = stored.count
      stored.append(candidate)
      prints.append(print)
      byPrint[print] = index
    }
    byText[textPrint] = index
    return index
  }

  /// What a restart makes of it.
  func restored(_ index: Int, _ time: Int) -> Checkout<BackEnd>? {
    if let known = stored[index].restored[time] { return known }
    let checkout = restore(stored[index].text, time)
    stored[index].restored[time] = checkout
    return checkout
  }

  /// What a host makes that has stored nothing; nil: the session is refused by now.
  func fresh(_ time: Int) -> Checkout<BackEnd>? {
    if let known = new[time] { return known }
    let checkout = try? SmallWorld.fresh(time, options)
    new[time] = checkout
    return checkout
  }

  private func restore(_ text: String, _ time: Int) -> Checkout<BackEnd>? {
    var out: [Output] = []
    var reply = ""
    do throws(CheckoutError) {
      var checkout = try Checkout<BackEnd>(
        restoring: SavedState(Array(text.utf8)), options, World.roots, .alone,
        SmallWorld.moment(time, key: 0), &out, reply: &reply)
      SmallWorld.quiet(&checkout, time)
      return checkout
    } catch {
      violation = "I6: a stored checkpoint is refused: \(error.code) \(error.path ?? "")"
      return nil
    }
  }
}
