import CheckoutCore
import JSONText

/// Reads the protocols of a session: partner, then method, then what it is.
struct ItemReader {
  static let mostItems = 1_000

  let currency: Currency
  let isInformationRequest: Bool

  private(set) var methods: [PaymentMethod] = []
  private(set) var unstable: [MethodName] = []
  private(set) var tokens: [PaymentToken] = []
  private(set) var savedSecondaries: [SavedSecondaryToken] = []

  private struct Item {
    var method: PaymentMethod
    var tokens: [IntegratedToken]
  }

  init(currency: Currency, isInformationRequest: Bool) {
    self.currency = currency
    self.isInformationRequest = isInformationRequest
  }

  mutating func read(_ protocols: FieldReader) throws(CheckoutError) {
    var items: [Item] = []
    var ids: Set<String> = []
    var count = 0
    for partner in try protocols.objectMembers() {
      for method in try partner.fields.objectMembers() {
        count += 1 + (method.fields.value["integrated_tokens"]?.count ?? 0)
        guard count <= ItemReader.mostItems else {
          throw CheckoutError(
            .sessionMalformed, message: "too many payment methods and tokens", path: protocols.path,
            offset: protocols.value.offset)
        }
        guard let item = try item(partner.key, method.key, method.fields) else { continue }
        // Partner a-b with method c is not partner a with method b-c, but would have its id.
        guard ids.insert(item.method.id).inserted else {
          throw partner.fields.malformed(method.key, "two payment methods have the same id")
        }
        items.append(item)
      }
    }
    items.sort { ItemReader.isListedBefore($0.method, $1.method) }
    methods = items.map { $0.method }
    for item in items { list(item, &ids) }
  }

  private static func isListedBefore(_ left: PaymentMethod, _ right: PaymentMethod) -> Bool {
    let leftPosition = left.position ?? .max
    let rightPosition = right.position ?? .max
    if leftPosition != rightPosition { return leftPosition < rightPosition }
    return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
  }

  /// A token that several methods share is listed once, with the first of them.
  private mutating func list(_ item: Item, _ ids: inout Set<String>) {
    for token in item.tokens where ids.insert(token.id).inserted {
      switch item.method.kind {
      case .primary: tokens.append(token.paymentToken(of: item.method.id))
      case .secondary: savedSecondaries.append(token.savedSecondary(of: item.method.id))
      }
    }
  }

  // MARK: One method

  /// nil for a method that this session does not offer.
  private mutating func item(_ partner: String, _ method: String, _ fields: FieldReader) throws(CheckoutError) -> Item?
  {
    let configuration = try fields.object("configurations")
    if try configuration.optionalBoolean("stable") == false {
      unstable.append(MethodName(partner: partner, method: method))
      return nil
    }
    let settings = try configuration.optionalObject("settings")
    let mode = try settings?.optionalString("registration_mode")
    if isInformationRequest, mode != "OFF_SESSION" { return nil }
    let rule = MethodRule.match(try MethodFacts(partner, method, configuration, settings))
    let isSimulable = rule.kind == .primary && Choices.simulableMethods.spellings.contains(method)
    let paymentMethod = PaymentMethod(
      id: partner + "-" + method, partner: partner, method: method, kind: rule.kind, nature: rule.nature,
      traits: isSimulable ? rule.traits.union(.simulable) : rule.traits,
      position: try configuration.position("position"),
      minAmount: try settings?.decimalAmount("payment_min_amount", digits: currency.digits),
      maxAmount: try settings?.decimalAmount("payment_max_amount", digits: currency.digits),
      limit: try settings?.count("usage_per_session_limit"),
      canBeRegistered: try settings?.optionalBoolean("save_token") ?? false,
      takePolicy: GiftCards.takePolicy(partner, method),
      brands: try configuration.optionalObject("vault")?.optionalStrings("supported_brands") ?? [],
      numberRule: GiftCards.rule(partner, method), configuration: CanonicalJSON.text(of: configuration.value))
    return Item(method: paymentMethod, tokens: try IntegratedToken.all(fields))
  }
}

extension FieldReader {
  /// The members, each of which must be an object under a name.
  fileprivate func objectMembers() throws(CheckoutError) -> [(key: String, fields: FieldReader)] {
    var members: [(key: String, fields: FieldReader)] = []
    members.reserveCapacity(value.count)
    for member in value.members {
      let path = self.path + "." + member.key
      guard member.value.kind == .object, !member.key.isEmpty else {
        throw CheckoutError(
          code, message: "missing or of the wrong type", path: path, offset: member.value.offset)
      }
      members.append((member.key, FieldReader(member.value, path, code)))
    }
    return members
  }
}
