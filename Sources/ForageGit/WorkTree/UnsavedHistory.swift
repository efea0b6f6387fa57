import ForagePlatform

extension GitRepository {
  /// What is unsaved of the commits of this repository and of its linked work trees.
  ///
  /// - Parameters:
  ///   - deleted: the folder that would be deleted.
  ///   - folders: the git directories of the linked work trees.
  ///   - passesStash: Whether to look for what there is besides stashes.
  func unsavedHistory(
    _ deleted: String, _ folders: [String], passesStash: Bool = false, _ isCancelled: () -> Bool
  ) throws(GitError) -> UnsavedWork? {
    guard let head = refs.head.commit else { return .unbornHead }
    try refs.load()
    let stash: ReferenceName = "refs/stash"
    if !passesStash, refs[name: stash] != nil { return .stash }
    let remotes = remainingRemotes(deleted)
    var (local, tips): (Set<ObjectID>, Set<ObjectID>) = ([head], [])
    func add(_ references: [Reference]) {
      // The target of a symbolic reference is another reference.
      for reference in references where !reference.isSymbolic && reference.name != stash {
        // Copies of what a remote has, made by `git maintenance`.
        if reference.name.hasPrefix("refs/prefetch/") { continue }
        if let remote = remotes.first(where: { reference.name.hasPrefix($0.prefix) }) {
          if remote.has(reference.target, isCancelled) { tips.insert(reference.target) }
        } else {
          local.insert(reference.target)
        }
      }
    }
    add(refs.all)
    // Of a remote on this disk all references are known, also its tags.
    for case .disk(_, let kept) in remotes.map(\.place) {
      tips.formUnion(kept.filter { (try? peel($0))?.kind == .commit })
    }
    let prefixes = remotes.map(\.prefix)
    if try hasUnreadable(in: commonDir, among: refs.all, except: prefixes) { return .commits }
    if isLinkedWorktree, try hasUnreadable(in: gitDir, among: refs.all, except: []) { return .commits }
    for folder in Set([commonDir, gitDir] + folders) {
      local.formUnion(try pseudoReferences(in: folder))
      local.formUnion(try fetched(in: folder, deleted, isCancelled))
    }
    for folder in folders {
      let own = try RefStore(gitDir: folder, commonDir: commonDir)
      try own.load()
      guard let head = own.head.commit else { return .unbornHead }
      local.insert(head)
      add(own.all)
      if try hasUnreadable(in: folder, among: own.all, except: []) { return .commits }
    }
    var commits: Set<ObjectID> = []
    for id in local {
      // Of tags the commit counts; a tag of anything else may be all that has it.
      let (commit, kind) = try peel(id)
      guard kind == .commit else { return .commits }
      commits.insert(commit)
    }
    return try areReachable(commits, from: tips, isCancelled: isCancelled) ? nil : .commits
  }

  /// Files of git in its folder that look like references, and do not count as such: what these name is in a reflog too, of
  /// `AUTO_MERGE` in the work tree. `FETCH_HEAD` is read by itself.
  private static let pseudoReferences: Set<String> = [
    "AUTO_MERGE", "FETCH_HEAD", "HEAD", "ORIG_HEAD", "REBASE_HEAD",
  ]

  /// The objects that references outside of `refs` name: `git update-ref SAVED_HEAD COMMIT` makes one.
  private func pseudoReferences(in gitDir: String) throws(GitError) -> [ObjectID] {
    var found: [ObjectID] = []
    for name in try FileAccess.list(bytes: Array(gitDir.utf8)) {
      let text = String(decoding: name, as: UTF8.self)
      // Git allows no other names there.
      guard name.allSatisfy({ (0x41...0x5A).contains($0) || $0 == UInt8(ascii: "_") }),
        !Self.pseudoReferences.contains(text), FileAccess.isFile(gitDir + "/" + text),
        let line = try FileAccess.line(gitDir + "/" + text), let id = ObjectID(hex: line)
      else { continue }
      if try isHere(id) { found.append(id) }
    }
    return found
  }

