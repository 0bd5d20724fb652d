import JSONText

/// Writes a request body in which the secrets are left out: only their ids are known here.
public struct BodyWriter {
  public var json = JSONWriter()
  private var secrets: [(offset: Int, id: SecretID)] = []

  public init() {}

  /// A member that is a string. The quotes belong to the text around the secret; its bytes must need no escape.
  public mutating func member(_ key: String, secret: SecretID) {
    json.member(key, string: "")
    secrets.append((json.bytes.count - 1, secret))
  }

  public var parts: [BodyPart] {
    var parts: [BodyPart] = []
    var rest = json.bytes[...]
    for secret in secrets {
      parts.append(.text(String(decoding: rest[..<secret.offset], as: UTF8.self)))
      parts.append(.secret(secret.id))
      rest = rest[secret.offset...]
    }
    parts.append(.text(String(decoding: rest, as: UTF8.self)))
    return parts
  }
}
