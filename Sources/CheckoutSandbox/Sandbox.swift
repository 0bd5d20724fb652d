/// The pretend back ends, whole: requests go in with the time, and what the server has to do comes out.
///
/// A value without sockets, threads or a clock of its own, so a test may hold one in its hand; the program
/// `checkout-sandbox` serves the same over HTTP.
public struct Sandbox: Hashable, Sendable {
  private var purse: PurseBackend
  private var primer: PrimerBackend
  private var faults = FaultScript()
  private var journal = Journal()
  private let base: String

  /// A sandbox that is reached at `base` (`http://127.0.0.1:PORT`). The same seed gives the same ids.
  public init(base: String, seed: UInt64) {
    self.base = base
    purse = PurseBackend(base: base, seed: seed)
    primer = PrimerBackend(base: base, seed: seed)
  }

  /// Asked once a request's head was read and before its body is: what to do at once, nil to read on.
  public mutating func open(_ head: SandboxRequest, at now: Int64) -> SandboxAction? {
    guard !isControl(head), faults.next(for: head)?.kind == .dropBeforeReading else { return nil }
    return handle(head, at: now)
  }

  /// Handles a whole request. `now` is in milliseconds since 1970.
  public mutating func handle(_ request: SandboxRequest, at now: Int64) -> SandboxAction {
    if isControl(request) { return dated(control(request), at: now) }
    let number = journal.record(request, at: now)
    let time = now + faults.skewMilliseconds(for: request)
    let action = dated(respond(request, at: time), at: time)
    journal.note(number, answered: action.status)
    return action
  }

  private mutating func respond(_ request: SandboxRequest, at time: Int64) -> SandboxAction {
    guard let fault = faults.take(for: request) else { return process(request, at: time).action }
    var answer = fault.processes ? process(request, at: time) : nil
    answer?.response.date(time)
    return fault.action(insteadOf: answer, to: request, base: base)
  }

  private mutating func process(_ request: SandboxRequest, at time: Int64) -> Answer {
    do throws(Refusal) {
      if let answer = primer.handle(request, at: time) { return answer }
      guard let answer = try purse.handle(request, at: time) else { throw .notFound }
      return answer
    } catch {
      return Answer(response: error.response)
    }
  }

  private func dated(_ action: SandboxAction, at time: Int64) -> SandboxAction {
    guard case .respond(var response, let delay) = action else { return action }
    response.date(time)
    return .respond(response, afterMilliseconds: delay)
  }
}

// The calls that steer the sandbox: no fault touches them and the journal leaves them out.
extension Sandbox {
  private static let controls = ["faults", "requests", "payments", "monitoring"]

  private func isControl(_ request: SandboxRequest) -> Bool {
    let segments = request.segments
    return segments.count == 2 && segments[0] == "sandbox" && Self.controls.contains(segments[1])
  }

  private mutating func control(_ request: SandboxRequest) -> SandboxAction {
    do throws(Refusal) {
      return .respond(try controlResponse(request), afterMilliseconds: 0)
    } catch {
      return .respond(error.response, afterMilliseconds: 0)
    }
  }

  private mutating func controlResponse(_ request: SandboxRequest) throws(Refusal) -> SandboxResponse {
    switch (request.method, request.segments[1]) {
    case ("GET", "requests"): return .json(200, journal.document(path: request.query["path"]))
    case ("DELETE", "requests"): journal.clear()
    case ("GET", "monitoring"): return .json(200, purse.monitoring.document)
    case ("DELETE", "monitoring"): purse.monitoring.clear()
    case ("GET", "payments"):
      let id = request.query["sessionId"]
      return .json(200, ["payments": .array(purse.payments(sessionId: id) + primer.payments(sessionId: id))])
    case ("GET", "faults"): return .json(200, faults.document)
    case ("DELETE", "faults"): faults.clear()
    case ("POST", "faults"):
      faults.add(try Fault(request.jsonObject()))
      return .json(201, faults.document)
    default: throw .methodNotAllowed(request.method)
    }
    return SandboxResponse(status: 204)
  }
}

extension SandboxAction {
  /// The status of an answer that is sent in whole.
  fileprivate var status: Int? {
    guard case .respond(let response, _) = self else { return nil }
    return response.status
  }
}

extension SandboxResponse {
  /// Writes the time on the answer, unless it stands there.
  fileprivate mutating func date(_ time: Int64) {
    guard header("Date") == nil else { return }
    headers.append(.init(name: "Date", value: SandboxTime.httpDate(time)))
  }
}
