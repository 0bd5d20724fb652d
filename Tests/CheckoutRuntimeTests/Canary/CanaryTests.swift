import CheckoutCore
import Foundation
import Testing

@testable import CheckoutRuntime

/// The whole runtime with secrets in every input, typed numbers above all: none is where it must not be (I7).
///
/// `CANARY_RUNS` says how many runs of the core; of these a tenth.
@Suite("Canary: the runtime")
struct RuntimeCanaryTests {
  // seed: 004:86
  @Test("nothing that was typed is where it must not be")
  func nothingLeaks() throws {
    let count = ProcessInfo.processInfo.environment["CANARY_RUNS"].flatMap { Int($0) }.map { max(1, $0 / 10) } ?? 12
    var planted = 0
    var leaks = 0
    for seed in 1...count {
      let run = try RuntimeCanaryRun(seed: UInt64(seed))
      run.play(steps: 60)
      planted += run.planted
      leaks += run.leaks.count
      if let leak = run.leaks.first { Issue.record("runtime seed \(seed): \(leak)") }
      #expect(run.sent > 0 || run.refused > 0)
    }
    print("canary: runtime runs=\(count) secrets=\(planted) leaks=\(leaks)")
  }

  @Test("a number that came out is found, wherever it came out")
  func isFound() throws {
    let run = try RuntimeCanaryRun(seed: 1)
    let number = run.plantNumber()
    for outlet in [CanaryHost.Outlet.told, .asked, .monitoring, .reply, .error, .snapshot] {
      let before = run.leaks.count
      run.look(outlet, "{\"x\":\"\(number.prefix(4)) \(number.dropFirst(4))\"}")
      #expect(run.leaks.count == before + 1)
    }
  }
}

final class RuntimeCanaryRun {
  private var generator: UInt64
  private let host: CanaryHost
  private var everywhere: [String] = []
  private var monitored: [String] = []
  private(set) var leaks: [String] = []
  private(set) var sent = 0
  private(set) var refused = 0

  var planted: Int { everywhere.count + monitored.count }

  init(seed: UInt64) throws {
    generator = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    let amount = 7_000_000 + seed % 900_000
    let name = "Shopper\(seed)Name"
    let key = Data((0..<32).map { UInt8(truncatingIfNeeded: seed &+ $0) }).base64EncodedString()
    host = try CanaryHost(session: Self.session(amount, name, seed), sealKey: seed % 2 == 0 ? key : nil)
    everywhere.append(key)
    monitored += ["\(amount)", name, "value-of-\(seed)", "gc1", "gc2"]
  }

  private static func session(_ amount: UInt64, _ name: String, _ seed: UInt64) -> String {
    let major = "\(amount / 100).\(amount % 100 < 10 ? "0" : "")\(amount % 100)"
    let json = """
      {"api_key":"k","entity_id":"e1","environment":"sandbox","session":{"id":"canary-\(seed)","amount":\(major),\
      "currency_code":"EUR","expiration_date":"2099-01-01T00:30:00Z","redirection":"myapp://return","protocols":{\
      "purse":{"creditcard":{"configurations":{"stable":true,"labels":["primary"],"position":1,\
      "vault":{"supported_brands":["VISA"],"token_scope":"method","vendor":"purse"},"settings":{"save_token":true}},\
      "integrated_tokens":[{"id":"t1","value":"value-of-\(seed)","uniqueness_token":"u",\
      "expiration_date":"2031-01-01T00:00:00Z","description":{"masked_pan":"**** 4242","holder_name":"\(name)"},\
      "payment_id":{"origin":"partner","partner":"purse"}}]}},\
      "illicado":{"giftcard":{"configurations":{"stable":true,"labels":["secondary"],"position":2,"settings":{}}}},\
      "easy2play":{"giftcard":{"configurations":{"stable":true,"labels":["secondary"],"position":3,"settings":{}}}}}}}
      """
    return Data(json.utf8).base64EncodedString()
  }

  func below(_ bound: Int) -> Int {
    generator ^= generator << 13
    generator ^= generator >> 7
    generator ^= generator << 17
    return Int(generator % UInt64(max(bound, 1)))
  }

  func plantNumber() -> String {
    let number = "6" + (0..<15).map { _ in String(below(10)) }.joined()
    everywhere.append(number)
    return number
  }

  private func plantCode() -> String {
    let code = "C" + (0..<8).map { _ in String(below(10)) }.joined()
    everywhere.append(code)
    return code
  }

  private func plantTransaction() -> String {
    let id = "tx" + (0..<9).map { _ in String(below(10)) }.joined()
    everywhere.append(id)
    return id
  }

  func play(steps: Int) {
    for _ in 0..<steps {
      step()
      host.pump()
      for text in host.takeOut() { look(text.outlet, text.text) }
    }
    host.saveState()
    host.teardown()
    host.pump()
    for text in host.takeOut() { look(text.outlet, text.text) }
  }

