/// Gift card numbers mean what happens when they are read: sixteen digits, the first two say what.
///
///     60 SSSSSS BBBBBBBB   balance B (hundredths); S makes cards different
///     61 000000 0000000K   refused for reason K
///     62 WWWWWW BBBBBBBB   WAITING W times, then balance B
///     63 WWWWWW 0000000K   WAITING W times, then refused for reason K
///     64 ------ --------   WAITING for ever
enum GiftCardNumbers {
  /// What the issuer says of a card.
  enum Reading: Hashable {
    case balance(hundredths: Int64)
    case waiting
    case refused(code: String)
    /// The issuer's own failure, an HTTP status of its own.
    case technicalError
  }

  /// The code that is wrong for every card.
  static let wrongCode = "0000"

  /// Reasons of `61`; 5 is the technical error.
  static let refusals: [Int64: String] = [
    1: "CARD_EXPIRED", 2: "WRONG_CARD_DATA", 3: "UNKNOWN_CARD", 4: "DUPLICATED_TRANSACTION", 6: "BLOCKED_CARD",
    7: "CARD_IS_NOT_ACTIVE",
  ]

  /// Reasons of `63`.
  static let lateRefusals: [Int64: String] = [
    1: "ABORTED_BY_CUSTOMER", 2: "EXPIRED_AUTHORIZATION", 3: "DUPLICATED_TRANSACTION",
  ]

  /// A saved card's value says what it holds: `wgc_BBBB_N`, in hundredths. Another `wgc_` is a card that was blocked.
  private static func savedReading(_ value: String) -> Reading? {
    guard value.hasPrefix("wgc_") else { return nil }
    let parts = value.split(separator: "_")
    guard parts.count == 3, let hundredths = Int64(parts[1]), hundredths >= 0 else {
      return .refused(code: "BLOCKED_CARD")
    }
    return .balance(hundredths: hundredths)
  }

  /// What the issuer says when asked for the `asked`-th time (counted from 1).
  static func reading(number: String, code: String?, asked: Int64) -> Reading {
    if let saved = savedReading(number) { return saved }
    guard number.utf8.count == 16, let all = Int64(number), all >= 0 else { return .refused(code: "UNKNOWN_CARD") }
    if code == wrongCode { return .refused(code: "WRONG_CARD_DATA") }
    let kind = all / 100_000_000_000_000
    let waits = all / 100_000_000 % 1_000_000
    let last = all % 100_000_000
    switch kind {
    case 60: return .balance(hundredths: last)
    case 61 where last == 5: return .technicalError
    case 61: return .refused(code: refusals[last] ?? "UNKNOWN_CARD")
    case 62: return asked > waits ? .balance(hundredths: last) : .waiting
    case 63: return asked > waits ? .refused(code: lateRefusals[last] ?? "UNKNOWN_CARD") : .waiting
    case 64: return .waiting
    default: return .refused(code: "UNKNOWN_CARD")
    }
  }
}
