import CheckoutCore
import JSONText

/// What a client token says: the payload of a JWT. Nobody here could check its signature; the back end does.
struct ClientToken: Hashable, Sendable {
  let accessToken: String
  let configurationURL: String?
  let coreURL: String?
  let pciURL: String?
  let environment: String
  let intent: String
  /// Milliseconds since 1970.
  let expiresAt: Int64
  let sessionID: String
  let statusURL: String?
  let redirectURL: String?
  /// A voucher's data, as a JSON object.
  let voucher: String

  /// nil for what is no token.
  init?(_ text: String) {
    guard let payload = ClientToken.payload(text), let accessToken = payload.text("accessToken"),
      isVisibleASCII(accessToken)
    else { return nil }
    self.accessToken = accessToken
    configurationURL = payload.text("configurationUrl")
    coreURL = payload.text("coreUrl")
    pciURL = payload.text("pciUrl")
    environment = String(decoding: (payload.text("env") ?? "").utf8.map { $0 | ClientToken.capital($0) }, as: UTF8.self)
    intent = payload.text("intent") ?? ""
    let seconds = payload.number("expiration") ?? payload.number("exp")
    expiresAt = seconds.flatMap { ClientToken.milliseconds($0) } ?? ClientSession.never
    sessionID = payload.text("clientSessionId") ?? "token-" + ClientToken.fingerprint(accessToken)
    statusURL = payload.text("statusUrl")
    redirectURL = payload.text("redirectUrl")
    voucher = ClientToken.voucher(payload)
  }

  /// The second of the parts that dots divide.
  private static func payload(_ text: String) -> JSONValue? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count >= 2, let bytes = Base64.decode(Array(parts[1])),
      let root = try? JSONDocument(parsing: bytes).root, root.kind == .object
    else { return nil }
    return root
  }

  /// The bit that makes a small letter of a capital.
  private static func capital(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? 0x20 : 0
  }

  private static func milliseconds(_ seconds: Int64) -> Int64? {
    let (milliseconds, isTooLarge) = seconds.multipliedReportingOverflow(by: 1_000)
    return isTooLarge || milliseconds >= ClientSession.never ? nil : milliseconds
  }

  /// A name for a session that its token does not name. FNV-1a: it need not be secret, only its own.
  private static func fingerprint(_ text: String) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return RandomBytes(high: hash, low: 0).tag
  }

  private static func voucher(_ payload: JSONValue) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    for key in ["entity", "reference", "expiresAt"] { writer.member(key, optionalString: payload.text(key)) }
    writer.endObject()
    return writer.text
  }

  var urls: [String] { [configurationURL, coreURL, pciURL].compactMap { $0 } }
  /// All of its addresses can stand in a request.
  var isPlain: Bool { urls.allSatisfy { isVisibleASCII($0) } }
}
