import Foundation

/// Base64 in the two alphabets, with or without padding.
enum Base64Text {
  static func encode(_ bytes: some Sequence<UInt8>, urlSafe: Bool, padded: Bool) -> String {
    var text = Data(bytes).base64EncodedString()
    if urlSafe { text = text.replacing("+", with: "-").replacing("/", with: "_") }
    if !padded { text = text.replacing("=", with: "") }
    return text
  }
}
