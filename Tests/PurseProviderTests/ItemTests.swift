import JSONText
import Testing

@testable import CheckoutCore
@testable import PurseProvider

@Suite("Methods and tokens of a session")
struct ItemTests {
  // MARK: What a method is

  struct Row: Sendable {
    var partner: String
    var method: String
    var configuration: String
    var kind: PaymentMethod.Kind
    var nature: PaymentMethod.Nature

    init(
      _ partner: String, _ method: String, _ configuration: String, _ kind: PaymentMethod.Kind,
      _ nature: PaymentMethod.Nature
    ) {
      self.partner = partner
      self.method = method
      self.configuration = configuration
      self.kind = kind
      self.nature = nature
    }
  }

  static let natures: [Row] = [
    Row("illicado", "giftcard", #"{"labels":["secondary"]}"#, .secondary, .giftCard),
    Row("purse", "creditcard", #"{"labels":["x","secondary"],"vault":{"vendor":"purse"}}"#, .secondary, .giftCard),
    Row("klarna", "paylater", #"{"labels":["secondary"]}"#, .secondary, .giftCard),
    Row("purse", "creditcard", #"{"labels":["primary"],"vault":{"vendor":"purse"}}"#, .primary, .card),
    Row("aci", "creditcard", #"{"vault":{"vendor":"pci_proxy"}}"#, .primary, .card),
    Row("aci", "creditcard", #"{"vault":{"vendor":"new"}}"#, .primary, .card),
    Row("aci", "creditcard", #"{"vault":{}}"#, .primary, .card),
    Row("aci", "creditcard", #"{"vault":{"vendor":"none"}}"#, .primary, .redirection),
    Row("aci", "creditcard", #"{"vault":null}"#, .primary, .redirection),
    Row("aci", "creditcard", "{}", .primary, .redirection),
    Row("aci", "cb3x", #"{"vault":{"vendor":"purse"}}"#, .primary, .redirection),
    Row("aci", "applepay", "{}", .primary, .native), Row("aci", "googlepay", "{}", .primary, .native),
    Row("paypal", "wallet", "{}", .primary, .native),
    Row("paypal", "wallet", #"{"settings":{"merchant_specifics":{"integration_mode":"popup"}}}"#, .primary, .native),
    Row("paypal", "wallet", #"{"settings":{"merchant_specifics":{"integration_mode":null}}}"#, .primary, .native),
    Row(
      "paypal", "wallet", #"{"settings":{"merchant_specifics":{"integration_mode":"redirection"}}}"#, .primary,
      .redirection),
    Row("klarna", "paylater", "{}", .primary, .native), Row("hipay", "bancontact", "{}", .primary, .redirection),
    Row("other", "other", #"{"labels":[]}"#, .primary, .redirection),
    Row("other", "other", #"{"labels":["Secondary"]}"#, .primary, .redirection),
  ]

  // seed: 002:8
  @Test("What a method is", arguments: natures)
  func nature(_ row: Row) throws {
    let json = Sample.json(
      protocols: #"{"\#(row.partner)":{"\#(row.method)":{"configurations":\#(row.configuration)}}}"#)
    let method = try #require(try Sample.session(json).methods.first)
    #expect(method.id == "\(row.partner)-\(row.method)")
    #expect(method.kind == row.kind)
    #expect(method.nature == row.nature)
  }

  @Test(
    "How much of a gift card must be taken",
    arguments: [
      ("easy2play", "voucher", .max), ("easy2play", "giftcard", .free), ("illicado", "giftcard", .free),
      ("ogloba", "giftcard", .free), ("buybox", "giftcard", .free), ("maxxing", "loyaltycard", .max),
      ("maxxing", "giftcard", .free), ("other", "giftcard", .free),
    ] as [(String, String, PaymentMethod.TakePolicy)])
  func takePolicy(_ partner: String, _ method: String, _ policy: PaymentMethod.TakePolicy) throws {
    #expect(try secondary(partner, method).takePolicy == policy)
  }

  struct IssuerRow: Sendable {
    var partner: String
    var method = "giftcard"
    var isPolled = false
    var paysByHandle = false
    var isVoucher = false
    var isNumeric = true
    var codeFromLength: Int?
  }

  @Test(
    "What an issuer needs",
    arguments: [
      IssuerRow(partner: "illicado", paysByHandle: true), IssuerRow(partner: "buybox", isPolled: true),
      IssuerRow(partner: "ogloba", codeFromLength: 13),
      IssuerRow(partner: "easy2play", method: "voucher", isVoucher: true, isNumeric: false),
      IssuerRow(partner: "easy2play", isNumeric: false), IssuerRow(partner: "maxxing", method: "loyaltycard"),
      IssuerRow(partner: "other", isNumeric: false),
    ])
  func issuer(_ row: IssuerRow) throws {
    let rule = try secondary(row.partner, row.method).numberRule
    #expect(rule.isPolled == row.isPolled)
    #expect(rule.paysByHandle == row.paysByHandle)
    #expect(rule.isVoucher == row.isVoucher)
    #expect(rule.isNumeric == row.isNumeric)
    #expect(rule.codeFromLength == row.codeFromLength)
  }

  @Test("The first row for an issuer is the only one for its method, and every rule lets some number through")
  func issuers() {
    for (index, issuer) in GiftCards.issuers.enumerated() {
      #expect(issuer.rule.numberLength.contains(16))
      #expect(issuer.rule.codeLength.contains(4))
      let earlier = GiftCards.issuers[..<index].first {
        $0.partner == issuer.partner && ($0.method == nil || $0.method == issuer.method)
      }
      #expect(earlier == nil, "\(issuer.partner) is hidden by a row before it")
    }
  }

  @Test(
    "What a partner's widget asks for",
    arguments: [
      ("aci", "applepay", "{}", [.initializesAtOpen, .selfSubmitting]),
      ("stripe", "googlepay", "{}", [.initializesAtOpen, .selfSubmitting]),
      ("paypal", "wallet", "{}", .selfSubmitting),
      ("paypal", "wallet", #"{"settings":{"merchant_specifics":{"integration_mode":"redirection"}}}"#, []),
      ("klarna", "paylater", "{}", [.initializesAtOpen, .needsReturnURL, .simulable]),
      ("purse", "creditcard", #"{"vault":{"vendor":"purse"}}"#, []), ("hipay", "bancontact", "{}", []),
      ("illicado", "giftcard", #"{"labels":["secondary"]}"#, []),
    ] as [(String, String, String, PaymentMethod.Traits)])
  func traits(_ partner: String, _ method: String, _ configuration: String, _ traits: PaymentMethod.Traits) throws {
    let json = Sample.json(protocols: #"{"\#(partner)":{"\#(method)":{"configurations":\#(configuration)}}}"#)
    let read = try #require(try Sample.session(json).methods.first)
    #expect(read.traits == traits)
    #expect(read.isSelfSubmitting == traits.contains(.selfSubmitting))
    #expect(read.requiredStep == (read.nature == .card ? .collect : read.nature == .native ? .prepare : nil))
  }

  private func secondary(_ partner: String, _ method: String) throws -> PaymentMethod {
    let json = Sample.json(protocols: #"{"\#(partner)":{"\#(method)":{"configurations":{"labels":["secondary"]}}}}"#)
    return try #require(try Sample.session(json).methods.first)
  }

  // MARK: Which are listed, and in which order

  @Test("Methods stand by position, those without one last, then by id")
  func order() throws {
    func method(_ position: String) -> String { #"{"configurations":{"position":\#(position)}}"# }
    let protocols = """
      {"z":{"a":\(method("null")),"c":{"configurations":{}},"b":\(method("2"))},"é":{"m":\(method("2"))},\
      "a":{"z":\(method("10")),"m":\(method("2")),"y":\(method("-1")),"x":\(method("1.5")),"w":\(method("1e0"))},\
      "B":{"m":\(method("2"))}}
      """
    let ids = try Sample.session(Sample.json(protocols: protocols)).methods.map { $0.id }
    #expect(ids == ["a-y", "B-m", "a-m", "z-b", "é-m", "a-z", "a-w", "a-x", "z-a", "z-c"])
  }

  // seed: 002:15b
  // seed: 002:4c
  @Test(
    "A method is left out only when it is said to be unstable",
    arguments: [
      ("false", 0), ("true", 1), ("null", 1),
    ])
  func stability(_ stable: String, _ count: Int) throws {
    let json = Sample.json(
      protocols: #"""
        {"p":{"m":{"configurations":{"stable":\#(stable)},"integrated_tokens":[{"id":"t","value":"v"}]}}}
        """#)
    let session = try Sample.session(json)
    #expect(session.methods.count == count)
    #expect(session.tokens.count == count)
    #expect(session.unstable == (count == 0 ? [MethodName(partner: "p", method: "m")] : []))
  }

  @Test(
    "An information request offers only what can be kept",
    arguments: [
      (#""OFF_SESSION""#, 1), (#""ON_SESSION""#, 0), (#""NEW""#, 0), ("null", 0),
    ])
  func registrationMode(_ mode: String, _ count: Int) throws {
    let protocols = #"{"p":{"m":{"configurations":{"settings":{"registration_mode":\#(mode)}}}}}"#
    let asked = Sample.json(protocols: protocols, more: #","information_request":true"#)
    #expect(try Sample.session(asked).methods.count == count)
    #expect(try Sample.session(Sample.json(protocols: protocols)).methods.count == 1)
  }

  @Test("Two methods cannot share an id")
  func sameID() throws {
    let protocols = #"{"a-b":{"c":{"configurations":{}}},"a":{"b-c":{"configurations":{}}}}"#
    let json = Sample.json(protocols: protocols)
    let error = try #require(Sample.error(json))
    #expect(error.code == .sessionMalformed)
    #expect(error.path == "session.protocols.a.b-c")
    #expect(error.offset == Sample.offset(of: #"{"configurations":{}}}}"#, in: json))
  }

  @Test("A partner and a method have names")
  func emptyNames() {
    for protocols in [#"{"":{"m":{"configurations":{}}}}"#, #"{"p":{"":{"configurations":{}}}}"#] {
      #expect(Sample.error(Sample.json(protocols: protocols))?.code == .sessionMalformed)
    }
    #expect(Sample.error(Sample.json(protocols: #"{"p":{"m":{}}}"#))?.path == "session.protocols.p.m.configurations")
  }

  @Test("The same method twice is refused")
  func duplicateMethod() {
    let protocols = #"{"p":{"m":{"configurations":{}},"m":{"configurations":{}}}}"#
    #expect(Sample.error(Sample.json(protocols: protocols))?.path == "widgetData")
  }

  // MARK: Saved tokens

  private func session(tokens: String, labels: String = "[]") throws -> ClientSession {
    try Sample.session(
      Sample.json(protocols: #"{"p":{"m":{"configurations":{"labels":\#(labels)},"integrated_tokens":\#(tokens)}}}"#))
  }

  // seed: 002:15a
  @Test("A token goes with its method's kind")
  func kinds() throws {
    let primary = try session(tokens: #"[{"id":"t","value":"v"}]"#)
    #expect(primary.tokens == [PaymentToken(id: "t", item: "p-m", mask: "", expiresAt: nil, value: "v")])
    #expect(primary.savedSecondaries.isEmpty)
    let secondary = try session(tokens: #"[{"id":"t","value":"v"}]"#, labels: #"["secondary"]"#)
    #expect(secondary.tokens.isEmpty)
    #expect(secondary.savedSecondaries == primary.tokens.map { SavedSecondaryToken($0) })
    #expect(try session(tokens: "null").tokens.isEmpty)
  }

  @Test(
    "A token's mask",
    arguments: [
      (#"{"masked_pan":"4111 XXXX","display_token":"d","brand_name":"b"}"#, "4111 XXXX"),
      (#"{"display_token":"d","brand_name":"b"}"#, "d"), (#"{"brand_name":"b"}"#, "b"), ("{}", ""), ("null", ""),
      (#"{"masked_pan":null,"display_token":"","brand_name":"b"}"#, "b"),
      // A whole number is no mask, whatever the back end calls it.
      (#"{"masked_pan":"4111 1111 1111 1234"}"#, "**** 1234"),
      (#"{"display_token":"600649000000987654"}"#, "**** 7654"),
    ])
  func mask(_ description: String, _ mask: String) throws {
    let tokens = try session(tokens: #"[{"id":"t","value":"v","description":\#(description)}]"#).tokens
    #expect(tokens.first?.mask == mask)
  }

  @Test("A saved card says whether its code is wanted", arguments: [("true", true), ("false", false), ("null", false)])
  func securityCode(_ literal: String, _ isNeeded: Bool) throws {
    let tokens = try session(tokens: #"[{"id":"t","value":"v","cvv_required":\#(literal)}]"#).tokens
    #expect(tokens.first?.needsSecurityCode == isNeeded)
    #expect(Sample.error(Sample.json("\"id\":\"t1\",", "\"id\":\"t1\",\"cvv_required\":1,"))?.code == .sessionMalformed)
  }

  @Test(
    "A token's expiry is shown in one form or not at all",
    arguments: [
      (#""2031-05-31""#, "2031-05-31T00:00:00Z"), (#""2031-05-31T10:00:00+02:00""#, "2031-05-31T08:00:00Z"),
      (#""05/31""#, nil), (#""""#, nil), ("null", nil),
    ] as [(String, String?)])
  func expiry(_ literal: String, _ shown: String?) throws {
    let tokens = try session(tokens: #"[{"id":"t","value":"v","expiration_date":\#(literal)}]"#).tokens
    #expect(tokens.first?.expiresAt == shown)
  }

  @Test("A token that several methods share is listed once, with the first of them")
  func shared() throws {
    let tokens = #""integrated_tokens":[{"id":"t","value":"v"},{"id":"t","value":"w"},{"id":"a-m","value":"x"}]"#
    let protocols = """
      {"z":{"m":{"configurations":{"position":2},\(tokens)}},"a":{"m":{"configurations":{"position":1},\(tokens)}}}
      """
    let session = try Sample.session(Sample.json(protocols: protocols))
    #expect(session.tokens == [PaymentToken(id: "t", item: "a-m", mask: "", expiresAt: nil, value: "v")])
  }

  // MARK: Sameness

  @Test("Configurations that are equal as JSON have one text")
  func sameConfiguration() throws {
    func configuration(_ text: String) throws -> String {
      try #require(
        try Sample.session(Sample.json(protocols: #"{"p":{"m":{"configurations":\#(text)}}}"#)).methods.first
      )
      .configuration
    }
    let first = try configuration(#"{"a":[1,2.50,-0,1e2],"b":{"y":null,"x":"\u00e9"},"position":1}"#)
    #expect(first == #"{"a":[1,25e-1,0,1e2],"b":{"x":"é","y":null},"position":1}"#)
    let same = #"{ "position" : 1.0, "b":{"x":"é","y":null}, "a":[1.0,25e-1,0.0,100] }"#
    #expect(try configuration(same) == first)
    for other in [#"{"a":[2.50,1,0,1e2],"b":{"y":null,"x":"é"},"position":1}"#, #"{"position":1}"#] {
      #expect(try configuration(other) != first)
    }
  }

  @Test("Texts of numbers are the same exactly when the numbers are")
  func numbers() throws {
    let literals = [
      "0", "-0", "0.0", "0e5", "1", "-1", "1.0", "10", "1e1", "1E+1", "0.1e2", "100e-1", "0.1", "1e-1", "12.5",
      "1.25e1",
      "1250e-2", "123456789012345678901234567890", "1e400", "10e399", "1e99999999999999999999",
    ]
    for left in literals {
      for right in literals {
        let values = try (JSONDocument(parsing: left).root, JSONDocument(parsing: right).root)
        let isSame = CanonicalJSON.text(of: values.0) == CanonicalJSON.text(of: values.1)
        #expect(isSame == values.0.isEqual(to: values.1), "\(left) and \(right)")
      }
    }
  }
}
