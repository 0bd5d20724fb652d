import Foundation
import Testing

@testable import CheckoutSandbox

/// The README's tables are the code's.
@Suite struct DocumentationTests {
  private static let lines = lines(of: "README.md")
  private static let primerLines = lines(of: "Primer/README.md")

  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/CheckoutSandbox")

  private static func lines(of name: String) -> [Substring] {
    ((try? String(contentsOf: sources.appending(path: name), encoding: .utf8)) ?? "").split(separator: "\n")
  }

  /// The rows whose first cell holds that code.
  private func rows(_ code: String, in lines: [Substring] = lines) -> [Substring] {
    lines.filter { $0.hasPrefix("|") && $0.dropFirst().prefix { $0 != "|" }.contains("`\(code)`") }
  }

  @Test func everyCaseStandsWithItsStatus() {
    for payment in PaymentCase.allCases {
      let rows = rows("tok_\(payment.rawValue)_")
      #expect(rows.count == 1, "\(payment)")
      #expect(payment == .lost || rows.first?.contains("| \(payment.verdict.globalStatus) |") == true, "\(payment)")
    }
  }

  @Test func everyFaultAndMethodStands() {
    for kind in FaultKind.allCases {
      #expect(rows(kind.rawValue).count == 1, "\(kind)")
      let processes = rows(kind.rawValue).first?.split(separator: "|").last?.hasPrefix(" yes") == true
      #expect(processes == kind.processesByDefault, "\(kind)")
      #expect((rows(kind.rawValue).first?.contains("unless `process`") == true) == kind.mayChooseToProcess, "\(kind)")
    }
    for id in PurseCatalogue.identifiers { #expect(rows(id).count == 1, "\(id)") }
  }

  @Test func everyNumberIsReadAsItStands() {
    var count = 0
    for line in Self.lines {
      guard let match = line.wholeMatch(of: #/\| `(\d{16})` \| (.+) \|/#) else { continue }
      let (number, text) = (String(match.1), match.2)
      let last = GiftCardNumbers.reading(number: number, code: nil, asked: 3)
      let first = GiftCardNumbers.reading(number: number, code: nil, asked: 1)
      switch last {
      case .balance(0): #expect(text == "balance 0")
      case .balance(let hundredths): #expect(text == "balance \(Amount.literal(hundredths, digits: 2))")
      case .refused(let code): #expect(text.hasSuffix("FAILED \(code)"))
      case .waiting: #expect(text == "WAITING for ever")
      case .technicalError: #expect(text == "HTTP 500")
      }
      #expect((first == .waiting) == text.contains("WAITING"))
      count += 1
    }
    #expect(count == 4 + GiftCardNumbers.refusals.count + 1 + GiftCardNumbers.lateRefusals.count + 1)
  }

  /// Every error code that the sources write is in the README's table of refusals.
  @Test func everyErrorCodeStands() throws {
    let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
    var codes: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: #/Refusal\(\s*(\d{3}), "([A-Za-z_]+)"/#) { codes.insert("\(match.1) \(match.2)") }
    }
    #expect(codes.count > 20)
    let documented = (Self.lines + Self.primerLines).compactMap {
      $0.firstMatch(of: #/^\| (\d{3}) \| ([A-Za-z_, ]+) \|/#)
    }
    for code in codes.sorted() {
      let parts = code.split(separator: " ")
      let isThere = documented.contains { row in
        row.1 == parts[0] && row.2.split(separator: ", ").contains { $0 == parts[1] }
      }
      #expect(isThere, "\(code)")
    }
  }

  @Test func primersCallsCardsMethodsAndNetworksStand() throws {
    for kind in PrimerCall.Kind.allCases { #expect(rows(kind.rawValue, in: Self.primerLines).count == 1, "\(kind)") }
    for payment in PrimerCase.allCases {
      let rows = rows(payment.rawValue, in: Self.primerLines)
      #expect(rows.count == 1 && rows.first?.contains("` | \(payment.number) | ") == true, "\(payment)")
      if let step = payment.steps.first { #expect(rows.first?.contains(" | \(step.name)") == true, "\(payment)") }
    }
    for type in PrimerCatalogue.types { #expect(rows(type, in: Self.primerLines).count == 1, "\(type)") }
    for (amount, payment) in PrimerCase.amounts {
      let text = Self.primerLines.joined(separator: " ")
      #expect(text.contains("\(Amount.literal(amount, digits: 2)) (\(payment.rawValue))"), "\(amount)")
    }
    for digits in Array(PrimerNetworks.known.keys) + [PrimerNetworks.failing] {
      #expect(Self.primerLines.contains { $0.hasPrefix("| \(digits) |") }, "\(digits)")
    }
  }
}
