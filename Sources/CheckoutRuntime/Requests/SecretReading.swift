import CSystem
import CheckoutCore
import JSONText

/// Reads requests that hold numbers or a key without making text of those: they go from the bytes into the store, and
/// the bytes are wiped.
struct SecretReading {
  let store: OpaquePointer
  /// What was taken into the store, for giving back when the call is refused.
  private(set) var taken: [SecretID] = []

  init(_ store: OpaquePointer) { self.store = store }

  /// `bytes` are wiped whatever happens. They must be the caller's only copy.
  mutating func read(_ bytes: inout [UInt8]) throws(CheckoutError) -> ReadSecondary {
    defer { bytes.withUnsafeMutableBytes { hcs_wipe($0.baseAddress, $0.count) } }
    return try take(bytes)
  }

  /// Apart, so that the document no longer shares the bytes when they are wiped.
  @inline(never)
  private mutating func take(_ bytes: [UInt8]) throws(CheckoutError) -> ReadSecondary {
    let document = try HostJSON.document(bytes)
    let request = try HostJSON.object(document)
    try request.allowOnly("item number cvv tag")
    let item = try request.string("item")
    let tag = try request.tag()
    let number = try typed(request, "number", bytes, isCode: false)
    let code = request.present("cvv") == nil ? nil : try typed(request, "cvv", bytes, isCode: true)
    return ReadSecondary(item: item, number: number, securityCode: code, tag: tag)
  }

  /// A request of hco_create or hco_restore, with the key in it. `bytes` are wiped whatever happens.
  mutating func create(
    _ bytes: inout [UInt8], isRestore: Bool, _ options: RuntimeOptions
  ) throws(CheckoutError) -> CreateRequest {
    defer { bytes.withUnsafeMutableBytes { hcs_wipe($0.baseAddress, $0.count) } }
    return try takeCreate(bytes, isRestore: isRestore, options)
  }

  @inline(never)
  private mutating func takeCreate(
    _ bytes: [UInt8], isRestore: Bool, _ options: RuntimeOptions
  ) throws(CheckoutError) -> CreateRequest {
    let document = try HostJSON.document(bytes)
    let request = try HostJSON.object(document)
    var create = try CreateRequest(request, isRestore: isRestore, options)
    create.sealKey = try sealKey(request, bytes)
    return create
  }

  private mutating func sealKey(_ request: FieldReader, _ bytes: [UInt8]) throws(CheckoutError) -> SecretID? {
    guard let member = request.value["sealKey"], !member.isNull else { return nil }
    let wrong = request.malformed("sealKey", "32 bytes in Base64 are wanted")
    // Each character may be written as an escape of six.
    guard let raw = member.stringBytes, raw.range.count <= 6 * 64 else { throw wrong }
    var text: [UInt8] = []
    text.reserveCapacity(raw.range.count)
    defer { text.withUnsafeMutableBytes { hcs_wipe($0.baseAddress, $0.count) } }
    for byte in raw.unescaped(in: bytes) { text.append(byte) }
    var key = Base64.decode(text) ?? []
    defer { key.withUnsafeMutableBytes { hcs_wipe($0.baseAddress, $0.count) } }
    guard key.count == 32 else { throw wrong }
    return try intern(key)
  }

  private mutating func intern(_ characters: [UInt8]) throws(CheckoutError) -> SecretID {
    let secret = SecretID(hcs_secret_intern(store, characters, characters.count))
    guard secret.value != 0 else { throw CheckoutError(.internal, message: "out of memory") }
    taken.append(secret)
    return secret
  }

  /// What was typed into a field of a card form. Empty text empties the field.
  mutating func field(_ name: String, _ text: [UInt8]) throws(CheckoutError) -> CardField {
    switch name {
    case "cardNumber": return .number(try digits(text, 19))
    case "cvv": return .securityCode(try digits(text, 4))
    case "cardholderName": return .holder(text.isEmpty ? nil : try intern(try escaped(text)))
    case "expiryDate":
      let expiry = CardExpiry(text)
      if expiry == nil, !text.isEmpty { throw wrongField("expiryDate") }
      return .expiry(expiry)
    default: throw CheckoutError(.invalidArgument, message: "not a known field", path: "field")
    }
  }

  private func wrongField(_ name: String) -> CheckoutError {
    CheckoutError(.invalidArgument, message: "not what this field takes", path: name)
  }

  /// Spaces do not count.
  private mutating func digits(_ text: [UInt8], _ most: Int) throws(CheckoutError) -> SecretID? {
    var digits: [UInt8] = []
    digits.reserveCapacity(text.count)
    defer { digits.withUnsafeMutableBytes { hcs_wipe($0.baseAddress, $0.count) } }
    for byte in text where byte != UInt8(ascii: " ") {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { throw wrongField("text") }
      digits.append(byte)
    }
    guard digits.count <= most else { throw wrongField("text") }
    return digits.isEmpty ? nil : try intern(digits)
  }

  /// As it stands between the quotes of a JSON text.
  private func escaped(_ text: [UInt8]) throws(CheckoutError) -> [UInt8] {
    guard text.count <= 256, let name = String(validating: text, as: UTF8.self) else { throw wrongField("text") }
    var writer = JSONWriter()
    writer.string(name)
    return Array(writer.bytes.dropFirst().dropLast())
  }

  mutating func giveBack() {
    for secret in taken { hcs_secret_release(store, secret.value) }
    taken = []
  }

  /// Letters and digits count; spaces and dashes do not. Anything else is the wrong format.
  private mutating func typed(
    _ request: FieldReader, _ key: String, _ bytes: [UInt8], isCode: Bool
  ) throws(CheckoutError) -> TypedNumber {
    guard let raw = request.value[key]?.stringBytes else { throw request.malformed(key) }
    let wrong = CheckoutError(isCode ? .secondaryMethodWrongCVVFormat : .secondaryMethodWrongPanFormat)
    if raw.hasEscapes { throw wrong }
    var characters: [UInt8] = []
    characters.reserveCapacity(raw.range.count)
    defer { characters.withUnsafeMutableBytes { hcs_wipe($0.baseAddress, $0.count) } }
    for byte in bytes[raw.range] {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "-"): continue
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "a")...UInt8(ascii: "z"):
        characters.append(byte)
      default: throw wrong
      }
    }
    let secret = try intern(characters)
    // Four of a short number would be most of it.
    let showsFour = !isCode && characters.count >= 8
    return TypedNumber(
      secret: secret, length: characters.count,
      lastFour: showsFour ? String(decoding: characters.suffix(4), as: UTF8.self) : "",
      isNumeric: characters.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
  }
}
