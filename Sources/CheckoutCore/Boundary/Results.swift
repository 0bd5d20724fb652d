import JSONText

extension Core {
  /// The one `result` of a call.
  mutating func result(of call: OpenCall, _ out: inout [Output], _ write: (Core, inout JSONWriter) -> Void) {
    tell(.result, &out) { core, writer in
      call.begin(&writer)
      writer.key("result")
      write(core, &writer)
    }
  }

  mutating func failure(of call: OpenCall, _ error: CheckoutError, _ out: inout [Output]) {
    tell(.result, &out) { _, writer in
      call.begin(&writer)
      writer.member("error", raw: error.json)
    }
  }

  /// What a call that ends later answers at once.
  func accepted(_ call: OpenCall) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("call", integer: call.id)
    if let tag = call.tag { writer.member("tag", string: tag) }
    writer.endObject()
    return writer.text
  }
}

extension OpenCall {
  fileprivate func begin(_ writer: inout JSONWriter) {
    writer.member("call", integer: id)
    writer.member("tag", optionalString: tag)
  }
}

extension CheckoutError {
  /// The error object of the header.
  public var json: String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("code", string: code.text)
    writer.member("message", string: message)
    writer.member("category", string: category)
    writer.member("moved", string: moved.text)
    writer.member("retryable", boolean: isRetryable)
    writer.member("path", optionalString: path)
    writer.member("offset", optionalInteger: offset.map { Int64($0) })
    writer.key("details")
    if let details { writer.raw(details) } else { writer.null() }
    writer.endObject()
    return writer.text
  }
}

extension Core {
  static func object(_ key: String, _ value: Int64) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member(key, integer: value)
    writer.endObject()
    return writer.text
  }

  static func object(_ key: String, _ value: Bool) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member(key, boolean: value)
    writer.endObject()
    return writer.text
  }
}
