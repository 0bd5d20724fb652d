import CSystem

/// Why a client could not be made or a request not be started. Nothing has been sent.
enum TransportFault: Error, Hashable, Sendable {
  /// No usable libcurl, or a file that cannot be read; in words.
  case unavailable(String)
  case optionInvalid
  case outOfMemory
  /// Not a URL, or one with a user name in it.
  case urlInvalid
  /// Neither https nor allowed http to this machine.
  case urlRefused
  /// A header that cannot be sent as it is.
  case headerInvalid
  /// A secret of the body is gone.
  case secretMissing
  case identifierInUse
  /// From inside the last look.
  case reentrant
  /// libcurl refused an option that safety rests on.
  case libraryRefused

  /// Nil for HCS_HTTP_OK.
  init?(startCode: Int32) {
    switch Int(startCode) {
    case HCS_HTTP_OK: return nil
    case HCS_HTTP_NO_MEMORY: self = .outOfMemory
    case HCS_HTTP_URL_INVALID: self = .urlInvalid
    case HCS_HTTP_URL_REFUSED: self = .urlRefused
    case HCS_HTTP_TEXT_INVALID: self = .headerInvalid
    case HCS_HTTP_ID_IN_USE: self = .identifierInUse
    case HCS_HTTP_REENTRANT: self = .reentrant
    default: self = .libraryRefused
    }
  }

  /// For people, and for the `notSent` of a refused payment.
  var words: String {
    switch self {
    case .unavailable(let words): words
    case .optionInvalid: "an option is not valid"
    case .outOfMemory: "out of memory"
    case .urlInvalid: "the URL is not valid"
    case .urlRefused: "only https is allowed"
    case .headerInvalid: "a header is not valid"
    case .secretMissing: "a number is no longer held"
    case .identifierInUse, .reentrant: "the request could not be started"
    case .libraryRefused: "libcurl refused a safety option"
    }
  }
}
