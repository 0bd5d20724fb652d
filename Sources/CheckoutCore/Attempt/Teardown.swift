extension Core {
  /// For good. What has left is not taken back: its answer is the outcome.
  mutating func teardown(_ moment: Moment, _ out: inout [Output]) {
    guard !isTornDown else { return }
    let answer = attempt?.result
    let wasShowing = presentation != nil
    isTornDown = true
    publication.isDue = true
    for read in reads { close(read, CheckoutError(.checkoutTornDown), &out) }
    dropServices(.all, CheckoutError(.checkoutTornDown), &out)
    endLoading(&out) { .failure(CheckoutError(.checkoutTornDown)) }
    endInitializations(CheckoutError(.checkoutTornDown), &out)
    if let request = timeRequest {
      timeRequest = nil
      forget(request)
      out.append(.cancel(request))
    }
    if !hasAttempt { endPresenting("tornDown", CheckoutError(.checkoutTornDown), &out) }
    if !hasLeft {
      stopAttempt(.tornDown, moment, &out)
    } else if ledger.standing == .open, !isAwaitingMoney {
      conclude(.failed(CheckoutError(.checkoutTornDown), spendsInError: false), moment, &out)
    } else if ledger.isSettled, hasAttempt {
      let torn = CheckoutError(.checkoutTornDown, moved: .yes)
      let ending = answer.map { wasShowing ? .failed(torn, spendsInError: false) : Ending.completed($0) }
      conclude(ending ?? .failed(torn, spendsInError: false), moment, &out)
    }
    forgetNumbers(&out)
    forgetCards(&out)
  }

  /// A money request is on its way: its result decides.
  var isAwaitingMoney: Bool {
    if case .money = attempt?.wait { return true }
    return false
  }
}
