extension String {
  /// The most combining marks in a row, as in the stream-safe text format (UAX #15): no language needs more.
  private static let longestRun = 30

  /// The text without the combining marks beyond thirty in a row.
  ///
  /// Comparing and hashing texts sorts the marks of each character, which takes a time that grows with the
  /// square of their number: a name of a megabyte of marks would take minutes.
  package var limitingMarks: String {
    guard hasLongRun else { return self }
    var (result, run) = (String.UnicodeScalarView(), 0)
    for scalar in unicodeScalars {
      run = Self.isMark(scalar) ? run + 1 : 0
      if run <= Self.longestRun { result.append(scalar) }
    }
    return String(result)
  }

  /// Whether there may be too many marks in a row: one of each thirty characters is looked at.
  private var hasLongRun: Bool {
    var count = 0
    for scalar in unicodeScalars {
      count += 1
      if count == Self.longestRun {
        if Self.isMark(scalar) { return true }
        count = 0
      }
    }
    return false
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    // No mark precedes U+0300.
    scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
  }
}
