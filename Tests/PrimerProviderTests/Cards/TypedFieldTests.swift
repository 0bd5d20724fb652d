import Testing

@testable import PrimerProvider

@Suite("Typed fields")
struct TypedFieldTests {
  static func fault(_ field: FormField, _ text: String, _ country: String = "") -> FieldFault? {
    TypedBillingField(field, Array(text.utf8).span).fault(
      field, country: CountryCode(Array(country.utf8).span), isRequired: field.isRequired)
  }

  static func holder(_ bytes: [UInt8]) -> TypedHolder { TypedHolder(bytes.span) }
  static func country(_ text: String) -> CountryCode? { CountryCode(Array(text.utf8).span) }
  static func isMail(_ text: String) -> Bool { OtherFields.isEmail(Array(text.utf8).span) }

  @Test(
    "a postal code is judged by the country, whichever was typed first",
    arguments: [
      ("10001", "US", true), ("10001-1234", "us", true), ("10001-123", "US", false), ("K1A 0B1", "CA", true),
      ("k1a0b1", "CA", true), ("K1A-0B1", "CA", false), ("SW1A 2AA", "GB", true), ("SW1A 2AAX", "GB", false),
      ("1234567890", "DE", true), ("12345678901", "DE", false), ("12", "", false), ("1\u{00E4}345", "DE", false),
      ("K1A 0B1", "USA", true), ("\u{0661}0001", "US", false),
    ])
  func postalCodes(_ text: String, _ country: String, _ isValid: Bool) {
    #expect((Self.fault(.postalCode, text, country) == nil) == isValid)
  }

  @Test("white space around a field does not count")
  func trimmed() {
    #expect(Self.fault(.firstName, "\u{00A0}Ann\n") == nil)
    #expect(Self.fault(.firstName, " \u{2003}\t") == .required)
    #expect(Self.fault(.city, "  A ") == .invalid)
    #expect(Self.country(" gb ")?.text == "GB")
  }

  @Test(
    "names of every script, and nothing else",
    arguments: [
      ("\u{0141}ukasz", true), ("\u{738B}\u{5C0F}", true), ("\u{0905}\u{092E}\u{093F}\u{0924}", true),
      ("O\u{2019}Brien", false), ("A\u{0301}nna", true), ("Ann\u{0660}", false), ("Ann\u{1F600}", false),
      ("Ann\u{FFFD}", false), ("An\nna", false), ("An\u{00A0}na", true),
    ])
  func names(_ text: String, _ isValid: Bool) {
    #expect((Self.fault(.lastName, text) == nil) == isValid)
    #expect((Self.holder(Array(text.utf8)).fault == nil) == isValid)
  }

  @Test("what is no UTF-8 is no name, and is not read beyond its end")
  func notUTF8() {
    for bytes: [UInt8] in [[0x41, 0xC3], [0xF0, 0x9F, 0x98], [0x80, 0x41], [0xC0, 0xAF], [0xE0, 0x41, 0x41]] {
      #expect(Self.holder(bytes).fault != nil)
      #expect(Self.holder(bytes + Array("Ann".utf8)).fault == .invalid)
    }
  }

  @Test("a name of one letter has a code of its own")
  func oneLetter() {
    let fault = TypedHolder(Array("X".utf8).span).fault
    #expect(fault?.code(.holder) == "invalid-cardholder-name-length")
    #expect(fault?.errorID(.holder) == "cardholder_name_length")
    #expect(Self.holder(Array(" ".utf8)).fault?.code(.holder) == "invalid-cardholder_name")
    #expect(Self.holder(Array(" ".utf8)).fault?.errorID(.holder) == "cardholder_name_required")
  }

  @Test("security codes are ASCII digits")
  func securityCodes() {
    for text in ["12\u{00BD}", "\u{0661}\u{0662}\u{0663}", "1 3", "+12"] {
      let code = TypedSecurityCode(Array(text.utf8).span)
      #expect(code.fault(.visa) == .invalid)
      #expect(!code.isValidRaw(nil))
      #expect(code.recapture(.visa) == .wrong)
      #expect(code.isValidWhileTyped(.visa) == false)
    }
  }

  @Test(
    "addresses of mail",
    arguments: [
      ("a@b.co", true), ("a@b.c", false), ("a@.co", false), ("a@b..co", true), ("a@@b.co", false), ("@b.co", false),
      ("a.b@c", false), (" a@b.co ", true), ("a@b.c0", false), ("a b@c.de", false), ("\u{00E4}@b.co", false),
    ])
  func mail(_ text: String, _ isValid: Bool) {
    #expect(Self.isMail(text) == isValid)
  }
}
