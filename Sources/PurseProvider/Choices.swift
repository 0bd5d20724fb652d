import CheckoutCore

/// A name, a path or a limit that no public description of the back end tells, and that we had to choose.
public struct Choice: Hashable, Sendable {
  public let name: String
  /// What the code uses. Several spellings are divided by `|`; the first is the preferred one.
  public let value: String
  /// What a host passes to get another value.
  public let override: String
  /// The part of the reference that leaves it open.
  public let section: String

  init(_ name: String, _ value: String, override: String = "none", section: String) {
    self.name = name
    self.value = value
    self.override = override
    self.section = section
  }

  var spellings: [String] {
    Array(value.utf8).split(separator: UInt8(ascii: "|")).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value with its `{placeholders}` filled in.
  func filled(_ texts: [(placeholder: String, text: String)]) -> String {
    var filled: [UInt8] = []
    let pieces = Array(value.utf8).split(separator: UInt8(ascii: "{"), omittingEmptySubsequences: false)
    for (position, piece) in pieces.enumerated() {
      guard position > 0, let end = piece.firstIndex(of: UInt8(ascii: "}")) else {
        filled.append(contentsOf: piece)
        continue
      }
      for text in texts where text.placeholder.utf8.elementsEqual(piece[..<end]) {
        filled.append(contentsOf: text.text.utf8)
      }
      filled.append(contentsOf: piece[piece.index(after: end)...])
    }
    return String(decoding: filled, as: UTF8.self)
  }
}

/// The one table of what is chosen rather than known. The code takes its names from here and the documentation is made
/// from it, so that neither can drift from the other.
public enum Choices {
  // MARK: Where it is sent

  static let sandboxRoot = Choice(
    "root of the environment sandbox", "https://api.purse-sandbox.com",
    override: "apiPaths.payment, apiPaths.datetime, apiPaths.logs",
    section: "1")
  static let productionRoot = Choice(
    "root of the environment production", "https://api.purse-live.com",
    override: "apiPaths.payment, apiPaths.datetime, apiPaths.logs", section: "1, 18.1")
  static let initPath = Choice(
    "path of /init", "/{entityId}/sessions/{sessionId}/init", override: "apiPaths.payment (the root)", section: "3")
  static let validatePath = Choice(
    "path of /validate", "/{entityId}/sessions/{sessionId}/validate", override: "apiPaths.payment (the root)",
    section: "3")
  static let simulationPath = Choice(
    "path of a loan's simulation", "/{entityId}/sessions/{sessionId}/simulation",
    override: "apiPaths.payment (the root)", section: "3.4")
  static let walletListPath = Choice(
    "path of a wallet's tokens (GET)", "/customers/{customerId}/sessions/{walletSessionId}/tokens?status=ACTIVE",
    override: "apiPaths.wallet (the root)", section: "4.2")
  static let walletTokenPath = Choice(
    "path of one token (PATCH to rename, DELETE)", "/customers/{customerId}/tokens/{tokenId}",
    override: "apiPaths.wallet (the root)", section: "4.2")
  static let walletAllPath = Choice(
    "path of all tokens (DELETE)", "/customers/{customerId}/tokens", override: "apiPaths.wallet (the root)",
    section: "4.2")
  static let walletFavoritePath = Choice(
    "path of the favorite (PUT)", "/customers/{customerId}/sessions/{walletSessionId}/tokens/{tokenId}/favorite",
    override: "apiPaths.wallet (the root)", section: "4.2")
  static let merchantHeader = Choice("header of the wallet's merchant", "x-merchant-id", section: "4.2")
  static let walletHeader = Choice("header of the wallet session", "x-wallet-session-id", section: "4.2")
  static let timePath = Choice(
    "path of the server's time", "/datetime", override: "apiPaths.datetime (the root)", section: "3.5")
  static let monitoringPath = Choice(
    "path of monitoring", "/widget/headless_checkout", override: "apiPaths.logs (the root)", section: "7")
  static let partnerStatus = Choice(
    "member of plugin_result that is the partner's own status, for monitoring", "status", section: "3.2")
  static let idempotencyHeader = Choice(
    "idempotency header of /validate", ProviderOptions().idempotencyHeader ?? "", override: "idempotencyHeader",
    section: "19")

  // MARK: The session

  static let apiKey = Choice("session: API key", "api_key|apiKey", section: "2")
  static let entityID = Choice("session: entity id", "entity_id|entityId", section: "2")
  static let environment = Choice("session: environment", "environment", section: "2")
  static let session = Choice("session: payment session", "session|paymentSession|payment_session", section: "2")
  static let walletSession = Choice("session: wallet session", "wallet_session|walletSession", section: "2")
  static let secondaryLabel = Choice("label of a method that takes a slice", "secondary", section: "2.1")
  static let largestSession = Choice("session: most bytes once decoded", String(SessionBlob.maximumBytes), section: "2")
  static let tokenNeedsCode = Choice(
    "saved card: needs its security code again", "cvv_required", override: "securityCode of hco_element_open",
    section: "2.1")
  static let mostItems = Choice("session: most methods and saved tokens", String(ItemReader.mostItems), section: "2")

