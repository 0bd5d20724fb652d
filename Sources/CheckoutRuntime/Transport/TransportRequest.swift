/// One HTTP request, ready to go.
struct TransportRequest: Hashable, Sendable {
  /// The caller's number for it, unique among those that run.
  var identifier: UInt64
  var method: Method
  var url: String
  var headers: [Header] = []
  /// Nil sends none; an empty list sends an empty one.
  var body: [BodyPart]?
  /// To connect, TLS included.
  var connectMilliseconds: Int64
  /// From start to the last byte of the answer.
  var totalMilliseconds: Int64
  var responseBytes: Int
  /// It can move money: it gets a connection of its own and is never sent twice.
  var movesMoney: Bool

  enum Method: Hashable, Sendable, CaseIterable {
    case get
    case post
    case put
    case patch
    case delete

    var text: String {
      switch self {
      case .get: "GET"
      case .post: "POST"
      case .put: "PUT"
      case .patch: "PATCH"
      case .delete: "DELETE"
      }
    }

    /// A provider names no others.
    init(named text: String) { self = Method.allCases.first { $0.text == text } ?? .post }
  }

  struct Header: Hashable, Sendable {
    var name: String
    var value: String
  }

  /// A body is put together outside of Swift's memory, where a secret can be wiped.
  enum BodyPart: Hashable, Sendable {
    case text([UInt8])
    /// An id of the secret store.
    case secret(UInt64)
  }
}
