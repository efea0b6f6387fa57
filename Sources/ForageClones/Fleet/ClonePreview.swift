package import ForageFoundation
import ForageGit
package import ForageInspector
import ForageSetup

/// The preview of a clone: its branch and state, and its last commits.
package struct ClonePreview: Sendable {
  package struct Commit: Sendable {
    package let subject: String
    package let date: Date
  }

  package let report: InspectionReport
  /// In the order of `git log`.
  package let commits: [Commit]

  /// More commits than a terminal has rows.
  private static let limit = 100

  /// Reads the clone at a path.
  ///
  /// - Throws: `ForageError` for one that cannot be read, and after a cancellation.
  package static func of(_ path: String) async throws -> ClonePreview {
    do throws(GitError) { return try await read(path) } catch { throw ForageError(InspectionError(error)) }
  }

  private static func read(_ path: String) async throws(GitError) -> ClonePreview {
    try await BlockingGit.run { isCancelled throws(GitError) in
      var commits: [Commit] = []
      let report = try Inspector().inspect(
        path: path, sections: [.head, .upstream, .status, .stashes, .lastFetchAt], cache: nil,
        isCancelled: isCancelled
      ) { repository throws(GitError) in
        guard let head = repository.refs.head.commit,
          var finder = try CommitFinder(from: [head], in: repository)
        else { return }
        while commits.count < limit, let found = try finder.next(isCancelled: isCancelled) {
          let date = Date(timeIntervalSince1970: Double(found.commit.committedAt))
          commits.append(Commit(subject: found.commit.subject, date: date))
        }
      }
      return ClonePreview(report: report, commits: commits)
    }
  }
}
