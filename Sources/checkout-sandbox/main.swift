import Foundation

// The signals are taken by `StopSignals.wait` alone: blocked here, for every thread to come.
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
