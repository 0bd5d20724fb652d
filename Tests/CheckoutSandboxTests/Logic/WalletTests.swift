import Testing

@testable import CheckoutSandbox

@Suite struct WalletTests {
  private static let owner = "shopper-1"

  private struct Opened {
    var session: String
    var wallet: SandboxJSON
    var tokens: [SandboxJSON]
  }

  private func open(_ bench: inout Bench, _ wishes: SandboxJSON = ["owner": .string(owner)]) throws -> Opened {
    let reply = bench.create(Bench.order(sandbox: wishes))
    #expect(reply.status == 201, "\(reply.text)")
    let blob = try Bench.blob(reply)
    let protocols = blob["session"]?["protocols"]
    let tokens = [("purse", "creditcard"), ("illicado", "giftcard"), ("easy2play", "giftcard")].flatMap {
      protocols?[$0.0]?[$0.1]?["integrated_tokens"]?.elements ?? []
    }
    return Opened(
      session: try #require(reply.json["id"]?.string), wallet: try #require(blob["wallet_session"]), tokens: tokens)
  }

  private func headers(_ wallet: SandboxJSON) -> [String: String] {
    [
      "x-api-key": Bench.key, "x-merchant-id": wallet["merchant"]?.string ?? "",
      "x-wallet-session-id": wallet["session_id"]?.string ?? "", "Content-Type": "application/json",
    ]
  }

  private func list(_ bench: inout Bench, _ wallet: SandboxJSON) -> [SandboxJSON] {
    let id = wallet["session_id"]?.string ?? ""
    let owner = wallet["owner_reference"]?.string ?? ""
    let reply = bench.send("GET", "/customers/\(owner)/sessions/\(id)/tokens", headers: headers(wallet))
    return reply.json.elements ?? []
  }

  @Test func aShopperHasAWallet() throws {
    var bench = Bench()
    let opened = try open(&bench)
    #expect(opened.wallet["owner_reference"]?.string == Self.owner && opened.tokens.count == 4)
    #expect(list(&bench, opened.wallet) == opened.tokens)
    let again = try open(&bench)
    #expect(again.tokens == opened.tokens)
    #expect(opened.tokens.filter { $0["favorite"]?.bool == true }.count == 1)
  }

  @Test func theMerchantOpensAWalletSession() throws {
    var bench = Bench()
    var headers = Bench.merchantHeaders
    let body = #"{"owner_reference":"new"}"#
    #expect(bench.send("POST", "/wallet/session", body, headers: headers).status == 401)
    headers["x-merchant-id"] = "shop"
    let reply = bench.send("POST", "/wallet/session", body, headers: headers)
    #expect(reply.status == 201 && reply.json["merchant"]?.string == "shop")
    #expect(list(&bench, reply.json).count == 4)
    #expect(bench.send("POST", "/wallet/session", "{}", headers: headers).status == 400)
    #expect(bench.send("GET", "/wallet/session", headers: headers).status == 405)
    bench.now += 1_800_000
    #expect(list(&bench, reply.json).isEmpty)
  }

  @Test func tokensAreRenamedPreferredAndDeleted() throws {
    var bench = Bench()
    let opened = try open(&bench)
    let headers = headers(opened.wallet)
    let wallet = try #require(opened.wallet["session_id"]?.string)
    let id = try #require(opened.tokens[1]["id"]?.string)
    let path = "/customers/\(Self.owner)/tokens/\(id)"
    #expect(bench.send("PATCH", path, #"{"name":"Hers"}"#, headers: headers).status == 204)
    #expect(bench.send("PATCH", path, #"{"name":""}"#, headers: headers).status == 400)
    #expect(bench.send("GET", path, headers: headers).status == 405)
    let favorite = "/customers/\(Self.owner)/sessions/\(wallet)/tokens/\(id)/favorite"
    #expect(bench.send("PUT", favorite, "{}", headers: headers).status == 204)
    let changed = list(&bench, opened.wallet)
    #expect(changed[1]["name"]?.string == "Hers")
    #expect(changed.filter { $0["favorite"]?.bool == true }.map { $0["id"]?.string } == [id])
    #expect(bench.send("DELETE", path, headers: headers).status == 204)
    #expect(bench.send("DELETE", path, headers: headers).status == 404)
    #expect(bench.send("DELETE", "/customers/\(Self.owner)/tokens", headers: headers).status == 204)
    #expect(list(&bench, opened.wallet).isEmpty)
  }

  @Test func nobodyUsesAnotherWallet() throws {
    var bench = Bench()
    let mine = try open(&bench)
    let theirs = try open(&bench, ["owner": "other"])
    let id = try #require(mine.tokens[0]["id"]?.string)
    let path = "/customers/\(Self.owner)/tokens/\(id)"
    for change in ["x-api-key", "x-merchant-id", "x-wallet-session-id"] {
      var headers = headers(mine.wallet)
      headers[change] = "wrong"
      #expect(bench.send("DELETE", path, headers: headers).status == 401, "\(change)")
    }
    #expect(bench.send("DELETE", path, headers: headers(theirs.wallet)).status == 401)
    #expect(list(&bench, mine.wallet).count == 4)
  }

  @Test func aSavedGiftCardIsReadAndPays() throws {
    var bench = Bench()
    let opened = try open(&bench)
    let data: SandboxJSON = ["wallet_token": "wgc_5000_1"]
    let read = bench.initialize(opened.session, Bench.item("illicado-giftcard", "120.00", data: data))
    #expect(read.status == 200 && read.json["plugin_result"]?["amount"]?.numberLiteral == "50.00")
    let step = try #require(read.json["step_id"]?.integer)
    let unknown = Bench.item("illicado-giftcard", "120.00", data: ["wallet_token": "wgc_5000_9"])
    #expect(bench.initialize(opened.session, unknown).code == "UNKNOWN_WALLET_TOKEN")
    let items: SandboxJSON = [Bench.item("illicado-giftcard", "50.00", data: data, step: step), Bench.card("70.00")]
    #expect(bench.validate(opened.session, items).json["global_status"]?.string == "SUCCESS")
  }

  @Test func whatWasDeletedPaysNothing() throws {
    var bench = Bench()
    let opened = try open(&bench)
    let id = try #require(opened.tokens[0]["id"]?.string)
    let card: SandboxJSON = [Bench.item("purse-creditcard", "120.00", data: ["wallet_token": "wtk_success_4242"])]
    _ = bench.send("DELETE", "/customers/\(Self.owner)/tokens/\(id)", headers: headers(opened.wallet))
    #expect(bench.validate(opened.session, card).code == "UNKNOWN_WALLET_TOKEN")
  }

  @Test func aPaymentSavesWhatItIsTold() throws {
    var bench = Bench()
    let opened = try open(&bench)
    var card = Bench.card("120.00")
    card["payment_preferences"] = ["save_token": true, "name": "New one"]
    #expect(bench.validate(opened.session, [card]).status == 200)
    #expect(list(&bench, opened.wallet).last?["name"]?.string == "New one")
    let again = try open(&bench)
    var declined = Bench.card("120.00", "declined")
    declined["payment_preferences"] = ["save_token": true]
    #expect(bench.validate(again.session, [declined]).status == 200)
    #expect(list(&bench, again.wallet).count == 5)
  }

  @Test func loansAreSimulated() throws {
    var bench = Bench()
    let session = try bench.session(amount: 600_000)
    func simulate(_ body: SandboxJSON) -> Bench.Reply {
      bench.send(
        "POST", "/\(Bench.entity)/sessions/\(session)/simulation", body.text, headers: Bench.clientHeaders)
    }
    let order: SandboxJSON = [
      "partner": "younited", "method": "loan", "amount": .number("6000.01"), "currency_code": "EUR",
    ]
    let reply = simulate(order)
    #expect(reply.json.elements?.count == 3)
    let offer = reply.json[0]?["plugin_result"]
    #expect(offer?["instalment_amount"]?.numberLiteral == "2000.00")
    #expect(offer?["final_instalment_amount"]?.numberLiteral == "2000.01")
    #expect(simulate(order.merging(["method": "nothing"])).code == "UNKNOWN_METHOD")
    #expect(simulate(order.merging(["partner": "hipay", "method": "bancontact"])).code == "METHOD_NOT_SIMULABLE")
    #expect(simulate(order.merging(["amount": 0])).code == "INVALID_AMOUNT")
    #expect(simulate(order.merging(["currency_code": "USD"])).code == "INVALID_AMOUNT")
    #expect(simulate(order.merging(["more": 1])).code == "UNKNOWN_KEY")
    #expect(simulate(order.merging(["amount": .number("10.00")])).text == "[null]")
  }
}
