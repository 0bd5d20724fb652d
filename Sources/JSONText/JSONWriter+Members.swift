// A member in one call.
extension JSONWriter {
  /// Writes a member that is a string.
  public mutating func member(_ key: String, string value: String) {
    self.key(key)
    string(value)
  }

  /// Writes a member that is an integer.
  public mutating func member(_ key: String, integer value: Int64) {
    self.key(key)
    integer(value)
  }

  /// Writes a member that is an integer.
  public mutating func member(_ key: String, integer value: Int) {
    self.key(key)
    integer(value)
  }

  /// Writes a member that is `true` or `false`.
  public mutating func member(_ key: String, boolean value: Bool) {
    self.key(key)
    boolean(value)
  }

  /// Writes a member that is a string, or `null` when there is none.
  public mutating func member(_ key: String, optionalString value: String?) {
    self.key(key)
    if let value { string(value) } else { null() }
  }

  /// Writes a member whose value is JSON text already.
  public mutating func member(_ key: String, raw jsonText: String) {
    self.key(key)
    raw(jsonText)
  }
}
