/// What the host reads as `sessionState`, derived from facts in this order. Teardown does not change it: `isTornDown`
/// is a property of its own.
public enum SessionState: Hashable, Sendable, CaseIterable {
  case submitting, submitted, error, terminated, expired, idle, ready

  public var name: String {
    switch self {
    case .submitting: "submitting"
    case .submitted: "submitted"
    case .error: "error"
    case .terminated: "terminated"
    case .expired: "expired"
    case .idle: "idle"
    case .ready: "ready"
    }
  }
}

/// Where a checkout stands, for the question what may be called: one step finer than the state that is published.
public enum Standing: Hashable, Sendable, CaseIterable {
  case tornDown, inFlight, unknown, submitted, error, terminated, expired, idle, ready
}

/// What a host can ask of a checkout, grouped by what it needs.
public enum Verb: Hashable, Sendable, CaseIterable {
  /// setPrimary, readSecondary, applySecondary, removeSecondary, register, simulateLoan
  case choose
  case openElement
  /// elementReport, elementClose, setHooks, abort, redirectReport, redirectPresent
  case follow
  /// start, refresh, cancel, dismiss
  case lifecycle
  /// answer (a ticket that is gone is closed) and teardown (which may be repeated)
  case always
  case submit
  case setSession
  /// setWalletSession, updateToken, deleteToken
  case wallet
  case resolve
}

extension Standing {
  /// The table of what is refused, and with which code. nil: allowed.
  public func refusal(of verb: Verb) -> ErrorCode? {
    switch (self, verb) {
    case (_, .always): nil
    case (.tornDown, _): .checkoutTornDown
    case (_, .follow), (_, .lifecycle): nil
    case (.expired, .choose), (.expired, .openElement), (.expired, .submit): .expiredSession
    case (.ready, .choose), (.ready, .submit), (.ready, .openElement), (.ready, .setSession): nil
    case (.unknown, .openElement), (.submitted, .openElement), (.error, .openElement): nil
    case (.inFlight, .setSession), (.unknown, .setSession), (.inFlight, .wallet), (.unknown, .wallet): .submitBlocked
    case (_, .setSession), (_, .wallet): nil
    case (_, .resolve): nil
    case (_, .choose), (_, .openElement), (_, .submit): .submitBlocked
    }
  }
}

/// The transitions there are. The diagram in include/README.md and the tests are made from this table.
public struct Transition: Hashable, Sendable {
  public var event: String
  public var from: SessionState
  public var to: SessionState
  public var outcomeUnknown: Bool
  /// The outcome was unknown before.
  public var isFromUnknown: Bool

  init(
    _ event: String, _ from: SessionState, _ to: SessionState, outcomeUnknown: Bool = false,
    isFromUnknown: Bool = false
  ) {
    self.event = event
    self.from = from
    self.to = to
    self.outcomeUnknown = outcomeUnknown
    self.isFromUnknown = isFromUnknown
  }

  public static let all: [Transition] = [
    Transition("submit accepted", .ready, .submitting),
    Transition("ended with nothing left", .submitting, .ready),
    Transition("ended with nothing left, expired meanwhile", .submitting, .expired),
    Transition("ended with nothing left, terminated meanwhile", .submitting, .terminated),
    Transition("answered, readable", .submitting, .submitted),
    Transition("left, no readable answer", .submitting, .submitted, outcomeUnknown: true),
    Transition("a partner's step failed after the answer", .submitted, .error),
    Transition("certainly expired", .ready, .expired),
    Transition("a later clock sample disproves the expiry", .expired, .ready),
    Transition("a partner ended the session", .ready, .terminated),
    Transition("resolved paid, declined or abandoned", .submitted, .submitted, isFromUnknown: true),
    Transition("resolved notCreated", .submitted, .ready, isFromUnknown: true),
    Transition("resolved notCreated, expired meanwhile", .submitted, .expired, isFromUnknown: true),
    Transition("resolved notCreated, terminated meanwhile", .submitted, .terminated, isFromUnknown: true),
    Transition("Primer: start or refresh succeeded, or refresh failed", .idle, .ready),
    Transition("Primer: start failed", .idle, .terminated),
    Transition("Primer: refresh", .ready, .idle),
    Transition("Primer: dismissed", .ready, .terminated),
    Transition("Primer: cancel", .ready, .idle),
    Transition("Primer: cancel", .terminated, .idle),
    Transition("Primer: cancel, nothing left", .submitting, .idle),
    Transition("Primer: declined", .submitting, .ready),
    Transition("Primer: declined after a cancel", .submitting, .idle),
    Transition("Primer: certainly expired", .idle, .expired),
    Transition("Primer: a later clock sample disproves the expiry", .expired, .idle),
    Transition("Primer: resolved declined", .submitted, .ready, isFromUnknown: true),
    Transition("Primer: resolved declined or notCreated after a cancel", .submitted, .idle, isFromUnknown: true),
    Transition("Primer: set_session with another id", .ready, .idle),
    Transition("Primer: set_session with another id", .submitted, .idle),
    Transition("Primer: set_session with another id", .terminated, .idle),
    Transition("Primer: set_session with another id", .expired, .idle),
    Transition("set_session with another id", .submitted, .ready),
    Transition("set_session with another id", .error, .ready),
    Transition("set_session with another id", .expired, .ready),
    Transition("set_session with another id", .terminated, .ready),
  ]
}
