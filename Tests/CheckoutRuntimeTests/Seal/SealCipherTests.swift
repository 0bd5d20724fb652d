import CSystem
import Testing

/// The vectors of draft-irtf-cfrg-xchacha-03 and RFC 8439.
@Suite("Seal: the cipher's published vectors")
struct SealCipherTests {
  @Test func hchacha20() {
    var subkey = [UInt8](repeating: 0, count: 32)
    hcs_hchacha20(Hex.counting(32), Hex.bytes("000000090000004a0000000031415927"), &subkey)
    #expect(Hex.text(subkey) == "82413b4227b27bfed30e42508a877d73a0f9e4d58a74a853c12ec41326d3ecdc")
  }

  @Test func chacha20Block() {
    var block = [UInt8](repeating: 0, count: 64)
    hcs_chacha20_block(Hex.counting(32), 1, Hex.bytes("000000090000004a00000000"), &block)
    #expect(
      Hex.text(block)
        == "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
        + "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e")
  }

  struct Tag {
    var key: String
    var text: String
    var tag: String
  }

  static let zeros = String(repeating: "00", count: 15)
  static let ones = String(repeating: "ff", count: 15)
  static let four = "0100000000000000" + "0400000000000000" + "00" + zeros
  static let long = "e33594d7505e43b9" + "0000000000000000" + "3394d7505e4379cd" + "0100000000000000" + "00" + zeros

  /// RFC 8439, 2.5.2, then the cases of A.3 in which limbs overflow.
  static let tags = [
    Tag(
      key: "85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b",
      text: "43727970746f6772617068696320466f72756d2052657365617263682047726f7570",
      tag: "a8061dc1305136c6c22b8baf0c0127a9"),
    Tag(key: "02" + zeros + "00" + zeros, text: "ff" + ones, tag: "03" + zeros),
    Tag(key: "02" + zeros + "ff" + ones, text: "02" + zeros, tag: "03" + zeros),
    Tag(key: "01" + zeros + "00" + zeros, text: "ff" + ones + "f0" + ones + "11" + zeros, tag: "05" + zeros),
    Tag(
      key: "01" + zeros + "00" + zeros,
      text: "ff" + ones + "fb" + String(repeating: "fe", count: 15) + String(repeating: "01", count: 16),
      tag: "00" + zeros),
    Tag(key: "02" + zeros + "00" + zeros, text: "fd" + ones, tag: "fa" + ones),
    Tag(key: four, text: long + "01" + zeros, tag: "14000000000000005500000000000000"),
    Tag(key: four, text: long, tag: "13" + zeros),
  ]

  @Test(arguments: tags.indices)
  func poly1305(_ index: Int) {
    let row = Self.tags[index]
    let text = Hex.bytes(row.text)
    for cut in 0...text.count {
      var tag = [UInt8](repeating: 0, count: 16)
      text.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return }
        let pieces = [
          hcs_piece(bytes: start, length: cut), hcs_piece(bytes: start + cut, length: buffer.count - cut),
        ]
        hcs_poly1305(Hex.bytes(row.key), pieces, pieces.count, &tag)
      }
      #expect(Hex.text(tag) == row.tag, "cut at \(cut)")
    }
  }

  static let key = (0x80...0x9f).map { UInt8($0) }
  static let nonce = (0x40...0x57).map { UInt8($0) }
  static let context = Hex.bytes("50515253c0c1c2c3c4c5c6c7")
  static let shown = Array(
    ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen "
      + "would be it.").utf8)
  static let hidden =
    "bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39"
    + "ae64c6708c54c216cb96b72e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff9"
    + "21f9664c97637da9768812f615c68b13b52e"
  static let tag = "c0875924c1c7987947deafd8780acf49"

  @Test func wholeCipher() {
    var text = Self.shown
    var tag = [UInt8](repeating: 0, count: 16)
    hcs_cipher_seal(Self.key, Self.nonce, Self.context, Self.context.count, &text, text.count, &tag)
    #expect(Hex.text(text) == Self.hidden)
    #expect(Hex.text(tag) == Self.tag)
    #expect(hcs_cipher_open(Self.key, Self.nonce, Self.context, Self.context.count, &text, text.count, tag) == 0)
    #expect(text == Self.shown)
  }

  /// One bit anywhere, and nothing is shown.
  @Test func everyEditedBitIsSeen() {
    let parts = [Self.key, Self.nonce, Self.context, Hex.bytes(Self.hidden), Hex.bytes(Self.tag)]
    for part in parts.indices {
      for bit in 0..<parts[part].count * 8 {
        var edited = parts
        edited[part][bit / 8] ^= 1 << UInt8(bit % 8)
        var text = edited[3]
        let opened = hcs_cipher_open(
          edited[0], edited[1], edited[2], edited[2].count, &text, text.count, edited[4])
        #expect(opened == -1, "part \(part), bit \(bit)")
        #expect(text == edited[3])
      }
    }
  }
}

enum Hex {
  static func bytes(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text[...]
    while let byte = UInt8(rest.prefix(2), radix: 16) {
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  static func text(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  static func counting(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0) } }
}
