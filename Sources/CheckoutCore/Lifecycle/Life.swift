import JSONText

/// How far a session that must be loaded is. One that is whole when it is opened is always ready.
///
/// A life has no number: what belongs to an earlier one is a request that nobody waits for any more.
struct Life: Hashable {
  enum Phase: Hashable { case idle, starting, ready, refreshing }

  var phase: Phase
  /// The start or refresh that is under way, and its request.
  var call: OpenCall?
  var request: RequestID?

  init(_ session: ClientSession) { phase = session.backEnd.hasLifecycle ? .idle : .ready }

  var isReady: Bool { phase == .ready }
}

/// How a start or refresh ends that does not load anything.
enum LoadingEnd: Hashable {
  case canceled
  case failure(CheckoutError)
}

extension Core {
  /// The host's word for it: a session is ready or it is not.
  var phaseName: String { life.isReady ? "ready" : "initializing" }

  /// Ends a start or refresh that is under way; its answer will reach nobody.
  mutating func endLoading(_ out: inout [Output], _ end: () -> LoadingEnd) {
    let call = life.call
    if let request = life.request {
      forget(request)
      out.append(.cancel(request))
    }
    life.request = nil
    life.call = nil
    guard let call else { return }
    switch end() {
    case .canceled: result(of: call, &out) { $1.flag("canceled") }
    case .failure(let error): failure(of: call, error, &out)
    }
  }
}
