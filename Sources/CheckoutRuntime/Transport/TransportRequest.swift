import CheckoutCore

/// One HTTP request, ready to go.
struct TransportRequest: Hashable, Sendable {
  /// The caller's number for it, unique among those that run.
  var identifier: UInt64
  /// One that opens or continues a payment gets a connection of its own and is never sent twice.
  var content: Request
  /// To connect, TLS included.
  var connectMilliseconds: Int64
  /// From start to the last byte of the answer.
  var totalMilliseconds: Int64
  var responseBytes: Int
}
