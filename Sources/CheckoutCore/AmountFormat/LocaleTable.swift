/// Reads `LocaleData`.
struct LocaleTable {
  private let locales = Array(LocaleData.locales.utf8)

  /// The fields behind the names of a locale and of its truncations, of those that are there; root's last.
  func lines(for locale: String) -> [[ArraySlice<UInt8>]] {
    var lines: [[ArraySlice<UInt8>]] = []
    var name = Self.name(locale)[...]
    while !name.isEmpty {
      if let line = line(of: name) { lines.append(fields(of: line)) }
      name = name.prefix(upTo: name.lastIndex(of: UInt8(ascii: "_")) ?? name.startIndex)
    }
    if let root = line(of: Array("root".utf8)[...]) { lines.append(fields(of: root)) }
    return lines
  }

  /// As the table spells: `pt_br` for `pt-BR`. It ends before what no name has, such as POSIX's encoding or a keyword.
  private static func name(_ locale: String) -> [UInt8] {
    var name: [UInt8] = []
    for byte in locale.utf8 {
      if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") {
        name.append(UInt8(ascii: "_"))
      } else if ASCII.isLetter(byte) || ASCII.isDigit(byte) {
        name.append(ASCII.lowercased(byte))
      } else {
        break
      }
    }
    return name
  }

  /// The layout of the first of the lines.
  static func layout(of lines: [[ArraySlice<UInt8>]]) -> LocaleLayout {
    var place = 0
    for byte in lines.first?.first ?? [] { place = place &* 10 &+ Int(byte &- UInt8(ascii: "0")) }
    let layouts = Array(LocaleData.layouts.utf8).split(separator: UInt8(ascii: "\n"))
    return LocaleLayout(layouts.indices.contains(place) ? layouts[place] : [])
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

/// The symbols on one line of `LocaleData.locales`.
struct LocaleSymbols {
  private let fields: ArraySlice<ArraySlice<UInt8>>

  init(_ line: [ArraySlice<UInt8>]) {
    fields = line.dropFirst()
  }

  /// The code itself where the line says that there is none; nil where it says nothing.
  func symbol(of code: String) -> String? {
    for field in fields where ASCII.begins(field, with: code) {
      return field.count == 3 ? code : String(decoding: field.dropFirst(3), as: UTF8.self)
    }
    return nil
  }
}
