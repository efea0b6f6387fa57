/// Compares everything about one clone.
struct Verification {
  let told: Told
  let git: Git
  let clone: Clone
  var comparison: Comparison

  /// Compares one group of facts after the other.
  ///
  /// - Parameter isWhole: Also what takes the trees of the whole history.
  mutating func run(isWhole: Bool) async throws {
    try await repository()
    try await head()
    try await references()
    try await status()
    try await history()
    try await churn()
    try await tree()
    try await objects()
    try await links()
    if isWhole { try await largestBlobs() }
  }
}

/// A part of a whole, rounded as the report does.
func share(_ part: Int, of whole: Int) -> Double {
  whole == 0 ? 0 : (Double(part) / Double(whole) * 10_000).rounded() / 10_000
}
