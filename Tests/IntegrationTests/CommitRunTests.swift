import Foundation
import TestSupport
import Testing

/// `forage search -k commit` of the built program, over GitHub and clones.
struct CommitRunTests {
  /// A commit that both have is one result, with what each tells; of a clone what is not pushed is found too.
  @Test func oneListWithGitHub() async throws {
    let program = try Program()
    let clone = try await program.makeClone("o/n")
    let pushed = try await clone.commit("crash in größe")
    try await clone.git("update-ref refs/remotes/origin/main HEAD")
    let own = try await clone.commit("crash again")
    let person = FakeCommit.Person(
      login: "kim", name: "Kim", date: Date(timeIntervalSince1970: 1_600_000_000))
    let github = FakeGitHub { options in
      options.commits = [
        FakeCommit(repository: "o/n", sha: pushed, message: "crash in größe", author: person),
        FakeCommit(
          repository: "o/other", sha: String(repeating: "a", count: 40), message: "a crash", author: person),
      ]
    }
    try await withGitHub(github) { server in
      try await program.addClones()
      let result = try await program.run(
        ["search", "-k", "commit", "crash", "--json", "sha,sources"],
        adding: ["FORAGE_GITHUB_URL": server.baseURL])
      #expect(result.status == 0, "\(result)")
      let found = try Dictionary(
        uniqueKeysWithValues: result.json().array.map { item in
          (
            item["sha"]?.string ?? "",
            Set((item["sources"]?.array ?? []).map { $0["provider"]?.string ?? "" })
          )
        })
      #expect(
        found == [
          pushed: ["github", "local"], own: ["local"], String(repeating: "a", count: 40): ["github"],
        ],
        "\(result.out)")
    }
  }
}
