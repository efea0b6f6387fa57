/// A linked work tree.
package struct LinkedWorktree: Sendable, Hashable {
  /// Its root.
  package let path: String
  /// Its branch's short name; nil when detached.
  package let branch: String?
}

/// What the object database has on disk.
package struct ObjectStorage: Sendable, Hashable {
  package var packs = 0
  /// Bytes of the `.pack` files.
  package var packBytes = 0
  package var looseObjects = 0
}

extension GitRepository {
  /// The stash's log and `shallow` are read up to this size (64 MiB): some hundred thousand stashes, or 1.6
  /// million commits where the history is cut.
  static let lineFileLimit = 64 << 20

  /// How many stashes there are: the entries of `refs/stash`'s reflog, as `git stash list` shows them.
  ///
  /// - Throws: `permission`, `tooLarge`.
  package func stashCount() throws(GitError) -> Int {
    guard refs[name: "refs/stash"] != nil else { return 0 }
    let path = commonDir + "/logs/refs/stash"
    guard let bytes = try Disk.read(path, limit: Self.lineFileLimit) else { return 0 }
    let lineEnd = UInt8(ascii: "\n")
    let isOpen = bytes.last.map { $0 != lineEnd } ?? false
    return bytes.count { $0 == lineEnd } + (isOpen ? 1 : 0)
  }

  /// The work trees made by `git worktree add`, by the name of their folder below `worktrees`.
  package func linkedWorktrees() -> [LinkedWorktree] {
    Disk.names(in: commonDir + "/worktrees").compactMap { name in
      let own = commonDir + "/worktrees/" + name
      guard let line = try? Disk.line(own + "/gitdir"), !line.isEmpty else { return nil }
      var path = Disk.join(own, line)
      if path.hasSuffix("/.git") { path.removeLast("/.git".count) }
      let head = try? Disk.line(own + "/HEAD")
      let prefix = "ref: refs/heads/"
      let branch = head.flatMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
      return LinkedWorktree(path: Disk.realPath(path) ?? path, branch: branch)
    }
  }

  /// When `git fetch` last ran, in seconds since 1970; nil when it never did.
  package var lastFetchAt: Int64? {
    [gitDir, commonDir].compactMap { Disk.entry($0 + "/FETCH_HEAD")?.modifiedAt }.max()
  }

  /// Whether there is a commit-graph file.
  package var hasCommitGraph: Bool {
    Disk.isFile(commonDir + "/objects/info/commit-graph")
      || Disk.isFile(commonDir + "/objects/info/commit-graphs/commit-graph-chain")
  }

  /// Whether objects may be missing because a remote promised them.
  package var isPartialClone: Bool {
    if partialCloneRemote != nil { return true }
    return config.subsections(of: "remote").contains { config.bool("remote.\($0).promisor") == true }
  }

  /// Whether only a part of the files is checked out.
  package var isSparseCheckout: Bool { config.bool("core.sparsecheckout") == true }

  /// Alternate object databases that are named and do not exist.
  package func brokenAlternates() -> [String] {
    let objects = commonDir + "/objects"
    guard let bytes = try? Disk.read(objects + "/info/alternates", limit: Self.textLimit) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      if line.first == UInt8(ascii: "#") { return nil }
      let path = Disk.join(objects, String(decoding: line, as: UTF8.self))
      return Disk.isDirectory(path) ? nil : path
    }
  }

  /// Whether `refs/replace` or grafts change the history that git shows.
  package var hasReplacements: Bool {
    !refs.with(prefix: "refs/replace/").isEmpty || Disk.isFile(commonDir + "/info/grafts")
  }

  /// Counts packs and loose objects of the repository's own database, alternates left out.
  ///
  /// - Throws: `corrupt` when a pack has a size that no pack has.
  package func storage() throws(GitError) -> ObjectStorage {
    var result = ObjectStorage()
    let objects = commonDir + "/objects"
    for name in Disk.names(in: objects + "/pack") where name.hasSuffix(".pack") {
      guard let entry = Disk.entry(objects + "/pack/" + name) else { continue }
      let (bytes, overflow) = result.packBytes.addingReportingOverflow(entry.size)
      guard (0...Self.sizeLimit).contains(entry.size), !overflow else {
        throw GitError(.corrupt, "the pack \(name) has a size that no pack has", hint: "run `git fsck` there")
      }
      result.packs += 1
      result.packBytes = bytes
    }
    for folder in Disk.names(in: objects) where folder.utf8.count == 2 {
      let names = Disk.names(in: objects + "/" + folder)
      result.looseObjects += names.count { $0.utf8.count == ObjectID.hexCount - 2 }
    }
    return result
  }
}
