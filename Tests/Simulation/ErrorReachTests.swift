import Foundation
import JSONText
import PurseProvider
import Testing

@testable import CheckoutCore

/// Each code of the vocabulary, and the way to it: walked here, or named as the test that walks it elsewhere.
@Suite("Errors, each reached")
struct ErrorReachTests {
  typealias Way = @Sendable () throws -> World?

  /// What a way throws, or tells last: a refusal, a failed outcome or a failed call.
  private static func reached(_ way: Way) -> String {
    do {
      guard let world = try way() else { return "" }
      let told = world.told.last { $0.json["error"] != nil }
      return told?.json["error"]?["code"]?.string ?? ""
    } catch { return (error as? CheckoutError)?.code.text ?? "\(error)" }
  }

  @Test("its way ends in it", arguments: ways.keys.sorted { $0.text < $1.text })
  func isReached(_ code: ErrorCode) throws {
    #expect(Self.reached(try #require(Self.ways[code])) == code.text)
  }

  @Test("every code is reached, here or in a test that is there")
  func all() throws {
    let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    for (code, test) in Self.elsewhere {
      let parts = test.split(separator: " ")
      let text = try String(contentsOf: root.appending(path: String(parts[0])), encoding: .utf8)
      #expect(text.contains("\(parts[1])("), "\(code.text): \(test)")
      #expect(text.contains(code.text), "\(code.text): \(test)")
    }
    let missing = ErrorCode.allCases.filter { Self.ways[$0] == nil && Self.elsewhere[$0] == nil }
    let names = missing.map { $0.text }.joined(separator: " ")
    print("errors: reached=\(ErrorCode.allCases.count - missing.count) missing=\(missing.count): \(names)")
  }

  /// Codes of the boundary, by the file and the test in it.
  static let elsewhere: [ErrorCode: String] = [
    .unknownError: "Tests/PurseProviderTests/ScriptTests.swift misplacedEvents",
    .invalidHandle: "Tests/CHost/test_arguments.c c1_c3_null_handles",
    .busy: "Tests/CHost/test_callbacks.c c4_busy",
    .reentrant: "Tests/CHost/test_callbacks.c call_everything",
    .forked: "Tests/CHost/test_fork.c child_uses_the_parents_handles",
    .internal: "Tests/CHost/test_arguments.c c1_internal",
  ]

  // MARK: The ways

  private static let card = PrimaryChoice.item("purse-creditcard")

  private static func fresh(_ blob: String = Blob().text, _ hooks: [Hook] = []) throws -> World {
    try World(Blob(raw: blob), World.options(hooks))
  }

  private static func paying(_ hooks: [Hook] = [], steps: [Step] = [.collect]) throws -> World {
    let world = try World(Blob(), World.options(hooks, capabilities: steps))
    try MonitoringTests.choose(world)
    try submit(world)
    return world
  }

  private static func submit(_ world: World) throws {
    try world.perform(.submit(Submit(source: nil, skipsBeforeValidate: false)))
    if world.openTickets.contains(where: { $0.kind == .step }) { try world.answerTicket(.step, .ok(Wire.token)) }
  }

  private static func read(
    _ world: World, _ item: String = "illicado-giftcard", _ secret: UInt64 = 1, length: Int = 16, code: Int? = nil
  ) throws {
    let securityCode = code.map { TypedNumber(secret: SecretID(secret + 100), length: $0, lastFour: "") }
    try world.perform(
      .readSecondary(
        ReadSecondary(
          item: item, number: TypedNumber(secret: SecretID(secret), length: length, lastFour: "0001"),
          securityCode: securityCode, tag: nil)))
  }

  private static func initialized(_ state: String, _ code: String, amount: String = "50.00") -> Way {
    {
      let world = try fresh()
      try read(world, "buybox-giftcard")
      world.answer(.initialize, 200, Wire.initialized(amount, state: state, code: code))
      return world
    }
  }

  /// A session with one thing changed.
  private static func changed(_ part: String, _ other: String) -> String {
    let json = Data(base64Encoded: Blob().text).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return Data(json.replacing(part, with: other).utf8).base64EncodedString()
  }

  private static func isShowing() throws -> World {
    let world = try paying()
    world.answer(.validate, 200, Wire.validated("WAITING", redirection: Wire.page))
    return world
  }

