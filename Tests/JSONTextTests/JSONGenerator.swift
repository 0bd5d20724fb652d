import JSONText

/// SplitMix64: the same seed gives the same documents everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// Makes random values, and spells them in random ways.
struct JSONGenerator {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[number(below: choices.count)] }
}

// Values.
extension JSONGenerator {
  private static let scalars: [Unicode.Scalar] = [
    "a", "b", "Z", "0", " ", "/", "\"", "\\", "\n", "\r", "\t", "\u{8}", "\u{C}", "\u{1}", "\u{1F}", "\u{7F}", "\u{80}",
    "\u{E9}", "\u{301}", "\u{7FF}", "\u{800}", "\u{2028}", "\u{D7FF}", "\u{E000}", "\u{FEFF}", "\u{FFFF}", "\u{10000}",
    "\u{1F600}", "\u{10FFFF}",
  ]

  mutating func string() -> String {
    var string = ""
    for _ in 0..<number(below: chance(10) ? 40 : 6) { string.unicodeScalars.append(pick(Self.scalars)) }
    return string
  }

  mutating func tree(depth: Int) -> JSONTree {
    switch number(below: depth > 0 ? 8 : 5) {
    case 0: return .null
    case 1: return .boolean(chance(50))
    case 2: return .integer(integer())
    case 3: return .real(Double(number(below: 2_000_001) - 1_000_000) / 64)
    case 4: return .string(Array(string().utf8))
    case 5: return .array((0..<number(below: 5)).map { _ in tree(depth: depth - 1) })
    default: return .object(members(depth: depth - 1))
    }
  }

  private mutating func integer() -> Int64 {
    pick([0, 1, -1, .max, .min, Int64(number(below: 100_000)), Int64(truncatingIfNeeded: random.next())])
  }

  private mutating func members(depth: Int) -> [JSONTree.Member] {
    var seen: Set<[UInt8]> = []
    let keys = (0..<number(below: chance(5) ? 60 : 6)).map { _ in Array(string().utf8) }
    return keys.filter { seen.insert($0).inserted }.map { JSONTree.Member(key: $0, value: tree(depth: depth)) }
  }
}

// Spelling: whitespace, escapes and number formats at random.
extension JSONGenerator {
  mutating func spell(_ tree: JSONTree) -> String {
    space() + spellValue(tree) + space()
  }

  private mutating func spellValue(_ tree: JSONTree) -> String {
    switch tree {
    case .null: return "null"
    case .boolean(let value): return value ? "true" : "false"
    case .integer(let value): return value == 0 && chance(30) ? "-0" : String(value)
    case .real(let value): return spell(value)
    case .string(let bytes): return spell(bytes)
    case .array(let elements):
      return "[" + (elements.isEmpty ? space() : elements.map { spell($0) }.joined(separator: ",")) + "]"
    case .object(let members):
      let spelt = members.map { space() + spell($0.key) + space() + ":" + spell($0.value) }
      return "{" + (members.isEmpty ? space() : spelt.joined(separator: ",")) + "}"
    }
  }

  private mutating func space() -> String {
    chance(80) ? "" : String((0..<number(below: 4)).map { _ in pick([" ", "\n", "\t", "\r"]) as Character })
  }

  /// Sixty-fourths are exact in both notations.
  private mutating func spell(_ value: Double) -> String {
    chance(50) ? "\(value)" : "\(value)\(pick(["e0", "E+0", "e-00", "0e0"]))"
  }

  private mutating func spell(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.reduce(into: "\"") { $0 += spell($1) } + "\""
  }

  private mutating func spell(_ scalar: Unicode.Scalar) -> String {
    let short: [Unicode.Scalar: String] = [
      "\"": #"\""#, "\\": #"\\"#, "/": #"\/"#, "\u{8}": #"\b"#, "\u{C}": #"\f"#, "\n": #"\n"#, "\r": #"\r"#,
      "\t": #"\t"#,
    ]
    if let escape = short[scalar], chance(50) { return escape }
    let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
    guard mustEscape || chance(15) else { return String(Character(scalar)) }
    return UTF16.encode(scalar).map { Array($0) }.map { units in units.map { escape($0) }.joined() } ?? ""
  }

  private mutating func escape(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16, uppercase: chance(50))
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}

// Mutations: what a broken or hostile sender might make of a text.
extension JSONGenerator {
  private static let bytes =
    Array("{}[],:\"\\/0123456789-+.eEtrufalsn \n\t\u{0}\u{1F}".utf8) + [0x7F, 0x80, 0xC3, 0xE2, 0xF0, 0xFF]

  mutating func mutate(_ text: [UInt8]) -> [UInt8] {
    var text = text
    for _ in 0...number(below: 3) {
      let position = number(below: text.count + 1)
      let end = min(text.count, position + number(below: 8))
      switch number(below: 6) {
      case 0: text.insert(pick(Self.bytes), at: position)
      case 1: text.removeSubrange(position..<end)
      case 2: text.insert(contentsOf: text[position..<end], at: position)
      case 3: text.replaceSubrange(position..<end, with: [pick(Self.bytes)])
      case 4:
        text.insert(contentsOf: pick(["\\u", "\\ud800", "\\udc00", "1e9", "null", "[", "{\"a\":"]).utf8, at: position)
      default: if position < text.count { text[position] ^= 1 << UInt8(number(below: 8)) }
      }
    }
    return text
  }
}
