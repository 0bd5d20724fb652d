/// What is asked of the back end beside a payment. It moves no money.
public enum ServiceOrder: Hashable, Sendable {
  case listTokens(WalletSession)
  case rename(WalletSession, token: String, name: String)
  case makeFavorite(WalletSession, token: String)
  case delete(WalletSession, token: String)
  case deleteAll(WalletSession)
  case simulateLoan(LoanOrder)
  case readBalance(SavedBalanceOrder)
}

extension ServiceOrder {
  /// What a call of it fails with when the back end gives no better reason.
  public var failure: ErrorCode {
    switch self {
    case .listTokens: .setWalletSessionFailed
    case .rename, .makeFavorite, .delete: .unknownError
    case .deleteAll: .failedToDeleteAllTokens
    case .simulateLoan: .invalidLoanSimulation
    case .readBalance: .failedToInitSecondaryToken
    }
  }
}

/// The balance of a gift card that the wallet keeps.
public struct SavedBalanceOrder: Hashable, Sendable {
  public var token: String
  /// What the wire calls it.
  public var value: String
  public var name: MethodName
  /// Its issuer asks the shopper first.
  public var isPolled: Bool
  /// The whole session's amount, which the issuer wants.
  public var amount: Int64
  public var currency: Currency
  /// When it is asked again.
  public var handle: BalanceHandle?
}

public struct LoanOrder: Hashable, Sendable {
  public var item: String
  public var name: MethodName
  public var amount: Int64
  public var currency: Currency
}

/// What a whole answer to an order says.
public enum ServiceReading: Hashable, Sendable {
  case done
  /// There is no such token.
  case gone
  /// The wallet's, each with the item that it belongs to, of whatever kind that is.
  case tokens([PaymentToken])
  case loans([LoanOffer])
  case balance(BalanceReading)
  case refused(CheckoutError)
}

/// A call that has not ended.
struct ServiceCall: Hashable {
  var order: ServiceOrder
  /// nil when no host waits for it.
  var call: OpenCall?
  /// nil until it is sent, and while it waits to ask again.
  var request: RequestID?
  var startedAt: Int64
  /// Boot milliseconds at which to ask again.
  var asksAgainAt: Int64?

  init(_ order: ServiceOrder, _ call: OpenCall?, _ moment: Moment) {
    self.order = order
    self.call = call
    startedAt = moment.now.boot
  }

  var readsBalance: Bool {
    if case .readBalance = order { return true }
    return false
  }

  /// What ends before it is answered.
  enum Selection {
    case all
    case lists
    /// Those that are asked for a client session.
    case ofSession
    case balances([String])
  }

  func isMeant(by selection: Selection) -> Bool {
    switch (selection, order) {
    case (.all, _), (.lists, .listTokens), (.ofSession, .simulateLoan), (.ofSession, .readBalance): true
    case (.balances(let tokens), .readBalance(let order)): tokens.contains(order.token)
    default: false
    }
  }

  var listsTokens: Bool {
    if case .listTokens = order { return true }
    return false
  }
}
