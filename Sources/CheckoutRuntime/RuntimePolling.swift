import CSystem
import CheckoutCore

extension Runtime {
  // MARK: Poll

  /// Moves I/O and time, then runs the callbacks that were queued at entry and those that this pass brought.
  public func poll(timeout: Int32) throws(CallFault) {
    try enter()
    pass(timeout)
    var left = queue.count
    while left > 0, !isDestroyed, let delivery = queue.popFirst() {
      left -= 1
      call(delivery)
    }
    leave()
  }

  /// Moves I/O and time, and takes one delivery of the checkouts that pull; nil on a time-out.
  public func next(timeout: Int32) throws(CallFault) -> (UInt64, Int32, UInt64, UnsafeMutablePointer<CChar>?)? {
    try enter()
    pass(timeout)
    var taken: ReadyDelivery?
    while taken == nil, !isDestroyed, let delivery = pullQueue.popFirst() {
      if case .release(let hosted) = delivery {
        giveBack(hosted)
      } else {
        taken = inWords(delivery)
      }
    }
    leave()
    return taken.map { ($0.checkout, $0.kind, $0.ticket, $0.text.handOver()) }
  }

  /// Answers with the lock held.
  private func enter() throws(CallFault) {
    lock.acquire()
    let thread = hcs_thread()
    if isDestroyed {
      lock.release()
      throw .handle(.invalid)
    }
    if let polling = pollingThread {
      lock.release()
      throw polling == thread ? .reentrant : .busy
    }
    pollingThread = thread
  }

  private func leave() {
    // Not before: the host need not wait for a socket to close.
    curl?.tidy()
    pollingThread = nil
    if isDestroyed {
      lock.release()
      return dismantle()
    }
    setDeadline()
    // Left-over work writes the event again, for loops that are told of edges only.
    if hasWork { signal() }
    lock.release()
  }

  /// Sockets, timers, requests and results, until no socket is ready: what they bring is told together. Only the first
  /// wait may be long.
  private func pass(_ timeout: Int32) {
    curl?.beginRound()
    work()
    let isIdle = queue.count == 0 && pullQueue.count == 0
    var ready = wait(isIdle ? timeout : 0)
    var rounds = 0
    while !isDestroyed {
      work()
      rounds += 1
      if ready == 0 || rounds == Self.mostRounds { break }
      ready = wait(0)
    }
    curl?.endRound()
  }

  /// A peer that never pauses must not keep the host from being told.
  private static let mostRounds = 16

  private func work() {
    startTransfers()
    curl?.timeout()
    collectTransfers()
    expireHostRequests()
    feedResults()
    tickDue()
    startTransfers()
  }

  /// How many sockets were ready.
  private func wait(_ timeout: Int32) -> Int {
    var woken: Int32 = 0
    var expired: Int32 = 0
    let isLong = timeout != 0
    if isLong {
      setDeadline()
      curl?.endRound()
    }
    isWaiting = true
    lock.release()
    let count = hcs_poller_wait(poller, timeout, &ready, Int32(ready.count), &woken, &expired)
    lock.acquire()
    isWaiting = false
    if isLong { curl?.beginRound() }
    drainedSignal()
    guard count > 0, !isDestroyed else { return 0 }
    for socket in ready.prefix(Int(count)) { curl?.socketReady(socket) }
    return Int(count)
  }

  /// The earliest of libcurl's time-outs, the host transport's and the checkouts' own.
  private func setDeadline() {
    var earliest = curl?.deadline
    if !options.isManualClock {
      let now = now
      for hosted in checkouts {
        if let deadline = hosted.nextDeadline(at: now) { earliest = min(earliest ?? deadline, deadline) }
      }
      for request in hostRequests { earliest = min(earliest ?? request.deadline, request.deadline) }
    }
    hcs_poller_deadline(poller, earliest ?? -1)
  }

  // MARK: Callbacks

  /// Calls the host with no lock held.
  private func call(_ delivery: Delivery) {
    if case .release(let hosted) = delivery { return giveBack(hosted) }
    guard let ready = inWords(delivery) else { return }
    let callbacks = callbacks(of: delivery)
    let checkout = OpaquePointer(bitPattern: UInt(ready.checkout))
    lock.release()
    if delivery.isQuestion {
      callbacks.hook?(callbacks.user, checkout, ready.kind, ready.ticket, ready.text.pointer)
    } else {
      callbacks.listener?(callbacks.user, checkout, ready.kind, ready.text.pointer)
    }
    ready.text.free()
    lock.acquire()
  }

  private func callbacks(of delivery: Delivery) -> HostCallbacks {
    switch delivery {
    case .change(let hosted, _), .tell(let hosted, _, _), .ask(let hosted, _, _, _), .release(let hosted):
      hosted.callbacks
    case .http: callbacks
    }
  }

  private func inWords(_ delivery: Delivery) -> ReadyDelivery? {
    switch delivery {
    case .change(let hosted, let mark):
      guard mark == hosted.changeMark else { return nil }
      hosted.isChangeQueued = false
      guard let text = hosted.checkout.takeChange() else { return nil }
      return ReadyDelivery(
        checkout: hosted.handle, kind: DeliveryKind.change.rawValue, ticket: 0, text: HostText(text))
    case .tell(let hosted, let kind, let text):
      return ReadyDelivery(checkout: hosted.handle, kind: kind.rawValue, ticket: 0, text: HostText(text))
    case .ask(let hosted, let kind, let ticket, let text):
      return ReadyDelivery(
        checkout: hosted.handle, kind: kind.rawValue, ticket: UInt64(clamping: ticket), text: HostText(text))
    case .http(let ticket):
      guard let text = hostRequest(ticket) else {
        feedResults()
        return nil
      }
      return ReadyDelivery(checkout: 0, kind: DeliveryKind.http.rawValue, ticket: ticket, text: text)
    case .release:
      return nil
    }
  }

  /// Runs `release`, the last use of what the host gave.
  private func giveBack(_ hosted: HostedCheckout) {
    forget(hosted)
    lock.release()
    hosted.callbacks.giveBack()
    lock.acquire()
  }

  // MARK: The end

  /// Never waits. Inside a callback, or while another thread polls, that poll carries it out when it returns.
  public func destroy() {
    lock.acquire()
    guard !isDestroyed else { return lock.release() }
    isDestroyed = true
    let isPolling = pollingThread != nil
    let orphans = checkouts.filter { !$0.isReleased }
    for hosted in orphans { hosted.isReleased = true }
    hcs_event_signal(event)
    lock.release()
    Handles.end(handle)
    for hosted in orphans { Handles.close(hosted.handle, hosted) }
    if !isPolling { dismantle() }
  }

  /// What was not delivered is lost; everything that the host gave is given back.
  private func dismantle() {
    lock.acquire()
    curl = nil
    let orphans = checkouts
    checkouts = []
    transfers = [:]
    results = []
    hostRequests = []
    queue.removeAll()
    pullQueue.removeAll()
    lock.release()
    Handles.close(handle, self)
    for hosted in orphans { hosted.callbacks.giveBack() }
    callbacks.giveBack()
  }
}

extension Delivery {
  fileprivate var isQuestion: Bool {
    switch self {
    case .ask, .http: true
    case .change, .tell, .release: false
    }
  }
}
