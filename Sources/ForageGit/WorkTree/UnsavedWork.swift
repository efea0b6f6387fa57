import ForagePlatform

/// Why deleting a clone may lose work.
package enum UnsavedWork: String, Sendable, Hashable {
  /// It is not known which folder is the work tree, or whether there is one.
  case unknownWorkTree
  /// `HEAD` has no commit, or cannot be read.
  case unbornHead
  case stash
  /// A merge, a rebase or the like was begun and not ended, or another program is writing.
  case operation
  /// A branch, a tag, `HEAD` or another reference has commits that no remote-tracking branch reaches, or
  /// cannot be read.
  case commits
  /// An annotated tag is on no remote.
  case tags
  /// Files are staged, changed, untracked, in conflict or out of reach.
  case changes
  /// Files are kept from `git status`, so that their changes are not seen, or stand in a place that git does
  /// not look at.
  case hiddenFiles
  /// There is another index than that of the work tree, as `GIT_INDEX_FILE` makes one.
  case otherIndex
  /// A linked work tree is not where it should be.
  case missingWorktree
  /// A linked work tree is in another folder, where it would stay without its repository.
  case outerWorktree
  /// Somebody locked a linked work tree, so that git does not remove it.
  case lockedWorktree
  /// A submodule has unsaved work, or its repository is kept without being checked out.
  case submodule
  /// A repository in the folder that is no part of it has unsaved work, or cannot be read.
  case innerRepository
}

extension UnsavedWork {
  /// A clause that says what there is.
  package var text: String {
    switch self {
    case .unknownWorkTree: "it is not known which folder is its work tree"
    case .unbornHead: "it has no commit, or none that can be read"
    case .stash: "it has stashes"
    case .operation: "an operation was begun and not ended, or another program is writing"
    case .commits: "it has commits that are on no remote"
    case .tags: "it has annotated tags that are on no remote"
    case .changes: "it has changed or untracked files"
    case .hiddenFiles: "it has files whose changes git does not show"
    case .otherIndex: "its git folder has another index, in which something may be staged"
    case .missingWorktree: "a linked work tree is not where it should be"
    case .outerWorktree: "it has linked work trees elsewhere"
    case .lockedWorktree: "a linked work tree is locked"
    case .submodule: "a submodule has work that is nowhere else"
    case .innerRepository: "a repository in it has work that is nowhere else"
    }
  }
}

extension GitRepository {
  /// The files that git ignores in the work tree, relative to it.
  package func ignoredFiles(_ isCancelled: () -> Bool) throws(GitError) -> [[UInt8]] {
    guard let worktree, let git = GitProgram(self, in: worktree) else { return [] }
    try checkRuleFiles(in: worktree)
    _ = try ruleFiles(below: [[]], in: worktree, isCancelled)
    let listing = try git.run(
      ["ls-files", "-z", "--others", "--ignored", "--exclude-standard"], isCancelled: isCancelled)
    return listing.output.split(separator: 0).map { Array($0) }
  }

  /// Looks for work that is lost with a folder; nil when everything is on a remote as far as the clone knows.
  /// The first reason counts.
  ///
  /// In doubt there is a reason. Ignored files (but not ignored repositories) and commits that only a reflog,
  /// `FETCH_HEAD` or `ORIG_HEAD` names do not count; neither does an untracked repository that has no unsaved
  /// work itself.
  ///
  /// - Parameter folder: the folder that would be deleted; nil for that of the work tree, or the git
  ///   directory.
  /// - Throws: What reading references, commits, the index or the work tree throws; `cancelled`.
  package func unsavedWork(
    deleting folder: String? = nil, isCancelled: () -> Bool = { false }
  ) throws(GitError) -> UnsavedWork? {
    try unsavedWork(deleting: folder, .lastFetch, [], findsAll: false, isCancelled).reasons.first
  }

  /// The same with every reason that can be told apart: stashes, one of the commits, and one of each work
  /// tree.
  ///
  /// - Parameters:
  ///   - remotes: From what it is known which objects the remotes have.
  ///   - deletedBefore: Other folders that are deleted before this one, absolute and without links.
  /// - Returns: Also what was found on the way: all repositories in the folder where there is no reason.
  package func allUnsavedWork(
    deleting folder: String, _ remotes: RemoteKnowledge, deletedBefore: Set<String>,
    _ isCancelled: () -> Bool
  ) throws(GitError) -> (reasons: [UnsavedWork], survey: DeletionSurvey) {
    try unsavedWork(deleting: folder, remotes, deletedBefore, findsAll: true, isCancelled)
  }

