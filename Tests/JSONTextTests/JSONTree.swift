import CJansson
import JSONText

/// A JSON value as both readers understand it, for comparing them.
indirect enum JSONTree: Equatable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case string([UInt8])
  case array([JSONTree])
  case object([Member])

  struct Member: Equatable {
    var key: [UInt8]
    var value: JSONTree
  }
}

extension JSONTree {
  init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .boolean: self = .boolean(value.boolean == true)
    case .number: self = JSONTree(number: value)
    case .string: self = .string(Array((value.string ?? "").utf8))
    case .array: self = .array(value.elements.map { JSONTree($0) })
    case .object:
      self = .object(value.members.map { Member(key: Array($0.key.utf8), value: JSONTree($0.value)) })
    }
  }

  private init(number: JSONValue) {
    if let integer = number.int64 {
      self = .integer(integer)
    } else {
      self = .real(number.numberText.flatMap { Double($0) } ?? .nan)
    }
  }
}

/// What Jansson makes of a text.
enum JanssonResult: Equatable {
  case value(JSONTree)
  case refused(JanssonRefusal)

  init(reading bytes: [UInt8], keepingTree: Bool = true) {
    var error = json_error_t()
    let flags = size_t(JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL)
    let root = bytes.withUnsafeBytes { buffer in
      json_loadb(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, flags, &error)
    }
    guard let root else {
      self = .refused(JanssonRefusal(json_error_code(&error)))
      return
    }
    defer { json_decref(root) }
    self = .value(keepingTree ? JSONTree(root) : .null)
  }

  var isAccepted: Bool { if case .value = self { true } else { false } }
}

/// Why Jansson refuses a text: one of the reasons this reader has on purpose a different opinion about, or any other.
enum JanssonRefusal: Equatable {
  case numericOverflow, nulInKey, other

  init(_ code: json_error_code) {
    switch code {
    case json_error_numeric_overflow: self = .numericOverflow
    case json_error_null_byte_in_key: self = .nulInKey
    default: self = .other
    }
  }
}

extension JSONTree {
  fileprivate init(_ value: UnsafeMutablePointer<json_t>) {
    switch value.pointee.type {
    case JSON_NULL: self = .null
    case JSON_TRUE: self = .boolean(true)
    case JSON_FALSE: self = .boolean(false)
    case JSON_INTEGER: self = .integer(Int64(json_integer_value(value)))
    case JSON_REAL: self = .real(json_real_value(value))
    case JSON_STRING:
      self = .string(Self.bytes(json_string_value(value), json_string_length(value)))
    case JSON_ARRAY:
      let elements = (0..<json_array_size(value)).compactMap { json_array_get(value, $0) }
      self = .array(elements.map { JSONTree($0) })
    default:
      self = .object(Self.members(of: value))
    }
  }

  private static func members(of object: UnsafeMutablePointer<json_t>) -> [Member] {
    var members: [Member] = []
    var iterator = json_object_iter(object)
    while let current = iterator {
      if let value = json_object_iter_value(current) {
        let key = bytes(json_object_iter_key(current), json_object_iter_key_len(current))
        members.append(Member(key: key, value: JSONTree(value)))
      }
      iterator = json_object_iter_next(object, current)
    }
    return members
  }

  private static func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> [UInt8] {
    UnsafeBufferPointer(start: start, count: start == nil ? 0 : count).map { UInt8(bitPattern: $0) }
  }
}

/// On which points the two readers may disagree about a text.
enum Verdict: Hashable {
  case bothAccept
  case bothRefuse
  /// Jansson turns numbers into `long long` and `double` and refuses those that do not fit; literals always fit.
  case numberTooBigForJansson
  /// Jansson cannot have U+0000 in a key.
  case nulInKey
  /// 64 levels here, 2048 there.
  case deeperThanAllowed
  /// Jansson loses a NUL byte that stands directly behind a number or a word, and reads on as if it were not there.
  case nulOverlookedByJansson
  /// A bug in one of them.
  case disagreement(String)

  init(_ bytes: [UInt8], comparingTrees: Bool = true) {
    let jansson = JanssonResult(reading: bytes, keepingTree: comparingTrees)
    do {
      let document = try JSONDocument(parsing: bytes)
      self = Verdict(accepted: document, jansson, comparingTrees)
    } catch {
      self = Verdict(refused: error, bytes, jansson)
    }
    if case .disagreement(let reason) = self {
      self = .disagreement(reason + ": " + String(decoding: bytes, as: UTF8.self) + " \(bytes)")
    }
  }

  private init(accepted document: JSONDocument, _ jansson: JanssonResult, _ comparingTrees: Bool) {
    switch jansson {
    case .value(let tree):
      let isSame = !comparingTrees || tree == JSONTree(document.root)
      self = isSame ? .bothAccept : .disagreement("different values")
    case .refused(.numericOverflow): self = .numberTooBigForJansson
    case .refused(.nulInKey): self = .nulInKey
    case .refused: self = .disagreement("only Jansson refuses")
    }
  }

  private init(refused error: JSONError, _ bytes: [UInt8], _ jansson: JanssonResult) {
    if error.code == .tooDeep {
      self = .deeperThanAllowed
    } else if !jansson.isAccepted {
      self = .bothRefuse
    } else if Self.isNULBehindToken(bytes, error.offset) {
      var withoutIt = bytes
      withoutIt.remove(at: error.offset)
      let verdict = Verdict(withoutIt)
      let isExplained = [.bothAccept, .nulOverlookedByJansson].contains(verdict)
      self = isExplained ? .nulOverlookedByJansson : verdict
    } else {
      self = .disagreement("only this reader refuses, \(error.name)")
    }
  }

  private static func isNULBehindToken(_ bytes: [UInt8], _ offset: Int) -> Bool {
    guard offset > 0, offset < bytes.count, bytes[offset] == 0 else { return false }
    return "0123456789el".utf8.contains(bytes[offset - 1])
  }
}
