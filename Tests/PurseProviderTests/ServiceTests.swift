import Foundation
import JSONText
import Testing

@testable import CheckoutCore
@testable import PurseProvider

@Suite("Wallet and simulation, as they go over the wire")
struct ServiceTests {
  private func opened(
    _ wallet: String? = nil, root: String? = "https://wallet.example/"
  ) throws(CheckoutError) -> Opened<Purse> {
    let json = """
      {"api_key":"k","entity_id":"e1","environment":"sandbox"\(wallet.map { #","wallet_session":\#($0)"# } ?? ""),\
      "session":{"id":"s1","amount":120.00,"currency_code":"EUR","expiration_date":"2030-01-01T00:00:00Z","protocols":{\
      "younited":{"loan":{"configurations":{"labels":["primary"]}}},\
      "floa":{"cb3x":{"configurations":{"labels":["secondary"]}}}}}}
      """
    return try Purse.open(
      Data(json.utf8).base64EncodedString(),
      ProviderOptions(paymentRoot: "https://pay.example", timeRoot: nil, walletRoot: root))
  }

  private let session = WalletSession(id: "w/1", owner: "o 1", merchant: "m1", expiresAt: nil)

  private func body(_ request: Request?) -> String {
    (request?.body ?? []).map { part in
      if case .text(let text) = part { return text }
      return "<secret>"
    }.joined()
  }

