extension Verification {
  /// How many commits are looked at.
  private static let commits = 1000

  /// The files that the newest commits changed most often, and who changed each most.
  mutating func churn() async throws {
    guard clone.head != nil else { return }
    let limit = "-\(Self.commits)"
    let count = try await git.number("rev-list", "--no-merges", limit, "--count", "HEAD")
    comparison.value("churn.commits", told.churn?.commits, count, canTell: false)
    let paths = try await git.bytes([
      "log", "--no-merges", "--name-only", "--no-renames", "--no-relative", "--ignore-submodules=none", "-z",
      "--use-mailmap", "--format=%x01%aN", limit, "HEAD",
    ])
    var counts: [ArraySlice<UInt8>: [ArraySlice<UInt8>: Int]] = [:]
    var author: ArraySlice<UInt8> = []
    var isFirst = false
    for piece in paths?.pieces(of: 0) ?? [] where !piece.isEmpty {
      if piece.first == 1 {
        (author, isFirst) = (piece.dropFirst(), true)
      } else {
        // A line feed precedes the first path.
        counts[isFirst ? piece.dropFirst() : piece, default: [:]][author, default: 0] += 1
        isFirst = false
      }
    }
    let sorted = counts.map { (path: $0.key, authors: $0.value, commits: $0.value.values.reduce(0, +)) }
      .sorted { left, right in
        left.commits != right.commits
          ? left.commits > right.commits : left.path.lexicographicallyPrecedes(right.path)
      }
    comparison.start(
      "churn.files",
      told.churn?.files.map { file in
        "\(file.commits) \(file.path)" + (file.author.map { " \($0.commits) \($0.name)" } ?? "")
      },
      of: paths == nil
        ? nil : sorted.map { "\($0.commits) \($0.path.text)" + (Self.most($0.authors) ?? "") })
  }

  /// The author with the most commits, of equal numbers the first by name.
  private static func most(_ authors: [ArraySlice<UInt8>: Int]) -> String? {
    // Git does not replace the placeholder for an author line without an address.
    authors.filter { !$0.key.isEmpty && $0.key.text != "%aN" }.min { left, right in
      left.value != right.value ? left.value > right.value : left.key.lexicographicallyPrecedes(right.key)
    }.map { " \($0.value) \($0.key.text)" }
  }
}
