import CheckoutCore
import Foundation
import Testing

@Suite("Dates of HTTP")
struct HTTPDateTests {
  static let example: Int64 = 784_111_777_000

  @Test(
    "The three forms of RFC 9110",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", example), ("Sunday, 06-Nov-94 08:49:37 GMT", example),
      ("Sun Nov  6 08:49:37 1994", example), ("Sun Nov 06 08:49:37 1994", example),
      ("Wed Nov 16 08:49:37 1994", 784_975_777_000), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
      ("Sat, 31 Dec 2016 23:59:60 GMT", 1_483_228_800_000), ("Thursday, 29-Feb-24 00:00:00 GMT", 1_709_164_800_000),
      ("Thursday, 01-Jan-70 00:00:00 GMT", 0), ("Tuesday, 31-Dec-69 23:59:59 GMT", 3_155_759_999_000),
      ("Mon, 30 Nov 2026 21:41:42 GMT", 1_796_074_902_000),
    ])
  func reads(text: String, milliseconds: Int64) {
    #expect(DateText.milliseconds(fromHTTPDate: text) == milliseconds)
  }

  @Test(
    "Everything else is refused",
    arguments: [
      "", "Sun", "Sun,", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
      "Sun, 06 Nov 1994 08:49:37 gmt", "Sun, 06 Nov 1994 08:49:37 GMT ", " Sun, 06 Nov 1994 08:49:37 GMT",
      "Sun, 06 Nov 1994 08:49:37 +0000", "sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
      "Mon, 06 Nov 1994 08:49:37 GMT", "Monday, 06-Nov-94 08:49:37 GMT", "Mon Nov  6 08:49:37 1994",
      "Sun, 6 Nov 1994 08:49:37 GMT", "Sun,06 Nov 1994 08:49:37 GMT", "Sun 06 Nov 1994 08:49:37 GMT",
      "Sun, 06-Nov-1994 08:49:37 GMT", "Sun, 06-Nov-94 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
      "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday 06-Nov-94 08:49:37 GMT", "Monday, 06-Nov-94 08:49:37 GMT",
      "Sunnesday, 06-Nov-94 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
      "Tue, 29 Feb 1994 08:49:37 GMT", "Tue, 30 Feb 2024 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
      "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:60 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
      "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 06 November 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
      "Sun, 06 Nov 01994 08:49:37 GMT", "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT",
      "Sun Nov  6 08:49:37 94", "Sun Nov   6 08:49:37 1994", "1994-11-06T08:49:37Z", "784111777", "0", "-1",
      "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", "Sun, ０６ Nov 1994 08:49:37 GMT",
    ])
  func refuses(_ text: String) {
    #expect(DateText.milliseconds(fromHTTPDate: text) == nil)
  }

  @Test(
    "Random moments agree with Foundation",
    arguments: [
      ("EEE, dd MMM yyyy HH:mm:ss 'GMT'", -11_676_096_000, 253_402_300_799),
      ("EEEE, dd-MMM-yy HH:mm:ss 'GMT'", 0, 3_155_759_999),
      ("EEE MMM dd HH:mm:ss yyyy", -11_676_096_000, 253_402_300_799),
    ] as [(String, Int64, Int64)])
  func agreesWithFoundation(format: String, first: Int64, last: Int64) {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = format
    var random = ValueGenerator(seed: 73)
    for _ in 0..<2_000 {
      let seconds = random.number(first...last)
      var text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      // The day of asctime is padded with a space.
      if !format.contains("GMT") && text.dropFirst(8).first == "0" {
        text.replaceSubrange(
          text.index(text.startIndex, offsetBy: 8)...text.index(text.startIndex, offsetBy: 8), with: " ")
      }
      #expect(DateText.milliseconds(fromHTTPDate: text) == seconds * 1_000, "\(text)")
    }
  }
}
