import JSONText

/// Reads the members of a JSON object one by one, with the path of whatever is wrong. Not inlined: there are hundreds of
/// calls, each of which would make the error itself.
public struct FieldReader: Sendable {
  public let value: JSONValue
  public let path: String
  /// What a wrong field is reported as.
  public let code: ErrorCode

  public init(_ value: JSONValue, _ path: String, _ code: ErrorCode = .sessionMalformed) {
    self.value = value
    self.path = path
    self.code = code
  }

  @inline(never)
  public func malformed(
    _ key: String, _ why: String = "missing or of the wrong type", details: String? = nil
  ) -> CheckoutError {
    CheckoutError(code, message: why, path: join(key), offset: value[key]?.offset ?? value.offset, details: details)
  }

  @inline(never)
  private func join(_ key: String) -> String { path.isEmpty ? key : path + "." + key }

  /// A member that is there and not null.
  @inline(never)
  public func present(_ key: String) -> JSONValue? {
    guard let member = value[key], !member.isNull else { return nil }
    return member
  }

  @inline(never)
  public func string(_ key: String) throws(CheckoutError) -> String {
    guard let text = value[key]?.string else { throw malformed(key) }
    return text
  }

  @inline(never)
  public func optionalString(_ key: String) throws(CheckoutError) -> String? {
    guard let member = present(key) else { return nil }
    guard let text = member.string else { throw malformed(key) }
    return text
  }

  @inline(never)
  public func integer(_ key: String) throws(CheckoutError) -> Int64 {
    guard let number = value[key]?.int64 else { throw malformed(key) }
    return number
  }

  @inline(never)
  public func optionalInteger(_ key: String) throws(CheckoutError) -> Int64? {
    guard let member = present(key) else { return nil }
    guard let number = member.int64 else { throw malformed(key) }
    return number
  }

  /// An amount in minor units.
  @inline(never)
  public func amount(_ key: String) throws(CheckoutError) -> Int64 {
    let number = try integer(key)
    guard (0...Amount.maximum).contains(number) else { throw malformed(key, "not an amount in minor units") }
    return number
  }

  @inline(never)
  public func boolean(_ key: String) throws(CheckoutError) -> Bool {
    guard let flag = value[key]?.boolean else { throw malformed(key) }
    return flag
  }

  @inline(never)
  public func optionalBoolean(_ key: String) throws(CheckoutError) -> Bool? {
    guard let member = present(key) else { return nil }
    guard let flag = member.boolean else { throw malformed(key) }
    return flag
  }

  @inline(never)
  public func object(_ key: String) throws(CheckoutError) -> FieldReader {
    guard let member = value[key], member.kind == .object else { throw malformed(key) }
    return FieldReader(member, join(key), code)
  }

  @inline(never)
  public func optionalObject(_ key: String) throws(CheckoutError) -> FieldReader? {
    if present(key) == nil { return nil }
    return try object(key)
  }

  @inline(never)
  public func objects(_ key: String) throws(CheckoutError) -> [FieldReader] {
    guard let member = value[key], member.kind == .array else { throw malformed(key) }
    var fields: [FieldReader] = []
    for element in member.elements {
      guard element.kind == .object else { throw malformed(key) }
      fields.append(FieldReader(element, join(key) + "[\(fields.count)]", code))
    }
    return fields
  }

  @inline(never)
  public func strings(_ key: String) throws(CheckoutError) -> [String] {
    guard let member = value[key], member.kind == .array else { throw malformed(key) }
    var strings: [String] = []
    for element in member.elements {
      guard let text = element.string else { throw malformed(key) }
      strings.append(text)
    }
    return strings
  }

  @inline(never)
  public func optionalStrings(_ key: String) throws(CheckoutError) -> [String]? {
    if present(key) == nil { return nil }
    return try strings(key)
  }

  @inline(never)
  public func rawMembers(_ key: String) throws(CheckoutError) -> [String: String] {
    var texts: [String: String] = [:]
    for member in try object(key).value.members { texts[member.key] = member.value.compactText }
    return texts
  }

  @inline(never)
  public func integerMembers(_ key: String) throws(CheckoutError) -> [String: Int64] {
    let fields = try object(key)
    var numbers: [String: Int64] = [:]
    for member in fields.value.members {
      guard let number = member.value.int64 else { throw fields.malformed(member.key) }
      numbers[member.key] = number
    }
    return numbers
  }

  /// What the host passes is read strictly: a key that is none of these words is refused.
  @inline(never)
  public func allowOnly(_ words: StaticString) throws(CheckoutError) {
    guard value.kind == .object else {
      throw CheckoutError(code, message: "an object is wanted", path: path, offset: value.offset)
    }
    let keys = Array(words.description.utf8).split(separator: UInt8(ascii: " "))
    for member in value.members where !keys.contains(where: { $0.elementsEqual(member.key.utf8) }) {
      // What stands where a name should may be a number that must not be repeated.
      let name = CardNumber.looksLikeOne(member.key) ? path : join(member.key)
      throw CheckoutError(code, message: "unknown key", path: name, offset: member.keyOffset)
    }
  }
}