  private func loan(_ opened: Opened<Purse>, _ amount: Int64 = 10_001, digits: Int = 2) throws -> LoanOrder {
    let method = try #require(opened.session.method("younited-loan"))
    let code = digits == 0 ? "JPY" : digits == 3 ? "KWD" : "EUR"
    return LoanOrder(item: method.id, name: method.name, amount: amount, currency: try #require(Currency(code: code)))
  }

  @Test("Each order is its own request, and ids cannot leave their segment")
  func requests() throws {
    let provider = try opened().provider
    let rows: [(ServiceOrder, String, String, String)] = [
      (.listTokens(session), "GET", "/customers/o%201/sessions/w%2F1/tokens?status=ACTIVE", ""),
      (
        .rename(session, token: "../t", name: #"A "b""#), "PATCH", "/customers/o%201/tokens/..%2Ft",
        #"{"name":"A \"b\""}"#
      ),
      (.makeFavorite(session, token: "t"), "PUT", "/customers/o%201/sessions/w%2F1/tokens/t/favorite", "{}"),
      (.delete(session, token: "t"), "DELETE", "/customers/o%201/tokens/t", ""),
      (.deleteAll(session), "DELETE", "/customers/o%201/tokens", ""),
    ]
    for (order, method, path, content) in rows {
      let request = try #require(provider.request(for: order))
      #expect(request.method == method && request.url == "https://wallet.example" + path)
      #expect(body(request) == content && request.money == .none && request.call == .wallet)
      let names = request.headers.map { $0.name }
      #expect(names.contains("x-api-key") && names.contains("x-merchant-id") && names.contains("x-wallet-session-id"))
      #expect(names.contains("content-type") == !content.isEmpty)
    }
  }

  @Test("Without an address of its own the wallet is where the environment's is")
  func roots() throws {
    let known = try opened(root: nil).provider.request(for: .deleteAll(session))
    #expect(known?.url == "https://api.purse-sandbox.com/customers/o%201/tokens")
  }

  @Test(
    "A simulation names the method and the amount in major units",
    arguments: [(2, "100.01"), (0, "10001"), (3, "10.001")])
  func simulation(_ digits: Int, _ amount: String) throws {
    let opened = try opened()
    let request = opened.provider.request(for: .simulateLoan(try loan(opened, digits: digits)))
    #expect(request?.url == "https://pay.example/e1/sessions/s1/simulation" && request?.call == .simulate)
    #expect(body(request).contains(#""partner":"younited","method":"loan","amount":\#(amount),"#))
  }

  @Test("What can be simulated is a primary of the list")
  func simulable() throws {
    let session = try opened().session
    #expect(session.method("younited-loan")?.traits.contains(.simulable) == true)
    #expect(session.method("floa-cb3x")?.traits.contains(.simulable) == false)
  }

  @Test("Answers of the wallet")
  func answers() throws {
    let provider = try opened().provider
    func reading(_ status: Int, _ body: String, _ order: ServiceOrder) -> ServiceReading {
      provider.reading(Answer(status: status, date: nil, body: Array(body.utf8)), of: order)
    }
    let changes: [ServiceOrder] = [
      .rename(session, token: "t", name: "n"), .makeFavorite(session, token: "t"), .delete(session, token: "t"),
    ]
    for order in changes {
      for status in [200, 201, 202, 204] { #expect(reading(status, "", order) == .done) }
      for status in [404, 410] { #expect(reading(status, "", order) == .gone) }
      for status in [301, 400, 401, 403, 409, 500, 503] {
        guard case .refused(let error) = reading(status, "", order) else {
          Issue.record("\(status)")
          continue
        }
        #expect(error.code == (status == 401 ? .missingWalletSession : .unknownError) && error.moved == .no)
        #expect(error.details == #"{"statusCode":\#(status)}"#)
      }
    }
    #expect(reading(204, "", .deleteAll(session)) == .done)
    guard case .refused(let error) = reading(404, "", .deleteAll(session)) else {
      Issue.record("404 is no deletion of all")
      return
    }
    #expect(error.code == .failedToDeleteAllTokens)
  }

  @Test("The wallet's list: what can be read of it")
  func list() throws {
    let provider = try opened().provider
    func tokens(_ body: String) -> [PaymentToken]? {
      let answer = Answer(status: 200, date: nil, body: Array(body.utf8))
      guard case .tokens(let tokens) = provider.reading(answer, of: .listTokens(session)) else { return nil }
      return tokens
    }
    for body in ["", "{}", "null", "7", #"{"tokens":[]}"#, "[" + String(repeating: "0,", count: 1_000) + "0]"] {
      #expect(tokens(body) == nil, "\(body.prefix(20))")
    }
    let read = try #require(
      tokens(
        """
        [{"id":"t","value":"v","name":"","favorite":true,"owner_reference":"o","expiration_date":"2031-01-01",\
        "description":{"masked_pan":"4111111111111111"},"payment_id":{"origin":"x","partner":"purse",\
        "method":"creditcard"},"savable_to_shared_wallet":false},\
        {"id":"","value":"v","payment_id":{"partner":"p","method":"m"}},{"id":"t","value":"v"},\
        {"id":"t","value":"v","favorite":"yes","payment_id":{"partner":"p","method":"m"}}, null, 3]
        """))
    let token = try #require(read.first)
    #expect(read.count == 1 && token.item == "purse-creditcard" && token.name == nil && token.isFavorite)
    #expect(token.mask == "**** 1111" && token.owner == "o" && token.expiresAt == "2031-01-01T00:00:00Z")
  }

  @Test("A wallet session of the session's own: whole, or the session is malformed")
  func blob() throws {
    let fine = try opened(
      #"{"session_id":"w","owner_reference":"o","merchant":"m","expiration_date":"2030-01-01T00:00:00Z","more":1}"#)
    #expect(
      fine.session.walletSession == WalletSession(id: "w", owner: "o", merchant: "m", expiresAt: 1_893_456_000_000))
    #expect(try opened("null").session.walletSession == nil && opened().session.walletSession == nil)
    for (wallet, path) in [
      (#"{}"#, "merchant"), (#"[]"#, ""), (#""w""#, ""), (#"{"merchant":"m"}"#, "session_id"),
      (#"{"merchant":"m","session_id":"w"}"#, "owner_reference"),
      (#"{"merchant":"m\r\nx","session_id":"w","owner_reference":"o"}"#, "merchant"),
      (#"{"merchant":"m","session_id":"..","owner_reference":"o"}"#, "session_id"),
      (#"{"merchant":"m","session_id":"w","owner_reference":"o","expiration_date":"soon"}"#, "expiration_date"),
    ] {
      do throws(CheckoutError) {
        _ = try opened(wallet)
        Issue.record("\(wallet)")
      } catch {
        #expect(error.code == .sessionMalformed)
        #expect(error.path == (path.isEmpty ? "wallet_session" : "wallet_session." + path))
      }
    }
  }

  @Test("Offers are read to the minor unit or not at all")
  func offers() throws {
    let opened = try opened()
    func offers(_ body: String, _ amount: Int64 = 12_000) throws -> [LoanOffer] {
      let answer = Answer(status: 200, date: nil, body: Array(body.utf8))
      guard case .loans(let offers) = opened.provider.reading(answer, of: .simulateLoan(try loan(opened, amount)))
      else { return [] }
      return offers
    }
    func terms(_ more: String) -> String { #"{"plugin_result":{\#(more)}}"# }
    let one =
      #""initial_instalment_amount":"40.00","instalment_amount":4e1,"final_instalment_amount":40,"instalment_number":3"#
    #expect(try offers(terms(one)).first?.instalments == [4_000, 4_000, 4_000])
    #expect(try offers("[\(terms(one)),null,{},{\"plugin_result\":null}]").count == 1)
    for bad in [
      one.replacing("4e1", with: "40.005"), one.replacing("4e1", with: "-40"), one.replacing("4e1", with: "true"),
      one.replacing(":3", with: ":3.5"), one.replacing(":3", with: ":null"), one.replacing(":40,", with: ":41,"),
      one + #","total_cost":"x""#,
    ] { #expect(try offers(terms(bad)).isEmpty, "\(bad)") }
    for (rate, expected) in [
      ("0.0499", "0.0499"), (#""0.05""#, "0.05"), ("0", "0"), ("1e-2", nil), ("-1", nil), (#"".5""#, nil),
      (#""5.""#, nil), (#""1.2.3""#, nil), ("true", nil),
    ] as [(String, String?)] {
      let body = terms(one + #","effective_annual_percentage_rate":\#(rate)"#)
      #expect(try offers(body).first?.rate == expected, "\(rate)")
    }
  }
}
