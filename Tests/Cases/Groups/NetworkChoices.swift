import JSONText
import PrimerProvider

extension Groups {
  /// Several networks on one card, and what is added for one.
  static let networkChoices: [String: GroupFunction] = [
    "cobadge_metadata": GroupFunction(["allowed", "networks"]) { row in
      guard let networks = row.strings("networks")?.map({ CardNetwork(text: $0) }), let allowed = allowed(row) else {
        return .notUnderstood("networks")
      }
      let choice = NetworkChoice(allowed: allowed, networks: networks)
      let selectable = choice.selectable.isEmpty ? nil : choice.selectable
      return .ours([
        "selectable": listed(selectable, row.string("selectable")),
        "detected": listed(choice.detected, row.string("detected")),
        "autoSelected": JSON.text(choice.autoSelected?.text), "preferred": JSON.text(choice.preferred?.text),
      ])
    },
    "surcharge_mapping": GroupFunction { row in
      guard let input = row["input"], input.kind == .object, let wanted = row.string("expected") else { return .prose }
      let surcharge = input["surcharge"]?.int64
      if wanted.hasPrefix("raw ") { return .expected(text: surcharge.map { "raw \($0) preserved" }) }
      let note = Surcharge.Note(
        surcharge, isUnknown: input["hasUnknownSurcharge"]?.boolean ?? false,
        hasCurrency: input["currency"]?.string != nil)
      return .expected(text: note.text { _ in " followed by formatted amount" }.replacing("+", with: "\"+\""))
    },
  ]

  /// The list of a row, or one that has as much in common with its networks as the row says.
  private static func allowed(_ row: Row) -> [CardNetwork]? {
    if let names = row.strings("allowed") { return CardNetwork.allowed(names) }
    guard let words = row.string("allowed"), let networks = row.strings("networks") else { return nil }
    let known = networks.map { CardNetwork(text: $0) }
    if words.hasPrefix("none") { return CardNetwork.allCases.filter { $0 != .other && !known.contains($0) } }
    guard words.hasPrefix("subset"), let count = row.string("selectable").flatMap(items) else { return nil }
    return Array(known.prefix(count))
  }

  /// "2 items".
  private static func items(_ words: String) -> Int? {
    words.hasSuffix(" items") || words.hasSuffix(" item") ? words.split(separator: " ").first.flatMap { Int($0) } : nil
  }

  private static func listed(_ networks: [CardNetwork]?, _ words: String?) -> String {
    if let words, let count = items(words), networks?.count == count { return JSON.text(words) }
    return JSON.texts(networks?.map(\.text))
  }
}
