extension JSONValue {
  /// The value written anew: no insignificant whitespace, strings in the writer's escaping, number literals and the
  /// order of keys as they were.
  public var compactText: String {
    var writer = JSONWriter()
    var openEnds: [(end: Int, isObject: Bool)] = []
    let end = storage.index(after: index)
    var next = index
    var keyIsDue = false
    while next < end {
      let node = storage.node(at: next)
      next += 1
      if keyIsDue {
        writer.key(stringOf: node, in: storage.bytes)
        keyIsDue = false
        continue
      }
      write(node, to: &writer, &openEnds)
      while let last = openEnds.last, last.end <= next {
        writer.end(isObject: last.isObject)
        openEnds.removeLast()
      }
      keyIsDue = openEnds.last?.isObject ?? false
    }
    return writer.text
  }

  private func write(_ node: JSONNode, to writer: inout JSONWriter, _ openEnds: inout [(end: Int, isObject: Bool)]) {
    switch node.kind {
    case .string:
      writer.string(of: node, in: storage.bytes)
    case .object:
      writer.beginObject()
      openEnds.append((Int(node.end), true))
    case .array:
      writer.beginArray()
      openEnds.append((Int(node.end), false))
    case .null:
      writer.null()
    case .boolean, .number:
      writer.raw(storage.text(node.token))
    }
  }
}
