/// What the host says of the device. The core reads nothing itself.
public struct MonitoredDevice: Hashable, Sendable {
  public let osVersion: String?
  public let model: String?
  /// Its size, for example "1920x1080".
  public let screen: String?

  /// nil when one of them is not fit: more than 64 characters, not plain text, or what looks like a card number.
  public init?(osVersion: String?, model: String?, screen: String?) {
    for text in [osVersion, model, screen] {
      if let text, !MonitoredDevice.isPlain(text) { return nil }
    }
    self.osVersion = osVersion
    self.model = model
    self.screen = screen
  }

  private init() {
    osVersion = nil
    model = nil
    screen = nil
  }

  public static let unnamed = MonitoredDevice()

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.count <= 64 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !CardNumber.looksLikeOne(text)
  }
}

/// How a checkout is monitored.
public struct MonitoringOptions: Hashable, Sendable {
  /// The library's.
  public var version: String
  public var device: MonitoredDevice

  public init(version: String, device: MonitoredDevice = .unnamed) {
    self.version = version
    self.device = device
  }
}

/// Whom a session's monitoring speaks of; its provider knows.
public struct MonitoringOrigin: Hashable, Sendable {
  public var entityID: String
  public var walletSessionID: String?

  public init(entityID: String, walletSessionID: String?) {
    self.entityID = entityID
    self.walletSessionID = walletSessionID
  }
}
