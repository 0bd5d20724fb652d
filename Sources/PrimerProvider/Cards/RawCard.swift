/// A card as headless raw data checks it: all four fields at once.
public struct RawCard: Hashable, Sendable {
  public var number: TypedCardNumber
  public var expiry: TypedExpiry
  public var securityCode: TypedSecurityCode
  /// nil where the session asks for none.
  public var holder: TypedHolder?

  public init(
    number: TypedCardNumber, expiry: TypedExpiry, securityCode: TypedSecurityCode, holder: TypedHolder?
  ) {
    self.number = number
    self.expiry = expiry
    self.securityCode = securityCode
    self.holder = holder
  }

  /// The ids of all that is wrong, in the order of the fields.
  public func errors(now: CardMonth) -> [String] {
    var errors: [String] = []
    if !number.isValidRaw { errors.append("invalid-card-number") }
    if expiry.rawFault(now: now) != nil { errors.append("invalid-expiry-date") }
    if !securityCode.isValidRaw(number.leading.network) { errors.append("invalid-cvv") }
    if let holder, !holder.isValidRaw { errors.append("invalid-cardholder-name") }
    return errors
  }
}
