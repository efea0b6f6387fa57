import ForagePlatform

/// Why deleting a clone may lose work: the first reason that was found.
package enum UnsavedWork: String, Sendable, Hashable {
  /// `HEAD` has no commit, or cannot be read.
  case unbornHead
  case stash
  /// A merge, a rebase or the like was begun and not ended.
  case operation
  /// A branch, `HEAD` or another reference has commits that no remote-tracking branch reaches.
  case commits
  /// Files are staged, changed, untracked or in conflict.
  case changes
  /// Files are kept from `git status`, so that their changes are not seen.
  case hiddenFiles
  /// A submodule has unsaved work, or its repository is kept without being checked out.
  case submodule
  /// A repository in an ignored folder has unsaved work, or cannot be read.
  case ignoredRepository
}

extension GitRepository {
  /// Looks for work that is in this clone alone; nil when everything is on a remote as far as the clone knows.
  ///
  /// In doubt there is a reason. Tags, ignored files (but not ignored repositories) and commits that only a reflog names do not count.
  ///
  /// - Throws: What reading references, commits, the index or the work tree throws; `cancelled`.
  package func unsavedWork(isCancelled: () -> Bool = { false }) throws(GitError) -> UnsavedWork? {
    try checkObjects()
    var budget = Self.submoduleLimit
    return try unsavedWork(depth: SubmoduleChanges.depthLimit, budget: &budget, isCancelled)
  }

  func unsavedWork(
    depth: Int, budget: inout Int, _ isCancelled: () -> Bool
  ) throws(GitError) -> UnsavedWork? {
    let siblings = isLinkedWorktree ? [] : FileAccess.names(in: commonDir + "/worktrees")
    let all = siblings.map { commonDir + "/worktrees/" + $0 }
    // A name that is not UTF-8 is not found again.
    if all.contains(where: { FileAccess.entry($0, follow: false) == nil }) { return .hiddenFiles }
    let folders = all.filter { FileAccess.isFile($0 + "/HEAD") }
    if let found = try unsavedHistory(folders, isCancelled) { return found }
    if let found = try unsavedCheckout(depth, &budget, isCancelled) { return found }
    for folder in folders {
      guard let file = try FileAccess.line(folder + "/gitdir") else { return .hiddenFiles }
      let root = FileAccess.parent(of: FileAccess.join(folder, file))
      // Its files are gone already; its commits were looked at.
      guard FileAccess.entry(root) != nil else { continue }
      let worktree = try open(submodule: root)
      guard worktree.commonDir == commonDir else { return .hiddenFiles }
      if let found = try worktree.unsavedCheckout(depth, &budget, isCancelled) { return found }
    }
    return nil
  }

  /// What is unsaved of the commits of this repository and of its linked work trees.
  private func unsavedHistory(
    _ folders: [String], _ isCancelled: () -> Bool
  ) throws(GitError) -> UnsavedWork? {
    guard let head = refs.head.commit else { return .unbornHead }
    try refs.load()
    if refs[name: "refs/stash"] != nil { return .stash }
    let remotes = remotes().map { "refs/remotes/\($0.name)/" }
    var (local, tips): (Set<ObjectID>, Set<ObjectID>) = ([head], [])
    func add(_ references: [Reference]) {
      for reference in references {
        // Copies of a remote's or, for tags, mostly that.
        if ["refs/tags/", "refs/prefetch/"].contains(where: reference.name.hasPrefix) { continue }
        if remotes.contains(where: reference.name.hasPrefix) {
          tips.insert(reference.target)
        } else {
          local.insert(reference.target)
        }
      }
    }
    add(refs.all)
    for folder in folders {
      let own = try RefStore(gitDir: folder, commonDir: commonDir)
      try own.load()
      guard let head = own.head.commit else { return .unbornHead }
      local.insert(head)
      add(own.all)
    }
    for id in local.subtracting(tips) where try header(of: id).kind != .commit { return .commits }
    return try areReachable(local, from: tips, isCancelled: isCancelled) ? nil : .commits
  }

  private func unsavedCheckout(
    _ depth: Int, _ budget: inout Int, _ isCancelled: () -> Bool
  ) throws(GitError) -> UnsavedWork? {
    let leftovers = ["MERGE_AUTOSTASH", "sequencer"]
    if operation != nil
      || leftovers.contains(where: { FileAccess.entry(gitDir + "/" + $0, follow: false) != nil })
    {
      return .operation
    }
    guard let worktree else { return nil }
    guard let scan = try scanWorktree(isCancelled: isCancelled) else { return nil }
    if !scan.status.isClean || scan.uncompared > 0 { return .changes }
    let index = try IndexFile(gitDir: gitDir)
    if index.hidesFiles(in: worktree) { return .hiddenFiles }
    if let found = try unsavedSubmodules(index, worktree, depth, &budget, isCancelled) { return found }
    let submodules = Set(index.submodules().compactMap { $0.path.map { Array($0.utf8) } })
    return try hasUnsavedRepository(in: worktree, except: submodules, depth, &budget, isCancelled)
      ? .ignoredRepository : nil
  }

