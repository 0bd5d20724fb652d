/// How a browser reads an http or https URL, after the URL Standard of the WHATWG, as far as it goes without tables of
/// Unicode and without IPv6 but `[::1]`. It mends what the policy refuses, so that it would find a URL that is let
/// through and mended.
extension URLReading {
  public static func browser(_ url: String) -> URLReading {
    var scalars = Array(url.unicodeScalars)[...]
    while let first = scalars.first, first.value <= 0x20 { scalars = scalars.dropFirst() }
    while let last = scalars.last, last.value <= 0x20 { scalars = scalars.dropLast() }
    let kept = scalars.filter { $0 != "\t" && $0 != "\n" && $0 != "\r" }
    guard let colon = kept.firstIndex(of: ":") else { return .refused }
    let scheme = String(String.UnicodeScalarView(kept[..<colon])).lowercased()
    guard scheme == "http" || scheme == "https" else { return isScheme(scheme) ? .unread : .refused }
    // A special scheme: any number of slashes of either kind, and the authority.
    let rest = kept[(colon + 1)...].drop { $0 == "/" || $0 == "\\" }
    let authority = rest.prefix { !["/", "\\", "?", "#"].contains($0) }
    let behind = authority.lastIndex(of: "@").map { authority[($0 + 1)...] } ?? authority
    return place(scheme, behind)
  }

  private static func isScheme(_ text: String) -> Bool {
    guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || "+-.".utf8.contains(byte)
    }
  }

  private static func place(_ scheme: String, _ authority: ArraySlice<Unicode.Scalar>) -> URLReading {
    if authority.first == "[" { return bracketed(scheme, authority) }
    let host = authority.prefix { $0 != ":" }
    guard let port = port(authority.dropFirst(host.count), scheme) else { return .refused }
    guard let decoded = percentDecoded(host) else { return .unread }
    if decoded.isEmpty { return .refused }
    guard !decoded.contains(where: { isForbidden($0) }) else { return .refused }
    let name = String(decoding: decoded, as: UTF8.self).lowercased()
    // Whether Punycode is well-formed is a matter of tables.
    if name.split(separator: ".").contains(where: { $0.hasPrefix("xn--") }) { return .unread }
    guard let address = address(name) else { return .refused }
    return .place(scheme: scheme, host: address, port: port)
  }

  private static func bracketed(_ scheme: String, _ authority: ArraySlice<Unicode.Scalar>) -> URLReading {
    guard let end = authority.firstIndex(of: "]") else { return .refused }
    guard String(String.UnicodeScalarView(authority[...end])) == "[::1]" else { return .unread }
    guard let port = port(authority[(end + 1)...], scheme) else { return .refused }
    return .place(scheme: scheme, host: "[::1]", port: port)
  }

  /// The port behind a colon, or the scheme's own where nothing is.
  private static func port(_ text: ArraySlice<Unicode.Scalar>, _ scheme: String) -> Int? {
    let usual = scheme == "http" ? 80 : 443
    guard let colon = text.first else { return usual }
    guard colon == ":" else { return nil }
    let digits = text.dropFirst()
    if digits.isEmpty { return usual }
    guard digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
    guard let number = Int(String(String.UnicodeScalarView(digits))), number <= 65_535 else { return nil }
    return number
  }

  /// nil for what is not ASCII once decoded.
  private static func percentDecoded(_ host: ArraySlice<Unicode.Scalar>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var left = host
    while let first = left.first {
      let pair = left.dropFirst().prefix(2)
      if first == "%", pair.count == 2, let byte = UInt8(String(String.UnicodeScalarView(pair)), radix: 16) {
        bytes.append(byte)
        left = left.dropFirst(3)
      } else {
        bytes += Array(String(first).utf8)
        left = left.dropFirst()
      }
    }
    return bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
  }

  /// The forbidden domain code points.
  private static func isForbidden(_ byte: UInt8) -> Bool {
    byte <= 0x20 || byte == 0x7F || "#/:<>?@[\\]^|%".utf8.contains(byte)
  }

  /// The name, or the address that a name which ends in a number is; nil where it is neither.
  private static func address(_ name: String) -> String? {
    var labels = name.split(separator: ".", omittingEmptySubsequences: false)
    if labels.last == "", labels.count > 1 { labels.removeLast() }
    guard let last = labels.last else { return nil }
    guard !last.isEmpty, last.allSatisfy({ $0.isNumber }) || number(last) != nil else { return name }
    let numbers = labels.compactMap { number($0) }
    guard numbers.count == labels.count, numbers.count <= 4, let end = numbers.last,
      numbers.dropLast().allSatisfy({ $0 <= 255 }), end < 1 << (8 * (5 - UInt64(numbers.count)))
    else { return nil }
    var whole = end
    for (position, part) in numbers.dropLast().enumerated() { whole += part << (8 * (3 - UInt64(position))) }
    return [24, 16, 8, 0].map { String(whole >> $0 & 255) }.joined(separator: ".")
  }

  private static func number(_ label: Substring) -> UInt64? {
    if label.isEmpty { return nil }
    if label.hasPrefix("0x") { return label.count == 2 ? 0 : UInt64(label.dropFirst(2), radix: 16) }
    if label.hasPrefix("0"), label.count > 1 { return UInt64(label.dropFirst(), radix: 8) }
    return label.first == "+" || label.first == "-" ? nil : UInt64(label)
  }
}
