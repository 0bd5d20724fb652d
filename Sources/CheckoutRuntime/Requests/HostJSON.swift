import CSystem
import CheckoutCore
import JSONText

/// Text of the host's, read strictly.
enum HostJSON {
  static func object(_ bytes: [UInt8]) throws(CheckoutError) -> FieldReader {
    try object(document(bytes))
  }

  static func object(_ document: JSONDocument) throws(CheckoutError) -> FieldReader {
    let fields = FieldReader(document.root, "", .invalidArgument)
    guard document.root.kind == .object else {
      throw CheckoutError(.invalidArgument, message: "an object is wanted", offset: document.root.offset)
    }
    return fields
  }

  static func document(_ bytes: [UInt8]) throws(CheckoutError) -> JSONDocument {
    do throws(JSONError) {
      return try JSONDocument(parsing: bytes)
    } catch {
      throw CheckoutError(.invalidArgument, message: error.message, offset: error.offset)
    }
  }
}

/// Reads `readSecondary` without making text of the numbers: they go from the bytes into the store, and the bytes are
/// wiped.
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
    try request.allowOnly(["item", "number", "cvv", "tag"])
    let item = try request.string("item")
    let tag = try request.tag()
    let number = try typed(request, "number", bytes, isCode: false)
    let code = request.value["cvv"] == nil ? nil : try typed(request, "cvv", bytes, isCode: true)
    return ReadSecondary(item: item, number: number, securityCode: code, tag: tag)
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
    let secret = hcs_secret_intern(store, characters, characters.count)
    guard secret != 0 else { throw CheckoutError(.unknownError, message: "out of memory") }
    taken.append(SecretID(secret))
    // Four of a short number would be most of it.
    let showsFour = !isCode && characters.count >= 8
    return TypedNumber(
      secret: SecretID(secret), length: characters.count,
      lastFour: showsFour ? String(decoding: characters.suffix(4), as: UTF8.self) : "")
  }
}
