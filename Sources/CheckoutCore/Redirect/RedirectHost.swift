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
    let isLoopback6 = ASCII.begins(authority[...], with: loopback6)
    let end =
      isLoopback6 ? loopback6.utf8.count : authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
    let name = authority[..<end].map { ASCII.lowercased($0) }
    self.name = name
    if end == authority.endIndex {
      port = nil
    } else {
      guard let number = Self.port(authority[end...]), number > 0 else { return nil }
      port = number
    }

    if isLoopback6 {
      isLoopback = true
      return
    }
    let labels = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard name.count <= 253, labels.allSatisfy({ Self.isLabel($0) }) else { return nil }
    if let last = labels.last, Self.looksNumeric(last) {
      guard labels.count == 4, labels.allSatisfy({ Self.plainNumber($0, atMost: 255) != nil }) else { return nil }
      isLoopback = labels.first?.elementsEqual("127".utf8) ?? false
    } else {
      isLoopback = name.elementsEqual("localhost".utf8)
    }
  }

  /// Whether an entry of a list of hosts names this host, with exactly this port or, unless one is asked for, with none.
  func isNamed(_ entry: String, port: Int, isPortOptional: Bool) -> Bool {
    let spelling = entry.utf8.map { ASCII.lowercased($0) }
    return spelling == name + Array(":\(port)".utf8) || isPortOptional && spelling == name
  }

  /// The number behind a colon.
  private static func port(_ text: ArraySlice<UInt8>) -> Int? {
    guard text.first == UInt8(ascii: ":") else { return nil }
    return plainNumber(text.dropFirst(), atMost: 65_535)
  }

  private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
    guard let first = label.first, let last = label.last, label.count <= 63 else { return false }
    let hyphen = UInt8(ascii: "-")
    return first != hyphen && last != hyphen
      && label.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == hyphen }
  }

  /// Whether browsers would read a host that ends so as an IPv4 address: all digits, or hexadecimal after `0x`.
  private static func looksNumeric(_ label: ArraySlice<UInt8>) -> Bool {
    if ASCII.begins(label, with: "0x") { return label.dropFirst(2).allSatisfy { ASCII.isHexDigit($0) } }
    return label.allSatisfy { ASCII.isDigit($0) }
  }

  /// The number that decimal digits with no zero before them spell.
  private static func plainNumber(_ text: ArraySlice<UInt8>, atMost limit: Int) -> Int? {
    guard let first = text.first, text.count <= 5, text.count == 1 || first != UInt8(ascii: "0") else { return nil }
    var number = 0
    for byte in text {
      guard ASCII.isDigit(byte) else { return nil }
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
    }
    return number <= limit ? number : nil
  }
}
