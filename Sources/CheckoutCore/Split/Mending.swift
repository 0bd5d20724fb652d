/// How much less of which gift cards brings the remainder up to a minimum, and not over a maximum.
struct Mending {
  struct Slice {
    var token: String
    var amount: Int64
    /// All or nothing.
    var isWhole: Bool
    /// The least that its method takes.
    var least: Int64
  }

  /// In the order of the split.
  var slices: [Slice]
  var missing: Int64
  /// The most that the remainder may grow.
  var room: Int64

  /// One card where one is enough, the latest that does with the least; else as few as it takes. Empty: nothing mends it.
  func plan() -> [DisabledState.Mend] {
    one.map { [$0] } ?? several
  }

  private var one: DisabledState.Mend? {
    var best: DisabledState.Mend?
    for slice in slices.reversed() where slice.amount >= missing {
      let less = reduction(of: slice, by: missing)
      guard less <= room, less < best?.less ?? Int64.max else { continue }
      best = mend(slice, less)
    }
    return best
  }

  private var several: [DisabledState.Mend] {
    var plan: [DisabledState.Mend] = []
    var need = missing
    var given: Int64 = 0
    var rest = slices
    while need > 0, let largest = rest.indices.max(by: { rest[$0].amount < rest[$1].amount }) {
      let slice = rest.remove(at: largest)
      let less = reduction(of: slice, by: need)
      guard less <= room &- given else { continue }
      plan.append(mend(slice, less))
      given &+= less
      need &-= min(less, need)
    }
    return need == 0 ? plan : []
  }

  /// The least that it can give up of at least `wanted`; all of it when that is less.
  private func reduction(of slice: Slice, by wanted: Int64) -> Int64 {
    let rest = slice.amount &- wanted
    return slice.isWhole || rest <= 0 || rest < slice.least ? slice.amount : wanted
  }

  private func mend(_ slice: Slice, _ less: Int64) -> DisabledState.Mend {
    DisabledState.Mend(token: slice.token, less: less, amount: slice.amount &- less)
  }
}

extension Core {
  func mending(_ missing: Int64, below ceiling: Int64?) -> [DisabledState.Mend] {
    guard !split.slices.isEmpty else { return [] }
    let slices = split.slices.compactMap { slice -> Mending.Slice? in
      guard let token = secondary(slice.token), let method = session.method(token.item) else { return nil }
      return Mending.Slice(
        token: slice.token, amount: slice.amount, isWhole: method.takePolicy == .max, least: method.minAmount ?? 0)
    }
    let room = ceiling.map { max($0 &- remaining, 0) } ?? Int64.max
    return Mending(slices: slices, missing: missing, room: room).plan()
  }
}
