import CheckoutCore
import Testing

@Suite("Errors")
struct CheckoutErrorTests {
  /// The vocabulary, spelt a second time: a code that changes its text breaks hosts.
  static let texts = """
    ELEMENT_NOT_FULFILLED INVALID_LOAN_SIMULATION UI_VALIDATION_FAILED_ERROR USAGE_LIMIT_ERROR \
    SECONDARY_METHOD_REQUIRED_CVV SECONDARY_METHOD_WRONG_PAN_FORMAT SECONDARY_METHOD_WRONG_CVV_FORMAT \
    SECONDARY_METHOD_TAKE_POLICY_VIOLATED SECONDARY_METHOD_REQUEST_ABORTED METHOD_NOT_IMPLEMENTED INVALID_TAKE_AMOUNT \
    MAX_AMOUNT_REACHED PAYMENT_NOT_FULFILLED_ON_SUBMIT PAYMENT_METHOD_NOT_FOUND UNKNOWN_ERROR \
    ON_BEFORE_VALIDATE_HOOK_FAILED NOT_SUPPORTED_BRAND BRAND_NOT_BELONGS_TO_DETECTED METHOD_NOT_REGISTERABLE \
    METHOD_DISABLED METHOD_IS_NOT_SIMULABLE VALIDATE_FAILED POST_VALIDATE_FAILED INVALID_INIT_PARAMS \
    FAILED_TO_INIT_SECONDARY_TOKEN TOKEN_NOT_REGISTERABLE TOKEN_NOT_REGISTERED TOKEN_NAME_EXISTS MISSING_TOKEN \
    INVALID_TOKEN_NAME FAILED_TO_DELETE_ALL_TOKENS FAILED_TO_ADD_TOKEN TOKEN_ALREADY_EXISTS \
    USER_ACTION_REQUEST_HAS_EXPIRED USER_ACTION_REQUEST_ABORTED_BY_CUSTOMER OTHER_TRANSACTION_PENDING_FOR_ACCOUNT \
    PAYMENT_TOKEN_NOT_FOUND_IN_SESSION SECONDARY_TOKEN_EMPTY_BALANCE EXPIRED_SESSION SESSION_ALREADY_SET \
    MISSING_SESSION MISSING_WALLET_SESSION SET_WALLET_SESSION_FAILED SESSION_MALFORMED SUBMIT_BLOCKED \
    CHECKOUT_TORN_DOWN PARTNER_UI_ERROR \
    invalid-client-token missing-configuration misconfigured-payment-methods invalid-value payment-cancelled \
    merchant-error payment-failed failed-to-create-payment failed-to-resume-payment failed-to-redirect \
    generic-underlying-errors unknown \
    OUTCOME_UNKNOWN CHECKPOINT_REFUSED ENVIRONMENT_MISMATCH TICKET_CLOSED TOO_LATE \
    INVALID_ARGUMENT INVALID_HANDLE BUSY REENTRANT FORKED INTERNAL
    """

  // seed: 002:50
  @Test("Every code has its own text")
  func codes() {
    #expect(ErrorCode.allCases.map(\.text) == Self.texts.split(separator: " ").map(String.init))
    #expect(Set(ErrorCode.allCases.map(\.text)).count == ErrorCode.allCases.count)
  }

  // seed: 002:49
  @Test("Every code is fit for a host", arguments: ErrorCode.allCases)
  func facts(_ code: ErrorCode) {
    // Primer spells its own in small letters.
    #expect(code.text.wholeMatch(of: /[A-Z]+(_[A-Z]+)*|[a-z]+(-[a-z]+)*/) != nil)
    #expect(code.documentationFragment == code.text.lowercased())
    #expect(!code.defaultMessage.isEmpty && !code.defaultMessage.contains("\n"))
    #expect(["checkout", "api", "session", "argument"].contains(code.category))
    #expect(code.defaultMoved != .yes)
    #expect(!(code.isRetryable && code.defaultMoved == .unknown))
  }

  @Test("Codes that leave the money in doubt are these")
  func doubt() {
    let doubtful = ErrorCode.allCases.filter { $0.defaultMoved == .unknown }
    #expect(doubtful == [.unknownError, .postValidateFailed, .failedToRedirect, .outcomeUnknown, .tooLate])
  }

  @Test("What is the caller's fault is never worth repeating, but for a busy moment")
  func arguments() {
    let repeated = ErrorCode.allCases.filter { $0.category == "argument" && $0.isRetryable }
    #expect(repeated == [.busy])
  }

  @Test("An error takes from its code what it is not given")
  func defaults() {
    let plain = CheckoutError(.paymentMethodNotFound)
    #expect(plain.message == "Method not found.")
    #expect(plain.moved == .no)
    #expect(plain.path == nil && plain.offset == nil && plain.details == nil)
    #expect(plain.category == "checkout" && !plain.isRetryable)

    let full = CheckoutError(
      .invalidArgument, message: "A number was expected.", moved: .yes, path: "/amount", offset: 12, details: "{}")
    #expect(full.message == "A number was expected.")
    #expect(full.moved == .yes && full.path == "/amount" && full.offset == 12 && full.details == "{}")
    #expect(full != CheckoutError(.invalidArgument))
  }

  @Test("Nothing is retryable once money may have moved", arguments: ErrorCode.allCases)
  func retry(_ code: ErrorCode) {
    #expect(CheckoutError(code).isRetryable == code.isRetryable)
    #expect(!CheckoutError(code, moved: .unknown).isRetryable)
    #expect(!CheckoutError(code, moved: .yes).isRetryable)
  }

  @Test("Whether money moved, as text")
  func moved() {
    #expect([Moved.no, .unknown, .yes].map(\.text) == ["no", "unknown", "yes"])
  }
}
