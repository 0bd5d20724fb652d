/// What a failure left behind, by item or token.
public enum TechnicalState: Hashable, Sendable {
  /// A partner's part failed for good.
  case fatal
  /// It works again once the partner says that it is ready.
  case recoverable
  /// A saved instrument could not be prepared.
  case initFailed
  /// The back end no longer knows a saved instrument.
  case deleted

  var code: DisabledCode {
    switch self {
    case .fatal: .partnerUIFatalError
    case .recoverable: .partnerUIRecoverableError
    case .initFailed: .tokenInitFailed
    case .deleted: .tokenDeleted
    }
  }

  /// For the rest of the session.
  var isFinal: Bool { self != .recoverable }
}

extension Core {
  /// Final for the session: a later recoverable failure does not soften it, and what was chosen is chosen no more.
  mutating func markFailed(_ id: String, _ state: TechnicalState) {
    if technical[id]?.isFinal != true { technical[id] = state }
    if technical[id]?.isFinal == true, primary?.id == id { primary = nil }
  }

  func isFailedForGood(_ id: String) -> Bool { technical[id]?.isFinal == true }
}
