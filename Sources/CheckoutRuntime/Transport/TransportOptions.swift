/// What a client is told once: whom it trusts, how it gets out, who it says it is.
struct TransportOptions: Hashable, Sendable {
  /// Trusted instead of the system's certificate authorities.
  var authoritiesFile: String?
  /// None unless given: the environment is never asked.
  var proxy: String?
  var userAgent: String?
  var clientCertificate: ClientCertificate?
  /// Plain http to this machine, for the sandbox and for tests.
  var allowsLoopbackHTTP = false

  /// Files in PEM form.
  struct ClientCertificate: Hashable, Sendable {
    var certificateFile: String
    var keyFile: String?
    var keyPassword: String?
  }
}
