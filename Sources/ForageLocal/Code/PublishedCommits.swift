import ForageGit
import ForageStore

/// The commits that the forges of clones have, as far as their remote-tracking branches tell; used by one
/// thread.
final class PublishedCommits {
  /// What the forge of a clone has.
  private enum Known {
    /// The commit that the clone has checked out, with all its files.
    case head
    /// Another one, the newest of the branch that `HEAD` follows or of the forge's default branch.
    case other(GitRepository, ObjectID)
    /// No commit that is known.
    case nothing
  }

  private let repositories: CodeRepositories
  private var known: [Int: Known] = [:]

  init(_ repositories: CodeRepositories) { self.repositories = repositories }

  /// The commit, 40 hexadecimal digits, at which the forge of a clone has a file as it is in the clone; `nil`
  /// if none is known.
  ///
  /// - Parameter tree: The tree of the clone's `HEAD`.
  func commit(of file: CodeFile, in clone: CodeClone, _ tree: CodeIndex.Tree) -> String? {
    guard let blob = file.id else { return nil }
    if tree.isPublished { return tree.commit }
    let published = known[file.clone] ?? find(clone, head: tree.commit)
    known[file.clone] = published
    switch published {
    case .head: return tree.commit
    case .nothing: return nil
    case .other(let repository, let id):
      guard let commit = try? repository.commit(id),
        let entry = (try? repository.entry(at: clone.ownPath(file.path), in: commit.tree)) ?? nil,
        entry.id == blob
      else { return nil }
      return id.hex
    }
  }

  private func find(_ clone: CodeClone, head: String) -> Known {
    guard let head = ObjectID(hex: head), let repository = try? repositories.open(clone.path),
      let branches = repository.forgeBranches
    else { return .nothing }
    if repository.isPublished(head) { return .head }
    // A branch can follow one of another remote, or of the clone itself.
    let upstream = repository.refs.head.branch.flatMap { repository.upstream(ofBranch: $0) }
    let followed = upstream.flatMap { $0.ref.hasPrefix(branches) ? $0.commit : nil }
    let main = repository.refs[name: ReferenceName(branches + "HEAD")]?.target
    return (followed ?? main).map { .other(repository, $0) } ?? .nothing
  }
}

extension GitRepository {
  /// The most commits that are read to find one.
  private static let publishedLimit = 20_000

  /// What the names of the forge's remote-tracking branches begin with; `nil` unless one remote is known to
  /// be the forge, and for a folder on this disk.
  fileprivate var forgeBranches: String? {
    let remotes = sourceRemotes()
    guard remotes.count == 1, !CloneIdentity.isFolder(remotes[0].url) else { return nil }
    return "refs/remotes/\(remotes[0].name)/"
  }

  /// Whether a commit is known to be on a branch of the forge. False also where that takes too long to find
  /// out.
  func isPublished(_ commit: ObjectID, isCancelled: () -> Bool = { false }) -> Bool {
    guard let forgeBranches else { return false }
    var branches = refs.with(prefix: forgeBranches)
    // A mirror and a bare clone have the branches of the forge as their own.
    if branches.isEmpty, worktree == nil { branches = refs.with(prefix: "refs/heads/") }
    let isReachable = try? areReachable(
      [commit], from: Set(branches.map(\.target)), limit: Self.publishedLimit, isCancelled: isCancelled)
    return isReachable ?? false
  }
}
