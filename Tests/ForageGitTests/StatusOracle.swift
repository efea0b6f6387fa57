import TestSupport
import Testing

@testable import ForageGit

extension TemporaryRepository {
  /// What `git status --porcelain=v2 --untracked-files=all` counts.
  func countedStatus(adding variables: [String: String] = [:]) async throws -> WorktreeStatus {
    let printed = try await git(
      ["--no-optional-locks", "status", "--porcelain=v2", "--untracked-files=all", "-z"], adding: variables)
    var expected = WorktreeStatus()
    var skipsNext = false
    for line in printed.split(separator: "\0") {
      if skipsNext {
        skipsNext = false
        continue
      }
      switch line.first {
      case "1", "2":
        let states = Array(line.dropFirst(2).prefix(2))
        if states[0] != "." { expected.staged += 1 }
        if states[1] != "." { expected.unstaged += 1 }
        skipsNext = line.first == "2"
      case "?": expected.untracked += 1
      case "u": expected.conflicted += 1
      default: break
      }
    }
    return expected
  }

  /// Compares with git; returns what both say.
  @discardableResult
  func compareStatus(
    _ comment: Comment? = nil, environment: GitEnvironment = GitEnvironment(),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> WorktreeStatus {
    let expected = try await countedStatus()
    let found = try open(environment: environment).status()
    #expect(found == expected, comment, sourceLocation: sourceLocation)
    return expected
  }
}
