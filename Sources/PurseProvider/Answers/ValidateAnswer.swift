import CheckoutCore
import JSONText

/// A whole answer to `/validate`.
struct ValidateAnswer: Hashable, Sendable {
  var result: PaymentResult
  var redirect: ResolvedRedirect

  /// nil when it cannot be read: only a word about the whole payment makes an answer.
  init?(_ body: [UInt8]) {
    guard let root = try? JSONDocument(parsing: body).root, let status = root["global_status"]?.string else {
      return nil
    }
    result = PaymentResult(
      status: status, verdict: ValidateAnswer.verdict(status), lines: ValidateAnswer.lines(root["results"]))
    redirect = ResolvedRedirect(root)
    // A decisive word is the outcome, whatever comes with it.
    if result.verdict == .pending, case .action(let action) = redirect { result.page = action }
  }

  /// A word that is not known is no reason to call a payment made or declined.
  private static func verdict(_ status: String) -> PaymentResult.Verdict {
    if Choices.successStatuses.spellings.contains(status) { return .success }
    return Choices.declinedStatuses.spellings.contains(status) ? .declined : .pending
  }

  private static func lines(_ results: JSONValue?) -> [PaymentResult.Line] {
    guard let results else { return [] }
    return results.elements.compactMap { line in
      guard let partner = line["partner"]?.string, let method = line["method"]?.string else { return nil }
      let status = line["status"]
      return PaymentResult.Line(
        item: partner + "-" + method, state: status?["state"]?.string ?? "", code: status?["code"]?.string ?? "",
        description: status?["description"]?.string.map { MaskedText($0) },
        partnerStatus: line["plugin_result"]?[Choices.partnerStatus.value]?.string.map { MaskedText($0) })
    }
  }

  /// What a partner's step after the answer is told.
  var stepData: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("result")
    writer.beginObject()
    writer.member("status", string: result.status)
    writer.member("isSuccess", boolean: result.verdict == .success)
    writer.member("verdict", string: result.verdict.name)
    writer.key("results")
    writer.beginArray()
    for line in result.lines {
      writer.beginObject()
      writer.member("item", string: line.item)
      writer.member("state", string: line.state)
      writer.member("code", string: line.code)
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    writer.endObject()
    return writer.text
  }
}
