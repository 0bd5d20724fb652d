import Foundation
import Testing

@testable import PrimerProvider

/// The table is made from what the toolchain's own library knows of Unicode, which the small flavour leaves out.
/// `UPDATE_TABLES=1` writes it.
@Suite("Letters")
struct LettersTests {
  private enum Kind { case letter, other, undecided }

  private static func kind(_ value: UInt32) -> Kind {
    guard let scalar = Unicode.Scalar(value) else { return .undecided }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark:
      return .letter
    case .unassigned: return .undecided
    default: return .other
    }
  }

  /// How long the runs are, by turns without and with letters; what is undecided goes on as it is.
  private static var runs: [Int] {
    var runs: [Int] = []
    var isLetter = false
    var start = 0
    for value in 0..<0x11_0000 {
      let kind = kind(UInt32(value))
      if kind == .undecided || (kind == .letter) == isLetter { continue }
      runs.append(value - start)
      (isLetter, start) = (!isLetter, value)
    }
    return runs
  }

  private static var bytes: [UInt8] {
    runs.flatMap { run in
      var bytes: [UInt8] = []
      var rest = run
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      return bytes + [UInt8(rest)]
    }
  }

  @Test("the table is that of the toolchain")
  func table() throws {
    let bytes = Self.bytes
    if ProcessInfo.processInfo.environment["UPDATE_TABLES"] != nil {
      let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      let file = folder.appending(path: "../../Sources/PrimerProvider/Cards/LetterRuns.swift").standardized
      let rows = stride(from: 0, to: bytes.count, by: 24).map { start in
        "    " + bytes[start..<min(start + 24, bytes.count)].map { "\($0)," }.joined(separator: " ") + "\n"
      }
      let text = """
        // Made by LettersTests with UPDATE_TABLES=1.

        extension Letters {
          static let runs: [UInt8] = [
        \(rows.joined())  ]
        }

        """
      try text.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(Letters.runs == bytes)
    }
  }

  @Test("a scalar is judged by its run, at both of its ends")
  func ends() {
    var start = 0
    var isLetter = false
    for run in Self.runs {
      let end = start + run
      #expect(Letters.contains(UInt32(start)) == isLetter)
      #expect(Letters.contains(UInt32(end - 1)) == isLetter)
      (start, isLetter) = (end, !isLetter)
    }
    #expect(Letters.contains(UInt32(start)) == isLetter)
    #expect(Letters.contains(.max) == isLetter)
  }
}
