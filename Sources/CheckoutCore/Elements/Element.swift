/// One method's own step, as the host shows it. One element an item.
public struct Element: Hashable, Sendable {
  /// The item's id, or the token's.
  public var id: String
  /// The method it belongs to; a token's method.
  public var item: String
  public var presentsRedirects: Bool
  public var appReturnURL: String?
  public var isFormValid = false
  /// A saved card whose security code the host wants asked for, whatever the session says.
  public var asksSecurityCode = false
  /// The host's widget says that it is there.
  var isWidgetReady = false
  /// What the host was last told of its readiness.
  var toldReady = false
  var brands = CardBrands()
  var card = CardFields()
  var initialization = Initialization()
}

/// Which brands a typed card has, and which of them pays.
struct CardBrands: Hashable {
  private(set) var detected: [String] = []
  private(set) var selected: String?

  /// What was chosen stays as long as the card has it; else the first of the method's that the card has too.
  mutating func detect(_ brands: [String], supported: [String]) {
    detected = brands
    if let selected, brands.contains(selected) { return }
    selected = supported.first { brands.contains($0) }
  }

  mutating func select(_ brand: String, supported: [String]) throws(CheckoutError) {
    guard supported.contains(brand) else { throw CheckoutError(.notSupportedBrand) }
    guard detected.contains(brand) else { throw CheckoutError(.brandNotBelongsToDetected) }
    selected = brand
  }
}

/// The data that a partner's widget is shown with, how they come, and what they are for.
struct Initialization: Hashable {
  /// An amount of a session.
  struct Basis: Hashable {
    var session: String
    var amount: Int64
  }

  var data: InitData?
  /// What the data are for.
  var basis: Basis?
  /// The request that is under way, and what it asks for.
  var request: RequestID?
  var asked: Basis?
  /// What it was last refused for: not asked for again unless the host does.
  var refused: Basis?
  /// Who waits for the element to be there.
  var calls: [OpenCall] = []
}
