/// An error answer: `{"code","message","pointer"}`.
struct Refusal: Error, Hashable {
  let status: Int
  let code: String
  let message: String
  /// The offending value, as a JSON pointer into the request's body.
  var pointer: String?

  init(_ status: Int, _ code: String, _ message: String, at pointer: String? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.pointer = pointer
  }

  var response: SandboxResponse {
    var document: SandboxJSON = ["code": .string(code), "message": .string(message)]
    if let pointer { document["pointer"] = .string(pointer) }
    return .json(status, document)
  }

  static let notFound = Refusal(404, "NOT_FOUND", "There is nothing at this path.")

  static func methodNotAllowed(_ method: String) -> Refusal {
    Refusal(405, "METHOD_NOT_ALLOWED", "This path does not know the method \(method).")
  }
}
