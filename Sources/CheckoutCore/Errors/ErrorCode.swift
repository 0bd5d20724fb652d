/// Why something was refused or failed: one closed vocabulary for hosts on every platform.
public enum ErrorCode: Hashable, Sendable, CaseIterable {
  // The shared vocabulary: codes that every kind of checkout raises.
  case elementNotFulfilled
  case invalidLoanSimulation
  case uiValidationFailedError
  case usageLimitError
  case secondaryMethodRequiredCVV
  case secondaryMethodWrongPanFormat
  case secondaryMethodWrongCVVFormat
  case secondaryMethodTakePolicyViolated
  case secondaryMethodRequestAborted
  case methodNotImplemented
  case invalidTakeAmount
  case maxAmountReached
  case paymentNotFulfilledOnSubmit
  case paymentMethodNotFound
  case unknownError
  case onBeforeValidateHookFailed
  case notSupportedBrand
  case brandNotBelongsToDetected
  case methodNotRegisterable
  case methodDisabled
  case methodIsNotSimulable
  case validateFailed
  case postValidateFailed
  case invalidInitParams
  case failedToInitSecondaryToken
  case tokenNotRegisterable
  case tokenNotRegistered
  case tokenNameExists
  case missingToken
  case invalidTokenName
  case failedToDeleteAllTokens
  case failedToAddToken
  case tokenAlreadyExists
  case userActionRequestHasExpired
  case userActionRequestAbortedByCustomer
  case otherTransactionPendingForAccount
  case paymentTokenNotFoundInSession
  case secondaryTokenEmptyBalance
  case expiredSession
  case sessionAlreadySet
  case missingSession
  case missingWalletSession
  case setWalletSessionFailed
  case sessionMalformed

  // Codes of the native checkouts.
  case submitBlocked
  case checkoutTornDown
  case partnerUIError

  // Primer's, spelt as it spells them.
  case invalidClientToken
  case missingConfiguration
  case misconfiguredPaymentMethods
  case invalidValue
  case paymentCancelled
  case merchantError
  case paymentFailed
  case failedToCreatePayment
  case failedToResumePayment
  case failedToRedirect
  case genericUnderlyingErrors
  case unknown

  // Ours.
  case outcomeUnknown
  case checkpointRefused
  case environmentMismatch
  case ticketClosed
  case tooLate

  // Refusals at the boundary.
  case invalidArgument
  case invalidHandle
  case busy
  case reentrant
  case forked
  case `internal`
}
