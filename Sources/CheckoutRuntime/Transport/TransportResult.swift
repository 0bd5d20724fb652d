import CSystem

/// What became of one request.
struct TransportResult: Hashable, Sendable {
  var identifier: UInt64
  /// Of the final header block; 0 when that did not arrive in full.
  var status: Int
  /// libcurl's own verdict. 0 does not mean that the answer is complete.
  var libraryCode: Int32
  /// A byte of the request may have left this machine.
  var left: Bool
  /// The whole answer was read, as far as HTTP/1.1 can tell.
  var isComplete: Bool
  /// The last look said no.
  var wasRefused: Bool
  /// The answer was longer than allowed.
  var wasTooLarge: Bool
  /// It travelled over TLS.
  var wasSecure: Bool
  /// libcurl wanted to send a money request again and was kept from it.
  var wasKeptFromResending: Bool
  /// On the boot clock, when it left.
  var leftAt: Int64?
  /// On the boot clock, when the answer's headers were read.
  var answeredAt: Int64?
  var date: String?
  var contentType: String?
  var retryAfter: String?
  var body: [UInt8]
  /// For people: without URL, headers or body. Empty when nothing went wrong.
  var message: String

  init(_ result: hcs_http_result) {
    identifier = result.id
    status = Int(result.status)
    libraryCode = result.curl_code
    left = result.left != 0
    isComplete = result.complete != 0
    wasRefused = result.refused != 0
    wasTooLarge = result.too_large != 0
    wasSecure = result.secure != 0
    wasKeptFromResending = result.resent != 0
    leftAt = result.left_at < 0 ? nil : result.left_at
    answeredAt = result.answered_at < 0 ? nil : result.answered_at
    date = Self.text(result.date)
    contentType = Self.text(result.content_type)
    retryAfter = Self.text(result.retry_after)
    body = Array(UnsafeBufferPointer(start: result.body, count: result.body == nil ? 0 : result.body_length))
    message = Self.text(result.error) ?? ""
  }

  private static func text(_ bytes: UnsafePointer<CChar>?) -> String? {
    guard let bytes else { return nil }
    return String(cString: bytes)
  }
}