  // MARK: Bodies

  static let formToken = Choice("payment_data: a card form's token", "vault_form_token", section: "3.3")
  static let selectedNetwork = Choice(
    "payment_data: the brand of a card with several", "selected_network", section: "6.2")
  static let walletToken = Choice("payment_data: a saved card", "wallet_token", section: "3.3")
  static let tokenName = Choice("payment_preferences: the name to save under", "name", section: "3.3")
  static let saveToken = Choice("payment_preferences: the save decision", "save_token", section: "3.3")

  static let walletData = Choice(
    "payment_data of a step that prepares: key of its answer", "payment_data", section: "3.3")
  static let voucherNumber = Choice("payment_data: a voucher's number", "voucher_number", section: "3.3")

  // MARK: Loans

  static let simulableMethods = Choice(
    "methods whose instalments can be simulated",
    """
    loan|installments|bnpl|paylater|revolving|3x|6x|9x|10x|12x|cb2x|cb3x|cb3xsansfrais|cb4x|cb4xsansfrais|cb10x|\
    cb10xsansfrais|cb12x|cb12xsansfrais
    """, section: "3.4")

  // MARK: Gift cards

  static let polledIssuers = Choice(
    "issuers that ask their shopper before they tell a balance", GiftCards.partners { $0.isPolled }, section: "14")
  static let issuersPaidByHandle = Choice(
    "issuers that are paid with the balance reading's step alone", GiftCards.partners { $0.paysByHandle },
    section: "3.3")
  static let issuersWithCode = Choice(
    "issuers whose long numbers need a security code", GiftCards.partners { $0.codeFromLength != nil }, section: "14")

  // MARK: Answers

  static let startedStates = Choice(
    "/init: states that let a redirection method go on", "SUCCESS|WAITING", section: "3.1")
  static let totalBalance = Choice("/init: a loyalty account's total, in plugin_result", "total_amount", section: "14")
  static let unknownTokenCodes = Choice(
    "error codes with which a saved instrument is unknown",
    "PAYMENT_TOKEN_NOT_FOUND_IN_SESSION|UNKNOWN_WALLET_TOKEN|TOKEN_NOT_FOUND", section: "3.6")
  static let balanceState = Choice("/init: state of a balance that was read", "SUCCESS", section: "14")
  static let pollingState = Choice("/init: state in which the balance is asked for again", "WAITING", section: "14")
  static let abortedByShopper = Choice(
    "/init: code when the shopper declined to confirm", "ABORTED_BY_CUSTOMER", section: "14")
  static let confirmationExpired = Choice(
    "/init: code when the shopper did not confirm in time", "EXPIRED_AUTHORIZATION", section: "14")
  static let otherTransactionPending = Choice(
    "/init: code when another transaction of the account waits", "DUPLICATED_TRANSACTION", section: "14")
  static let successStatuses = Choice("/validate: global_status that means success", "SUCCESS", section: "3.2")
  static let declinedStatuses = Choice("/validate: global_status that means declined", "FAILED|ERROR", section: "3.2")
  static let earlierPaymentCodes = Choice(
    "error codes that speak of an earlier payment",
    """
    SESSION_ALREADY_SUBMITTED|SESSION_ALREADY_SUBMITTED_ERROR|ALREADY_SUBMITTED|IDEMPOTENCY_KEY_ALREADY_EXISTS|\
    IdempotencyKeyAlreadyExists|IDEMPOTENCY_KEY_USED
    """, section: "3.6")
  static let errorCodeKeys = Choice("keys of an error code, also in errors[]", "code|error|errorCode", section: "3.6")
  static let partnerRedirect = Choice("member of plugin_result that may hold redirect fields", "logs", section: "15")
  static let redirectMethod = Choice("redirection: method", "method", section: "15")
  static let redirectBody = Choice("redirection: body of a POST", "body", section: "15")
  static let timeKeys = Choice("members of the server's time, in order of preference", "utc|iso", section: "3.5")

  /// Every row.
  public static let all: [Choice] = [
    sandboxRoot, productionRoot, initPath, validatePath, simulationPath, timePath, walletListPath, walletTokenPath,
    walletAllPath, walletFavoritePath, merchantHeader, walletHeader, monitoringPath, partnerStatus, idempotencyHeader,
    apiKey, entityID, environment,
    session, walletSession, secondaryLabel, tokenNeedsCode, largestSession, mostItems, formToken, selectedNetwork,
    walletToken,
    saveToken, tokenName, simulableMethods, walletData, voucherNumber, polledIssuers, issuersPaidByHandle,
    issuersWithCode, startedStates,
    totalBalance, unknownTokenCodes, balanceState, pollingState, abortedByShopper,
    confirmationExpired, otherTransactionPending,
    successStatuses, declinedStatuses, earlierPaymentCodes, errorCodeKeys, partnerRedirect, redirectMethod,
    redirectBody, timeKeys,
  ]
}
