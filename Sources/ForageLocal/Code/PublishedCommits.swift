import ForageGit
import ForageStore

/// The commits that the forges of clones have, as far as their remote-tracking branches and tags tell; used by one thread.
final class PublishedCommits {
  /// What the forge of a clone has.
  private enum Known {
    /// The commit that the clone has checked out, with all its files.
    case head
    /// Another one, the newest of the branch that `HEAD` follows or of the forge's default branch.
    case other(GitRepository, ObjectID)
    case nothing
  }

  private let repositories: CodeRepositories
  private var known: [Int: Known] = [:]

  init(_ repositories: CodeRepositories) { self.repositories = repositories }

  /// The commit, 40 hexadecimal digits, at which the forge of a clone has a file as it is in the clone; `nil` if none is known.
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
        let entry = (try? repository.entry(at: file.path, in: commit.tree)) ?? nil, entry.id == blob
      else { return nil }
      return id.hex
    }
  }

  private func find(_ clone: CodeClone, head: String) -> Known {
    guard let head = ObjectID(hex: head), let repository = try? repositories.open(clone.path),
      !repository.isPublished(head)
    else { return .head }
    // A branch can follow one of the clone itself.
    let upstream = repository.refs.head.branch.flatMap { repository.upstream(ofBranch: $0) }
    let followed = upstream.flatMap { $0.ref.hasPrefix("refs/remotes/") ? $0.commit : nil }
    let main = repository.refs[name: "refs/remotes/origin/HEAD"]?.target
    return (followed ?? main).map { .other(repository, $0) } ?? .nothing
  }
}

extension GitRepository {
  /// Whether the forge has a commit, as far as remote-tracking branches and tags tell.
  func isPublished(_ commit: ObjectID) -> Bool {
    let tracking = refs.with(prefix: "refs/remotes/")
    // A mirror and a bare clone have the branches of the forge as their own.
    if tracking.isEmpty { return true }
    if (tracking + refs.with(prefix: "refs/tags/")).contains(where: { ($0.peeled ?? $0.target) == commit }) {
      return true
    }
    // Where the walk is long the commit is old, and most old ones are published.
    return (try? areReachable([commit], from: Set(tracking.map(\.target)), isCancelled: { true })) ?? true
  }
}
