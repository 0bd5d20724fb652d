/// From a world's print to its number: open addressing, so that a million states cost sixteen megabytes.
struct PrintTable {
  private var keys: [UInt64]
  private var numbers: [UInt32]
  private var mask: Int
  private(set) var count = 0

  init() {
    keys = Array(repeating: 0, count: 1 << 16)
    numbers = Array(repeating: 0, count: 1 << 16)
    mask = keys.count - 1
  }

  /// The number of a known print; nil: it was new, and is `count - 1` now.
  mutating func insert(_ print: UInt64) -> UInt32? {
    if count * 2 > mask { grow() }
    let key = print == 0 ? 1 : print
    var place = Int(truncatingIfNeeded: key) & mask
    while keys[place] != 0 {
      if keys[place] == key { return numbers[place] }
      place = (place + 1) & mask
    }
    keys[place] = key
    numbers[place] = UInt32(count)
    count += 1
    return nil
  }

  private mutating func grow() {
    let oldKeys = keys
    let oldNumbers = numbers
    keys = Array(repeating: 0, count: oldKeys.count * 2)
    numbers = Array(repeating: 0, count: keys.count)
    mask = keys.count - 1
    for (old, key) in oldKeys.enumerated() where key != 0 {
      var place = Int(truncatingIfNeeded: key) & mask
      while keys[place] != 0 { place = (place + 1) & mask }
      keys[place] = key
      numbers[place] = oldNumbers[old]
    }
  }
}
