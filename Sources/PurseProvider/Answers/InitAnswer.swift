import CheckoutCore
import JSONText

/// A whole answer to `/init`.
struct InitAnswer {
  var id: String
  var stepID: Int64?
  var state: String
  var code: String
  var pluginResult: JSONValue?

  /// nil when it cannot be read.
  init?(_ body: [UInt8]) {
    guard let root = try? JSONDocument(parsing: body).root, let id = root["id"]?.string, !id.isEmpty,
      let status = root["status"], let state = status["state"]?.string
    else { return nil }
    if let step = root["step_id"], !step.isNull {
      guard let number = step.int64 else { return nil }
      stepID = number
    }
    self.id = id
    self.state = state
    code = status["code"]?.string ?? ""
    pluginResult = root["plugin_result"]
  }
}

/// The answer to `/init` of a gift card.
enum BalanceAnswer {
  static func reading(_ answer: Answer, currency: Currency) -> BalanceReading {
    guard isSuccess(answer), let read = InitAnswer(answer.body) else { return failed(answer) }
    let handle = BalanceHandle(id: read.id, stepID: read.stepID)
    switch read.state {
    case Choices.balanceState.value: return balance(read, handle, currency) ?? failed(answer)
    case Choices.pollingState.value: return .waiting(handle)
    default: return refusal(read.code) ?? failed(answer)
    }
  }

  private static func balance(_ read: InitAnswer, _ handle: BalanceHandle, _ currency: Currency) -> BalanceReading? {
    guard let result = read.pluginResult, result.kind == .object else { return nil }
    if let code = result["currency_code"], !code.isNull, code.string != currency.code { return nil }
    let fields = FieldReader(result, "plugin_result")
    guard let amount = try? fields.decimalAmount("amount", digits: currency.digits) else { return nil }
    let expiresAt = result["expiration_date"]?.string.flatMap { WireDate.text($0) }
    return .read(amount: amount, expiresAt: expiresAt, handle: handle)
  }

  /// The refusals that mean something to the shopper.
  private static func refusal(_ code: String) -> BalanceReading? {
    switch code {
    case Choices.abortedByShopper.value: .refused(.userActionRequestAbortedByCustomer, details: nil)
    case Choices.confirmationExpired.value: .refused(.userActionRequestHasExpired, details: nil)
    case Choices.otherTransactionPending.value: .refused(.otherTransactionPendingForAccount, details: nil)
    default: nil
    }
  }

  private static func failed(_ answer: Answer) -> BalanceReading {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("statusCode", integer: answer.status)
    writer.endObject()
    return .refused(.failedToInitSecondaryToken, details: writer.text)
  }
}

func isSuccess(_ answer: Answer) -> Bool { (200..<300).contains(answer.status) }
