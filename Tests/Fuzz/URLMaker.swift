import URLReadings

/// A seeded source of choices.
struct Dice {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ bound: Int) -> Int { bound <= 1 ? 0 : Int(next() % UInt64(bound)) }
  mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
}

/// URLs near the border between what passes and what does not.
struct URLMaker {
  private let corpus = HostileURL.all.map { $0.url }.filter { $0.utf8.count < 200 }
  private let whole = [
    "https://psp.example/pay", "https://shop.example/return", "https://psp.example:443/?a=b#c", "https://1.2.3.4/",
    "http://127.0.0.1:4711/", "http://localhost/", "https://[::1]:8443/x", "https://shop.example/return?session=1",
    "myapp://return?x", "myapp://return", "com.example.shop:/back", "https://bank.example:8443/x",
  ]
  private let schemes = [
    "https", "https", "https", "http", "HTTPS", "myapp", "javascript", "com.example.shop", "", "h",
  ]
  private let slashes = ["://", "://", "://", ":", ":/", ":///", ":\\\\", ":/\\", "//", ""]
  private let users = ["", "", "", "", "", "a@", "@", ":@", "psp.example@", "psp.example:443@", "a:b@c@", "%40"]
  private let hosts = [
    "psp.example", "shop.example", "evil.example", "PSP.example", "localhost", "127.0.0.1", "[::1]", "127.1", "0x7f.1",
    "1.2.3.4", "0177.0.0.1", "2130706433", "a", "a-b.c", "xn--psp-dma.example", "psp.example.", ".psp.example", "a..b",
    "-a.b", "a_b", "psp%2eexample", "psp。example", "ｐsp.example", "[::2]", "[::ffff:127.0.0.1]", "", "1", "a.1", "a.0x",
    "return", "bank.example", "255.255.255.255", "256.1.1.1", "1.2.3", "a.b.c.d.e", "9a.9b", "0x1.example",
  ]
  private let ports = [
    "", "", "", "", ":443", ":80", ":8443", ":", ":0", ":0443", ":65536", ":443x", ":4 43", ":-1", "::",
  ]
  private let rests = [
    "", "/", "/pay", "/return", "/return?x", "/returned", "/return/..", "/return/%2e%2e/x", "?x", "#x",
    "/?@evil.example",
    "/#@evil.example", "\\@evil.example/", "/a b", "/\u{0}", "/é", "//evil.example", "?session=1", "?session=12", ";x",
  ]
  private let odd = [
    "/", "\\", ":", "@", "?", "#", ".", "..", "%", "%2e", "%2F", "%00", "[", "]", "-", "_", "0", "1", "0x", "443", "é",
    "。",
    "／", "＠", "\u{200B}", "\u{202E}", "\u{AD}", " ", "\t", "\n", "\r", "\u{0}", "\u{7F}", "\u{85}", "\u{A0}", "|", "\"",
    "<",
    "^", "`", "{", "&", "=", ";", "~", "'", "!", "*", "+", ",", "\u{17F}", "\u{212A}", "\u{FEFF}", "xn--",
    "evil.example",
    "https://", "//", "localhost", "127.0.0.1", "\u{10FFFF}", "🏦",
  ]

  func url(_ dice: inout Dice) -> String {
    switch dice.below(4) {
    case 0: assembled(&dice)
    case 1: mutated(dice.pick(whole), &dice)
    case 2: mutated(dice.pick(corpus), &dice)
    default: spliced(dice.pick(corpus), dice.pick(whole), &dice)
    }
  }

  /// Begins as the prefix does, or nearly.
  func near(_ prefix: String, _ dice: inout Dice) -> String {
    let behind = prefix + dice.pick(rests)
    return dice.chance(50) ? behind : mutated(behind, &dice)
  }

  private func assembled(_ dice: inout Dice) -> String {
    [schemes, slashes, users, hosts, ports, rests].map { dice.pick($0) }.joined()
  }

  private func mutated(_ text: String, _ dice: inout Dice) -> String {
    var scalars = Array(text.unicodeScalars)
    for _ in 0...dice.below(3) {
      let at = dice.below(scalars.count + 1)
      let until = min(scalars.count, at + dice.below(3))
      switch dice.below(4) {
      case 0: scalars.removeSubrange(at..<until)
      case 1: scalars.replaceSubrange(at..<until, with: Array(dice.pick(odd).unicodeScalars))
      case 2: scalars.insert(contentsOf: Array(dice.pick(odd).unicodeScalars), at: at)
      default: scalars.insert(Unicode.Scalar(UInt8(truncatingIfNeeded: dice.next()) & 0x7F), at: at)
      }
    }
    return Self.text(scalars[...])
  }

  private func spliced(_ first: String, _ second: String, _ dice: inout Dice) -> String {
    let (first, second) = (Array(first.unicodeScalars), Array(second.unicodeScalars))
    return Self.text(first.prefix(dice.below(first.count + 1)) + second.suffix(dice.below(second.count + 1)))
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    return text
  }
}
