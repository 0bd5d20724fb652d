import JSONText

extension Core {
  mutating func setPrimary(_ choice: PrimaryChoice) throws(CheckoutError) {
    let source = try self.source(choice)
    try check(source.flatMap { disabledState(of: $0) })
    primary = source
  }

  /// What is disabled is refused with its state.
  func check(_ disabled: DisabledState?) throws(CheckoutError) {
    if let disabled { throw CheckoutError(.methodDisabled, details: disabled.json) }
  }

  /// The source that a choice names; nil for none.
  func source(_ choice: PrimaryChoice) throws(CheckoutError) -> Source? {
    switch choice {
    case .none: return nil
    case .item(let id):
      guard offeredMethod(id)?.kind == .primary else { throw CheckoutError(.paymentMethodNotFound) }
      return .item(id)
    case .token(let id):
      guard offeredToken(id) != nil else { throw CheckoutError(.paymentMethodNotFound) }
      return .token(id)
    }
  }

  mutating func applySecondary(_ id: String, amount: Int64?) throws(CheckoutError) -> String {
    guard let token = secondary(id) else {
      try checkRead(id)
      throw CheckoutError(.missingToken)
    }
    guard let method = offeredMethod(token.item) else { throw CheckoutError(.paymentMethodNotFound) }
    try check(failure(of: token))
    let others = split.slices.filter { $0.token != id && secondary($0.token)?.item == token.item }
    let take = Take(
      token: token, method: method, left: saturatingSum(remaining, split.amount(of: id) ?? 0),
      methodContribution: others.reduce(0) { saturatingSum($0, $1.amount) }, otherInstances: Int64(others.count))
    let slice = try take.slice(amount)
    split.take(slice.amount, from: id)
    return applied(slice.amount, loss: slice.loss)
  }

  private func saturatingSum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? Int64.max : sum
  }

  private func applied(_ amount: Int64, loss: Int64) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("applied", integer: amount)
    writer.member("amountLoss", integer: loss)
    for property in [Property.amountSplit, .remainingAmountToPay] {
      writer.member(property.name, raw: text(of: property))
    }
    writer.endObject()
    return writer.text
  }

  mutating func removeSecondary(_ id: String) throws(CheckoutError) {
    guard secondary(id) != nil else { throw CheckoutError(.missingToken) }
    split.remove(id)
  }
}
