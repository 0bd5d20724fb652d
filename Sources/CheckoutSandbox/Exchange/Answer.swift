/// A back end's answer, and how it reaches the client.
struct Answer: Hashable {
  /// What happens to an answer on its way.
  enum Delivery: Hashable {
    case whole
    case delayed(milliseconds: Int)
    /// The request was processed, its answer is never sent.
    case lost
  }

  var response: SandboxResponse
  var delivery = Delivery.whole

  var action: SandboxAction {
    switch delivery {
    case .whole: .respond(response, afterMilliseconds: 0)
    case .delayed(let milliseconds): .respond(response, afterMilliseconds: milliseconds)
    case .lost: .hangUp
    }
  }
}
