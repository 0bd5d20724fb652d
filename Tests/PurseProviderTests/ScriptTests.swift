import JSONText
import Testing

@testable import CheckoutCore
@testable import PurseProvider

/// A script under test, told things one by one.
struct Scripted {
  var script: PurseScript

  init(_ script: PurseScript) { self.script = script }

  init(_ order: PaymentOrder, _ options: ProviderOptions = ProviderOptions()) throws {
    script = try Sample.open(Sample.json, options).provider.script(for: order)
  }

  mutating func begin() -> Move { script.next(.begin) }
  mutating func next(_ event: ScriptEvent) -> Move { script.next(event) }

  /// Does what the carrier does with a 2xx answer.
  mutating func receive(_ body: String, _ call: Call = .validate) -> Move? {
    switch script.read(answer(body), to: call) {
    case .read, .verdict: script.next(.read)
    case .refused(let error): script.next(.failed(error))
    case .unreadable, .unclear, .open: nil
    }
  }
}

extension Move {
  var request: Request? {
    if case .send(let request) = self { return request }
    return nil
  }

  var question: Question? {
    if case .ask(let question) = self { return question }
    return nil
  }

  var ending: Ending? {
    if case .end(let ending) = self { return ending }
    return nil
  }

  /// A short name, so that paths can be written as tables.
  var name: String {
    switch self {
    case .send(let request): request.call == .validate ? "validate" : "init"
    case .ask(.step(let step, _)): step.name
    case .ask(.beforeValidate): "beforeValidate"
    case .ask(.afterValidate): "afterValidate"
    case .ask(.redirection(let action)): "redirection " + action.name
    case .present(let action, _): "present " + action.name
    case .ask(.beforePayment), .ask(.idempotencyKey), .sleep, .stay: "another back end's"
    case .end(.completed(let result)): "completed " + result.status
    case .end(.returned(let url)): "returned " + (url ?? "-")
    case .end(.canceled): "canceled"
    case .end(.failed(let error, let spendsInError)):
      "failed \(error.code.text) \(error.moved.text)" + (spendsInError ? " error" : "")
    }
  }
}

extension RedirectAction {
  fileprivate var name: String {
    switch self {
    case .get(let url): url
    case .postForm(let url, let form): url + " " + form
    case .postHTML(let html): html
    }
  }
}

@Suite("One payment, step by step")
struct ScriptTests {
  /// Something that a script is told: an event, or a 2xx answer to its latest request.
  enum Told: Sendable {
    case event(ScriptEvent)
    case initAnswer(String)
    case answer(String)

    static let begin = Told.event(.begin)
    static let yes = Told.event(.answered(.ok("{}")))
    static let unset = Told.event(.answered(.unset))
    static let no = Told.event(.answered(.error("no")))
    static let cancel = Told.event(.answered(.canceled))
    static func ok(_ text: String) -> Told { .event(.answered(.ok(text))) }
    static func shown(_ end: PresentationEnd) -> Told { .event(.presented(end)) }
    static func status(_ status: String, _ redirection: String = "{}") -> Told {
      .answer(#"{"global_status":"\#(status)","results":[],"redirection":\#(redirection)}"#)
    }
  }

  struct Walk: Sendable {
    var title: String
    var order: PaymentOrder
    var steps: [(told: Told, move: String)]

    init(_ title: String, _ order: PaymentOrder, _ steps: [(Told, String)]) {
      self.title = title
      self.order = order
      self.steps = steps.map { (told: $0.0, move: $0.1) }
    }
  }

