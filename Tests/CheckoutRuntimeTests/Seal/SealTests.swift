import CSystem
import CheckoutCore
import Testing

@testable import CheckoutRuntime

@Suite("Seal: numbers")
struct SealTests {
  private final class Store {
    let pointer: OpaquePointer
    init() throws { pointer = try #require(hcs_secret_store_create()) }
    deinit { hcs_secret_store_destroy(pointer) }

    func intern(_ text: String) -> SecretID { intern(Array(text.utf8)) }
    func intern(_ bytes: [UInt8]) -> SecretID { SecretID(hcs_secret_intern(pointer, bytes, bytes.count)) }
    func release(_ secret: SecretID) { hcs_secret_release(pointer, secret.value) }
    func holds(_ secret: SecretID) -> Bool { hcs_secret_length(pointer, secret.value) > 0 }

    func text(_ secret: SecretID) -> String {
      var bytes = [UInt8](repeating: 0, count: 128)
      let count = hcs_secret_copy(pointer, secret.value, &bytes, bytes.count)
      return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    func seal(_ number: SecretID, _ code: SecretID?, _ key: SecretID) -> [UInt8]? {
      var sealed = [UInt8](repeating: 0, count: Int(HCS_SEALED_LENGTH))
      let nonce = Hex.counting(24)
      let result = hcs_seal(pointer, key.value, nonce, number.value, code?.value ?? 0, [1, 2], 2, &sealed)
      return result == 0 ? sealed : nil
    }

    func open(_ sealed: [UInt8], _ key: SecretID, _ context: [UInt8] = [1, 2]) -> (SecretID, SecretID)? {
      var number: UInt64 = 7
      var code: UInt64 = 7
      let result = hcs_open(pointer, key.value, sealed, sealed.count, context, context.count, &number, &code)
      if result != 0 { #expect(number == 0 && code == 0) }
      return result == 0 ? (SecretID(number), SecretID(code)) : nil
    }
  }

  @Test func numbersAndCodesOfEveryLengthComeBack() throws {
    let store = try Store()
    let key = store.intern(Hex.counting(32))
    for numberLength in 1...62 {
      for codeLength in [0, 1, 12, 62 - numberLength] where numberLength + codeLength <= 62 {
        let number = String(repeating: "4", count: numberLength)
        let code = String(repeating: "7", count: codeLength)
        let typed = (store.intern(number), codeLength == 0 ? nil : store.intern(code))
        let sealed = try #require(store.seal(typed.0, typed.1, key))
        store.release(typed.0)
        if let code = typed.1 { store.release(code) }
        let opened = try #require(store.open(sealed, key))
        #expect(store.text(opened.0) == number)
        #expect(codeLength == 0 ? opened.1.value == 0 : store.text(opened.1) == code)
        store.release(opened.0)
        store.release(opened.1)
        #expect(!store.holds(opened.0) && !store.holds(opened.1))
      }
    }
  }

  @Test func nothingElseIsSealed() throws {
    let store = try Store()
    let key = store.intern(Hex.counting(32))
    let number = store.intern("6000000100005000")
    #expect(store.seal(store.intern(String(repeating: "4", count: 63)), nil, key) == nil)
    #expect(store.seal(number, store.intern(String(repeating: "4", count: 47)), key) == nil)
    #expect(store.seal(store.intern(""), nil, key) == nil)
    #expect(store.seal(SecretID(99), nil, key) == nil)
    #expect(store.seal(number, nil, SecretID(99)) == nil)
    #expect(store.seal(number, nil, store.intern(Hex.counting(31))) == nil)
    #expect(store.seal(number, nil, store.intern(Hex.counting(33))) == nil)
  }

  @Test func nothingElseIsOpened() throws {
    let store = try Store()
    let key = store.intern(Hex.counting(32))
    let sealed = try #require(store.seal(store.intern("6000000100005000"), store.intern("7391"), key))
    #expect(store.open(sealed, store.intern([UInt8](repeating: 9, count: 32))) == nil)
    #expect(store.open(sealed, SecretID(99)) == nil)
    for context in [[], [1], [1, 3], [1, 2, 0]] as [[UInt8]] { #expect(store.open(sealed, key, context) == nil) }
    for length in 0..<sealed.count { #expect(store.open(Array(sealed.prefix(length)), key) == nil) }
    #expect(store.open(sealed + [0], key) == nil)
    for bit in 0..<sealed.count * 8 {
      var edited = sealed
      edited[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(store.open(edited, key) == nil, "bit \(bit)")
    }
    #expect(store.open(sealed, key) != nil)
  }

  // MARK: What the runtime makes of it

  private func read(_ store: Store, item: String = "easy2play-giftcard", number: String) -> ReadSecondary {
    ReadSecondary(
      item: item,
      number: TypedNumber(
        secret: store.intern(number), length: number.utf8.count, lastFour: String(number.suffix(4))),
      securityCode: nil, tag: nil)
  }

  @Test func eachSealIsAnother() throws {
    let store = try Store()
    let seal = Seal(store: store.pointer, key: store.intern(Hex.counting(32)), session: "s1")
    let read = read(store, number: "6000000100005000")
    let texts = try (0..<100).map { _ in try #require(seal.sealed(read)) }
    #expect(Set(texts).count == texts.count)
    #expect(texts.allSatisfy { $0.utf8.count == 140 && !$0.contains("5000") })
  }

  /// The snapshot's card, as far as opening it asks.
  private func saved(item: String, mask: String, sealed: String) throws -> SavedState {
    let text = """
      {"format":1,"savedAt":1,"revision":1,"marked":false,"widgetData":"","disabledMethods":[],"instanceId":"i",\
      "primary":null,"giftCards":[{"id":"gc1","item":"\(item)","mask":"\(mask)","balance":5000,"expiresAt":null,\
      "init":{"id":"i1","stepId":1},"sealed":"\(sealed)"}],"slices":[],"collected":{},"generations":{},\
      "spentSessions":[],"leftSessions":[],"terminated":false,\
      "ledger":{"mark":"clear","key":null,"repeats":false,"attempt":null},\
      "attempt":null,"next":{"attempt":1,"call":1,"ticket":1,"token":2,"presentation":1}}
      """
    return try SavedState(Array(text.utf8))
  }

  @Test func aSealBelongsToOneCardOfOneSession() throws {
    let store = try Store()
    let key = store.intern(Hex.counting(32))
    let read = read(store, number: "6000000100005000")
    let sealed = try #require(Seal(store: store.pointer, key: key, session: "s1").sealed(read))
    store.release(read.number.secret)
    let rows = [
      ("s1", "easy2play-giftcard", "**** 5000", sealed, true),
      ("s2", "easy2play-giftcard", "**** 5000", sealed, false),
      ("s1", "buybox-giftcard", "**** 5000", sealed, false),
      ("s1", "easy2play-giftcard", "**** 5001", sealed, false),
      ("s1", "easy2play-giftcard", "**** 5000", "", false),
      ("s1", "easy2play-giftcard", "**** 5000", "?", false),
    ]
    for (session, item, mask, sealed, opens) in rows {
      var saved = try saved(item: item, mask: mask, sealed: sealed)
      Seal(store: store.pointer, key: key, session: session).open(&saved)
      #expect(saved.secrets.map { store.text($0) } == (opens ? ["6000000100005000"] : []))
      for secret in saved.secrets { store.release(secret) }
    }
  }

  // MARK: The key that a host passes

  private func taken(_ member: String, _ store: Store) -> Result<SecretID?, CheckoutError> {
    var bytes = Array(#"{"widgetData":"d"\#(member)}"#.utf8)
    var reading = SecretReading(store.pointer)
    defer { #expect(bytes.allSatisfy { $0 == 0 }, "the request is wiped") }
    do throws(CheckoutError) {
      let options = try RuntimeOptions(HostJSON.object(Array("{}".utf8)))
      return .success(try reading.create(&bytes, isRestore: false, options).sealKey)
    } catch {
      reading.giveBack()
      return .failure(error)
    }
  }

  @Test(
    arguments: [
      "//79/Pv6+fj39vX08/Lx8O/u7ezr6uno5+bl5OPi4eA=", #"\/\/79\/Pv6+fj39vX08\/Lx8O\/u7ezr6uno5+bl5OPi4eA\u003d"#,
      "__79_Pv6-fj39vX08_Lx8O_u7ezr6uno5-bl5OPi4eA",
    ])
  func keysAreRead(_ text: String) throws {
    let store = try Store()
    let key = try #require(try taken(#","sealKey":"\#(text)""#, store).get())
    var bytes = [UInt8](repeating: 0, count: 64)
    #expect(hcs_secret_copy(store.pointer, key.value, &bytes, 64) == 32)
    #expect(Array(bytes.prefix(32)) == (0..<32).map { UInt8(255 - $0) })
  }

  @Test func noKeyIsNoKey() throws {
    let store = try Store()
    #expect(try taken("", store).get() == nil)
    #expect(try taken(#","sealKey":null"#, store).get() == nil)
  }

  @Test(
    arguments: [
      #""""#, #""AAAA""#, #""AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHg==""#,
      #""AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g""#, #""AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=""#,
      #""AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdH?8=""#, "1", "true", "[]", "{}",
      #""\#(String(repeating: "A", count: 100_000))""#,
    ])
  func otherKeysAreRefused(_ value: String) throws {
    let store = try Store()
    guard case .failure(let error) = taken(#","sealKey":\#(value)"#, store) else {
      Issue.record("taken")
      return
    }
    #expect(error.code == .invalidArgument)
    #expect(error.path == "sealKey")
    #expect(!error.json.contains("AAEC") && !error.json.contains("AAAA"))
  }
}
