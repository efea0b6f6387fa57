import ForageCore
import ForageGit
import ForageLocal

/// A file of a commit of a clone, which need not be in a work tree.
struct CommittedFile: Sendable {
  /// The root of the clone.
  let clone: String
  /// The path in the repository, as it was given.
  let path: String
  /// The id of the commit.
  let commit: String
  let bytes: [UInt8]

  /// Reads the first of some paths that the first of some clones has.
  ///
  /// - Parameters:
  ///   - ref: A branch, tag or commit; `HEAD` for what is checked out.
  ///   - limit: The size limit of the file, in bytes.
  /// - Returns: `nil` where no clone has the commit with one of the files, and for a larger file.
  static func read(_ paths: [String], at ref: String, of clones: [String], limit: Int) async -> CommittedFile?
  {
    let found = try? await BlockingGit.run { _ throws(GitError) in
      clones.lazy.compactMap { try? read(paths, at: ref, in: $0, limit: limit) ?? nil }.first
    }
    return found ?? nil
  }

  private static func read(
    _ paths: [String], at ref: String, in clone: String, limit: Int
  ) throws(GitError) -> CommittedFile? {
    let repository = try GitRepository.open(clone)
    guard let id = repository.object(meantBy: ref) else { return nil }
    return try read(paths, at: id, in: repository, clone, limit: limit)
  }

  private static func read(
    _ paths: [String], at id: ObjectID, in repository: GitRepository, _ clone: String, limit: Int
  ) throws(GitError) -> CommittedFile? {
    let commit = try repository.peel(id)
    guard commit.kind == .commit else { return nil }
    let tree = try repository.tree(of: commit.id)
    for path in paths {
      guard let entry = try repository.entry(at: path, in: tree),
        entry.kind == .file || entry.kind == .executable
      else { continue }
      guard try repository.header(of: entry.id).size <= limit else { return nil }
      return CommittedFile(
        clone: clone, path: path, commit: commit.id.hex, bytes: try repository.blob(entry.id, limit: limit))
    }
    return nil
  }
}
