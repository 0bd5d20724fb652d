import JSONText

/// What paying in instalments would come to, as one back end's offer. All amounts in minor units.
public struct LoanOffer: Hashable, Sendable {
  /// What is paid each time, in order. They sum to the total.
  public let instalments: [Int64]
  /// What the loan costs beside the amount.
  public let cost: Int64
  public let total: Int64
  /// The first that is due at once; 0 when none is.
  public let initial: Int64
  /// What is paid each time between the first and the last.
  public let regular: Int64
  public var isPreferred: Bool
  /// The annual percentage rate as a ratio, in decimal text.
  public var rate: String?
  public var legalText: String?

  /// Ours: more than fifty years of months.
  static let mostInstalments: Int64 = 600

  /// What a back end says of one, as far as it goes.
  public struct Terms: Hashable, Sendable {
    public var initial: Int64?
    public var regular: Int64?
    public var final: Int64?
    public var count: Int64
    public var cost: Int64

    public init(initial: Int64?, regular: Int64?, final: Int64?, count: Int64, cost: Int64) {
      self.initial = initial
      self.regular = regular
      self.final = final
      self.count = count
      self.cost = cost
    }
  }

  /// nil for terms that do not add up. A difference of less than one minor unit an instalment is the back end's
  /// rounding: the last one takes it.
  public init?(
    _ terms: Terms, of amount: Int64, isPreferred: Bool = false, rate: String? = nil, legalText: String? = nil
  ) {
    guard terms.count >= 1, terms.count <= LoanOffer.mostInstalments, amount > 0, terms.cost >= 0 else { return nil }
    let (total, isTooLarge) = amount.addingReportingOverflow(terms.cost)
    guard !isTooLarge, total <= Amount.maximum,
      let instalments = LoanOffer.schedule(terms, total)
    else { return nil }
    self.instalments = instalments
    self.total = total
    cost = terms.cost
    initial = max(terms.initial ?? 0, 0)
    regular = max(terms.regular ?? 0, 0)
    self.isPreferred = isPreferred
    self.rate = rate
    self.legalText = legalText
  }

  /// The first and the last count when they are something; the rest are alike.
  private static func schedule(_ terms: Terms, _ total: Int64) -> [Int64]? {
    let given = [terms.initial, terms.regular, terms.final].map { $0 ?? 0 }
    guard given.allSatisfy({ $0 >= 0 && $0 <= total }) else { return nil }
    let (initial, regular, final) = (given[0], given[1], given[2])
    var schedule: [Int64] = initial > 0 ? [initial] : []
    let between = terms.count &- Int64(schedule.count) &- (final > 0 ? 1 : 0)
    guard between >= 0, between == 0 || regular > 0 else { return nil }
    schedule += Array(repeating: regular, count: Int(between))
    if final > 0 { schedule.append(final) }
    // Each is at most 2^53, and there are at most 600.
    let difference = total &- schedule.reduce(0, &+)
    guard difference.magnitude < UInt64(terms.count), let last = schedule.last else {
      return difference == 0 ? [] : nil
    }
    guard last &+ difference > 0 else { return nil }
    schedule[schedule.count - 1] = last &+ difference
    return schedule
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("installmentCount", integer: Int64(instalments.count))
    writer.key("installments")
    writer.array(instalments) { $1.integer($0) }
    writer.member("initialInstallmentAmount", integer: initial)
    writer.member("installmentAmount", integer: regular)
    writer.member("finalInstallmentAmount", integer: instalments.last ?? 0)
    writer.member("totalCost", integer: cost)
    writer.member("totalAmount", integer: total)
    writer.member("isPreferred", boolean: isPreferred)
    writer.member("aprc", optionalString: rate)
    writer.member("legalText", optionalString: legalText)
    writer.endObject()
  }
}

extension Core {
  /// `amount`: nil for what the method would pay now.
  mutating func simulateLoan(
    _ item: String, amount: Int64?, tag: String?, _ moment: Moment
  ) throws(CheckoutError) -> OpenCall {
    guard let method = offeredMethod(item), method.kind == .primary else {
      throw CheckoutError(.paymentMethodNotFound)
    }
    guard method.isSimulable else { throw CheckoutError(.methodIsNotSimulable) }
    if let state = technical[item] { try check(DisabledState(state.code)) }
    let amount = amount ?? remaining
    guard amount > 0 else { throw CheckoutError(.invalidLoanSimulation, message: "nothing is left to pay") }
    let call = OpenCall(id: Core.draw(&next.call), tag: tag)
    let order = LoanOrder(item: item, name: method.name, amount: amount, currency: session.currency)
    services.append(ServiceCall(.simulateLoan(order), call, moment))
    return call
  }

  mutating func finish(loan order: LoanOrder, _ service: ServiceCall, _ reading: ServiceReading, _ out: inout [Output])
  {
    guard let call = service.call else { return }
    switch reading {
    case .loans(let offers) where !offers.isEmpty:
      result(of: call, &out) { _, writer in
        writer.beginObject()
        writer.member("item", string: order.item)
        writer.member("amount", integer: order.amount)
        writer.key("loans")
        writer.array(offers) { $0.write(to: &$1) }
        writer.endObject()
      }
    case .refused(let error):
      failure(of: call, error, &out)
    default:
      failure(of: call, CheckoutError(.invalidLoanSimulation), &out)
    }
  }
}
