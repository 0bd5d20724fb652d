/// Why a text is not a JSON document this reader accepts, and where.
public struct JSONError: Error, Hashable, Sendable {
  /// The rule that was broken.
  public enum Code: Hashable, Sendable, CaseIterable {
    case empty, tooLarge, tooDeep, unexpectedByte, unexpectedEnd, invalidNumber, invalidEscape, loneSurrogate
    case invalidUTF8, controlCharacter, duplicateKey, trailingText
  }

  /// The rule that was broken.
  public let code: Code
  /// The byte that breaks it, counted from 0: for an escape its backslash, for a repeated key its opening quote, for a
  /// text that stops too early the number of its bytes.
  public let offset: Int

  /// An error of the reader.
  public init(code: Code, offset: Int) {
    self.code = code
    self.offset = offset
  }

  /// The code's name, for machines.
  public var name: String {
    switch code {
    case .empty: "empty"
    case .tooLarge: "tooLarge"
    case .tooDeep: "tooDeep"
    case .unexpectedByte: "unexpectedByte"
    case .unexpectedEnd: "unexpectedEnd"
    case .invalidNumber: "invalidNumber"
    case .invalidEscape: "invalidEscape"
    case .loneSurrogate: "loneSurrogate"
    case .invalidUTF8: "invalidUTF8"
    case .controlCharacter: "controlCharacter"
    case .duplicateKey: "duplicateKey"
    case .trailingText: "trailingText"
    }
  }

  /// A sentence for people. It never quotes the text, which may hold a secret.
  public var message: String {
    "\(reason) (byte \(offset))"
  }

  private var reason: String {
    switch code {
    case .empty: "There is no JSON value in the text"
    case .tooLarge: "The JSON text is longer than allowed"
    case .tooDeep: "Arrays and objects are nested deeper than allowed"
    case .unexpectedByte: "JSON does not allow this byte here"
    case .unexpectedEnd: "The JSON text ends in the middle of a value"
    case .invalidNumber: "This is not a JSON number"
    case .invalidEscape: "This is not an escape sequence of JSON"
    case .loneSurrogate: "Half of a surrogate pair stands alone"
    case .invalidUTF8: "The text is not valid UTF-8"
    case .controlCharacter: "A control character in a string must be escaped"
    case .duplicateKey: "The object has this key already"
    case .trailingText: "There is text behind the JSON value"
    }
  }
}