  static let cardOrder = Orders.order([Orders.slice(Orders.card)])
  static let tokenOrder = Orders.order([Orders.token()])
  static let pageOrder = Orders.order([Orders.slice(Orders.page)])
  static let widgetOrder = Orders.order([Orders.slice(Orders.native)])
  static let openedOrder = Orders.order([Orders.opened()])
  static let approvedOrder = Orders.order([Orders.opened(collected: #"{"authorization_token":"a"}"#)])
  static let codeOrder: PaymentOrder = {
    var slice = Orders.token()
    slice.asksSecurityCode = true
    return Orders.order([slice])
  }()
  static let prepared = #"{"payment_data":{"authorization_token":"a"}}"#
  static let refusedConsent = "failed ON_BEFORE_VALIDATE_HOOK_FAILED no"
  static let page = #"{"url":"https://page"}"#
  static let toAnswer: [(Told, String)] = [(.begin, "beforeValidate"), (.yes, "validate")]
  static let toOffer: [(Told, String)] =
    toAnswer + [(.status("WAITING", page), "afterValidate"), (.unset, "redirection https://page")]

  static let beforeThePayment: [Walk] = [
    Walk(
      "card", cardOrder,
      [
        (.begin, "collect"), (.ok(Orders.form), "beforeValidate"), (.yes, "validate"),
        (.status("SUCCESS"), "afterValidate"), (.yes, "completed SUCCESS"),
      ]),
    Walk(
      "card, consent unset", cardOrder,
      [(.begin, "collect"), (.ok(Orders.form), "beforeValidate"), (.unset, "validate")]),
    Walk(
      "card, consent skipped", Orders.order([Orders.slice(Orders.card)], skips: true),
      [
        (.begin, "collect"), (.ok(Orders.form), "validate"),
      ]),
    Walk(
      "card, collected before", Orders.order([Orders.slice(Orders.card, collected: Orders.form)]),
      [
        (.begin, "beforeValidate"), (.yes, "validate"),
      ]),
    Walk(
      "card, collected before but useless", Orders.order([Orders.slice(Orders.card, collected: "{}")]),
      [
        (.begin, "collect")
      ]),
    Walk(
      "card with gift cards", Orders.order([Orders.giftCard(Orders.ogloba, 1), Orders.slice(Orders.card)]),
      [
        (.begin, "collect"), (.ok(Orders.form), "beforeValidate"), (.yes, "validate"),
      ]),
    Walk("card, form failed", cardOrder, [(.begin, "collect"), (.no, "failed PARTNER_UI_ERROR no")]),
    Walk("card, form not there", cardOrder, [(.begin, "collect"), (.unset, "failed PARTNER_UI_ERROR no")]),
    Walk("card, form canceled", cardOrder, [(.begin, "collect"), (.cancel, "canceled")]),
    Walk("consent refused", tokenOrder, [(.begin, "beforeValidate"), (.no, refusedConsent)]),
    Walk("consent canceled", tokenOrder, [(.begin, "beforeValidate"), (.cancel, refusedConsent)]),
    Walk("saved card", tokenOrder, toAnswer),
    Walk("saved card of a page's method", Orders.order([Orders.token(Orders.page)]), toAnswer),
    Walk("gift cards only", Orders.order([Orders.giftCard(Orders.illicado, 1)]), toAnswer),
    Walk(
      "gift cards only, skipped", Orders.order([Orders.giftCard(Orders.illicado, 1)], skips: true),
      [
        (.begin, "validate")
      ]),
    Walk(
      "page", pageOrder,
      [
        (.begin, "init"), (.initAnswer(AnswerTests.initBody()), "beforeValidate"), (.yes, "validate"),
      ]),
    Walk(
      "page that waits", pageOrder,
      [(.begin, "init"), (.initAnswer(AnswerTests.initBody(state: "WAITING")), "beforeValidate")]),
    Walk(
      "page refused", pageOrder,
      [
        (.begin, "init"),
        (.initAnswer(AnswerTests.initBody(state: "FAILED", code: "BAD_REQUEST")), "failed VALIDATE_FAILED no"),
      ]),
    Walk(
      "page in a new state", pageOrder,
      [(.begin, "init"), (.initAnswer(AnswerTests.initBody(state: "NEW")), "failed VALIDATE_FAILED no")]),
    Walk(
      "page not answered", pageOrder,
      [
        (.begin, "init"), (.event(.failed(CheckoutError(.validateFailed, moved: .no))), "failed VALIDATE_FAILED no"),
      ]),
    Walk(
      "page's consent refused", pageOrder,
      [
        (.begin, "init"), (.initAnswer(AnswerTests.initBody()), "beforeValidate"), (.no, refusedConsent),
      ]),
    Walk(
      "widget", widgetOrder,
      [
        (.begin, "init"), (.initAnswer(AnswerTests.initBody()), "prepare"), (.ok(prepared), "beforeValidate"),
        (.yes, "validate"),
      ]),
    Walk("widget, initialised before", openedOrder, [(.begin, "prepare"), (.ok(prepared), "beforeValidate")]),
    Walk("widget, approved before", approvedOrder, [(.begin, "beforeValidate"), (.yes, "validate")]),
    Walk(
      "widget, approved before it was initialised", Orders.order([Orders.slice(Orders.native, collected: "{}")]),
      [(.begin, "init"), (.initAnswer(AnswerTests.initBody()), "beforeValidate"), (.yes, "validate")]),
    Walk("widget canceled", openedOrder, [(.begin, "prepare"), (.cancel, "canceled")]),
    Walk("widget failed", openedOrder, [(.begin, "prepare"), (.no, "failed PARTNER_UI_ERROR no")]),
    Walk("widget not there", openedOrder, [(.begin, "prepare"), (.unset, "failed PARTNER_UI_ERROR no")]),
    Walk("widget that says nothing", openedOrder, [(.begin, "prepare"), (.yes, "failed PARTNER_UI_ERROR no")]),
    Walk(
      "widget that says something else", openedOrder,
      [(.begin, "prepare"), (.ok(#"{"payment_data":"token"}"#), "failed PARTNER_UI_ERROR no")]),
    Walk(
      "widget refused", widgetOrder,
      [
        (.begin, "init"),
        (.initAnswer(AnswerTests.initBody(state: "FAILED", code: "X")), "failed VALIDATE_FAILED no"),
      ]),
    Walk(
      "saved card that wants its code", codeOrder,
      [(.begin, "collect"), (.ok(Orders.form), "beforeValidate"), (.yes, "validate")]),
    Walk("its code canceled", codeOrder, [(.begin, "collect"), (.cancel, "canceled")]),
    Walk("its code failed", codeOrder, [(.begin, "collect"), (.no, "failed PARTNER_UI_ERROR no")]),
    Walk("its code without a token", codeOrder, [(.begin, "collect"), (.yes, "failed PARTNER_UI_ERROR no")]),
    Walk("nothing", Orders.order([]), [(.begin, "failed UNKNOWN_ERROR no")]),
  ]

  static let afterThePayment: [Walk] = {
    let withStep = Orders.order([Orders.token()], postValidates: true)
    let noPages = Orders.order([Orders.token()], presents: false)
    let giftCards = Orders.order([Orders.giftCard(Orders.illicado, 1)], postValidates: true)
    let lost = "failed POST_VALIDATE_FAILED yes error"
    let toStep = toAnswer + [(Told.status("SUCCESS"), "afterValidate"), (.yes, "postValidate")]
    var walks = ["SUCCESS", "FAILED", "ERROR"].map { status in
      // A decisive word is the outcome even when a page came with it.
      Walk(
        "decisive \(status)", tokenOrder,
        toAnswer + [(.status(status, page), "afterValidate"), (.yes, "completed \(status)")])
    }
    walks += ["WAITING", "UNCERTAIN", "NEW"].map { status in
      Walk(
        "pending \(status)", tokenOrder,
        toAnswer + [(.status(status, page), "afterValidate"), (.yes, "redirection https://page")])
    }
    walks += [Told.yes, .unset, .no, .cancel].map { reply in
      Walk(
        "afterValidate decides nothing", tokenOrder,
        toAnswer + [(.status("SUCCESS"), "afterValidate"), (reply, "completed SUCCESS")])
    }
    walks += [
      Walk("no page", tokenOrder, toAnswer + [(.status("WAITING"), "afterValidate"), (.yes, "completed WAITING")]),
      Walk(
        "host shows no pages", noPages,
        toAnswer + [(.status("WAITING", page), "afterValidate"), (.yes, "completed WAITING")]),
      Walk(
        "host shows no pages, useless one", noPages,
        toAnswer + [(.status("WAITING", "7"), "afterValidate"), (.yes, "completed WAITING")]),
      Walk("useless page", tokenOrder, toAnswer + [(.status("WAITING", "7"), "afterValidate"), (.yes, lost)]),
      Walk(
        "useless page, decided", tokenOrder,
        toAnswer + [(.status("FAILED", "7"), "afterValidate"), (.yes, "completed FAILED")]),
      Walk("step", withStep, toStep + [(.yes, "completed SUCCESS")]),
      Walk("step unset", withStep, toStep + [(.unset, "completed SUCCESS")]),
      Walk("step failed", withStep, toStep + [(.no, lost)]),
      Walk("step canceled", withStep, toStep + [(.cancel, lost)]),
      Walk(
        "step, then page", withStep,
        toAnswer + [
          (.status("WAITING", page), "afterValidate"), (.yes, "postValidate"), (.yes, "redirection https://page"),
        ]),
      Walk(
        "step of a primary that pays nothing", giftCards,
        toAnswer + [(.status("SUCCESS"), "afterValidate"), (.yes, "completed SUCCESS")]),
      Walk("taken over", tokenOrder, toOffer + [(.ok(#"{"takeOver":true}"#), "completed WAITING")]),
      Walk("not taken over", tokenOrder, toOffer + [(.ok(#"{"takeOver":false}"#), "present https://page")]),
      Walk("hook unset", tokenOrder, toOffer + [(.unset, "present https://page")]),
      Walk("hook failed", tokenOrder, toOffer + [(.no, "failed POST_VALIDATE_FAILED yes")]),
      Walk("hook canceled", tokenOrder, toOffer + [(.cancel, "failed POST_VALIDATE_FAILED yes")]),
      Walk(
        "returned", tokenOrder,
        toOffer + [
          (.unset, "present https://page"), (.shown(.returned(url: "myapp://return?x")), "returned myapp://return?x"),
        ]),
      Walk(
        "returned unread", tokenOrder,
        toOffer + [(.unset, "present https://page"), (.shown(.returned(url: nil)), "returned -")]),
      Walk("closed", tokenOrder, toOffer + [(.unset, "present https://page"), (.shown(.canceled), "canceled")]),
      Walk("page failed", tokenOrder, toOffer + [(.unset, "present https://page"), (.shown(.failed("x")), lost)]),
      Walk(
        "form", tokenOrder,
        toAnswer + [
          (.status("WAITING", #"{"form":"<form>"}"#), "afterValidate"), (.yes, "redirection <form>"),
          (.unset, "present <form>"),
        ]),
    ]
    return walks
  }()

  @Test("Up to the payment", arguments: beforeThePayment)
  func before(_ walk: Walk) throws { try follow(walk) }

  @Test("After its answer", arguments: afterThePayment)
  func after(_ walk: Walk) throws { try follow(walk) }

  private func follow(_ walk: Walk) throws {
    var script = try Scripted(walk.order)
    for (position, step) in walk.steps.enumerated() {
      #expect(tell(&script, step.told)?.name == step.move, "\(walk.title), step \(position)")
    }
  }

  private func tell(_ script: inout Scripted, _ told: Told) -> Move? {
    switch told {
    case .event(let event): script.next(event)
    case .initAnswer(let body): script.receive(body, .initialize)
    case .answer(let body): script.receive(body)
    }
  }

  // MARK: Collecting

  @Test("What a card's form is told")
  func collectData() throws {
    var script = try Scripted(Orders.order([Orders.giftCard(Orders.ogloba, 5_000), Orders.slice(Orders.card, 7_000)]))
    #expect(
      script.begin().question == .step(.collect, data: Self.question(#"["VISA","CARTE_BANCAIRE"]"#, 7_000)))
    var bare = PaymentMethod(id: "a-b", partner: "a", method: "b", kind: .primary, nature: .card)
    bare.brands = []
    var other = try Scripted(Orders.order([Orders.slice(bare, 0)], Sample.yen, tenant: nil))
    #expect(
      other.begin().question
        == .step(.collect, data: Self.question("[]", 0, tenant: "null", currency: "JPY")))
  }

  private static func question(
    _ brands: String, _ amount: Int, tenant: String = #""tenant-1""#, selected: String = "null", codeOnly: Bool = false,
    currency: String = "EUR"
  ) -> String {
    #"{"tenantId":\#(tenant),"brands":\#(brands),"selectedBrand":\#(selected),"securityCodeOnly":\#(codeOnly),"#
      + #""amount":\#(amount),"currency":"\#(currency)"}"#
  }

  @Test(
    "A form that answered no token of the vault's",
    arguments: [
      "{}", "", "[]", "null", "\"tok\"", #"{"vault_form_token":""}"#, #"{"vault_form_token":null}"#,
      #"{"vault_form_token":7}"#, #"{"selected_network":"VISA"}"#, #"{"vault_form_token":"a"} x"#,
      #"{"vault_form_token":{"value":"tok"}}"#,
    ])
  func noFormToken(_ text: String) throws {
    var script = try Scripted(Self.cardOrder)
    _ = script.begin()
    let move = script.next(.answered(.ok(text)))
    #expect(move.name == "failed PARTNER_UI_ERROR no")
    #expect(script.script.collected == nil)
  }

  @Test("The brand that was chosen is told to the form, and sent unless the form names one")
  func brand() throws {
    var order = Orders.order([Orders.slice(Orders.card)], skips: true)
    order.selectedBrand = "CARTE_BANCAIRE"
    for (form, sent) in [
      (#"{"vault_form_token":"t"}"#, #"{"vault_form_token":"t","selected_network":"CARTE_BANCAIRE"}"#),
      (#"{"vault_form_token":"t","selected_network":"VISA"}"#, #"{"vault_form_token":"t","selected_network":"VISA"}"#),
    ] {
      var script = try Scripted(order)
      #expect(
        script.begin().question
          == .step(
            .collect, data: Self.question(#"["VISA","CARTE_BANCAIRE"]"#, 7_000, selected: #""CARTE_BANCAIRE""#)))
      let body = try #require(script.next(.answered(.ok(form))).request).shownBody
      #expect(body.contains(#""payment_data":\#(sent),"#))
      #expect(script.script.collected == sent)
    }
  }

  @Test("A saved card's code goes beside its token, and cannot name another")
  func securityCode() throws {
    var slice = Orders.token(value: "w")
    slice.asksSecurityCode = true
    var script = try Scripted(Orders.order([slice], skips: true))
    #expect(
      script.begin().question
        == .step(.collect, data: Self.question(#"["VISA","CARTE_BANCAIRE"]"#, 7_000, codeOnly: true)))
    let form = #"{"vault_form_token":"code","wallet_token":"another"}"#
    let body = try #require(script.next(.answered(.ok(form))).request).shownBody
    #expect(body.contains(#""payment_data":{"wallet_token":"w","vault_form_token":"code"},"#))
  }

  @Test("A widget is told its data, the amount and where to return to; its answer is the payment's data")
  func widget() throws {
    var order = Orders.order([Orders.opened()], skips: true)
    order.appReturnURL = "shop://back"
    var script = try Scripted(order)
    #expect(
      script.begin().question
        == .step(
          .prepare,
          data: #"{"init":{"client_token":"c"},"amount":7000,"currency":"EUR","appReturnURL":"shop://back"}"#))
    let body = try #require(script.next(.answered(.ok(Self.prepared))).request).shownBody
    #expect(body.contains(#""payment_data":{"authorization_token":"a"},"#))
    #expect(body.contains(#""step_id":9}"#))
    #expect(script.script.collected == #"{"authorization_token":"a"}"#)
  }

  @Test(
    "A refusal that says that the saved instrument is unknown",
    arguments: [
      (#"{"code":"UNKNOWN_WALLET_TOKEN"}"#, true), (#"{"error":"payment_token_not_found_in_session"}"#, true),
      (#"{"errors":[{"code":"TokenNotFound"}]}"#, true), (#"{"code":"UNKNOWN_FORM_TOKEN"}"#, false), ("{}", false),
      ("", false),
    ])
  func unknownToken(_ body: String, _ isUnknown: Bool) throws {
    for (order, isToken) in [(Self.tokenOrder, true), (Self.cardOrder, false)] {
      let refusal = try Scripted(order).script.refusal(in: answer(body, status: 422))
      #expect(refusal?.code == (isUnknown && isToken ? .paymentTokenNotFoundInSession : nil))
      #expect(refusal?.moved ?? .no == .no)
    }
  }

  @Test("All that the form answered goes into the payment")
  func wholeForm() throws {
    var script = try Scripted(Orders.order([Orders.slice(Orders.card)], skips: true))
    _ = script.begin()
    let form = #"{ "birth_date":"2000-01-31", "vault_form_token":"a\"b", "nested":{"x":[1,null]} }"#
    let body = try #require(script.next(.answered(.ok(form))).request).shownBody
    #expect(
      body.contains(#""payment_data":{"birth_date":"2000-01-31","vault_form_token":"a\"b","nested":{"x":[1,null]}},"#))
  }

  @Test("What was collected is kept until a request has used it")
  func collected() throws {
    var script = try Scripted(Self.cardOrder)
    #expect(script.script.collected == nil)
    _ = script.begin()
    #expect(script.script.collected == nil)
    _ = script.next(.answered(.ok(Orders.form)))
    #expect(script.script.collected == Orders.form)
    _ = script.next(.answered(.unset))
    #expect(script.script.collected == Orders.form)
    // Never left: another attempt may use it. Answered: gone.
    #expect(script.receive("garbage") == nil)
    #expect(script.script.collected == Orders.form)
    _ = script.script.read(answer(#"{"global_status":"SUCCESS"}"#), to: .validate)
    #expect(script.script.collected == nil)
    _ = script.next(.read)
    #expect(script.script.collected == nil)
  }

  @Test("A page's method never sends what a form collected")
  func noFormForPages() throws {
    var script = try Scripted(Orders.order([Orders.slice(Orders.page, collected: Orders.form)], skips: true))
    #expect(try #require(script.begin().request).shownBody.contains("vault_form_token") == false)
    let body = try #require(script.receive(AnswerTests.initBody(), .initialize)?.request).shownBody
    #expect(body.contains("vault_form_token") == false)
    #expect(script.script.collected == nil)
  }

  // MARK: Initializing

  @Test(
    "A page's /init has the slice's amount, and its step is echoed",
    arguments: [
      ("7", #","step_id":7}]"#), ("null", "}]"),
    ])
  func stepIsEchoed(_ step: String, _ end: String) throws {
    var script = try Scripted(
      Orders.order([Orders.giftCard(Orders.illicado, 5_000), Orders.slice(Orders.page, 7_000)], skips: true))
    let initRequest = try #require(script.begin().request)
    #expect(initRequest.money == .none && initRequest.call == .initialize)
    #expect(
      initRequest.shownBody == """
        {"partner":"hipay","method":"bancontact","amount":70.00,"payment_data":{},"partner_data":{},\
        "payment_preferences":{}}
        """)
    let body = try #require(script.receive(AnswerTests.initBody(step: step), .initialize)?.request).shownBody
    #expect(body.hasSuffix(#""payment_data":{},"partner_data":{},"payment_preferences":{}"# + end))
    #expect(body.hasPrefix(#"[{"partner":"illicado""#))
  }

  @Test("An unreadable /init is no start, and its refusal says why")
  func unreadableInit() throws {
    for body in ["", "{}", AnswerTests.initBody(step: "true"), #"{"global_status":"SUCCESS"}"#] {
      var script = try Scripted(Self.pageOrder)
      _ = script.begin()
      #expect(script.script.read(answer(body), to: .initialize) == .unreadable)
    }
    var script = try Scripted(Self.pageOrder)
    _ = script.begin()
    let reading = script.script.read(
      answer(AnswerTests.initBody(state: "FAILED", code: "BAD_REQUEST")), to: .initialize)
    guard case .refused(let error) = reading else {
      Issue.record("not refused")
      return
    }
    #expect(error.code == .validateFailed && error.moved == .no)
    #expect(error.details == #"{"state":"FAILED","code":"BAD_REQUEST"}"#)
  }

  // MARK: The answer

  @Test("A partner's step is told how the payment was answered")
  func stepData() throws {
    var script = try Scripted(Orders.order([Orders.token()], skips: true, postValidates: true))
    _ = script.begin()
    _ = script.receive(
      """
      {"global_status":"WAITING","results":[{"partner":"purse","method":"creditcard","transaction_id":"t",\
      "plugin_result":{"secret":"s"},"status":{"state":"WAITING","code":"WAITING_PARTNER_RESPONSE"}}]}
      """)
    #expect(
      script.next(.answered(.unset)).question
        == .step(
          .postValidate,
          data: """
            {"result":{"status":"WAITING","isSuccess":false,"verdict":"pending","results":[{"item":"purse-creditcard",\
            "state":"WAITING","code":"WAITING_PARTNER_RESPONSE"}]}}
            """))
  }

  @Test("Answers are read only where they are waited for")
  func misplacedAnswers() throws {
    let verdict = #"{"global_status":"SUCCESS"}"#
    var script = try Scripted(Self.pageOrder)
    #expect(script.script.read(answer(verdict), to: .validate) == .unreadable)
    _ = script.begin()
    #expect(script.script.read(answer(verdict), to: .validate) == .unreadable)
    #expect(script.script.read(answer(AnswerTests.initBody()), to: .time) == .unreadable)
    #expect(script.receive(AnswerTests.initBody(), .initialize)?.name == "beforeValidate")
    #expect(script.script.read(answer(AnswerTests.initBody()), to: .initialize) == .unreadable)
    _ = script.next(.answered(.unset))
    #expect(script.script.read(answer(AnswerTests.initBody()), to: .initialize) == .unreadable)
    #expect(script.receive(verdict)?.name == "afterValidate")
    #expect(script.script.read(answer(verdict), to: .validate) == .unreadable)
  }

  // MARK: Events out of place

  @Test("An event that does not fit ends the payment and says what is known of the money")
  func misplacedEvents() throws {
    let events: [ScriptEvent] = [
      .begin, .read, .answered(.ok(Orders.form)), .answered(.canceled), .presented(.canceled),
      .failed(CheckoutError(.validateFailed, moved: .no)),
    ]
    for order in [Self.cardOrder, Self.tokenOrder, Self.pageOrder, Orders.order([])] {
      for first in events where first != .begin {
        var script = try Scripted(order)
        let move = script.next(first)
        let expected = if case .failed = first { "failed VALIDATE_FAILED no" } else { "failed UNKNOWN_ERROR no" }
        #expect(move.name == expected)
        // Once ended it stays ended.
        for later in events { #expect(script.next(later).ending != nil) }
      }
    }
    var paying = try Scripted(Orders.order([Orders.token()], skips: true))
    _ = paying.begin()
    var answered = paying
    #expect(paying.next(.read).name == "failed UNKNOWN_ERROR unknown")
    _ = answered.receive(#"{"global_status":"SUCCESS"}"#)
    #expect(answered.next(.presented(.canceled)).name == "failed UNKNOWN_ERROR yes")
  }

  @Test("Whatever a script is told and whatever it reads, it ends, pays at most once and never makes up a success")
  func randomWalks() throws {
    var random = SeededRandom(seed: 20_300_101)
    let orders = [
      Self.cardOrder, Self.tokenOrder, Self.pageOrder, Orders.order([Orders.token()], postValidates: true),
      Orders.order([Orders.giftCard(Orders.ogloba, 1), Orders.slice(Orders.card)], skips: true),
    ]
    let events: [ScriptEvent] = [
      .begin, .read, .answered(.ok(Orders.form)), .answered(.ok(#"{"takeOver":true}"#)), .answered(.unset),
      .answered(.error("e")), .answered(.canceled), .presented(.returned(url: nil)), .presented(.canceled),
      .presented(.failed("f")), .failed(CheckoutError(.validateFailed)),
    ]
    let bodies = [
      #"{"global_status":"WAITING","redirection":{"url":"https://page"}}"#, #"{"global_status":"FAILED"}"#,
      AnswerTests.initBody(), "garbage", "{}",
    ]
    for _ in 0..<1_500 {
      var script = try #require(orders.randomElement(using: &random).map { try Scripted($0) })
      var paid = 0
      for step in 0..<12 {
        if random.chance(2) {
          let body = random.garbled(bodies[Int(random.next() % UInt64(bodies.count))])
          let reading = script.script.read(
            Answer(status: 200, date: nil, body: body), to: random.chance(2) ? .validate : .initialize)
          if case .verdict(let result) = reading { #expect(result.verdict != .success) }
        }
        let event = step == 0 ? .begin : events[Int(random.next() % UInt64(events.count))]
        let move = script.next(event)
        if move.request?.money == .opens { paid += 1 }
        if case .end(.completed(let result)) = move { #expect(result.verdict != .success) }
      }
      #expect(paid <= 1)
    }
  }
}
