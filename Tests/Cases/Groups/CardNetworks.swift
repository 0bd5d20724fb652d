import JSONText
import PrimerProvider

extension Groups {
  /// Networks, numbers, and what is known of both.
  static let cardNetworks: [String: GroupFunction] = [
    "card_network_rules": GroupFunction(["network"]) { row in
      guard let name = row.string("network"), let rules = CardNetwork(text: name).rules else {
        return .notUnderstood("a network with rules")
      }
      return .ours(traits(rules).merging(ranges(CardNetwork(text: name))) { first, _ in first })
    },
    "card_network_detection_pans": GroupFunction(["pan"]) { row in
      guard let pan = row.string("pan"), let wanted = row.string("network") else { return .notUnderstood("a number") }
      let number = number(pan)
      // Of a network without rules only the back end's BIN data can say that the card is its own.
      let network = CardNetwork(text: wanted).rules == nil ? wanted : number.leading.network?.text
      return .ours(["network": JSON.text(network), "validCardNumber": number.isValidRaw ? "true" : "false"])
    },
    "card_network_detection_derived": GroupFunction { row in
      guard let input = row.string("input") else { return .notUnderstood("a number") }
      return .expected(text: number(input).leading.network?.text)
    },
    "luhn": GroupFunction { row in
      guard let input = row.string("input") else { return .notUnderstood("a number") }
      return .expected(Luhn.passes(Array(input.utf8).span))
    },
    "card_number_headless": GroupFunction { row in
      guard let input = row.string("input") else { return .notUnderstood("a number") }
      return .expected(number(input).isValidRaw)
    },
    "card_number_cc_rule": GroupFunction(["input", "allowed"]) { row in
      guard let input = row.string("input") else { return .notUnderstood("a number") }
      let allowed = row.strings("allowed") ?? ["VISA", "MASTERCARD", "AMEX", "DISCOVER", "JCB", "DINERS_CLUB"]
      let fault = number(input).fault(allowed: CardNetwork.allowed(allowed))
      return .ours([
        "expected": fault == nil ? "\"valid\"" : "\"invalid\"", "errorCode": JSON.text(fault?.code(.number)),
        "errorId": JSON.text(fault?.errorID(.number)),
      ])
    },
    "masked_pan": GroupFunction { row in
      guard let input = row.string("input") else { return .notUnderstood("a number") }
      return .expected(text: number(input).masked)
    },
    "card_network_misc": GroupFunction(["op", "network", "networks", "input"]) { row in
      guard let operation = row.string("op") else { return .notUnderstood("an operation") }
      return miscellaneous(operation, row)
    },
  ]

  static func number(_ text: String) -> TypedCardNumber { TypedCardNumber(Array(text.utf8).span) }

  private static func traits(_ rules: NetworkRules) -> [String: String] {
    [
      "displayName": JSON.text(rules.displayName), "panLengths": JSON.numbers(rules.numberLengths),
      "cvvLength": "\(rules.securityCodeLength)", "cvvLabel": JSON.text(rules.securityCodeName),
      "gaps": JSON.numbers(rules.gaps),
    ]
  }

  private static func ranges(_ network: CardNetwork) -> [String: String] {
    let ends: [Int] = network.prefixes.map { Int($0) }
    var ranges: [String] = []
    for index in stride(from: 0, to: ends.count, by: 2) {
      let range = [ends[index], ends[index + 1]]
      ranges.append(JSON.numbers(range[0] == range[1] ? [range[0]] : range))
    }
    return ["prefixRanges": "[" + ranges.joined(separator: ",") + "]"]
  }

  /// The operation's words end with a network, or with a list.
  private static func miscellaneous(_ operation: String, _ row: Row) -> Answer {
    let words = operation.split(separator: " ").map(String.init)
    let network = CardNetwork(text: row.string("network") ?? words.last ?? "")
    switch words.first {
    case "surcharge":
      let named = row.string("network") == nil && network == .other
      return .expected(Surcharge.of(named ? firstNetwork(row) : network, in: row["networks"]).map { "\($0)" } ?? "null")
    case "traits" where words.dropFirst().first == "nil":
      return .expected(texts: CardNetwork.allCases.filter { $0.rules == nil }.map(\.text))
    case "traits":
      guard let rules = network.rules else { return .expected("null") }
      let traits = traits(rules).filter { $0.key != "displayName" }
      return .expected("{" + traits.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}")
    case "cvvLabel": return .expected(text: network.rules?.securityCodeName)
    case "cvvLength": return .expected(network.rules.map { "\($0.securityCodeLength)" } ?? "null")
    case "displayName": return .expected(text: network.displayName)
    case "allowsUserSelection": return .expected(network.allowsUserSelection)
    case "allowed":
      let names = operation.split { " [],\"".contains($0) }.dropFirst(2).map(String.init)
      return .expected(texts: CardNetwork.allowed(names).map(\.text))
    case let name? where words.last == "allowed":
      return .expected(!CardNetwork.allowed([name]).isEmpty)
    default: return .notUnderstood(operation)
    }
  }

  private static func firstNetwork(_ row: Row) -> CardNetwork {
    guard let networks = row["networks"], networks.kind == .array else { return .other }
    for entry in networks.elements { if let type = entry["type"]?.string { return CardNetwork(text: type) } }
    return .other
  }
}
