import ForageCLI
import TestSupport
import Testing

/// What the options for qualifiers make of the query that GitHub gets.
struct QualifierOptionsTests {
  /// The path and the query of the only request, and how the command ended.
  private func asked(_ arguments: [String]) async throws -> (path: String?, query: String?, outcome: Outcome)
  {
    let repositories = ["a/b", "c/d"].enumerated().map {
      FakeRepository(id: $0.offset + 1, fullName: $0.element)
    }
    return try await withGitHub(FakeGitHub(repositories: repositories)) { server in
      try await withIsolatedHome { home in
        let outcome = await forage(
          ["search"] + arguments.prefix { $0 != "--" } + ["-p", "github"] + arguments.drop { $0 != "--" },
          in: variables(home, server.baseURL, adding: ["GH_ENTERPRISE_TOKEN": "t"]))
        let request = server.requests.first
        return (request?.path, request?.query("q"), outcome)
      }
    }
  }

  @Test(
    arguments: [
      (["x", "-k", "pr"], "issues", "x is:pr"), (["-k", "pr"], "issues", "is:pr"),
      (["x", "-k", "pr,issue"], "issues", "x"), (["x", "-k", "issue"], "issues", "x"),
      (["x", "-R", "a/b"], "repositories", "x repo:a/b"),
      (["x", "-R", "a/b", "-R", "c/d"], "repositories", "x repo:a/b repo:c/d"),
      (["x", "-R", "a/b,c/d"], "repositories", "x repo:a/b repo:c/d"),
      (["x", "-Ra/b"], "repositories", "x repo:a/b"),
      (["x", "-R", "github.com/a/b"], "repositories", "x repo:a/b"),
      (["x", "-R", "https://github.com/a/b"], "repositories", "x repo:a/b"),
      (["x", "-R", "https://github.com/a/b.git"], "repositories", "x repo:a/b"),
      (["x", "-R", "git@github.com:a/b.git"], "repositories", "x repo:a/b"),
      (["x", "--match", "name,description"], "repositories", "x in:name,description"),
      (["x", "-k", "issue", "-R", "a/b", "-R", "c/d"], "issues", "x (repo:a/b OR repo:c/d)"),
      (
        ["x", "-k", "issue", "--state", "open", "--label", "good first issue", "--label", "bug"], "issues",
        "x state:open label:\"good first issue\" label:bug"
      ),
      (["x", "-k", "pr", "--state", "merged"], "issues", "x is:merged is:pr"),
      (
        ["-k", "issue", "--author", "a", "--assignee", "@me", "--involves", "c"], "issues",
        "author:a assignee:@me involves:c"
      ),
      (["content:x NOT content:y", "-k", "code"], "code", "x NOT y"),
      (
        ["x", "-k", "code", "--filename", "a.swift", "--extension", "swift", "--match", "path"], "code",
        "x filename:a.swift extension:swift in:path"
      ),
      (["x", "--owner", "a", "--owner", "c"], "repositories", "x user:a user:c"),
      (["x", "--owner", "a,c", "--topic", "e,f"], "repositories", "x topic:e topic:f user:a user:c"),
      (["x", "--license=mit,isc"], "repositories", "x (license:mit OR license:isc)"),
      (["x", "--language", "c", "--language", "go"], "repositories", "x (language:c OR language:go)"),
      (["x", "--stars", ">1", "--stars", "<9"], "repositories", "x stars:>1 stars:<9"),
      (["x", "-k", "issue", "--label", "bug,docs"], "issues", "x label:bug label:docs"),
      (["x", "--archived"], "repositories", "x archived:true"),
      (["--archived", "x"], "repositories", "x archived:true"),
      (["--archived", "false", "x"], "repositories", "x archived:false"),
      (["--archived=false", "x"], "repositories", "x archived:false"),
      (["--created", ">2024-01-31"], "repositories", "created:>2024-01-31"),
      (["--updated", ">2024-01-31"], "repositories", "stars:>=0"),
      (["x", "--updated", ">2024-01-31"], "repositories", "x"),
      (["--updated", "2024-01-31", "--language", "c"], "repositories", "language:c"),
      (["x", "--visibility", "public"], "repositories", "x is:public"),
      (["x", "--visibility", "public,private"], "repositories", "x (is:public OR is:private)"),
      (["x", "--include-forks", "only", "--forks", ">5"], "repositories", "x forks:>5 fork:only"),
      (["x", "-k", "issue", "--closed", ">2020"], "issues", "x closed:>=2021-01-01"),
      (["x", "-k", "issue", "--closed", "<=2020-12"], "issues", "x closed:<2021-01-01"),
      (["x", "--created", "2020-03"], "repositories", "x created:>=2020-03-01 created:<2020-04-01"),
      (["x", "-k", "issue", "--include-prs"], "issues", "x"),
      (
        ["x", "-k", "pr", "--merged=false", "--locked", "-B", "main"], "issues",
        "x is:locked is:unmerged base:main is:pr"
      ),
      (
        ["x", "-k", "pr", "--no-label", "--no-assignee=false", "--draft=false"], "issues",
        "x no:label draft:false is:pr"
      ),
      (
        ["x", "-k", "pr", "--app", "dependabot", "--review-requested", "cli/team"], "issues",
        "x author:app/dependabot team-review-requested:cli/team is:pr"
      ),
      (["x", "-k", "pr", "--milestone", "v1, late"], "issues", "x milestone:\"v1, late\" is:pr"),
      (
        ["x", "-k", "commit", "--merge", "--author-name", "Jane Doe"], "commits",
        "x author-name:\"Jane Doe\" merge:true"
      ),
      // What gh means by its words, options and quotes.
      (
        ["repos", "http client", "--updated", ">2024-01-31"], "repositories",
        "\"http client\" pushed:>2024-01-31"
      ),
      (["repos", "--owner", "a,c"], "repositories", "user:a user:c"),
      (["issues", "x"], "issues", "x is:issue"), (["issues", "x", "--include-prs"], "issues", "x"),
      (["issues", "x", "--include-prs=false"], "issues", "x is:issue"),
      (["issues", "label:good first issue"], "issues", "label:\"good first issue\" is:issue"),
      (["issues", "-label:good first issue"], "issues", "-label:\"good first issue\" is:issue"),
      (["issues", "Error: no such file"], "issues", "\"Error: no such file\" is:issue"),
      (["issues", "is:open label:bug crash"], "issues", "is:open label:bug crash is:issue"),
      (["prs", "fix", "bug"], "issues", "fix bug is:pr"), (["prs", "--draft"], "issues", "draft:true is:pr"),
      (["prs", "--", "-label:bug", "repos"], "issues", "-label:bug repos is:pr"),
      (["commits", "--committer", "ada"], "commits", "committer:ada"),
      (["--sort", "stars", "repos", "x"], "repositories", "x"),
      (["repos", "x", "--order", "asc"], "repositories", "x"),
      // The words themselves.
      (["--", "repos", "x"], "repositories", "repos x"), (["repos"], "repositories", "repos"),
      (["repos", "x", "-k", "repo"], "repositories", "repos x"), (["Repos", "x"], "repositories", "Repos x"),
    ] as [([String], String, String)])
  func queries(_ arguments: [String], _ kind: String, _ query: String) async throws {
    let asked = try await asked(arguments)
    #expect(asked.path == "/search/" + kind, "\(asked.outcome.err)")
    #expect(asked.query == query)
    #expect([.success, .nothingFound].contains(asked.outcome.status), "\(asked.outcome.err)")
  }

