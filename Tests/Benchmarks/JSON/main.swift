import CJansson
import Foundation
import JSONText

// Reads one text with JSONText and with Jansson in turns: json-benchmark FILE ROUNDS. Both keep the whole of it, refuse
// a key that comes twice, and let go of it inside the measured time.

struct Sample {
  var ours: [Double] = []
  var floor: [Double] = []

  func line(_ name: String, target: String?) -> String {
    let ours = Sample.median(ours)
    let floor = Sample.median(floor)
    let figures = String(format: "ours=%.2fus floor=%.2fus ratio=%.2f", ours, floor, ours / floor)
    return "bench: \(name) \(figures)" + (target.map { " target=\($0)" } ?? "")
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

enum Failure: Error {
  case usage
  case jansson
  case different(ours: Int, jansson: Int)
}

/// Of this thread's own time, so that what else runs on the machine does not count.
func microseconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
  return Double(now.tv_sec) * 1e6 + Double(now.tv_nsec) / 1e3
}

let repetitions = 5

/// What one run takes.
func measure(_ body: () throws -> Void) rethrows -> Double {
  let start = microseconds()
  for _ in 0..<repetitions { try body() }
  return (microseconds() - start) / Double(repetitions)
}

func withJansson(_ bytes: [UInt8], _ body: (UnsafeMutablePointer<json_t>) -> Void) throws {
  var error = json_error_t()
  let root = bytes.withUnsafeBytes { buffer in
    json_loadb(buffer.baseAddress, buffer.count, Int(JSON_REJECT_DUPLICATES), &error)
  }
  guard let root else { throw Failure.jansson }
  body(root)
  json_decref(root)
}

/// The bytes of all strings, each made a Swift string; of keys and numbers too.
func walk(_ value: JSONValue) -> Int {
  switch value.kind {
  case .object: value.members.reduce(0) { $0 + $1.key.utf8.count + walk($1.value) }
  case .array: value.elements.reduce(0) { $0 + walk($1) }
  case .string: value.string?.utf8.count ?? 0
  default: 0
  }
}

/// The same of Jansson's tree, whose strings are there already.
func walk(_ value: UnsafeMutablePointer<json_t>) -> Int {
  var total = 0
  switch value.pointee.type {
  case JSON_OBJECT:
    var place = json_object_iter(value)
    while let member = place {
      if let key = json_object_iter_key(member) { total += strlen(key) }
      if let inner = json_object_iter_value(member) { total += walk(inner) }
      place = json_object_iter_next(value, member)
    }
  case JSON_ARRAY:
    for index in 0..<json_array_size(value) {
      if let inner = json_array_get(value, index) { total += walk(inner) }
    }
  case JSON_STRING:
    total = json_string_length(value)
  default:
    break
  }
  return total
}

func run(_ path: String, rounds: Int) throws {
  let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  var janssonTotal = 0
  let ourTotal = walk(try JSONDocument(parsing: bytes).root)
  try withJansson(bytes) { janssonTotal = walk($0) }
  guard ourTotal == janssonTotal, ourTotal > 0 else { throw Failure.different(ours: ourTotal, jansson: janssonTotal) }

  var parse = Sample()
  var parseAndWalk = Sample()
  var total = 0
  for _ in 0..<rounds {
    parse.ours.append(try measure { total += try JSONDocument(parsing: bytes).root.count })
    parse.floor.append(try measure { try withJansson(bytes) { total += json_object_size($0) } })
    parseAndWalk.ours.append(try measure { total += walk(try JSONDocument(parsing: bytes).root) })
    parseAndWalk.floor.append(try measure { try withJansson(bytes) { total += walk($0) } })
  }
  print("json: \(bytes.count) bytes, medians of \(rounds) rounds of \(repetitions); floor: Jansson \(JANSSON_VERSION)")
  print(parse.line("parse", target: "0.50"))
  print(parseAndWalk.line("parse_and_read", target: nil))
  guard total > 0 else { throw Failure.jansson }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let rounds = Int(arguments[2]), rounds > 0 else { throw Failure.usage }
try run(arguments[1], rounds: rounds)
