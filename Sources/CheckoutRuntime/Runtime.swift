import CSystem
import CheckoutCore
import JSONText
import PurseProvider

/// What a call ends with, beside its reply.
public enum CallFault: Error, Hashable, Sendable {
  case handle(HandleFault)
  /// Refused, or what was passed cannot be read: the code says which.
  case refused(CheckoutError)
  case busy
  case reentrant
  case `internal`(String)
}

/// Drives checkouts: one descriptor, the clock, the requests, and what is told to the host.
///
/// Every property is guarded by `lock`. No lock is held while the host is called, nor while the poller waits.
public final class Runtime {
  let lock: Lock
  let poller: OpaquePointer
  let secrets: OpaquePointer
  let options: RuntimeOptions
  let callbacks: HostCallbacks
  public private(set) var handle: UInt64 = 0
  private(set) var event: Int32 = -1

  var curl: CurlTransport?
  var hostRequests: [HostRequest] = []
  var transfers: [UInt64: Transfer] = [:]
  /// Sent by a checkout, not yet started: the polling thread does that.
  var toStart: [UInt64] = []
  /// Results that wait for their checkout.
  var results: [TransferResult] = []
  var nextTransfer: UInt64 = 1
  var nextHostTicket: UInt64 = 1

  var checkouts: [HostedCheckout] = []
  /// About a hundred bytes for each session that was paid or tried; they are freed with the runtime.
  var register = SessionRegister()
  /// Of all saved states that were made or restored here.
  private var highestRevision: Int64 = 0
  var queue = DeliveryQueue()
  var pullQueue = DeliveryQueue()

  /// The thread inside poll or next.
  var pollingThread: UInt64?
  var isDestroyed = false
  /// That thread is inside the poller, without the lock.
  var isWaiting = false
  /// Room for what the poller finds.
  var ready = [hcs_ready](repeating: hcs_ready(), count: 64)
  private var isSignalled = false
  private var manualClock: Instant?
  private var randomness = Randomness()

  private init(
    _ lock: Lock, _ poller: OpaquePointer, _ secrets: OpaquePointer, _ options: RuntimeOptions,
    _ callbacks: HostCallbacks
  ) {
    self.lock = lock
    self.poller = poller
    self.secrets = secrets
    self.options = options
    self.callbacks = callbacks
    if options.isManualClock { manualClock = Runtime.realClock }
  }

  deinit {
    curl = nil
    hcs_poller_destroy(poller)
    hcs_secret_store_destroy(secrets)
  }

  // MARK: Making one

  /// The callbacks are given back by the caller when this throws.
  public static func create(
    abiVersion: Int32, _ request: [UInt8], _ callbacks: HostCallbacks
  ) throws(CallFault) -> (runtime: Runtime, reply: String) {
    guard abiVersion == Library.abiVersion else {
      throw .refused(
        CheckoutError(.invalidArgument, message: "the library has another ABI version", path: "abiVersion"))
    }
    let options = try reading { () throws(CheckoutError) in
      try RuntimeOptions(HostJSON.object(request))
    }
    if options.usesHostTransport, callbacks.hook == nil, !callbacks.pulls {
      throw .refused(
        CheckoutError(.invalidArgument, message: "the host's transport needs a hook callback", path: "transport"))
    }
    guard let lock = Lock(), let secrets = hcs_secret_store_create() else { throw .internal("out of memory") }
    let runtime = try open(lock, secrets, options, callbacks)
    return (runtime, runtime.text { $0.member("abiVersion", integer: Int64(Library.abiVersion)) })
  }

  private static func open(
    _ lock: Lock, _ secrets: OpaquePointer, _ options: RuntimeOptions, _ callbacks: HostCallbacks
  ) throws(CallFault) -> Runtime {
    guard let poller = hcs_poller_create(-1) else {
      hcs_secret_store_destroy(secrets)
      throw .internal("too many descriptors")
    }
    let runtime = Runtime(lock, poller, secrets, options, callbacks)
    if !options.usesHostTransport {
      do throws(TransportFault) {
        // The transport lives inside its runtime, and asks it only while the runtime drives it.
        let asked = Unmanaged.passUnretained(runtime)
        runtime.curl = try CurlTransport(options: options.transport, poller: poller) {
          asked.takeUnretainedValue().mayLeave($0)
        }
      } catch {
        throw error == .optionInvalid
          ? .refused(CheckoutError(.invalidArgument, message: error.words)) : .internal(error.words)
      }
    }
    return try runtime.openHandle()
  }

  /// Last, so that a runtime that could not be made never had a handle.
  private func openHandle() throws(CallFault) -> Runtime {
    handle = Handles.open(self, .runtime)
    guard handle != 0 else { throw .internal("too many handles") }
    event = Handles.event(of: handle)
    guard hcs_poller_listen(poller, event) == 0 else {
      Handles.close(handle, self)
      throw .internal("too many descriptors")
    }
    return self
  }

