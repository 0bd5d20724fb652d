/// What a monitoring message is about: the vocabulary that all of Purse's checkouts share. The last ones belong to hosts
/// with a page to draw on; this library never sends them.
public enum MonitoringCode: Hashable, Sendable, CaseIterable {
  case create, ready, setSession, expiredSession, setWalletSession, setWalletSessionFailed
  case methodDisabled, methodSetPrimary, primaryTokenSetAsPrimary, clearPrimarySplit
  case methodGetPaymentElement, primaryTokenGetPaymentElement
  case methodGetSecondaryToken, secondaryTokenTake, secondaryTokenRemoveFromSplit, secondaryTokenRegister
  case tokenEdit, tokenDelete, tokenSetFavorite, deleteAllTokens, methodLoanSim, methodRegister
  case partnerUIEvent, partnerAPICallStart, partnerAPICallEnd, paymentFulfilled, submitPayment, submitBlocked
  case validationStarted, validationSuccess, validationFailed, paymentError
  case onBeforeValidateHookFailed, clientHookError, pageUnload

  case methodGetHostedFields, paymentElementAppendTo, paymentElementRemove, paymentElementSetOptions
  case paymentElementValidateUI, paymentElementListenerAttached, preValidationFailed, reactiveValueSubscribe
  case otherError, uncaughtError

  /// As it is sent, for example `HEADLESS_CHECKOUT_SUBMIT_PAYMENT`.
  public var text: String { "HEADLESS_CHECKOUT_" + facts.name }

  /// What the back end files it under.
  public var type: String {
    switch facts.type {
    case .info: "INFO"
    case .error: "ERROR"
    case .success: "SUCCESS"
    case .warning: "WARNING"
    case .ui: "UI"
    case .network: "NETWORK"
    }
  }

  public var isEmitted: Bool { facts.isEmitted }

  private enum Kind { case info, error, success, warning, ui, network }

  private struct Facts {
    let name: String
    let type: Kind
    let isEmitted: Bool

    init(_ name: String, _ type: Kind, isEmitted: Bool = true) {
      self.name = name
      self.type = type
      self.isEmitted = isEmitted
    }
  }

  private var facts: Facts {
    switch self {
    case .create: Facts("CREATE", .info)
    case .ready: Facts("READY", .info)
    case .setSession: Facts("SET_SESSION", .info)
    case .expiredSession: Facts("EXPIRED_SESSION", .warning)
    case .setWalletSession: Facts("SET_WALLET_SESSION", .info)
    case .setWalletSessionFailed: Facts("SET_WALLET_SESSION_FAILED", .error)
    case .methodDisabled: Facts("METHOD_DISABLED", .warning)
    case .methodSetPrimary: Facts("METHOD_SET_PRIMARY", .info)
    case .primaryTokenSetAsPrimary: Facts("PRIMARY_TOKEN_SET_AS_PRIMARY", .info)
    case .clearPrimarySplit: Facts("CLEAR_PRIMARY_SPLIT", .info)
    case .methodGetPaymentElement: Facts("METHOD_GET_PAYMENT_ELEMENT", .ui)
    case .primaryTokenGetPaymentElement: Facts("PRIMARY_TOKEN_GET_PAYMENT_ELEMENT", .ui)
    case .methodGetSecondaryToken: Facts("METHOD_GET_SECONDARY_TOKEN", .info)
    case .secondaryTokenTake: Facts("SECONDARY_TOKEN_TAKE", .info)
    case .secondaryTokenRemoveFromSplit: Facts("SECONDARY_TOKEN_REMOVE_FROM_SPLIT", .info)
    case .secondaryTokenRegister: Facts("SECONDARY_TOKEN_REGISTER", .info)
    case .tokenEdit: Facts("TOKEN_EDIT", .info)
    case .tokenDelete: Facts("TOKEN_DELETE", .info)
    case .tokenSetFavorite: Facts("TOKEN_SET_FAVORITE", .info)
    case .deleteAllTokens: Facts("DELETE_ALL_TOKENS", .info)
    case .methodLoanSim: Facts("METHOD_LOAN_SIM", .info)
    case .methodRegister: Facts("METHOD_REGISTER", .info)
    case .partnerUIEvent: Facts("PARTNER_UI_EVENT", .ui)
    case .partnerAPICallStart: Facts("PARTNER_API_CALL_START", .network)
    case .partnerAPICallEnd: Facts("PARTNER_API_CALL_END", .network)
    case .paymentFulfilled: Facts("PAYMENT_FULFILLED", .info)
    case .submitPayment: Facts("SUBMIT_PAYMENT", .info)
    case .submitBlocked: Facts("SUBMIT_BLOCKED", .warning)
    case .validationStarted: Facts("VALIDATION_STARTED", .info)
    case .validationSuccess: Facts("VALIDATION_SUCCESS", .success)
    case .validationFailed: Facts("VALIDATION_FAILED", .error)
    case .paymentError: Facts("PAYMENT_ERROR", .error)
    case .onBeforeValidateHookFailed: Facts("ON_BEFORE_VALIDATE_HOOK_FAILED", .error)
    case .clientHookError: Facts("CLIENT_HOOK_ERROR", .error)
    case .pageUnload: Facts("PAGE_UNLOAD", .info)
    case .methodGetHostedFields: Facts("METHOD_GET_HOSTED_FIELDS", .ui, isEmitted: false)
    case .paymentElementAppendTo: Facts("PAYMENT_ELEMENT_APPEND_TO", .ui, isEmitted: false)
    case .paymentElementRemove: Facts("PAYMENT_ELEMENT_REMOVE", .ui, isEmitted: false)
    case .paymentElementSetOptions: Facts("PAYMENT_ELEMENT_SET_OPTIONS", .ui, isEmitted: false)
    case .paymentElementValidateUI: Facts("PAYMENT_ELEMENT_VALIDATE_UI", .ui, isEmitted: false)
    case .paymentElementListenerAttached: Facts("PAYMENT_ELEMENT_LISTENER_ATTACHED", .ui, isEmitted: false)
    case .preValidationFailed: Facts("PRE_VALIDATION_FAILED", .error, isEmitted: false)
    case .reactiveValueSubscribe: Facts("REACTIVE_VALUE_SUBSCRIBE", .ui, isEmitted: false)
    case .otherError: Facts("OTHER_ERROR", .error, isEmitted: false)
    case .uncaughtError: Facts("UNCAUGHT_ERROR", .error, isEmitted: false)
    }
  }
}
