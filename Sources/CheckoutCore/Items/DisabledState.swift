import JSONText

/// Why a listed item cannot be used now.
public enum DisabledState: Hashable, Sendable {
  case submitting
  case partnerUIFatalError
  case partnerUIRecoverableError
  case paymentFulfilled
  case minAmountNotMet(minAmount: Int64, restToPay: Int64)
  case maxAmountExceeded(maxAmount: Int64)

  /// How to render it and whether it comes back. The names of the flags are ours.
  struct Behaviour: Hashable {
    var code: String
    var message: String
    var isTechnical = false
    var requiresUIClear = false
    var isRecoverable = false
    var isAmountDriven = false
  }

  var behaviour: Behaviour {
    switch self {
    case .submitting:
      Behaviour(code: "SUBMITTING", message: "A payment is in progress.", isRecoverable: true)
    case .partnerUIFatalError:
      Behaviour(
        code: "PARTNER_UI_FATAL_ERROR", message: "This payment method failed and cannot be used any more.",
        isTechnical: true, requiresUIClear: true)
    case .partnerUIRecoverableError:
      Behaviour(
        code: "PARTNER_UI_RECOVERABLE_ERROR", message: "This payment method is unavailable for the moment.",
        isRecoverable: true)
    case .paymentFulfilled:
      Behaviour(
        code: "PAYMENT_FULFILLED", message: "Nothing is left to pay.", isRecoverable: true, isAmountDriven: true)
    case .minAmountNotMet:
      Behaviour(
        code: "MIN_AMOUNT_NOT_MET", message: "The amount left to pay is too small for this payment method.",
        isRecoverable: true, isAmountDriven: true)
    case .maxAmountExceeded:
      Behaviour(
        code: "MAX_AMOUNT_EXCEEDED", message: "The amount left to pay is too large for this payment method.",
        isRecoverable: true, isAmountDriven: true)
    }
  }

  public var code: String { behaviour.code }

  func write(to writer: inout JSONWriter) {
    let behaviour = behaviour
    writer.beginObject()
    writer.member("code", string: behaviour.code)
    writer.member("messageKey", string: "disabled." + behaviour.code)
    writer.member("message", string: behaviour.message)
    writer.key("details")
    writeDetails(to: &writer)
    // A filtered method is excluded rather than listed, so that no listed state carries the flag.
    writer.member("isFiltered", boolean: false)
    writer.member("isTechnical", boolean: behaviour.isTechnical)
    writer.member("requiresUIClear", boolean: behaviour.requiresUIClear)
    writer.member("isRecoverable", boolean: behaviour.isRecoverable)
    writer.member("isAmountDriven", boolean: behaviour.isAmountDriven)
    writer.endObject()
  }

  private func writeDetails(to writer: inout JSONWriter) {
    switch self {
    case .minAmountNotMet(let minAmount, let restToPay):
      writer.beginObject()
      writer.member("minAmount", integer: minAmount)
      writer.member("restToPay", integer: restToPay)
      writer.endObject()
    case .maxAmountExceeded(let maxAmount):
      writer.beginObject()
      writer.member("maxAmount", integer: maxAmount)
      writer.endObject()
    default:
      writer.null()
    }
  }
}
