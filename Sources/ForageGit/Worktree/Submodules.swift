package struct Submodule: Sendable, Hashable {
  /// How the checkout relates to the recorded commit.
  package enum State: String, Sendable, Hashable {
    /// The recorded commit is checked out, and its files are unchanged.
    case clean
    /// Another commit is checked out, or files are changed, as `git status` tells it.
    case modified
    /// Nothing is checked out.
    case uninitialized
    /// `.gitmodules` names it, but the commit's tree does not have it.
    case missing
  }

  package let path: String
  /// The URL in `.gitmodules`, without credentials; nil if the submodule is not in that file.
  package let url: String?
  package let commit: ObjectID?
  package let state: State
}

extension GitRepository {
  /// The most submodules that are listed, because each takes some file accesses; the largest known
  /// repositories have some thousand.
  package static let submoduleLimit = 10_000

  /// Lists the submodules of `HEAD` and `.gitmodules`, ordered by path.
  ///
  /// - Parameters:
  ///   - recorded: the submodules in `HEAD`'s tree.
  ///   - tree: `HEAD`'s tree; nil before the first commit.
  /// - Returns: at most ``submoduleLimit`` submodules, and whether there are more.
  /// - Throws: `corrupt` for an invalid line in `.gitmodules`, `missingObject`.
  package func submodules(
    recorded: [(path: String, commit: ObjectID)], tree: ObjectID?, isCancelled: () -> Bool = { false }
  ) throws(GitError) -> (list: [Submodule], isCut: Bool) {
    let settings = try SubmoduleSettings(try gitmodules(tree), config)
    let commits = Dictionary(recorded.map { (ExactText($0.path), $0.commit) }) { first, _ in first }
    let paths = Set(settings.byPath.keys).union(commits.keys)
    var budget = Self.submoduleLimit
    let list = paths.sorted().prefix(Self.submoduleLimit).map { key in
      let (path, entry, commit) = (key.text, settings.byPath[key], commits[key])
      var state = state(of: path, name: entry?.name, commit)
      if state == .clean, let worktree, let submodule = try? open(submodule: worktree + "/" + path),
        // What cannot be compared has a note of the status.
        (try? SubmoduleChanges.hasChanges(
          submodule, settings.ignored(path), depth: SubmoduleChanges.depthLimit, budget: &budget,
          isCancelled: isCancelled)) == true
      {
        state = .modified
      }
      let url = entry?.url.flatMap { $0.isEmpty ? nil : $0 }
      return Submodule(path: path, url: url, commit: commit, state: state)
    }
    return (list, paths.count > list.count)
  }

  private func gitmodules(_ tree: ObjectID?) throws(GitError) -> [UInt8]? {
    // Links are not followed, as in git, because they could name any file.
    if let worktree {
      return try FileAccess.read(worktree + "/.gitmodules", limit: Self.textLimit, follow: false)
    }
    guard let tree, let entry = try entry(at: ".gitmodules", in: tree), entry.kind == .file else {
      return nil
    }
    return try blob(entry.id)
  }

  /// Returns the state of a submodule, like the sign of `git submodule status` (`-`, `+` or none), but
  /// relative to `HEAD`'s tree.
  private func state(of path: String, name: String?, _ commit: ObjectID?) -> Submodule.State {
    guard let commit else { return .missing }
    guard let worktree, Self.isInside(worktree, path.split(separator: "/", omittingEmptySubsequences: false)),
      isActive(path, name),
      let location = try? RepositoryLocation.at(worktree + "/" + path), location.worktree != nil,
      let head = Self.head(of: location)
    else { return .uninitialized }
    return head == commit ? .clean : .modified
  }

  /// Counts a repository in the work tree before it is opened.
  static func countRepository(_ depth: Int, _ budget: inout Int) throws(GitError) {
    budget -= 1
    guard depth > 0, budget >= 0 else {
      throw GitError(.tooLarge, "there are too many repositories in the work tree, or too many in each other")
    }
  }

  /// Whether a path from a tree stays in the work tree: no component is a link, leads upward or into a git
  /// directory.
  static func isInside(_ worktree: String, _ path: [Substring]) -> Bool {
    var current = worktree
    for part in path {
      guard !part.isEmpty, part != ".", part != "..", part.lowercased() != ".git" else { return false }
      current = FileAccess.join(current, String(part))
      guard FileAccess.entry(current, follow: false)?.kind == .directory else { return false }
    }
    return true
  }

  /// Whether a submodule is active (git's `is_submodule_active`).
  private func isActive(_ path: String, _ name: String?) -> Bool {
    // A submodule that `.gitmodules` does not name was added by hand, so `active` does not apply.
    guard let name else { return true }
    if let active = config.bool("submodule.\(name).active") { return active }
    let patterns = config.strings("submodule.active")
    guard patterns.isEmpty else {
      return patterns.contains { pattern in
        // Only plain paths and those that end with a star, which is all that `git submodule` itself writes.
        var prefix = pattern[...]
        if prefix == "." || prefix == "*" || prefix == ":/" { return true }
        if prefix.hasSuffix("*") { return path.hasPrefix(prefix.dropLast()) }
        if prefix.hasSuffix("/") { prefix = prefix.dropLast() }
        return path == prefix || path.hasPrefix(prefix + "/")
      }
    }
    return config.string("submodule.\(name).url") != nil
  }

  private static func head(of location: RepositoryLocation) -> ObjectID? {
    // A submodule is usually detached, so its references need not be read.
    if let line = try? FileAccess.line(location.gitDir + "/HEAD"), let id = ObjectID(hex: line) { return id }
    guard (try? RepositoryFormat(gitDir: location.gitDir, commonDir: location.commonDir)) != nil else {
      return nil
    }
    return (try? RefStore(gitDir: location.gitDir, commonDir: location.commonDir))?.head.commit
  }
}