  // MARK: The clock

  private static var realClock: Instant {
    Instant(boot: hcs_boot_milliseconds(), wall: hcs_wall_milliseconds())
  }

  var now: Instant { manualClock ?? Runtime.realClock }

  func advance(by milliseconds: Int64) {
    guard let clock = manualClock else { return }
    manualClock = Instant(boot: clock.boot &+ milliseconds, wall: clock.wall &+ milliseconds)
  }

  var moment: Moment {
    Moment(
      now: now, random: RandomBytes(high: randomness.next(), low: randomness.next()), revision: highestRevision)
  }

  /// A host that compares revisions never meets a lower one from this runtime. One beyond what this library counts to
  /// was edited, and would leave no room for the rest.
  func noteRevision(_ revision: Int64) {
    if revision > highestRevision, revision < 1 << 52 { highestRevision = revision }
  }

  // MARK: Waking the host

  /// The descriptor becomes readable: there is something to do. A poll that is at work sees to that when it leaves.
  func signal() {
    if isSignalled || (pollingThread != nil && !isWaiting) { return }
    isSignalled = true
    hcs_event_signal(event)
  }

  /// After every wait, whoever read the event: one write too many is harmless, one too few is not.
  func drainedSignal() { isSignalled = false }

  /// Destroyed; while it is polled its handle lives on, so that no other runtime gets its event descriptor.
  var isGone: Bool {
    lock.acquire()
    defer { lock.release() }
    return isDestroyed
  }

  var hasWork: Bool { queue.count > 0 || pullQueue.count > 0 || !toStart.isEmpty || !results.isEmpty }

  // MARK: What it says of itself

  func text(_ first: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    first(&writer)
    writer.member("transport", string: options.usesHostTransport ? "host" : "curl")
    writer.member("libcurl", optionalString: curl == nil ? nil : CurlTransport.libraryVersion)
    writer.endObject()
    return writer.text
  }

  public func info() -> String {
    lock.acquire()
    defer { lock.release() }
    return text { writer in
      writer.member("version", string: Library.versionText)
      writer.member("abiVersion", integer: Int64(Library.abiVersion))
      writer.member("flavour", string: Library.flavour)
      writer.member("checkouts", integer: checkouts.count)
      writer.member("waiting", integer: queue.count + pullQueue.count)
    }
  }

  public var descriptor: Int32 { hcs_poller_descriptor(poller) }

  public func notify(_ request: [UInt8]) throws(CallFault) -> String {
    let notice = try reading { () throws(CheckoutError) in try Notice(HostJSON.object(request)) }
    lock.acquire()
    defer { lock.release() }
    switch notice {
    case .background:
      flushMonitoring()
    case .foreground:
      tickAll()
    case .advance(let milliseconds):
      guard options.isManualClock else {
        throw .refused(CheckoutError(.invalidArgument, message: "the clock is real", path: "advanceMs"))
      }
      advance(by: milliseconds)
      expireHostRequests()
      tickAll()
    }
    signal()
    return "{}"
  }

  private enum Notice {
    case background, foreground
    case advance(Int64)

    init(_ request: borrowing FieldReader) throws(CheckoutError) {
      try request.allowOnly("app advanceMs")
      if request.value["advanceMs"] != nil {
        let milliseconds = try request.integer("advanceMs")
        guard (0...(1 << 50)).contains(milliseconds) else { throw request.malformed("advanceMs", "out of range") }
        self = .advance(milliseconds)
        return
      }
      guard let word = try request.choice("app", ["background", "foreground"]) else { throw request.malformed("app") }
      self = word == "foreground" ? .foreground : .background
    }
  }
}

/// Random numbers, asked of the kernel a few at a time. A forked child has no use of its parent's runtime, so that none
/// is ever given twice.
private struct Randomness {
  private var numbers = [UInt64](repeating: 0, count: 16)
  private var left = 0

  mutating func next() -> UInt64 {
    if left == 0 {
      // Zeros when there is no randomness: enough for an id, and refused for a payment's key.
      if hcs_random(&numbers, numbers.count * MemoryLayout<UInt64>.size) != 0 {
        numbers = [UInt64](repeating: 0, count: numbers.count)
      }
      left = numbers.count
    }
    left -= 1
    defer { numbers[left] = 0 }
    return numbers[left]
  }
}

/// Reads what the host passed.
func reading<Value>(_ read: () throws(CheckoutError) -> Value) throws(CallFault) -> Value {
  do throws(CheckoutError) {
    return try read()
  } catch {
    throw .refused(error)
  }
}
