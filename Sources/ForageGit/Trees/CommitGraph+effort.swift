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
  /// The number of commits that could not be compared, because trees are missing or damaged.
  package var unreadable = 0
  /// The number of changes of files that could not be counted, because blobs are missing or damaged.
  package var unreadableFiles = 0
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
    let difference = TreeDifference(in: repository, limits: .standard)
    var changes = ChangedFiles(limits: .standard)
    for number in 0..<headCount {
      if isCancelled() { throw .cancelled }
      let parents = parents(of: number)
      guard parents.count < 2, nodes[number].committedAt != Self.unreadDate else { continue }
      do throws(GitError) {
        let commit = try repository.commit(id(number))
        let old: ObjectID? =
          if let parent = parents.first { try difference.tree(of: id(Int(parent))) } else { nil }
        changes.files = []
        try difference.compare(old, commit.tree, &changes, isCancelled: isCancelled)
        let (name, email) = mailmap.resolve(name: commit.authorName, email: commit.authorEmail)
        var author = authors[[name, email]] ?? Effort.Author(name: name, email: email)
        for file in changes.files {
          if isCancelled() { throw .cancelled }
          do throws(GitError) {
            let lines = try library.changedLines(file.old, file.new, path: changes.paths.path(Int(file.path)))
            author.added += lines.added
            author.removed += lines.removed
          } catch {
            guard error.isDamage else { throw error }
            effort.unreadableFiles += 1
          }
        }
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
}

/// The files that differ between two trees.
private struct ChangedFiles: TreeVisitor {
  static let seesRemoved = true

  let limits: DifferenceLimits
  var paths = PathTable()
  var files: [(old: ChangedFile?, new: ChangedFile?, path: Int32)] = []

  func found(_ name: UnsafeRawBufferPointer, below parent: Int32, id: ObjectID, isSubmodule: Bool) {}

  mutating func changed(
    _ old: ChangedFile?, _ new: ChangedFile?, _ name: UnsafeRawBufferPointer, below parent: Int32
  ) throws(GitError) {
    files.append((old, new, try folder(name, below: parent)))
  }
}

extension LibGit2Repository {
  /// Counts the lines that differ between two states of a path; a binary file has none, a submodule has one.
  fileprivate func changedLines(
    _ old: ChangedFile?, _ new: ChangedFile?, path: [UInt8]
  ) throws(GitError) -> (added: Int, removed: Int) {
    if old?.id == new?.id { return (0, 0) }
    let submodules = (added: new?.isSubmodule == true ? 1 : 0, removed: old?.isSubmodule == true ? 1 : 0)
    let before = try blob(old)
    defer { git_blob_free(before) }
    let after = try blob(new)
    defer { git_blob_free(after) }
    guard before != nil || after != nil else { return submodules }
    var options = git_diff_options()
    git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION))
    options.context_lines = 0
    var patch: OpaquePointer?
    // The path finds attributes such as `-diff`.
    let status = (path + [0]).withUnsafeBytes {
      let name = $0.bindMemory(to: CChar.self).baseAddress
      return git_patch_from_blobs(&patch, before, name, after, name, &options)
    }
    try LibGit2.check(status, "comparing files")
    defer { git_patch_free(patch) }
    var (added, removed) = (0, 0)
    try LibGit2.check(git_patch_line_stats(nil, &added, &removed, patch), "comparing files")
    return (added + submodules.added, removed + submodules.removed)
  }

  private func blob(_ file: ChangedFile?) throws(GitError) -> OpaquePointer? {
    guard let file, !file.isSubmodule else { return nil }
    var blob: OpaquePointer?
    try LibGit2.check(file.id.withOID { git_blob_lookup(&blob, pointer, $0) }, "reading blob \(file.id.hex)")
    return blob
  }
}
