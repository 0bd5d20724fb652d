import CheckoutCore
import JSONText

/// What an answer to an order that is no payment says.
enum ServiceAnswer {
  static func reading(_ answer: Answer, of order: ServiceOrder) -> ServiceReading {
    switch order {
    case .listTokens:
      return isSuccess(answer) ? tokens(answer) ?? refused(answer, order) : refused(answer, order)
    case .rename, .makeFavorite, .delete:
      if answer.status == 404 || answer.status == 410 { return .gone }
      return isSuccess(answer) ? .done : refused(answer, order)
    case .deleteAll:
      return isSuccess(answer) ? .done : refused(answer, order)
    case .simulateLoan(let order):
      let offers = isSuccess(answer) ? LoanAnswer.offers(answer.body, order) : []
      return offers.isEmpty ? refused(answer, .simulateLoan(order)) : .loans(offers)
    case .readBalance(let order):
      return .balance(BalanceAnswer.reading(answer, currency: order.currency))
    }
  }

  /// 401: the wallet no longer knows the session.
  private static func refused(_ answer: Answer, _ order: ServiceOrder) -> ServiceReading {
    var code = order.failure
    if answer.status == 401, code == .unknownError || code == .failedToDeleteAllTokens { code = .missingWalletSession }
    return .refused(CheckoutError(code, moved: .no, details: statusDetails(answer)))
  }

  /// nil when it is no list. A token that cannot be read is left out: the rest of the wallet is none the worse for it.
  private static func tokens(_ answer: Answer) -> ServiceReading? {
    guard let root = try? JSONDocument(parsing: answer.body).root, root.kind == .array,
      root.count <= ItemReader.mostItems
    else { return nil }
    return .tokens(root.elements.compactMap { token($0) })
  }

  private static func token(_ value: JSONValue) -> PaymentToken? {
    let place = value["payment_id"]
    guard let partner = place?["partner"]?.string, let method = place?["method"]?.string,
      let token = try? IntegratedToken(FieldReader(value, ""))
    else { return nil }
    return token.paymentToken(of: partner + "-" + method)
  }
}

/// The answer to a simulation: one candidate, or several.
enum LoanAnswer {
  static func offers(_ body: [UInt8], _ order: LoanOrder) -> [LoanOffer] {
    guard let root = try? JSONDocument(parsing: body).root else { return [] }
    let candidates = root.kind == .array ? Array(root.elements) : [root]
    return candidates.prefix(100).compactMap { offer($0, order) }
  }

  private static func offer(_ candidate: JSONValue, _ order: LoanOrder) -> LoanOffer? {
    guard let result = candidate["plugin_result"], result.kind == .object else { return nil }
    let fields = FieldReader(result, "plugin_result")
    guard let count = (try? fields.count("instalment_number")) ?? nil else { return nil }
    let digits = order.currency.digits
    let amounts = ["initial_instalment_amount", "instalment_amount", "final_instalment_amount", "total_cost"].map {
      (key: String) -> (isReadable: Bool, amount: Int64?) in
      do throws(CheckoutError) {
        return (true, try fields.decimalAmount(key, digits: digits))
      } catch {
        return (false, nil)
      }
    }
    guard amounts.allSatisfy({ $0.isReadable }) else { return nil }
    let terms = LoanOffer.Terms(
      initial: amounts[0].amount, regular: amounts[1].amount, final: amounts[2].amount, count: count,
      cost: amounts[3].amount ?? 0)
    return LoanOffer(
      terms, of: order.amount, isPreferred: result["preferred"]?.boolean == true,
      rate: result["effective_annual_percentage_rate"].flatMap { rate($0) }, legalText: result["legal_text"]?.string)
  }

  /// Decimal text with no exponent; nil for anything else.
  private static func rate(_ value: JSONValue) -> String? {
    guard let text = value.numberText ?? value.string, !text.utf8.isEmpty, text.utf8.count <= 32 else { return nil }
    let parts = Array(text.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
    return areDigits && parts.count <= 2 ? text : nil
  }
}
