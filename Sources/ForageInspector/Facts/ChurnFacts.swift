import ForageGit

/// Facts that need the trees of the history: churn and the largest blobs.
enum ChurnFacts {
  /// The commits that are compared: about a year of a busy project. The whole history costs 35 times as much.
  private static let commitCount = 1000
  /// The most files that are reported.
  private static let fileCount = 20
  /// The most blobs that are reported.
  private static let blobCount = 10

  /// Finds the most often changed files of the newest commits, and counts the commits that could not be
  /// compared, and those that are missing or damaged themselves.
  static func churn(
    of tip: ObjectID, _ repository: GitRepository, _ request: InspectionRequest
  ) throws(GitError) -> (churn: InspectionReport.Churn, unreadable: Int, lost: Int) {
    var (unreadable, lost) = (0, 0)
    let churn = try InspectionMemory.facts(
      request.memory, part: "churn", identity: [tip.hex, repository.historyIdentity], sections: [.churn],
      all: [.churn], isWhole: { _ in unreadable == 0 && lost == 0 && !request.isCancelled() },
      make: { () throws(GitError) -> InspectionReport.Churn in
        let churn = try repository.churn(
          from: tip, commits: commitCount, files: fileCount, isCancelled: request.isCancelled)
        (unreadable, lost) = (churn.unreadable, churn.lost)
        return .init(
          commits: churn.commits, files: churn.files.map { .init(path: $0.path, commits: $0.commits) })
      })
    return (churn, unreadable, lost)
  }

  /// Counts the lines that each author added and removed, the commits that could not be compared, and those
  /// that are missing or damaged themselves.
  static func effort(
    of tip: ObjectID, _ repository: GitRepository, _ request: InspectionRequest
  ) throws(GitError) -> (effort: [InspectionReport.Effort], unreadable: Int, lost: Int) {
    var (unreadable, lost) = (0, 0)
    let effort = try InspectionMemory.facts(
      request.memory, part: "effort", identity: [HistoryFacts.memoryKey(repository) ?? tip.hex],
      sections: [.effort], all: [.effort],
      isWhole: { _ in unreadable == 0 && lost == 0 && !request.isCancelled() },
      make: { () throws(GitError) -> [InspectionReport.Effort] in
        let found = try repository.effort(from: tip, isCancelled: request.isCancelled)
        (unreadable, lost) = (found.unreadable, found.lost)
        return found.authors.map {
          .init(
            name: String(decoding: $0.name, as: UTF8.self), email: String(decoding: $0.email, as: UTF8.self),
            added: $0.added, removed: $0.removed)
        }
      })
    return (effort, unreadable, lost)
  }

  /// Finds the largest blobs of the whole history, and counts the objects that are missing or could not be
  /// read, and the commits among them.
  static func largestBlobs(
    of tip: ObjectID, _ repository: GitRepository, _ request: InspectionRequest
  ) throws(GitError) -> (blobs: [InspectionReport.LargeBlob], missing: Int, lost: Int) {
    var (missing, lost) = (0, 0)
    let blobs = try InspectionMemory.facts(
      request.memory, part: "largest blobs", identity: [tip.hex, repository.historyIdentity],
      sections: [.largestBlobs], all: [.largestBlobs],
      isWhole: { _ in missing == 0 && !request.isCancelled() },
      make: { () throws(GitError) -> [InspectionReport.LargeBlob] in
        let found = try repository.largestBlobs(from: tip, limit: blobCount, isCancelled: request.isCancelled)
        (missing, lost) = (found.missing + found.unreadable + found.lost, found.lost)
        return found.blobs.map { .init(path: $0.path, bytes: $0.bytes, commit: $0.commit.hex) }
      })
    return (blobs, missing, lost)
  }
}
