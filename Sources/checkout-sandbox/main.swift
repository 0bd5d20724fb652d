import Foundation

// The signals are taken by `waitForStop` alone: blocked here, every thread to come inherits it.
StopSignals.block()
do throws(Failure) {
  let options = try Options(CommandLine.arguments.dropFirst())
  let server = try Server(options)
  try server.announce(options)
  StopSignals.wait()
  server.stop()
} catch {
  FileHandle.standardError.write(Data("checkout-sandbox: \(error.message)\n".utf8))
  exit(error.status)
}
