/// What is known of the server's time: an interval that surely holds it.
///
/// A sample is a time that the server wrote, which is as coarse as its grain and as old as its way here took. Between
/// samples the device's boot clock counts on, trusted to 50 millionths. Later samples narrow the interval. One that
/// contradicts it starts it anew, so that a single wrong header is forgotten with the next right one.
public struct ServerClock: Hashable, Sendable {
  private struct Estimate: Hashable, Sendable {
    var earliest: Int64
    var latest: Int64
    /// The instant of the boot clock at which the interval held the server's time.
    var boot: Int64
  }

  private static let longestWait: Int64 = 5_000

  private let releaseDate: Int64
  private var estimate: Estimate?

  /// Before the first sample only this is sure: the library's release is past. The device's calendar may be years off
  /// either way, so that it neither refuses a session nor lets one pass.
  public init(releaseDate: Int64) {
    self.releaseDate = releaseDate
  }

  public var hasSample: Bool { estimate != nil }

  /// Takes in a time that an answer bore. `sentAt` and `receivedAt` are instants of the boot clock.
  public mutating func observe(serverTime: Int64, grain: Int64, sentAt: Int64, receivedAt: Int64) {
    let roundTrip = max(Saturating.difference(receivedAt, sentAt), 0)
    let age = Saturating.sum(Saturating.sum(max(grain, 0), roundTrip), Self.drift(over: roundTrip))
    var sample = Estimate(earliest: serverTime, latest: Saturating.sum(serverTime, age), boot: receivedAt)
    if let known = estimate {
      let held = Self.advanced(known, to: receivedAt)
      let earliest = max(held.earliest, sample.earliest)
      let latest = min(held.latest, sample.latest)
      if earliest <= latest { sample = Estimate(earliest: earliest, latest: latest, boot: receivedAt) }
    }
    estimate = sample
  }

  /// The interval that holds the server's time now.
  public func range(at now: Instant) -> (earliest: Int64, latest: Int64) {
    guard let known = estimate else { return (releaseDate, .max) }
    let held = Self.advanced(known, to: now.boot)
    return (held.earliest, held.latest)
  }

  /// Whether the server surely counts the moment as reached.
  public func isCertainlyExpired(_ expiresAt: Int64, at now: Instant) -> Bool {
    range(at: now).earliest >= expiresAt
  }

  /// Whether the server may count the moment as reached. When nothing is known, it may.
  public func isPossiblyExpired(_ expiresAt: Int64, at now: Instant) -> Bool {
    range(at: now).latest >= expiresAt
  }

  /// The instant of the boot clock at which to look again: when the expiry becomes certain, or in five seconds if that
  /// is sooner, because the device may have slept.
  public func nextExpiryCheck(_ expiresAt: Int64, at now: Instant) -> Int64 {
    let earliest = range(at: now).earliest
    let distance = min(max(Saturating.difference(expiresAt, earliest), 0), Self.longestWait)
    // Drift can move the exact instant by one from what the distance says.
    for wait in (distance - 1)...(distance + 1) where wait >= 0 && wait < Self.longestWait {
      let then = Instant(boot: Saturating.sum(now.boot, wait), wall: Saturating.sum(now.wall, wait))
      if isCertainlyExpired(expiresAt, at: then) { return then.boot }
    }
    return Saturating.sum(now.boot, Self.longestWait)
  }

  /// How far the boot clock may be off after so long: 50 millionths, rounded up.
  private static func drift(over time: Int64) -> Int64 {
    let (whole, rest) = time.quotientAndRemainder(dividingBy: 20_000)
    return abs(whole) + (rest == 0 ? 0 : 1)
  }

  private static func advanced(_ estimate: Estimate, to boot: Int64) -> Estimate {
    let elapsed = Saturating.difference(boot, estimate.boot)
    let drift = drift(over: elapsed)
    return Estimate(
      earliest: Saturating.sum(estimate.earliest, Saturating.difference(elapsed, drift)),
      latest: Saturating.sum(estimate.latest, Saturating.sum(elapsed, drift)), boot: boot)
  }
}
