import CheckoutCore
import JSONText

/// What a host says when it makes a runtime.
struct RuntimeOptions: Hashable {
  var usesHostTransport = false
  var connectTimeout: Int64 = 5_000
  var initTimeout: Int64 = 15_000
  var validateTimeout: Int64 = 60_000
  var timeTimeout: Int64 = 5_000
  var maxResponseBytes: Int64 = 4 << 20
  var hookTimeout: Int64?
  var isManualClock = false
  /// Of amounts that are shown, unless a call names one.
  var locale = "en-US"
  /// nil: switched off.
  var monitoring: MonitoringOptions?
  var transport = TransportOptions()

  /// A checkout that was let go of waits so long for its last batch.
  static let monitoringTimeout: Int64 = 5_000

  /// Of this version, in milliseconds: a device's clock that says less is not believed. 2026-11-30T00:00:00Z.
  static let releaseDate: Int64 = 1_795_996_800_000

  init(_ request: borrowing FieldReader) throws(CheckoutError) {
    try request.allowOnly(
      """
      transport timeouts maxResponseBytes allowLoopbackHTTP proxy caFile clientCertificate userAgent hookTimeoutMs \
      clock monitoring device locale
      """)
    usesHostTransport = try request.choice("transport", ["curl", "host"]) == "host"
    isManualClock = try request.choice("clock", ["real", "manual"]) == "manual"
    locale = try request.optionalLocale("locale") ?? locale
    if let timeouts = try request.optionalObject("timeouts") { try read(timeouts) }
    if let bytes = try request.optionalInteger("maxResponseBytes") {
      guard (1...(64 << 20)).contains(bytes) else { throw request.malformed("maxResponseBytes", "out of range") }
      maxResponseBytes = bytes
    }
    if let timeout = try request.optionalInteger("hookTimeoutMs"), timeout != 0 {
      hookTimeout = try request.duration("hookTimeoutMs")
    }
    let device = try RuntimeOptions.device(try request.optionalObject("device"))
    if try request.optionalBoolean("monitoring") ?? true {
      monitoring = MonitoringOptions(version: Library.versionText, device: device)
    }
    transport.allowsLoopbackHTTP = try request.optionalBoolean("allowLoopbackHTTP") ?? false
    transport.proxy = try request.optionalString("proxy")
    transport.authoritiesFile = try request.optionalString("caFile")
    transport.userAgent = try request.optionalString("userAgent") ?? "HeadlessCheckout/" + Library.versionText
    if let certificate = try request.optionalObject("clientCertificate") {
      try certificate.allowOnly("certificateFile keyFile")
      transport.clientCertificate = TransportOptions.ClientCertificate(
        certificateFile: try certificate.string("certificateFile"), keyFile: try certificate.optionalString("keyFile"))
    }
  }

  private static func device(_ fields: FieldReader?) throws(CheckoutError) -> MonitoredDevice {
    guard let fields else { return .unnamed }
    try fields.allowOnly("osVersion model screen")
    let device = MonitoredDevice(
      osVersion: try fields.optionalString("osVersion"), model: try fields.optionalString("model"),
      screen: try fields.optionalString("screen"))
    guard let device else {
      throw CheckoutError(.invalidArgument, message: "at most 64 plain characters each", path: "device")
    }
    return device
  }

  private mutating func read(_ timeouts: FieldReader) throws(CheckoutError) {
    try timeouts.allowOnly("connectMs initMs validateMs timeMs")
    if let milliseconds = try timeouts.optionalDuration("connectMs") { connectTimeout = milliseconds }
    if let milliseconds = try timeouts.optionalDuration("initMs") { initTimeout = milliseconds }
    if let milliseconds = try timeouts.optionalDuration("validateMs") { validateTimeout = milliseconds }
    if let milliseconds = try timeouts.optionalDuration("timeMs") { timeTimeout = milliseconds }
  }

  func timeout(of call: Call) -> Int64 {
    switch call {
    case .initialize, .simulate, .wallet, .configuration, .sessionAction, .tokenize, .threeDS, .poll: initTimeout
    case .validate, .payment: validateTimeout
    case .time: timeTimeout
    case .monitoring: RuntimeOptions.monitoringTimeout
    }
  }
}

extension FieldReader {
  /// Milliseconds, from 1 to a day.
  func duration(_ key: String) throws(CheckoutError) -> Int64 {
    let milliseconds = try integer(key)
    guard (1...86_400_000).contains(milliseconds) else { throw malformed(key, "out of range") }
    return milliseconds
  }

  func optionalDuration(_ key: String) throws(CheckoutError) -> Int64? {
    if value[key] == nil { return nil }
    return try duration(key)
  }

  /// One of the named words; nil when absent.
  func choice(_ key: String, _ words: [String]) throws(CheckoutError) -> String? {
    guard let word = try optionalString(key) else { return nil }
    guard words.contains(word) else { throw malformed(key, "not a known value") }
    return word
  }
}
