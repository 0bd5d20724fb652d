import Testing

@testable import CheckoutCore

@Suite("Numbers and codes of gift cards")
struct GiftCardRuleTests {
  private func verdict(_ rule: GiftCardRule, _ number: TypedNumber, _ code: TypedNumber?) -> ErrorCode? {
    do throws(CheckoutError) {
      try rule.check(number, code)
      return nil
    } catch {
      return error.code
    }
  }

  private func typed(_ length: Int, isNumeric: Bool) -> TypedNumber {
    TypedNumber(secret: SecretID(1), length: length, lastFour: "", isNumeric: isNumeric)
  }

  @Test("Every length, alphabet and code, against every kind of rule")
  func exhaustive() {
    for isNumericRule in [true, false] {
      for codeFrom in [nil, 3, 5] as [Int?] {
        let rule = GiftCardRule(
          numberLength: 3...5, codeLength: 2...3, isNumeric: isNumericRule, codeFromLength: codeFrom)
        for length in 0...7 {
          for isNumeric in [true, false] {
            for codeLength in [nil, 0, 1, 2, 3, 4] as [Int?] {
              for isCodeNumeric in [true, false] {
                let code = codeLength.map { typed($0, isNumeric: isCodeNumeric) }
                let given = verdict(rule, typed(length, isNumeric: isNumeric), code)
                #expect(given == expected(rule, length, isNumeric, codeLength, isCodeNumeric))
              }
            }
          }
        }
      }
    }
  }

  private func expected(
    _ rule: GiftCardRule, _ length: Int, _ isNumeric: Bool, _ codeLength: Int?, _ isCodeNumeric: Bool
  ) -> ErrorCode? {
    let isNumberFine = length >= 3 && length <= 5 && (isNumeric || !rule.isNumeric)
    if !isNumberFine { return .secondaryMethodWrongPanFormat }
    guard let codeLength else {
      return rule.codeFromLength.map { length >= $0 } == true ? .secondaryMethodRequiredCVV : nil
    }
    let isCodeFine = (codeLength == 2 || codeLength == 3) && (isCodeNumeric || !rule.isNumeric)
    return isCodeFine ? nil : .secondaryMethodWrongCVVFormat
  }
}
