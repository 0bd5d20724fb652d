/// Which saved instruments and gift cards have certainly expired. What has gone stays gone for the session.
struct TokenExpiries: Hashable {
  private(set) var gone: [String] = []
  /// The earliest that is still to come, in milliseconds since 1970.
  private(set) var next: Int64?

  func isGone(_ id: String) -> Bool { gone.contains(id) }

  mutating func watch(_ id: String, _ expiresAt: String?) {
    guard let moment = TokenExpiries.moment(expiresAt) else { return }
    if moment < next ?? Int64.max { next = moment }
    watched.append(Watched(id: id, moment: moment))
  }

  private struct Watched: Hashable {
    var id: String
    var moment: Int64
  }

  private var watched: [Watched] = []

  /// True when one more has gone.
  mutating func advance(_ isPast: (Int64) -> Bool) -> Bool {
    guard let due = next, isPast(due) else { return false }
    var coming: [Watched] = []
    next = nil
    for token in watched {
      if isPast(token.moment) {
        gone.append(token.id)
      } else {
        coming.append(token)
        if token.moment < next ?? Int64.max { next = token.moment }
      }
    }
    watched = coming
    return true
  }

  private static let day: Int64 = 86_400_000

  /// A date without a time of day is good for all of its day, wherever on earth that still is.
  static func moment(_ text: String?) -> Int64? {
    guard let text, let moment = DateText.milliseconds(fromISO8601: text) else { return nil }
    return moment % day == 0 ? Saturating.sum(moment, day + day / 2) : moment
  }
}

extension Core {
  /// Begins anew with what the session and the read gift cards say.
  mutating func watchTokens() {
    expiries = TokenExpiries()
    for token in session.tokens { expiries.watch(token.id, token.expiresAt) }
    for token in session.savedSecondaries { expiries.watch(token.id, token.expiresAt) }
    for token in secondaries { expiries.watch(token.id, token.expiresAt) }
  }

  /// What is certainly expired cannot pay any more: it leaves the split.
  mutating func observeTokens(_ moment: Moment) {
    let isPast = { [clock] (expiry: Int64) in clock.isCertainlyExpired(expiry, at: moment.now) }
    guard expiries.advance(isPast) else { return }
    publication.isDue = true
    // The split of a payment that is under way, or in doubt, stays as it was sent.
    guard !hasAttempt, ledger.standing == .clear else { return }
    leaveExpired()
  }

  mutating func leaveExpired() {
    for id in expiries.gone {
      if split.amount(of: id) != nil { split.remove(id) }
      if primary?.id == id { primary = nil }
    }
  }
}
