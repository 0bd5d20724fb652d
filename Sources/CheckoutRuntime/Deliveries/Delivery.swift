import CheckoutCore

/// Something for the host, in the order in which it happened.
enum Delivery {
  /// A change that is put into words when its turn comes, so that many become one.
  case change(HostedCheckout, mark: UInt64)
  case tell(HostedCheckout, DeliveryKind, String)
  case ask(HostedCheckout, DeliveryKind, ticket: Int64, String)
  /// A request that the host carries; its text is assembled when its turn comes.
  case http(ticket: UInt64)
  /// The checkout has told everything.
  case release(HostedCheckout)
}

/// A delivery in words, ready for a callback or for a host that pulls.
struct ReadyDelivery {
  var checkout: UInt64
  var kind: Int32
  var ticket: UInt64
  var text: HostText
}

/// First in, first out, without moving what is left at each step.
struct DeliveryQueue {
  private var items: [Delivery?] = []
  private var head = 0

  var count: Int { items.count - head }

  mutating func append(_ delivery: Delivery) { items.append(delivery) }

  mutating func popFirst() -> Delivery? {
    guard head < items.count else { return nil }
    let delivery = items[head]
    items[head] = nil
    head += 1
    if head == items.count {
      items.removeAll(keepingCapacity: true)
      head = 0
    }
    return delivery
  }

  mutating func removeAll() {
    items = []
    head = 0
  }
}
