/// Reads `LocaleData`.
struct LocaleTable {
  private let locales = Array(LocaleData.locales.utf8)

  /// The lines of a locale and of its truncations, those that are there; root's last.
  func lines(for locale: String) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var name = Self.name(locale)[...]
    while !name.isEmpty {
      if let line = line(of: name) { lines.append(line) }
      name = name.prefix(upTo: name.lastIndex(of: UInt8(ascii: "_")) ?? name.startIndex)
    }
    if let root = line(of: Array("root".utf8)[...]) { lines.append(root) }
    return lines
  }

  /// As the table spells: `pt_br` for `pt-BR`, with neither POSIX's encoding nor a keyword.
  private static func name(_ locale: String) -> [UInt8] {
    var name: [UInt8] = []
    for byte in locale.utf8 {
      if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "@") { break }
      name.append(byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : ASCII.lowercased(byte))
    }
    return name
  }

  /// The layout of the first of the lines.
  func layout(of lines: [Range<Int>]) -> LocaleLayout {
    var place = 0
    if let line = lines.first, let written = fields(of: line).first {
      for byte in written { place = place &* 10 &+ Int(byte &- UInt8(ascii: "0")) }
    }
    let layouts = Array(LocaleData.layouts.utf8).split(separator: UInt8(ascii: "\n"))
    return LocaleLayout(layouts.indices.contains(place) ? layouts[place] : [])
  }

  /// A line's own symbol of a currency; the code itself where the line says that it has none.
  func symbol(of code: String, in line: Range<Int>) -> String? {
    guard code.utf8.count == 3 else { return nil }
    for field in fields(of: line).dropFirst() where ASCII.begins(field, with: code) {
      return field.count == 3 ? code : String(decoding: field.dropFirst(3), as: UTF8.self)
    }
    return nil
  }

  private func fields(of line: Range<Int>) -> [ArraySlice<UInt8>] {
    locales[line].split(separator: UInt8(ascii: ","))
  }

  // MARK: Finding a line

  /// What follows a locale's name and its comma, to the end of the line. The lines are in the order of their bytes, and a
  /// comma comes before whatever a name may have.
  private func line(of name: ArraySlice<UInt8>) -> Range<Int>? {
    var low = 0
    var high = locales.count
    while low < high {
      let line = line(around: (low + high) / 2)
      switch order(line, name) {
      case 0: return line.lowerBound + name.count + 1..<line.upperBound
      case 1...: high = line.lowerBound
      default: low = line.upperBound + 1
      }
    }
    return nil
  }

  private func line(around place: Int) -> Range<Int> {
    let start = locales[..<place].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return start..<(locales[place...].firstIndex(of: UInt8(ascii: "\n")) ?? locales.count)
  }

  /// 0 when the line is the name's; otherwise on which side of it the line is.
  private func order(_ line: Range<Int>, _ name: ArraySlice<UInt8>) -> Int {
    var place = line.lowerBound
    for byte in name {
      guard place < line.upperBound else { return -1 }
      if locales[place] != byte { return Int(locales[place]) - Int(byte) }
      place += 1
    }
    guard place < line.upperBound else { return -1 }
    return Int(locales[place]) - Int(UInt8(ascii: ","))
  }
}
