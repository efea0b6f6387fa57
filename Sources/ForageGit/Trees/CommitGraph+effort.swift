import CLibGit2

/// The lines that authors added and removed.
package struct Effort: Sendable, Hashable {
  /// An author after the mailmap is applied, in UTF-8.
  package struct Author: Sendable, Hashable {
    package let name: [UInt8]
    package let email: [UInt8]
    package var added = 0
    package var removed = 0
  }

  /// Most changed lines first, then by name and e-mail.
  package var authors: [Author] = []
  /// The number of commits that could not be compared, because objects are missing or damaged.
  package var unreadable = 0
  /// The number of commits that are missing or damaged; those behind them are not known.
  package var lost = 0
}

extension CommitGraph {
  /// Counts the lines that each author added and removed, like `git log --no-merges --no-renames --numstat`.
  ///
  /// All commits must be walked. Reads every changed file of the history, which takes about a minute for 80,000
  /// commits.
  ///
  /// - Throws: `tooLarge`, `cancelled`, `other`; damage is only counted.
  package func effort(isCancelled: () -> Bool = { false }) throws(GitError) -> Effort {
    let library = try repository.library()
    try library.use(try repository.objects())
    let mailmap = repository.mailmap()
    var effort = Effort()
    effort.lost = nodes[..<headCount].count { $0.committedAt == Self.unreadDate }
    var authors: [[[UInt8]]: Effort.Author] = [:]
    for number in 0..<headCount {
      if isCancelled() { throw .cancelled }
      let parents = parents(of: number)
      guard parents.count < 2, nodes[number].committedAt != Self.unreadDate else { continue }
      do throws(GitError) {
        let commit = try repository.commit(id(number))
        let old: ObjectID? =
          if let parent = parents.first { try repository.tree(of: id(Int(parent))) } else { nil }
        let lines = try changedLines(old, commit.tree, library)
        let (name, email) = mailmap.resolve(name: commit.authorName, email: commit.authorEmail)
        var author = authors[[name, email]] ?? Effort.Author(name: name, email: email)
        author.added += lines.added
        author.removed += lines.removed
        authors[[name, email]] = author
      } catch {
        guard error.isDamage else { throw error }
        effort.unreadable += 1
      }
    }
    effort.authors = authors.values.sorted { left, right in
      let (a, b) = (left.added + left.removed, right.added + right.removed)
      if a != b { return a > b }
      if left.name != right.name { return left.name.lexicographicallyPrecedes(right.name) }
      return left.email.lexicographicallyPrecedes(right.email)
    }
    return effort
  }

  /// Counts the lines that differ between two trees; nil is the empty tree.
  private func changedLines(
    _ old: ObjectID?, _ new: ObjectID, _ library: LibGit2Repository
  ) throws(GitError) -> (added: Int, removed: Int) {
    func open(_ id: ObjectID) throws(GitError) -> OpaquePointer? {
      var tree: OpaquePointer?
      let status = id.withOID { git_tree_lookup(&tree, library.pointer, $0) }
      try LibGit2.check(status, "reading tree \(id.hex)")
      return tree
    }
    let before: OpaquePointer? = if let old { try open(old) } else { nil }
    defer { git_tree_free(before) }
    let after = try open(new)
    defer { git_tree_free(after) }
    var options = git_diff_options()
    git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION))
    options.context_lines = 0
    var diff: OpaquePointer?
    try LibGit2.check(
      git_diff_tree_to_tree(&diff, library.pointer, before, after, &options), "comparing trees")
    defer { git_diff_free(diff) }
    var stats: OpaquePointer?
    try LibGit2.check(git_diff_get_stats(&stats, diff), "comparing files")
    defer { git_diff_stats_free(stats) }
    return (git_diff_stats_insertions(stats), git_diff_stats_deletions(stats))
  }
}
