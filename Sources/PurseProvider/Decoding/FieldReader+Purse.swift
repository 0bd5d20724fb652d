import CheckoutCore
import JSONText

extension FieldReader {
  @inline(never)
  func has(_ key: String) -> Bool { value[key].map { !$0.isNull } ?? false }

  /// The spelling that is there, or the preferred one when none is. Two at once could name two different things.
  @inline(never)
  func spelling(of choice: Choice) throws(CheckoutError) -> String {
    let present = choice.spellings.filter { value[$0] != nil }
    if let second = present.dropFirst().first { throw malformed(second, "the same member under two names") }
    return present.first ?? choice.spellings.first ?? choice.value
  }

  @inline(never)
  func nonEmptyString(_ key: String) throws(CheckoutError) -> String {
    let text = try string(key)
    guard !text.isEmpty else { throw malformed(key, "empty") }
    return text
  }

  /// A string that becomes part of a URL. Whatever is sent on the way would take dot segments out.
  @inline(never)
  func pathSegment(_ key: String) throws(CheckoutError) -> String {
    let text = try nonEmptyString(key)
    guard text != ".", text != ".." else { throw malformed(key, "not an id") }
    return text
  }

  @inline(never)
  func optionalStrings(_ key: String) throws(CheckoutError) -> [String] {
    has(key) ? try strings(key) : []
  }

  /// An amount in major units, as a number or as a string, in minor units.
  @inline(never)
  func decimalAmount(_ key: String, digits: Int) throws(CheckoutError) -> Int64? {
    guard let member = value[key], !member.isNull else { return nil }
    guard let literal = member.numberText ?? member.string else { throw malformed(key) }
    do throws(Amount.Fault) {
      return try Amount.minorUnits(fromDecimal: literal, digits: digits)
    } catch {
      throw notAnAmount(key, error)
    }
  }

  @inline(never)
  private func notAnAmount(_ key: String, _ fault: Amount.Fault) -> CheckoutError {
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("fault", string: fault.name)
    writer.endObject()
    return malformed(key, "not an amount: " + fault.name, details: writer.text)
  }

  /// A count: a whole number that is not negative, however it is spelt.
  @inline(never)
  func count(_ key: String) throws(CheckoutError) -> Int64? {
    guard let member = value[key], !member.isNull else { return nil }
    guard let literal = member.numberText, let count = try? Amount.minorUnits(fromDecimal: literal, digits: 0) else {
      throw malformed(key)
    }
    return count
  }

  /// A place in a list. A number that is no whole one is no reason to refuse a session.
  @inline(never)
  func position(_ key: String) throws(CheckoutError) -> Int64? {
    guard let member = value[key], !member.isNull else { return nil }
    guard member.kind == .number else { throw malformed(key) }
    return member.int64
  }
}
