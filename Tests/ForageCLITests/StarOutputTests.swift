import ForageCLI
import Foundation
import TestSupport
import Testing

/// Options of `star`, `unstar`, `stars` and `feed` to exact bytes.
struct StarOutputTests {
  /// The help lists no form that names something other than a repository.
  @Test func helpNamesRepositoriesOnly() async throws {
    let star = try await forage(["star", "--help"]).out
    #expect(star.contains("owner/name") && !star.contains("#12") && !star.contains("@"), "\(star)")
    #expect(try await forage(["favorite", "add", "--help"]).out.contains("owner/name#12"))
    // A command that takes one has no ranges.
    let show = try await forage(["show", "--help"]).out
    #expect(
      show.contains("owner/name#12") && show.contains("a number of") && !show.contains("5-7"), "\(show)")
  }

  private static let token = ["GH_ENTERPRISE_TOKEN": "t0psecret"]

  /// Runs a command against a service whose owner has starred two of the three repositories.
  private func run(
    _ arguments: [String], columns: Int? = nil, adding extra: [String: String] = token,
    _ configure: @Sendable (FakeGitHub) -> Void = { _ in }
  ) async throws -> (Outcome, FakeGitHub) {
    let github = FakeGitHub(repositories: threeRepositories) {
      $0.starred = ["nemo/http", "apple/swift-nio"]
      $0.starredBy = ["octocat": ["nemo/http"]]
    }
    configure(github)
    return try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let outcome = await forage(
          arguments + (arguments.first == "providers" ? [] : ["--timeout", "50"]),
          in: variables(home, server.baseURL, adding: extra), columns: columns)
        let address = "127.0.0.1:\(server.port)"
        return (
          Outcome(
            status: outcome.status, out: outcome.out.replacing(address, with: "HOST"),
            err: outcome.err.replacing(address, with: "HOST")), github
        )
      }
    }
  }

  @Test(arguments: ["nemo/http", "Nemo/HTTP", "github.com/nemo/http", "https://github.com/nemo/http.git"])
  func star(_ reference: String) async throws {
    // The name is printed in the spelling that was given.
    let name = reference.hasPrefix("N") ? "Nemo/HTTP" : "nemo/http"
    let (given, github) = try await run(["star", reference]) { github in github.update { $0.starred = [] } }
    #expect(given.status == .success && given.out == "starred \(name)\n" && given.err == "")
    #expect(github.options.starred == ["nemo/http"])
    let (back, after) = try await run(["unstar", reference])
    #expect(back.status == .success && back.out == "unstarred \(name)\n" && back.err == "")
    #expect(after.options.starred == ["apple/swift-nio"])
  }

  /// Names are sorted from A to Z by default, numbers from the top.
  @Test func defaultDirections() async throws {
    func first(_ arguments: [String]) async throws -> Substring? {
      try await run(["stars"] + arguments).0.out.split(separator: "\t").first
    }
    #expect(try await first(["--sort", "name"]) == "nemo/http")
    #expect(try await first(["--sort", "name", "--order", "desc"]) == "apple/swift-nio")
    #expect(try await first(["--sort", "stars"]) == "apple/swift-nio")
  }

  /// A host other than github.com is a part of the name.
  @Test func anotherHost() async throws {
    let github = FakeGitHub(repositories: threeRepositories) { $0.starred = [] }
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let name = "127.0.0.1:\(server.port)/nemo/http"
        let environment = variables(home, server.baseURL, adding: Self.token)
        let starred = await forage(["star", name], in: environment)
        #expect(starred.out == "starred \(name)\n", "\(starred.err)")
        let added = await forage(["favorite", "add", name, "@kana"], in: environment)
        #expect(added.out == "\(name) is now a favorite\n@kana is now a favorite\n")
      }
    }
  }

  @Test func noToken() async throws {
    let (outcome, _) = try await run(["star", "nemo/http"], adding: [:])
    #expect(outcome.status == .failed && outcome.out == "")
    #expect(
      outcome.err.hasPrefix("forage: starring on HOST requires a token, and none was found\nhint: "))
    let (removal, _) = try await run(["unstar", "nemo/http"], adding: [:])
    #expect(removal.err.hasPrefix("forage: removing a star on HOST requires a token, "), "\(removal.err)")
    #expect(outcome.err.contains("GH_ENTERPRISE_TOKEN") && outcome.err.contains("gh auth login"))
  }

  @Test func notThere() async throws {
    let (outcome, _) = try await run(["star", "no/body"])
    #expect(outcome.status == .nothingFound && outcome.out == "")
    #expect(
      outcome.err.hasPrefix("forage: no/body does not exist")
        && outcome.err.contains("\nhint: check the name"))
  }

  /// The time is that of the star, by which the list is sorted.
  @Test func theListInAPipe() async throws {
    let (outcome, _) = try await run(["stars"])
    #expect(
      outcome.out == """
        apple/swift-nio\tEvent-driven network framework for http clients\tSwift\t8149\t2025-06-15T16:06:40Z\t\
        https://github.com/apple/swift-nio\t\tgithub
        nemo/http\t\t\t0\t2025-06-15T15:06:40Z\thttps://github.com/nemo/http\t\tgithub

        """)
    #expect(outcome.status == .success && outcome.err == "")
    let (other, _) = try await run(["stars", "--user", "octocat", "--json", "title,starredAt"], adding: [:])
    #expect(other.out == "[{\"title\":\"nemo/http\",\"starredAt\":\"2025-06-15T15:06:40Z\"}]\n")
    #expect(other.status == .success && other.err == "")
  }

  @Test func aQueryIsCheckedHere() async throws {
    for query in [["language:swift"], ["event-driven"], ["-repo:nemo/http"], ["stars:>10", "network"]] {
      let (outcome, _) = try await run(["stars", "--json", "title"] + query)
      #expect(outcome.out == "[{\"title\":\"apple/swift-nio\"}]\n", "\(query)")
    }
    let (none, _) = try await run(["stars", "nothing-like-it"])
    #expect(none.status == .nothingFound && none.out == "")
    #expect(none.err == "forage: nothing found\nhint: use other words\n")
    let (two, _) = try await run(["stars", "nothing", "like-it"])
    #expect(two.err == "forage: nothing found\nhint: use fewer words or qualifiers\n")
    let (empty, _) = try await run(["stars"]) { github in github.update { $0.starred = [] } }
    #expect(empty.status == .nothingFound)
    #expect(empty.err == "forage: nothing found\nhint: star a repository with: forage star owner/name\n")
  }

  /// An account that does not exist has no list, as its own list can be refused.
  @Test func starsOfNobody() async throws {
    let (nobody, _) = try await run(["stars", "--user", "nobody"], adding: [:])
    #expect(nobody.status == .failed && nobody.out == "")
    #expect(nobody.err.contains("HOST has no account \"nobody\"\nhint: check the name\n"), "\(nobody.err)")
    let (own, _) = try await run(["stars"]) { $0.fail(.notFound) }
    #expect(own.status == .failed)
  }

  @Test func feedOfOneProvider() async throws {
    let (outcome, _) = try await run(["feed", "-p", "github", "--json", "title"])
    #expect(outcome.out == "[{\"title\":\"apple/swift-nio\"},{\"title\":\"nemo/http\"}]\n")
    // The newest stars come first, so that is the time that is shown; each is marked.
    let (table, _) = try await run(["feed", "-p", "github"], columns: 60)
    let rows = table.out.split(separator: "\n")
    try #require(rows.count == 3, "\(table.out)\(table.err)")
    #expect(rows[0].hasPrefix("#     REPOSITORY") && rows[0].contains("STARRED"))
    #expect(rows[1].hasPrefix("1  ★  apple/swift-nio  ") && rows[2].hasPrefix("2  ★  nemo/http  "))
    #expect(rows.dropFirst().allSatisfy { $0.contains("6mo ago") })
    let (sorted, _) = try await run(["stars", "--sort", "updated"], columns: 80)
    #expect(sorted.out.contains("UPDATED") && !sorted.out.contains("STARRED"))
    let (json, _) = try await run(["feed", "-p", "github", "--format", "json"])
    #expect(
      json.out.hasPrefix(
        "{\"schema\":1,\"complete\":true,\"providers\":[{\"id\":\"github\",\"kind\":\"repo\""))
  }

  @Test func feedWithoutAToken() async throws {
    let (outcome, _) = try await run(["feed", "-p", "github"], adding: [:])
    #expect(outcome.status == .failed && outcome.out == "")
    #expect(
      outcome.err.hasPrefix(
        "forage: github: the list of your stars on HOST requires a token, and none was found\nhint: "))
    #expect(outcome.err.contains("GH_ENTERPRISE_TOKEN"))
    // There are no clones, so no provider has answered.
    let (both, _) = try await run(["feed"], adding: [:])
    #expect(both.status == .failed)
    let (named, _) = try await run(["feed", "-p", "github,local"], adding: [:])
    #expect(named.status == .failed)
  }

  @Test func providersSayThatTheyHaveFeeds() async throws {
    for id in ["github", "local"] {
      let (outcome, _) = try await run(["providers", "show", id, "--format", "json"])
      #expect(outcome.out.contains("\"feed\":true"))
    }
  }
}
