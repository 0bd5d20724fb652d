import JSONText

/// The gift cards drawn in, in the order applied. The primary takes the remainder.
public struct Split: Hashable, Sendable {
  public struct Slice: Hashable, Sendable {
    public var token: String
    public var amount: Int64
  }

  public internal(set) var slices: [Slice] = []

  public var covered: Int64 {
    slices.reduce(0) { sum, slice in
      let (total, overflow) = sum.addingReportingOverflow(slice.amount)
      return overflow ? Int64.max : total
    }
  }

  func amount(of token: String) -> Int64? { slices.first { $0.token == token }?.amount }

  /// Replaces in place, so that changing a slice does not move it.
  mutating func take(_ amount: Int64, from token: String) {
    if let index = slices.firstIndex(where: { $0.token == token }) {
      slices[index].amount = amount
    } else {
      slices.append(Slice(token: token, amount: amount))
    }
  }

  mutating func remove(_ token: String) { slices.removeAll { $0.token == token } }
}

/// What a gift card may take: the rules of the split, as one pure question.
struct Take {
  var token: SecondaryToken
  var method: PaymentMethod
  /// What the order needs beside this card's own slice.
  var left: Int64
  /// What other slices of the same method take already.
  var methodContribution: Int64
  var otherInstances: Int64

  /// The slice for a wanted amount; nil wants as much as the order needs and the card and its method give.
  func slice(_ wanted: Int64?) throws(CheckoutError) -> (amount: Int64, loss: Int64) {
    if let limit = method.limit, otherInstances >= limit {
      throw CheckoutError(.usageLimitError, details: methodDetails { _ in })
    }
    let most = min(token.balance, left)
    let amount = wanted ?? (method.takePolicy == .max ? most : min(most, room))
    if wanted == nil, room == 0 { throw overMaximum(most) }
    guard amount > 0 else { throw invalid("the amount must be positive", amount) }
    guard amount <= left else { throw invalid("the amount is more than what is left to pay", amount) }
    guard amount <= token.balance else { throw invalid("the amount is more than the balance", amount) }
    if method.takePolicy == .max, amount != most { throw CheckoutError(.secondaryMethodTakePolicyViolated) }
    guard amount <= room else { throw overMaximum(amount) }
    guard amount >= method.minAmount ?? 0 else { throw invalid("the amount is less than the method takes", amount) }
    return (amount, method.takePolicy == .max ? token.balance - amount : 0)
  }

  /// What its method may still take, over all its slices.
  private var room: Int64 { method.maxAmount.map { max($0 &- methodContribution, 0) } ?? Int64.max }

  private func overMaximum(_ amount: Int64) -> CheckoutError {
    CheckoutError(
      .maxAmountReached,
      details: methodDetails { writer in
        writer.member("amount", integer: amount)
        writer.member("amountLimit", integer: method.maxAmount ?? 0)
      })
  }

  private func invalid(_ why: String, _ amount: Int64) -> CheckoutError {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("amount", integer: amount)
    writer.member("balance", integer: token.balance)
    writer.member("left", integer: left)
    writer.member("minAmount", optionalInteger: method.minAmount)
    writer.endObject()
    return CheckoutError(.invalidTakeAmount, message: why, details: writer.text)
  }

  @inline(never)
  private func methodDetails(_ more: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("partner", string: method.partner)
    writer.member("method", string: method.method)
    more(&writer)
    writer.endObject()
    return writer.text
  }
}
