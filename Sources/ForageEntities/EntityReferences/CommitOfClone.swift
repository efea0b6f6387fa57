import ForageCore
package import ForageFoundation
import ForageGit
import ForageLocal
package import ForageSetup
import ForageStore

/// A commit of a clone, with what it changes.
package struct CommitOfClone: Sendable {
  /// 40 hexadecimal digits.
  package let sha: String
  package let author: String
  package let authoredAt: Date
  package let message: String
  /// The changes against its first parent, as a diff.
  package let diff: String
  /// Whether all of it is there.
  package let isWhole: Bool

  /// More than anybody reads of one commit (4 MiB).
  private static let limit = 4 << 20

  /// Reads a commit of the first clone in the catalogue that has it.
  ///
  /// - Parameters:
  ///   - name: A branch, tag or commit, also an abbreviated one.
  ///   - repo: `owner/name` or `host/owner/name`; `nil` where `path` names the clone.
  ///   - file: A file or a folder whose changes are wanted alone; `nil` for all.
  /// - Throws: `ForageError` where no clone of the catalogue has it.
  package static func read(_ name: String, repo: String?, path: String?, file: String?, _ forage: Forage)
    async throws -> CommitOfClone
  {
    let clones = try RepositoryFiles(forage).clones(repo: repo, path: path)
    guard !clones.isEmpty else {
      throw ForageError("\(repo ?? "") is not a clone of the catalogue", .listCatalogue)
    }
    do throws(GitError) {
      for clone in clones {
        let found = try await BlockingGit.run { isCancelled throws(GitError) -> CommitOfClone? in
          let repository = try GitRepository.open(clone.path)
          guard let id = repository.object(meantBy: name), case let object = try repository.peel(id),
            object.kind == .commit
          else { return nil }
          let commit = try repository.commit(object.id)
          let patch = try repository.patch(of: commit, path: file, limit: limit, isCancelled: isCancelled)
          return CommitOfClone(
            sha: commit.id.description,
            author: String(decoding: commit.authorName, as: UTF8.self),
            authoredAt: Date(timeIntervalSince1970: Double(commit.authoredAt)),
            message: String(decoding: commit.message, as: UTF8.self), diff: patch.text, isWhole: patch.isWhole
          )
        }
        if let found { return found }
      }
    } catch {
      throw ForageError(unreadable: error)
    }
    throw await RepositoryFiles.missingRef(name, in: clones[0].path)
  }
}
