/// The items of a /validate, once all of them are found right.
struct CheckedSplit {
  /// One item, its method, and how it ends.
  struct Slice {
    let item: PurseItem
    let method: PurseMethod
    let ending: PaymentCase
  }

  private(set) var slices: [Slice] = []

  /// How the payment ends: as its primary does, and well when gift cards pay it all.
  var ending: PaymentCase { slices.last { $0.method.kind != .secondary }?.ending ?? .success }

  /// `saved`: the instrument that a method's wallet token stands for.
  init(
    _ document: SandboxJSON, of session: PurseSession, saved: (String, PurseMethod) -> SandboxJSON?
  ) throws(Refusal) {
    guard let elements = document.elements, !elements.isEmpty else {
      throw Refusal(422, "INVALID_SPLIT", "An array with an item for every slice is wanted.", at: "")
    }
    for (index, element) in elements.enumerated() {
      let item = try PurseItem(element, at: "/\(index)", digits: session.currency.digits)
      let method = try session.usable(item)
      try check(item, method, session)
      slices.append(Slice(item: item, method: method, ending: try ending(of: item, method, session, saved)))
    }
    try checkSum(session)
    try checkOrder()
    try checkUsage()
    try checkBalances(session)
  }

  private func check(_ item: PurseItem, _ method: PurseMethod, _ session: PurseSession) throws(Refusal) {
    let pointer = "\(item.pointer)/amount"
    guard item.amount > 0 || session.amount == 0 else {
      throw Refusal(422, "INVALID_AMOUNT", "A slice is more than nothing.", at: pointer)
    }
    let digits = session.currency.digits
    if let least = method.bound("payment_min_amount", digits: digits), item.amount < least {
      throw Refusal(422, "MIN_AMOUNT_NOT_MET", "The method takes no slice as small as this.", at: pointer)
    }
    if let most = method.bound("payment_max_amount", digits: digits), item.amount > most {
      throw Refusal(422, "MAX_AMOUNT_EXCEEDED", "The method takes no slice as large as this.", at: pointer)
    }
    guard !item.savesToken || method.canBeSaved else {
      throw PurseItem.refusal("The method saves no token.", "\(item.pointer)/payment_preferences/save_token")
    }
  }

  private func ending(
    of item: PurseItem, _ method: PurseMethod, _ session: PurseSession, _ saved: (String, PurseMethod) -> SandboxJSON?
  ) throws(Refusal) -> PaymentCase {
    switch method.kind {
    case .secondary:
      if let value = item.paymentData["wallet_token"]?.string, saved(value, method) == nil {
        throw CardData.unknownToken(item)
      }
      try checkGiftCard(item, method, session)
      return .success
    case .card: return try CardData.ending(item, method) { saved($0, method) }
    case .native:
      try checkStep(item, session)
      return item.paymentData["authorization_token"]?.string.flatMap { PaymentCase(named: $0, prefix: "tok_") }
        ?? .success
    case .redirection:
      try checkStep(item, session)
      try item.paymentData.requireNames([], at: "\(item.pointer)/payment_data", status: 422)
      return .threeDS
    }
  }

  /// What a partner has started is for one amount.
  private func checkStep(_ item: PurseItem, _ session: PurseSession) throws(Refusal) {
    guard let record = session.step(of: item) else { throw Self.unknownStep(item) }
    guard record.amount == item.amount else {
      throw Refusal(422, "STEP_AMOUNT_MISMATCH", "The init was for another amount.", at: "\(item.pointer)/amount")
    }
  }

  private func checkGiftCard(_ item: PurseItem, _ method: PurseMethod, _ session: PurseSession) throws(Refusal) {
    let card = try item.giftCard()
    guard let record = session.step(of: item), record.balance != nil else { throw Self.unknownStep(item) }
    guard card != nil || method.handleIsEnough else {
      throw PurseItem.refusal("This partner wants the number again.", "\(item.pointer)/payment_data")
    }
    guard card == nil || card?.number == record.number, card?.code != GiftCardNumbers.wrongCode else {
      throw PurseItem.refusal("This is not the card of that init.", "\(item.pointer)/payment_data")
    }
  }

  private static func unknownStep(_ item: PurseItem) -> Refusal {
    Refusal(422, "UNKNOWN_STEP", "The item's step_id is of no finished init.", at: "\(item.pointer)/step_id")
  }
}

// What the items have to be together.
extension CheckedSplit {
  private func checkSum(_ session: PurseSession) throws(Refusal) {
    var rest = session.amount
    for slice in slices where rest >= 0 { rest -= slice.item.amount }
    guard rest == 0 else {
      throw Refusal(422, "AMOUNT_MISMATCH", "The slices do not sum to the session's amount.", at: "")
    }
  }

  private func checkOrder() throws(Refusal) {
    for slice in slices.dropLast() where slice.method.kind != .secondary {
      throw Refusal(422, "INVALID_SPLIT", "A primary method stands last, and alone.", at: slice.item.pointer)
    }
  }

  private func checkUsage() throws(Refusal) {
    for slice in slices {
      guard let limit = slice.method.usageLimit else { continue }
      let count = slices.filter { $0.method.id == slice.method.id }.count
      guard count <= limit else {
        throw Refusal(422, "USAGE_LIMIT_EXCEEDED", "The method stands too often in the split.", at: slice.item.pointer)
      }
    }
  }

  private func checkBalances(_ session: PurseSession) throws(Refusal) {
    for slice in slices where slice.method.kind == .secondary {
      guard let record = session.step(of: slice.item), let balance = record.balance else { continue }
      let taken = slices.filter { session.step(of: $0.item)?.number == record.number && $0.method.kind == .secondary }
        .reduce(0) { $0 + $1.item.amount }
      guard taken <= balance else {
        throw Refusal(
          422, "INSUFFICIENT_BALANCE", "The gift card holds less than this.", at: "\(slice.item.pointer)/amount")
      }
    }
  }
}

extension PurseSession {
  /// The init that an item's step names.
  func step(of item: PurseItem) -> PurseInit? {
    inits.first { $0.stepId == item.stepId && $0.partner == item.partner && $0.method == item.method }
  }
}
