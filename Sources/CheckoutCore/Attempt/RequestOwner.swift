import JSONText

/// Whom a request's result is for; reads, services and elements by their place.
enum RequestOwner: Hashable {
  case nobody
  case time
  /// A session that is being loaded.
  case life
  case read(Int)
  case service(Int)
  case element(Int)
  case script(Call)
  case money(Call)
}

extension Core {
  func owner(of request: RequestID) -> RequestOwner {
    if timeRequest == request { return .time }
    if life.request == request { return .life }
    if let read = reads.firstIndex(where: { $0.request == request }) { return .read(read) }
    if let service = serviceIndex(request) { return .service(service) }
    if let element = elements.firstIndex(where: { $0.initialization.request == request }) { return .element(element) }
    switch attempt?.wait {
    case .request(request, let call): return .script(call)
    case .money(request, let call): return .money(call)
    default: return .nobody
    }
  }

  mutating func forget(_ request: RequestID) { sentAt[request] = nil }

  /// What is known of an element's request that got no usable answer.
  static func refusedData(_ received: Received) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    if case .answer(let answer) = received { writer.member("statusCode", integer: answer.status) }
    writer.endObject()
    return writer.text
  }

  /// What a script is told of a request that got no usable answer.
  func refused(_ received: Received) -> CheckoutError {
    CheckoutError(session.backEnd.refusal, moved: .no, details: Core.refusedData(received))
  }
}
