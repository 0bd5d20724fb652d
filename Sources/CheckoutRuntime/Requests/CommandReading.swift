import CheckoutCore
import JSONText
import PurseProvider

/// What the host asked for, read strictly from its JSON. Which function was called is not in the JSON.
public enum HostCall: Hashable, Sendable {
  case setSession, setHooks, setPrimary, applySecondary, removeSecondary, elementOpen, elementReport
  case elementClose, submit, abort, resolve, redirectReport, redirectPresent
  case register, simulateLoan, setWalletSession, tokenUpdate, tokenDelete
  case start, refresh, cancel, dismiss
}

extension Command {
  /// `readSecondary` is none of these: its numbers must not become text.
  init(_ call: HostCall, _ request: borrowing FieldReader) throws(CheckoutError) {
    switch call {
    case .setSession:
      // Which of the two the checkout's back end reads is its own to say.
      try request.allowOnly("widgetData clientToken")
      guard request.value.count == 1 else { throw request.malformed("widgetData", "exactly one session is wanted") }
      let key = request.value["clientToken"] == nil ? "widgetData" : "clientToken"
      self = .setSession(widgetData: try request.string(key))
    case .setHooks:
      try request.allowOnly("hooks")
      self = .setHooks(try request.hooks("hooks"))
    case .setPrimary:
      try request.allowOnly("item token none")
      self = .setPrimary(try request.primaryChoice(allowsNone: true))
    case .applySecondary:
      try request.allowOnly("token amount")
      self = .applySecondary(token: try request.string("token"), amount: try request.optionalTake("amount"))
    case .removeSecondary:
      try request.allowOnly("token")
      self = .removeSecondary(token: try request.string("token"))
    case .elementOpen:
      self = .elementOpen(try ElementOpen(request))
    case .elementReport:
      self = .elementReport(element: try request.string("element"), try ElementReport(request))
    case .elementClose:
      try request.allowOnly("element")
      self = .elementClose(try request.string("element"))
    case .submit:
      self = .submit(try Submit(request))
    case .abort:
      try request.allowOnly("attempt call")
      let isCall = request.value["call"] != nil
      if isCall, request.value["attempt"] != nil { throw request.malformed("call", "attempt or call, not both") }
      self = isCall ? .abortCall(try request.integer("call")) : .abortAttempt(try request.integer("attempt"))
    case .resolve:
      try request.allowOnly("attempt verdict")
      self = .resolve(attempt: try request.integer("attempt"), try request.resolveVerdict("verdict"))
    case .redirectReport:
      self = .redirectReport(
        presentation: try request.string("presentation"), try PresentationEnd(request))
    case .redirectPresent:
      try request.allowOnly("attempt tag")
      self = .redirectPresent(attempt: try request.integer("attempt"), tag: try request.tag())
    case .register:
      try request.allowOnly("item token name register")
      self = .register(try request.registration(), isWanted: try request.optionalBoolean("register") ?? true)
    case .simulateLoan:
      try request.allowOnly("item amount tag")
      let amount = try request.optionalInteger("amount")
      if let amount, !(1...Amount.maximum).contains(amount) { throw request.malformed("amount", "not an amount") }
      self = .simulateLoan(item: try request.string("item"), amount: amount, tag: try request.tag())
    case .setWalletSession:
      try request.allowOnly("walletSession tag")
      let session = try Purse.walletSession(try request.object("walletSession"))
      self = .setWalletSession(session, tag: try request.tag())
    case .tokenUpdate:
      try request.allowOnly("token name favorite tag")
      self = .updateToken(try request.string("token"), try request.tokenChange(), tag: try request.tag())
    case .tokenDelete:
      try request.allowOnly("token all tag")
      self = .deleteToken(try request.tokenDeletion(), tag: try request.tag())
    case .start, .refresh:
      try request.allowOnly("tag")
      self = call == .start ? .start(tag: try request.tag()) : .refresh(tag: try request.tag())
    case .cancel, .dismiss:
      try request.allowOnly("")
      self = call == .cancel ? .cancel : .dismiss
    }
  }
}

extension ElementOpen {
  fileprivate init(_ request: borrowing FieldReader) throws(CheckoutError) {
    try request.allowOnly("item token redirect appReturnURL securityCode tag")
    self.init(
      choice: try request.primaryChoice(allowsNone: false),
      presentsRedirects: try request.choice("redirect", ["host", "none"]) == "host",
      appReturnURL: try request.optionalString("appReturnURL"),
      asksSecurityCode: try request.optionalBoolean("securityCode") ?? false, tag: try request.tag())
  }
}

extension ElementReport {
  fileprivate init(_ request: borrowing FieldReader) throws(CheckoutError) {
    let report = try request.string("report")
    switch report {
    case "ready", "canceled", "redirect", "endOfSession":
      try request.allowOnly("element report")
      self = ElementReport.plain(report)
    case "brands":
      try request.allowOnly("element report brands")
      self = .brands(try request.brands("brands"))
    case "brandSelected":
      try request.allowOnly("element report brand")
      self = .brandSelected(try request.reportText("brand"))
    case "approved":
      try request.allowOnly("element report payment_data")
      self = .approved(paymentData: try request.optionalObject("payment_data")?.value.compactText)
    case "formValidity":
      try request.allowOnly("element report valid")
      self = .formValidity(try request.boolean("valid"))
    case "initFailed", "clientError":
      try request.allowOnly("element report message")
      let message = try request.reportText("message")
      self = report == "initFailed" ? .initFailed(message) : .clientError(message)
    case "partnerError":
      try request.allowOnly("element report message recoverable")
      self = .partnerError(try request.reportText("message"), recoverable: try request.boolean("recoverable"))
    default:
      throw request.malformed("report", "not a known report")
    }
  }
}

