/// Sums and differences that stay at the far end of the range instead of overflowing it.
enum Saturating {
  static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    let (sum, overflow) = left.addingReportingOverflow(right)
    if !overflow { return sum }
    return right > 0 ? Int64.max : Int64.min
  }

  static func difference(_ left: Int64, _ right: Int64) -> Int64 {
    let (difference, overflow) = left.subtractingReportingOverflow(right)
    if !overflow { return difference }
    return right < 0 ? Int64.max : Int64.min
  }
}
