extension SandboxJSON {
  /// This document changed by a JSON merge patch (RFC 7396): objects are merged, null removes, all else replaces.
  func merging(_ patch: SandboxJSON) -> SandboxJSON {
    guard let changes = patch.members else { return patch }
    var result = members == nil ? SandboxJSON.object([]) : self
    for change in changes {
      result[change.name] = change.value == .null ? nil : (result[change.name] ?? .null).merging(change.value)
    }
    return result
  }
}
