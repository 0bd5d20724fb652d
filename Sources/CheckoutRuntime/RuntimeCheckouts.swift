import CSystem
import CheckoutCore
import JSONText

extension Runtime {
  // MARK: Making one

  /// `request` is wiped: it may hold the key.
  public func create(_ request: inout [UInt8], _ callbacks: HostCallbacks) throws(CallFault) -> (UInt64, String) {
    lock.acquire()
    defer { lock.release() }
    return try making(&request, isRestore: false, callbacks) { (create) throws(CallFault) in
      var out: [Output] = []
      let moment = moment
      let checkout = try reading { () throws(CheckoutError) in
        try Checkout<BackEnd>(
          widgetData: create.session ?? "", create.options, create.provider, register.seen(by: 0), moment, &out)
      }
      let handle = try host(checkout, create, callbacks, out)
      return (handle, checkout.core.properties(Property.allCases))
    }
  }

  /// `request` is wiped: it may hold the key.
  public func restore(
    _ snapshot: [UInt8], _ request: inout [UInt8], _ callbacks: HostCallbacks
  ) throws(CallFault) -> (UInt64, String) {
    lock.acquire()
    defer { lock.release() }
    return try making(&request, isRestore: true, callbacks) { (create) throws(CallFault) in
      let saved = try reading { () throws(CheckoutError) in try opened(SavedState(snapshot), create) }
      do throws(CallFault) {
        return try restore(saved, create, callbacks)
      } catch {
        for secret in saved.secrets { hcs_secret_release(secrets, secret.value) }
        throw error
      }
    }
  }

  private func restore(
    _ saved: SavedState, _ create: CreateRequest, _ callbacks: HostCallbacks
  ) throws(CallFault) -> (UInt64, String) {
    var out: [Output] = []
    var reply = ""
    let moment = moment
    let checkout = try reading { () throws(CheckoutError) in
      try Checkout<BackEnd>(
        restoring: saved, create.options, create.provider, register.seen(by: 0), moment, &out, reply: &reply)
    }
    let handle = try host(checkout, create, callbacks, out)
    return (handle, reply)
  }

  /// With the numbers that the host's key opens.
  private func opened(_ saved: SavedState, _ create: CreateRequest) throws(CheckoutError) -> SavedState {
    var saved = saved
    if saved.backEnd != create.provider.backEnd {
      throw CheckoutError(.invalidArgument, message: "the snapshot is another back end's", path: "provider")
    }
    if let session = create.session { saved.widgetData = try replacement(session, saved, create) }
    guard let key = create.sealKey, !saved.sealedCards.isEmpty else { return saved }
    let session = try BackEnd.open(saved.widgetData, create.provider).session.id
    Seal(store: secrets, key: key, session: session).open(&saved)
    return saved
  }

  /// The host's own text of the session that a snapshot speaks of.
  private func replacement(
    _ text: String, _ saved: SavedState, _ create: CreateRequest
  ) throws(CheckoutError) -> String {
    let stored = try BackEnd.open(saved.widgetData, create.provider).session.id
    guard try BackEnd.open(text, create.provider).session.id == stored else {
      throw CheckoutError(.invalidArgument, message: "not the session of the snapshot", path: "clientToken")
    }
    return text
  }

  /// Reads the request and makes a checkout of it; without one its key is given back.
  private func making(
    _ request: inout [UInt8], isRestore: Bool, _ callbacks: HostCallbacks,
    _ make: (CreateRequest) throws(CallFault) -> (UInt64, String)
  ) throws(CallFault) -> (UInt64, String) {
    var taken = SecretReading(secrets)
    do throws(CallFault) {
      let create = try reading { () throws(CheckoutError) in
        try taken.create(&request, isRestore: isRestore, options).answerable(by: callbacks)
      }
      return try make(create)
    } catch {
      taken.giveBack()
      throw error
    }
  }

  private func host(
    _ checkout: Checkout<BackEnd>, _ create: CreateRequest, _ callbacks: HostCallbacks, _ out: [Output]
  ) throws(CallFault) -> UInt64 {
    guard !isDestroyed else { throw .handle(.invalid) }
    let hosted = HostedCheckout(self, callbacks, create.sealKey, checkout)
    hosted.handle = Handles.open(hosted, .checkout)
    guard hosted.handle != 0 else { throw .internal("too many handles") }
    checkouts.append(hosted)
    hosted.checkout.join(&register, as: hosted.handle)
    absorb(out, from: hosted)
    return hosted.handle
  }

