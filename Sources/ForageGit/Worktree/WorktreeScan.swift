/// The result of one pass over index and work tree.
package struct WorktreeScan: Sendable {
  /// The numbers of changed paths.
  package fileprivate(set) var status = WorktreeStatus()
  /// The number of files that pass through a filter program (an attribute `filter`, as of Git LFS), which is
  /// not run here. Their metadata differs from the index, and they count as unchanged.
  package private(set) var uncompared = 0
  /// The number of tracked files that could not be reached; they count as unchanged, as in git.
  private(set) var unreachable = 0

  private let index: IndexFile
  /// The entries that are not clean.
  private var exceptions: [Int32] = []

  package func cleanFiles() -> CleanFiles { CleanFiles(index, except: exceptions) }

  fileprivate init(_ index: IndexFile) {
    self.index = index
    status.conflicted = index.conflictedPaths
  }

  fileprivate mutating func resolve(
    _ findings: [WalkFinding], _ repository: GitRepository, _ root: String, _ depth: Int, _ budget: inout Int,
    _ isCancelled: () -> Bool
  ) throws(GitError) {
    if findings.isEmpty { return }
    var doubtful: [Int32] = []
    var submodules: [Int32] = []
    var deleted: [Int32] = []
    var intended: [Int32] = []
    var modified: [Int32] = []
    for finding in findings {
      exceptions.append(finding.entry)
      switch finding.kind {
      case .changed: modified.append(finding.entry)
      case .deleted: deleted.append(finding.entry)
      case .doubtful: doubtful.append(finding.entry)
      case .submodule: submodules.append(finding.entry)
      case .intentToAdd: intended.append(finding.entry)
      case .unchecked: break
      case .unreachable: unreachable += 1
      }
    }
    doubtful.sort()
    let verdicts = try ContentCheck(index: index, root: root, repository: repository).run(
      doubtful, isCancelled: isCancelled)
    var same: Set<Int32> = []
    for (entry, verdict) in zip(doubtful, verdicts) {
      switch verdict {
      case .same: same.insert(entry)
      case .different: modified.append(entry)
      case .unknown: uncompared += 1
      }
    }
    if !same.isEmpty { exceptions.removeAll { same.contains($0) } }
    if !submodules.isEmpty {
      let changes = try SubmoduleChanges(repository, root: root, index: index)
      status.unstaged += try index.withView { (view) throws(GitError) in
        var count = 0
        for entry in submodules.sorted()
        where try changes.isChanged(
          Int(entry), view, depth: depth, budget: &budget, isCancelled: isCancelled)
        {
          count += 1
        }
        return count
      }
    }
    status.unstaged += modified.count + deleted.count + intended.count
    if !deleted.isEmpty, !intended.isEmpty || index.conflictedPaths > 0 {
      status.unstaged -= try index.renamed(
        deleted.sorted(), intended: intended.sorted(), modified: modified.sorted(), root, repository,
        isCancelled)
    }
  }
}

/// The numbers of changed paths of a work tree, as in `git status --porcelain=v2 --untracked-files=all`.
package struct WorktreeStatus: Sendable, Hashable {
  /// Paths whose index entry differs from `HEAD`.
  package var staged = 0
  /// Paths whose file differs from the index.
  package var unstaged = 0
  /// Files that are neither tracked nor ignored.
  package var untracked = 0
  /// Unmerged paths.
  package var conflicted = 0

  package var isClean: Bool { staged + unstaged + untracked + conflicted == 0 }
}

extension GitRepository {
  /// Compares `HEAD`, index and work tree, and finds the unchanged files; writes nothing.
  ///
  /// - Returns: nil if there is no work tree.
  package func scanWorktree(isCancelled: () -> Bool = { false }) throws(GitError) -> WorktreeScan? {
    var budget = Self.submoduleLimit
    return try scanWorktree(
      untracked: true, depth: SubmoduleChanges.depthLimit, budget: &budget, isCancelled: isCancelled)
  }

