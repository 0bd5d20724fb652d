/// Everything that is reported, and nothing that may not be: each payload is of a type that has no room for more.
enum MonitoringEvent: Hashable, Sendable {
  case create(MonitoredDevice, isRestore: Bool)
  case ready
  case setSession(methods: Tally, survivors: Tally)
  case expiredSession
  case setWalletSession
  case setWalletSessionFailed(ErrorCode)
  case methodDisabled(MonitoredItem, DisabledCode)
  case methodSetPrimary(MonitoredItem)
  case primaryTokenSetAsPrimary(MonitoredToken)
  case clearPrimarySplit(MonitoredItem?)
  case methodGetPaymentElement(MonitoredItem)
  case primaryTokenGetPaymentElement(MonitoredToken)
  /// Of gift cards the item alone is told: the id of one that was typed belongs to nobody else.
  case methodGetSecondaryToken(MonitoredItem)
  case secondaryTokenTake(MonitoredItem, isPartial: Bool)
  case secondaryTokenRemoveFromSplit(MonitoredItem)
  case secondaryTokenRegister(MonitoredItem)
  case tokenEdit(MonitoredToken)
  case tokenDelete(MonitoredToken)
  case tokenSetFavorite(MonitoredToken)
  case deleteAllTokens
  case methodLoanSim(MonitoredItem)
  case methodRegister(MonitoredItem, savesToken: Bool)
  case partnerUIEvent(MonitoredItem, PartnerEvent, reason: MaskedText?)
  case partnerAPICallStart(Call)
  case partnerAPICallEnd(Call, took: MonitoredTime, isSuccess: Bool)
  case paymentFulfilled(Bool)
  case submitPayment(splits: Tally)
  case submitBlocked(SessionState)
  case validationStarted(items: Tally)
  case validationSuccess(MonitoredResult)
  case validationFailed(MonitoredResult)
  case paymentError(ErrorCode, MonitoredFailure?)
  case onBeforeValidateHookFailed
  case clientHookError(DeliveryKind)
  case pageUnload

  var code: MonitoringCode {
    switch self {
    case .create: .create
    case .ready: .ready
    case .setSession: .setSession
    case .expiredSession: .expiredSession
    case .setWalletSession: .setWalletSession
    case .setWalletSessionFailed: .setWalletSessionFailed
    case .methodDisabled: .methodDisabled
    case .methodSetPrimary: .methodSetPrimary
    case .primaryTokenSetAsPrimary: .primaryTokenSetAsPrimary
    case .clearPrimarySplit: .clearPrimarySplit
    case .methodGetPaymentElement: .methodGetPaymentElement
    case .primaryTokenGetPaymentElement: .primaryTokenGetPaymentElement
    case .methodGetSecondaryToken: .methodGetSecondaryToken
    case .secondaryTokenTake: .secondaryTokenTake
    case .secondaryTokenRemoveFromSplit: .secondaryTokenRemoveFromSplit
    case .secondaryTokenRegister: .secondaryTokenRegister
    case .tokenEdit: .tokenEdit
    case .tokenDelete: .tokenDelete
    case .tokenSetFavorite: .tokenSetFavorite
    case .deleteAllTokens: .deleteAllTokens
    case .methodLoanSim: .methodLoanSim
    case .methodRegister: .methodRegister
    case .partnerUIEvent: .partnerUIEvent
    case .partnerAPICallStart: .partnerAPICallStart
    case .partnerAPICallEnd: .partnerAPICallEnd
    case .paymentFulfilled: .paymentFulfilled
    case .submitPayment: .submitPayment
    case .submitBlocked: .submitBlocked
    case .validationStarted: .validationStarted
    case .validationSuccess: .validationSuccess
    case .validationFailed: .validationFailed
    case .paymentError: .paymentError
    case .onBeforeValidateHookFailed: .onBeforeValidateHookFailed
    case .clientHookError: .clientHookError
    case .pageUnload: .pageUnload
    }
  }

  /// More bytes than it takes as JSON, without its envelope.
  var mostBytes: Int {
    switch self {
    case .validationSuccess(let result), .validationFailed(let result): 800 + 800 * result.lines.count
    default: 800
    }
  }
}
