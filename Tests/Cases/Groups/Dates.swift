import PrimerProvider

/// Dates that a row gives by words in angle brackets, seen from "now".
enum Dates {
  /// The rows were written in August 2026.
  static let now = CardMonth(year: 2026, month: 8)

  /// The answer for a date in figures; for one in words it must be the same in every month of the year.
  static func everyMonth(_ text: String, yearIsShort: Bool, _ answer: (String, CardMonth) -> Answer) -> Answer {
    guard text.contains("<") else { return answer(text, now) }
    var first: Answer?
    for month in 1...12 {
      let now = CardMonth(year: now.year, month: month)
      guard let figures = figures(text, now, yearIsShort) else { return .notUnderstood(text) }
      let each = answer(figures, now)
      guard let before = first else {
        first = each
        continue
      }
      if case .ours(let one) = before, case .ours(let other) = each, one != other {
        return .notUnderstood("\(text): another answer in month \(month)")
      }
    }
    return first ?? .notUnderstood(text)
  }

  /// Replaces the words. Those of a row without a time of their own mean the row's other one.
  private static func figures(_ text: String, _ now: CardMonth, _ yearIsShort: Bool) -> String? {
    let parts = text.split(separator: "<", omittingEmptySubsequences: false)
    var figures = String(parts[0])
    var moment = now
    for part in parts.dropFirst() {
      let pieces = part.split(separator: ">", omittingEmptySubsequences: false)
      guard pieces.count == 2 else { return nil }
      let words = pieces[0].split(separator: " ").map { $0.lowercased() }
      if let told = time(words, now) { moment = told }
      // The first place of a date is the month; words for a whole date stand alone.
      let isMonth = !figures.contains("/")
      let isWhole = !text.contains("/")
      if isWhole {
        figures += two(moment.month) + "/" + (yearIsShort ? two(moment.year % 100) : "\(moment.year)")
      } else if isMonth {
        figures += two(moment.month)
      } else {
        let isLong = words.contains("4-digit") || words.contains("yyyy")
        figures += isLong ? "\(moment.year)" : two(moment.year % 100)
      }
      figures += pieces[1]
    }
    return figures
  }

  private static func time(_ words: [String], _ now: CardMonth) -> CardMonth? {
    for word in words {
      if word.hasPrefix("now+") || word.hasPrefix("now-") {
        guard let amount = Int(word.dropFirst(3).dropLast()) else { return nil }
        return later(now, months: word.hasSuffix("y") ? 12 * amount : amount)
      }
      switch word {
      case "current", "now", "this": return now
      case "next": return later(now, months: 12)
      case "future": return later(now, months: 60)
      case "last", "previous", "past", "expired": return later(now, months: words.contains("month") ? -1 : -12)
      case "ago": return later(now, months: -11)
      default: continue
      }
    }
    return nil
  }

  private static func later(_ date: CardMonth, months: Int) -> CardMonth {
    let count = date.year * 12 + date.month - 1 + months
    return CardMonth(year: count / 12, month: count % 12 + 1)
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
