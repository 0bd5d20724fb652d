/// One payment item of a session.
public struct PaymentMethod: Hashable, Sendable {
  /// Pays the remainder, or a slice.
  public enum Kind: Hashable, Sendable { case primary, secondary }

  /// What using it takes.
  public enum Nature: Hashable, Sendable {
    /// A form of the host's; its `collect` step answers a vault token.
    case card
    /// A partner's own sheet or widget; it needs the `prepare` step.
    case native
    /// A page, opened after the answer.
    case redirection
    /// A number, read for its balance.
    case giftCard
  }

  /// What else a partner's own widget asks for.
  public struct Traits: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Its element needs data of the back end's before it can be shown; they are for one amount of one session.
    public static let initializesAtOpen = Traits(rawValue: 1)
    /// Its own button is the Pay button: approving there chooses it and pays.
    public static let selfSubmitting = Traits(rawValue: 2)
    /// It may leave for another app, and must know where to return to.
    public static let needsReturnURL = Traits(rawValue: 4)
    /// Its back end says what paying in instalments would come to.
    public static let simulable = Traits(rawValue: 8)
    /// A card whose form is this library's: no step of the host's collects it.
    public static let ownForm = Traits(rawValue: 16)
    /// Choosing it may change what is to be paid: the back end is told before it is paid with.
    public static let hasSurcharge = Traits(rawValue: 32)
  }

  public enum TakePolicy: Hashable, Sendable {
    case free
    /// All or nothing: the whole balance, capped by what is left.
    case max
  }

  public var id: String
  public var partner: String
  public var method: String
  public var kind: Kind
  public var nature: Nature
  public var traits: Traits
  public var position: Int64?
  public var minAmount: Int64?
  public var maxAmount: Int64?
  /// How many slices of it a split may have.
  public var limit: Int64?
  public var canBeRegistered: Bool
  public var takePolicy: TakePolicy
  public var brands: [String]
  public var numberRule: GiftCardRule
  /// Compact JSON of its configuration: equal text means unchanged between two sessions.
  public var configuration: String

  public init(
    id: String, partner: String, method: String, kind: Kind, nature: Nature, traits: Traits = [],
    position: Int64? = nil, minAmount: Int64? = nil, maxAmount: Int64? = nil, limit: Int64? = nil,
    canBeRegistered: Bool = false,
    takePolicy: TakePolicy = .free, brands: [String] = [], numberRule: GiftCardRule = .standard,
    configuration: String = ""
  ) {
    self.id = id
    self.partner = partner
    self.method = method
    self.kind = kind
    self.nature = nature
    self.traits = traits
    self.position = position
    self.minAmount = minAmount
    self.maxAmount = maxAmount
    self.limit = limit
    self.canBeRegistered = canBeRegistered
    self.takePolicy = takePolicy
    self.brands = brands
    self.numberRule = numberRule
    self.configuration = configuration
  }

  public var name: MethodName { MethodName(partner: partner, method: method) }
  var hasUI: Bool { nature == .card || nature == .native }
  public var isSelfSubmitting: Bool { traits.contains(.selfSubmitting) }
  var needsReturnURL: Bool { traits.contains(.needsReturnURL) }
  var initializesAtOpen: Bool { traits.contains(.initializesAtOpen) }
  public var ownsForm: Bool { traits.contains(.ownForm) }
  var isSimulable: Bool { traits.contains(.simulable) }
  /// The step without which it cannot be offered.
  public var requiredStep: Step? {
    switch nature {
    case .card: ownsForm ? nil : .collect
    case .native: .prepare
    case .redirection, .giftCard: nil
    }
  }
}

/// What an issuer's card numbers look like and what its payment needs. Per partner, as data of the provider.
public struct GiftCardRule: Hashable, Sendable {
  public var numberLength: ClosedRange<Int>
  public var codeLength: ClosedRange<Int>
  /// Letters are no part of its numbers and codes.
  public var isNumeric: Bool
  /// The shortest number that needs a code; nil: none does.
  public var codeFromLength: Int?
  /// The issuer asks its shopper first: the balance is polled for.
  public var isPolled: Bool
  /// Paying needs only the handle of the balance reading, so that a restored checkout can pay without the number.
  public var paysByHandle: Bool
  /// Its number is that of a voucher, and stands elsewhere in a request.
  public var isVoucher: Bool

