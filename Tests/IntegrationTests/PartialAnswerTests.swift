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
      let notes = answer.provider("github")?["notes"]?.array ?? []
      #expect(notes.map { $0["code"]?.string } == ["incomplete_results"])
      #expect(expectMessages(result).count == 1)
      let strict = try await program.run(["search", "match", "-p", "github", "--strict"])
      #expect(strict.status == 3)
      #expect(strict.outLines.count == 5)
    }
  }

  /// An answer that says that organizations are left out is partial, from the cache too, and a search without
  /// results is one.
  @Test(arguments: [
    (
      "partial-results; organizations=1,2",
      "2 organizations are missing until the token is authorized for them"
    ),
    ("partial-results; organizations=7", "1 organization is missing until the token is authorized for it"),
    ("partial-results", "results of organizations are missing until the token is authorized for them"),
  ])
  func organizationsThatAreLeftOut(_ header: String, _ message: String) async throws {
    let github = FakeGitHub(repositories: matching(3)) {
      $0.singleSignOn = header
      $0.starred = matching(1).map(\.fullName)
    }
    let token = ["GH_ENTERPRISE_TOKEN": "t0psecret"]
    try await withProgram(github, adding: token) { program, server in
      for (options, status) in [([], 0), (["-p", "github"], 3), (["--strict"], 3)] as [([String], Int32)] {
        let result = try await program.run(["search", "match"] + options)
        #expect(result.status == status && result.outLines.count == 3, "\(options): \(result)")
        #expect(expectMessages(result) == ["github: " + message], "\(options)")
      }
      // The third answer is that of the cache.
      #expect(server.requests.count == 2)
      let json = try await program.run(["search", "match", "--format", "json"]).json()
      #expect(json["complete"] == .bool(false) && json.provider("github")?["incomplete"] == .bool(true))
      #expect(json.provider("github")?["state"]?.string == "partial")
      #expect(json.provider("github")?["error"]?["message"]?.string == message)
      let stars = try await program.run(["stars"])
      #expect(expectMessages(stars).contains("github: " + message), "\(stars)")
      let nothing = try await program.run(["search", "nothinglikethis"])
      #expect(
        nothing.status == 1 && expectMessages(nothing) == ["github: " + message, "nothing found"],
        "\(nothing)")
    }
  }

  /// What a query names and GitHub does not have is told beside the results of the rest, and beside what
  /// GitHub leaves out.
  @Test func repositoriesThatDoNotExist() async throws {
    let known = matching(3)
    let github = FakeGitHub(repositories: known) {
      $0.refusesUnknownScopes = true
      $0.singleSignOn = "partial-results; organizations=7"
    }
    try await withProgram(github, adding: ["GH_ENTERPRISE_TOKEN": "t0ken"]) { program, server in
      let query = "match repo:\(known[0].fullName) repo:gone/x"
      let missing =
        "github: GitHub at 127.0.0.1:\(server.port) cannot search in repo:gone/x, which does not exist or is not visible to you"
      for (options, status) in [([], 0), (["-p", "github"], 3), (["--strict"], 3)] as [([String], Int32)] {
        let result = try await program.run(["search", query] + options)
        #expect(result.status == status && result.outLines.count == 1, "\(options): \(result)")
        let messages = expectMessages(result)
        #expect(messages.count == 2 && messages.contains(missing), "\(messages)")
      }
      let nothing = try await program.run(["search", "match repo:gone/x", "-p", "github"])
      #expect(nothing.status == 4 && expectMessages(nothing) == [missing])
    }
  }

  /// Issues and pull requests of a token that cannot search for both at once.
  @Test func issuesAndPullRequestsAtOnce() async throws {
    let github = FakeGitHub(repositories: matching(1)) { options in
      options.refusesMixedIssues = true
      options.issues = (1...60).map { number in
        var issue = FakeIssue(repository: "a/b", number: number, title: "crash \(number)")
        issue.isPullRequest = number % 3 == 0
        issue.comments = number
        return issue
      }
    }
    try await withProgram(github, adding: ["GH_ENTERPRISE_TOKEN": "t0ken"]) { program, _ in
      let result = try await program.run(["search", "crash", "-k", "issue", "-L", "45", "--format", "json"])
      #expect(result.status == 0 && result.err == "", "\(result)")
      let answer = try result.json()
      #expect(answer["items"]?.array.count == 45 && answer["complete"] == .bool(true))
      #expect(answer.provider("github")?["total"]?["value"]?.int == 60)
      let sorted = try await program.run(
        ["search", "crash", "-k", "issue", "--sort", "comments", "-L", "60", "--format", "json"]
      ).json()
      #expect(sorted["items"]?.array.compactMap { $0["number"]?.int } == Array((1...60).reversed()))
      let doctor = try await program.run(["doctor"])
      #expect(doctor.out.contains("cannot search for issues and pull requests at once"), "\(doctor)")
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
