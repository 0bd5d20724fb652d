import JSONText
import Testing

@testable import CheckoutCore
@testable import PurseProvider

@Suite("Reading answers")
struct AnswerTests {
  // MARK: Balances

  static func initBody(
    state: String = "SUCCESS", code: String = "SUCCEEDED", step: String = "1",
    result: String = #"{"amount":50.00,"currency_code":"EUR","expiration_date":"2031-01-01T00:00:00Z"}"#
  ) -> String {
    """
    {"id":"i1","session_id":"s","date":"2030-01-01T00:00:00Z","partner":"illicado","method":"giftcard",\
    "step_id":\(step),"status":{"action":"INIT","state":"\(state)","code":"\(code)"},"plugin_result":\(result)}
    """
  }

  private func balance(_ body: String, status: Int = 200, _ currency: Currency = Sample.euro) throws -> BalanceReading {
    try Sample.open(Sample.json).provider.balance(in: answer(body, status: status), currency: currency)
  }

  private func failed(_ status: Int = 200, _ more: String = "") -> BalanceReading {
    .refused(.failedToInitSecondaryToken, details: #"{"statusCode":\#(status)\#(more)}"#)
  }

  @Test("A balance")
  func balance() throws {
    let handle = BalanceHandle(id: "i1", stepID: 1)
    #expect(
      try balance(Self.initBody())
        == .read(Balance(amount: 5_000, expiresAt: "2031-01-01T00:00:00Z", handle: handle)))
    #expect(
      try balance(Self.initBody(step: "null", result: #"{"amount":"0"}"#), status: 201)
        == .read(Balance(amount: 0, expiresAt: nil, handle: BalanceHandle(id: "i1", stepID: nil))))
    #expect(
      try balance(Self.initBody(result: #"{"amount":50,"expiration_date":7}"#))
        == .read(Balance(amount: 5_000, expiresAt: nil, handle: handle)))
    #expect(
      try balance(Self.initBody(result: #"{"amount":50,"currency_code":"JPY"}"#), Sample.yen)
        == .read(Balance(amount: 50, expiresAt: nil, handle: handle)))
    #expect(
      try balance(Self.initBody(result: #"{"amount":1.234}"#), Sample.dinar)
        == .read(Balance(amount: 1_234, expiresAt: nil, handle: handle)))
  }

  @Test("A balance in another currency is none", arguments: [#""USD""#, "978", #""eur""#, #""""#])
  func otherCurrency(_ code: String) throws {
    let body = Self.initBody(result: #"{"amount":5,"currency_code":\#(code)}"#)
    #expect(try balance(body) == failed(200, #","reason":"currency""#))
  }

  @Test(
    "The total of a loyalty account stands beside what may be used of it",
    arguments: [
      ("\"80.00\"", 8_000), ("80", 8_000), ("null", nil), ("true", nil), ("1.001", nil), ("-1", nil),
    ] as [(String, Int64?)])
  func total(_ literal: String, _ total: Int64?) throws {
    let handle = BalanceHandle(id: "i1", stepID: 1)
    let body = Self.initBody(result: #"{"amount":50,"total_amount":\#(literal)}"#)
    #expect(try balance(body) == .read(Balance(amount: 5_000, total: total, expiresAt: nil, handle: handle)))
  }

  @Test(
    "What a partner's widget is shown with",
    arguments: [
      (initBody(result: #"{"client_token":"c"}"#), 200, .read(InitData(stepID: 1, json: #"{"client_token":"c"}"#))),
      (initBody(state: "WAITING", result: "{}"), 201, .read(InitData(stepID: 1, json: "{}"))),
      (
        initBody(state: "FAILED", code: "BAD_REQUEST"), 200,
        .refused(details: #"{"state":"FAILED","code":"BAD_REQUEST"}"#)
      ),
      (initBody(state: "NEW", code: "C"), 200, .refused(details: #"{"state":"NEW","code":"C"}"#)),
      (initBody(result: "[]"), 200, .refused(details: #"{"statusCode":200}"#)),
      (initBody(result: #""text""#), 200, .refused(details: #"{"statusCode":200}"#)),
      ("", 200, .refused(details: #"{"statusCode":200}"#)), ("{}", 200, .refused(details: #"{"statusCode":200}"#)),
      (initBody(), 400, .refused(details: #"{"statusCode":400}"#)),
      (initBody(), 302, .refused(details: #"{"statusCode":302}"#)),
    ] as [(String, Int, ElementReading)])
  func elementData(_ body: String, _ status: Int, _ reading: ElementReading) throws {
    #expect(try Sample.open(Sample.json).provider.elementData(in: answer(body, status: status)) == reading)
  }

  @Test("A balance that is waited for")
  func waiting() throws {
    #expect(
      try balance(Self.initBody(state: "WAITING", code: "WAITING_PARTNER_RESPONSE", step: "7", result: "null"))
        == .waiting(BalanceHandle(id: "i1", stepID: 7)))
  }

  @Test(
    "Refusals that mean something to the shopper, and those that do not",
    arguments: [
      ("FAILED", "ABORTED_BY_CUSTOMER", .userActionRequestAbortedByCustomer),
      ("FAILED", "EXPIRED_AUTHORIZATION", .userActionRequestHasExpired),
      ("ERROR", "DUPLICATED_TRANSACTION", .otherTransactionPendingForAccount),
      ("UNCERTAIN", "ABORTED_BY_CUSTOMER", .userActionRequestAbortedByCustomer),
      ("FAILED", "UNKNOWN_CARD", .failedToInitSecondaryToken), ("FAILED", "", .failedToInitSecondaryToken),
      ("NEW_STATE", "SUCCEEDED", .failedToInitSecondaryToken), ("", "SUCCEEDED", .failedToInitSecondaryToken),
      ("UNCERTAIN", "UNCERTAIN", .failedToInitSecondaryToken), ("success", "SUCCEEDED", .failedToInitSecondaryToken),
    ] as [(String, String, ErrorCode)])
  func refusals(_ state: String, _ code: String, _ error: ErrorCode) throws {
    guard case .refused(let given, _) = try balance(Self.initBody(state: state, code: code)) else {
      Issue.record("not refused")
      return
    }
    #expect(given == error)
    if error == .failedToInitSecondaryToken {
      #expect(try balance(Self.initBody(state: state, code: code)) == failed(200, #","code":"\#(code)""#))
    }
  }

  @Test(
    "What is no balance",
    arguments: [
      "", "null", "[]", "{}", "x", "\"text\"", initBody(result: "null"), initBody(result: "[]"), initBody(result: "{}"),
      initBody(result: #"{"amount":null}"#), initBody(result: #"{"amount":true}"#), initBody(result: #"{"amount":-1}"#),
      initBody(result: #"{"amount":1.001}"#), initBody(result: #"{"amount":1e300}"#),
      initBody(result: #"{"amount":"5,00"}"#), initBody(step: "\"1\""), initBody(step: "1.5"),
      initBody(step: "99999999999999999999"), #"{"id":"i"}"#, #"{"id":"i","status":{}}"#,
      #"{"id":"i","status":"SUCCESS"}"#,
      #"{"id":"","status":{"state":"SUCCESS"},"plugin_result":{"amount":1}}"#,
      #"{"status":{"state":"SUCCESS"},"plugin_result":{"amount":1}}"#, #"{"id":7,"status":{"state":"SUCCESS"}}"#,
      initBody() + "x",
    ])
  func noBalance(_ body: String) throws {
    #expect(try balance(body) == failed())
  }

  @Test(
    "A whole balance counts for nothing when the status is no success", arguments: [0, 199, 300, 302, 400, 404, 500])
  func noSuccess(_ status: Int) throws {
    #expect(try balance(Self.initBody(), status: status) == failed(status))
    #expect(try balance(Self.initBody(state: "WAITING"), status: status) == failed(status))
  }

  // MARK: Time

  @Test(
    "The server's time, however it is written",
    arguments: [
      (#"{"utc":"2030-01-01T00:00:00Z","iso":"2030-01-01T01:00:00+01:00"}"#, 1_893_456_000_000),
      (#"{"utc":"2030-01-01T00:00:00.250Z"}"#, 1_893_456_000_250),
      (#"{"iso":"2030-01-01T01:00:00+01:00"}"#, 1_893_456_000_000),
      (#"{"utc":1893456000}"#, 1_893_456_000_000), (#"{"utc":1893456000250}"#, 1_893_456_000_250),
      (#"{"utc":"1893456000"}"#, 1_893_456_000_000), (#"{"utc":null,"iso":"2030-01-01T00:00:00Z"}"#, 1_893_456_000_000),
      (#"{"utc":"x","iso":"2030-01-01T00:00:00Z"}"#, 1_893_456_000_000),
      (#"{"utc":"x","iso":"y"}"#, nil), (#"{"utc":0}"#, nil), (#"{"utc":-5}"#, nil), (#"{"utc":1.5}"#, nil),
      (#"{"utc":9223372036854775807}"#, nil), (#"{"utc":99999999999999999999}"#, nil), (#"{"utc":{}}"#, nil),
      ("{}", nil),
      ("", nil), ("[]", nil), ("1893456000", nil), (#"{"utc":253402300799}"#, 253_402_300_799_000),
      (#"{"utc":253402300799001}"#, nil),
    ] as [(String, Int64?)])
  func time(_ body: String, _ moment: Int64?) throws {
    let provider = try Sample.open(Sample.json).provider
    #expect(provider.serverTime(in: answer(body)) == moment)
    #expect(provider.serverTime(in: answer(body, status: 500)) == nil)
  }

  // MARK: Verdicts

  @Test(
    "What each word about a payment means",
    arguments: [
      ("SUCCESS", .success), ("FAILED", .declined), ("ERROR", .declined), ("WAITING", .pending),
      ("UNCERTAIN", .pending),
      ("NEW", .pending), ("", .pending), ("success", .pending), ("SUCCESS ", .pending), ("SUCCESSFUL", .pending),
      ("failed", .pending), ("SUCCESS|FAILED", .pending),
    ] as [(String, PaymentResult.Verdict)])
  func verdict(_ status: String, _ verdict: PaymentResult.Verdict) throws {
    let read = try #require(ValidateAnswer(Array(#"{"global_status":"\#(status)"}"#.utf8)))
    #expect(read.result == PaymentResult(status: status, verdict: verdict, lines: []))
    #expect(read.redirect == .none)
  }

  @Test("Results become lines; what is no result becomes none")
  func lines() throws {
    let body = """
      {"results":[{"partner":"purse","method":"creditcard","status":{"action":"AUTHORIZE","state":"SUCCESS",\
      "code":"SUCCEEDED"}},7,null,{},{"partner":"a"},{"partner":"a","method":7},{"partner":"a","method":"b"},\
      {"partner":"a","method":"c","status":{"state":1,"code":null}}],"global_status":"SUCCESS"}
      """
    let lines = try #require(ValidateAnswer(Array(body.utf8))).result.lines
    #expect(
      lines == [
        PaymentResult.Line(item: "purse-creditcard", state: "SUCCESS", code: "SUCCEEDED"),
        PaymentResult.Line(item: "a-b", state: "", code: ""), PaymentResult.Line(item: "a-c", state: "", code: ""),
      ])
    for results in ["null", "{}", "7", "[]"] {
      let body = #"{"results":\#(results),"global_status":"WAITING"}"#
      #expect(ValidateAnswer(Array(body.utf8))?.result.lines == [])
    }
  }

  @Test(
    "No answer without a word about the whole payment",
    arguments: [
      "", " ", "null", "[]", "{}", "true", "SUCCESS", "\"SUCCESS\"", #"{"global_status":null}"#,
      #"{"global_status":1}"#,
      #"{"global_status":["SUCCESS"]}"#, #"{"global_status":{"state":"SUCCESS"}}"#, #"{"status":"SUCCESS"}"#,
      #"{"global_status":"SUCCESS"}x"#, #"{"global_status":"SUCCESS""#, #"{"global_status":"SUCCESS",}"#,
      #"{"global_status":"FAILED","global_status":"SUCCESS"}"#, #"[{"global_status":"SUCCESS"}]"#,
      #"{"results":[{"status":{"state":"SUCCESS"}}]}"#, "<html>SUCCESS</html>",
      #"{"global_status":"SUCCESS"} {"global_status":"SUCCESS"}"#, "\u{FEFF}" + #"{"global_status":"SUCCESS"}"#,
    ])
  func unreadable(_ body: String) {
    #expect(ValidateAnswer(Array(body.utf8)) == nil)
  }

  // MARK: Earlier payments

  static let earlierCodes = [
    "SESSION_ALREADY_SUBMITTED", "SESSION_ALREADY_SUBMITTED_ERROR", "ALREADY_SUBMITTED",
    "IDEMPOTENCY_KEY_ALREADY_EXISTS", "IdempotencyKeyAlreadyExists", "IDEMPOTENCY_KEY_USED",
    "session-already-submitted",
    "SessionAlreadySubmitted",
  ]

  @Test("A refusal that names an earlier payment", arguments: earlierCodes)
  func earlierPayment(_ code: String) {
    for body in [
      #"{"code":"\#(code)"}"#, #"{"error":"\#(code)"}"#, #"{"errorCode":"\#(code)"}"#,
      #"{"errors":[{"code":"OTHER"},{"code":"\#(code)"}]}"#, #"{"error":{"code":"\#(code)"}}"#,
      #"{"errors":["\#(code)"]}"#, #"{"code":7,"errorCode":"\#(code)","error":null}"#,
    ] {
      #expect(EarlierPayment.isMeant(by: answer(body, status: 400)), "\(body)")
    }
  }

  @Test(
    "A refusal that names none",
    arguments: [
      "", "{}", "null", "[]", #"{"code":"SESSION_NOT_FOUND"}"#, #"{"code":"NOT_ALREADY_SUBMITTED"}"#, #"{"code":""}"#,
      #"{"message":"ALREADY_SUBMITTED"}"#, #"{"errors":{"code":7}}"#, #"{"code":["ALREADY_SUBMITTED"]}"#,
      "ALREADY_SUBMITTED",
    ])
  func noEarlierPayment(_ body: String) {
    #expect(!EarlierPayment.isMeant(by: answer(body, status: 400)))
  }
}
