/// Where a locale puts things, as a line of `LocaleData.layouts` says it.
struct LocaleLayout {
  let prefix: Affix
  let suffix: Affix
  let negativePrefix: Affix
  let negativeSuffix: Affix
  private let decimal: ArraySlice<UInt8>
  private let group: ArraySlice<UInt8>
  private let zero: ArraySlice<UInt8>
  /// How many digits the last group has and the others have; 0 for none.
  private let lastGroup: Int
  private let otherGroups: Int
  /// How many digits must stand before the last group.
  private let leastBeforeGroup: Int

  init(_ line: ArraySlice<UInt8>) {
    var fields = line.split(separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)[...]
    prefix = Affix(fields.popFirst() ?? [])
    suffix = Affix(fields.popFirst() ?? [])
    negativePrefix = Affix(fields.popFirst() ?? [])
    negativeSuffix = Affix(fields.popFirst() ?? [])
    decimal = fields.popFirst() ?? []
    group = fields.popFirst() ?? []
    zero = fields.popFirst() ?? []
    var sizes = (fields.popFirst() ?? [])[...]
    lastGroup = Self.digit(sizes.popFirst())
    otherGroups = Self.digit(sizes.popFirst())
    leastBeforeGroup = Self.digit(sizes.popFirst())
  }

  private static func digit(_ byte: UInt8?) -> Int { Int((byte ?? UInt8(ascii: "0")) &- UInt8(ascii: "0")) }

  /// The number alone, with so many decimals.
  func write(_ magnitude: UInt64, digits: Int, to text: inout [UInt8]) {
    let decimals = min(max(digits, 0), 18)
    var written = Array(String(magnitude).utf8)
    if written.count <= decimals {
      written = [UInt8](repeating: UInt8(ascii: "0"), count: decimals + 1 - written.count) + written
    }
    let whole = written.count - decimals
    for (place, digit) in written.enumerated() {
      if place == whole {
        text += decimal
      } else if place > 0, isGroupStart(place, of: whole) {
        text += group
      }
      writeDigit(digit - UInt8(ascii: "0"), to: &text)
    }
  }

  private func isGroupStart(_ place: Int, of whole: Int) -> Bool {
    let left = whole - place
    guard left >= lastGroup, lastGroup > 0, otherGroups > 0, whole >= lastGroup + leastBeforeGroup else { return false }
    return (left - lastGroup) % otherGroups == 0
  }

  /// The ten digits of a script differ in their last byte alone.
  private func writeDigit(_ digit: UInt8, to text: inout [UInt8]) {
    guard let last = zero.last else { return }
    text += zero.dropLast()
    text.append(last &+ digit)
  }
}
