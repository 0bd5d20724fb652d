import JSONText
import Testing

@testable import CheckoutCore

@Suite("What a gift card may take")
struct TakeTests {
  private struct Case {
    var balance: Int64
    var left: Int64
    var wanted: Int64?
    var policy: PaymentMethod.TakePolicy
    var maximum: Int64?
    var minimum: Int64?
    var contribution: Int64
    var limit: Int64?
    var others: Int64
  }

  private func take(_ facts: Case) -> Result<(amount: Int64, loss: Int64), CheckoutError> {
    let method = PaymentMethod(
      id: "p-m", partner: "p", method: "m", kind: .secondary, nature: .giftCard, minAmount: facts.minimum,
      maxAmount: facts.maximum, limit: facts.limit, takePolicy: facts.policy)
    let token = SecondaryToken(
      id: "gc1", item: "p-m", mask: "", balance: facts.balance, expiresAt: nil,
      handle: BalanceHandle(id: "i", stepID: 1))
    let take = Take(
      token: token, method: method, left: facts.left, methodContribution: facts.contribution,
      otherInstances: facts.others)
    do throws(CheckoutError) {
      return .success(try take.slice(facts.wanted))
    } catch {
      return .failure(error)
    }
  }

  /// The rules, said another way.
  private func code(_ facts: Case) -> ErrorCode? {
    if let limit = facts.limit, facts.others + 1 > limit { return .usageLimitError }
    let room = facts.maximum.map { max($0 - facts.contribution, 0) }
    let whole = min(facts.balance, facts.left)
    if facts.wanted == nil, room == 0 { return .maxAmountReached }
    let amount = facts.wanted ?? (facts.policy == .max ? whole : min(whole, room ?? whole))
    if amount <= 0 || amount > facts.left || amount > facts.balance { return .invalidTakeAmount }
    if facts.policy == .max, amount != whole { return .secondaryMethodTakePolicyViolated }
    if let room, amount > room { return .maxAmountReached }
    if let minimum = facts.minimum, amount < minimum { return .invalidTakeAmount }
    return nil
  }

  private func eachCase(_ body: (Case) -> Void) {
    for balance in Int64(0)...3 {
      for left in Int64(0)...3 {
        for wanted in [nil, -1, 0, 1, 2, 3, 4] as [Int64?] {
          for policy in [PaymentMethod.TakePolicy.free, .max] {
            for (maximum, contribution) in [(nil, 0), (0, 0), (2, 0), (2, 1), (2, 2), (3, 9)] as [(Int64?, Int64)] {
              for minimum in [nil, 2] as [Int64?] {
                for (limit, others) in [(nil, 5), (1, 0), (1, 1), (2, 1)] as [(Int64?, Int64)] {
                  body(
                    Case(
                      balance: balance, left: left, wanted: wanted, policy: policy, maximum: maximum, minimum: minimum,
                      contribution: contribution, limit: limit, others: others))
                }
              }
            }
          }
        }
      }
    }
  }

  // seed: 002:12
  // seed: 002:19c
  @Test("Every small balance, remainder, policy, maximum, minimum and limit")
  func exhaustive() {
    eachCase { facts in
      switch take(facts) {
      case .failure(let error):
        #expect(error.code == code(facts), "\(facts)")
        #expect(error.moved == .no)
      case .success(let slice):
        #expect(code(facts) == nil, "\(facts)")
        #expect(slice.amount > 0 && slice.amount <= facts.left && slice.amount <= facts.balance)
        #expect(facts.contribution + slice.amount <= facts.maximum ?? Int64.max)
        #expect(slice.loss == (facts.policy == .max ? facts.balance - slice.amount : 0))
      }
    }
  }

  @Test("A refusal says the numbers, and its message none")
  func details() throws {
    let over = Case(
      balance: 30, left: 20, wanted: 25, policy: .free, maximum: nil, minimum: 5, contribution: 0, limit: nil, others: 0
    )
    guard case .failure(let invalid) = take(over) else { throw CheckoutError(.unknownError) }
    #expect(invalid.details == #"{"amount":25,"balance":30,"left":20,"minAmount":5}"#)
    #expect(!invalid.message.contains(where: { $0.isNumber }))
    var full = over
    full.wanted = 15
    full.maximum = 40
    full.contribution = 30
    guard case .failure(let reached) = take(full) else { throw CheckoutError(.unknownError) }
    #expect(reached.details == #"{"partner":"p","method":"m","amount":15,"amountLimit":40}"#)
    full.limit = 1
    full.others = 1
    guard case .failure(let limit) = take(full) else { throw CheckoutError(.unknownError) }
    #expect(limit.details == #"{"partner":"p","method":"m"}"#)
  }
}