  /// What seals numbers for a checkout's saved state.
  func seal(of hosted: HostedCheckout) -> Seal? {
    hosted.sealKey.map { Seal(store: secrets, key: $0, session: hosted.checkout.core.sessionID) }
  }

  // MARK: What a checkout wants done

  func absorb(_ out: [Output], from hosted: HostedCheckout) {
    let after = hosted.checkout.report(to: &register, as: hosted.handle)
    noteRevision(after.revision)
    for output in out {
      switch output {
      case .send(let request, let content):
        send(request, content, from: hosted)
      case .cancel(let request):
        cancel(request, of: hosted)
      case .tell(let kind, let text):
        replaceQueuedChange(of: hosted)
        queue(.tell(hosted, kind, text), of: hosted)
      case .ask(let kind, let ticket, let text):
        replaceQueuedChange(of: hosted)
        queue(.ask(hosted, kind, ticket: ticket, text), of: hosted)
      case .forget(let secret):
        hcs_secret_release(secrets, secret.value)
      }
    }
    if after.isChangeDue, !hosted.isChangeQueued {
      hosted.isChangeQueued = true
      queue(.change(hosted, mark: hosted.changeMark), of: hosted)
    }
    if after.isDrained { queueRelease(of: hosted) }
    signal()
  }

  /// A change that was to be put into words has been told by what follows it in the queue: what has changed since comes
  /// after that, or the host would see the older value last.
  private func replaceQueuedChange(of hosted: HostedCheckout) {
    hosted.changeMark &+= 1
    hosted.isChangeQueued = false
  }

  /// Nothing follows a checkout's `release`: what the host gave is gone by then.
  private func queue(_ delivery: Delivery, of hosted: HostedCheckout) {
    if !hosted.isReleaseQueued { queue(delivery, pulls: hosted.callbacks.pulls) }
  }

  func queue(_ delivery: Delivery, pulls: Bool) {
    if pulls { pullQueue.append(delivery) } else { queue.append(delivery) }
  }

  /// The last delivery of a checkout that the host let go of and that has told everything.
  private func queueRelease(of hosted: HostedCheckout) {
    guard hosted.isReleased, !hosted.isReleaseQueued else { return }
    hosted.isReleaseQueued = true
    queue(.release(hosted), pulls: hosted.callbacks.pulls)
  }

  func forget(_ hosted: HostedCheckout) {
    checkouts.removeAll { $0 === hosted }
    if let key = hosted.sealKey { hcs_secret_release(secrets, key.value) }
    hosted.checkout.core.leave(&register, as: hosted.handle)
  }

  // MARK: Time and results

  func tickAll() {
    let moment = moment
    for hosted in checkouts {
      var out: [Output] = []
      hosted.checkout.tick(moment, &out)
      absorb(out, from: hosted)
    }
  }

  /// The app may be suspended: what was noted leaves with the next polls.
  func flushMonitoring() {
    let moment = moment
    for hosted in checkouts {
      var out: [Output] = []
      hosted.checkout.flushMonitoring(moment, &out)
      if !out.isEmpty { absorb(out, from: hosted) }
    }
  }

  func tickDue() {
    let now = now
    for hosted in checkouts {
      guard let deadline = hosted.nextDeadline(at: now), deadline <= now.boot else { continue }
      var out: [Output] = []
      hosted.checkout.tick(moment, &out)
      absorb(out, from: hosted)
    }
  }

  /// Hands every result to its checkout; a checkout's reaction may bring more.
  func feedResults() {
    while !results.isEmpty {
      let batch = results
      results = []
      for result in batch {
        var out: [Output] = []
        result.checkout.checkout.received(result.request, result.received, moment, &out)
        absorb(out, from: result.checkout)
      }
    }
  }
}

extension HostedCheckout {
  // MARK: Calls

  /// Runs one call under the runtime's lock.
  private func locked<Value>(_ body: () throws(CallFault) -> Value) throws(CallFault) -> Value {
    runtime.lock.acquire()
    defer { runtime.lock.release() }
    // Released or destroyed by another thread since the handle was looked up.
    if isReleased { throw .handle(.invalid) }
    return try body()
  }

  public func perform(_ call: HostCall, _ request: [UInt8]) throws(CallFault) -> String {
    let command = try reading { () throws(CheckoutError) in
      try Command(call, HostJSON.object(request)).answerable(by: callbacks)
    }
    return try perform(command)
  }

