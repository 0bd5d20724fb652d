/// Why the program ends at once, and with which status.
struct Failure: Error {
  let message: String
  let status: Int32

  static func usage(_ message: String) -> Failure { Failure(message: "\(message)\n\(Options.usage)", status: 2) }

  static func start(_ message: String) -> Failure { Failure(message: message, status: 1) }
}
