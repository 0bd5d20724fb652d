import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

@Suite("Save decisions")
struct RegisterTests {
  /// With nothing of the wallet left to read.
  private func opened() throws(CheckoutError) -> World {
    let world = try Saved.open()
    world.answerBalances(["v-g1": "1.00", "v-g2": "1.00"])
    return world
  }

  private func register(
    _ world: World, _ source: Source, _ name: String? = nil, _ isWanted: Bool = true
  ) throws(CheckoutError) {
    try world.perform(.register(Registration(source: source, name: name), isWanted: isWanted))
  }

  @Test("A card and a gift card are saved under their names, and nothing else is")
  func pay() throws {
    let world = try opened()
    try world.readCard("20.00", of: Shop.ogloba, number: 1)
    try world.readCard("10.00", of: Shop.illicado, number: 2)
    try world.take("gc1", nil)
    try world.take("gc2", nil)
    try register(world, .token("gc1"), "Gift")
    try register(world, .item(Shop.card))
    try register(world, .item(Shop.card), "Card")
    #expect(
      world.state(.registrations).compactText
        == #"[{"token":"gc1","name":"Gift"},{"item":"purse-creditcard","name":"Card"}]"#)
    try world.submitCard()
    let body = World.parse(try #require(world.money.first?.shownBody.replacing(#""<"#, with: #""x"#)))
    #expect(
      body.elements.map { $0["payment_preferences"]?.compactText } == [
        #"{"save_token":true,"name":"Gift"}"#, "{}", #"{"save_token":true,"name":"Card"}"#,
      ])
  }

  @Test("Silence saves nothing, and a decision can be taken back")
  func silence() throws {
    let world = try Saved.open()
    try register(world, .item(Shop.card), "Card")
    try register(world, .item(Shop.card), nil, false)
    #expect(world.state(.registrations).count == 0)
    try world.submitCard()
    #expect(world.money.first?.shownBody.contains(#""payment_preferences":{"save_token":false}"#) == true)
  }

  @Test(
    "Refusals",
    arguments: [
      (.item("hipay-bancontact"), nil, .methodNotRegisterable), (.item("nobody"), nil, .paymentMethodNotFound),
      (.item(Shop.illicado), nil, .paymentMethodNotFound), (.token("gc9"), nil, .missingToken),
      (.token("a"), nil, .tokenNotRegisterable), (.token("g1"), nil, .tokenNotRegisterable),
      (.token("gc1"), nil, .tokenNotRegisterable), (.item(Shop.card), "", .invalidTokenName),
      (.item(Shop.card), "4111111111111111", .invalidTokenName),
    ] as [(Source, String?, ErrorCode)])
  func refused(_ source: Source, _ name: String?, _ expected: ErrorCode) throws {
    let world = try opened()
    try world.readCard("10.00", of: Shop.illicado, number: 1)
    #expect(code { () throws(CheckoutError) in try register(world, source, name) } == expected)
    #expect(world.state(.registrations).count == 0)
  }

  @Test("In flight and spent it is too late")
  func states() throws {
    let world = try Saved.open()
    try world.perform(.setPrimary(.token("a")))
    try world.submit()
    #expect(code { () throws(CheckoutError) in try register(world, .item(Shop.card)) } == .submitBlocked)
    world.answer(.validate, 200, Wire.validated("SUCCESS"))
    #expect(code { () throws(CheckoutError) in try register(world, .item(Shop.card)) } == .submitBlocked)
  }

  // seed: 000:69a
  @Test("A decision survives a restart, and a new session with its method; others do not")
  func survival() throws {
    let world = try opened()
    try world.readCard("10.00", of: Shop.illicado, number: 3)
    try register(world, .item(Shop.card), "Card")
    try register(world, .item("aci-creditcard"))
    try world.readCard("20.00", of: Shop.ogloba, number: 1)
    try register(world, .token("gc2"), "Gift")
    let (again, _) = try world.restored(from: world.checkout.saveState(world.moment))
    // The card that needs its number was not sealed, and its decision goes with it.
    #expect(again.state(.registrations).count == 2)
    #expect(again.state(.registrations)[0]?["name"]?.string == "Card")
    let changed = Saved.blob("s2").text.decoded?.replacing(
      #""vendor":"purse"},"settings":{"save_token":true}},"integrated_tokens":[{"id":"a""#,
      with: #""vendor":"purse","token_scope":"x"},"settings":{"save_token":true}},"integrated_tokens":[{"id":"a""#)
    let next = try #require(changed)
    try world.perform(.setSession(widgetData: next.encoded))
    #expect(world.state(.registrations).compactText == #"[{"item":"purse-creditcard","name":"Card"}]"#)
  }
}
