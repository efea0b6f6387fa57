/// Compares files by content if their metadata does not show whether they differ.
struct ContentCheck {
  /// The number of files from which a second thread with its own handle pays off: some milliseconds of work.
  private static let sharedCount = 256
  /// The files that a thread takes at a time.
  private static let batch = 16

  let index: IndexFile
  let root: String
  let repository: GitRepository

  /// Compares files.
  ///
  /// - Returns: a verdict for each of the entries.
  func run(_ entries: [Int32], isCancelled: () -> Bool) throws(GitError) -> [ContentHasher.Verdict] {
    if entries.isEmpty { return [] }
    let (index, root, attributes) = (index, root, attributeEntries())
    let parts = try SharedWork.run(
      entries.count, by: Self.batch, from: Self.sharedCount, in: repository, isCancelled: isCancelled
    ) { (repository, next, isCancelled) throws(GitError) in
      let hasher = try ContentHasher(repository)
      var found: [(position: Int, verdict: ContentHasher.Verdict)] = []
      try index.withView { (view) throws(GitError) in
        for entry in attributes { hasher.add(Int(entry), view) }
        while let range = next() {
          for position in range {
            if isCancelled() { throw .cancelled }
            found.append((position, hasher.compare(Int(entries[position]), view, root: root)))
          }
        }
      }
      return found
    }
    var verdicts = [ContentHasher.Verdict](repeating: .different, count: entries.count)
    for (position, verdict) in parts.joined() { verdicts[position] = verdict }
    return verdicts
  }

  /// Returns the entries of `.gitattributes` files that the work tree lacks. Git reads only those from the
  /// index; libgit2 adds the rules of all that its index has.
  private func attributeEntries() -> [Int32] {
    index.withView { view in
      view.records.indices.compactMap { entry in
        let path = view.path(entry)
        guard ContentHasher.isAttributes(path), FileAccess.kind(root, path) == nil else { return nil }
        return Int32(truncatingIfNeeded: entry)
      }
    }
  }
}