  /// The same also for a submodule.
  ///
  /// - Parameters:
  ///   - untracked: whether to count untracked files.
  ///   - isStrict: see ``StatRules``.
  func scanWorktree(
    untracked: Bool, isStrict: Bool = false, depth: Int, budget: inout Int, isCancelled: () -> Bool
  ) throws(GitError) -> WorktreeScan? {
    guard let worktree else { return nil }
    try checkObjects()
    var index = try IndexFile(gitDir: gitDir)
    if StatRules(config, index).seesSkipped {
      // The files of a folder that exists although it is outside the sparse checkout are compared.
      let present = index.sparseEntries.filter { entry in
        index.withView { FileAccess.kind(worktree, $0.path(entry).dropLast()) != nil }
      }
      if !present.isEmpty { try index.expand(present, in: self, isCancelled: isCancelled) }
    }
    let walk = try WorktreeWalk(
      index, in: self, at: worktree, untracked ? [.compare, .list] : .compare, isStrict: isStrict)
    var scan = WorktreeScan(index)
    let found = try walk.run(
      meanwhile: { () throws(GitError) in
        scan.status.staged = try index.withStagedChanges(try headTree(), self, isCancelled) {
          (changes, view) throws(GitError) in try changes.count(view, self, isCancelled)
        }
      }, isCancelled: isCancelled)
    scan.status.untracked = found.untracked
    try scan.resolve(found.findings, self, worktree, depth, &budget, isCancelled)
    return scan
  }

  /// Finds the unchanged files of the work tree by their metadata alone.
  ///
  /// - Returns: an empty set if there is no work tree.
  package func cleanFiles(isCancelled: () -> Bool = { false }) throws(GitError) -> CleanFiles {
    guard let worktree else { return CleanFiles() }
    try checkObjects()
    let index = try IndexFile(gitDir: gitDir)
    let walk = try WorktreeWalk(index, in: self, at: worktree, .compare)
    let result = try walk.run(meanwhile: {}, isCancelled: isCancelled)
    return hasNoFilters ? CleanFiles(index, except: result.findings.map(\.entry)) : CleanFiles()
  }

  /// Whether no filter program can give a file other bytes of the same size. Git LFS replaces files by much shorter ones.
  var hasNoFilters: Bool { config.subsections(of: "filter").allSatisfy { $0 == "lfs" } }
}

/// The files of a work tree that may differ from `HEAD`.
package struct WorktreeChanges: Sendable {
  /// Paths that `HEAD` or the index has and whose file differs, may differ or is absent.
  package fileprivate(set) var tracked: Set<ExactText> = []
  /// Those of them that only `HEAD` has.
  package fileprivate(set) var removed: Set<ExactText> = []
  /// Files that are neither tracked nor ignored.
  package fileprivate(set) var untracked: [ExactText] = []
  /// The bytes of the names that are not UTF-8.
  package fileprivate(set) var bytes: [ExactText: [UInt8]] = [:]
}

extension GitRepository {
  /// Finds the files of the work tree that may differ from `HEAD`, and those that are untracked and not ignored.
  ///
  /// - Returns: nil if there is no work tree.
  package func worktreeChanges(isCancelled: () -> Bool = { false }) throws(GitError) -> WorktreeChanges? {
    guard let worktree else { return nil }
    let index = try IndexFile(gitDir: gitDir)
    let walk = try WorktreeWalk(index, in: self, at: worktree, [.compare, .list, .name])
    var changes = WorktreeChanges()
    func text(_ path: some Sequence<UInt8>) -> ExactText {
      let bytes = Array(path)
      if let text = String(validating: bytes, as: UTF8.self) { return ExactText(text) }
      let text = ExactText(String(decoding: bytes, as: UTF8.self))
      changes.bytes[text] = bytes
      return text
    }
    let found = try walk.run(
      meanwhile: { () throws(GitError) in
        try index.withStagedChanges(try headTree(), self, isCancelled) { (staged, view) in
          changes.removed = Set(staged.deleted.map { text($0.path) })
          changes.tracked = Set(staged.modified.map { text($0.path) })
            .union(staged.added.map { text(view.path(Int($0))) }).union(changes.removed)
        }
      }, isCancelled: isCancelled)
    // As in git, a file whose metadata differs is changed only if its content differs.
    let doubtful = found.findings.filter { $0.kind == .doubtful }.map(\.entry).sorted()
    let verdicts = try ContentCheck(index: index, root: worktree, repository: self).run(
      doubtful, isCancelled: isCancelled)
    let same = Set(zip(doubtful, verdicts).filter { $1 == .same }.map(\.0))
    index.withView { view in
      for finding in found.findings
      where ![.submodule, .unchecked, .unreachable].contains(finding.kind) && !same.contains(finding.entry) {
        changes.tracked.insert(text(view.path(Int(finding.entry))))
      }
      if index.conflictedPaths > 0 {
        for entry in view.records.indices where view.stage(entry) != 0 {
          changes.tracked.insert(text(view.path(entry)))
        }
      }
    }
    changes.untracked = found.untrackedPaths.map(text).sorted()
    return changes
  }
}
