import Foundation
import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

/// What the documents say an element reports, one statement a test.
@Suite("Elements, as documented")
struct ElementRowTests {
  private static func state(_ world: World, _ item: String = "purse-creditcard") -> String? {
    world.state(.paymentMethods).elements.first { $0["id"]?.string == item }?["disabled"]?["code"]?.string
  }

  private static func open(_ world: World) throws {
    try MonitoringTests.choose(world)
    _ = world.checkout.takeChange()
  }

  // seed: 004:5
  // seed: 004:9
  @Test("what an element tells carries its id, and `ready` tells that it can be paid with")
  func readiness() throws {
    let world = try World(Blob(), World.options())
    try Self.open(world)
    try world.perform(.elementReport(element: "purse-creditcard", .formValidity(false)))
    let told = world.told.filter { $0.kind == .element }
    #expect(told.map { $0.json["element"]?.string } == ["purse-creditcard", "purse-creditcard"])
    #expect(told.map { $0.json["what"]?.string } == ["ready", "ready"])
    #expect(told.map { $0.json["isReady"]?.boolean } == [true, false])
  }

  // seed: 004:13-20
  // seed: 004:25-28
  @Test("an attempt ends in one outcome of four kinds, and nothing else ends it")
  func outcomes() throws {
    var kinds: Set<String> = []
    for end in 0..<4 {
      let world = try World(Blob(), World.options())
      try Self.open(world)
      try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
      if end == 0 {
        try world.perform(.abortAttempt(1))
      } else {
        try world.answerTicket(.step, .ok(Wire.token))
        world.answer(
          .validate, end == 1 ? 400 : 200,
          end == 1 ? "{}" : Wire.validated("WAITING", redirection: end == 2 ? Wire.page : "{}"))
      }
      if end == 2 {
        // The page is open: told, and no end.
        #expect(world.told.contains { $0.kind == .element && $0.json["what"]?.string == "requiresAction" })
        #expect(world.outcomes.isEmpty)
        try world.perform(.redirectReport(presentation: world.page, .returned(url: nil)))
      }
      #expect(world.outcomes.count == 1)
      #expect(world.outcomes.last?["element"]?.string == "purse-creditcard")
      kinds.insert(world.outcomes.last?["kind"]?.string ?? "")
    }
    #expect(kinds == ["canceled", "failed", "returnedFromRedirect", "completed"])
  }

  // seed: 004:30
  // seed: 004:38
  @Test("availability comes as the item's state: initFailed and clientError are final", arguments: [true, false])
  func fatal(_ isInit: Bool) throws {
    let world = try World(Blob(), World.options())
    try Self.open(world)
    let report: ElementReport = isInit ? .initFailed("m") : .clientError("m")
    try world.perform(.elementReport(element: "purse-creditcard", report))
    #expect(Self.state(world) == "PARTNER_UI_FATAL_ERROR")
    try world.perform(.elementReport(element: "purse-creditcard", .ready))
    #expect(Self.state(world) == "PARTNER_UI_FATAL_ERROR")
    #expect(Self.state(world, "hipay-bancontact") == nil)
  }

  // seed: 004:40
  @Test("a partner's error is recoverable until it is ready again, or final")
  func partnerError() throws {
    let world = try World(Blob(), World.options())
    try Self.open(world)
    try world.perform(.elementReport(element: "purse-creditcard", .partnerError("m", recoverable: true)))
    #expect(Self.state(world) == "PARTNER_UI_RECOVERABLE_ERROR")
    try world.perform(.elementReport(element: "purse-creditcard", .ready))
    #expect(Self.state(world) == nil)
    try world.perform(.elementReport(element: "purse-creditcard", .partnerError("m", recoverable: false)))
    #expect(Self.state(world) == "PARTNER_UI_FATAL_ERROR")
  }

  // seed: 004:42
  @Test("endOfSession terminates, and never overwrites a spent session")
  func endOfSession() throws {
    let world = try World(Blob(), World.options())
    try Self.open(world)
    try world.perform(.elementReport(element: "purse-creditcard", .endOfSession))
    #expect(world.sessionState == "terminated")

    let spent = try World(Blob(), World.options())
    try Self.open(spent)
    try spent.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    try spent.answerTicket(.step, .ok(Wire.token))
    spent.answer(.validate, 200, Wire.validated("SUCCESS"))
    try spent.perform(.elementReport(element: "purse-creditcard", .endOfSession))
    #expect(spent.sessionState == "submitted")
  }

  // seed: 004:44
  @Test("ready and cancelled: an attempt of which nothing has left ends canceled")
  func canceled() throws {
    let world = try World(Blob(), World.options([.beforeValidate]))
    try Self.open(world)
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    try world.answerTicket(.step, .ok(Wire.token))
    try world.perform(.elementReport(element: "purse-creditcard", .ready))
    #expect(world.outcomes.isEmpty)
    try world.perform(.elementReport(element: "purse-creditcard", .canceled))
    #expect(world.outcomes.last?["kind"]?.string == "canceled")
    #expect(world.outcomes.last?["spent"]?.boolean == false)
    #expect(world.sessionState == "ready")
  }
}
