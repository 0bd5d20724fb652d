import CheckoutCore
import Foundation

/// The table: a navigation, the policy that judges it, the verdict, and why.
public struct HostileURL: Sendable {
  /// The name of a policy; `every` for all of them.
  public let policy: String
  public let url: String
  public let verdict: RedirectVerdict
  public let why: String

  public static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  public static let all: [HostileURL] = rows("hostile_urls.tsv").map { row in
    HostileURL(policy: row[0], url: decoded(row[1]), verdict: verdict(row[2]), why: row[3])
  }
  public static let policies: [(name: String, policy: RedirectPolicy)] = rows("policies.tsv").map { row in
    let hosts = row[2].split(separator: ",").map(String.init)
    return (row[0], RedirectPolicy(allowLoopbackHTTP: row[1] == "yes", hosts: hosts, returnURLPrefix: row[3]))
  }

  /// Without the line that names the columns.
  public static func rows(_ name: String) -> [[String]] {
    let text = (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").dropFirst().map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  public static func decoded(_ json: String) -> String {
    (try? JSONDecoder().decode(String.self, from: Data(json.utf8))) ?? "unreadable: \(json)"
  }

  /// ASCII alone: what is invisible shall be seen.
  public static func encoded(_ text: String) -> String {
    let scalars = text.utf16.map { unit -> String in
      switch unit {
      case 0x22: #"\""#
      case 0x5C: #"\\"#
      case 0x0A: #"\n"#
      case 0x0D: #"\r"#
      case 0x09: #"\t"#
      case 0x20...0x7E: String(decoding: [unit], as: UTF16.self)
      default: #"\u"# + String(format: "%04x", unit)
      }
    }
    return "\"" + scalars.joined() + "\""
  }

  public static let names: [(name: String, verdict: RedirectVerdict)] = [
    ("block", .block), ("allow", .allow), ("return", .returned),
  ]

  private static func verdict(_ name: String) -> RedirectVerdict {
    names.first { $0.name == name }?.verdict ?? { preconditionFailure("no verdict: \(name)") }()
  }

  public var verdictName: String { HostileURL.names.first { $0.verdict == verdict }?.name ?? "" }

  /// The policies that this row is for.
  public var policies: [RedirectPolicy] {
    HostileURL.policies.filter { policy == "every" || $0.name == policy }.map { $0.policy }
  }
}
