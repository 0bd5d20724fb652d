/// The first digits of a card number: enough to tell its network, and too few to pay with.
public struct LeadingDigits: Hashable, Sendable {
  /// Eight digits are a complete BIN.
  static let most = 8

  private var value: UInt32 = 0
  private(set) var count = 0

  public init() {}

  mutating func append(_ digit: UInt32) {
    guard count < LeadingDigits.most else { return }
    value = value * 10 + digit
    count += 1
  }

  /// The number that the first of them spell; nil when there are fewer.
  private func first(_ digits: Int) -> UInt32? {
    guard digits <= count else { return nil }
    var first = value
    for _ in digits..<count { first /= 10 }
    return first
  }

  /// All eight; nil when there are fewer.
  public var bin: BIN? { count == LeadingDigits.most ? BIN(value: value) : nil }

  /// The network by the rules alone: of all ranges that the number begins with, that of the highest upper end counts.
  public var network: CardNetwork? {
    var found: CardNetwork?
    var highest: UInt32 = 0
    for network in CardNetwork.allCases {
      let ends = network.prefixes
      for index in stride(from: 1, to: ends.count, by: 2) where ends[index] > highest {
        guard let prefix = first(LeadingDigits.digits(of: ends[index])) else { continue }
        if prefix >= ends[index - 1] && prefix <= ends[index] {
          found = network
          highest = ends[index]
        }
      }
    }
    return found
  }

  private static func digits(of number: UInt32) -> Int {
    var digits = 1
    var rest = number
    while rest >= 10 {
      rest /= 10
      digits += 1
    }
    return digits
  }
}

/// The first eight digits of a card number, by which the back end is asked for its networks.
public struct BIN: Hashable, Sendable {
  let value: UInt32

  public var text: String {
    let digits = "\(value)"
    return String(repeating: "0", count: LeadingDigits.most - digits.utf8.count) + digits
  }
}
