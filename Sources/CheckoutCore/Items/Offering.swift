/// A method of the session that is not listed, and why. Hosts are told by an event only.
public struct FilteredMethod: Hashable, Sendable {
  public var partner: String
  public var method: String
  public var state: DisabledState
}

extension Core {
  /// What is offered: the session's methods less those that the host does not want and those that are filtered.
  func offered(by session: ClientSession) -> [PaymentMethod] {
    session.methods.filter { !options.disabledMethods.contains($0.id) && filter(of: $0, in: session) == nil }
  }

  /// Those that Purse's rules keep off the list; what the host itself disabled is not among them.
  public var filteredMethods: [FilteredMethod] {
    let left = session.methods.compactMap { method in
      filter(of: method, in: session).map {
        FilteredMethod(partner: method.partner, method: method.method, state: $0)
      }
    }
    return session.unstable.map {
      FilteredMethod(partner: $0.partner, method: $0.method, state: DisabledState(.methodUnstable))
    } + left
  }

  func filter(of method: PaymentMethod, in session: ClientSession) -> DisabledState? {
    if let step = method.requiredStep, !options.has(step, for: method.id) { return DisabledState(.pluginIncompatible) }
    guard isUnreachable(method, for: session) else { return nil }
    return DisabledState(
      .amountConditionUnreachable,
      .unreachable(minAmount: method.minAmount, maxAmount: method.maxAmount, orderAmount: session.amount))
  }

  /// No split can bring what it would pay into its bounds.
  private func isUnreachable(_ method: PaymentMethod, for session: ClientSession) -> Bool {
    guard !session.needsPrimaryForNothing else { return false }
    let minimum = method.minAmount ?? 0
    if minimum > session.amount { return true }
    if let maximum = method.maxAmount, minimum > maximum { return true }
    return false
  }
}