  public init(
    numberLength: ClosedRange<Int> = 6...32, codeLength: ClosedRange<Int> = 3...12, isNumeric: Bool = false,
    codeFromLength: Int? = nil, isPolled: Bool = false, paysByHandle: Bool = false, isVoucher: Bool = false
  ) {
    self.numberLength = numberLength
    self.codeLength = codeLength
    self.isNumeric = isNumeric
    self.codeFromLength = codeFromLength
    self.isPolled = isPolled
    self.paysByHandle = paysByHandle
    self.isVoucher = isVoucher
  }

  public static let standard = GiftCardRule()

  func check(_ number: TypedNumber, _ code: TypedNumber?) throws(CheckoutError) {
    guard numberLength.contains(number.length), number.isNumeric || !isNumeric else {
      throw CheckoutError(.secondaryMethodWrongPanFormat)
    }
    guard let code else {
      if let shortest = codeFromLength, number.length >= shortest { throw CheckoutError(.secondaryMethodRequiredCVV) }
      return
    }
    guard codeLength.contains(code.length), code.isNumeric || !isNumeric else {
      throw CheckoutError(.secondaryMethodWrongCVVFormat)
    }
  }
}

/// A saved instrument that pays the remainder.
public struct PaymentToken: Hashable, Sendable {
  public var id: String
  /// The method it belongs to.
  public var item: String
  public var mask: String
  public var expiresAt: String?
  /// What the wire calls it.
  public var value: String
  /// A card whose security code must be typed again for each payment.
  public var needsSecurityCode: Bool
  /// What the shopper calls it.
  public var name: String?
  public var isFavorite: Bool
  /// The merchant's name for the shopper whose it is; nil when the back end does not say.
  public var owner: String?

  public init(
    id: String, item: String, mask: String, expiresAt: String?, value: String, needsSecurityCode: Bool = false,
    name: String? = nil, isFavorite: Bool = false, owner: String? = nil
  ) {
    self.id = id
    self.item = item
    self.mask = mask
    self.expiresAt = expiresAt
    self.value = value
    self.needsSecurityCode = needsSecurityCode
    self.name = name
    self.isFavorite = isFavorite
    self.owner = owner
  }

  init(_ saved: SavedSecondaryToken) {
    self.init(
      id: saved.id, item: saved.item, mask: saved.mask, expiresAt: saved.expiresAt, value: saved.value,
      name: saved.name, isFavorite: saved.isFavorite, owner: saved.owner)
  }
}

/// A gift card kept from an earlier session: listed, with a balance once it has been read.
public struct SavedSecondaryToken: Hashable, Sendable {
  public var id: String
  public var item: String
  public var mask: String
  public var expiresAt: String?
  public var value: String
  public var name: String?
  public var isFavorite: Bool
  public var owner: String?

  /// The wallet lists all instruments alike.
  public init(_ token: PaymentToken) {
    id = token.id
    item = token.item
    mask = token.mask
    expiresAt = token.expiresAt
    value = token.value
    name = token.name
    isFavorite = token.isFavorite
    owner = token.owner
  }
}

/// A gift card whose balance was read: what joins the split.
public struct SecondaryToken: Hashable, Sendable {
  public var id: String
  public var item: String
  public var mask: String
  public var balance: Int64
  /// What a loyalty account holds in all; the balance is what may be used of it. nil for other cards.
  public var totalBalance: Int64?
  public var expiresAt: String?
  public var handle: BalanceHandle
  /// Ids in the store of secrets; nil when restored by its handle, or when there is none.
  public var number: SecretID?
  public var securityCode: SecretID?
  /// Both, sealed under the host's key: what the saved state holds of them.
  public var sealed: String?
  /// What the wire calls one that the wallet keeps; nil for one that was typed.
  public var walletValue: String? = nil
}

/// What the back end called the balance reading, echoed when it is paid with.
public struct BalanceHandle: Hashable, Sendable {
  public var id: String
  public var stepID: Int64?

  public init(id: String, stepID: Int64?) {
    self.id = id
    self.stepID = stepID
  }
}

/// The name of a number or code that lives outside the core, in memory that is wiped. Equal ids hold equal text.
public struct SecretID: Hashable, Sendable {
  public var value: UInt64
  public init(_ value: UInt64) { self.value = value }
}
