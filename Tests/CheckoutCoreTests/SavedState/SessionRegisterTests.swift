import Testing

@testable import CheckoutCore

/// Whatever the checkouts of a session report, in whatever order: who pays, has paid or is in doubt keeps it from the others.
struct SessionRegisterTests {
  /// What a checkout may say of its session.
  private static let accounts: [(ledger: Ledger, isInFlight: Bool)] = {
    var accounts: [(ledger: Ledger, isInFlight: Bool)] = []
    let standings: [Ledger.Standing] = [.clear, .marked, .inFlight, .unknown, .spent, .spentInError]
    for standing in standings {
      for isRepetition in [false, true] {
        for key in [nil, "k"] as [String?] {
          for isInFlight in [false, true] {
            var ledger = Ledger()
            ledger.standing = standing
            ledger.isRepetition = isRepetition
            ledger.idempotencyKey = key
            accounts.append((ledger, isInFlight))
          }
        }
      }
    }
    return accounts
  }()

  private static func forbids(_ account: (ledger: Ledger, isInFlight: Bool)) -> Bool {
    account.isInFlight || account.ledger.standing != .clear
  }

  @Test("the account of one that pays is not replaced by another's that does not")
  func everyPair() {
    for paying in Self.accounts where Self.forbids(paying) {
      for other in Self.accounts where !Self.forbids(other) {
        for isAdmitted in [false, true] {
          var register = SessionRegister()
          register.note(NamedLedger(session: "s", ledger: paying.ledger), isInFlight: paying.isInFlight, of: 1)
          if isAdmitted {
            register.admit([NamedLedger(session: "s", ledger: other.ledger)], of: 2)
          } else {
            register.note(NamedLedger(session: "s", ledger: other.ledger), isInFlight: false, of: 2)
          }
          #expect(register.isTaken("s", by: 2), "\(paying) then \(other)")
          #expect(register.isTaken("s", by: 3), "\(paying) then \(other)")
          #expect(!register.isTaken("s", by: 1), "\(paying) then \(other)")
        }
      }
    }
  }

  @Test("random reports of three checkouts, of which one pays at a time")
  func runs() {
    var state: UInt64 = 42
    func below(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    for _ in 0..<3000 {
      var register = SessionRegister()
      var said: [UInt64: (ledger: Ledger, isInFlight: Bool)] = [:]
      for _ in 0..<12 {
        let checkout = UInt64(1 + below(3))
        let account = Self.accounts[below(Self.accounts.count)]
        // As a checkout does: it pays only when no other one does, and what is spent stays so.
        if Self.forbids(account), register.isTaken("s", by: checkout) { continue }
        if let before = said[checkout], before.ledger.isSettled, !account.ledger.isSettled { continue }
        register.note(NamedLedger(session: "s", ledger: account.ledger), isInFlight: account.isInFlight, of: checkout)
        said[checkout] = account
        let paying = said.filter { Self.forbids($0.value) }.map { $0.key }
        #expect(paying.count <= 1)
        for one in paying {
          for other in [1, 2, 3, 9] as [UInt64] where other != one { #expect(register.isTaken("s", by: other)) }
        }
      }
    }
  }
}
