import Foundation
import JSONText
import Testing

@testable import CheckoutCore
@testable import PurseProvider

@Suite("Reading widget.data")
struct SessionDecodingTests {
  // seed: 002:4a
  // seed: 002:4b
  @Test("A whole session")
  func wholeSession() throws {
    let text = Base64.encode(Array(Sample.json.utf8))
    let session = try Purse.open(text, ProviderOptions()).session
    #expect(session.id == "session 1")
    #expect(session.environment == "sandbox")
    #expect(session.amount == 12_000)
    #expect(session.currency == Sample.euro)
    #expect(!session.isInformationRequest)
    #expect(session.expiresAt == 1_893_456_000_000)
    #expect(session.redirection == "myapp://return")
    #expect(session.tenantID == "tenant-1")
    #expect(session.vault == #"{"vendor_front_data":{"purse":{"tenant_id":"tenant-1"}}}"#)
    #expect(session.widgetData == text)
    #expect(session.methods.map { $0.id } == ["purse-creditcard", "illicado-giftcard"])
    let card = try #require(session.methods.first)
    #expect(card.partner == "purse" && card.method == "creditcard")
    #expect(card.kind == .primary && card.nature == .card)
    #expect(card.position == 1)
    #expect(card.minAmount == 150 && card.maxAmount == 100_000)
    #expect(card.limit == nil)
    #expect(card.canBeRegistered)
    #expect(card.brands == ["VISA", "CARTE_BANCAIRE"])
    let gift = try #require(session.methods.last)
    #expect(gift.kind == .secondary && gift.nature == .giftCard)
    #expect(gift.limit == 3)
    #expect(!gift.canBeRegistered)
    #expect(
      session.tokens == [
        PaymentToken(
          id: "t1", item: "purse-creditcard", mask: "411111XXXXXX1111", expiresAt: "2031-05-31T00:00:00Z", value: "v1")
      ])
    #expect(session.savedSecondaries.isEmpty)
  }

  @Test(
    "Every way in which base64 may be written",
    arguments: [
      { $0 }, { $0.replacingOccurrences(of: "=", with: "") }, { "\n " + $0 + " \n" },
      { $0.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_") },
    ] as [@Sendable (String) -> String])
  func base64Forms(_ form: @Sendable (String) -> String) throws {
    // Lengths of all three kinds, so that all paddings occur; a tilde makes a plus or a slash likely.
    for padding in ["", "~", "~~", "~~~?>"] {
      let json = Sample.json(#""redirection":"myapp://return""#, #""redirection":"\#(padding)""#)
      let text = form(Base64.encode(Array(json.utf8)))
      #expect(try Purse.open(text, ProviderOptions()).session.redirection == padding)
    }
  }

  @Test(
    "What is no base64, and what is no JSON, is refused with its place",
    arguments: [
      ("!", nil), ("abc$", nil), ("YQ=", nil), ("YQ===", nil), ("a", nil), ("Y+_Q", nil),
      ("", 0),  // no JSON value at all
      (encoded("{"), 1), (encoded("[]"), 0), (encoded("\"text\""), 0), (encoded("null"), 0), (encoded("{}x"), 2),
      (encoded(#"{"a":1,"a":2}"#), 7), (encoded(#"{"a":1,}"#), 7), (encoded("{\"a\":\"\u{1}\"}"), 6),
      (encoded(#"{"a":01}"#), 6), (encoded(#"{"a":NaN}"#), 5), ("/w==", 0), (encoded(#"{"a":"\ud800"}"#), 6),
    ] as [(String, Int?)])
  func notASession(_ text: String, _ offset: Int?) {
    let error = #expect(throws: CheckoutError.self) { try Purse.open(text, ProviderOptions()) }
    #expect(error?.code == .sessionMalformed)
    #expect(error?.path == "widgetData")
    #expect(error?.offset == offset)
    #expect(error?.moved == .no)
  }

  // MARK: Missing

  /// What is taken out of the sample, and what is then missing.
  static let members: [(piece: String, path: String)] = [
    (#""entity_id":"entity/1","#, "entity_id"), (#""environment":"sandbox","#, "environment"),
    (#""id":"session 1","#, "session.id"), (#""amount":120.00,"#, "session.amount"),
    (#""currency_code":"EUR","#, "session.currency_code"),
    (#""expiration_date":"2030-01-01T00:00:00Z","#, "session.expiration_date"),
    (#""protocols":{"purse":{\#(Sample.card)},"illicado":{\#(Sample.giftCard)}},"#, "session.protocols"),
  ]

  @Test("One missing member is named", arguments: members)
  func missingMember(_ piece: String, _ path: String) throws {
    try expectMissing(Sample.json(piece, ""), [path])
  }

  @Test("A member that is null is missing", arguments: members)
  func nullMember(_ piece: String, _ path: String) throws {
    let key = try #require(path.split(separator: ".").last)
    try expectMissing(Sample.json(piece, #""\#(key)":null,"#), [path])
  }

  @Test("One error names all that is missing")
  func allMissing() throws {
    let inSession = Self.members.map { $0.path }.filter { $0.hasPrefix("session.") }.sorted()
    try expectMissing(#"{"entity_id":"e","environment":"sandbox","session":{}}"#, inSession)
    try expectMissing("{}", ["entity_id", "environment", "session"])
    try expectMissing(#"{"session":null,"entity_id":"e"}"#, ["environment", "session"])
    try expectMissing(
      #"{"paymentSession":{"id":"s","information_request":true}}"#,
      [
        "entity_id", "environment", "paymentSession.currency_code", "paymentSession.expiration_date",
        "paymentSession.protocols",
      ])
  }

  private func expectMissing(_ json: String, _ paths: [String]) throws {
    let error = try #require(Sample.error(json))
    #expect(error.code == .sessionMalformed)
    let details = try JSONDocument(parsing: try #require(error.details)).root
    let named = details["missing"]?.elements.compactMap { $0.string } ?? []
    #expect(named.sorted() == paths)
    #expect(error.path == named.first)
    // The object that lacks it: the outer one as soon as that lacks anything.
    let isInside = paths.allSatisfy { $0.hasPrefix("session.") }
    #expect(error.offset == (isInside ? sessionOffset(json) : 0))
  }

  private func sessionOffset(_ json: String) -> Int? {
    Sample.offset(of: #""session":"#, in: json).map { $0 + #""session":"#.utf8.count }
  }

  // MARK: Spellings

  static let spellings: [(key: String, others: [String])] = [
    ("api_key", ["apiKey"]), ("entity_id", ["entityId"]), ("session", ["paymentSession", "payment_session"]),
    ("wallet_session", ["walletSession"]),
  ]

  @Test("Every spelling is read", arguments: spellings)
  func spelling(_ key: String, _ others: [String]) throws {
    let expected = try Sample.open(Sample.json)
    for other in others {
      let opened = try Sample.open(Sample.json(#""\#(key)":"#, #""\#(other)":"#))
      #expect(opened.provider == expected.provider)
      #expect(opened.session.methods == expected.session.methods)
    }
  }

  @Test("Two spellings at once are refused, null ones too", arguments: spellings)
  func bothSpellings(_ key: String, _ others: [String]) throws {
    for other in others {
      for value in ["null", #""x""#, "{}"] {
        let json = Sample.json(#"{"api_key""#, #"{"\#(other)":\#(value),"api_key""#)
        let error = try #require(Sample.error(json))
        #expect(error.code == .sessionMalformed)
        #expect(error.path == other)
        #expect(error.offset == Sample.offset(of: #""\#(other)":"#, in: json).map { $0 + other.utf8.count + 3 })
      }
    }
  }

  @Test("A session by another name keeps that name in paths")
  func pathsUseTheSpelling() throws {
    let json = Sample.json(#""session":"#, #""payment_session":"#)
      .replacingOccurrences(of: "120.00", with: "-1")
    #expect(Sample.error(json)?.path == "payment_session.amount")
  }

  // MARK: Wrong types

  struct WrongType: Sendable {
    var key: String
    var value: String
    /// What follows in the sample, where the key and the value alone are not unique.
    var after = ""
    var path: String
    var wrong: [String]
  }

  static let wrongTypes: [WrongType] = {
    let noString = ["1", "true", "[]", "{}"]
    let noObject = ["1", "true", #""x""#, "[]"]
    let noBoolean = ["1", #""true""#, "{}", "[]"]
    let noAmount = ["true", "[]", "{}"]
    let front = "session.vault.vendor_front_data"
    let configuration = "session.protocols.purse.creditcard.configurations"
    let token = "session.protocols.purse.creditcard.integrated_tokens[0]"
    let gift = "session.protocols.illicado.giftcard.configurations"
    func row(
      _ key: String, _ value: String, after: String = "", _ path: String, _ wrong: [String]
    ) -> WrongType { WrongType(key: key, value: value, after: after, path: path, wrong: wrong) }
    return [
      row("api_key", #""key-1""#, "api_key", noString),
      row("entity_id", #""entity/1""#, "entity_id", noString),
      row("environment", #""sandbox""#, "environment", noString),
      row("id", #""session 1""#, "session.id", noString),
      row("amount", "120.00", "session.amount", noAmount),
      row("currency_code", #""EUR""#, "session.currency_code", noString),
      row("expiration_date", #""2030-01-01T00:00:00Z""#, "session.expiration_date", noString),
      row("redirection", #""myapp://return""#, "session.redirection", noString),
      row("information_request", "false", "session.information_request", noBoolean),
      row("tenant_id", #""tenant-1""#, front + ".purse.tenant_id", noString),
      row("purse", #"{"tenant_id":"tenant-1"}"#, front + ".purse", noObject),
      row("stable", "true", after: #","template""#, configuration + ".stable", noBoolean),
      row("labels", #"["primary"]"#, configuration + ".labels", ["1", #""x""#, "{}", "[1]", "[null]"]),
      row("position", "1", configuration + ".position", [#""1""#, "true", "[]"]),
      row(
        "supported_brands", #"["VISA","CARTE_BANCAIRE"]"#, configuration + ".vault.supported_brands",
        ["1", "{}", "[7]"]),
      row("vendor", #""purse""#, configuration + ".vault.vendor", noString),
      row("registration_mode", #""OFF_SESSION""#, configuration + ".settings.registration_mode", noString),
      row("save_token", "true", configuration + ".settings.save_token", noBoolean),
      row("payment_min_amount", "1.50", configuration + ".settings.payment_min_amount", noAmount),
      row("payment_max_amount", #""1000""#, configuration + ".settings.payment_max_amount", noAmount),
      row(
        "usage_per_session_limit", "3", gift + ".settings.usage_per_session_limit",
        [#""3""#, "true", "-1", "1.5", "{}"]),
      row("id", #""t1""#, token + ".id", noString + ["null", #""""#]),
      row("value", #""v1""#, token + ".value", noString + ["null", #""""#]),
      row("expiration_date", #""2031-05-31""#, token + ".expiration_date", noString),
      row("masked_pan", #""411111XXXXXX1111""#, token + ".description.masked_pan", noString),
      row("display_token", #""ending 1111""#, token + ".description.display_token", noString),
      row("brand_name", #""VISA""#, token + ".description.brand_name", noString),
    ]
  }()

  @Test("Every member of the wrong type is refused with its path and place", arguments: wrongTypes)
  func wrongType(_ row: WrongType) throws {
    let member = #""\#(row.key)":"#
    for value in row.wrong {
      let json = Sample.json(member + row.value + row.after, member + value + row.after)
      let error = try #require(Sample.error(json), "accepted \(row.path) = \(value)")
      #expect(error.code == .sessionMalformed)
      #expect(error.path == row.path)
      let start = Sample.offset(of: member + row.value + row.after, in: Sample.json)
      #expect(error.offset == start.map { $0 + member.utf8.count })
    }
  }

  static let wrongObjects: [(json: String, path: String)] = {
    let configuration = "session.protocols.p.m.configurations"
    return ["1", "true", #""x""#, "[]"].flatMap { value in
      [
        (Sample.json(protocols: value), "session.protocols"),
        (Sample.json(protocols: #"{"p":\#(value)}"#), "session.protocols.p"),
        (Sample.json(protocols: #"{"p":{"m":\#(value)}}"#), "session.protocols.p.m"),
        (Sample.json(protocols: #"{"p":{"m":{"configurations":\#(value)}}}"#), configuration),
        (
          Sample.json(protocols: #"{"p":{"m":{"configurations":{"settings":\#(value)}}}}"#), configuration + ".settings"
        ),
        (Sample.json(protocols: #"{"p":{"m":{"configurations":{"vault":\#(value)}}}}"#), configuration + ".vault"),
        (
          Sample.json(protocols: #"{"p":{"m":{"configurations":{"settings":{"merchant_specifics":\#(value)}}}}}"#),
          configuration + ".settings.merchant_specifics"
        ),
        (Sample.json(protocols: "{}", more: #","vault":\#(value)"#), "session.vault"),
        (
          Sample.json(protocols: "{}", more: #","vault":{"vendor_front_data":\#(value)}"#),
          "session.vault.vendor_front_data"
        ),
        (#"{"entity_id":"e","environment":"sandbox","session":\#(value)}"#, "session"),
      ]
    }
  }()

  @Test("Every object that is none is refused", arguments: wrongObjects)
  func wrongObject(_ json: String, _ path: String) throws {
    let error = try #require(Sample.error(json))
    #expect(error.code == .sessionMalformed)
    #expect(error.path == path)
    #expect(error.offset.map { $0 > 0 && $0 < json.utf8.count } == true)
  }

  @Test(
    "Values that no session can have",
    arguments: [
      (#""EUR""#, #""EUX""#, "session.currency_code"), (#""EUR""#, #""eur""#, "session.currency_code"),
      (#""EUR""#, #""XAU""#, "session.currency_code"), (#""EUR""#, #""""#, "session.currency_code"),
      (#""2030-01-01T00:00:00Z""#, #""2030-01-01""#, "session.expiration_date"),
      (#""2030-01-01T00:00:00Z""#, #""2030-02-30T00:00:00Z""#, "session.expiration_date"),
      (#""2030-01-01T00:00:00Z""#, #""tomorrow""#, "session.expiration_date"),
      (#""session 1""#, #""""#, "session.id"), (#""session 1""#, #""..""#, "session.id"),
      (#""session 1""#, #"".""#, "session.id"), (#""entity/1""#, #""""#, "entity_id"),
      (#""entity/1""#, #""..""#, "entity_id"), (#""sandbox""#, #""""#, "environment"),
      (#""key-1""#, #""a\r\nb: c""#, "api_key"), (#""key-1""#, #""a b""#, "api_key"), (#""key-1""#, #""é""#, "api_key"),
    ])
  func impossibleValue(_ piece: String, _ value: String, _ path: String) throws {
    let json = Sample.json(piece, value)
    let error = try #require(Sample.error(json))
    #expect(error.code == .sessionMalformed)
    #expect(error.path == path)
    #expect(error.offset == Sample.offset(of: piece, in: Sample.json))
  }

  @Test(
    "Every expiry with a time of day is read",
    arguments: [
      ("2030-01-01T00:00:00Z", 1_893_456_000_000), ("2030-01-01T02:00:00+02:00", 1_893_456_000_000),
      ("2030-01-01T00:00:00.759Z", 1_893_456_000_759), ("2030-01-01T00:00:00", 1_893_456_000_000),
    ] as [(String, Int64)])
  func expiry(_ text: String, _ moment: Int64) throws {
    #expect(try Sample.session(Sample.json("2030-01-01T00:00:00Z", text)).expiresAt == moment)
  }

  // MARK: Amounts

  @Test(
    "Amounts are read exactly, from numbers and from strings",
    arguments: [
      ("EUR", "120.00", 12_000), ("EUR", "120", 12_000), ("EUR", "0", 0), ("EUR", "0.01", 1), ("EUR", "1.2e2", 12_000),
      ("EUR", "19.990", 1_999), ("EUR", "271.92", 27_192), ("EUR", "90071992547409.91", Amount.maximum),
      ("JPY", "120", 120), ("JPY", "120.0", 120), ("JPY", "12e1", 120), ("KWD", "1.234", 1_234), ("KWD", "1", 1_000),
      ("EUR", "-0", 0), ("EUR", "0.1e1", 100),
    ] as [(String, String, Int64)])
  func amount(_ currency: String, _ literal: String, _ units: Int64) throws {
    for spelling in [literal, "\"\(literal)\""] {
      let session = try Sample.session(Sample.json(protocols: "{}", amount: spelling, currency: currency))
      #expect(session.amount == units)
    }
  }

  @Test(
    "What is no amount is refused by name, without its value",
    arguments: [
      ("EUR", "1e400", "overflow"), ("EUR", "19.999", "tooPrecise"), ("EUR", "-1", "negative"),
      ("EUR", #""12,50""#, "notANumber"), ("EUR", #""""#, "notANumber"), ("EUR", #""1e400""#, "overflow"),
      ("EUR", #"" 1""#, "notANumber"), ("EUR", #""0x1F""#, "notANumber"), ("EUR", #""+1""#, "notANumber"),
      ("EUR", #""NaN""#, "notANumber"), ("EUR", #""19.999""#, "tooPrecise"), ("EUR", #""-0.01""#, "negative"),
      ("JPY", "0.5", "tooPrecise"), ("KWD", "1.2345", "tooPrecise"), ("EUR", "90071992547409.92", "overflow"),
      ("EUR", "1e-400", "tooPrecise"), ("EUR", "99999999999999999999", "overflow"),
    ])
  func notAnAmount(_ currency: String, _ literal: String, _ fault: String) throws {
    let json = Sample.json(protocols: "{}", amount: literal, currency: currency)
    let error = try #require(Sample.error(json))
    #expect(error.code == .sessionMalformed)
    #expect(error.path == "session.amount")
    #expect(error.offset == Sample.offset(of: #""amount":"#, in: json).map { $0 + 9 })
    #expect(error.message.contains(fault))
    #expect(error.details == #"{"fault":"\#(fault)"}"#)
    let digits = literal.filter { $0.isNumber }
    #expect(digits.count < 2 || !error.message.contains(digits))
  }

  @Test("The bounds of a method are amounts too", arguments: ["payment_min_amount", "payment_max_amount"])
  func bounds(_ key: String) throws {
    func json(_ value: String) -> String {
      Sample.json(protocols: #"{"p":{"m":{"configurations":{"settings":{"\#(key)":\#(value)}}}}}"#)
    }
    let method = try #require(try Sample.session(json("12.34")).methods.first)
    #expect((key == "payment_min_amount" ? method.minAmount : method.maxAmount) == 1_234)
    #expect((key == "payment_min_amount" ? method.maxAmount : method.minAmount) == nil)
    let error = try #require(Sample.error(json("12.345")))
    #expect(error.path == "session.protocols.p.m.configurations.settings.\(key)")
    #expect(error.details == #"{"fault":"tooPrecise"}"#)
    #expect(try Sample.session(json("null")).methods.first?.minAmount == nil)
  }

  // MARK: What is optional

  @Test("What a session can do without")
  func optionalMembers() throws {
    let session = try Sample.session(Sample.json(protocols: "{}"))
    #expect(session.redirection == "")
    #expect(session.tenantID == nil)
    #expect(session.vault == "")
    #expect(session.methods.isEmpty)
    for empty in ["null", #""""#] {
      let provider = try Sample.open(Sample.json(#""key-1""#, empty)).provider
      #expect(provider.timeRequest()?.headers.contains { $0.name == "x-api-key" } == false)
    }
  }

  @Test("The other vault's merchant is the tenant where Purse's is not named")
  func otherVault() throws {
    func tenant(_ front: String) throws -> String? {
      try Sample.session(Sample.json(protocols: "{}", more: #","vault":{"vendor_front_data":\#(front)}"#)).tenantID
    }
    #expect(try tenant(#"{"pci_proxy":{"merchant_id":"m"}}"#) == "m")
    #expect(try tenant(#"{"pci_proxy":{"merchant_id":"m"},"purse":{"tenant_id":"t"}}"#) == "t")
    #expect(try tenant("{}") == nil)
    #expect(try tenant("null") == nil)
  }

  @Test("Unknown keys and unknown words make nothing unreadable")
  func growth() throws {
    let json = """
      {"apiPaths":{"payment":"https://elsewhere.example"},"future":[1,{"a":null}],"entity_id":"e",\
      "environment":"sandbox",\
      "session":{"id":"s","amount":1,"future":{},"currency_code":"EUR","expiration_date":"2030-01-01T00:00:00Z",\
      "protocols":{"newpartner":{"newmethod":{"future":1,"configurations":{"future":{},"template":7,"labels":["new"],\
      "vault":{"vendor":"new","token_scope":"new","supported_brands":["NEW"]},\
      "settings":{"registration_mode":"NEW","future":1,"merchant_specifics":{"integration_mode":"new"}}}}}}}}
      """
    let opened = try Sample.open(json)
    let method = try #require(opened.session.methods.first)
    #expect(method.id == "newpartner-newmethod")
    #expect(method.kind == .primary && method.nature == .redirection)
    #expect(method.brands == ["NEW"])
    // The session's own paths never count: whoever writes the session must not choose where money goes.
    #expect(opened.provider.timeRequest()?.url == "https://api.purse-sandbox.com/datetime")
  }

  // MARK: Information requests

  @Test("An information request has nothing to pay and offers what can be kept for later")
  func informationRequest() throws {
    let asked = #""information_request":true"#
    let session = try Sample.session(Sample.json(#""information_request":false"#, asked))
    #expect(session.isInformationRequest)
    #expect(session.amount == 0)
    #expect(session.methods.map { $0.id } == ["purse-creditcard"])
    #expect(session.tokens.map { $0.id } == ["t1"])
    let bare = Sample.json(#""information_request":false"#, asked).replacingOccurrences(
      of: #""amount":120.00,"#, with: "")
    #expect(try Sample.session(bare).amount == 0)
    let wrong = Sample.json(#""information_request":false"#, asked).replacingOccurrences(of: "120.00", with: "-1")
    #expect(Sample.error(wrong)?.path == "session.amount")
  }

  // MARK: Limits

  @Test("No more than 1,000 methods and tokens")
  func tooManyItems() throws {
    func json(methods: Int, tokens: Int, perPartner: Int = 10) -> String {
      let list = (0..<tokens).map { #"{"id":"t\#($0)","value":"v"}"# }.joined(separator: ",")
      let partners = stride(from: 0, to: methods, by: perPartner).map { start in
        let members = (start..<min(start + perPartner, methods)).map { number in
          #""m\#(number)":{"configurations":{},"integrated_tokens":[\#(number == 0 ? list : "")]}"#
        }
        return #""p\#(start)":{\#(members.joined(separator: ","))}"#
      }
      return Sample.json(protocols: "{\(partners.joined(separator: ","))}")
    }
    #expect(try Sample.session(json(methods: 1_000, tokens: 0)).methods.count == 1_000)
    #expect(try Sample.session(json(methods: 1, tokens: 999)).tokens.count == 999)
    for tooMany in [json(methods: 1_001, tokens: 0), json(methods: 1, tokens: 1_000), json(methods: 501, tokens: 500)] {
      let error = try #require(Sample.error(tooMany))
      #expect(error.code == .sessionMalformed)
      #expect(error.path == "session.protocols")
      #expect(error.offset == Sample.offset(of: #""protocols":"#, in: tooMany).map { $0 + 12 })
    }
  }

  @Test("No more than 1 MiB once decoded")
  func tooLarge() throws {
    let frame = Sample.json(protocols: "{}", more: #","note":"""#)
    let largest = SessionBlob.maximumBytes
    func json(_ size: Int) -> String {
      frame.replacingOccurrences(
        of: #""note":"""#, with: #""note":"\#(String(repeating: "x", count: size - frame.utf8.count))""#)
    }
    #expect(json(largest).utf8.count == 1 << 20)
    #expect(Sample.error(json(largest)) == nil)
    let error = try #require(Sample.error(json(largest + 1)))
    #expect(error.code == .sessionMalformed)
    #expect(error.path == "widgetData")
  }

  @Test("Many empty partners cost no more than they weigh", .timeLimit(.minutes(10)))
  func manyPartners() throws {
    let partners = (0..<50_000).map { #""p\#($0)":{}"# }.joined(separator: ",")
    #expect(try Sample.session(Sample.json(protocols: "{\(partners)}")).methods.isEmpty)
  }

  // MARK: Where it goes

  @Test("Roots come from the host, else from the environment")
  func roots() throws {
    let own = ProviderOptions(paymentRoot: "http://127.0.0.1:4711/", timeRoot: "http://127.0.0.1:4712//")
    let cases: [(environment: String, options: ProviderOptions, payment: String?, time: String?)] = [
      ("sandbox", ProviderOptions(), "https://api.purse-sandbox.com", "https://api.purse-sandbox.com"),
      ("production", ProviderOptions(), "https://api.purse-live.com", "https://api.purse-live.com"),
      ("test", ProviderOptions(), nil, nil), ("Sandbox", ProviderOptions(), nil, nil),
      ("test", ProviderOptions(timeRoot: "http://127.0.0.1:1"), nil, nil),
      ("test", ProviderOptions(paymentRoot: "http://127.0.0.1:1"), "http://127.0.0.1:1", nil),
      ("test", own, "http://127.0.0.1:4711", "http://127.0.0.1:4712"),
      ("production", own, "http://127.0.0.1:4711", "http://127.0.0.1:4712"),
    ]
    for (environment, options, payment, time) in cases {
      let json = Sample.json(#""sandbox""#, #""\#(environment)""#)
      guard let payment else {
        let error = try #require(Sample.error(json, options))
        #expect(error.code == .invalidInitParams)
        #expect(error.path == "apiPaths.payment")
        #expect(error.details == #"{"missing":["apiPaths.payment"]}"#)
        continue
      }
      let provider = try Sample.open(json, options).provider
      let order = BalanceOrder(
        method: PaymentMethod(id: "a-b", partner: "a", method: "b", kind: .secondary, nature: .giftCard),
        number: SecretID(1), securityCode: nil, amount: 1, currency: Sample.euro, handle: nil)
      #expect(provider.balanceRequest(order).url == payment + "/entity%2F1/sessions/session%201/init")
      #expect(provider.timeRequest()?.url == time.map { $0 + "/datetime" })
    }
  }

  @Test(
    "Options that could not be sent are refused",
    arguments: [
      (ProviderOptions(paymentRoot: ""), "apiPaths.payment"), (ProviderOptions(paymentRoot: "/"), "apiPaths.payment"),
      (ProviderOptions(paymentRoot: "http://a?b"), "apiPaths.payment"),
      (ProviderOptions(paymentRoot: "http://a b"), "apiPaths.payment"),
      (ProviderOptions(timeRoot: "http://a#b"), "apiPaths.datetime"),
      (ProviderOptions(timeRoot: "http://a\\b"), "apiPaths.datetime"),
      (ProviderOptions(idempotencyHeader: ""), "idempotencyHeader"),
      (ProviderOptions(idempotencyHeader: "a: b\r\nc"), "idempotencyHeader"),
      (ProviderOptions(idempotencyHeader: "é"), "idempotencyHeader"),
    ])
  func badOptions(_ options: ProviderOptions, _ path: String) throws {
    let error = try #require(Sample.error(Sample.json, options))
    #expect(error.code == .invalidInitParams)
    #expect(error.path == path)
  }

  private static func encoded(_ text: String) -> String { Base64.encode(Array(text.utf8)) }
}
