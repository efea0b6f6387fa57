package import ForagePlatform

/// The paths of a work tree that differ from `HEAD` or the index.
struct WorkTree {
  struct Change {
    enum Kind {
      /// The index differs from `HEAD`.
      case staged
      /// The index lacks what `HEAD` has.
      case removed
      /// The file went to another path, which is listed too; git counts both once.
      case moved
      /// The file differs from the index.
      case unstaged
      case untracked
      case conflicted
    }

    let kind: Kind
    let path: [UInt8]
  }

  /// The changes; a path that is staged and changed again is there twice.
  var changes: [Change] = []
  /// The submodules in the index, with the commits that are to be checked out.
  var submodules: [(path: [UInt8], commit: ObjectID)] = []
  /// The number of changed files that pass through a filter program, which is not run here. They are not in
  /// `changes`.
  var uncompared: Int { filtered.count }
  private(set) var filtered: [[UInt8]] = []
  /// Files of which git is told not to look for changes (`update-index --assume-unchanged` and
  /// `--skip-worktree`).
  var unwatched: [[UInt8]] = []

  func count(_ kinds: Change.Kind...) -> Int { changes.count { kinds.contains($0.kind) } }

  /// Takes out the unstaged files about which only a filter program could tell.
  mutating func removeUnstaged(_ isFiltered: (Change) -> Bool) {
    changes.removeAll { change in
      guard change.kind == .unstaged, isFiltered(change) else { return false }
      filtered.append(change.path)
      return true
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
  /// Files that pass through a filter program (an attribute `filter`, as of Git LFS), which is not run here.
  /// Their metadata differs from the index, and they count as unchanged.
  package var uncompared = 0

  package var isClean: Bool { staged + unstaged + untracked + conflicted == 0 }
}

/// The files of a work tree that may differ from `HEAD`.
package struct WorktreeChanges: Sendable {
  /// Paths that `HEAD` or the index has and whose file differs, may differ or is absent.
  package private(set) var tracked: Set<ExactText> = []
  /// Those of them that only `HEAD` has.
  package private(set) var removed: Set<ExactText> = []
  /// Files that are neither tracked nor ignored.
  package private(set) var untracked: [ExactText] = []
  /// The bytes of the names that are not UTF-8.
  package private(set) var bytes: [ExactText: [UInt8]] = [:]

  fileprivate init(_ tree: WorkTree) {
    for change in tree.changes {
      let path = ExactText(String(decoding: change.path, as: UTF8.self))
      if !path.text.utf8.elementsEqual(change.path) { bytes[path] = change.path }
      switch change.kind {
      case .untracked: untracked.append(path)
      case .removed, .moved: removed.insert(path)
      case .staged, .unstaged, .conflicted: tracked.insert(path)
      }
    }
    // Git does not say whether these differ.
    for path in tree.filtered + tree.unwatched {
      let text = ExactText(String(decoding: path, as: UTF8.self))
      if !text.text.utf8.elementsEqual(path) { bytes[text] = path }
      tracked.insert(text)
    }
    tracked.formUnion(removed)
    untracked.sort()
  }
}

extension GitRepository {
  /// Counts what differs between `HEAD`, index and work tree; writes nothing.
  ///
  /// Where libgit2 answers, it tells less than git of an untracked link to a folder, which a rule that ends
  /// with a slash ignores; and more of files that an exception (`!`) names in an ignored folder with tracked
  /// files. A folder whose `.git` is no repository counts as one path, and a file with a conflict is never
  /// where another one went.
  ///
  /// - Returns: nil if there is no work tree.
  /// - Throws: `unsupportedIndex` where libgit2 cannot read the index and git is not installed.
  package func worktreeStatus(isCancelled: () -> Bool = { false }) throws(GitError) -> WorktreeStatus? {
    var budget = Self.submoduleLimit
    return try worktreeStatus(
      untracked: true, depth: Self.submoduleDepth, budget: &budget, isCancelled: isCancelled)
  }

  /// The same also for a submodule.
  ///
  /// - Parameter untracked: whether to count untracked files.
  func worktreeStatus(
    untracked: Bool, depth: Int, budget: inout Int, isCancelled: () -> Bool
  ) throws(GitError) -> WorktreeStatus? {
    guard let tree = try workTree(untracked: untracked, isCancelled: isCancelled) else { return nil }
    let changed = try changedSubmodules(
      tree.submodules, depth: depth, budget: &budget, isCancelled: isCancelled)
    return WorktreeStatus(
      staged: tree.count(.staged, .removed), unstaged: tree.count(.unstaged) + changed,
      untracked: tree.count(.untracked), conflicted: tree.count(.conflicted), uncompared: tree.uncompared)
  }

  /// Finds the files of the work tree that may differ from `HEAD`, and those that are untracked and not
  /// ignored.
  ///
  /// - Returns: nil if there is no work tree.
  package func worktreeChanges(isCancelled: () -> Bool = { false }) throws(GitError) -> WorktreeChanges? {
    guard let files = clonedFiles(),
      var tree = try workTree(untracked: true, usesTwoThreads: true, isCancelled: isCancelled)
    else { return nil }
    // Those outside a sparse checkout are not there.
    tree.unwatched.removeAll { files.entry($0) == nil }
    return WorktreeChanges(tree)
  }

  /// Whether the rules for untracked files ignore a path of the work tree, or a folder above it.
  ///
  /// - Parameter path: The path in the work tree, without a slash at its end.
  package func isIgnored(_ path: [UInt8]) throws(GitError) -> Bool {
    guard let worktree else { return false }
    return try worktreeLibrary(worktree).ignores(path)
  }

  /// Compares the index with `HEAD`, with a handle of its own.
  private func startedComparison(in worktree: String) -> StartedWork<[WorkTree.Change]> {
    let reopen = reopening
    return StartedWork { isCancelled throws(GitError) in
      let repository = reopen()
      let library = try repository.worktreeLibrary(worktree)
      return try WorkTree.staged(library, try IndexHandle(library), repository.headTree(), isCancelled)
    }
  }

  /// Compares with libgit2, and with git where libgit2 cannot read the index or is known to differ from git.
  ///
  /// - Parameter usesTwoThreads: Whether the index is compared with `HEAD` on a thread of its own, which a
  ///   person who waits for one clone notices.
  private func workTree(
    untracked: Bool, usesTwoThreads: Bool = false, isCancelled: () -> Bool
  ) throws(GitError) -> WorkTree? {
    guard let worktree else { return nil }
    try checkObjects()
    if isCancelled() { throw .cancelled }
    try checkRuleFiles(in: worktree)
    let library = try worktreeLibrary(worktree)
    let git = GitProgram(self, in: worktree)
    var looksUpFilters = true
    do throws(GitError) {
      let index = try IndexHandle(library)
      // Also those that are not tracked, of the folders that git and libgit2 look into in any case.
      let files = ClonedFiles(worktree)
      let folders = index.folders()
      let ignoreFiles = folders.map { $0 + Array("/.gitignore".utf8) }.filter { files.entry($0) != nil }
      let attributes = folders.map { $0 + Array("/.gitattributes".utf8) }.filter { files.entry($0) != nil }
      try checkRuleFiles(in: worktree, ignoreFiles + attributes)
      looksUpFilters = !hasSlowAttributes(index, in: worktree)
      let isDoubtful = !looksUpFilters || mayDiffer(index, ignoreFiles, in: worktree)
      if isDoubtful, git == nil {
        throw GitError(.unsupportedIndex, "libgit2 cannot tell the state of \(worktree)")
      }
      if !isDoubtful {
        // Reading the index is over here, so that the longer comparison, with the files, does not wait for a
        // processor.
        let staged = usesTwoThreads ? startedComparison(in: worktree) : nil
        defer { staged?.cancel() }
        let tree = try WorkTree(
          library, index, filters: FilterPrograms(library, config), untracked: untracked,
          isCancelled: isCancelled
        ) { folders throws(GitError) in
          var room = RuleFiles.exceptionWork
          let rules = try ruleFiles(below: folders, in: worktree, isCancelled)
          if rules.contains(where: { mayDiffer($0, in: worktree, &room) }) {
            throw GitError(.unsupportedIndex, "libgit2 cannot tell the state of \(worktree)")
          }
        } staged: { () throws(GitError) in
          if let staged { return try staged.result(isCancelled: isCancelled) }
          return try WorkTree.staged(library, index, headTree(), isCancelled)
        }
        // A rename counts once, and whether it is one is decided by git's own measure.
        if git == nil || tree.count(.staged) == 0 || tree.count(.removed) == 0 { return tree }
      }
    } catch {
      // A file that cannot be read is changed for git; libgit2 ends there.
      guard git != nil, error.code == .unsupportedIndex || error.code == .permission else {
        guard error.code == .unsupportedIndex else { throw error }
        throw GitError(error.code, error.message, hint: "install git, which can read this index")
      }
      // Attributes are looked up with this handle, which would fail at the index again.
      try library.useEmptyIndex()
    }
    guard let git else { return nil }
    if untracked { _ = try ruleFiles(below: [[]], in: worktree, isCancelled) }
    var tree = try git.status(untracked: untracked, isCancelled: isCancelled).tree
    try git.visitIndex(isCancelled: isCancelled) {
      if $0.isSubmodule { tree.submodules.append(($0.path, $0.id)) }
      if $0.isAssumedUnchanged || $0.isSkipped { tree.unwatched.append($0.path) }
    }
    let filters = FilterPrograms(library, config)
    // Where attributes cannot be looked up, all that git says is changed counts.
    if looksUpFilters { tree.removeUnstaged { filters.apply(to: $0.path) } }
    return tree
  }

  /// libgit2's handle with the work tree and the objects of this one.
  fileprivate func worktreeLibrary(_ worktree: String) throws(GitError) -> LibGit2Repository {
    let library = try library()
    try library.use(objects())
    try library.use(worktree: worktree)
    return library
  }

  /// Refuses pipes and devices in the place of files with rules, which libgit2 and git would wait for.
  ///
  /// - Parameter others: The paths of further files in the work tree.
  /// - Throws: `other`, with the path.
  func checkRuleFiles(in worktree: String, _ others: [[UInt8]] = []) throws(GitError) {
    let root = Array((worktree + "/").utf8)
    let names = RuleFiles.names + others
    let own = [commonDir + "/info/exclude", commonDir + "/info/attributes", gitDir + "/index"]
    for path in names.map({ root + $0 }) + own.map({ Array($0.utf8) }) { try RuleFiles.checkKind(path) }
  }

  /// The rules for untracked files (`.gitignore`) in some folders and below them, other repositories left
  /// out.
  ///
  /// - Parameter folders: Paths in the work tree.
  /// - Throws: `other` for a pipe or a device in the place of a file with rules; `cancelled`.
  func ruleFiles(
    below folders: [[UInt8]], in worktree: String, _ isCancelled: () -> Bool
  ) throws(GitError) -> [[UInt8]] {
    let (root, slash) = (Array((worktree + "/").utf8), UInt8(ascii: "/"))
    var found: [[UInt8]] = []
    var pending = folders
    while let folder = pending.popLast() {
      if isCancelled() { throw .cancelled }
      let prefix = folder.isEmpty ? [] : folder + [slash]
      guard let directory = opendir(FileAccess.cString(root + prefix)) else { continue }
      defer { closedir(directory) }
      var (below, rules): ([[UInt8]], [[UInt8]]) = ([], [])
      var isRepository = false
      try FileAccess.visit(directory) { (pointer, type) throws(GitError) in
        let name = FileAccess.bytes(pointer)
        if name.elementsEqual(".git".utf8) {
          isRepository = !folder.isEmpty
        } else if type == DT_DIR {
          below.append(prefix + name)
        } else if RuleFiles.names.contains(name) {
          if type != DT_REG { try RuleFiles.checkKind(root + prefix + name) }
          if name == RuleFiles.names[0] { rules.append(prefix + name) }
        } else if type == DT_UNKNOWN,
          FileAccess.entry(bytes: root + prefix + name, follow: false)?.kind == .directory
        {
          below.append(prefix + name)
        }
      }
      if isRepository { continue }
      pending += below
      found += rules
    }
    return found
  }

  /// Whether libgit2 is known to see something else than git (1.5 to 1.9 alike).
  ///
  /// It does not compare files outside a sparse checkout that are there nevertheless, takes a file that is
  /// only announced (`git add --intent-to-add`) for an empty one, ignores all files in the root where a rule
  /// such as `*/` ignores all folders, forgets some exceptions (`!`), and reads a `.gitignore` that is a
  /// link. Rules that take it long are for git, too.
  ///
  /// - Parameter ignoreFiles: The paths of `.gitignore` below the root.
  private func mayDiffer(_ index: IndexHandle, _ ignoreFiles: [[UInt8]], in worktree: String) -> Bool {
    let ofRoot = Array(".gitignore".utf8)
    if isSparseCheckout || index.hasIntentToAdd || isLink(ofRoot, in: worktree) { return true }
    var files = [commonDir + "/info/exclude"]
    if let path = config.string("core.excludesfile") {
      files.append(FileAccess.join(worktree, expandHome(path)))
    } else if let home = environment.configHome {
      files.append(home + "/git/ignore")
    }
    let own = files.lazy.map { ((try? FileAccess.read($0, limit: Self.textLimit)) ?? nil) ?? [] }
    var room = RuleFiles.exceptionWork
    for bytes in [rules(ofRoot, in: worktree) ?? []] + own {
      let rules = RuleFiles.lines(bytes)
      let ignoresFolders = rules.contains {
        $0.last == UInt8(ascii: "/") && $0.allSatisfy { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "*") }
      }
      if ignoresFolders || RuleFiles.mayDiffer(ignoring: rules, &room) { return true }
    }
    return ignoreFiles.contains { mayDiffer($0, in: worktree, &room) }
  }

  /// The same for one file of rules.
  private func mayDiffer(_ ignoreFile: [UInt8], in worktree: String, _ room: inout Int) -> Bool {
    isLink(ignoreFile, in: worktree)
      || RuleFiles.mayDiffer(ignoring: RuleFiles.lines(rules(ignoreFile, in: worktree) ?? []), &room)
  }

  /// Whether a path of the work tree is a link, which git does not follow to rules.
  private func isLink(_ path: [UInt8], in worktree: String) -> Bool {
    ClonedFiles(worktree).entry(path)?.kind == .symlink
  }

  /// Whether files of attributes can take libgit2 long, which cannot be interrupted. Those of the index count
  /// where the work tree has none.
  ///
  /// - Parameter worktree: The work tree that libgit2 looks into; `nil` for none.
  func hasSlowAttributes(_ index: IndexHandle, in worktree: String?) -> Bool {
    index.files(named: ".gitattributes").contains { file in
      let bytes = worktree.flatMap { rules(file.path, in: $0) } ?? (try? blob(file.id))
      return RuleFiles.isSlow(attributes: bytes ?? [])
    }
  }

  /// The bytes of a file of rules in the work tree; `nil` if it cannot be read.
  private func rules(_ path: [UInt8], in worktree: String) -> [UInt8]? {
    (try? ClonedFiles(worktree).read(path, first: Self.textLimit))?.bytes
  }

  /// Returns the tree of `HEAD`'s commit; nil before the first commit.
  func headTree() throws(GitError) -> ObjectID? {
    let commit: ObjectID
    switch refs.head {
    case .invalid(let reason, _): throw GitError(.invalidHead, reason)
    case .symbolic(_, nil): return nil
    case .symbolic(_, let id?), .detached(let id): commit = id
    }
    let tree = try self.tree(of: commit)
    guard try header(of: tree).kind == .tree else { throw .corruptObject(tree, "it is not a tree") }
    // Libgit2 knows no replacements, and git's status only this one.
    return try objects().replacement(of: tree)
  }

  /// Opens the repository of a submodule with the same user configuration.
  func open(submodule path: String) throws(GitError) -> GitRepository {
    try GitRepository.open(path, environment: environment, loadsReferences: false)
  }
}

extension WorkTree {
  /// Parses the output of `git status --porcelain=v2 -z`.
  ///
  /// What it says of the files of submodules is left out.
  ///
  /// - Throws: `other` for a line of an unknown form.
  init(porcelain output: [UInt8]) throws(GitError) {
    var lines = output.split(separator: 0).makeIterator()
    while let line = lines.next() {
      switch line.first {
      case UInt8(ascii: "?"): changes.append(Change(kind: .untracked, path: Array(line.dropFirst(2))))
      case UInt8(ascii: "u"):
        changes.append(Change(kind: .conflicted, path: try Self.path(line, after: 10)))
      case UInt8(ascii: "1"): try add(line, path: Self.path(line, after: 8))
      case UInt8(ascii: "2"):
        try add(line, path: Self.path(line, after: 9))
        guard let origin = lines.next() else { throw GitProgram.unknownForm("status") }
        // The other letter is C: of a copy the origin stays.
        if line.dropFirst(2).prefix(2).contains(UInt8(ascii: "R")) {
          changes.append(Change(kind: .moved, path: Array(origin)))
        }
      case UInt8(ascii: "#"): break
      default: throw GitProgram.unknownForm("status")
      }
    }
  }

  /// Adds the changes of a line `1 XY sub mH mI mW …`, or one that begins with 2.
  private mutating func add(_ line: ArraySlice<UInt8>, path: [UInt8]) throws(GitError) {
    let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 6)
    let states = Array(fields[1])
    guard states.count == 2 else { throw GitProgram.unknownForm("status") }
    let dot = UInt8(ascii: ".")
    if states[0] != dot {
      changes.append(Change(kind: states[0] == UInt8(ascii: "D") ? .removed : .staged, path: path))
    }
    let isSubmodule = fields[4].elementsEqual("160000".utf8)
    if states[1] != dot, !isSubmodule { changes.append(Change(kind: .unstaged, path: path)) }
  }

  /// Returns what follows a number of fields, which may contain spaces.
  private static func path(_ line: ArraySlice<UInt8>, after count: Int) throws(GitError) -> [UInt8] {
    let fields = line.split(separator: UInt8(ascii: " "), maxSplits: count, omittingEmptySubsequences: false)
    guard fields.count == count + 1 else { throw GitProgram.unknownForm("status") }
    return Array(fields[count])
  }
}
