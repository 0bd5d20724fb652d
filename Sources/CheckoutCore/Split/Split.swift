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

  /// The slice for a wanted amount; nil wants as much as the order needs.
  func slice(_ wanted: Int64?) throws(CheckoutError) -> (amount: Int64, loss: Int64) {
    if let limit = method.limit, otherInstances >= limit {
      throw CheckoutError(.usageLimitError, details: methodDetails)
    }
    let most = min(token.balance, left)
    let amount = wanted ?? most
    guard amount > 0 else { throw invalid("the amount must be positive") }
    guard amount <= left else { throw invalid("the amount is more than what is left to pay") }
    guard amount <= token.balance else { throw invalid("the amount is more than the balance") }
    if method.takePolicy == .max, amount != most { throw CheckoutError(.secondaryMethodTakePolicyViolated) }
    if let ceiling = method.maxAmount {
      let (total, overflow) = methodContribution.addingReportingOverflow(amount)
      if overflow || total > ceiling { throw CheckoutError(.maxAmountReached, details: methodDetails) }
    }
    let loss = method.takePolicy == .max ? token.balance - amount : 0
    return (amount, loss)
  }

  private func invalid(_ why: String) -> CheckoutError { CheckoutError(.invalidTakeAmount, message: why) }

  private var methodDetails: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("partner", string: method.partner)
    writer.member("method", string: method.method)
    writer.endObject()
    return writer.text
  }
}
