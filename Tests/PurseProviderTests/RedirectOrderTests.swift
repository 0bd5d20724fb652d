import JSONText
import Testing

@testable import CheckoutCore
@testable import PurseProvider

/// Every combination of what an answer may say about its page, against the order as it is written down.
@Suite("The page that an answer asks for, exhaustively")
struct RedirectOrderTests {
  /// What is there.
  struct Parts: OptionSet, CustomStringConvertible {
    let rawValue: Int
    static let partnerURL = Parts(rawValue: 1)
    static let partnerFields = Parts(rawValue: 2)
    static let partnerParameters = Parts(rawValue: 4)
    static let rootURL = Parts(rawValue: 8)
    static let rootPost = Parts(rawValue: 16)
    static let rootBody = Parts(rawValue: 32)
    static let rootForm = Parts(rawValue: 64)
    static let all = (0..<128).map { Parts(rawValue: $0) }

    var description: String { String(rawValue, radix: 2) }
  }

  /// Where the partner's members stand.
  enum Place: CaseIterable { case pluginResult, logs, laterResult, both }

  /// What stands for a member that is not there.
  enum Absence: String, CaseIterable { case absent = "", null = "null", empty = #""""# }

  static func pick(_ texts: [String], _ random: inout SeededRandom) -> String {
    texts.randomElement(using: &random) ?? ""
  }

  static func members(_ parts: Parts, _ wanted: [(Parts, String, String)], _ absence: Absence) -> String {
    let texts = wanted.compactMap { part, key, value -> String? in
      if parts.contains(part) { return "\"\(key)\":\(value)" }
      return absence == .absent ? nil : "\"\(key)\":\(absence.rawValue)"
    }
    return "{" + texts.joined(separator: ",") + "}"
  }

