/// A linked work tree.
package struct LinkedWorktree: Sendable, Hashable {
  /// Its root.
  package let path: String
  /// Its branch's short name; nil when detached.
  package let branch: String?
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
    guard let bytes = try FileAccess.read(path, limit: Self.lineFileLimit) else { return 0 }
    let lineEnd = UInt8(ascii: "\n")
    let isOpen = bytes.last.map { $0 != lineEnd } ?? false
    return bytes.count { $0 == lineEnd } + (isOpen ? 1 : 0)
  }

  /// The work trees made by `git worktree add`, by the name of their folder below `worktrees`.
  package func linkedWorktrees() -> [LinkedWorktree] {
    FileAccess.names(in: commonDir + "/worktrees").compactMap { name in
      let own = commonDir + "/worktrees/" + name
      guard let line = try? FileAccess.line(own + "/gitdir"), !line.isEmpty else { return nil }
      var path = FileAccess.join(own, line)
      if path.hasSuffix("/.git") { path.removeLast("/.git".count) }
      let head = try? FileAccess.line(own + "/HEAD")
      let prefix = "ref: refs/heads/"
      let branch = head.flatMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
      return LinkedWorktree(path: FileAccess.realPath(path) ?? path, branch: branch)
    }
  }

  /// When `git fetch` or `git pull` last ran, in seconds since 1970: the time of `FETCH_HEAD`, of which each work
  /// tree has its own; of a linked one and the main one the later.
  ///
  /// Nil when neither ever ran: `git clone` writes no such file.
  package var lastFetchAt: Int64? {
    Set([gitDir, commonDir]).compactMap { folder in
      let entry = FileAccess.entry(folder + "/FETCH_HEAD")
      return entry?.kind == .file ? entry?.modifiedAt : nil
    }.max()
  }

  /// Whether there is a commit-graph file.
  package var hasCommitGraph: Bool {
    FileAccess.isFile(commonDir + "/objects/info/commit-graph")
      || FileAccess.isFile(commonDir + "/objects/info/commit-graphs/commit-graph-chain")
  }

  /// Whether objects may be missing because a remote promised them.
  package var isPartialClone: Bool {
    if partialCloneRemote != nil { return true }
    return config.subsections(of: "remote").contains { config.bool("remote.\($0).promisor") == true }
  }

  /// Whether only a part of the files is checked out.
  package var isSparseCheckout: Bool { config.bool("core.sparsecheckout") == true }

  /// Whether `refs/replace` or grafts change the history that git shows.
  package var hasReplacements: Bool {
    // Looked for without reading all references, which takes longer than many other facts.
    if !FileAccess.names(in: commonDir + "/refs/replace").isEmpty || FileAccess.isFile(commonDir + "/info/grafts") {
      return true
    }
    guard let packed = (try? FileAccess.read(commonDir + "/packed-refs")) ?? nil else { return false }
    let name: StaticString = "refs/replace/"
    let folder = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    return packed.withUnsafeBytes { bytes in
      var line = 0
      while line < bytes.count {
        // An id and a space stand before the name.
        let start = min(line + ObjectID.hexCount + 1, bytes.count)
        let end = min(start + folder.count, bytes.count)
        if Bytes.areEqual(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), folder) { return true }
        line = (Bytes.first(UInt8(ascii: "\n"), in: bytes, from: line) ?? bytes.count) + 1
      }
      return false
    }
  }

  /// The short name of the branch that the remote checks out by default, as far as this clone knows: where
  /// `refs/remotes/<remote>/HEAD` points to.
  ///
  /// The remote is `origin`, else the one that the current branch follows, else the only one. A bare repository
  /// and one without remotes have their own: the branch of `HEAD`.
  package var defaultBranch: String? {
    let remotes = config.subsections(of: "remote")
    var candidates = remotes.contains("origin") ? ["origin"] : []
    if let branch = refs.head.branch, let followed = config.string("branch.\(branch).remote") {
      candidates.append(followed)
    }
    if remotes.count == 1 { candidates += remotes }
    for remote in candidates {
      if let branch = remoteHead(remote) { return branch }
    }
    return isBare || remotes.isEmpty ? refs.head.branch : nil
  }

  /// The branch that a remote's `HEAD` names.
  private func remoteHead(_ remote: String) -> String? {
    // The name is from a configuration file: it must not lead elsewhere.
    let parts = remote.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
    let folder = "refs/remotes/\(remote)/"
    let head = (try? FileAccess.line(commonDir + "/" + folder + "HEAD")) ?? nil
    guard let head, head.hasPrefix("ref:") else { return nil }
    let target = head.dropFirst("ref:".count).drop { $0 == " " || $0 == "\t" }
    guard target.hasPrefix(folder), target.utf8.count > folder.utf8.count else { return nil }
    return String(target.dropFirst(folder.count))
  }
}
