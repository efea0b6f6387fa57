import Forage
import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageCLI

/// What the program says to do about the errors of providers, which do not know its options.
struct AdviceTests {
  @Test(arguments: [
    (SearchError(.timeout, "m"), "allow more time with --timeout SECONDS"),
    (SearchError(.timeout, "m", hint: "own"), "own"),
    (SearchError(.invalidCursor, "m"), "search again"),
    (SearchError(.offline, "m"), "run without --offline to contact it"),
    (SearchError(.unsupportedQuery, "m", hint: "supported kinds: code"), "supported kinds: code"),
    (SearchError(.unreachable, "m", hint: "check it"), "check it"),
    (
      SearchError(.rateLimited, "m", hint: "try again in 7 s", retryAfterMilliseconds: 7000),
      "try again in 7 s, or wait with --timeout 17"
    ),
    (SearchError(.rateLimited, "m", hint: "later", retryAfterMilliseconds: 1_200_000), "later"),
    (SearchError(.rateLimited, "m", hint: "later"), "later"),
    (
      SearchError(.configuration, "m", hint: "review it, then trust it", subject: "acme"),
      "review it, then run: forage plugin trust acme"
    ), (SearchError(.configuration, "m", hint: "correct it"), "correct it"),
    (SearchError(.requestLimit, "m"), "start again with a larger --max-requests"),
    (SearchError("of_a_plugin", "m"), "add --verbose to see its requests"),
  ])
  func ofAnError(_ error: SearchError, _ expected: String) { #expect(error.advice == expected) }

  @Test func ofAnOutcome() {
    var outcome = ProviderOutcome(id: "github", name: "GitHub", kind: .repo, state: .unsupported)
    outcome.error = SearchError(.unsupportedQuery, "state: is not supported")
    #expect(outcome.advice == "change the query, or choose other providers with --provider")
    outcome.lacksKind = true
    #expect(outcome.advice == "search it with: forage search -p github QUERY")
    outcome.isInClones = true
    #expect(
      outcome.advice
        == "clone its repositories with forage clone --owner NAME, run forage clones index, and search them with --provider local"
    )
    (outcome.lacksKind, outcome.isInClones) = (false, false)
    outcome.otherKinds = [.issue, .code]
    #expect(outcome.advice == "leave it out, or use -k issue,code")
    outcome = ProviderOutcome(id: "local", name: "Clones", kind: .repo, state: .skipped)
    outcome.error = SearchError(.nothingToAsk, "there are no clones", hint: "add the folders")
    #expect(outcome.advice == "add them with: forage clones add DIR")
    outcome.error = nil
    outcome.state = .ok
    #expect(outcome.advice == "")
  }

  @Test(arguments: [
    (Note(.requestsExceeded, "m"), "allow more with --max-requests"),
    (Note(.requestsExceeded, "m", hint: "about 12"), "allow more with --max-requests (about 12)"),
    (Note(.sortApproximate, "m", hint: "choose another"), "choose another, with --provider"),
    (Note(.stale, "m"), ""), (Note(.stale, "m", hint: "later"), Remedy.askAgain.advice),
    (Note(.invalidResponse, "m"), Remedy.traceRequests.advice),
    (Note(.outOfReach, "m", hint: "narrow it"), "narrow it"),
  ])
  func ofANote(_ note: Note, _ expected: String) { #expect(note.advice == expected) }

  @Test func elsewhere() {
    let star = SearchError(.connectionLost, "m", hint: "check your stars", subject: "a/b")
    #expect(star.adviceForStar == "check with: forage stars repo:a/b; the command can be repeated safely")
    #expect(SearchError(.forbidden, "m", hint: "rights").adviceForStar == "rights")
    let late = SearchError(.timeout, "m")
    #expect(late.advice(hasTimeLimit: false) == "check the network connection, or try again in a moment")
    let proxy = SearchError(.unreachable, "m", hint: "check the proxy in HTTPS_PROXY")
    #expect(proxy.advice(hasTimeLimit: false) == "check the proxy in HTTPS_PROXY")
    let limit = SearchError(.rateLimited, "m", hint: "try again in 7 s", retryAfterMilliseconds: 7000)
    #expect(limit.advice(hasTimeLimit: false) == "try again in 7 s")
  }

  /// Only a search can be limited to clones.
  @Test func ofAValidation() async throws {
    try await withIsolatedHome { home in
      let manifest = try home.directory.writeShop("shop.yaml", at: "\(nobody)/find")
      let outcome = await forage(["plugin", "validate", manifest.path], in: variables(home))
      #expect(outcome.out.contains("the description is valid") && outcome.err.contains("was not tested"))
      #expect(!outcome.err.contains("only clones"), "\(outcome.err)")
    }
  }

  /// An incomplete installation is named with the places that were searched.
  @Test func withoutBundledManifests() async throws {
    let outcome = try await forage(["providers", "enable", "gitlab"])
    let first = try #require(outcome.err.split(separator: "\n").first)
    #expect(outcome.status == .usage)
    #expect(
      first.contains("there is no provider \"gitlab\": no bundled manifests were found in /"), "\(first)")
    #expect(first.contains("/share/forage/providers, "), "\(first)")
  }
}

