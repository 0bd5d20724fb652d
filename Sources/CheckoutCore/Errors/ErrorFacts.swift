/// What an error code means to a host, one row a code.
struct ErrorFacts {
  enum Category { case checkout, api, session, argument }

  /// Whether the same call, unchanged, may be tried again and may then succeed.
  enum Retry { case useless, useful }

  let text: String
  let category: Category
  let moved: Moved
  let retry: Retry
  let message: String

  init(_ text: String, _ category: Category, moved: Moved, retry: Retry, _ message: String) {
    self.text = text
    self.category = category
    self.moved = moved
    self.retry = retry
    self.message = message
  }
}

extension ErrorCode {
  /// The table. Messages are the public ones of the shared vocabulary, letter by letter, where they are known.
  var facts: ErrorFacts {
    switch self {
    case .elementNotFulfilled:
      .init(
        "ELEMENT_NOT_FULFILLED", .checkout, moved: .no, retry: .useless,
        "Payment element must be fulfilled for this action.")
    case .invalidLoanSimulation:
      .init(
        "INVALID_LOAN_SIMULATION", .api, moved: .no, retry: .useful,
        "The Load Simulation API response does not contain valid simulation data.")
    case .uiValidationFailedError:
      .init(
        "UI_VALIDATION_FAILED_ERROR", .checkout, moved: .no, retry: .useless,
        """
        Partner's form is not complete, sometimes the form internal state cannot be accessed and fulfilled is sent \
        right on creation. Visual queues are displayed for the user.
        """)
    case .usageLimitError:
      .init("USAGE_LIMIT_ERROR", .checkout, moved: .no, retry: .useless, "Usage limit reached for partner and method.")
    case .secondaryMethodRequiredCVV:
      .init(
        "SECONDARY_METHOD_REQUIRED_CVV", .checkout, moved: .no, retry: .useless,
        "This method and pan combination requires a CVV.")
    case .secondaryMethodWrongPanFormat:
      .init(
        "SECONDARY_METHOD_WRONG_PAN_FORMAT", .checkout, moved: .no, retry: .useless,
        "The provided pan does not respect the expected format.")
    case .secondaryMethodWrongCVVFormat:
      .init(
        "SECONDARY_METHOD_WRONG_CVV_FORMAT", .checkout, moved: .no, retry: .useless,
        "The provided cvv does not respect the expected format.")
    case .secondaryMethodTakePolicyViolated:
      .init(
        "SECONDARY_METHOD_TAKE_POLICY_VIOLATED", .checkout, moved: .no, retry: .useless,
        "This method has a strict take policy and cannot be used with any amount.")
    case .secondaryMethodRequestAborted:
      .init(
        "SECONDARY_METHOD_REQUEST_ABORTED", .checkout, moved: .no, retry: .useful,
        "The request to get a secondary token was aborted.")
    case .methodNotImplemented:
      .init("METHOD_NOT_IMPLEMENTED", .checkout, moved: .no, retry: .useless, "The invoked method is not implemented.")
    case .invalidTakeAmount:
      .init(
        "INVALID_TAKE_AMOUNT", .checkout, moved: .no, retry: .useless,
        "Cannot perform \"take\" with an invalid amount.")
    case .maxAmountReached:
      .init(
        "MAX_AMOUNT_REACHED", .checkout, moved: .no, retry: .useless,
        "Take amount is invalid. Maximum amount reached.")
    case .paymentNotFulfilledOnSubmit:
      .init(
        "PAYMENT_NOT_FULFILLED_ON_SUBMIT", .checkout, moved: .no, retry: .useless,
        "Payment not fulfilled while submitting payment.")
    case .paymentMethodNotFound:
      .init("PAYMENT_METHOD_NOT_FOUND", .checkout, moved: .no, retry: .useless, "Method not found.")
    case .unknownError:
      .init("UNKNOWN_ERROR", .checkout, moved: .unknown, retry: .useless, "An error occurred.")
    case .onBeforeValidateHookFailed:
      .init(
        "ON_BEFORE_VALIDATE_HOOK_FAILED", .checkout, moved: .no, retry: .useful,
        "The hook onBeforeValidate failed.")
    case .notSupportedBrand:
      .init("NOT_SUPPORTED_BRAND", .checkout, moved: .no, retry: .useless, "The brand is not supported.")
    case .brandNotBelongsToDetected:
      .init(
        "BRAND_NOT_BELONGS_TO_DETECTED", .checkout, moved: .no, retry: .useless,
        "The brand is not one of the detected ones")
    case .methodNotRegisterable:
      .init(
        "METHOD_NOT_REGISTERABLE", .checkout, moved: .no, retry: .useless,
        "The session does not let this method be saved.")
    case .methodDisabled:
      .init("METHOD_DISABLED", .checkout, moved: .no, retry: .useless, "The payment method cannot be used right now.")
    case .methodIsNotSimulable:
      .init(
        "METHOD_IS_NOT_SIMULABLE", .checkout, moved: .no, retry: .useless,
        "The payment method offers no loan simulation.")
    case .validateFailed:
      .init("VALIDATE_FAILED", .api, moved: .no, retry: .useful, "The payment was refused before it was made.")
    case .postValidateFailed:
      .init(
        "POST_VALIDATE_FAILED", .checkout, moved: .unknown, retry: .useless,
        "The payment was answered, but a step after the answer failed.")
    case .invalidInitParams:
      .init(
        "INVALID_INIT_PARAMS", .argument, moved: .no, retry: .useless,
        "The checkout cannot be created from these parameters.")
    case .failedToInitSecondaryToken:
      .init("FAILED_TO_INIT_SECONDARY_TOKEN", .api, moved: .no, retry: .useful, "The balance could not be read.")
    case .tokenNotRegisterable:
      .init("TOKEN_NOT_REGISTERABLE", .checkout, moved: .no, retry: .useless, "The token cannot be saved.")
    case .tokenNotRegistered:
      .init("TOKEN_NOT_REGISTERED", .checkout, moved: .no, retry: .useless, "The token is not a saved one.")
    case .tokenNameExists:
      .init("TOKEN_NAME_EXISTS", .checkout, moved: .no, retry: .useless, "Another saved token has this name.")
    case .missingToken:
      .init("MISSING_TOKEN", .checkout, moved: .no, retry: .useless, "There is no such token.")
    case .invalidTokenName:
      .init("INVALID_TOKEN_NAME", .checkout, moved: .no, retry: .useless, "The name is not fit for a saved token.")
    case .failedToDeleteAllTokens:
      .init("FAILED_TO_DELETE_ALL_TOKENS", .api, moved: .no, retry: .useful, "Not every saved token could be deleted.")
    case .failedToAddToken:
      .init("FAILED_TO_ADD_TOKEN", .api, moved: .no, retry: .useful, "The token could not be added.")
    case .tokenAlreadyExists:
      .init("TOKEN_ALREADY_EXISTS", .checkout, moved: .no, retry: .useless, "The token was added before.")
    case .userActionRequestHasExpired:
      .init(
        "USER_ACTION_REQUEST_HAS_EXPIRED", .checkout, moved: .no, retry: .useful,
        "The shopper did not confirm in time.")
    case .userActionRequestAbortedByCustomer:
      .init(
        "USER_ACTION_REQUEST_ABORTED_BY_CUSTOMER", .checkout, moved: .no, retry: .useful,
        "The shopper declined to confirm.")
    case .otherTransactionPendingForAccount:
      .init(
        "OTHER_TRANSACTION_PENDING_FOR_ACCOUNT", .checkout, moved: .no, retry: .useful,
        "Another transaction of this account is waiting.")
    case .paymentTokenNotFoundInSession:
      .init(
        "PAYMENT_TOKEN_NOT_FOUND_IN_SESSION", .checkout, moved: .no, retry: .useless,
        "The session has no such payment token.")
    case .secondaryTokenEmptyBalance:
      .init("SECONDARY_TOKEN_EMPTY_BALANCE", .checkout, moved: .no, retry: .useless, "The balance is zero.")
    case .expiredSession:
      .init("EXPIRED_SESSION", .session, moved: .no, retry: .useless, "The session has expired.")
    case .sessionAlreadySet:
      .init("SESSION_ALREADY_SET", .session, moved: .no, retry: .useless, "The session is set already.")
    case .missingSession:
      .init("MISSING_SESSION", .session, moved: .no, retry: .useless, "There is no session.")
    case .missingWalletSession:
      .init("MISSING_WALLET_SESSION", .session, moved: .no, retry: .useless, "There is no wallet session.")
    case .setWalletSessionFailed:
      .init("SET_WALLET_SESSION_FAILED", .api, moved: .no, retry: .useful, "The wallet session could not be set.")
    case .sessionMalformed:
      .init("SESSION_MALFORMED", .session, moved: .no, retry: .useless, "The session cannot be read.")
    case .submitBlocked:
      .init("SUBMIT_BLOCKED", .checkout, moved: .no, retry: .useless, "The state of the checkout does not allow this.")
    case .checkoutTornDown:
      .init("CHECKOUT_TORN_DOWN", .checkout, moved: .no, retry: .useless, "The checkout was torn down.")
    case .partnerUIError:
      .init("PARTNER_UI_ERROR", .checkout, moved: .no, retry: .useful, "The partner's interface failed.")
    case .invalidClientToken:
      .init(
        "invalid-client-token", .session, moved: .no, retry: .useless,
        "The client token is missing, cannot be read, or has expired.")
    case .missingConfiguration:
      .init(
        "missing-configuration", .session, moved: .no, retry: .useful,
        "The session has no configuration, or none of its methods can be offered.")
    case .misconfiguredPaymentMethods:
      .init(
        "misconfigured-payment-methods", .session, moved: .no, retry: .useless,
        "The configuration has no payment methods.")
    case .invalidValue:
      .init(
        "invalid-value", .argument, moved: .no, retry: .useless,
        "A value cannot be used here.")
    case .paymentCancelled:
      .init(
        "payment-cancelled", .checkout, moved: .no, retry: .useful,
        "The payment was cancelled before it was made.")
    case .merchantError:
      .init(
        "merchant-error", .checkout, moved: .no, retry: .useful,
        "The merchant stopped the payment.")
    case .paymentFailed:
      .init(
        "payment-failed", .api, moved: .no, retry: .useful,
        "The payment was declined.")
    case .failedToCreatePayment:
      .init(
        "failed-to-create-payment", .api, moved: .no, retry: .useful,
        "The payment was refused before it was made.")
    case .failedToResumePayment:
      .init(
        "failed-to-resume-payment", .api, moved: .no, retry: .useful,
        "The payment was declined after its required action.")
    case .failedToRedirect:
      .init(
        "failed-to-redirect", .checkout, moved: .unknown, retry: .useless,
        "The page that the payment needs could not be shown.")
    case .genericUnderlyingErrors:
      .init(
        "generic-underlying-errors", .api, moved: .no, retry: .useful,
        "The session could not be loaded.")
    case .unknown:
      .init(
        "unknown", .api, moved: .no, retry: .useful,
        "A request before the payment failed.")
    case .outcomeUnknown:
      .init(
        "OUTCOME_UNKNOWN", .api, moved: .unknown, retry: .useless,
        "The payment may have been made: its status must be confirmed before anything else is tried.")
    case .checkpointRefused:
      .init(
        "CHECKPOINT_REFUSED", .checkout, moved: .no, retry: .useful,
        "The state could not be stored, so the payment was not sent.")
    case .environmentMismatch:
      .init(
        "ENVIRONMENT_MISMATCH", .session, moved: .no, retry: .useless,
        "The session belongs to another environment.")
    case .ticketClosed:
      .init("TICKET_CLOSED", .checkout, moved: .no, retry: .useless, "The ticket was answered or closed before.")
    case .tooLate:
      .init(
        "TOO_LATE", .checkout, moved: .unknown, retry: .useless,
        "The payment request has left and cannot be taken back.")
    case .invalidArgument:
      .init("INVALID_ARGUMENT", .argument, moved: .no, retry: .useless, "The request cannot be read.")
    case .invalidHandle:
      .init("INVALID_HANDLE", .argument, moved: .no, retry: .useless, "The handle stands for nothing that lives.")
    case .busy:
      .init("BUSY", .argument, moved: .no, retry: .useful, "Another thread is polling.")
    case .reentrant:
      .init("REENTRANT", .argument, moved: .no, retry: .useless, "This cannot be called from a callback.")
    case .forked:
      .init("FORKED", .argument, moved: .no, retry: .useless, "The handle belongs to the parent process.")
    case .internal:
      .init("INTERNAL", .checkout, moved: .no, retry: .useless, "The library failed.")
    }
  }
}
