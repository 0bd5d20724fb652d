/// A document's text and tape, shared by the document and all values looked up in it.
///
/// Nothing changes after reading, except that `giveUpText` empties both; whoever calls it promises that no other
/// thread is reading. That promise is what the unchecked conformance rests on.
final class JSONStorage: @unchecked Sendable {
  private(set) var bytes: [UInt8]
  private(set) var nodes: [JSONNode]

  init(bytes: [UInt8], nodes: [JSONNode]) {
    self.bytes = bytes
    self.nodes = nodes
  }

  /// The entry at `index`; null once the text has been given up.
  func node(at index: Int) -> JSONNode {
    index < nodes.count ? nodes[index] : .null
  }

  /// The entry behind the one at `index` and all that is inside it.
  func index(after index: Int) -> Int {
    let node = node(at: index)
    return node.isContainer ? Int(node.end) : index + 1
  }

  /// Hands out the text, held by nobody else here any more. Values still around read as null afterwards.
  func giveUpText() -> [UInt8] {
    let text = bytes
    bytes = []
    nodes = []
    return text
  }

  /// A piece of the text; empty once the text has been given up.
  func text(_ range: Range<Int>) -> ArraySlice<UInt8> {
    range.upperBound <= bytes.count ? bytes[range] : []
  }

  func string(of node: JSONNode) -> String {
    if node.hasEscapes {
      return String(decoding: Array(JSONUnescaped(bytes, node.content)), as: UTF8.self)
    }
    return String(decoding: text(node.content), as: UTF8.self)
  }
}
