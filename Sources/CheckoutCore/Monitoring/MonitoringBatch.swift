import JSONText

extension Call {
  /// Calls of the payment API are reported; the time service and the monitoring itself are not.
  var isOfPayment: Bool {
    switch self {
    case .initialize, .validate, .simulate: true
    case .time, .monitoring, .wallet, .configuration, .sessionAction, .tokenize, .payment, .poll, .threeDS: false
    }
  }

  var name: String {
    switch self {
    case .initialize: "init"
    case .validate: "validate"
    case .time: "datetime"
    case .monitoring: "monitoring"
    case .simulate: "simulate"
    case .wallet: "wallet"
    case .configuration: "configuration"
    case .sessionAction: "actions"
    case .tokenize: "tokenize"
    case .payment: "payments"
    case .poll: "poll"
    case .threeDS: "3ds"
    }
  }
}

extension Core {
  /// Boot milliseconds at which the next batch is due.
  var monitoringDeadline: Int64? { monitor.deadline(isPaying: hasAttempt) }

  func isMonitoringDue(_ moment: Moment) -> Bool {
    guard let deadline = monitoringDeadline else { return false }
    return deadline <= moment.now.boot
  }

  /// The next batch in words: a JSON array of messages. nil when there is nothing to send.
  mutating func takeMonitoring(path: (Call) -> String) -> String? {
    guard let origin = monitor.origin, let options = options.monitoring, let batch = monitor.takeBatch() else {
      return nil
    }
    var writer = JSONWriter()
    writer.array(batch) { note, writer in
      writer.beginObject()
      writer.member("instanceId", string: instanceID)
      writer.member("entityId", string: origin.entityID)
      writer.member("paymentSessionId", string: session.id)
      if let id = origin.walletSessionID { writer.member("walletSessionId", string: id) }
      writer.member("version", string: options.version)
      writer.member("env", string: session.environment)
      writer.member("platform", string: "c")
      writer.key("event")
      write(note, to: &writer, path)
      writer.endObject()
    }
    return writer.text
  }

  private func write(_ note: Monitor.Note, to writer: inout JSONWriter, _ path: (Call) -> String) {
    let code = note.event.code
    writer.beginObject()
    writer.member("code", string: code.text)
    writer.member(
      "dateString", string: DateText.iso8601(clock.hasSample ? clock.range(at: note.at).earliest : note.at.wall))
    writer.member("clientDate", string: DateText.iso8601(note.at.wall))
    writer.member("type", string: code.type)
    writer.key("payload")
    writer.beginObject()
    note.event.writePayload(to: &writer, path: path)
    writer.endObject()
    writer.endObject()
  }

  /// Sends a batch, and tells the host what is sent, to the byte.
  mutating func send(monitoring request: Request, _ body: String, _ moment: Moment, _ out: inout [Output]) {
    tell(.monitoring, &out) { _, writer in writer.member("messages", raw: body) }
    monitor.sending(send(request, moment, &out))
  }

  /// Whether it was a batch of monitoring: whatever became of it changes nothing, its clock is not believed either.
  mutating func finishMonitoring(_ request: RequestID) -> Bool {
    guard monitor.ended(request) else { return false }
    forget(request)
    return true
  }
}
