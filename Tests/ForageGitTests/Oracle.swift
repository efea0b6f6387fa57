import Foundation
import TestSupport

@testable import ForageGit

extension TemporaryRepository {
  /// Opens the repository as the code under test does, without any configuration of the machine.
  func open(_ below: String = "", environment: GitEnvironment = GitEnvironment()) throws -> GitRepository {
    try GitRepository.open(below.isEmpty ? path : "\(path)/\(below)", environment: environment)
  }

  /// What `git shortlog -sne` prints, by line.
  func shortlog() async throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for line in try await git("shortlog -sne HEAD").split(separator: "\n") {
      let parts = line.split(separator: "\t", maxSplits: 1)
      counts[String(parts[1])] = Int(parts[0].drop { $0 == " " })
    }
    return counts
  }
}

extension GitRepository {
  func status(isCancelled: () -> Bool = { false }) throws(GitError) -> WorktreeStatus? {
    try worktreeStatus(isCancelled: isCancelled)
  }

  /// Counts changes of files with commits that are loaded as they are needed.
  func churn(
    from tip: ObjectID, commits: Int = 1000, files: Int = 20, limits: DifferenceLimits = .standard,
    isCancelled: () -> Bool = { false }
  ) throws(GitError) -> Churn {
    var graph = CommitGraph(lazilyFrom: tip, in: self)
    return try graph.churn(commits: commits, files: files, limits: limits, isCancelled: isCancelled)
  }

  /// Finds the largest blobs with commits that are loaded as they are needed.
  func largestBlobs(
    from tip: ObjectID, limit: Int = 10, limits: DifferenceLimits = .standard,
    isCancelled: () -> Bool = { false }
  ) throws(GitError) -> LargestBlobs {
    var graph = CommitGraph(lazilyFrom: tip, in: self)
    return try graph.largestBlobs(limit: limit, limits: limits, isCancelled: isCancelled)
  }
}

extension CommitGraph {
  /// The authors in the form of ``TemporaryRepository/shortlog()``.
  func shortlog(_ mailmap: Mailmap) -> [String: Int] {
    var counts: [String: Int] = [:]
    for author in tally?.authors(mailmap) ?? [] {
      let name = String(decoding: author.name, as: UTF8.self)
      counts["\(name) <\(String(decoding: author.email, as: UTF8.self))>"] = author.commits
    }
    return counts
  }
}

/// The code of the error that a body throws; nil when it throws none.
func code(_ body: () throws -> Void) -> GitError.Code? {
  do {
    try body()
    return nil
  } catch {
    return (error as? GitError)?.code
  }
}
