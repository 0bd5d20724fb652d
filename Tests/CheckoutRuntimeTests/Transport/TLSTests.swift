import Foundation
import Testing

@testable import CheckoutRuntime

@Suite struct TLSTests {
  private func run(
    _ server: TLSServer, options: TransportOptions, host: String = "127.0.0.1"
  ) throws -> TransportResult {
    try #require(try TransportBench(options).run(.get("https://\(host):\(server.port)/")))
  }

  @Test func unknownAuthority() throws {
    let identity = try TLSServer.Identity(name: "IP:127.0.0.1")
    let result = try run(try TLSServer(identity), options: .init(allowsLoopbackHTTP: true))
    #expect(!result.left)
    #expect(!result.isComplete)
    #expect(result.libraryCode == 60)
    #expect(result.status == 0)
  }

  @Test func knownAuthority() throws {
    let identity = try TLSServer.Identity(name: "IP:127.0.0.1")
    let result = try run(try TLSServer(identity), options: .init(authoritiesFile: identity.certificateFile))
    #expect(result.left)
    #expect(result.isComplete)
    #expect(result.status == 200)
    #expect(result.wasSecure)
  }

  @Test func givenAuthoritiesReplaceTheSystemsAndOthers() throws {
    let identity = try TLSServer.Identity(name: "IP:127.0.0.1")
    let other = try TLSServer.Identity(name: "IP:127.0.0.1")
    let result = try run(try TLSServer(identity), options: .init(authoritiesFile: other.certificateFile))
    #expect(!result.left)
    #expect(result.libraryCode == 60)
  }

  @Test func wrongName() throws {
    let identity = try TLSServer.Identity(name: "DNS:localhost")
    let server = try TLSServer(identity)
    let options = TransportOptions(authoritiesFile: identity.certificateFile)
    #expect(try run(server, options: options).libraryCode == 60)
    #expect(try run(server, options: options, host: "localhost").isComplete)
  }

  @Test func olderThanTLS12() throws {
    let identity = try TLSServer.Identity(name: "IP:127.0.0.1")
    let server = try TLSServer(identity, arguments: ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
    let result = try run(server, options: .init(authoritiesFile: identity.certificateFile))
    #expect(!result.left)
    #expect(result.status == 0)
  }

  @Test func clientCertificate() throws {
    let identity = try TLSServer.Identity(name: "IP:127.0.0.1")
    let client = try TLSServer.Identity(name: "DNS:client", keyPassword: "word of a key")
    let server = try TLSServer(
      identity, arguments: ["-Verify", "1", "-verify_return_error", "-CAfile", client.certificateFile])
    var options = TransportOptions(authoritiesFile: identity.certificateFile)
    #expect(!(try run(server, options: options).isComplete))
    options.clientCertificate = .init(
      certificateFile: client.certificateFile, keyFile: client.keyFile, keyPassword: "word of a key")
    #expect(try run(server, options: options).isComplete)
    options.clientCertificate?.keyPassword = "another word"
    let result = try run(server, options: options)
    #expect(!result.left)
    #expect(result.libraryCode == 58)
  }

  @Test func filesAreLookedAtBeforeTheFirstRequest() throws {
    for options in [
      TransportOptions(authoritiesFile: "/nowhere/ca.pem"),
      TransportOptions(clientCertificate: .init(certificateFile: "/nowhere/client.pem")),
      TransportOptions(clientCertificate: .init(certificateFile: "/etc/hostname", keyFile: "/nowhere/key.pem")),
    ] {
      do {
        _ = try TransportBench(options)
        Issue.record("a file that is not there was taken")
      } catch let TransportFault.unavailable(words) {
        #expect(words.hasSuffix("cannot be read"))
        #expect(!words.contains("nowhere"))
      }
    }
    #expect(throws: TransportFault.optionInvalid) { try TransportBench(.init(userAgent: "a\r\nX: y")) }
  }
}
