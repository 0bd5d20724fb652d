/// The host and port of an authority, when both are spelt in the one plain way.
struct RedirectHost {
  /// In small letters; an IPv6 address with its brackets.
  let name: [UInt8]
  /// Nil when none is written.
  let port: Int?
  let isLoopback: Bool

  /// A name of letters, digits and hyphens, four plain decimal numbers, or `[::1]`; then perhaps a port.
  init?(authority: [UInt8]) {
    let loopback6 = "[::1]"
    let isLoopback6 = authority.starts(with: loopback6.utf8)
    let end =
      isLoopback6 ? loopback6.utf8.count : authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
    let name = authority[..<end].map { lowercased($0) }
    self.name = name
    if end == authority.endIndex {
      port = nil
    } else {
      guard let number = Self.port(authority[end...]) else { return nil }
      port = number
    }

    if isLoopback6 {
      isLoopback = true
      return
    }
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard name.count <= 253, labels.allSatisfy({ Self.isLabel($0) }) else { return nil }
    if let last = labels.last, Self.looksNumeric(last) {
      guard labels.count == 4, labels.allSatisfy({ Self.isPlainNumber($0, atMost: 255) }) else { return nil }
      isLoopback = labels.first?.elementsEqual("127".utf8) ?? false
    } else {
      isLoopback = name.elementsEqual("localhost".utf8)
    }
  }

  /// Host and port as a list of hosts may name them.
  func isNamed(_ entry: String, port: Int?) -> Bool {
    var spelling = name
    if let port { spelling += ":\(port)".utf8 }
    return entry.utf8.map { lowercased($0) } == spelling
  }

  /// The number behind a colon.
  private static func port(_ text: ArraySlice<UInt8>) -> Int? {
    let digits = text.dropFirst()
    guard text.first == UInt8(ascii: ":"), isPlainNumber(digits, atMost: 65_535), let number = number(digits),
      number > 0
    else { return nil }
    return number
  }

  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    guard let first = label.first, let last = label.last, label.count <= 63 else { return false }
    let hyphen = UInt8(ascii: "-")
    return first != hyphen && last != hyphen
      && label.allSatisfy { isLetter($0) || isDigit($0) || $0 == hyphen }
  }

  /// Whether browsers would read a host that ends so as an IPv4 address: all digits, or hexadecimal after `0x`.
  private static func looksNumeric(_ label: ArraySlice<UInt8>) -> Bool {
    if label.starts(with: "0x".utf8) { return label.dropFirst(2).allSatisfy { isHexDigit($0) } }
    return label.allSatisfy { isDigit($0) }
  }

  /// Decimal digits with no zero before them.
  private static func isPlainNumber(_ text: ArraySlice<UInt8>, atMost limit: Int) -> Bool {
    guard let first = text.first, text.count <= 5, text.allSatisfy({ isDigit($0) }) else { return false }
    if first == UInt8(ascii: "0") && text.count > 1 { return false }
    guard let number = number(text) else { return false }
    return number <= limit
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    Int(String(decoding: digits, as: UTF8.self))
  }
}
