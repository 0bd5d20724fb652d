/// The closed vocabulary of why an item cannot be used, with the shared spelling of each.
public enum DisabledCode: Hashable, Sendable, CaseIterable {
  // Of the amount.
  case minAmountNotMet, maxAmountExceeded, paymentFulfilled, amountConditionUnreachable
  // Of the moment.
  case submitting, partnerUIRecoverableError
  // For the rest of the session.
  case partnerUIFatalError, tokenInitFailed, paymentElementFatalError, paymentElementRenderFailed
  case fatalErrorBeforeRender, methodUnstable, pluginIncompatible, doesNotBelongToCurrentSession
  // Of saved instruments. Ours.
  case tokenExpired, tokenSecurityCodeUnsupported, tokenDeleted, tokenBeingDeleted
}

/// How a state is rendered and whether it comes back. The names are ours.
public struct DisabledFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The item is taken off the list rather than shown.
  public static let filtered = DisabledFlags(rawValue: 1)
  /// Something failed, or cannot work here.
  public static let technical = DisabledFlags(rawValue: 2)
  /// What is shown of the item must be taken away.
  public static let requiresUIClear = DisabledFlags(rawValue: 4)
  /// It can end within the session.
  public static let recoverable = DisabledFlags(rawValue: 8)
  /// It moves with the split.
  public static let amountDriven = DisabledFlags(rawValue: 16)
}

/// A row of the table of states.
public struct DisabledFacts: Hashable, Sendable {
  public let text: String
  public let flags: DisabledFlags
  /// The default text in English. It quotes no amount; the numbers are in the details.
  public let message: String

  init(_ text: String, _ flags: DisabledFlags, _ message: String) {
    self.text = text
    self.flags = flags
    self.message = message
  }

  /// The key under which a host finds its own text.
  public var messageKey: String { "disabled." + text }
}

extension DisabledCode {
  /// The table. include/README.md is made from it.
  public var facts: DisabledFacts {
    switch self {
    case .minAmountNotMet:
      .init(
        "MIN_AMOUNT_NOT_MET", [.recoverable, .amountDriven],
        "The amount left to pay is too small for this payment method.")
    case .maxAmountExceeded:
      .init(
        "MAX_AMOUNT_EXCEEDED", [.recoverable, .amountDriven],
        "The amount left to pay is too large for this payment method.")
    case .paymentFulfilled:
      .init("PAYMENT_FULFILLED", [.recoverable, .amountDriven], "Nothing is left to pay.")
    case .amountConditionUnreachable:
      .init(
        "AMOUNT_CONDITION_UNREACHABLE", [.filtered, .amountDriven],
        "This payment method is not available for this order.")
    case .submitting:
      .init("SUBMITTING", [.recoverable], "A payment is in progress.")
    case .partnerUIRecoverableError:
      .init("PARTNER_UI_RECOVERABLE_ERROR", [.recoverable], "This payment method is unavailable for the moment.")
    case .partnerUIFatalError:
      .init(
        "PARTNER_UI_FATAL_ERROR", [.technical, .requiresUIClear],
        "This payment method failed and cannot be used any more.")
    case .tokenInitFailed:
      .init("TOKEN_INIT_FAILED", [.technical, .requiresUIClear], "This saved payment method could not be prepared.")
    case .paymentElementFatalError:
      .init("PAYMENT_ELEMENT_FATAL_ERROR", [.technical, .requiresUIClear], "This payment form failed.")
    case .paymentElementRenderFailed:
      .init("PAYMENT_ELEMENT_RENDER_FAILED", [.technical, .requiresUIClear], "This payment form cannot be shown.")
    case .fatalErrorBeforeRender:
      .init(
        "FATAL_ERROR_BEFORE_RENDER", [.filtered, .technical, .requiresUIClear],
        "This payment method failed before it was shown.")
    case .methodUnstable:
      .init(
        "METHOD_UNSTABLE", [.filtered, .technical, .requiresUIClear],
        "This payment method is temporarily unavailable.")
    case .pluginIncompatible:
      .init(
        "PLUGIN_INCOMPATIBLE", [.filtered, .technical, .requiresUIClear],
        "This payment method does not work on this device.")
    case .doesNotBelongToCurrentSession:
      .init(
        "DOES_NOT_BELONG_TO_CURRENT_SESSION", [.filtered, .requiresUIClear],
        "This payment method belongs to an earlier order.")
    case .tokenExpired:
      .init("TOKEN_EXPIRED", [.technical, .requiresUIClear], "This saved payment method has expired.")
    case .tokenSecurityCodeUnsupported:
      .init(
        "TOKEN_SECURITY_CODE_UNSUPPORTED", [.technical],
        "This saved card needs its security code, which cannot be typed here.")
    case .tokenDeleted:
      .init("TOKEN_DELETED", [.technical, .requiresUIClear], "This saved payment method was deleted.")
    case .tokenBeingDeleted:
      .init("TOKEN_BEING_DELETED", [.recoverable], "This saved payment method is being deleted.")
    }
  }
}
