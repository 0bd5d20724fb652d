public typealias HostListener =
  @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, Int32, UnsafePointer<CChar>?) -> Void
public typealias HostHook =
  @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, Int32, UInt64, UnsafePointer<CChar>?) -> Void
public typealias HostRelease = @convention(c) (UnsafeMutableRawPointer?) -> Void

/// What the host passed: two callbacks, its own pointer, and how to give that back.
public struct HostCallbacks {
  public var listener: HostListener?
  public var hook: HostHook?
  public var release: HostRelease?
  public var user: UnsafeMutableRawPointer?

  public init(
    listener: HostListener?, hook: HostHook?, release: HostRelease?, user: UnsafeMutableRawPointer?
  ) {
    self.listener = listener
    self.hook = hook
    self.release = release
    self.user = user
  }

  /// A host that is told nothing pulls.
  var pulls: Bool { listener == nil && hook == nil }

  /// The last use of `user`.
  public func giveBack() { release?(user) }
}
