import JSONText

/// Why an item cannot be used now, with the numbers that say what would mend it.
public struct DisabledState: Hashable, Sendable {
  public var code: DisabledCode
  public var numbers: Numbers

  /// What an amount-driven state is about. All in minor units.
  public enum Numbers: Hashable, Sendable {
    case none
    /// `mend`: how much less of which gift cards would do.
    case belowMinimum(minAmount: Int64, restToPay: Int64, mend: [Mend])
    case aboveMaximum(maxAmount: Int64, restToPay: Int64)
    case unreachable(minAmount: Int64?, maxAmount: Int64?, orderAmount: Int64)
  }

  /// One gift card's part in making room for a primary's minimum.
  public struct Mend: Hashable, Sendable {
    public var token: String
    /// How much less it must give.
    public var less: Int64
    /// What it gives then; 0: it is taken out.
    public var amount: Int64
  }

  init(_ code: DisabledCode, _ numbers: Numbers = .none) {
    self.code = code
    self.numbers = numbers
  }

  static func minAmountNotMet(_ minAmount: Int64, restToPay: Int64, mend: [Mend]) -> DisabledState {
    DisabledState(.minAmountNotMet, .belowMinimum(minAmount: minAmount, restToPay: restToPay, mend: mend))
  }

  static func maxAmountExceeded(_ maxAmount: Int64, restToPay: Int64) -> DisabledState {
    DisabledState(.maxAmountExceeded, .aboveMaximum(maxAmount: maxAmount, restToPay: restToPay))
  }

  func write(to writer: inout JSONWriter) {
    let facts = code.facts
    writer.beginObject()
    writer.member("code", string: facts.text)
    writer.member("messageKey", string: facts.messageKey)
    writer.member("message", string: facts.message)
    writer.key("details")
    numbers.write(to: &writer)
    writer.member("isFiltered", boolean: facts.flags.contains(.filtered))
    writer.member("isTechnical", boolean: facts.flags.contains(.technical))
    writer.member("requiresUIClear", boolean: facts.flags.contains(.requiresUIClear))
    writer.member("isRecoverable", boolean: facts.flags.contains(.recoverable))
    writer.member("isAmountDriven", boolean: facts.flags.contains(.amountDriven))
    writer.endObject()
  }

  /// The JSON of a refusal's details.
  var json: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }
}

extension DisabledState.Numbers {
  fileprivate func write(to writer: inout JSONWriter) {
    if case .none = self { return writer.null() }
    writer.beginObject()
    switch self {
    case .none:
      break
    case .belowMinimum(let minAmount, let restToPay, let mend):
      writer.member("minAmount", integer: minAmount)
      writer.member("restToPay", integer: restToPay)
      writer.member("missing", integer: minAmount &- restToPay)
      writer.key("mend")
      writer.array(mend) { mend, writer in
        writer.beginObject()
        writer.member("token", string: mend.token)
        writer.member("less", integer: mend.less)
        writer.member("amount", integer: mend.amount)
        writer.endObject()
      }
    case .aboveMaximum(let maxAmount, let restToPay):
      writer.member("maxAmount", integer: maxAmount)
      writer.member("restToPay", integer: restToPay)
      writer.member("excess", integer: restToPay &- maxAmount)
    case .unreachable(let minAmount, let maxAmount, let orderAmount):
      writer.member("minAmount", optionalInteger: minAmount)
      writer.member("maxAmount", optionalInteger: maxAmount)
      writer.member("orderAmount", integer: orderAmount)
    }
    writer.endObject()
  }
}
