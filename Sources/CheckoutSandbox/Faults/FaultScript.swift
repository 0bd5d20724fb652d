/// The faults to come, in the order they were asked for.
struct FaultScript: Hashable {
  private var faults: [Fault] = []

  var document: SandboxJSON { ["faults": .array(faults.map(\.document))] }

  mutating func add(_ fault: Fault) { faults.append(fault) }

  mutating func clear() { faults = [] }

  /// How far the clock that this request meets is off. Skews add up, and go with any other fault.
  mutating func skewMilliseconds(for request: SandboxRequest) -> Int64 {
    var skew: Int64 = 0
    for index in faults.indices where faults[index].kind == .clockSkew && faults[index].matches(request) {
      if hits(index) { skew += faults[index].skewSeconds * 1_000 }
    }
    removeSpent()
    return skew
  }

  /// The fault that this request meets, if any.
  mutating func take(for request: SandboxRequest) -> Fault? {
    defer { removeSpent() }
    for index in faults.indices where faults[index].kind != .clockSkew && faults[index].matches(request) {
      if hits(index) { return faults[index] }
    }
    return nil
  }

  /// The fault that this request would meet; it stays in the script.
  func next(for request: SandboxRequest) -> Fault? {
    var copy = self
    return copy.take(for: request)
  }

  private mutating func hits(_ index: Int) -> Bool {
    if faults[index].skip > 0 {
      faults[index].skip -= 1
      return false
    }
    if let times = faults[index].times { faults[index].times = times - 1 }
    return true
  }

  private mutating func removeSpent() { faults.removeAll { $0.times == 0 } }
}
