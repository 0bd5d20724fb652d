import CheckoutCore
import Foundation
import JSONText
import Testing
import URLReadings

@testable import PurseProvider

@Suite("Answers that ask for a page, fuzzed")
struct AnswerFuzzTests {
  static let values = [
    "null", "true", "7", "-1.50", "1e400", #""""#, #""https://psp.example/3ds""#, #""javascript:alert(1)""#,
    #""a=b&c=d""#,
    #""{\"a\":{\"b\":[1,null,{\"c\":\"d\"}]}}""#, #""{\"a\":1,\"a\":2}""#, #""{""#, #""?x""#, "[]", "{}",
    #"{"a":{"b":"c"}}"#,
    #"[["x"],{"y":"z"}]"#, #""POST""#, #""get""#, #""<form action=x></form>""#, #""\ud83c\udfe6""#, #""\u0000""#,
    #""=&=&""#,
  ]
  static let keys = ["url", "form", "method", "body", "name", "should_submit_widget", "x"]
  static let partnerKeys = ["redirection_url", "redirection_json", "redirect_url_post_params", "logs", "amount"]

  @Test("None crashes, and what is to be shown is whole")
  func answers() {
    let run = Fuzzing(inputs: 6_000)
    var dice = Dice(run.seed &+ 77)
    var actions: [String: Int] = [:]
    var input = 0
    while !run.isOver(after: input) {
      input += 1
      var bytes = Array(Self.answer(&dice).utf8)
      if dice.chance(30) { Self.damage(&bytes, &dice) }
      guard let answer = ValidateAnswer(bytes) else { continue }
      let fault = Self.fault(answer, &actions)
      #expect(fault == nil, "seed \(run.seed), input \(input): \(String(decoding: bytes, as: UTF8.self))")
    }
    let counts = actions.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
    print("fuzz: answers seed=\(run.seed) inputs=\(input) \(counts)")
    #expect(Set(actions.keys) == ["get", "none", "postForm", "postHTML", "unusable"], "\(actions)")
  }

  static func object(_ keys: [String], _ dice: inout Dice, depth: Int = 0) -> String {
    var members: [String] = []
    for key in keys where dice.chance(45) {
      let nests = key == "logs" && depth == 0
      members.append("\"\(key)\":" + (nests ? object(partnerKeys, &dice, depth: 1) : dice.pick(values)))
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  static func answer(_ dice: inout Dice) -> String {
    let results = (0..<dice.below(3)).map { _ in #"{"plugin_result":"# + object(partnerKeys, &dice) + "}" }
    let redirection = dice.chance(90) ? object(keys, &dice) : dice.pick(values)
    let status = dice.pick(["WAITING", "WAITING", "SUCCESS", "FAILED", "NEW"])
    return
      #"{"global_status":"\#(status)","results":[\#(results.joined(separator: ","))],"redirection":\#(redirection)}"#
  }

  static func damage(_ bytes: inout [UInt8], _ dice: inout Dice) {
    for _ in 0...dice.below(3) where !bytes.isEmpty {
      let at = dice.below(bytes.count)
      switch dice.below(3) {
      case 0: bytes.remove(at: at)
      case 1: bytes[at] = UInt8(truncatingIfNeeded: dice.next())
      default: bytes.removeSubrange(at..<min(bytes.count, at + dice.below(20)))
      }
    }
  }

  static func fault(_ answer: ValidateAnswer, _ actions: inout [String: Int]) -> String? {
    let isPending = answer.result.verdict == .pending
    switch answer.redirect {
    case .none:
      actions["none", default: 0] += 1
      return answer.result.page == nil ? nil : "a page from nowhere"
    case .unusable:
      actions["unusable", default: 0] += 1
      return answer.result.page == nil ? nil : "a page that cannot be shown"
    case .action(let action):
      if answer.result.page != (isPending ? action : nil) { return "a page of a decided payment" }
      return fault(action, &actions)
    }
  }

  static func fault(_ action: RedirectAction, _ actions: inout [String: Int]) -> String? {
    switch action {
    case .get(let url):
      actions["get", default: 0] += 1
      return url.isEmpty ? "no URL" : nil
    case .postForm(let url, let form):
      actions["postForm", default: 0] += 1
      if url.isEmpty { return "no URL" }
      let isForm = form.utf8.allSatisfy { byte in
        "*-._+%&=".utf8.contains(byte) || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte)
      }
      if !isForm { return "not a form" }
      let pairs = form.split(separator: "&")
      return pairs.allSatisfy { $0.filter { $0 == "=" }.count == 1 } ? nil : "a field without a value"
    case .postHTML(let html):
      actions["postHTML", default: 0] += 1
      return html.isEmpty ? "no document" : nil
    }
  }
}
