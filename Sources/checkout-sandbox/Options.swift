/// The command line.
struct Options {
  static let usage = "usage: checkout-sandbox [--port N] [--port-file F] [--tls CERTIFICATE KEY]"

  /// 0 is any free port.
  var port: UInt16 = 0
  var portFile: String?
  /// Paths of a certificate and its key, both PEM.
  var tls: (certificate: String, key: String)?

  init(_ arguments: some Sequence<String>) throws(Failure) {
    var rest = Array(arguments)[...]
    while let name = rest.popFirst() {
      switch name {
      case "--port": port = try Self.port(rest.popFirst())
      case "--port-file": portFile = try Self.value(rest.popFirst(), of: name)
      case "--tls": tls = (try Self.value(rest.popFirst(), of: name), try Self.value(rest.popFirst(), of: name))
      default: throw .usage("unknown argument \(name)")
      }
    }
  }

  private static func value(_ text: String?, of name: String) throws(Failure) -> String {
    guard let text else { throw .usage("\(name) needs a value") }
    return text
  }

  private static func port(_ text: String?) throws(Failure) -> UInt16 {
    guard let port = UInt16(try value(text, of: "--port")) else { throw .usage("--port is from 0 to 65535") }
    return port
  }
}