/// What a hint advises works.
struct HintTests {
  /// Runs commands with a forge and with a clone in the catalogue.
  private func withWorld(
    _ github: FakeGitHub,
    _ body: (_ clone: String, _ run: (_ arguments: String) async -> Outcome) async throws -> Void
  ) async throws {
    let repository = try await TemporaryRepository.make("tool")
    try await repository.commit(files: [
      "a.c": String(repeating: "needle\n", count: 9), "b.c": "int parse(void) { return (1); }\n",
    ])
    let clone = repository.path
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let environment = variables(
          home, server.baseURL, adding: ["GH_ENTERPRISE_TOKEN": "t0ken-of-the-test"])
        #expect(await forage(["clones", "add", clone], in: environment).status == .success)
        try await body(clone) { arguments in
          let words = arguments.split(separator: " ").map { $0.replacing("CLONE", with: clone) }
          return await forage(words.map(String.init), in: environment)
        }
      }
    }
  }

  /// A command, its hint, and the command that does what the hint says; `CLONE` is the path of the clone.
  private static let commands = [
    ("search x --order asc", "for example: --sort stars --order asc", "search x --sort stars --order asc"),
    (
      "search x -k issue --order asc", "for example: --sort comments --order asc",
      "search x -k issue --sort comments --order asc"
    ),
    (
      "search x -k code --order asc", "for example: --sort indexed --order asc",
      "search x -k code --sort indexed --order asc"
    ),
    (
      "search x -k commit --order asc", "for example: --sort author-date --order asc",
      "search x -k commit --sort author-date --order asc"
    ),
    (
      "search x -k user --order asc", "for example: --sort followers --order asc",
      "search x -k user --sort followers --order asc"
    ),
    (
      "search x -k topic --order asc", "no order can be chosen for these results; leave it out",
      "search x -k topic"
    ),
    ("search x --limit 0", "for example: --limit 100", "search x --limit 100"),
    ("search x --timeout 0", "for example: --timeout 2.5", "search x --timeout 2.5"),
    ("search x -k code --matches 0", "for example: --matches 100", "search x -k code --matches 100"),
    ("search x -k code --format json -C 99", "for example: -C 20", "search x -k code --format json -C 20"),
    ("search x --matches 5", "add -k code, or leave --matches out", "search x --matches 5 -k code"),
    ("search x -k repoz", "did you mean repo?", "search x -k repo"),
    ("search x -p githb", "did you mean github?", "search x -p github"),
    ("search x --sort star", "did you mean stars?", "search x --sort stars"),
    ("search x --sort stars --order up", "for example: --order asc", "search x --sort stars --order asc"),
    ("search x --format foo", "for example: --format auto", "search x --format auto"),
    ("search x --archived=maybe", "for example: --archived=false", "search x --archived=false"),
    ("search x --visibility y", "for example: --visibility public", "search x --visibility public"),
    ("search x --jsn id", "did you mean --json?", "search x --json id"),
    ("search x stars:y", "write, for example, stars:>100, or stars:10..50", "search x stars:10..50"),
    (
      "search x created:soon", "write, for example, created:>=2024-01-31, or created:2024-01-01..2024-12-31",
      "search x created:>=2024-01-31"
    ),
    ("search x archived:maybe", "write, for example, archived:true", "search x archived:true"),
    (
      "search x stars:", "write the value directly after the colon, for example stars:>100",
      "search x stars:>100"
    ),
    ("search x sort:", "write, for example, sort:stars or sort:updated-asc", "search x sort:updated-asc"),
    ("search x state:opn -k issue", "did you mean state:open?", "search x state:open -k issue"),
    ("search x lenguage:swift", "did you mean language:swift?", "search x language:swift"),
    ("search x is:pr", "leave it out, or use -k pr", "search x -k pr"),
    ("search x label:bug", "leave it out, or use -k issue", "search x label:bug -k issue"),
    ("search x author:kim", "leave it out, or use -k commit,issue", "search x author:kim -k commit,issue"),
    ("search x symbol:parse", "leave it out, or use -k code", "search x symbol:parse -k code"),
    ("search /need.e/", "leave it out, or use -k code", "search /need.e/ -k code"),
    (
      "search x -k commit --match name", "leave it out, or use -k code,issue,repo,user",
      "search x --match name -k code,issue,repo,user"
    ),
    (
      "search needle -k code -R CLONE", "to print every line of each file, add --matches 9",
      "search needle -k code -R CLONE --matches 9"
    ),
    (
      "search needle -k code -R CLONE --matches 2 --vimgrep", "leave --matches out to print all",
      "search needle -k code -R CLONE --vimgrep"
    ),
    (
      "search needle -k code -p local -C 2 --vimgrep",
      "leave --vimgrep out and add --format table or --format json for the lines around matches",
      "search needle -k code -p local -C 2 --format table"
    ),
    (
      "search needle -k code -p local -C 2 --format tsv --matches 9",
      "add --format table or --format json for the lines around matches",
      "search needle -k code -p local -C 2 --format json"
    ),
    (
      "search repos x --explain --json fullName",
      "leave it out, or use -k repo in place of repos, with its own fields",
      "search x --explain -k repo --json title"
    ),
    (
      "search prs x --json number -p local", "use -k pr in place of prs for the fields of every provider",
      "search x --json number -k pr -p github,local"
    ),
    ("search --repo nosuch x", "for example: --repo apple/swift-nio", "search --repo apple/swift-nio x"),
    (
      "search x --next", "leave out the query: forage search --next; or leave out --next for a new list",
      "search x"
    ),
    ("feed --seed 1", "for example: --sample 5 --seed 1", "feed --sample 5 --seed 1"),
    ("feed --sample 5 --seed x", "for example: --seed 1", "feed --sample 5 --seed 1"),
    ("feed -k issue", "kinds here: notification, repo", "feed -k repo"),
    (
      "clones list --order asc", "for example: --sort size --order asc",
      "clones list --sort size --order asc"
    ),
    ("clones list --stale x", "for example: --stale 90d", "clones list --stale 90d"),
    ("clones list nosuch", "list all with: forage clones list", "clones list"),
    ("clones list --dirty", "list all with: forage clones list --status", "clones list --status"),
    ("clones ignore --remove", "see what is: forage clones ignore", "clones ignore"),
    ("favorite list", "add one with: forage favorite add owner/name", "favorite add owner/name"),
    ("favorite remove a/b", "see: forage favorite list", "favorite list"),
    ("completion", "for example: forage completion bash", "completion bash"),
    ("completion bsh", "did you mean bash?", "completion bash"),
    ("providers show githb", "did you mean github?", "providers show github"),
    ("providers disable githb", "did you mean github?", "providers disable github"),
    ("providers enable githb", "did you mean github?", "providers enable github"),
    ("mcp --print-config foo", "for example: --print-config claude", "mcp --print-config claude"),
    ("pr list", "to search for these, run: forage search -k pr QUERY (see: forage --help)", "search -k pr x"),
    ("serch x", "did you mean search? (see: forage --help)", "search x"),
    (
      "inspect --list-sections --format html", "for example: --list-sections --format markdown",
      "inspect --list-sections --format markdown"
    ),
    ("inspect CLONE --only nosuch", "see: forage inspect --list-sections", "inspect --list-sections"),
    ("inspect CLONE --only chrun", "did you mean churn?", "inspect CLONE --only churn"),
    (
      "grep --symbol parse -w CLONE", "--symbol NAME finds the lines that define a name",
      "grep --symbol parse CLONE"
    ),
    (
      "grep --symbol main --pre x CLONE",
      "these can: -i -s -S -g -t -T -A -B -C -m -n -N -H -I -l -c -o -q -0 --column --vimgrep --heading --color --json",
      "grep --symbol main -l CLONE"
    ),
    ("grep --ref main ( CLONE", "use -F for a literal text", "grep --ref main -F ( CLONE"),
    ("grep --symbol main -t swif CLONE", "did you mean swift?", "grep --symbol main -t swift CLONE"),
    ("grep --symbol", "see: forage help grep", "help grep"),
  ]

  @Test func commandsDoWhatTheyAdvise() async throws {
    let github = FakeGitHub(repositories: threeRepositories + [FakeRepository(id: 9, fullName: "owner/name")])
    {
      $0.accounts = ["kim"]
    }
    try await withWorld(github) { clone, run in
      for (command, advice, advised) in Self.commands {
        let hint = advice.replacing("CLONE", with: clone)
        let mistaken = await run(command)
        let lines = mistaken.err.split(separator: "\n")
        #expect(lines.contains("hint: \(hint)"), "\(command): \(mistaken.err)")
        let followed = await run(advised)
        #expect([.success, .nothingFound].contains(followed.status), "\(advised): \(followed.err)")
        for line in followed.err.split(separator: "\n") where line.hasPrefix("forage: ") {
          let isOther = !lines.contains(line) || line == "forage: nothing found"
          #expect(isOther && !line.contains("not supported"), "\(advised): \(followed.err)")
        }
      }
    }
  }

  /// What divides a search that has more results than GitHub returns is known for its kind.
  @Test(arguments: [
    ("code", "narrow the search, for example by language: or repo:", "language:swift repo:apple/swift-nio"),
    ("topic", "split the search, for example by created: ranges", "created:>2020-01-01"),
  ])
  func moreThanCanBeReached(_ kind: String, _ hint: String, _ qualifiers: String) async throws {
    let github = FakeGitHub(repositories: threeRepositories)
    let repository = #"{"full_name":"apple/swift-nio"}"#
    let page = "https://github.com/apple/swift-nio/blob/main/x"
    let item = #"{"name":"x","path":"x","html_url":"\#(page)","repository":\#(repository)}"#
    let body = #"{"total_count":3000,"incomplete_results":false,"items":[\#(item)]}"#
    github.fail(.custom(.json(status: 200, body: body)), path: "/search/")
    try await withWorld(github) { _, run in
      let cut = await run("search x -p github -k \(kind) -L 1500")
      #expect(cut.err.contains("returns at most 1,000 of 3,000 results\nhint: \(hint)\n"), "\(cut.err)")
      let followed = await run("search x -p github -k \(kind) -L 1500 \(qualifiers)")
      #expect(followed.status == .success && !followed.err.contains("not supported"), "\(followed.err)")
    }
  }

  /// Settings with a mistake, the hint, and the settings that it names.
  @Test(arguments: [
    ("providers: x", "for example: providers: {github: {weight: 2}}", "providers: {github: {weight: 2}}"),
    (
      "providers: {github: 3}", "for example: github: {enabled: true}", "providers: {github: {enabled: true}}"
    ),
    ("provider: {}", "did you mean \"providers\"?", "providers: {}"),
    (
      "providers: {foo: {}}",
      "to add a server, write: foo: {type: github, url: \"https://HOST/api/v3\"}; a plugin must be installed first",
      "providers: {foo: {type: github, url: \"https://HOST/api/v3\"}}"
    ), ("clones: {root: x}", "for example: root: ~/src, or root: /home/me/src", "clones: {root: ~/src}"),
    (
      "clones: {ignore: [!x]}", "write the value out, or put it in quotes on one line",
      "clones: {ignore: [\"!x\"]}"
    ),
  ])
  func settings(_ mistaken: String, _ hint: String, _ advised: String) async throws {
    try await withIsolatedHome { home in
      for (text, isMistaken) in [(mistaken, true), (advised, false)] {
        try home.writeConfig("forage/config.yaml", text + "\n")
        let outcome = await forage(["search", "x", "-p", "local"], in: variables(home))
        #expect(outcome.err.contains("hint: \(hint)\n") == isMistaken, "\(text): \(outcome.err)")
        #expect(isMistaken || !outcome.err.contains("config.yaml"), "\(text): \(outcome.err)")
      }
    }
  }
}