  func look(_ outlet: CanaryHost.Outlet, _ text: String) {
    if outlet == .error { refused += 1 }
    let joined = String(decoding: text.utf8.filter { !" .,-_'".utf8.contains($0) }, as: UTF8.self)
    for secret in everywhere where joined.contains(secret) {
      leaks.append("\(secret) in \(outlet): \(text.prefix(400))")
    }
    guard outlet == .monitoring else { return }
    for secret in monitored where text.contains(secret) || joined.contains(secret) {
      leaks.append("\(secret) in \(outlet): \(text.prefix(400))")
    }
  }

  private func step() {
    switch below(14) {
    case 0, 1: readCard()
    case 2: host.perform(.applySecondary, #"{"token":"gc\#(1 + below(2))","amount":\#(1_000 + below(900))}"#)
    case 3: host.perform(.setPrimary, below(3) == 0 ? #"{"token":"t1"}"# : #"{"item":"purse-creditcard"}"#)
    case 4:
      host.perform(.elementOpen, #"{"item":"purse-creditcard"}"#)
      host.perform(.elementReport, #"{"element":"purse-creditcard","report":"formValidity","valid":true}"#)
    case 5:
      host.perform(
        .elementReport,
        #"{"element":"purse-creditcard","report":"partnerError","message":"\#(words())","recoverable":true}"#)
    case 6: host.perform(.submit, "{}")
    case 7: host.notify(below(2) == 0 ? #"{"app":"background"}"# : #"{"advanceMs":\#(below(11_000))}"#)
    case 8: if below(3) == 0 { host.restart() } else { host.saveState() }
    case 9, 10: answerQuestion()
    default: answerRequest()
    }
  }

  /// Well typed, or with the number where none belongs.
  private func readCard() {
    let item = below(2) == 0 ? "illicado-giftcard" : "easy2play-giftcard"
    let number = plantNumber()
    let code = plantCode()
    switch below(8) {
    case 0: host.read(#"{"item":"\#(item)","number":"\#(number)","cvv":"\#(code)","\#(number)":1}"#)
    case 1: host.read(#"{"item":"\#(item)","number":"\#(number)","number":"\#(number)"}"#)
    case 2: host.read(#"{"item":"\#(number)","number":"\#(number)"}"#)
    case 3: host.read(#"{"item":"\#(item)","number":\#(number)}"#)
    case 4: host.read(#"{"item":"\#(item)","number":"\#(number)é","cvv":"\#(code)"}"#)
    case 5: host.read(#"{"item":"\#(item)","number":"\#(number)""#)
    default: host.read(#"{"item":"\#(item)","number":"\#(number)","cvv":"\#(code)"}"#)
    }
  }

  private func words() -> String {
    switch below(3) {
    case 0: "refused card \(plantNumber()) today"
    case 1: plantNumber()
    default: "not found: \(plantTransaction())"
    }
  }

  private func answerQuestion() {
    guard !host.questions.isEmpty else { return }
    let question = host.questions.remove(at: below(host.questions.count))
    switch (question.kind, below(5)) {
    case (_, 0): host.answer(question.ticket, #"{"error":{"message":"\#(words())"}}"#)
    case (DeliveryKind.step.rawValue, 1):
      host.answer(question.ticket, #"{"ok":{"vault_form_token":"\#(plantNumber())"}}"#)
    case (DeliveryKind.step.rawValue, _):
      host.answer(question.ticket, #"{"ok":{"vault_form_token":"tok_success_00000000000000000000"}}"#)
    case (DeliveryKind.redirection.rawValue, _): host.answer(question.ticket, #"{"ok":{"takeOver":false}}"#)
    default: host.answer(question.ticket, #"{"ok":{}}"#)
    }
  }

  private func answerRequest() {
    guard !host.requests.isEmpty else { return }
    let request = host.requests.remove(at: below(host.requests.count))
    sent += 1
    if below(6) == 0 { return host.answerHTTP(request.ticket, 422, #"{"code":"E","message":"\#(words())"}"#) }
    let partner = #""pan":"\#(plantNumber())","csc":"\#(plantCode())""#
    let body =
      if request.url.hasSuffix("/init") {
        """
        {"id":"i1","step_id":1,"status":{"action":"INIT","state":"SUCCESS","code":"SUCCEEDED"},\
        "plugin_result":{"amount":50.00,"currency_code":"EUR",\(partner)}}
        """
      } else {
        """
        {"results":[{"partner":"purse","method":"creditcard","transaction_id":"\(plantTransaction())",\
        "plugin_result":{"status":"\(words())",\(partner)},"status":{"state":"SUCCESS","code":"OK",\
        "description":"\(words())"}}],"redirection":{},"global_status":"SUCCESS"}
        """
      }
    host.answerHTTP(request.ticket, 200, body)
  }
}
