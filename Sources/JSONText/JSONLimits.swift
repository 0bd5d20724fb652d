/// What a document may be at most, so that its sender cannot choose how much the reader spends.
public struct JSONLimits: Hashable, Sendable {
  /// How many arrays and objects may be open at once.
  public var maximumDepth = 64
  /// How many bytes the text may have.
  public var maximumBytes = 4 << 20

  /// Limits other than the standard ones.
  public init(maximumDepth: Int = 64, maximumBytes: Int = 4 << 20) {
    self.maximumDepth = maximumDepth
    self.maximumBytes = maximumBytes
  }

  /// 64 levels and 4 MiB.
  public static let standard = JSONLimits()
}