  private func unsavedWork(
    deleting folder: String?, _ remotes: RemoteKnowledge, _ deletedBefore: Set<String>, findsAll: Bool,
    _ isCancelled: () -> Bool
  ) throws(GitError) -> (reasons: [UnsavedWork], survey: DeletionSurvey) {
    try checkObjects()
    let own = location.openPath
    var survey = DeletionSurvey(own, remotes, deletedBefore: deletedBefore)
    // A folder whose own repository is gone may lie in another one, which knows nothing of it.
    if let folder, FileAccess.realPath(folder) != own { return ([.unknownWorkTree], survey) }
    let reasons = try unsavedWork(
      &survey, depth: Self.submoduleDepth, findsAll: findsAll, isCancelled)
    return (reasons, survey)
  }

  /// The same for a repository in the folder that would be deleted.
  func unsavedWork(
    _ survey: inout DeletionSurvey, depth: Int, findsAll: Bool = false, _ isCancelled: () -> Bool
  ) throws(GitError) -> [UnsavedWork] {
    if try mayHaveOtherWorkTree() { return [.unknownWorkTree] }
    if Self.toolFiles.contains(where: { FileAccess.entry(commonDir + "/" + $0, follow: false) != nil }) {
      return [.hiddenFiles]
    }
    if isBare, try hasOwnFiles() { return [.hiddenFiles] }
    let (folders, isDoubtful) = try worktreeFolders()
    if isDoubtful { return [.missingWorktree] }
    var all: [UnsavedWork] = []
    /// Notes a reason; true when no more are wanted.
    func isEnough(_ found: UnsavedWork?) -> Bool {
      if let found, !all.contains(found) { all.append(found) }
      return !findsAll && !all.isEmpty
    }
    if isEnough(try unsavedHistory(&survey, folders, isCancelled)) { return all }
    if all == [.stash] {
      _ = isEnough(try unsavedHistory(&survey, folders, passesStash: true, isCancelled))
    }
    if isEnough(try unsavedCheckout(&survey, depth, isCancelled)) { return all }
    for folder in folders {
      guard let file = try FileAccess.line(folder + "/gitdir"), !file.isEmpty,
        // The disk that has it may not be there now.
        let root = FileAccess.realPath(FileAccess.parent(of: FileAccess.join(folder, file)))
      else { return all + [.missingWorktree] }
      let worktree = try open(submodule: root)
      guard worktree.gitDir == FileAccess.realPath(folder), worktree.worktree == root else {
        return all + [.missingWorktree]
      }
      if isEnough(try worktree.unsavedCheckout(&survey, depth, isCancelled)) { return all }
      if FileAccess.isInside(commonDir, survey.folder), !survey.isDeleted(root) {
        survey.note(worktree: root)
        if isEnough(.outerWorktree) { return all }
      }
    }
    if try hasUnsavedRepositoryInGitFolder(&survey, depth, isCancelled) {
      all.append(.innerRepository)
    }
    return all
  }

  /// Where git-annex keeps contents that may be nowhere else, and where tools for stacks of patches keep
  /// these.
  private static let toolFiles = ["annex/objects", "patches"]

  /// What git itself, its hooks and Git LFS have right in a git directory (gitrepository-layout(5)), besides
  /// references.
  private static let gitFiles: Set<String> = [
    "branches", "commondir", "config", "config.worktree", "description", "fsmonitor--daemon", "gc.log",
    "gc.pid",
    "gitdir", "hooks", "info", "lfs", "logs", "modules", "objects", "packed-refs", "refs", "rr-cache",
    "shallow",
    "worktrees",
  ]

  /// Whether somebody has put files of his own into the folder of a bare clone.
  private func hasOwnFiles() throws(GitError) -> Bool {
    try FileAccess.list(bytes: Array(gitDir.utf8)).contains { name in
      !Self.gitFiles.contains(String(decoding: name, as: UTF8.self)) && !Self.isRootReference(name)
    }
  }

