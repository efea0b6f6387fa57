import Foundation
import TestSupport
import Testing

/// Answers that are there only in part.
struct PartialAnswerTests {
  private func failing(_ fault: FakeGitHub.Fault) -> FakeGitHub {
    let github = FakeGitHub(repositories: matching(250))
    github.fail(fault, path: "/search", page: 2)
    return github
  }

  @Test(arguments: [
    FakeGitHub.Fault.serverError, .primaryLimit(), .truncatedJSON, .droppedMidBody, .pageHTML,
    .badCredentials,
  ])
  func theFirstPageIsKept(_ fault: FakeGitHub.Fault) async throws {
    try await withProgram(failing(fault)) { program, _ in
      let result = try await program.run(
        ["search", "match", "-p", "github", "-L", "250", "--format", "json"])
      #expect(result.status == 3)
      let answer = try result.json()
      #expect(answer["items"]?.array.count == 100)
      #expect(answer["complete"] == .bool(false))
      #expect(answer.provider("github")?["state"]?.string == "partial")
      #expect(answer.provider("github")?["returned"]?.int == 100)
      #expect(answer.provider("github")?["error"]?["message"]?.string?.isEmpty == false)
      let messages = expectMessages(result)
      #expect(messages.count == 1)
      #expect(messages.first?.hasPrefix("github: ") == true)
      #expect(messages.first?.hasSuffix("; 100 results from it are in the list") == true)
      let strict = try await program.run(["search", "match", "-p", "github", "-L", "250", "--strict"])
      #expect(strict.status == 3)
      #expect(strict.outLines.count == 100)
      // A failure of a provider that was not named is a warning.
      let unnamed = try await program.run(["search", "match", "-L", "250"])
      #expect(unnamed.status == 0 && unnamed.outLines.count == 100, "\(unnamed.err)")
      #expect(try await program.run(["search", "match", "-L", "250", "--quiet"]).err == "")
    }
  }

  @Test func incompleteResultsAreReported() async throws {
    let github = FakeGitHub(repositories: matching(5)) { $0.incompleteResults = true }
    try await withProgram(github) { program, _ in
      let result = try await program.run(["search", "match", "-p", "github", "--format", "json"])
      #expect(result.status == 0)
      let answer = try result.json()
      #expect(answer["complete"] == .bool(false))
      #expect(answer.provider("github")?["incomplete"] == .bool(true))
      #expect(answer.provider("github")?["total"]?["relation"]?.string == "gte")
      #expect(expectMessages(result).count == 1)
      let strict = try await program.run(["search", "match", "-p", "github", "--strict"])
      #expect(strict.status == 3)
      #expect(strict.outLines.count == 5)
    }
  }

  @Test func aHealthyStrictSearchIsSuccess() async throws {
    try await withProgram(FakeGitHub(repositories: matching(5))) { program, _ in
      let result = try await program.run(["search", "match", "--strict"])
      #expect(result.status == 0)
      #expect(result.err == "")
    }
  }
}