extension ElementReport {
  /// Those that have nothing but their name.
  fileprivate static func plain(_ report: String) -> ElementReport {
    switch report {
    case "ready": .ready
    case "canceled": .canceled
    case "redirect": .redirect
    default: .endOfSession
    }
  }
}

extension Submit {
  fileprivate init(_ request: borrowing FieldReader) throws(CheckoutError) {
    try request.allowOnly("element token skipOnBeforeValidate")
    let element = try request.optionalString("element")
    let token = try request.optionalString("token")
    if element != nil, token != nil { throw request.malformed("token", "element or token, not both") }
    self.init(
      source: element ?? token, skipsBeforeValidate: try request.optionalBoolean("skipOnBeforeValidate") ?? false)
  }
}

extension PresentationEnd {
  fileprivate init(_ request: borrowing FieldReader) throws(CheckoutError) {
    try request.allowOnly("presentation url canceled failed")
    let ends = ["url", "canceled", "failed"].filter { request.value[$0] != nil }
    guard ends.count == 1, let end = ends.first else {
      throw request.malformed("url", "exactly one of url, canceled and failed")
    }
    switch end {
    case "url":
      self = .returned(url: try request.optionalString("url"))
    case "canceled":
      guard try request.boolean("canceled") else { throw request.malformed("canceled", "must be true") }
      self = .canceled
    default:
      self = .failed(try request.reportText("failed"))
    }
  }
}

extension FieldReader {
  func hooks(_ key: String) throws(CheckoutError) -> [Hook] {
    var hooks: [Hook] = []
    for name in try strings(key) {
      guard let hook = Hook.named(name) else { throw malformed(key, "not a known hook") }
      if !hooks.contains(hook) { hooks.append(hook) }
    }
    return hooks
  }

  /// Exactly one of item, token and, where it is allowed, none.
  fileprivate func primaryChoice(allowsNone: Bool) throws(CheckoutError) -> PrimaryChoice {
    let item = try optionalString("item")
    let token = try optionalString("token")
    let isNone = allowsNone ? try optionalBoolean("none") : nil
    let given = (item == nil ? 0 : 1) + (token == nil ? 0 : 1) + (isNone == nil ? 0 : 1)
    guard given == 1 else { throw malformed("item", "exactly one source must be named") }
    if let item { return .item(item) }
    if let token { return .token(token) }
    guard isNone == true else { throw malformed("none", "must be true") }
    return .none
  }

  /// Any integer: what is not a possible slice is INVALID_TAKE_AMOUNT, and not malformed.
  fileprivate func optionalTake(_ key: String) throws(CheckoutError) -> Int64? {
    guard let member = value[key] else { return nil }
    guard let number = member.int64 else { throw malformed(key, "an integer in minor units is wanted") }
    return number
  }

  /// A name that is null names nothing: the session's own words will do.
  fileprivate func registration() throws(CheckoutError) -> Registration {
    let name = try optionalString("name")
    switch try primaryChoice(allowsNone: false) {
    case .item(let id): return Registration(source: .item(id), name: name)
    case .token(let id): return Registration(source: .token(id), name: name)
    case .none: throw malformed("item", "exactly one source must be named")
    }
  }

  /// Exactly one of name and favorite.
  fileprivate func tokenChange() throws(CheckoutError) -> TokenChange {
    let name = try optionalString("name")
    let isFavorite = try optionalBoolean("favorite")
    guard (name == nil) != (isFavorite == nil) else { throw malformed("name", "exactly one of name and favorite") }
    if let name { return .name(name) }
    guard isFavorite == true else { throw malformed("favorite", "must be true: another favorite takes its place") }
    return .favorite
  }

  /// Exactly one of token and all.
  fileprivate func tokenDeletion() throws(CheckoutError) -> TokenDeletion {
    let token = try optionalString("token")
    let isAll = try optionalBoolean("all")
    guard (token == nil) != (isAll == nil) else { throw malformed("token", "exactly one of token and all") }
    if let token { return .one(token) }
    guard isAll == true else { throw malformed("all", "must be true") }
    return .all
  }

  func tag() throws(CheckoutError) -> String? {
    let tag = try optionalString("tag")
    guard (tag?.utf8.count ?? 0) <= 64 else { throw malformed("tag", "longer than 64 bytes") }
    return tag
  }

  fileprivate func resolveVerdict(_ key: String) throws(CheckoutError) -> ResolveVerdict {
    let name = try string(key)
    guard let verdict = ResolveVerdict.allCases.first(where: { $0.name == name }) else {
      throw malformed(key, "not a known verdict")
    }
    return verdict
  }

  /// Names of card brands; more than a card can have are none.
  fileprivate func brands(_ key: String) throws(CheckoutError) -> [String] {
    let brands = try strings(key)
    guard brands.count <= 16 else { throw malformed(key, "more than 16 brands") }
    for brand in brands where CardNumber.looksLikeOne(brand) {
      throw malformed(key, "a card number is not accepted here")
    }
    return brands
  }

  /// Free text of the host's must not smuggle a card number past the logs.
  fileprivate func reportText(_ key: String) throws(CheckoutError) -> String {
    let text = try string(key)
    if CardNumber.looksLikeOne(text) { throw malformed(key, "a card number is not accepted here") }
    return text
  }
}