  /// `request` is wiped: it holds the number.
  public func readSecondary(_ request: inout [UInt8]) throws(CallFault) -> String {
    defer { request.withUnsafeMutableBytes { hcs_wipe($0.baseAddress, $0.count) } }
    return try locked { () throws(CallFault) in
      var secrets = SecretReading(runtime.secrets)
      do throws(CheckoutError) {
        var read = try secrets.read(&request)
        read.sealed = runtime.seal(of: self)?.sealed(read)
        return try performLocked(.readSecondary(read))
      } catch {
        secrets.giveBack()
        throw .refused(error)
      }
    }
  }

  /// `text` is wiped: it may hold a card number.
  public func setField(_ element: String, _ field: String, _ text: inout [UInt8]) throws(CallFault) -> String {
    defer { text.withUnsafeMutableBytes { hcs_wipe($0.baseAddress, $0.count) } }
    return try locked { () throws(CallFault) in
      var secrets = SecretReading(runtime.secrets)
      do throws(CheckoutError) {
        let value = try secrets.field(field, text)
        return try performLocked(.setField(element: element, value))
      } catch {
        secrets.giveBack()
        throw .refused(error)
      }
    }
  }

  public func answer(_ ticket: UInt64, _ answer: [UInt8]) throws(CallFault) -> String {
    let read = try reading { () throws(CheckoutError) in try HookAnswer(HostJSON.object(answer)) }
    guard let ticket = Int64(exactly: ticket) else { throw .refused(CheckoutError(.ticketClosed)) }
    return try perform(.answer(ticket: ticket, read))
  }

  public func teardown() throws(CallFault) -> String { try perform(.teardown) }

  private func perform(_ command: Command) throws(CallFault) -> String {
    try locked { () throws(CallFault) in
      try reading { () throws(CheckoutError) in try performLocked(command) }
    }
  }

  /// A refused command changes nothing: what it did until then is taken back.
  private func performLocked(_ command: Command) throws(CheckoutError) -> String {
    var out: [Output] = []
    let moment = runtime.moment
    observe(moment)
    let before = checkout
    let reply: String
    do throws(CheckoutError) {
      reply = try checkout.perform(command, runtime.register.seen(by: handle), moment, &out)
    } catch {
      checkout = before
      checkout.refused(command, error, moment)
      throw error
    }
    runtime.absorb(out, from: self)
    runtime.feedResults()
    return reply
  }

  /// The clock moves whether the call is refused or not.
  private func observe(_ moment: Moment) {
    var out: [Output] = []
    let isChangeDue = checkout.observe(moment, &out)
    if isChangeDue || !out.isEmpty { runtime.absorb(out, from: self) }
  }

  // MARK: Reads

  /// `split` reads the split's properties when no keys are named.
  public func properties(_ request: [UInt8], unnamed: [Property]) throws(CallFault) -> String {
    let wanted = try reading { () throws(CheckoutError) in
      let fields = try HostJSON.object(request)
      try fields.allowOnly("keys")
      return try fields.present("keys") == nil ? unnamed : fields.properties("keys")
    }
    return try locked { () throws(CallFault) in
      observe(runtime.moment)
      return checkout.core.properties(wanted)
    }
  }

  public func formatAmount(_ request: [UInt8]) throws(CallFault) -> String {
    let shown = try reading { () throws(CheckoutError) in
      try ShownAmount(HostJSON.object(request), locale: runtime.options.locale)
    }
    return try locked { () throws(CallFault) in checkout.core.text(of: shown) }
  }

  public func saveState() throws(CallFault) -> String {
    try locked { () throws(CallFault) in checkout.saveState(runtime.moment) }
  }

  public func redirectVerdict(_ url: String) throws(CallFault) -> RedirectVerdict {
    try locked { () throws(CallFault) in checkout.core.redirectVerdict(url) }
  }

  // MARK: Letting go

  /// The handle is invalid at once; what is still owed is delivered first, then `release` runs.
  public func release() {
    runtime.lock.acquire()
    guard !isReleased else { return runtime.lock.release() }
    var out: [Output] = []
    _ = try? checkout.perform(.teardown, runtime.register.seen(by: handle), runtime.moment, &out)
    isReleased = true
    runtime.absorb(out, from: self)
    runtime.feedResults()
    runtime.lock.release()
    Handles.close(handle, self)
  }
}

extension FieldReader {
  fileprivate func properties(_ key: String) throws(CheckoutError) -> [Property] {
    var properties: [Property] = []
    for name in try strings(key) {
      guard let property = Property.named(name) else { throw malformed(key, "not a published property") }
      if !properties.contains(property) { properties.append(property) }
    }
    return properties
  }
}
