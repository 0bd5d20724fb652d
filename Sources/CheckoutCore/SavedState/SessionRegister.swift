/// What a runtime knows of the sessions that its checkouts pay for, have paid, left in doubt, or must repeat with the
/// same key. It follows the session, not the handle: of two checkouts of one session each sees what the other did.
///
/// An entry stays when its checkout is gone, for as long as the runtime lives: a forgotten one could be paid twice.
public struct SessionRegister: Hashable, Sendable {
  private struct Entry: Hashable {
    var ledger: Ledger
    /// The checkout that speaks for it; 0 when that is gone.
    var holder: UInt64
    var isInFlight: Bool

    /// No other checkout may pay.
    var forbids: Bool { isInFlight || ledger.standing != .clear }

    private var strictness: Int { max(ledger.strictness, isInFlight ? Ledger.strictnessInDoubt : 0) }

    /// Of two checkouts' accounts the stricter stands, or one would pay what the other pays; of two that forbid alike,
    /// the one whose checkout lives.
    func isReplaced(by other: Entry) -> Bool {
      // What is spent stays so, whoever says what.
      if ledger.isSettled, !other.ledger.isSettled { return false }
      if holder == other.holder { return true }
      if strictness != other.strictness { return strictness < other.strictness }
      return !forbids || holder == 0
    }
  }

  private var entries: [String: Entry] = [:]

  public init() {}

  /// The register as one checkout sees it; 0: one that is being made.
  public func seen(by checkout: UInt64) -> RegisterView { RegisterView(register: self, checkout: checkout) }

  /// Another checkout pays for it, has paid, or left it in doubt.
  func isTaken(_ session: String, by checkout: UInt64) -> Bool {
    guard let entry = entries[session], entry.forbids else { return false }
    return entry.holder == 0 || entry.holder != checkout
  }

  /// As `isTaken`, and that checkout still lives.
  func isHeld(_ session: String) -> Bool {
    guard let entry = entries[session] else { return false }
    return entry.forbids && entry.holder != 0
  }

  /// What a checkout must know of a session. A key that was never sent is only its own holder's.
  func known(_ session: String, to checkout: UInt64) -> Ledger? {
    guard let entry = entries[session] else { return nil }
    let isShared = entry.ledger.isRepetition || entry.holder == 0 || entry.holder == checkout
    return isShared ? entry.ledger : nil
  }

  /// A checkout that was just made brings what its saved state says of other sessions too.
  mutating func admit(_ ledgers: [NamedLedger], of checkout: UInt64) {
    for named in ledgers {
      if let known = entries[named.session], known.ledger.outranks(named.ledger) { continue }
      place(named, isInFlight: false, of: checkout)
    }
  }

  /// Where a checkout's session stands now.
  mutating func note(_ named: NamedLedger, isInFlight: Bool, of checkout: UInt64) {
    if isInFlight || named.ledger.isWorthKeeping {
      place(named, isInFlight: isInFlight, of: checkout)
    } else if let known = entries[named.session], known.holder == checkout, !known.ledger.isSettled {
      entries[named.session] = nil
    }
  }

  private mutating func place(_ named: NamedLedger, isInFlight: Bool, of checkout: UInt64) {
    let entry = Entry(ledger: named.ledger, holder: checkout, isInFlight: isInFlight)
    if let known = entries[named.session], !known.isReplaced(by: entry) { return }
    entries[named.session] = entry
  }

  /// The checkout is gone: a later one may speak for its sessions.
  mutating func leave(_ sessions: [String], of checkout: UInt64) {
    for session in sessions where entries[session]?.holder == checkout {
      entries[session]?.holder = 0
      entries[session]?.isInFlight = false
    }
  }
}

/// The register as one checkout sees it.
public struct RegisterView: Hashable, Sendable {
  let register: SessionRegister
  let checkout: UInt64

  /// Of a checkout that is alone.
  public static var alone: RegisterView { SessionRegister().seen(by: 0) }

  func isTaken(_ session: String) -> Bool { register.isTaken(session, by: checkout) }
  func isHeld(_ session: String) -> Bool { register.isHeld(session) }
  func known(_ session: String) -> Ledger? { register.known(session, to: checkout) }
}

/// What whoever holds a checkout does next depends on.
public struct AfterInput {
  /// Of the newest saved state.
  public var revision: Int64
  /// Something may have changed that the host was not told of.
  public var isChangeDue: Bool
  /// Everything that was promised has been told: the host's `release` may run.
  public var isDrained: Bool
}

/// What is known of one session.
struct NamedLedger: Hashable, Sendable {
  var session: String
  var ledger: Ledger
}

extension Core {
  mutating func join(_ register: inout SessionRegister, as checkout: UInt64) {
    var spent = Ledger()
    spent.standing = .spent
    register.admit(spentSessions.map { NamedLedger(session: $0, ledger: spent) }, of: checkout)
    register.admit(leftLedgers, of: checkout)
    report(to: &register, as: checkout)
  }

  @discardableResult
  mutating func report(to register: inout SessionRegister, as checkout: UInt64) -> AfterInput {
    register.note(NamedLedger(session: session.id, ledger: ledger), isInFlight: hasAttempt, of: checkout)
    return AfterInput(revision: next.revision, isChangeDue: publication.isDue, isDrained: isDrained)
  }

  /// When this checkout is gone.
  public func leave(_ register: inout SessionRegister, as checkout: UInt64) {
    register.leave([session.id] + spentSessions + leftLedgers.map { $0.session }, of: checkout)
  }

  /// Another account of this session. The stricter wins.
  mutating func adopt(_ known: Ledger?) {
    guard let known, known.outranks(ledger) else { return }
    ledger = known
    ledger.doubt()
    if ledger.isSettled { markSpent() }
    // Whoever holds it has told the outcome of whatever came before.
    if ledger.isSettled || restored?.id != ledger.attempt { restored = nil }
    if let attempt = ledger.attempt { next.attempt = max(next.attempt, attempt &+ 1) }
  }
}
