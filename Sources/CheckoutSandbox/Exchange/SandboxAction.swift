/// What the server has to do with a request.
public enum SandboxAction: Hashable, Sendable {
  /// Answer, after waiting that many milliseconds.
  case respond(SandboxResponse, afterMilliseconds: Int)
  /// Close the connection without reading the body and without an answer.
  case hangUpBeforeReading
  /// Close the connection without an answer, the request read.
  case hangUp
  /// Write these bytes, which are no whole answer, and close the connection.
  case sendBroken([UInt8])
  /// Reset the connection (RST).
  case reset
}
