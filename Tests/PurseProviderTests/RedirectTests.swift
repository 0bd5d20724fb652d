import JSONText
import Testing

@testable import CheckoutCore
@testable import PurseProvider

@Suite("The page that an answer asks for")
struct RedirectTests {
  private func redirect(_ redirection: String, results: String = "[]") throws -> ResolvedRedirect {
    let body = #"{"global_status":"WAITING","results":\#(results),"redirection":\#(redirection)}"#
    return try #require(ValidateAnswer(Array(body.utf8))).redirect
  }

  private static func get(_ url: String) -> ResolvedRedirect { .action(.get(url: url)) }

  private static func post(_ url: String, _ form: String) -> ResolvedRedirect {
    .action(.postForm(url: url, formDataURLEncoded: form))
  }

  private static func html(_ html: String) -> ResolvedRedirect { .action(.postHTML(html: html)) }

  /// The root's redirect, the results, and what they resolve to; each later rule has the earlier ones' parts taken out.
  static let rules: [(redirection: String, results: String, resolved: ResolvedRedirect)] = {
    let root =
      #"{"url":"https://root","method":"POST","body":"b=1","form":"<form>","name":"n","should_submit_widget":true}"#
    let partner = #""redirection_url":"https://partner","redirection_json":"{\"j\":1}""#
    let parameters = #""redirect_url_post_params":"p=1""#
    return [
      (root, #"[{"plugin_result":{\#(partner),\#(parameters)}}]"#, post("https://partner", "j=1")),
      (root, #"[{"plugin_result":{\#(parameters)}},{"plugin_result":{\#(partner)}}]"#, post("https://partner", "j=1")),
      (root, #"[{"plugin_result":{"logs":{\#(partner)}}}]"#, post("https://partner", "j=1")),
      ("null", #"[{"plugin_result":{\#(partner)}}]"#, post("https://partner", "j=1")),
      ("{}", #"[{"plugin_result":{\#(partner)}}]"#, post("https://partner", "j=1")),
      (root, #"[{"plugin_result":{\#(parameters)}}]"#, post("https://root", "p=1")),
      (root, #"[{},{"plugin_result":{"logs":{\#(parameters)}}}]"#, post("https://root", "p=1")),
      // A partner's URL with nothing to post is no page of its own, nor are parameters without a URL.
      (root, #"[{"plugin_result":{"redirection_url":"https://partner"}}]"#, post("https://root", "b=1")),
      (root, #"[{"plugin_result":{"redirection_json":"{}"}}]"#, post("https://root", "b=1")),
      (#"{"form":"<form>"}"#, #"[{"plugin_result":{\#(parameters)}}]"#, html("<form>")),
      ("{}", #"[{"plugin_result":{\#(parameters)}}]"#, .none),
      (root, "[]", post("https://root", "b=1")),
      (#"{"url":"https://root","method":"post","body":{"a":{"b":1}}}"#, "[]", post("https://root", "a%5Bb%5D=1")),
      (#"{"url":"https://root","method":"POST","form":"<form>"}"#, "[]", get("https://root")),
      (#"{"url":"https://root","method":"POST","body":""}"#, "[]", get("https://root")),
      (#"{"url":"https://root","method":"GET","body":"b=1"}"#, "[]", get("https://root")),
      (#"{"url":"https://root","body":"b=1"}"#, "[]", get("https://root")),
      (#"{"url":"https://root","method":7,"body":"b=1"}"#, "[]", get("https://root")),
      (#"{"url":"https://root","form":"<form>"}"#, "[]", get("https://root")),
      (#"{"url":null,"form":"<form>"}"#, "[]", html("<form>")),
      (#"{"url":"","form":"<form>"}"#, "null", html("<form>")),
      ("{}", "[]", .none), ("null", "[]", .none), (#"{"url":null,"form":null,"name":"n"}"#, "[]", .none),
      (#"{"url":"","form":""}"#, "{}", .none), (#"{"should_submit_widget":true}"#, "7", .none),
    ]
  }()

  @Test("The order of resolution", arguments: rules)
  func order(_ redirection: String, _ results: String, _ resolved: ResolvedRedirect) throws {
    #expect(try redirect(redirection, results: results) == resolved)
  }

  @Test(
    "A redirect that is there and cannot be followed",
    arguments: [
      ("7", "[]"), ("true", "[]"), ("[]", "[]"), (#""https://root""#, "[]"), (#"{"url":7}"#, "[]"),
      (#"{"url":{}}"#, "[]"),
      (#"{"form":7}"#, "[]"), (#"{"url":7,"form":"<form>"}"#, "[]"),
      (#"{"url":"https://root","method":"POST","body":7}"#, "[]"),
      (#"{"url":"https://root","method":"POST","body":"{broken"}"#, "[]"),
      (#"{"url":"https://root","method":"POST","body":"nothing"}"#, "[]"),
      (#"{"url":"https://root"}"#, #"[{"plugin_result":{"redirect_url_post_params":7}}]"#),
      (#"{"url":"https://root"}"#, #"[{"plugin_result":{"redirection_url":7,"redirection_json":"{}"}}]"#),
      (#"{"url":"https://root"}"#, #"[{"plugin_result":{"redirection_url":"https://p","redirection_json":"{"}}]"#),
      (#"{"url":"https://root"}"#, #"[{"plugin_result":{"redirection_url":"https://p","redirection_json":[1]}}]"#),
    ])
  func unusable(_ redirection: String, _ results: String) throws {
    #expect(try redirect(redirection, results: results) == .unusable)
  }

  @Test("An answer without a redirect")
  func absent() throws {
    #expect(ValidateAnswer(Array(#"{"global_status":"WAITING"}"#.utf8))?.redirect == ResolvedRedirect.none)
  }

  // MARK: Fields

  static let forms: [(json: String, form: String?)] = [
    ("{}", ""), (#"{"a":"b"}"#, "a=b"), (#"{"b":1,"a":2}"#, "b=1&a=2"),
    (#"{"a":{"b":{"c":"d"}}}"#, "a%5Bb%5D%5Bc%5D=d"), (#"{"a":["x",{"y":"z"}]}"#, "a%5B0%5D=x&a%5B1%5D%5By%5D=z"),
    (#"{"a":true,"b":false,"c":null,"d":1.50,"e":1e3}"#, "a=true&b=false&c=&d=1.50&e=1e3"),
    (#"{"a":{},"b":[]}"#, ""), (#"{"a b":"c&d=e+f%~*-._"}"#, "a+b=c%26d%3De%2Bf%25%7E*-._"),
    (#"{"é":"€\n"}"#, "%C3%A9=%E2%82%AC%0A"), (#"{"":"x"}"#, "=x"), (#"{"":{"a":"x"}}"#, "%5Ba%5D=x"),
    (#"{"a[b]":"x"}"#, "a%5Bb%5D=x"),
    (#""{\"a\":{\"b\":\"c\"}}""#, "a%5Bb%5D=c"), (#"" {\"a\":1}""#, "a=1"),
    (#""a=b&c=d""#, "a=b&c=d"), (#""?a=b""#, "a=b"), (#""a=b=c""#, "a=b%3Dc"), (#""a=&b""#, "a=&b="), (#""=x""#, "=x"),
    (#""&&a=b&""#, "a=b"), (#""a=%41+b%2""#, "a=A+b%252"), (#""a=%C3%a9&b=é""#, "a=%C3%A9&b=%C3%A9"),
    (#""a%5Bb%5D=c d""#, "a%5Bb%5D=c+d"), (#""a=%zz%""#, "a=%25zz%25"),
    (#""PaReq=eJx/a+b==""#, "PaReq=eJx%2Fa+b%3D%3D"),
    // Twice is twice: a form may repeat a name, an object may not.
    (#""a=1&a=2""#, "a=1&a=2"), (#""a%5B%5D=1&a[]=2""#, "a%5B%5D=1&a%5B%5D=2"), (#""a=1&b&c=""#, "a=1&b=&c="),
    (#"{"a":[["x",null],[]],"b":[{"c":[1]}]}"#, "a%5B0%5D%5B0%5D=x&a%5B0%5D%5B1%5D=&b%5B0%5D%5Bc%5D%5B0%5D=1"),
    (#"{"a":"{\"b\":1}"}"#, "a=%7B%22b%22%3A1%7D"),
    (
      #"{"a":-0,"b":1E+2,"c":12345678901234567890}"#,
      "a=-0&b=1E%2B2&c=12345678901234567890"
    ),
    (#"{"a":"\u0000"}"#, "a=%00"), (#""a=%00""#, "a=%00"), (#""a=😀""#, "a=%F0%9F%98%80"), (#""a=%ff""#, "a=%FF"),
    (#""[1]""#, nil), (#""null""#, nil), (#"" ""#, nil), (#""""#, nil), ("null", nil),
    (#""a""#, nil), (#""{""#, nil), (#""{\"a\":1}x""#, nil), (#""{\"a\":1,\"a\":2}""#, nil), ("7", nil), ("true", nil),
    ("[]", nil), (#"[{"a":1}]"#, nil),
  ]

  @Test("Parameters become the fields of a form", arguments: forms)
  func fields(_ json: String, _ form: String?) throws {
    #expect(FormFields.encoded(try JSONDocument(parsing: json).root) == form)
  }

  @Test("What would multiply without end is refused", .timeLimit(.minutes(10)))
  func bounds() throws {
    func encoded(_ json: String) throws -> Int? {
      FormFields.encoded(try JSONDocument(parsing: json).root)?.utf8.count
    }
    let long = String(repeating: "k", count: 1_000)
    #expect(try encoded(#"{"\#(long)":"v"}"#) == 1_002)
    #expect(try encoded(#"{"\#(long)":{"\#(long)":"v"}}"#) == nil)
    let leaves = (0..<20_000).map { #""\#($0)":0"# }.joined(separator: ",")
    #expect(try encoded("{\(leaves)}") != nil)
    #expect(try encoded(#"{"\#(long)":{\#(leaves)}}"#) == nil)
    let empties = Array(repeating: "[]", count: 200_000).joined(separator: ",")
    #expect(try encoded(#"{"\#(long)":[\#(empties)]}"#) == 0)
    let nested = String(repeating: #"{"a":"#, count: 60) + "1" + String(repeating: "}", count: 60)
    #expect(try encoded(nested) != nil)
    #expect(try encoded(#"{"a":"\#(String(repeating: "x", count: 1 << 20))"}"#) == nil)
  }
}
