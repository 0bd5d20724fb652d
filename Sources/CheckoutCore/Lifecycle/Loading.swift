import JSONText

// Start and refresh: a session is loaded, or loaded again. A start that fails ends the session, a refresh that fails does
// not; each is told once, as the result of its call.
extension Core {
  /// The call; `isWanted`: its session is to be asked for. Otherwise its result has been told: there was nothing to do.
  mutating func beginLoading(
    _ phase: Life.Phase, _ tag: String?, _ out: inout [Output]
  ) -> (call: OpenCall, isWanted: Bool) {
    let call = OpenCall(id: Core.draw(&next.call), tag: tag)
    let canRefresh = life.isReady && standing == .ready && session.backEnd.hasLifecycle
    guard phase == .starting ? life.phase == .idle && !isTerminated : canRefresh else {
      result(of: call, &out) { $1.ignored() }
      return (call, false)
    }
    if phase == .refreshing { closeElements(of: elements.map { $0.id }, .doesNotBelongToCurrentSession, &out) }
    forgetChoices()
    life.phase = phase
    life.call = call
    publication.isDue = true
    return (call, true)
  }

  mutating func send(loading request: Request, _ moment: Moment, _ out: inout [Output]) {
    life.request = send(request, moment, &out)
  }

  /// `loaded`: nil with the error that there is in its place.
  mutating func finishLoading(_ loaded: ClientSession?, _ error: CheckoutError?, _ out: inout [Output]) {
    guard let call = life.call else { return }
    let wasStarting = life.phase == .starting
    if let request = life.request { forget(request) }
    life.request = nil
    life.call = nil
    publication.isDue = true
    guard let loaded else {
      life.phase = wasStarting ? .idle : .ready
      if wasStarting { isTerminated = true }
      return failure(of: call, error ?? CheckoutError(.missingConfiguration), &out)
    }
    life.phase = .ready
    replaceSession(loaded)
    for method in methods { generations[method.id] = (generations[method.id] ?? 0) &+ 1 }
    result(of: call, &out) { core, writer in
      writer.beginObject()
      writer.member("phase", string: core.phaseName)
      writer.endObject()
    }
  }

  /// What is known of a configuration that did not come.
  static func unloaded(_ received: Received) -> CheckoutError {
    Core.refusal(received, .genericUnderlyingErrors)
  }

  /// Nothing of what the shopper did with the session's items outlives it.
  mutating func forgetChoices() {
    primary = nil
    technical = [:]
    collected = [:]
  }
}
