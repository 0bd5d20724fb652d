import CheckoutCore
import Foundation
import Testing

@Suite("Random bytes as text")
struct RandomBytesTests {
  @Test("Known bytes")
  func known() {
    let bytes = RandomBytes(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
    #expect(bytes.hex == "00112233445566778899aabbccddeeff")
    #expect(bytes.uuid == "00112233-4455-4677-8899-aabbccddeeff")
    #expect(RandomBytes(high: 0, low: 0).uuid == "00000000-0000-4000-8000-000000000000")
    #expect(RandomBytes(high: .max, low: .max).uuid == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    #expect(RandomBytes(high: 0, low: 1).hex == "00000000000000000000000000000001")
  }

  @Test("Random bytes: all of them in hex, a version 4 UUID that Foundation reads")
  func random() throws {
    var random = ValueGenerator(seed: 61)
    let version4 = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
    for _ in 0..<2_000 {
      let bytes = RandomBytes(high: random.next(), low: random.next())
      #expect(bytes.hex == String(format: "%016lx%016lx", bytes.high, bytes.low))
      #expect(bytes.uuid.wholeMatch(of: version4) != nil)
      #expect(try #require(UUID(uuidString: bytes.uuid)).uuidString.lowercased() == bytes.uuid)
    }
  }
}
