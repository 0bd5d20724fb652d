/// What was noted and not yet sent. Noting is cheap: nothing is put into words before a batch is due.
///
/// It is no part of what the checkout is: two that differ only here behave alike, so all are equal.
struct Monitor: Hashable {
  struct Note {
    var event: MonitoringEvent
    var at: Instant
  }

  /// A call of the payment API that has no answer yet.
  struct OpenCall {
    var request: RequestID
    var call: Call
    var sentAt: Int64
  }

  /// Whom the messages speak of; nil: nothing is noted and nothing is sent.
  private(set) var origin: MonitoringOrigin?
  /// The time of the input that is being handled.
  var now = Instant(boot: 0, wall: 0)
  private(set) var notes: [Note] = []
  private var bytes = 0
  private var envelopeBytes = 0
  /// Batches under way.
  private(set) var sent: [RequestID] = []
  private var calls: [OpenCall] = []
  var failure: MonitoredFailure?
  var watched = Watched()

  /// What was looked at last, so that only what differs is looked at again.
  struct Watched {
    var session = ""
    var remaining: Int64 = -1
    var technical: [String: TechnicalState] = [:]
    var isCovered = false
    var disabled: [DisabledCode?] = []
  }

  static let mostNotes = 16
  static let mostBytes = 65_536
  static let longestWait: Int64 = 10_000
  /// Beyond this nothing more is noted: a flood must cost neither memory nor the network.
  static let mostWaiting = 256

  static func == (_: Monitor, _: Monitor) -> Bool { true }
  func hash(into _: inout Hasher) {}

  var isOn: Bool { origin != nil }
  var isDrained: Bool { notes.isEmpty && sent.isEmpty }

  /// Of the session that is being set.
  mutating func begin(_ origin: MonitoringOrigin?, session: String) {
    self.origin = origin
    guard let origin else { return }
    // A character is written with six bytes at most.
    let texts = [origin.entityID, origin.walletSessionID ?? "", session]
    envelopeBytes = texts.reduce(512) { $0 + 6 * $1.utf8.count }
  }

  mutating func setWalletSession(_ id: String?) { origin?.walletSessionID = id }

  mutating func note(_ event: MonitoringEvent) {
    guard isOn, notes.count < Monitor.mostWaiting else { return }
    notes.append(Note(event: event, at: now))
    bytes += envelopeBytes + event.mostBytes
  }

  // MARK: When a batch is due

  /// Boot milliseconds. While a payment is under way only the clock makes one due: nothing competes with the payment.
  func deadline(isPaying: Bool) -> Int64? {
    guard let first = notes.first else { return nil }
    if !isPaying, notes.count >= Monitor.mostNotes || bytes >= Monitor.mostBytes { return first.at.boot }
    return first.at.boot &+ Monitor.longestWait
  }

  /// Takes the notes of the next batch; nil when there are none.
  mutating func takeBatch() -> [Note]? {
    var batch: [Note] = []
    var size = 0
    for note in notes.prefix(Monitor.mostNotes) {
      size += envelopeBytes + note.event.mostBytes
      if size > Monitor.mostBytes, !batch.isEmpty { break }
      batch.append(note)
    }
    guard !batch.isEmpty else { return nil }
    notes.removeFirst(batch.count)
    bytes = notes.reduce(0) { $0 + envelopeBytes + $1.event.mostBytes }
    return batch
  }

  mutating func sending(_ request: RequestID) { sent.append(request) }

  /// Whatever became of it: a batch that failed is gone. False when it was none.
  mutating func ended(_ request: RequestID) -> Bool {
    guard let index = sent.firstIndex(of: request) else { return false }
    sent.remove(at: index)
    return true
  }

  // MARK: Calls of the payment API

  mutating func began(_ call: Call, _ request: RequestID) {
    guard isOn, call.isOfPayment else { return }
    calls.append(OpenCall(request: request, call: call, sentAt: now.boot))
    note(.partnerAPICallStart(call))
  }

  mutating func ended(_ request: RequestID, _ received: Received) {
    guard let index = calls.firstIndex(where: { $0.request == request }) else { return }
    let open = calls.remove(at: index)
    var status: MonitoredStatus?
    var isSuccess = false
    if case .answer(let answer) = received {
      status = MonitoredStatus(of: answer)
      isSuccess = answer.isSuccess
    }
    failure = isSuccess ? nil : MonitoredFailure(call: open.call, status: status)
    let took = MonitoredTime(from: open.sentAt, to: now)
    note(.partnerAPICallEnd(open.call, took: took, isSuccess: isSuccess))
  }
}
