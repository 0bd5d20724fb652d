import Foundation
import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

/// Pages from the answer that asks for one to the return: who shows them, who takes them over, and which word ends one.
@Suite("Pages")
struct PageTests {
  static let card = "purse-creditcard"
  static let returned = PresentationEnd.returned(url: "myapp://return?x=1")

  /// A card's payment up to its collect step.
  private func submit(_ world: World, shows: Bool = true) throws {
    try world.perform(.setPrimary(.item(Self.card)))
    try open(world, shows: shows)
    try world.perform(.elementReport(element: Self.card, .formValidity(true)))
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    try world.answerTicket(.step, .ok(Wire.token))
  }

  private func open(_ world: World, shows: Bool = true) throws {
    try world.perform(
      .elementOpen(
        ElementOpen(choice: .item(Self.card), presentsRedirects: shows, appReturnURL: nil, tag: nil)))
  }

  /// A world whose payment has asked for the page.
  private func asking(
    _ hooks: [Hook] = [], page: String = Wire.page, status: String = "WAITING", shows: Bool = true
  ) throws -> World {
    let world = try World(Blob(), World.options(hooks))
    try submit(world, shows: shows)
    if hooks.contains(.checkpoint) { try world.answerTicket(.checkpoint, .ok("{}")) }
    world.answer(.validate, 200, Wire.validated(status, redirection: page))
    return world
  }

  private func kinds(_ world: World) -> [String] {
    world.told.compactMap { told in
      switch told.kind {
      case .redirect: "redirect " + (told.json["state"]?.string ?? "")
      case .element: told.json["what"]?.string == "ready" ? nil : told.json["what"]?.string
      case .outcome: told.json["kind"]?.string
      default: nil
      }
    }
  }

  // MARK: Who shows the page

  // seed: 001:23b
  @Test("An element without pages is completed with the answer, and the hook is never asked")
  func withoutPages() throws {
    let world = try asking([.redirection], shows: false)
    #expect(kinds(world) == ["completed"])
    #expect(world.outcomes.last?["verdict"]?.string == "pending")
    #expect(!world.asked.contains { $0.kind == .redirection })
  }

