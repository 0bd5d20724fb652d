import Foundation
import JSONText
import PurseProvider

@testable import CheckoutCore

/// A random checkout whose every input holds secrets, and a look at everything that leaves.
final class CanaryRun {
  private var dice: Dice
  private(set) var secrets: Secrets
  private var world: World
  private(set) var leaks: [String] = []
  private(set) var looked = 0
  private var seen = (told: 0, asked: 0, monitoring: 0)
  private var session = 1

  private static let card = "purse-creditcard"

  init(seed: UInt64) throws {
    dice = Dice(seed)
    secrets = Secrets(Dice(seed ^ 0x5EC8_E700))
    for number in 1...9 { secrets.watch(.freshCardID, "\"gc\(number)") }
    let blob = Self.blob(1, &secrets)
    world = try World(blob, MonitoringTests.options(Hook.allCases, steps: [.collect, .postValidate]))
    look()
  }

  func play(steps: Int) {
    for _ in 0..<steps {
      step()
      look()
    }
    attempt(.teardown)
    world.settleCancelled()
    while let open = world.open.first { world.receive(open.id, .nothing(left: true, reason: "the end")) }
    look()
  }

  // MARK: What goes in

  /// A session whose saved card names its holder, in an amount that nothing else is.
  private static func blob(_ number: Int, _ secrets: inout Secrets) -> Blob {
    let value = secrets.plant(.savedValue)
    let saved = """
      ,"wallet":{"note":"\(secrets.plant(.partnerPayload))"}
      """
    return Blob(
      id: "s\(number)", amount: secrets.plantAmount(), extra: saved, key: secrets.plant(.apiKey), savedValue: value,
      holder: secrets.plant(.name))
  }

  /// What a partner or a page says of a failure: it quotes whatever it likes.
  private func words() -> String {
    switch dice.below(4) {
    case 0: "refused \(grouped(secrets.plant(.cardNumber))) today"
    case 1: "at most \(secrets.plantAmount()) EUR, not \(secrets.plant(.amount)) cents"
    case 2: "code=\(secrets.plant(.securityCode)) pin:\(secrets.plant(.pin))"
    default: "\(secrets.plant(.transaction)) was not found"
    }
  }

  private func grouped(_ number: String) -> String {
    let separator = dice.pick([" ", "-", "", "."]) ?? ""
    var groups: [Substring] = []
    var rest = number[...]
    while !rest.isEmpty {
      groups.append(rest.prefix(4))
      rest = rest.dropFirst(4)
    }
    return groups.joined(separator: separator)
  }

  /// Members that partners add to their answers.
  private func partnerMembers() -> String {
    """
    "pan":"\(secrets.plant(.cardNumber))","holder":"\(secrets.plant(.name))","raw":"\(secrets.plant(.partnerPayload))",\
    "cvv":"\(secrets.plant(.securityCode))","transaction_id":"\(secrets.plant(.transaction))"
    """
  }

  private func initAnswer() -> String {
    let waits = dice.chance(15)
    return """
      {"id":"i1","session_id":"s1","date":"2030-01-01T00:00:00Z","partner":"p","method":"m","step_id":1,\
      "transaction_id":"\(secrets.plant(.transaction))",\
      "status":{"action":"INIT","state":"\(waits ? "WAITING" : "SUCCESS")","code":"SUCCEEDED","description":"\(words())"},\
      "plugin_result":{"amount":\(secrets.plantAmount()),"currency_code":"EUR",\(partnerMembers())}}
      """
  }

  private func validateAnswer() -> String {
    let status = dice.pick(["SUCCESS", "FAILED", "WAITING", "UNCERTAIN"]) ?? "SUCCESS"
    let page = dice.chance(40) ? #"{"url":"https://acs.example/challenge"}"# : "{}"
    return """
      {"results":[{"id":"r1","method":"creditcard","partner":"purse","session_id":"s1",\
      "transaction_id":"\(secrets.plant(.transaction))","plugin_result":{"status":"\(words())",\(partnerMembers())},\
      "status":{"action":"AUTHORIZE","state":"\(status)","code":"SUCCEEDED","description":"\(words())"}}],\
      "redirection":\(page),"global_status":"\(status)"}
      """
  }

  private func refusal() -> String {
    #"{"code":"E1","message":"\#(secrets.plant(.refusedBody)) \#(words())","holder":"\#(secrets.plant(.name))"}"#
  }

  // MARK: Steps

  private func step() {
    switch dice.below(16) {
    case 0...6: command()
    case 7...9: backEnd()
    case 10...13: hook()
    case 14: world.advance([1, 500, 10_000][dice.below(3)])
    default: if dice.chance(30) { world.background() } else { restart() }
    }
  }

