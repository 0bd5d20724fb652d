import JSONText

/// What a back end wrote into the URL of a return: a JWT. Read unverified and for information only: anyone may have
/// written it, and only the merchant's backend knows whether a payment was made.
enum ReturnStatement {
  private static let longest = 8_192
  private static let longestID = 128

  /// The claim `payment_id` of the JWT in a parameter of the URL's query.
  static func paymentID(in url: String, parameter: String) -> String? {
    guard !parameter.isEmpty, url.utf8.count <= longest, let token = value(of: parameter, in: url) else { return nil }
    let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 3, let payload = Base64.decode(Array(parts[1])),
      let id = (try? JSONDocument(parsing: payload))?.root["payment_id"]?.string,
      !id.isEmpty, id.utf8.count <= longestID
    else { return nil }
    return id
  }

  /// The first of that name. A JWT has no letter that a query must encode.
  private static func value(of parameter: String, in url: String) -> ArraySlice<UInt8>? {
    let bytes = Array(url.utf8)
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
    guard let mark = bytes[..<end].firstIndex(of: UInt8(ascii: "?")) else { return nil }
    let pairs = bytes[(mark + 1)..<end].split(separator: UInt8(ascii: "&"))
    let name = Array(parameter.utf8) + [UInt8(ascii: "=")]
    return pairs.first { $0.starts(with: name) }?.dropFirst(name.count)
  }
}

extension Core {
  mutating func tellPaymentID(in url: String?, of source: String?, _ out: inout [Output]) {
    guard let url, let source, element(source) != nil,
      let id = ReturnStatement.paymentID(in: url, parameter: session.returnStatementParameter)
    else { return }
    tell(.element, &out) { _, writer in
      writer.member("element", string: source)
      writer.member("what", string: "paymentId")
      writer.member("paymentId", string: id)
    }
  }
}
