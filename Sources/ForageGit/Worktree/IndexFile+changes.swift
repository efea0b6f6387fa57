extension IndexFile {
  /// Files above this size are not compared (256 MiB), because a packed object is loaded as a whole.
  private static let comparedBytes = 256 << 20

  /// Calls `body` with the differences from a commit's tree, for which folders that differ and that the index
  /// has as one entry are replaced by their files.
  ///
  /// - Parameter tree: nil before the first commit.
  func withStagedChanges<Result>(
    _ tree: ObjectID?, _ repository: GitRepository, _ isCancelled: () -> Bool,
    _ body: (StagedChanges, IndexView) throws(GitError) -> Result
  ) throws(GitError) -> Result {
    var index = self
    while true {
      var sparse: [Int] = []
      let result: Result? = try index.withView { (view) throws(GitError) in
        let cache = CacheTree(view.bytes, treeExtension)
        let changes = try StagedChanges(view, cache, tree: tree, in: repository, isCancelled: isCancelled)
        sparse = changes.sparse
        guard sparse.isEmpty else { return nil }
        return try body(changes, view)
      }
      if let result { return result }
      // Each round replaces folders by their files, so that the next one can compare these.
      try index.expand(sparse.sorted(), in: repository, isCancelled: isCancelled)
    }
  }

  /// Counts the deleted files that reappear in the work tree under intent-to-add names.
  ///
  /// As in git, unmerged files are compared, although they are counted separately.
  ///
  /// - Parameters:
  ///   - deleted: entries whose file is absent, in order.
  ///   - intended: intent-to-add entries, in order.
  ///   - modified: entries whose file differs, as possible sources of copies.
  func renamed(
    _ deleted: [Int32], intended: [Int32], modified: [Int32], _ root: String, _ repository: GitRepository,
    _ isCancelled: () -> Bool
  ) throws(GitError) -> Int {
    let settings = RenameDetection.Settings(repository.config)
    guard settings.isOn else { return 0 }
    let hasher = try ContentHasher(repository)
    return try withView { (view) throws(GitError) in
      let conflicts = conflictedPaths > 0 ? view.conflicts(root) : (present: [], absent: [])
      if intended.isEmpty, conflicts.present.isEmpty { return 0 }
      let sources = (deleted + conflicts.absent).sorted()
      let targets = (intended + conflicts.present).sorted()
      let limit = Self.comparedBytes
      let old = (sources + modified).map { view.version(Int($0)) }
      let new = targets.map { hasher.version(Int($0), view, root: root, limit: limit) }
      let found = try RenameDetection.find(
        deleted: Array(old.prefix(sources.count)), kept: Array(old.dropFirst(sources.count)), added: new,
        settings, isCancelled: isCancelled
      ) { (isTarget, number) throws(GitError) in
        if !isTarget { return try repository.fileContent(old[number].id) }
        return hasher.content(Int(targets[number]), view, root: root, limit: limit, FileContent.init)
      }
      let others = Set(conflicts.absent)
      return zip(sources, found).count { $0.1 && !others.contains($0.0) }
    }
  }

  /// Reads the `.gitignore` files that are outside the sparse checkout; by folder. One that a partial clone
  /// does not have counts as absent, as for git.
  func skippedIgnoreFiles(_ repository: GitRepository) throws(GitError) -> [Int32: [UInt8]] {
    let name = ".gitignore"
    let found: [(directory: Int32, id: ObjectID)] = withView { view in
      guard view.records.indices.contains(where: view.isSkipped) else { return [] }
      return view.directories.indices.compactMap { directory in
        var path = Array(view.prefix(directory))
        path += name.utf8
        let entry = path.withUnsafeBytes { view.find($0) }
        guard let entry, view.stage(entry) == 0, view.isSkipped(entry) else { return nil }
        return (Int32(truncatingIfNeeded: directory), view.id(entry))
      }
    }
    var files: [Int32: [UInt8]] = [:]
    for (directory, id) in found {
      do throws(GitError) {
        files[directory] = try repository.blob(id)
      } catch {
        guard error.code == .missingObject else { throw error }
      }
    }
    return files
  }
}

extension StagedChanges {
  /// Counts the changed paths; a rename counts once.
  func count(
    _ view: IndexView, _ repository: GitRepository, _ isCancelled: () -> Bool
  ) throws(GitError) -> Int {
    let all = modified.count + added.count + deleted.count
    if added.isEmpty || deleted.isEmpty { return all }
    let settings = RenameDetection.Settings(repository.config)
    guard settings.isOn else { return all }
    let targets = added.map { view.version(Int($0)) }
    let sources = deleted + modified
    let found = try RenameDetection.find(
      deleted: deleted, kept: modified, added: targets, settings, isCancelled: isCancelled
    ) { (isTarget, number) throws(GitError) in
      try repository.fileContent(isTarget ? targets[number].id : sources[number].id)
    }
    return all - found.count { $0 }
  }
}

extension IndexView {
  func version(_ entry: Int) -> FileVersion {
    FileVersion(path: Array(path(entry)), mode: mode(entry), id: id(entry))
  }

  /// Returns the first entry of each unmerged path that has a file, and the entries of our stage of those
  /// without one.
  fileprivate func conflicts(_ root: String) -> (present: [Int32], absent: [Int32]) {
    var result: (present: [Int32], absent: [Int32]) = ([], [])
    var before: Int?
    var isPresent = false
    for entry in records.indices where stage(entry) != 0 {
      if before.map({ !Bytes.areEqual(path($0), path(entry)) }) ?? true {
        let kind = FileAccess.kind(root, path(entry))
        isPresent = kind == .file || kind == .symlink
        if isPresent { result.present.append(Int32(truncatingIfNeeded: entry)) }
      }
      if !isPresent, stage(entry) == 2 { result.absent.append(Int32(truncatingIfNeeded: entry)) }
      before = entry
    }
    return result
  }
}

extension GitRepository {
  /// Summarises a blob for comparison; nil for very large ones.
  fileprivate func fileContent(_ id: ObjectID) throws(GitError) -> FileContent? {
    // The size limit of `blob`.
    guard try header(of: id).size <= 256 << 20 else { return nil }
    let object = try objects().object(id)
    return object.withBytes { FileContent($0.raw) }
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
    return tree
  }

  /// Reads the ignore rules for all folders: `info/exclude` and `core.excludesFile`.
  func globalIgnoreRules(foldsCase: Bool) throws(GitError) -> IgnoreRules? {
    var files = [commonDir + "/info/exclude"]
    if let path = config.string("core.excludesfile") {
      if !path.isEmpty, let worktree { files.insert(FileAccess.join(worktree, expandHome(path)), at: 0) }
    } else if let configHome = environment.configHome {
      files.insert(configHome + "/git/ignore", at: 0)
    }
    var rules: IgnoreRules?
    for file in files {
      do throws(GitError) {
        guard let bytes = try FileAccess.read(file, limit: IgnoreRules.fileLimit) else { continue }
        rules = IgnoreRules(bytes, baseLength: 0, foldsCase: foldsCase, next: rules) ?? rules
      } catch {
        // An unreadable file counts as empty, as in git.
        if error.code == .tooLarge { throw error }
      }
    }
    return rules
  }

  /// Opens the repository of a submodule with the same user configuration.
  func open(submodule path: String) throws(GitError) -> GitRepository {
    try GitRepository.open(path, environment: environment, loadsReferences: false)
  }
}
