/// A month of a year, to the last day of which a card is good.
public struct CardMonth: Hashable, Sendable {
  /// All four digits.
  public let year: Int
  public let month: Int

  public init(year: Int, month: Int) {
    self.year = year
    self.month = month
  }

  public static func < (left: CardMonth, right: CardMonth) -> Bool {
    left.year < right.year || (left.year == right.year && left.month < right.month)
  }
}

/// An expiry date as it was typed: a month, a slash, a year.
public struct TypedExpiry: Hashable, Sendable {
  private let month: TypedInteger
  private let year: TypedInteger
  /// What a payment needs: a month, a slash, two or four digits of a year. nil for anything else.
  public let date: CardMonth?
  private let isEmpty: Bool
  private let hasTwoFigures: Bool

  public init(_ text: Span<UInt8>) {
    var split = 0
    while split < text.count, text[split] != UInt8(ascii: "/") { split += 1 }
    let monthText = text.extracting(0..<split)
    let yearText = text.extracting(min(split + 1, text.count)..<text.count)
    month = TypedInteger(monthText)
    year = TypedInteger(yearText)
    isEmpty = text.isEmpty
    hasTwoFigures = split == 2 && yearText.count == 2
    if case .number(let number) = month, (1...12).contains(number), split <= 2, Bytes.areDigits(monthText),
      let full = FourDigitYear.of(yearText)
    {
      date = CardMonth(year: full, month: number)
    } else {
      date = nil
    }
  }

  /// CheckoutComponents' rule. Of a longer year the last two digits count, and there is no latest one.
  public func fault(now: CardMonth) -> FieldFault? {
    if month == .blank || year == .blank { return .required }
    guard case .number(let month) = month, case .number(let year) = year, (1...12).contains(month) else {
      return .invalid
    }
    let date = CardMonth(year: year > 99 ? year % 100 : year, month: month)
    return date < CardMonth(year: now.year % 100, month: now.month) ? .cardExpired : nil
  }

  /// The rule of headless raw data.
  public func rawFault(now: CardMonth) -> RawExpiryFault? {
    if isEmpty { return .blank }
    guard let date else { return .format }
    return date < now ? .past : nil
  }

  /// The rule of the drop-in's own field, which knows MM/yy alone.
  public func isValidInDropIn(now: CardMonth) -> Bool {
    guard hasTwoFigures, let date else { return false }
    return !(date < now)
  }
}

public enum RawExpiryFault: Hashable, Sendable {
  case blank, format, past

  public var message: String {
    switch self {
    case .blank: "[invalid-expiry-date] Expiry date cannot be blank."
    case .format:
      "[invalid-expiry-date] Card expiry date is not valid. Valid expiry date formats are MM/YY or MM/YYYY."
    case .past:
      "[invalid-expiry-date] Card expiry date is not valid. Expiry date should not be less than a year in the past."
    }
  }
}

public enum FourDigitYear {
  /// Of two digits or four; nil for anything else. Two are of this century.
  public static func of(_ text: Span<UInt8>) -> Int? {
    guard text.count == 2 || text.count == 4, Bytes.areDigits(text), case .number(let year) = TypedInteger(text) else {
      return nil
    }
    return text.count == 2 ? 2000 + year : year
  }
}

/// A number as programs read it from text: with or without a sign, and white space around it.
enum TypedInteger: Hashable {
  case blank, notNumber
  case number(Int)

  init(_ text: Span<UInt8>) {
    let trimmed = text.extracting(Bytes.trimmed(text))
    guard !trimmed.isEmpty else {
      self = .blank
      return
    }
    let isNegative = trimmed[0] == UInt8(ascii: "-")
    let figures = trimmed.extracting((isNegative || trimmed[0] == UInt8(ascii: "+") ? 1 : 0)..<trimmed.count)
    // More digits than this are no month and no year.
    guard Bytes.areDigits(figures), figures.count <= 9 else {
      self = .notNumber
      return
    }
    var number = 0
    for index in figures.indices { number = number * 10 + Int(figures[index] - UInt8(ascii: "0")) }
    self = .number(isNegative ? -number : number)
  }
}
