import CSystem

/// Text on its way to the host: NUL-terminated, owned, and wiped when it may hold a secret.
struct HostText {
  private let bytes: UnsafeMutablePointer<CChar>?
  private let wipedLength: Int

  init(_ text: String) { self.init(Array(text.utf8), isSecret: false) }

  init(_ bytes: [UInt8], isSecret: Bool) {
    self.bytes = hcs_text_copy(bytes, bytes.count)
    wipedLength = isSecret ? bytes.count : 0
  }

  var pointer: UnsafePointer<CChar>? { UnsafePointer(bytes) }

  /// The host frees it from here on.
  func handOver() -> UnsafeMutablePointer<CChar>? { bytes }

  func free() {
    hcs_wipe(bytes, bytes == nil ? 0 : wipedLength)
    hcs_free(bytes)
  }
}