  /// Whether files may belong to the repository that are not in the folder that has its `.git`.
  private func mayHaveOtherWorkTree() throws(GitError) -> Bool {
    if let folder = location.worktree { return worktree != folder }
    let traces = ["index", "worktrees", "modules"].map { gitDir + "/" + $0 }
    if format.isBare != true || config.string("core.worktree") != nil || gitDir != commonDir
      || gitDir.split(separator: "/").contains(where: { CloneProbe.toolFolders.contains(String($0)) })
      || traces.contains(where: { FileAccess.entry($0, follow: false) != nil })
    {
      return true
    }
    return try isNamedByGitFile()
  }

  /// Whether a `.git` file in the folder above the git directory, or in a folder beside it, leads to it.
  private func isNamedByGitFile() throws(GitError) -> Bool {
    let parent = FileAccess.parent(of: gitDir)
    let beside = try FileAccess.list(bytes: Array(parent.utf8)).map { FileAccess.path(parent, $0) }
    for folder in [Array(parent.utf8)] + beside {
      let target = CloneProbe.gitFileTarget(folder + Array("/.git".utf8))
      if let target, FileAccess.realPath(target) == gitDir { return true }
    }
    return false
  }

  /// The git directories of the linked work trees, and whether one of them is not as git makes it.
  private func worktreeFolders() throws(GitError) -> (folders: [String], isDoubtful: Bool) {
    if isLinkedWorktree { return ([], false) }
    var folders: [String] = []
    for name in try FileAccess.list(bytes: Array((commonDir + "/worktrees").utf8)) {
      let path = commonDir + "/worktrees/" + String(decoding: name, as: UTF8.self)
      // A name that is not UTF-8 is not found again.
      guard FileAccess.isFile(path + "/HEAD") else { return ([], true) }
      folders.append(path)
    }
    return (folders, false)
  }

  /// Files of git that are there while something is done in several steps, besides those of ``operation``.
  private static let leftovers = [
    "MERGE_AUTOSTASH", "sequencer", "BISECT_START", "NOTES_MERGE_PARTIAL", "NOTES_MERGE_REF",
    "NOTES_MERGE_WORKTREE", "index.lock", "HEAD.lock",
  ]

  private func unsavedCheckout(
    _ survey: inout DeletionSurvey, _ depth: Int, _ isCancelled: () -> Bool
  ) throws(GitError) -> UnsavedWork? {
    if operation != nil
      || Self.leftovers.contains(where: { FileAccess.entry(gitDir + "/" + $0, follow: false) != nil })
    {
      return .operation
    }
    if try hasOtherIndex() { return .otherIndex }
    if FileAccess.entry(gitDir + "/locked", follow: false) != nil { return .lockedWorktree }
    guard let worktree else { return nil }
    guard let git = GitProgram(self, in: worktree, settings: Self.strictSettings) else {
      throw GitError(
        .other, "git is not installed, and it decides which files of \(worktree) are changed",
        hint: "install git")
    }
    try checkRuleFiles(in: worktree)
    _ = try ruleFiles(below: [[]], in: worktree, isCancelled)
    let (tree, hasWarnings) = try git.status(untracked: true, isCancelled: isCancelled)
    // Git warns of what it cannot reach, and goes on as if nothing were changed there.
    if hasWarnings || !tree.changes.allSatisfy({ Self.isRepository($0, in: worktree) }) { return .changes }
    let index = try SurveyedIndex(git, worktree, isCancelled)
    if index.hidesFiles { return .hiddenFiles }
    if let found = try unsavedSubmodules(index, worktree, &survey, depth, isCancelled) { return found }
    let hasRepository = try hasUnsavedRepository(in: worktree, &survey, depth, isCancelled) {
      index.submodules[$0] != nil
    } isTracked: {
      index.heads.contains($0 + Array("/HEAD".utf8))
    }
    return hasRepository ? .innerRepository : nil
  }

  /// What an index begins with (gitformat-index(5)).
  private static let indexSignature = Array("DIRC".utf8)

