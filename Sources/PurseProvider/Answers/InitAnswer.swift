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

extension InitAnswer {
  /// What a partner's step goes on with.
  var data: InitData { InitData(stepID: stepID, json: pluginResult?.compactText ?? "{}") }

  /// The partner's payment can go on.
  var isStarted: Bool { Choices.startedStates.spellings.contains(state) }

  /// What a refusal says, in a 2xx answer.
  var refusal: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("state", string: state)
    writer.member("code", string: code)
    writer.endObject()
    return writer.text
  }
}

/// The answer to `/init` of a partner's widget.
enum ElementAnswer {
  static func reading(_ answer: Answer) -> ElementReading {
    guard isSuccess(answer), let read = InitAnswer(answer.body), read.pluginResult?.kind ?? .object == .object else {
      return .refused(details: statusDetails(answer))
    }
    return read.isStarted ? .read(read.data) : .refused(details: read.refusal)
  }
}

/// The answer to `/init` of a gift card.
enum BalanceAnswer {
  static func reading(_ answer: Answer, currency: Currency) -> BalanceReading {
    guard isSuccess(answer), let read = InitAnswer(answer.body) else { return failed(answer) }
    let handle = BalanceHandle(id: read.id, stepID: read.stepID)
    switch read.state {
    case Choices.balanceState.value: return balance(read, handle, currency, answer)
    case Choices.pollingState.value: return .waiting(handle)
    default: return refusal(read.code) ?? failed(answer, read.code)
    }
  }

  private static func balance(
    _ read: InitAnswer, _ handle: BalanceHandle, _ currency: Currency, _ answer: Answer
  ) -> BalanceReading {
    guard let result = read.pluginResult, result.kind == .object else { return failed(answer) }
    if let code = result["currency_code"], !code.isNull, code.string != currency.code {
      return failed(answer, reason: "currency")
    }
    let fields = FieldReader(result, "plugin_result")
    guard let amount = try? fields.decimalAmount("amount", digits: currency.digits) else { return failed(answer) }
    let total = try? fields.decimalAmount(Choices.totalBalance.value, digits: currency.digits)
    let expiresAt = result["expiration_date"]?.string.flatMap { WireDate.text($0) }
    return .read(Balance(amount: amount, total: total, expiresAt: expiresAt, handle: handle))
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

  private static func failed(_ answer: Answer, _ code: String? = nil, reason: String? = nil) -> BalanceReading {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("statusCode", integer: answer.status)
    if let code { writer.member("code", string: code) }
    if let reason { writer.member("reason", string: reason) }
    writer.endObject()
    return .refused(.failedToInitSecondaryToken, details: writer.text)
  }
}

func statusDetails(_ answer: Answer) -> String {
  var writer = JSONWriter()
  writer.beginObject()
  writer.member("statusCode", integer: answer.status)
  writer.endObject()
  return writer.text
}

func isSuccess(_ answer: Answer) -> Bool { (200..<300).contains(answer.status) }
