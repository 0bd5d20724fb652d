/// JSON as the sandbox keeps it: members in order, and every number as the literal text it was written with, so that
/// no amount ever passes through a binary fraction.
public enum SandboxJSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([SandboxJSON])
  case object([Member])

  /// One name and value of an object.
  public struct Member: Hashable, Sendable {
    /// The member's name.
    public var name: String
    /// The member's value.
    public var value: SandboxJSON

    /// A member of an object.
    public init(name: String, value: SandboxJSON) {
      self.name = name
      self.value = value
    }
  }

  /// The value of an object's member; setting nil removes it.
  public subscript(name: String) -> SandboxJSON? {
    get { members?.first { $0.name == name }?.value }
    set {
      guard case .object(var members) = self else { return }
      let index = members.firstIndex { $0.name == name }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
      self = .object(members)
    }
  }

  /// The element of an array, nil outside of it.
  public subscript(index: Int) -> SandboxJSON? {
    guard let elements, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The members of an object.
  public var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// The elements of an array.
  public var elements: [SandboxJSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The text of a string.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of a boolean.
  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The literal text of a number.
  public var numberLiteral: String? {
    guard case .number(let literal) = self else { return nil }
    return literal
  }

  /// A number written as a plain integer.
  public var integer: Int64? { numberLiteral.flatMap { Int64($0) } }
}

extension SandboxJSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .number(String(value)) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: SandboxJSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, SandboxJSON)...) {
    self = .object(elements.map { Member(name: $0.0, value: $0.1) })
  }

  /// A whole number.
  public static func integer(_ value: Int64) -> SandboxJSON { .number(String(value)) }

  /// A text, or null.
  public static func text(_ value: String?) -> SandboxJSON { value.map { .string($0) } ?? .null }
}
