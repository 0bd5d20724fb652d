extension SandboxRequest {
  /// The body as JSON.
  func json() throws(Refusal) -> SandboxJSON {
    do throws(SandboxJSONError) {
      return try SandboxJSON(reading: body ?? [])
    } catch {
      throw Refusal(400, "MALFORMED_JSON", "The body is no JSON: \(error.reason) at byte \(error.offset).")
    }
  }

  /// The body as a JSON object.
  func jsonObject() throws(Refusal) -> SandboxJSON {
    let document = try json()
    guard document.members != nil else { throw Refusal(400, "MALFORMED_JSON", "The body is no JSON object.") }
    return document
  }

  /// Client calls say what they send.
  func requireJSONContentType() throws(Refusal) {
    let type = header("Content-Type")?.split(separator: ";").first?.trimmingPrefix(" ").lowercased()
    guard type == "application/json" else {
      throw Refusal(415, "UNSUPPORTED_MEDIA_TYPE", "The Content-Type is not application/json.")
    }
  }
}

extension SandboxJSON {
  /// Refuses names that are not in the list.
  func requireNames(_ allowed: Set<String>, at pointer: String, status: Int) throws(Refusal) {
    for member in members ?? [] where !allowed.contains(member.name) {
      throw Refusal(status, "UNKNOWN_KEY", "This key is unknown.", at: "\(pointer)/\(member.name)")
    }
  }
}
