import Testing

@testable import PrimerProvider

@Suite("The shopper's pick of a network")
struct NetworkPickTests {
  private static let both = NetworkChoice(allowed: [.cartesBancaires, .visa], networks: [.visa, .cartesBancaires])
  private static let one = NetworkChoice(allowed: [.cartesBancaires, .visa], networks: [.cartesBancaires])
  private static let none = NetworkChoice(allowed: [.cartesBancaires, .visa], networks: [])

  private static func picked(_ network: CardNetwork) -> NetworkPick {
    var pick = NetworkPick()
    let isTaken = pick.pick(network, both)
    #expect(isTaken)
    return pick
  }

  @Test("outlives a keystroke that detects again")
  func keystroke() {
    var pick = Self.picked(.visa)
    pick.follow(NetworkChoice(allowed: [.cartesBancaires, .visa], networks: [.cartesBancaires, .visa]))
    #expect(pick.selected(Self.both) == .visa)
  }

  @Test("outlives the same list, told again")
  func sameList() {
    var pick = Self.picked(.visa)
    for _ in 0..<3 { pick.follow(Self.both) }
    #expect(pick.selected(Self.both) == .visa)
  }

  @Test("ends with its own offer, and the first one counts")
  func notOffered() {
    var pick = Self.picked(.visa)
    pick.follow(Self.one)
    #expect(pick.picked == nil)
    #expect(pick.selected(Self.one) == .cartesBancaires)
  }

  @Test("ends when nothing is offered any more")
  func emptied() {
    var pick = Self.picked(.visa)
    pick.follow(Self.none)
    #expect(pick.selected(Self.none) == nil)
    pick.follow(Self.both)
    #expect(pick.selected(Self.both) == .cartesBancaires)
  }

  @Test("without one the first network is followed")
  func noPick() {
    #expect(NetworkPick().selected(Self.both) == .cartesBancaires)
    #expect(Self.both.autoSelected == nil)
  }

  @Test("a single network needs none")
  func single() {
    #expect(NetworkPick().selected(Self.one) == .cartesBancaires)
  }

  @Test("is taken back by choosing what is not known")
  func takenBack() {
    var pick = Self.picked(.visa)
    let isTaken = pick.pick(.other, Self.both)
    #expect(isTaken)
    #expect(pick.picked == nil)
    #expect(pick.selected(Self.both) == .cartesBancaires)
  }

  @Test("cannot be one that is not offered, or that nobody may pick")
  func refused() {
    var pick = Self.picked(.visa)
    let other = pick.pick(.amex, Self.both)
    #expect(!other)
    let debit = NetworkChoice(allowed: [.eftpos, .visa], networks: [.visa, .eftpos])
    let isTaken = pick.pick(.eftpos, debit)
    #expect(!isTaken)
    #expect(pick.picked == .visa)
    #expect(NetworkPick().selected(debit) == .eftpos)
  }
}
