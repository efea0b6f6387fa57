/// A submodule.
package struct Submodule: Sendable, Hashable {
  /// How the checkout relates to the recorded commit.
  package enum State: String, Sendable, Hashable {
    /// The recorded commit is checked out.
    case current
    /// Another commit is checked out.
    case different
    /// Nothing is checked out.
    case uninitialized
    /// `.gitmodules` names it, and the commit's tree does not have it.
    case unrecorded
  }

  /// The path from the root of the tree.
  package let path: String
  /// The URL of `.gitmodules`, without credentials; nil when that does not name it.
  package let url: String?
  /// The commit that the tree records.
  package let commit: ObjectID?
  package let state: State
}

extension GitRepository {
  /// More submodules are not listed: each costs some files to read, and the largest known have some thousand.
  package static let submoduleLimit = 10_000

  /// The submodules of `HEAD` and of `.gitmodules`, sorted by path; of very many the first
  /// ``submoduleLimit``, and `isCut` is then true.
  ///
  /// - Parameter recorded: the submodules of `HEAD`'s tree.
  /// - Throws: `corrupt` for a bad line in `.gitmodules`, `missingObject`.
  package func submodules(
    recorded: [(path: String, commit: ObjectID)], tree: ObjectID?
  ) throws(GitError) -> (list: [Submodule], isCut: Bool) {
    var urls: [String: String] = [:]
    if let bytes = try gitmodules(tree) {
      let config = GitConfig(entries: try ConfigFile(bytes, name: ".gitmodules").entries)
      for name in config.subsections(of: "submodule") {
        guard let path = config.string("submodule.\(name).path") else { continue }
        urls[path] = config.string("submodule.\(name).url").map(RemoteURL.withoutCredentials) ?? ""
      }
    }
    let commits = Dictionary(recorded.map { ($0.path, $0.commit) }) { first, _ in first }
    let paths = Set(urls.keys).union(commits.keys)
    let list = paths.sorted().prefix(Self.submoduleLimit).map { path in
      let url = urls[path].flatMap { $0.isEmpty ? nil : $0 }
      let commit = commits[path]
      return Submodule(path: path, url: url, commit: commit, state: state(of: path, commit))
    }
    return (list, paths.count > list.count)
  }

  private func gitmodules(_ tree: ObjectID?) throws(GitError) -> [UInt8]? {
    // Not followed, as in git: a link could name any file.
    if let worktree { return try Disk.read(worktree + "/.gitmodules", limit: Self.textLimit, follow: false) }
    guard let tree, let entry = try entry(at: ".gitmodules", in: tree), entry.kind == .file else {
      return nil
    }
    return try blob(entry.id)
  }

  private func state(of path: String, _ commit: ObjectID?) -> Submodule.State {
    guard let commit else { return .unrecorded }
    // A path from a tree is joined to a folder only when it cannot leave it.
    let isPlain = !path.split(separator: "/", omittingEmptySubsequences: false).contains {
      $0.isEmpty || $0 == ".."
    }
    guard let worktree, isPlain, let location = try? RepositoryLocation.at(worktree + "/" + path),
      location.worktree != nil,
      let refs = try? RefStore(gitDir: location.gitDir, commonDir: location.commonDir),
      let head = refs.head.commit
    else { return .uninitialized }
    return head == commit ? .current : .different
  }
}