  private func command() {
    let item = dice.chance(70) ? Self.card : "hipay-bancontact"
    switch dice.below(14) {
    case 0, 1: attempt(.setPrimary(.item(item)))
    case 2: attempt(.setPrimary(dice.chance(70) ? .token("t1") : .none))
    case 3:
      attempt(.elementOpen(ElementOpen(choice: .item(item), presentsRedirects: true, appReturnURL: nil, tag: nil)))
    case 4: attempt(.elementReport(element: Self.card, .formValidity(true)))
    case 5: attempt(.elementReport(element: item, report()))
    case 6:
      let lastFour = String(secrets.plant(.cardNumber).suffix(4))
      let number = TypedNumber(secret: SecretID(UInt64(1 + dice.below(5))), length: 16, lastFour: lastFour)
      attempt(
        .readSecondary(ReadSecondary(item: "illicado-giftcard", number: number, securityCode: nil, tag: nil)))
    case 7:
      let amount = dice.chance(40) ? nil : Int64(secrets.plant(.amount))
      attempt(.applySecondary(token: "gc\(1 + dice.below(3))", amount: amount))
    case 8: attempt(.removeSecondary(token: "gc\(1 + dice.below(3))"))
    case 9:
      if dice.chance(40) { session += 1 }
      attempt(.setSession(widgetData: Self.blob(session, &secrets).text))
    case 10: attempt(.abortAttempt(world.checkout.core.attempt?.id ?? 1))
    case 11:
      if let pending = world.checkout.core.pendingAttempt { attempt(.resolve(attempt: pending.id, .abandoned)) }
    default: attempt(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    }
  }

  private func report() -> ElementReport {
    switch dice.below(4) {
    case 0: .initFailed(words())
    case 1: .clientError(words())
    case 2: .ready
    default: .partnerError(words(), recoverable: dice.chance(80))
    }
  }

  private func attempt(_ command: Command) {
    do throws(CheckoutError) { try world.perform(command) } catch {
      look(error.json, .error)
      look(error.message, .errorMessage)
    }
  }

  private func backEnd() {
    guard let open = dice.pick(world.open) else { return }
    guard world.letsGo(open.id) else { return world.receive(open.id, .nothing(left: false, reason: "stopped")) }
    if dice.chance(15) { return world.receive(open.id, .nothing(left: true, reason: "lost")) }
    let isRefused = dice.chance(20)
    let body: String =
      isRefused ? refusal() : open.request.money == .opens ? validateAnswer() : initAnswer()
    let status = isRefused ? dice.pick([400, 401, 409, 422, 500]) ?? 500 : 200
    world.receive(open.id, .answer(Answer(status: status, date: nil, body: Array(body.utf8))))
  }

  private func hook() {
    guard let asked = dice.pick(world.openTickets) else { return }
    let answer: HookAnswer
    switch asked.kind {
    case .step where asked.json["step"]?.string == "collect":
      let holder = dice.chance(50) ? #","holder":"\#(secrets.plant(.name))""# : ""
      // A host that hands over a number in place of a token is refused.
      let token = dice.chance(20) ? secrets.plant(.cardNumber) : secrets.plant(.formToken)
      answer = .ok(#"{"vault_form_token":"\#(token)"\#(holder)}"#)
    case .redirection: answer = .ok(#"{"takeOver":\#(dice.chance(30))}"#)
    default: answer = .ok("{}")
    }
    let words = "\(secrets.plant(.hookWords)) \(words())"
    attempt(.answer(ticket: asked.ticket, dice.chance(20) ? .error(words) : answer))
  }

  private func restart() {
    let text = world.checkout.saveState(world.moment)
    look(text, .snapshot)
    guard let (again, reply) = try? world.restored(from: text) else { return }
    look(reply.compactText, .event)
    world = again
    seen = (0, 0, 0)
  }

  // MARK: What comes out

  private func look() {
    for told in world.told[seen.told...] {
      look(told.json.compactText, told.kind == .monitoring ? .monitoring : .event)
      if let error = told.json["error"] {
        look(error.compactText, .error)
        look(error["message"]?.string ?? "", .errorMessage)
      }
    }
    for asked in world.asked[seen.asked...] {
      look(asked.json.compactText, .question)
      if let snapshot = asked.json["snapshot"]?.string { look(snapshot, .snapshot) }
    }
    for batch in world.monitoring[seen.monitoring...] { look(World.body(of: batch), .monitoring) }
    seen = (world.told.count, world.asked.count, world.monitoring.count)
  }

  func look(_ text: String, _ outlet: Outlet) {
    looked += 1
    for secret in secrets.leaks(text, outlet) {
      leaks.append("\(secret.kind) \(secret.text) in \(outlet.rawValue): \(text.prefix(600))")
    }
  }
}
