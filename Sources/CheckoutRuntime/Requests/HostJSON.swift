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
