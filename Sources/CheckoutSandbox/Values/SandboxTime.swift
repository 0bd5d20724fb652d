import Foundation

/// Times as the sandbox counts them (milliseconds since 1970) in the spellings of the wire.
enum SandboxTime {
  /// `Sun, 06 Nov 1994 08:49:37 GMT`, the Date header.
  static func httpDate(_ milliseconds: Int64) -> String { text(milliseconds, "EEE, dd MMM yyyy HH:mm:ss 'GMT'") }

  /// `2030-01-01T00:00:00Z`
  static func seconds(_ milliseconds: Int64) -> String { text(milliseconds, "yyyy-MM-dd'T'HH:mm:ss'Z'") }

  /// `2030-01-01T00:00:00.123Z`
  static func milliseconds(_ milliseconds: Int64) -> String { text(milliseconds, "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'") }

  /// Reads what `seconds` and `milliseconds` write.
  static func reading(_ text: String) -> Int64? {
    for format in ["yyyy-MM-dd'T'HH:mm:ss'Z'", "yyyy-MM-dd'T'HH:mm:ss.SSS'Z'"] {
      if let date = formatter(format).date(from: text) {
        return Int64((date.timeIntervalSince1970 * 1_000).rounded())
      }
    }
    return nil
  }

  private static func text(_ milliseconds: Int64, _ format: String) -> String {
    formatter(format).string(from: Date(timeIntervalSince1970: TimeInterval(milliseconds) / 1_000))
  }

  private static func formatter(_ format: String) -> DateFormatter {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = format
    return formatter
  }
}
