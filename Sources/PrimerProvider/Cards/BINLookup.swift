/// When the back end is asked which networks a card has, and whose word counts meanwhile.
public struct BINLookup: Hashable, Sendable {
  /// Boot milliseconds without a change of the BIN before it is asked for.
  public static let debounce: Int64 = 350
  /// Of as many BINs the answers are kept.
  static let kept = 8

  public enum Source: Hashable, Sendable {
    /// The rules: fewer than eight digits, or no answer yet.
    case local
    case remote
    /// The rules, since there was no answer.
    case localFallback
  }

  private enum Progress: Hashable {
    case idle
    case waiting(until: Int64)
    case asked
    case failed
  }

  private var bin: BIN?
  private var progress = Progress.idle
  private var answers: [BINAnswer] = []

  public init() {}

  /// Every keystroke in the number.
  public mutating func typed(_ leading: LeadingDigits, now: Int64) {
    guard leading.bin != bin else { return }
    bin = leading.bin
    progress = bin == nil || answer != nil ? .idle : .waiting(until: now &+ BINLookup.debounce)
  }

  /// Boot milliseconds at which to ask.
  public var deadline: Int64? {
    if case .waiting(let until) = progress { until } else { nil }
  }

  /// The BIN to ask for now, once.
  public mutating func due(now: Int64) -> BIN? {
    guard let deadline, deadline <= now else { return nil }
    progress = .asked
    return bin
  }

  /// An answer with no network in it is none. A late one is kept for its own BIN.
  public mutating func answered(_ asked: BIN, _ networks: [BINNetwork]) {
    if networks.isEmpty { return failed(asked) }
    answers.removeAll { $0.bin == asked }
    if answers.count == BINLookup.kept { answers.removeFirst() }
    answers.append(BINAnswer(bin: asked, networks: networks))
    if asked == bin { progress = .idle }
  }

  /// It is asked for again when it is typed again.
  public mutating func failed(_ asked: BIN) {
    if asked == bin, progress == .asked { progress = .failed }
  }

  private var answer: BINAnswer? {
    guard let bin else { return nil }
    for answer in answers where answer.bin == bin { return answer }
    return nil
  }

  public var source: Source {
    if answer != nil { return .remote }
    return progress == .failed ? .localFallback : .local
  }

  /// The card's networks, by whoever's word counts. The rules' is not asked about a BIN that is not complete.
  public func networks(_ leading: LeadingDigits) -> [BINNetwork] {
    if let answer { return answer.networks }
    guard bin != nil, let network = leading.network else { return [] }
    return [BINNetwork(network: network)]
  }
}

struct BINAnswer: Hashable {
  let bin: BIN
  let networks: [BINNetwork]
}

/// What the back end knows of one of a card's networks.
public struct BINNetwork: Hashable, Sendable {
  public var network: CardNetwork
  /// nil where the rules' name is meant.
  public var displayName: String?
  public var issuerCountryCode: String?
  public var issuerName: String?
  public var issuerCurrencyCode: String?
  public var accountFundingType: String?

  public init(network: CardNetwork) { self.network = network }

  public var name: String { displayName ?? network.displayName }
}
