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

extension CommitGraph {
  /// The authors in the form of ``TemporaryRepository/shortlog()``.
  func shortlog(_ mailmap: Mailmap) -> [String: Int] {
    var counts: [String: Int] = [:]
    for author in authors(mailmap) {
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
