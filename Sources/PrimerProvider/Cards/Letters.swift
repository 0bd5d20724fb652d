/// Whether a Unicode scalar is a letter, or a mark that is written over one. Scalars that Unicode has not given away go
/// with their neighbours.
enum Letters {
  /// `runs` holds how long the runs are, by turns without and with letters, seven bits a byte, the lowest first.
  static func contains(_ scalar: UInt32) -> Bool {
    var end: UInt32 = 0
    var isLetter = false
    var run: UInt32 = 0
    var shift: UInt32 = 0
    for byte in runs {
      run |= UInt32(byte & 0x7F) << shift
      if byte & 0x80 != 0 {
        shift += 7
        continue
      }
      end += run
      if scalar < end { return isLetter }
      isLetter.toggle()
      (run, shift) = (0, 0)
    }
    return isLetter
  }
}
