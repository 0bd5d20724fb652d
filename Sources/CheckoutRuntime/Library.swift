/// What the library says about itself.
public enum Library {
  public static let version: StaticString = "0.1.0"
  static var versionText: String { version.description }
  public static let abiVersion: Int32 = 1

  #if hasFeature(Embedded)
    static let flavour = "embedded"
  #else
    static let flavour = "normal"
  #endif
}
