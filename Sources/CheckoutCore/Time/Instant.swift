/// A moment as the device sees it: on the clock that only ever runs, and on the one that people set.
public struct Instant: Hashable, Sendable {
  /// Milliseconds of the boot clock, which goes on while the device sleeps.
  public var boot: Int64
  /// Milliseconds since 1970 by the device's calendar clock, right or wrong.
  public var wall: Int64

  public init(boot: Int64, wall: Int64) {
    self.boot = boot
    self.wall = wall
  }
}
