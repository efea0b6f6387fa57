import ForagePlatform

package struct Submodule: Sendable, Hashable {
  /// How the checkout relates to the recorded commit.
  package enum State: String, Sendable, Hashable {
    /// The recorded commit is checked out, and its files are unchanged.
    case clean
    /// Another commit is checked out, or files are changed, as `git status` tells it; also where that cannot
    /// be told.
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

/// What `.gitmodules` and the configuration say of submodules.
struct SubmoduleSettings {
  /// The value of `submodule.NAME.ignore`: which changes do not count.
  enum Ignored: String {
    case none, untracked, dirty, all

    init?(_ text: String?) { self.init(rawValue: text ?? "") }
  }

  /// A submodule that `.gitmodules` names.
  struct Entry {
    let name: String
    /// The URL without credentials.
    let url: String?
    /// Nil if neither file sets it.
    let ignored: Ignored?
  }

  private(set) var byPath: [ExactText: Entry] = [:]
  /// `diff.ignoreSubmodules`.
  private let standard: Ignored

  /// Reads `.gitmodules` from the work tree or, in a bare repository and where the file is absent, from a
  /// tree.
  ///
  /// - Throws: `corrupt` for an invalid line in `.gitmodules`, `permission`, `missingObject`.
  init(_ repository: GitRepository, tree: ObjectID?) throws(GitError) {
    let config = repository.config
    standard = Ignored(config.string("diff.ignoresubmodules")) ?? .none
    guard let bytes = try Self.gitmodules(repository, tree) else { return }
    let file = try GitConfig.text(bytes, name: ".gitmodules")
    for name in file.subsections(of: "submodule") {
      let section = "submodule.\(name)."
      guard let path = file.string(section + "path") else { continue }
      byPath[ExactText(path)] = Entry(
        name: name, url: file.string(section + "url").map(RemoteURL.withoutCredentials),
        ignored: Ignored(config.string(section + "ignore") ?? file.string(section + "ignore")))
    }
  }

  private static func gitmodules(_ repository: GitRepository, _ tree: ObjectID?) throws(GitError) -> [UInt8]?
  {
    // Links are not followed, as in git, because they could name any file.
    if let files = repository.clonedFiles() {
      return try files.read(Array(".gitmodules".utf8), limit: GitRepository.textLimit)?.bytes
    }
    guard let tree, let entry = try repository.entry(at: ".gitmodules", in: tree), entry.kind == .file else {
      return nil
    }
    return try repository.blob(entry.id)
  }

  func ignored(_ path: String) -> Ignored { byPath[ExactText(path)]?.ignored ?? standard }
}

extension GitRepository {
  /// The most submodules that are listed, because each takes some file accesses; the largest known
  /// repositories have some thousand.
  package static let submoduleLimit = 10_000
  /// The depth to which nested submodules are followed; in practice there are two or three levels.
  static let submoduleDepth = 16

  /// Lists the submodules of `HEAD` and `.gitmodules`, ordered by path.
  ///
  /// - Parameters:
  ///   - recorded: the submodules in `HEAD`'s tree.
  ///   - tree: `HEAD`'s tree; nil before the first commit.
  /// - Returns: at most ``submoduleLimit`` submodules, whether there are more, and those that could not be
  ///   compared with the reason of the first.
  /// - Throws: `corrupt` for an invalid line in `.gitmodules`, `missingObject`, `cancelled`.
  package func submodules(
    recorded: [(path: String, commit: ObjectID)], tree: ObjectID?, isCancelled: () -> Bool = { false }
  ) throws(GitError) -> (list: [Submodule], isCut: Bool, unread: (count: Int, reason: GitError)?) {
    let settings = try SubmoduleSettings(self, tree: tree)
    let commits = Dictionary(recorded.map { (ExactText($0.path), $0.commit) }) { first, _ in first }
    let paths = Set(settings.byPath.keys).union(commits.keys)
    var budget = Self.submoduleLimit
    var list: [Submodule] = []
    var unread: (count: Int, reason: GitError)?
    for key in paths.sorted().prefix(Self.submoduleLimit) {
      let (path, entry, commit) = (key.text, settings.byPath[key], commits[key])
      var state = Submodule.State.modified
      do throws(GitError) {
        state = try self.state(of: path, entry, commit, settings.ignored(path), &budget, isCancelled)
      } catch {
        if error.code == .cancelled { throw error }
        unread = ((unread?.count ?? 0) + 1, unread?.reason ?? error)
      }
      list.append(
        Submodule(
          path: path, url: entry?.url.flatMap { $0.isEmpty ? nil : $0 }, commit: commit, state: state))
    }
    return (list, paths.count > list.count, unread)
  }

  /// The submodules of a clone, as ``checkedOutSubmodules()`` has them; quick where it has none.
  ///
  /// - Parameter root: The root of the clone.
  package static func checkedOutSubmodules(in root: String) -> [String] {
    guard ClonedFiles(root).isFile(Array(".gitmodules".utf8)),
      let repository = try? GitRepository.open(root, loadsReferences: false)
    else { return [] }
    return repository.checkedOutSubmodules()
  }

  /// The submodules that are active and checked out in the work tree, also those in submodules.
  ///
  /// - Returns: Their paths in this work tree, at most ``submoduleLimit``, outer ones before those in them.
  package func checkedOutSubmodules() -> [String] {
    var budget = Self.submoduleLimit
    return checkedOutSubmodules(depth: Self.submoduleDepth, budget: &budget)
  }

  /// A submodule that is checked out, also one in a submodule, and lacks the commit that a commit of this
  /// repository records for it.
  package func submoduleLackingCommit(recordedIn commit: ObjectID) -> (path: String, commit: ObjectID)? {
    submoduleLackingCommit(recordedIn: commit, depth: Self.submoduleDepth)
  }

  private func submoduleLackingCommit(recordedIn commit: ObjectID, depth: Int) -> (
    path: String, commit: ObjectID
  )? {
    guard depth > 0, let settings = try? SubmoduleSettings(self, tree: nil), let tree = try? tree(of: commit)
    else { return nil }
    for (key, entry) in settings.byPath.sorted(by: { $0.key < $1.key }) {
      guard isActive(key.text, entry.name), let submodule = (try? checkedOut(key.text)) ?? nil,
        let recorded = (try? self.entry(at: key.text, in: tree)) ?? nil, recorded.kind == .submodule
      else { continue }
      guard submodule.has(recorded.id) else { return (key.text, recorded.id) }
      if let inner = submodule.submoduleLackingCommit(recordedIn: recorded.id, depth: depth - 1) {
        return (key.text + "/" + inner.path, inner.commit)
      }
    }
    return nil
  }

  private func checkedOutSubmodules(depth: Int, budget: inout Int) -> [String] {
    guard depth > 0, worktree != nil, let settings = try? SubmoduleSettings(self, tree: nil) else {
      return []
    }
    var paths: [String] = []
    for (key, entry) in settings.byPath.sorted(by: { $0.key < $1.key }) {
      guard budget > 0, isActive(key.text, entry.name),
        let submodule = (try? checkedOut(key.text)) ?? nil
      else { continue }
      budget -= 1
      let inner = submodule.checkedOutSubmodules(depth: depth - 1, budget: &budget)
      paths += [key.text] + inner.map { key.text + "/" + $0 }
    }
    return paths
  }

  /// Returns the state of a submodule, like the sign of `git submodule status` (`-`, `+` or none), but
  /// relative to `HEAD`'s tree, and with changed files.
  private func state(
    of path: String, _ entry: SubmoduleSettings.Entry?, _ commit: ObjectID?,
    _ ignored: SubmoduleSettings.Ignored,
    _ budget: inout Int, _ isCancelled: () -> Bool
  ) throws(GitError) -> Submodule.State {
    guard let commit else { return .missing }
    guard isActive(path, entry?.name), let submodule = try checkedOut(path) else { return .uninitialized }
    if case .invalid(let reason, _) = submodule.refs.head { throw GitError(.invalidHead, reason) }
    guard let head = submodule.refs.head.commit else { return .uninitialized }
    if head != commit { return .modified }
    let isChanged = try submodule.hasChanges(
      ignored, depth: Self.submoduleDepth, budget: &budget, isCancelled: isCancelled)
    return isChanged ? .modified : .clean
  }

  /// Opens the repository that is checked out as a submodule; nil if there is none.
  private func checkedOut(_ path: String) throws(GitError) -> GitRepository? {
    guard let worktree, ClonedFiles(worktree).entry(Array(path.utf8))?.kind == .directory,
      let location = try? RepositoryLocation.at(worktree + "/" + path), location.worktree != nil
    else { return nil }
    return try open(submodule: worktree + "/" + path)
  }

  /// Counts the submodules whose path `git status` shows as changed in the work tree.
  ///
  /// - Throws: the errors of a submodule's own status, `tooLarge`.
  func changedSubmodules(
    _ submodules: [(path: [UInt8], commit: ObjectID)], depth: Int, budget: inout Int, isCancelled: () -> Bool
  ) throws(GitError) -> Int {
    if submodules.isEmpty { return 0 }
    let (settings, files) = (try SubmoduleSettings(self, tree: headTree()), worktree.map { ClonedFiles($0) })
    var count = 0
    for (bytes, commit) in submodules {
      let path = String(decoding: bytes, as: UTF8.self)
      let ignored = settings.ignored(path)
      guard ignored != .all, let files else { continue }
      guard files.entry(bytes)?.kind == .directory else {
        count += 1
        continue
      }
      guard let submodule = try checkedOut(path) else { continue }
      try Self.countRepository(depth, &budget)
      if let head = submodule.refs.head.commit, head != commit {
        count += 1
      } else if try submodule.hasChanges(ignored, depth: depth - 1, budget: &budget, isCancelled: isCancelled)
      {
        count += 1
      }
    }
    return count
  }

  /// Whether files of this submodule's work tree are changed, of the changes that are not ignored.
  private func hasChanges(
    _ ignored: SubmoduleSettings.Ignored, depth: Int, budget: inout Int, isCancelled: () -> Bool
  ) throws(GitError) -> Bool {
    if ignored == .dirty || ignored == .all { return false }
    let shown = config.string("status.showuntrackedfiles")?.lowercased()
    let status = try worktreeStatus(
      untracked: ignored != .untracked && shown != "no", depth: depth, budget: &budget,
      isCancelled: isCancelled)
    return status.map { !$0.isClean } ?? false
  }

  /// Counts a repository in the work tree before it is opened.
  static func countRepository(_ depth: Int, _ budget: inout Int) throws(GitError) {
    budget -= 1
    guard depth > 0, budget >= 0 else {
      throw GitError(.tooLarge, "there are too many repositories in the work tree, or too many in each other")
    }
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
}
