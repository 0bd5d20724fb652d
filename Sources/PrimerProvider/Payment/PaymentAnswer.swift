import CheckoutCore
import JSONText

/// The answer to a request that created or resumed a payment.
struct PaymentAnswer {
  /// What it is the answer to.
  enum Step { case created, resumed }

  private let root: JSONValue
  private let status: String?
  private let reference: PaymentReference

  /// nil when the body is no JSON object.
  init?(_ body: [UInt8]) {
    guard let root = try? JSONDocument(parsing: body).root, root.kind == .object else { return nil }
    self.root = root
    let status = root.text("status")
    self.status = PaymentAnswer.statuses.contains(status ?? "") ? status : nil
    let id = root.text("id").flatMap { $0.isEmpty ? nil : $0 }
    reference = PaymentReference(
      id: id, orderID: root.text("orderId"), status: status ?? "",
      failureReason: root.text("paymentFailureReason"))
  }

  private static let statuses = ["SUCCESS", "PENDING", "FAILED"]

  /// The required action's token, as text.
  var action: String? { root.object("requiredAction")?.text("clientToken") }

  var paymentID: String? { reference.id }

  /// What it means. A payment that the table of outcomes calls an error is in doubt, unless it says FAILED.
  func reading(_ step: Step, _ method: String) -> Reading {
    let outcome = root.text("checkoutOutcome")
    if outcome == "CHECKOUT_COMPLETE" { return .verdict(result(verdict, method)) }
    if status == "FAILED" { return .verdict(declined(step, method)) }
    guard let status, reference.id != nil, outcome != "CHECKOUT_FAILURE" else { return .unclear(reference) }
    if status == "SUCCESS" { return .verdict(result(.success, method)) }
    if action != nil { return .open(reference) }
    let isShown = step == .created || root.flag("showSuccessCheckoutOnPendingPayment") == true
    return isShown ? .verdict(result(.pending, method)) : .unclear(reference)
  }

  private var verdict: PaymentResult.Verdict {
    switch status {
    case "FAILED": .declined
    case "PENDING": .pending
    default: .success
    }
  }

  private func result(_ verdict: PaymentResult.Verdict, _ method: String) -> PaymentResult {
    let word = status ?? "SUCCESS"
    var result = PaymentResult(
      status: word, verdict: verdict, lines: [PaymentResult.Line(item: method, state: word, code: word)])
    result.payment = reference
    return result
  }

  private func declined(_ step: Step, _ method: String) -> PaymentResult {
    var result = result(.declined, method)
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("paymentId", string: reference.id ?? "unknown")
    writer.member("orderId", optionalString: reference.orderID)
    writer.member("status", string: "FAILED")
    writer.endObject()
    let code = step == .created ? ErrorCode.paymentFailed : .failedToResumePayment
    result.failure = CheckoutError(code, details: writer.text)
    if step == .created { result.payment?.failureReason = nil }
    return result
  }
}

/// The error that a refusal's body tells, wrapped or not.
struct PrimerRefusal {
  let errorID: String?
  let diagnosticsID: String?

  init(_ answer: Answer) {
    let root = try? JSONDocument(parsing: answer.body).root
    let error = root?.object("error") ?? root
    errorID = PrimerRefusal.name(error?.text("errorId"))
    diagnosticsID = PrimerRefusal.name(error?.text("diagnosticsId"))
  }

  /// Names alone: a text could quote what was sent.
  private static func name(_ text: String?) -> String? {
    guard let text, text.utf8.count <= 64, !CardNumber.looksLikeOne(text),
      text.utf8.allSatisfy({ isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
    else { return nil }
    return text
  }

  /// The key was used: there is a payment under it, whatever became of that.
  var speaksOfEarlierPayment: Bool { errorID == "IdempotencyKeyAlreadyExists" }

  func error(_ code: ErrorCode, status: Int) -> CheckoutError {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("statusCode", integer: status)
    writer.member("errorId", optionalString: errorID)
    writer.member("diagnosticsId", optionalString: diagnosticsID)
    writer.endObject()
    return CheckoutError(code, moved: .no, details: writer.text)
  }
}