  /// The commits of the last `git fetch` that are on no remote that is left: those of a folder or a bundle that was named
  /// by its path.
  private func fetched(
    in gitDir: String, _ deleted: String, _ isCancelled: () -> Bool
  ) throws(GitError) -> [ObjectID] {
    let bytes = try FileAccess.read(gitDir + "/FETCH_HEAD", limit: Self.lineFileLimit) ?? []
    var found: [ObjectID] = []
    var remotes: [Substring: RemainingRemote] = [:]
    // `ID<tab>not-for-merge<tab>branch 'main' of URL`, or of `HEAD` only the URL.
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, let id = ObjectID(hex: fields[0]) else { continue }
      let url = fields[2].firstRange(of: "' of ").map { fields[2][$0.upperBound...] } ?? fields[2]
      let remote =
        remotes[url]
        ?? RemainingRemote(prefix: "", place: place(of: Remote(name: "", url: String(url)), deleted))
      remotes[url] = remote
      if !remote.has(id, isCancelled), try isHere(id) { found.append(id) }
    }
    return found
  }

  /// Whether the clone has an object; git may have removed one that no reference names.
  private func isHere(_ id: ObjectID) throws(GitError) -> Bool {
    do throws(GitError) {
      _ = try peel(id)
      return true
    } catch {
      guard error.code == .missingObject else { throw error }
      return false
    }
  }

  /// Whether a loose reference is damaged, leads nowhere, or has a name that git does not list: it may name commits that nothing
  /// else names.
  private func hasUnreadable(
    in gitDir: String, among known: [Reference], except prefixes: [String]
  ) throws(GitError) -> Bool {
    var pending: [[UInt8]] = [Array("refs".utf8)]
    while let folder = pending.popLast() {
      for file in try FileAccess.list(bytes: FileAccess.path(gitDir, folder)) {
        let name = ReferenceName(bytes: folder + [UInt8(ascii: "/")] + file)
        if FileAccess.kind(gitDir, name.bytes) == .directory {
          pending.append(name.bytes)
          continue
        }
        if prefixes.contains(where: name.hasPrefix) || file.reversed().starts(with: ".lock".utf8.reversed()) {
          continue
        }
        guard let line = try FileAccess.line(bytes: FileAccess.path(gitDir, name.bytes)),
          line.hasPrefix("ref:") || ObjectID(hex: line.prefix(ObjectID.hexCount)) != nil,
          known.reference(name) != nil
        else { return true }
      }
    }
    return false
  }
}

/// A remote, and what of it is left when a folder is deleted.
private struct RemainingRemote {
  enum Place {
    case network
    /// A repository on this disk, with the targets of its references.
    case disk(GitRepository, kept: Set<ObjectID>)
    case none
  }

  /// The prefix of the names of its remote-tracking references.
  let prefix: String
  let place: Place

  /// Whether a reference of the remote has a commit, as far as that can be told.
  func has(_ id: ObjectID, _ isCancelled: () -> Bool) -> Bool {
    switch place {
    case .network: true
    case .disk(let repository, let kept):
      kept.contains(id) || (try? repository.areReachable([id], from: kept, isCancelled: isCancelled)) == true
    case .none: false
    }
  }
}

extension GitRepository {
  /// How many remotes of remotes on this disk are followed.
  private static let remoteDepth = 5

  /// The remotes, those with the longest names first.
  private func remainingRemotes(_ deleted: String) -> [RemainingRemote] {
    remotes().map { remote in
      RemainingRemote(prefix: "refs/remotes/\(remote.name)/", place: place(of: remote, deleted))
    }.sorted { $0.prefix.utf8.count > $1.prefix.utf8.count }
  }

  private func place(of remote: Remote, _ deleted: String) -> RemainingRemote.Place {
    guard let paths = localPaths(of: remote.effectiveURL) else { return .network }
    guard let other = paths.lazy.compactMap({ self.repository(at: $0) }).first, survives(other, deleted),
      (try? other.refs.load()) != nil
    else { return .none }
    return .disk(
      other, kept: Set(other.refs.all.map(\.target) + [other.refs.head.commit].compactMap(\.self)))
  }

  /// Whether another repository on this disk keeps all its objects when a folder is deleted, and is no copy of this one.
  private func survives(_ other: GitRepository, _ deleted: String) -> Bool {
    let folders = [other.commonDir, other.objectsFolder] + other.alternates()
    let isKept =
      FileAccess.parent(of: other.commonDir).hasSuffix(Self.fetchedCopies) && other.hasNetworkRemote
      || folders.allSatisfy { !FileAccess.isInside($0, deleted) && !FileAccess.isInside($0, commonDir) }
    let alternates = other.objectFolders.alternates
    return isKept && alternates.broken.isEmpty && !alternates.isIncomplete && other.shallow.isEmpty
      && !other.isPartialClone
      && !leadsBack(from: other, depth: Self.remoteDepth)
  }

  private var hasNetworkRemote: Bool { remotes().contains { localPaths(of: $0.effectiveURL) == nil } }

  /// Whether the remotes of a repository lead to this one: each would be taken for the one that keeps the commits.
  private func leadsBack(from other: GitRepository, depth: Int) -> Bool {
    if other.commonDir == commonDir { return true }
    return other.remotes().contains { remote in
      guard let paths = other.localPaths(of: remote.effectiveURL),
        let next = paths.lazy.compactMap({ self.repository(at: $0) }).first
      else { return false }
      return next.commonDir != other.commonDir && (depth == 0 || leadsBack(from: next, depth: depth - 1))
    }
  }

  /// The repository of exactly this folder; nil if it is none or cannot be read.
  private func repository(at path: String) -> GitRepository? {
    guard let real = FileAccess.realPath(path), let found = try? open(submodule: real),
      found.location.openPath == real || found.gitDir == real
    else { return nil }
    return found
  }

  /// The paths that git tries for an address on this disk; nil for any other address.
  private func localPaths(of url: String) -> [String]? {
    var path = url[...]
    let scheme = "file://"
    if url.lowercased().hasPrefix(scheme) {
      path = url.dropFirst(scheme.count).drop { $0 != "/" }
    } else if let colon = url.firstIndex(of: ":"), !url[..<colon].contains("/") {
      return nil
    }
    let base = FileAccess.join(worktree ?? gitDir, expandHome(String(path)))
    return [base, base + ".git"]
  }
}