  static let ways: [ErrorCode: Way] = [
    .elementNotFulfilled: {
      let world = try fresh()
      try world.perform(.setPrimary(card))
      try submit(world)
      return world
    },
    .usageLimitError: {
      let world = try fresh()
      for secret in 1...3 {
        try read(world, "illicado-giftcard", UInt64(secret))
        world.answer(.initialize, 200, Wire.initialized("10.00"))
        try world.perform(.applySecondary(token: "gc\(secret)", amount: nil))
      }
      return world
    },
    .secondaryMethodWrongPanFormat: {
      let world = try fresh()
      try read(world, length: 3)
      return world
    },
    .secondaryMethodWrongCVVFormat: {
      let world = try fresh()
      try read(world, code: 1)
      return world
    },
    .secondaryMethodTakePolicyViolated: {
      let voucher = #""easy2play":{"voucher":{"configurations":{"labels":["secondary"],"settings":{}}}},"buybox":{"#
      let world = try fresh(changed(#""buybox":{"#, voucher))
      try read(world, "easy2play-voucher")
      world.answer(.initialize, 200, Wire.initialized())
      try world.perform(.applySecondary(token: "gc1", amount: 100))
      return world
    },
    .secondaryMethodRequestAborted: {
      let world = try fresh()
      try read(world)
      try world.perform(.abortCall(1))
      return world
    },
    .invalidTakeAmount: {
      let world = try fresh()
      try read(world)
      world.answer(.initialize, 200, Wire.initialized())
      try world.perform(.applySecondary(token: "gc1", amount: 0))
      return world
    },
    .maxAmountReached: {
      let world = try fresh(
        changed(#""usage_per_session_limit":2"#, #""usage_per_session_limit":2,"payment_max_amount":20.00"#))
      try read(world)
      world.answer(.initialize, 200, Wire.initialized())
      try world.perform(.applySecondary(token: "gc1", amount: 3_000))
      return world
    },
    .paymentNotFulfilledOnSubmit: {
      let world = try fresh()
      try submit(world)
      return world
    },
    .paymentMethodNotFound: {
      let world = try fresh()
      try world.perform(.setPrimary(.item("nobody-nothing")))
      return world
    },
    .onBeforeValidateHookFailed: {
      let world = try paying([.beforeValidate])
      try world.answerTicket(.beforeValidate, .error("no"))
      return world
    },
    .methodDisabled: {
      let world = try fresh()
      try MonitoringTests.choose(world)
      try world.perform(.elementReport(element: "purse-creditcard", .initFailed("m")))
      try world.perform(.setPrimary(card))
      return world
    },
    .methodNotImplemented: {
      let world = try fresh()
      try world.perform(
        .elementOpen(ElementOpen(choice: card, presentsRedirects: true, appReturnURL: nil, tag: nil)))
      try world.perform(.elementReport(element: "purse-creditcard", .approved(paymentData: nil)))
      return world
    },
    .validateFailed: {
      let world = try paying()
      world.answer(.validate, 422, "{}")
      return world
    },
    .postValidateFailed: {
      let world = try isShowing()
      try world.perform(.redirectReport(presentation: world.page, .failed("m")))
      return world
    },
    .invalidInitParams: {
      let world = try fresh()
      try world.perform(
        .elementOpen(
          ElementOpen(choice: card, presentsRedirects: true, appReturnURL: "javascript:1", tag: nil)))
      return world
    },
    .failedToInitSecondaryToken: {
      let world = try fresh()
      try read(world)
      world.answer(.initialize, 500, "{}")
      return world
    },
    .missingToken: {
      let world = try fresh()
      try world.perform(.removeSecondary(token: "gc9"))
      return world
    },
    .tokenAlreadyExists: {
      let world = try fresh()
      try read(world)
      try read(world)
      return world
    },
    .userActionRequestHasExpired: initialized("FAILED", "EXPIRED_AUTHORIZATION"),
    .userActionRequestAbortedByCustomer: initialized("FAILED", "ABORTED_BY_CUSTOMER"),
    .otherTransactionPendingForAccount: initialized("FAILED", "DUPLICATED_TRANSACTION"),
    .secondaryTokenEmptyBalance: initialized("SUCCESS", "SUCCEEDED", amount: "0.00"),
    .expiredSession: {
      let world = try fresh()
      world.answer(.time, 200, #"{"iso":"2031-01-01T00:00:00Z"}"#)
      try world.perform(.setPrimary(card))
      return world
    },
    .sessionMalformed: { try fresh("@@@") },
    .submitBlocked: {
      let world = try paying()
      try submit(world)
      return world
    },
    .checkoutTornDown: {
      let world = try paying()
      try world.perform(.teardown)
      try submit(world)
      return world
    },
    .partnerUIError: {
      let world = try paying([.beforeValidate])
      try world.perform(.elementReport(element: "purse-creditcard", .partnerError("m", recoverable: true)))
      return world
    },
    .outcomeUnknown: {
      let world = try paying()
      world.lose(.validate, left: true)
      return world
    },
    .checkpointRefused: {
      let world = try paying([.checkpoint])
      try world.answerTicket(.checkpoint, .error("full"))
      return world
    },
    .environmentMismatch: {
      var options = World.options()
      options.lockedEnvironment = "production"
      return try World(Blob(), options)
    },
    .ticketClosed: {
      let world = try fresh()
      try world.perform(.answer(ticket: 7, .ok("{}")))
      return world
    },
    .tooLate: {
      let world = try paying()
      world.answer(.validate, 200, Wire.validated("SUCCESS"))
      try world.perform(.abortAttempt(1))
      return world
    },
    .invalidArgument: {
      let world = try isShowing()
      try world.perform(.redirectReport(presentation: world.page, .returned(url: "https://evil.example")))
      return world
    },
  ]
}