  /// What is unsaved in submodules: those that are checked out, and repositories that are kept of others.
  private func unsavedSubmodules(
    _ index: IndexFile, _ worktree: String, _ depth: Int, _ budget: inout Int, _ isCancelled: () -> Bool
  ) throws(GitError) -> UnsavedWork? {
    var kept = Self.gitFolders(in: gitDir + "/modules", depth: SubmoduleChanges.depthLimit)
    for (path, commit) in index.submodules() {
      guard let path else { return .hiddenFiles }
      let folder = worktree + "/" + path
      guard let location = try? RepositoryLocation.at(folder), location.worktree != nil else {
        if !FileAccess.names(in: folder).isEmpty { return .hiddenFiles }
        continue
      }
      try Self.countRepository(depth, &budget)
      let submodule = try open(submodule: folder)
      kept.remove(submodule.gitDir)
      guard submodule.refs.head.commit == commit,
        try submodule.unsavedWork(depth: depth - 1, budget: &budget, isCancelled) == nil
      else { return .submodule }
    }
    return kept.isEmpty ? nil : .submodule
  }

  /// The git folders below a folder, without links; those within them are theirs.
  private static func gitFolders(in folder: String, depth: Int) -> Set<String> {
    var found: Set<String> = []
    for name in FileAccess.names(in: folder) {
      let inner = folder + "/" + name
      guard FileAccess.isDirectory(inner) else {
        // A name that is not UTF-8 is not found again; there may be a repository.
        if FileAccess.entry(inner, follow: false) == nil { found.insert(inner) }
        continue
      }
      if depth == 0 || FileAccess.entry(inner + "/HEAD", follow: false) != nil {
        found.insert(FileAccess.realPath(inner) ?? inner)
      } else {
        found.formUnion(gitFolders(in: inner, depth: depth - 1))
      }
    }
    return found
  }
}

extension GitRepository {
  /// Whether a repository with unsaved work is in the work tree and no part of it: `git status` does not look into ignored folders.
  ///
  /// - Parameter submodules: Paths that are not searched.
  /// - Throws: `cancelled`; `tooLarge` for too many repositories.
  func hasUnsavedRepository(
    in worktree: String, except submodules: Set<[UInt8]>, _ depth: Int, _ budget: inout Int,
    _ isCancelled: () -> Bool
  ) throws(GitError) -> Bool {
    let root = Array((worktree + "/").utf8)
    // Folders with a slash at the end; their names need not be UTF-8.
    var pending: [[UInt8]] = [[]]
    while let folder = pending.popLast() {
      if isCancelled() { throw .cancelled }
      for name in FileAccess.names(bytes: root + folder) where name != Array(".git".utf8) {
        let path = folder + name
        guard FileAccess.kind(worktree, path) == .directory, !submodules.contains(path) else { continue }
        guard FileAccess.kind(worktree, path + Array("/.git".utf8)) != nil else {
          pending.append(path + [UInt8(ascii: "/")])
          continue
        }
        try Self.countRepository(depth, &budget)
        // A repository whose path is not UTF-8 cannot be opened.
        let text = String(decoding: path, as: UTF8.self)
        if !text.utf8.elementsEqual(path) { return true }
        if try hasUnsavedWork(worktree + "/" + text, depth, &budget, isCancelled) { return true }
      }
    }
    return false
  }

  /// Whether a repository has unsaved work or cannot be read; the linked work trees of this one are looked at with it.
  private func hasUnsavedWork(
    _ path: String, _ depth: Int, _ budget: inout Int, _ isCancelled: () -> Bool
  ) throws(GitError) -> Bool {
    do throws(GitError) {
      let repository = try open(submodule: path)
      if repository.commonDir == commonDir { return false }
      return try repository.unsavedWork(depth: depth - 1, budget: &budget, isCancelled) != nil
    } catch {
      if error.code == .cancelled { throw error }
      return true
    }
  }
}

extension IndexFile {
  /// Whether files are in the work tree whose changes git ignores (`assume-unchanged`, `skip-worktree`).
  fileprivate func hidesFiles(in worktree: String) -> Bool {
    withView { view in
      view.records.indices.contains { entry in
        if view.isAssumedUnchanged(entry) { return true }
        guard view.isSkipped(entry) else { return false }
        return FileAccess.kind(worktree, view.path(entry)) != nil
      }
    }
  }

  /// The submodules with the commits that are to be checked out; no path where it is not UTF-8.
  fileprivate func submodules() -> [(path: String?, commit: ObjectID)] {
    withView { view in
      view.records.indices.filter { view.mode($0) & IndexView.Mode.type == IndexView.Mode.gitlink }.map {
        let path = String(decoding: view.path($0), as: UTF8.self)
        return (path.utf8.elementsEqual(view.path($0)) ? path : nil, view.id($0))
      }
    }
  }
}