  static func answer(_ parts: Parts, _ place: Place, _ absence: Absence) -> String {
    let partner = members(
      parts,
      [
        (.partnerURL, "redirection_url", #""https://partner.example/""#),
        (.partnerFields, "redirection_json", #""{\"j\":{\"k\":1}}""#),
        (.partnerParameters, "redirect_url_post_params", #"{"p":[1]}"#),
      ], absence)
    let root = members(
      parts,
      [
        (.rootURL, "url", #""https://root.example/""#), (.rootPost, "method", #""POST""#),
        (.rootBody, "body", #""b=1""#),
        (.rootForm, "form", #""<form>""#),
      ], absence)
    let results =
      switch place {
      case .pluginResult: #"{"plugin_result":\#(partner)}"#
      case .logs: #"{"plugin_result":{"logs":\#(partner)}}"#
      case .laterResult: #"{"plugin_result":{}},{},{"plugin_result":null},{"plugin_result":\#(partner)}"#
      case .both: #"{"plugin_result":\#(partner.dropLast() + (partner == "{}" ? "" : ",") + #""logs":\#(partner)}"#)}"#
      }
    return #"{"global_status":"WAITING","results":[\#(results)],"redirection":\#(root)}"#
  }

  /// The five rules, in their order.
  static func wanted(_ parts: Parts) -> ResolvedRedirect {
    if parts.contains([.partnerURL, .partnerFields]) {
      return .action(.postForm(url: "https://partner.example/", formDataURLEncoded: "j%5Bk%5D=1"))
    }
    if parts.contains([.rootURL, .partnerParameters]) {
      return .action(.postForm(url: "https://root.example/", formDataURLEncoded: "p%5B0%5D=1"))
    }
    if parts.contains([.rootURL, .rootPost, .rootBody]) {
      return .action(.postForm(url: "https://root.example/", formDataURLEncoded: "b=1"))
    }
    if parts.contains(.rootURL) { return .action(.get(url: "https://root.example/")) }
    if parts.contains(.rootForm) { return .action(.postHTML(html: "<form>")) }
    return .none
  }

  @Test("The order of the reference: every part there or not, wherever it stands", arguments: Place.allCases)
  func order(_ place: Place) throws {
    for absence in Absence.allCases {
      for parts in Parts.all {
        let text = Self.answer(parts, place, absence)
        let answer = try #require(ValidateAnswer(Array(text.utf8)), "\(text)")
        #expect(answer.redirect == Self.wanted(parts), "\(text)")
        if case .action(let action) = answer.redirect { #expect(answer.result.page == action) }
      }
    }
  }

  @Test("A decided payment has no page, whatever its answer asks for", arguments: ["SUCCESS", "FAILED", "ERROR"])
  func decided(_ status: String) throws {
    for parts in Parts.all {
      let text = Self.answer(parts, .logs, .absent).replacing("WAITING", with: status)
      #expect(try #require(ValidateAnswer(Array(text.utf8))).result.page == nil)
    }
  }

  // MARK: Fields

  /// A value, and what its fields are by definition.
  indirect enum Value {
    case text(String), number(String), boolean(Bool), null, array([Value]), object([(String, Value)])

    static func made(_ random: inout SeededRandom, depth: Int) -> Value {
      switch Int.random(in: 0...(depth > 0 ? 6 : 3), using: &random) {
      case 0:
        .text(
          RedirectOrderTests.pick(
            ["", "x", "a b", "&=+%", "é€", "🏦", "[k]", "\"\\/", "\n\t", "~*-._", "null"], &random))
      case 1:
        .number(RedirectOrderTests.pick(["0", "-1", "1.50", "1e3", "12345678901234567890", "0.1", "-0"], &random))
      case 2: .boolean(Bool.random(using: &random))
      case 3: .null
      case 4: .array((0..<Int.random(in: 0...3, using: &random)).map { _ in made(&random, depth: depth - 1) })
      default: object(&random, depth: depth)
      }
    }

    static func object(_ random: inout SeededRandom, depth: Int) -> Value {
      var keys = ["", "a", "b c", "é", "x[y]", "PaReq", "0", "🏦"].shuffled(using: &random)
      keys.removeLast(Int.random(in: 4...8, using: &random))
      return .object(keys.map { ($0, made(&random, depth: depth - 1)) })
    }

    var json: String {
      switch self {
      case .text(let text):
        var writer = JSONWriter()
        writer.string(text)
        return writer.text
      case .number(let text): return text
      case .boolean(let value): return value ? "true" : "false"
      case .null: return "null"
      case .array(let values): return "[" + values.map { $0.json }.joined(separator: ",") + "]"
      case .object(let members):
        return "{" + members.map { Value.text($0.0).json + ":" + $0.1.json }.joined(separator: ",") + "}"
      }
    }

    func fields(_ name: String) -> [(String, String)] {
      switch self {
      case .text(let text), .number(let text): [(name, text)]
      case .boolean(let value): [(name, value ? "true" : "false")]
      case .null: [(name, "")]
      case .array(let values): values.enumerated().flatMap { $1.fields("\(name)[\($0)]") }
      case .object(let members): members.flatMap { $0.1.fields("\(name)[\($0.0)]") }
      }
    }

    /// Of the outermost object, whose keys stand without brackets.
    var fields: [(String, String)] {
      guard case .object(let members) = self else { return [] }
      return members.flatMap { $0.1.fields($0.0) }
    }
  }

  /// `application/x-www-form-urlencoded` of the URL Standard, written a second time.
  static func encoded(_ text: String) -> String {
    text.utf8.map { byte -> String in
      switch byte {
      case 0x20: "+"
      case 0x2A, 0x2D, 0x2E, 0x5F, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(UnicodeScalar(byte))
      default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }.joined()
  }

  @Test("Nested values become fields, as an object or as the text of one", arguments: 0..<400 as Range<UInt64>)
  func flattened(_ seed: UInt64) throws {
    var random = SeededRandom(seed: seed &+ 31)
    let value = Value.object(&random, depth: 4)
    let form = value.fields.map { Self.encoded($0.0) + "=" + Self.encoded($0.1) }.joined(separator: "&")
    for json in [value.json, Value.text(value.json).json, Value.text(" \n" + value.json).json] {
      #expect(FormFields.encoded(try JSONDocument(parsing: json).root) == form, "\(json)")
    }
    // What was encoded is read back as it was.
    guard !form.isEmpty else { return }
    #expect(FormFields.encoded(try JSONDocument(parsing: Value.text(form).json).root) == form)
  }
}
