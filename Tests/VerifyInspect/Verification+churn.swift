extension Verification {
  /// How many commits are looked at.
  private static let commits = 1000

  /// The files that the newest commits changed most often.
  mutating func churn() async throws {
    guard clone.head != nil else { return }
    let limit = "-\(Self.commits)"
    let count = try await git.number("rev-list", "--no-merges", limit, "--count", "HEAD")
    comparison.value("churn.commits", told.churn?.commits, count, canTell: false)
    let paths = try await git.bytes([
      "log", "--no-merges", "--name-only", "--no-renames", "--no-relative", "--ignore-submodules=none", "-z",
      "--format=", limit, "HEAD",
    ])
    var counts: [ArraySlice<UInt8>: Int] = [:]
    for path in paths?.pieces(of: 0) ?? [] where !path.isEmpty { counts[path, default: 0] += 1 }
    let sorted = counts.sorted { left, right in
      left.value != right.value ? left.value > right.value : left.key.lexicographicallyPrecedes(right.key)
    }
    comparison.start(
      "churn.files", told.churn?.files.map { "\($0.commits) \($0.path)" },
      of: paths == nil ? nil : sorted.map { "\($0.value) \($0.key.text)" })
  }
}
