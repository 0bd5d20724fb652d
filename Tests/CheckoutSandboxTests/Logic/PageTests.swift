import Foundation
import Testing

@testable import CheckoutSandbox

@Suite struct PageTests {
  var bench = Bench()

  /// A session that waits on a page, and the page's path.
  private mutating func redirected(sandbox: SandboxJSON? = nil) throws -> (session: String, page: String) {
    let session = try bench.session(sandbox: sandbox)
    let answer = bench.validate(session, [Bench.card("120.00", "threeds")]).json
    let url = try #require(answer["redirection"]?["url"]?.string)
    return (session, String(url.dropFirst(Bench.base.count)))
  }

  @Test mutating func aPageOffersItsDecisions() throws {
    let (_, page) = try redirected()
    for method in ["GET", "POST"] {
      let reply = bench.send(method, page)
      #expect(reply.status == 200)
      #expect(reply.header("Content-Type") == "text/html; charset=utf-8")
      for decision in ["approve", "decline", "cancel"] {
        #expect(reply.text.contains("href=\"\(Bench.base)\(page)/\(decision)\""))
      }
    }
    #expect(bench.payments()[0]["status"] == "PENDING")
  }

  @Test(arguments: [("approve", "AUTHORIZED"), ("decline", "REFUSED"), ("cancel", "ABORTED")], ["GET", "POST"])
  mutating func aDecisionSendsTheShopperBack(_ decision: (String, String), _ method: String) throws {
    let (session, page) = try redirected()
    let reply = bench.send(method, "\(page)/\(decision.0)")
    #expect(reply.status == 302)
    let location = try #require(reply.header("Location"))
    let parts = location.split(separator: "=", maxSplits: 1)
    #expect(parts[0] == "myapp://return?purse-redirection-data")
    let statement = parts[1].split(separator: ".")
    #expect(statement.count == 3)
    let claims = try Self.decoded(statement[1])
    #expect(claims["client_session_id"] == .string(session))
    #expect(claims["payment_id"] == bench.payments()[0]["paymentId"])
    #expect(claims["authorization_status"] == .string(decision.1))
    #expect(claims["client_session_status"] == "SUBMITTED")
    #expect(try Self.decoded(statement[0])["alg"] == "RS256")
    #expect(bench.payments()[0]["status"] == .string(decision.1))
    #expect(bench.read(session).json["authorization"]?["status"] == .string(decision.1))
  }

  private static func decoded(_ part: Substring) throws -> SandboxJSON {
    var text = String(part).replacing("-", with: "+").replacing("_", with: "/")
    while text.count % 4 != 0 { text += "=" }
    return try SandboxJSON(reading: Array(try #require(Data(base64Encoded: text))))
  }

  @Test mutating func theFirstDecisionStands() throws {
    let (_, page) = try redirected()
    let first = bench.send("GET", "\(page)/decline").header("Location")
    #expect(bench.send("GET", "\(page)/approve").header("Location") == first)
    #expect(bench.payments()[0]["status"] == "REFUSED")
    #expect(bench.send("GET", "\(page)/other").status == 404)
  }

  @Test(
    arguments: [
      ("https://shop.example/back?a=1", "https://shop.example/back?a=1&purse-redirection-data=", ""),
      ("https://shop.example/#end", "https://shop.example/?purse-redirection-data=", "#end"),
    ])
  mutating func theReturnAddressKeepsItsParts(_ target: String, _ start: String, _ end: String) throws {
    let (_, page) = try redirected(sandbox: ["session": ["redirection": .string(target)]])
    let location = try #require(bench.send("GET", "\(page)/approve").header("Location"))
    #expect(location.hasPrefix(start) && location.hasSuffix(end))
  }

  @Test mutating func withoutAReturnAddressThePageIsTheEnd() throws {
    let (_, page) = try redirected(sandbox: ["session": ["redirection": .null]])
    #expect(bench.send("GET", "\(page)/approve").status == 200)
    #expect(bench.payments()[0]["status"] == "AUTHORIZED")
  }
}
