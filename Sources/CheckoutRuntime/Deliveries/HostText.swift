import CSystem

/// Text on its way to the host: NUL-terminated, owned, and wiped when it may hold a secret.
struct HostText {
  private let bytes: UnsafeMutablePointer<CChar>?
  private let wipedLength: Int

  init(_ text: String) {
    bytes = text.withBytes { hcs_text_copy($0, $1) }
    wipedLength = 0
  }

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

extension String {
  /// Its UTF-8 for a C function, without a copy where there need be none.
  public func withBytes<Value>(_ body: (UnsafePointer<UInt8>?, Int) -> Value) -> Value {
    var text = self
    return text.withUTF8 { body($0.baseAddress, $0.count) }
  }
}