  /// `sort:` in a query means the same as `--sort` and `--order`.
  @Test(
    arguments: [
      (["x", "sort:stars"], "stars", "desc", "x"), (["sort:updated-asc", "x"], "updated", "asc", "x"),
      (["x", "sort:stars", "--order", "asc"], "stars", "asc", "x"),
      (["x", "sort:forks", "--sort", "forks"], "forks", "desc", "x"),
      (["sort:stars-desc", "--language", "c"], "stars", "desc", "language:c"),
      (["sort:author-date-asc", "x", "-k", "commit"], "author-date", "asc", "x"),
    ] as [([String], String, String, String)])
  func orders(_ arguments: [String], _ sort: String, _ order: String, _ query: String) async throws {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        let outcome = await forage(
          ["search"] + arguments + ["-p", "github"], in: variables(home, server.baseURL))
        let request = try #require(server.requests.first, "\(outcome.err)")
        #expect(request.query("sort") == sort && request.query("order") == order)
        #expect(request.query("q") == query && !outcome.err.contains("sort:"))
      }
    }
  }

  /// The default order has names, too, that of gh among them.
  @Test(arguments: [["--sort", "relevance"], ["--sort", "best-match"], ["sort:relevance"]])
  func theDefaultOrder(_ sort: [String]) async throws {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        let outcome = await forage(
          ["search", "x", "-p", "github"] + sort, in: variables(home, server.baseURL))
        let request = try #require(server.requests.first, "\(outcome.err)")
        #expect(request.query("sort") == nil && request.query("q") == "x")
      }
    }
  }

  /// A condition on the last update is checked on the results.
  @Test func updatedAlone() async throws {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        func search(_ condition: String) async -> Outcome {
          await forage(
            ["search", "--updated", condition, "-p", "github", "--json", "updatedAt"],
            in: variables(home, server.baseURL))
        }
        let newer = await search(">=2023-11-01")
        #expect(newer.status == .success && newer.out.contains("2023-11-14"), "\(newer.err)\(newer.out)")
        #expect(
          server.requests.last?.query("sort") == "updated" && server.requests.last?.query("order") == "desc")
        let older = await search("<2023-11-01")
        #expect(older.status == .nothingFound, "\(older.out)")
        #expect(server.requests.last?.query("order") == "asc")
      }
    }
  }

  /// Names of kinds as the first of several words.
  @Test(
    arguments: [
      (["repositories", "http"], "repo"), (["repository", "http"], "repo"),
      (["pull-requests", "http"], "pr"), (["users", "foo"], "user"), (["topics", "x"], "topic"),
      (["user", "x"], "user"), (["code", "--language", "go"], "code"),
      (["Issue", "x", "--topic", "a b"], "issue"), (["stories", "x"], nil), (["code", "x"], "code"),
      (["repos"], nil), (["repos http"], nil), (["http", "repos"], nil), (["code", "x", "-k", "repo"], nil),
      (["code", "x", "--quiet"], nil), (["repos", "http", "-L", "2", "--sort", "stars"], nil),
      (["issues", "x"], nil), (["prs", "--state", "open"], nil), (["commits", "x"], nil),
    ] as [([String], String?)])
  func namesOfKinds(_ arguments: [String], _ kind: String?) async throws {
    let outcome = try await asked(arguments).outcome
    #expect([.success, .nothingFound].contains(outcome.status), "\(outcome.err)")
    #expect(outcome.err.contains("is searched for as a word") == (kind != nil), "\(outcome.err)")
    if let kind {
      // No command to copy: it would lack options of this one.
      let hint = "use -k \(kind) instead of the word \"\(arguments[0])\"\n"
      #expect(outcome.err.contains(hint) && !outcome.err.contains("forage search"), "\(outcome.err)")
    }
  }

  /// A field that no searched kind has is not sent: GitHub would search for it as a word.
  @Test(
    arguments: [
      (["x", "--match", "title"], "name, description, readme, topics"),
      (["x", "-k", "issue", "--match", "name"], "title, body, comments"),
      (["x", "-k", "code", "--match", "path,readme"], "file, path"),
      (["x", "--match", "descripton"], "description"),
    ])
  func fieldsOfOtherKinds(_ arguments: [String], _ possible: String) async throws {
    let asked = try await asked(arguments)
    #expect(asked.outcome.status == .usage && asked.path == nil)
    #expect(
      asked.outcome.err.contains("--match") && asked.outcome.err.contains(possible), "\(asked.outcome.err)")
  }

  /// A query for pull requests, without a kind.
  @Test(
    arguments: [
      (["is:pr", "author:@me"], "-k pr"), (["author:@me", "is:pr"], "-k pr"),
      (["pr", "--state", "open"], "-k pr"), (["is:issue", "author:@me"], "-k issue"),
      (["author:@me", "-is:pr", "label:bug"], "-k issue"),
    ])
  func pullRequestsWithoutAKind(_ arguments: [String], _ kind: String) async throws {
    let asked = try await asked(arguments)
    #expect(asked.outcome.status == .usage && asked.path == nil)
    #expect(
      asked.outcome.err.hasSuffix("\nhint: leave it out, or use \(kind)\n"),
      "\(asked.outcome.err)")
  }

  /// What only clones can answer is known also where no clone is asked.
  @Test(arguments: ["symbol:parse", "case:yes"])
  func qualifiersOfCodeInClones(_ condition: String) async throws {
    let asked = try await asked(["-k", "code", "x", condition])
    let name = condition.prefix { $0 != ":" }
    #expect(asked.outcome.status == .usage && asked.path == nil)
    #expect(
      asked.outcome.err.hasPrefix("forage: github: \(name): is not supported\nhint: "), "\(asked.outcome.err)"
    )
  }
}