  // seed: 001:23a
  // seed: 002:47
  @Test("The page of a payment that was completed without it is shown when the host asks for it, and the hook with it")
  func presentedLater() throws {
    let world = try asking([.redirection], shows: false)
    try world.perform(.redirectPresent(attempt: 1, tag: "later"))
    let question = try #require(world.openTickets.last)
    #expect(question.kind == .redirection && question.json["attempt"]?.int64 == 1)
    try world.answerTicket(.redirection, .ok(#"{"takeOver":false}"#))
    #expect(world.results.last?["result"]?["presentation"]?.string == world.page)
    #expect(question.json["presentation"]?.string == world.page)
    let late = try world.perform(.redirectReport(presentation: world.page, Self.returned))
    #expect(late["late"]?.boolean == true && world.outcomes.count == 1)
    #expect(kinds(world) == ["completed", "requiresAction", "redirect open", "redirect closed"])
    // And once more: the shopper may have closed it.
    try world.perform(.redirectPresent(attempt: 1, tag: nil))
    try world.answerTicket(.redirection, .unset)
    #expect(world.page.hasPrefix("p2-"))
  }

  @Test(
    "Nothing to present: a decided payment, an answer without a page, one that says nothing, another attempt",
    arguments: [("SUCCESS", Wire.page), ("FAILED", Wire.page), ("WAITING", "{}"), ("WAITING", "7")])
  func nothingToPresent(_ status: String, _ page: String) throws {
    let world = try asking(page: page, status: status, shows: false)
    try world.perform(.redirectPresent(attempt: 1, tag: nil))
    #expect(world.results.last?["result"]?["ignored"]?.boolean == true)
    #expect(throws: CheckoutError.self) { try world.perform(.redirectPresent(attempt: 2, tag: nil)) }
    #expect(throws: CheckoutError.self) { try world.perform(.redirectPresent(attempt: 0, tag: nil)) }
    #expect(!kinds(world).contains("redirect open"))
  }

  @Test("A page that is open, or of a session that is gone, is not presented again; in flight the call is refused")
  func presentingIsRefused() throws {
    let world = try asking()
    #expect(throws: CheckoutError.self) { try world.perform(.redirectPresent(attempt: 1, tag: nil)) }
    try world.perform(.redirectReport(presentation: world.page, .canceled))
    try world.perform(.redirectPresent(attempt: 1, tag: nil))
    let page = world.page
    try world.perform(.redirectPresent(attempt: 1, tag: nil))
    #expect(world.results.last?["result"]?["ignored"]?.boolean == true)
    var next = Blob()
    next.id = "s2"
    try world.perform(.setSession(widgetData: next.text))
    #expect(world.told.last { $0.kind == .redirect }?.json["reason"]?.string == "replaced")
    #expect(throws: CheckoutError(.ticketClosed)) { try world.perform(.redirectReport(presentation: page, .canceled)) }
    try world.perform(.redirectPresent(attempt: 1, tag: nil))
    #expect(world.results.last?["result"]?["ignored"]?.boolean == true)
  }

  // seed: 001:21b
  @Test("A hook that refuses: nothing is opened, failed POST_VALIDATE_FAILED, submitted, and presentable again")
  func hookRefuses() throws {
    for answer in [HookAnswer.error("no"), .canceled] {
      let world = try asking([.redirection])
      try world.answerTicket(.redirection, answer)
      #expect(kinds(world) == ["requiresAction", "failed"])
      #expect(world.code == "POST_VALIDATE_FAILED" && world.moved == "yes" && world.sessionState == "submitted")
      try world.perform(.redirectPresent(attempt: 1, tag: nil))
      try world.answerTicket(.redirection, answer)
      #expect(world.results.last?["error"]?["code"]?.string == "POST_VALIDATE_FAILED")
      try world.perform(.redirectPresent(attempt: 1, tag: nil))
      try world.answerTicket(.redirection, .unset)
      #expect(world.results.last?["result"]?["presentation"]?.string == world.page)
      #expect(world.outcomes.count == 1 && world.sessionState == "submitted")
    }
  }

  // seed: 001:10-14
  // seed: 001:27a
  // seed: 001:27b
  @Test("The hook is told the action with its own fields, and where it may be shown")
  func actions() throws {
    let wanted: [(page: String, kind: String, key: String, value: String, surfaces: [String])] = [
      (Wire.page, "get", "url", "https://acs.example/challenge", ["systemBrowser", "webView", "secondDevice"]),
      (
        #"{"url":"https://acs.example/","method":"POST","body":{"a":{"b":1}}}"#, "postForm", "formDataURLEncoded",
        "a%5Bb%5D=1", ["webView"]
      ),
      (#"{"form":"<form></form>"}"#, "postHTML", "html", "<form></form>", ["webView"]),
    ]
    for each in wanted {
      let world = try asking([.redirection], page: each.page)
      let asked = try #require(world.openTickets.last?.json["action"])
      try world.answerTicket(.redirection, .ok(#"{"takeOver":false}"#))
      let told = try #require(world.told.last { $0.kind == .redirect }?.json["action"])
      #expect(asked.compactText == told.compactText)
      #expect(told["kind"]?.string == each.kind && told[each.key]?.string == each.value)
      #expect(told["returnURLPrefix"]?.string == "myapp://return")
      #expect(told["surfaces"]?.elements.map { $0.string } == each.surfaces)
    }
  }

  // seed: 002:45
  // seed: 001:33a
  @Test("A browser shows a GET whose return it hands on; another device what a QR code can hold")
  func surfaces() {
    func names(_ action: RedirectAction, _ prefix: String) -> [String] {
      action.surfaces(returningTo: prefix).map { $0.name }
    }
    let page = RedirectAction.get(url: "https://psp.example/")
    for prefix in ["myapp://return", "com.example.shop:", "MYAPP:"] {
      #expect(names(page, prefix) == ["systemBrowser", "webView", "secondDevice"])
    }
    for prefix in ["", "https://shop.example/return", "http://127.0.0.1/", "javascript:", "nonsense"] {
      #expect(names(page, prefix) == ["webView", "secondDevice"])
    }
    for (count, isCode) in [(2_953, true), (2_954, false), (8_192, false)] {
      let url = "https://psp.example/" + String(repeating: "a", count: count - 20)
      #expect(names(.get(url: url), "").contains("secondDevice") == isCode)
    }
    for action in [RedirectAction.postForm(url: "https://a.example/", formDataURLEncoded: ""), .postHTML(html: "<p>")] {
      #expect(names(action, "myapp://return") == ["webView"])
    }
  }

  // seed: 004:10
  @Test("requiresAction comes before the hook and the page, and only where pages are shown")
  func requiresAction() throws {
    let world = try asking([.redirection])
    #expect(kinds(world) == ["requiresAction"])
    try world.answerTicket(.redirection, .unset)
    #expect(kinds(world) == ["requiresAction", "redirect open"])
    #expect(kinds(try asking()) == ["requiresAction", "redirect open"])
    #expect(kinds(try asking(shows: false)) == ["completed"])
  }

  // seed: 001:33b
  @Test("Only the listed hosts are shown")
  func listedHosts() throws {
    for (hosts, state) in [
      (["acs.example"], "submitted"), (["other.example"], "error"), (["acs.example:8443"], "error"),
    ] {
      var options = World.options()
      options.redirectHosts = hosts
      let world = try World(Blob(), options)
      try submit(world)
      world.answer(.validate, 200, Wire.validated("WAITING", redirection: Wire.page))
      #expect(world.sessionState == state)
      #expect(kinds(world).contains("redirect open") == (state == "submitted"))
    }
  }

  // MARK: Taking it over

  // seed: 001:29a
  // seed: 001:29b
  // seed: 001:21a
  @Test("A page that the host takes over: completed with the answer, and nothing is ever told of its return")
  func takeover() throws {
    let world = try asking([.redirection, .checkpoint])
    let page = try #require(world.openTickets.last?.json["presentation"]?.string)
    try world.answerTicket(.redirection, .ok(#"{"takeOver":true}"#))
    #expect(kinds(world) == ["requiresAction", "completed"])
    let outcome = try #require(world.outcomes.last)
    #expect(outcome["status"]?.string == "WAITING" && outcome["verdict"]?.string == "pending")
    #expect(outcome["results"]?.count == 1 && world.sessionState == "submitted")
    let stored = try #require(world.stored).text
    for (life, isRestored) in [(world, false), (try world.restored(from: stored).0, true)] {
      for end in [Self.returned, .returned(url: nil), .canceled, .failed("x")] {
        #expect(throws: CheckoutError(.ticketClosed)) {
          try life.perform(.redirectReport(presentation: page, end))
        }
      }
      if isRestored { try open(life) }
      #expect(life.outcomes.count == (isRestored ? 0 : 1))
      #expect(life.state(.pendingAttempt).isNull && life.sessionState == "submitted")
      // The page is the host's: it is not presented by the library.
      try life.perform(.redirectPresent(attempt: 1, tag: nil))
      #expect(life.results.last?["result"]?["ignored"]?.boolean == true)
    }
  }

  @Test("A page that is taken over when it is presented again: the call says so, and no presentation is there to end")
  func takeoverLater() throws {
    let world = try asking([.redirection], shows: false)
    try world.perform(.redirectPresent(attempt: 1, tag: nil))
    let page = try #require(world.openTickets.last?.json["presentation"]?.string)
    try world.answerTicket(.redirection, .ok(#"{"takeOver":true}"#))
    #expect(world.results.last?["result"]?["takenOver"]?.boolean == true)
    #expect(throws: CheckoutError(.ticketClosed)) {
      try world.perform(.redirectReport(presentation: page, Self.returned))
    }
    #expect(kinds(world) == ["completed", "requiresAction"])
  }

  // MARK: What a return says

  // seed: 004:11
  @Test("The payment id that a return's URL claims is told to its element, and decides nothing")
  func paymentID() throws {
    let claims = Data(#"{"payment_id":"pay-7","authorization_status":"AUTHORIZED"}"#.utf8).base64EncodedString()
    let token = "e30." + claims.replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_") + ".c2ln"
    let told: [(url: String, id: String?)] = [
      ("myapp://return?purse-redirection-data=\(token)", "pay-7"),
      ("myapp://return?a=b&purse-redirection-data=\(token)&c=d#e", "pay-7"),
      ("myapp://return?x=1", nil), ("myapp://return", nil), ("myapp://return#?purse-redirection-data=\(token)", nil),
      ("myapp://return?purse-redirection-data=", nil), ("myapp://return?purse-redirection-data=a.b", nil),
      ("myapp://return?purse-redirection-data=e30.e30.e30", nil),
      ("myapp://return?xpurse-redirection-data=\(token)", nil),
      ("myapp://return?purse-redirection-data=e30.bm8gSlNPTg.e30", nil),
      ("myapp://return?purse-redirection-data=\(token).x", nil),
      ("myapp://return?purse-redirection-data=e30.eyJwYXltZW50X2lkIjo3fQ.e30", nil),
    ]
    for (url, id) in told {
      let world = try asking()
      try world.perform(.redirectReport(presentation: world.page, .returned(url: url)))
      let event = world.told.last { $0.json["what"]?.string == "paymentId" }?.json
      #expect(event?["paymentId"]?.string == id, "\(url)")
      #expect(event == nil || event?["element"]?.string == Self.card)
      #expect(kinds(world).last == "returnedFromRedirect" && world.sessionState == "submitted")
    }
  }

  // seed: 000:80
  // seed: 002:36
  // seed: 002:57
  @Test("A return is no verdict: with a URL or without, it says that the shopper is back and no more")
  func returns() throws {
    for url in [nil, "myapp://return?status=SUCCESS", "myapp://return?status=FAILED", "MYAPP://return/x"] as [String?] {
      let world = try asking()
      try world.perform(.redirectReport(presentation: world.page, .returned(url: url)))
      let outcome = try #require(world.outcomes.last)
      #expect(outcome["kind"]?.string == "returnedFromRedirect" && outcome["url"]?.string == url)
      #expect(outcome["isSuccess"] == nil && outcome["status"] == nil && world.sessionState == "submitted")
      #expect(throws: CheckoutError.self) {
        try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
      }
    }
  }

  // seed: 002:37
  @Test("Closing a page is canceled and spent; giving up before the payment is canceled and changes nothing")
  func canceled() throws {
    let late = try asking()
    try late.perform(.redirectReport(presentation: late.page, .canceled))
    #expect(late.outcomes.last?["spent"]?.boolean == true && late.sessionState == "submitted")
    let early = try World(Blob())
    try early.perform(.setPrimary(.item(Self.card)))
    try open(early)
    try early.perform(.elementReport(element: Self.card, .formValidity(true)))
    try early.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    try early.answerTicket(.step, .canceled)
    #expect(early.outcomes.last?["spent"]?.boolean == false && early.sessionState == "ready")
    try early.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
  }

  // seed: 000:32e
  @Test("An open page is in flight: what changes the payment is refused, what follows it is not")
  func inFlight() throws {
    let world = try asking()
    let refused: [Command] = [
      .setSession(widgetData: Blob().text), .setPrimary(.none),
      .submit(Submit(source: nil, skipsBeforeValidate: false)),
    ]
    for command in refused {
      let error = #expect(throws: CheckoutError.self) { try world.perform(command) }
      #expect(error?.code == .submitBlocked)
    }
    #expect(world.checkout.core.redirectVerdict("https://acs.example/") == .allow)
    try world.perform(.redirectReport(presentation: world.page, Self.returned))
    #expect(world.outcomes.count == 1)
  }
}
