import CheckoutCore
import JSONText

/// The decoded `widget.data`: the envelope around a payment session.
struct SessionBlob {
  static let maximumBytes = 1_048_576

  let apiKey: String?
  let entityID: String
  let environment: String
  let session: FieldReader
  let walletSession: WalletSession?

  init(_ widgetData: String) throws(CheckoutError) {
    let root = FieldReader(try SessionBlob.root(widgetData), "")
    let apiKeyName = try root.spelling(of: Choices.apiKey)
    let entityName = try root.spelling(of: Choices.entityID)
    let environmentName = try root.spelling(of: Choices.environment)
    let sessionName = try root.spelling(of: Choices.session)
    let walletName = try root.spelling(of: Choices.walletSession)
    try SessionBlob.checkNothingIsMissing(root, [environmentName, entityName], sessionName)

    environment = try root.nonEmptyString(environmentName)
    entityID = try root.pathSegment(entityName)
    apiKey = try SessionBlob.apiKey(root, apiKeyName)
    session = try root.object(sessionName)
    walletSession = try root.optionalObject(walletName).map { fields throws(CheckoutError) in
      try Purse.walletSession(fields)
    }
  }

  private static func root(_ widgetData: String) throws(CheckoutError) -> JSONValue {
    guard let bytes = Base64.decode(widgetData) else {
      throw CheckoutError(.sessionMalformed, message: "not base64", path: "widgetData")
    }
    let limits = JSONLimits(maximumBytes: maximumBytes)
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONDocument(parsing: bytes, limits: limits).root
    } catch {
      throw CheckoutError(.sessionMalformed, message: error.message, path: "widgetData", offset: error.offset)
    }
    guard root.kind == .object else {
      throw CheckoutError(
        .sessionMalformed, message: "an object is wanted", path: "widgetData", offset: root.offset)
    }
    return root
  }

  /// A session without an API key is legal; one whose key could begin another header is not.
  private static func apiKey(_ root: FieldReader, _ name: String) throws(CheckoutError) -> String? {
    guard let key = try root.optionalString(name), !key.isEmpty else { return nil }
    guard isVisibleASCII(key) else { throw root.malformed(name, "not the value of a header") }
    return key
  }

  // MARK: What must be there

  /// One error names all that is missing.
  private static func checkNothingIsMissing(
    _ root: FieldReader, _ names: [String], _ sessionName: String
  ) throws(CheckoutError) {
    var missing = names.filter { !root.has($0) }
    var offset = root.value.offset
    if !root.has(sessionName) {
      missing.append(sessionName)
    } else if let session = root.value[sessionName], session.kind == .object {
      let fields = FieldReader(session, sessionName)
      if missing.isEmpty { offset = session.offset }
      missing += SessionFields.required(fields).filter { !fields.has($0) }.map { sessionName + "." + $0 }
    }
    guard let first = missing.first else { return }
    throw CheckoutError(
      .sessionMalformed, message: "something is missing", path: first, offset: offset,
      details: details("missing", missing))
  }

  static func details(_ key: String, _ names: [String]) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key(key)
    writer.beginArray()
    for name in names { writer.string(name) }
    writer.endArray()
    writer.endObject()
    return writer.text
  }
}
