import JSONText
import PrimerProvider

extension Groups {
  /// Security codes, names, dates, and all four fields of a card together.
  static let cardFields: [String: GroupFunction] = [
    "cvv_cc_rule": GroupFunction(["network", "input"]) { row in
      guard let input = row.string("input") else { return .notUnderstood("a code") }
      let fault = code(input).fault(network(row))
      return .ours([
        "expected": fault == nil ? "\"valid\"" : "\"invalid\"", "errorCode": JSON.text(fault?.code(.cvv)),
        "errorId": JSON.text(fault?.errorID(.cvv)),
      ])
    },
    "cvv_headless": GroupFunction(["network", "input"]) { row in
      guard let input = row.string("input") else { return .notUnderstood("a code") }
      return .expected(code(input).isValidRaw(network(row)))
    },
    "cvv_typing": GroupFunction(["network", "input"]) { row in
      guard let input = row.string("input") else { return .notUnderstood("a code") }
      return .expected(code(input).isValidWhileTyped(network(row)))
    },
    "cvv_recapture": GroupFunction(["len", "input"]) { row in
      guard let input = row.string("input"), let length = row["len"]?.int64 else { return .notUnderstood("a code") }
      let state = code(input).recapture(length: Int(length))
      return .ours(["isValid": "\(state == .valid)", "error": "\(state == .wrong)"])
    },
    "cardholder_cc": GroupFunction { row in
      guard let input = row.string("input") else { return .notUnderstood("a name") }
      let fault = holder(input).fault
      return .ours([
        "expected": "\(fault == nil)", "errorCode": JSON.text(fault?.code(.holder)),
        "errorId": JSON.text(fault?.errorID(.holder)),
      ])
    },
    "cardholder_headless": GroupFunction { row in
      guard let input = row.string("input") else { return .notUnderstood("a name") }
      return .expected(holder(input).isValidRaw)
    },
    "expiry_cc": GroupFunction(["month", "year"]) { row in
      guard let month = row.string("month"), let year = row.string("year") else { return .notUnderstood("a date") }
      return Dates.everyMonth(month + "/" + year, yearIsShort: true) { text, now in
        .expected(expiry(text).fault(now: now) == nil)
      }
    },
    "expiry_headless_string": GroupFunction { row in
      guard let input = row.string("input") else { return .notUnderstood("a date") }
      return Dates.everyMonth(input, yearIsShort: false) { text, now in
        let fault = expiry(text).rawFault(now: now)
        return .ours(["expected": "\(fault == nil)", "message": message(fault, row)])
      }
    },
    "expiry_dropin_field": GroupFunction { row in
      guard let input = row.string("input") else { return .notUnderstood("a date") }
      return Dates.everyMonth(input, yearIsShort: true) { text, now in
        .expected(expiry(text).isValidInDropIn(now: now))
      }
    },
    "normalize_year": GroupFunction { row in
      guard let input = row.string("input") else { return .notUnderstood("a year") }
      return .expected(text: FourDigitYear.of(Array(input.utf8).span).map { "\($0)" })
    },
    "raw_card_error_order": GroupFunction { row in
      guard let input = row["input"], input.kind == .object else { return .notUnderstood("a card") }
      return Dates.everyMonth(input["expiryDate"]?.string ?? "03/2030", yearIsShort: false) { date, now in
        let card = RawCard(
          number: number(input["cardNumber"]?.string ?? "4242424242424242"), expiry: expiry(date),
          securityCode: code(input["cvv"]?.string ?? "123"),
          holder: holder(input["cardholderName"]?.string ?? "John Smith"))
        return .expected(texts: card.errors(now: now))
      }
    },
  ]

  private static func network(_ row: Row) -> CardNetwork? { row.string("network").map { CardNetwork(text: $0) } }
  private static func code(_ text: String) -> TypedSecurityCode { TypedSecurityCode(Array(text.utf8).span) }
  private static func holder(_ text: String) -> TypedHolder { TypedHolder(Array(text.utf8).span) }
  private static func expiry(_ text: String) -> TypedExpiry { TypedExpiry(Array(text.utf8).span) }

  /// A row may only say that the message is the one about the format.
  private static func message(_ fault: RawExpiryFault?, _ row: Row) -> String {
    let wanted = row.string("message") ?? ""
    if fault == .format, !wanted.hasPrefix("["), wanted.contains("format") { return JSON.text(wanted) }
    return JSON.text(fault?.message)
  }
}