  /// Whether there is another index than that of the work tree, as `GIT_INDEX_FILE` makes one: what is staged
  /// in it may be nowhere else. The shared one of a split index counts as a part of that.
  private func hasOtherIndex() throws(GitError) -> Bool {
    for name in try FileAccess.list(bytes: Array(gitDir.utf8)) {
      if name == Array("index".utf8) || name.starts(with: "sharedindex.".utf8) { continue }
      let path = FileAccess.path(gitDir, name)
      guard FileAccess.kind(gitDir, name) == .file else { continue }
      if try FileAccess.read(bytes: path, first: Self.indexSignature.count) == Self.indexSignature {
        return true
      }
    }
    return false
  }

  /// Whether git names a folder because it is a repository of its own: its files are not listed. It is looked
  /// at with the others.
  private static func isRepository(_ change: WorkTree.Change, in worktree: String) -> Bool {
    change.kind == .untracked && change.path.last == UInt8(ascii: "/")
      && FileAccess.kind(worktree, change.path + Array(".git".utf8)) != nil
  }

  /// What a configuration could hide changes with, as it is by default.
  private static let strictSettings = [
    ("core.trustctime", "true"), ("core.checkstat", "default"), ("core.ignorecase", "false"),
  ].map { ConfigEntry(key: $0.0, value: $0.1) }

  /// What is unsaved in submodules: those that are checked out, and repositories that are kept of others.
  private func unsavedSubmodules(
    _ index: SurveyedIndex, _ worktree: String, _ survey: inout DeletionSurvey, _ depth: Int,
    _ isCancelled: () -> Bool
  ) throws(GitError) -> UnsavedWork? {
    var kept = try Self.gitFolders(in: gitDir + "/modules")
    for (name, commit) in index.submodules {
      guard let path = String(validating: name, as: UTF8.self) else { return .hiddenFiles }
      let folder = worktree + "/" + path
      guard let location = try? RepositoryLocation.at(folder), location.worktree != nil else {
        if try !FileAccess.list(bytes: Array(folder.utf8)).isEmpty { return .hiddenFiles }
        continue
      }
      try Self.countRepository(depth, &survey.remainingRepositories)
      let submodule = try open(submodule: folder)
      kept.remove(submodule.gitDir)
      guard submodule.refs.head.commit == commit,
        try submodule.unsavedWork(&survey, depth: depth - 1, isCancelled).isEmpty
      else { return .submodule }
    }
    return kept.isEmpty ? nil : .submodule
  }

  /// The git folders below a folder, without links; those within them are theirs.
  static func gitFolders(
    in folder: String, depth: Int = GitRepository.submoduleDepth
  ) throws(GitError) -> Set<String> {
    var found: Set<String> = []
    for name in try FileAccess.list(bytes: Array(folder.utf8)) {
      let inner = folder + "/" + String(decoding: name, as: UTF8.self)
      guard FileAccess.isDirectory(inner) else {
        // A name that is not UTF-8 is not found again; there may be a repository.
        if FileAccess.entry(inner, follow: false) == nil { found.insert(inner) }
        continue
      }
      if depth == 0 || FileAccess.entry(inner + "/HEAD", follow: false) != nil {
        found.insert(FileAccess.realPath(inner) ?? inner)
      } else {
        found.formUnion(try gitFolders(in: inner, depth: depth - 1))
      }
    }
    return found
  }
}

/// What the whole index says that matters for unsaved work.
private struct SurveyedIndex {
  /// The submodules with the commits that are to be checked out.
  private(set) var submodules: [[UInt8]: ObjectID] = [:]
  /// The tracked files called `HEAD`, as bare repositories have them that are there for tests.
  private(set) var heads: Set<[UInt8]> = []
  /// Whether files are in the work tree whose changes git ignores (`assume-unchanged`, `skip-worktree`).
  private(set) var hidesFiles = false

  init(_ git: GitProgram, _ worktree: String, _ isCancelled: () -> Bool) throws(GitError) {
    try git.visitIndex(isCancelled: isCancelled) { entry in
      if entry.isAssumedUnchanged || entry.isSkipped && FileAccess.kind(worktree, entry.path) != nil {
        hidesFiles = true
      }
      if entry.isSubmodule { submodules[entry.path] = entry.id }
      if entry.path.suffix(5).elementsEqual("/HEAD".utf8) { heads.insert(entry.path) }
    }
  }
}
