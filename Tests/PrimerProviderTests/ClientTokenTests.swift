import Testing

@testable import CheckoutCore
@testable import PrimerProvider

@Suite("Client tokens")
struct ClientTokenTests {
  @Test("a token says where the session is, and when it ends")
  func reads() throws {
    let token = try #require(ClientToken(Token().text))
    #expect(token.accessToken == "at_1" && token.sessionID == "cs_1" && token.environment == "sandbox")
    #expect(token.expiresAt == 1_893_542_400_000)
    #expect(ClientToken(Token(["expiration": "1893542401"]).text)?.expiresAt == 1_893_542_401_000)
    #expect(ClientToken(Token(["exp": nil]).text)?.expiresAt == ClientSession.never)
    #expect(ClientToken(Token(["exp": "\"1893542400\""]).text)?.expiresAt == ClientSession.never)
    #expect(ClientToken(Token(["exp": "9223372036854775807"]).text)?.expiresAt == ClientSession.never)
  }

  @Test("padding and a missing signature are no matter")
  func lenient() {
    let parts = Token().text.split(separator: ".")
    #expect(ClientToken(parts[0] + "." + parts[1]) != nil)
    let padded = parts[1] + String(repeating: "=", count: (4 - parts[1].count % 4) % 4)
    #expect(ClientToken(parts[0] + "." + padded + ".x") != nil)
  }

  @Test("a session that its token does not name has a name of its own, which is not the token")
  func fingerprint() throws {
    let first = try #require(ClientToken(Token(["clientSessionId": nil]).text)?.sessionID)
    let second = ClientToken(Token(["clientSessionId": nil, "accessToken": #""at_2""#]).text)?.sessionID
    #expect(first != second && first.hasPrefix("token-") && !first.contains("at_1"))
  }

  // seed: 003:34
  @Test(
    "what is no token is invalid-client-token",
    arguments: [
      "", ".", "a.b", "a", "..", Token(["accessToken": nil]).text, Token(["accessToken": #""a b""#]).text,
      Token(["accessToken": "1"]).text, Token(["configurationUrl": nil]).text,
      Token(["configurationUrl": #""http://api.primer.io/""#]).text, Token(["pciUrl": #""ftp://a.example""#]).text,
      Token(["pciUrl": #""http://127.0.0.1/""#]).text, Token(["coreUrl": #""https://a@b.example""#]).text,
    ])
  func refused(_ text: String) {
    #expect(throws: CheckoutError(.invalidClientToken, path: "clientToken")) {
      try Primer.open(text, Bench.provider())
    }
  }

  @Test("an expired one is invalid-client-token too")
  func expired() {
    do throws(CheckoutError) {
      _ = try Bench(Token(["exp": "1893000000"]))
      Issue.record("taken")
    } catch { #expect(error.code == .invalidClientToken) }
  }

  @Test("a token out of a saved state names Primer's own hosts, whatever was edited")
  func restored() throws {
    var provider = Bench.provider()
    provider.isRestored = true
    _ = try Primer.open(Token().text, provider)
    for url in [
      "https://evil.example", "https://primer.io.evil.example", "https://evilprimer.io", "http://127.0.0.1:1",
    ] {
      #expect(throws: CheckoutError.self) { try Primer.open(Token(["pciUrl": "\"\(url)\""]).text, provider) }
    }
    provider.allowsLoopbackHTTP = true
    _ = try Primer.open(
      Token(["pciUrl": #""http://127.0.0.1:1""#, "configurationUrl": #""https://api.primer.io""#]).text, provider)
  }
}
