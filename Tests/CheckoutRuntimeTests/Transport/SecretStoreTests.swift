import CSystem
import Foundation
import Testing

@Suite struct SecretStoreTests {
  private final class Store {
    let pointer: OpaquePointer
    init() throws { pointer = try #require(hcs_secret_store_create()) }
    deinit { hcs_secret_store_destroy(pointer) }

    func intern(_ text: String) -> UInt64 {
      let bytes = Array(text.utf8)
      return hcs_secret_intern(pointer, bytes, bytes.count)
    }

    func text(_ identifier: UInt64) -> String {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = hcs_secret_copy(pointer, identifier, &bytes, bytes.count)
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
  }

  @Test func equalContentIsOneSecret() throws {
    let store = try Store()
    let first = store.intern("1234")
    #expect(first != 0)
    #expect(store.intern("1234") == first)
    #expect(store.intern("1235") != first)
    #expect(store.intern("123") != first)
    #expect(store.intern("") != 0)
    #expect(store.text(first) == "1234")
    #expect(hcs_secret_length(store.pointer, first) == 4)
  }

  @Test func everyOwnerCounts() throws {
    let store = try Store()
    let secret = store.intern("1234")
    #expect(store.intern("1234") == secret)
    hcs_secret_retain(store.pointer, secret)
    for _ in 0..<2 {
      hcs_secret_release(store.pointer, secret)
      #expect(store.text(secret) == "1234")
    }
    hcs_secret_release(store.pointer, secret)
    #expect(hcs_secret_length(store.pointer, secret) == 0)
    hcs_secret_release(store.pointer, secret)
    #expect(store.intern("1234") != secret, "an id never means something else later")
  }

  @Test func bodyGrowsAndIsWhole() throws {
    let store = try Store()
    let secret = store.intern(String(repeating: "s", count: 5000))
    let body = try #require(hcs_body_create(store.pointer))
    defer { hcs_body_destroy(body) }
    var expected: [UInt8] = []
    for round in 0..<50 {
      let text = [UInt8](repeating: UInt8(round), count: round * 97)
      #expect(hcs_body_append_text(body, text, text.count) == 0)
      #expect(hcs_body_append_secret(body, secret) == 0)
      expected += text + [UInt8](repeating: UInt8(ascii: "s"), count: 5000)
    }
    var length = 0
    let bytes = hcs_body_bytes(body, &length)
    #expect(Array(UnsafeBufferPointer(start: bytes, count: length)) == expected)
  }

  @Test func bodyWithoutItsSecretIsUnusable() throws {
    let store = try Store()
    let body = try #require(hcs_body_create(store.pointer))
    defer { hcs_body_destroy(body) }
    #expect(hcs_body_append_secret(body, 99) == -1)
    #expect(hcs_body_append_text(body, [65], 1) == -1)
    var length = 7
    #expect(hcs_body_bytes(body, &length) == nil)
    #expect(length == 0)
  }

  /// The pages of secrets and of bodies that hold one are flagged "dd" (no dump) and "wf" (wiped in a forked child).
  @Test func pagesStayOutOfCoreDumps() throws {
    let store = try Store()
    let body = try #require(hcs_body_create(store.pointer))
    defer { hcs_body_destroy(body) }
    let secret = store.intern("1234")
    let filler = [UInt8](repeating: 1, count: 100_000)
    #expect(hcs_body_append_text(body, [2], 1) == 0)
    #expect(hcs_body_append_secret(body, secret) == 0)
    for bytes in [[2], filler] {
      #expect(hcs_body_append_text(body, bytes, bytes.count) == 0)
      var length = 0
      let address = try #require(hcs_body_bytes(body, &length))
      let flags = try #require(try Self.flags(at: UInt(bitPattern: address)))
      #expect(flags.contains("dd"))
      #expect(flags.contains("wf"))
      #expect(Array(UnsafeBufferPointer(start: address, count: 5)) == [2] + Array("1234".utf8))
    }
  }

  private static func flags(at address: UInt) throws -> [Substring]? {
    var isInside = false
    let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/smaps"))
    let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    for line in text.split(separator: "\n") {
      if let range = line.split(separator: " ").first?.split(separator: "-"), range.count == 2,
        let start = UInt(range[0], radix: 16), let end = UInt(range[1], radix: 16)
      {
        isInside = start <= address && address < end
      } else if isInside, line.hasPrefix("VmFlags:") {
        return line.split(separator: " ")
      }
    }
    return nil
  }

  @Test func textCopyEndsInNUL() throws {
    let copy = try #require(hcs_text_copy([65, 66, 67], 2))
    defer { hcs_free(copy) }
    #expect(String(cString: copy) == "AB")
    let empty = try #require(hcs_text_copy(nil, 0))
    defer { hcs_free(empty) }
    #expect(empty[0] == 0)
  }
}
