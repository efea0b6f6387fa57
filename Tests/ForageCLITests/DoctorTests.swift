import Forage
import ForageCLI
import ForageCore
import Foundation
import TestSupport
import Testing

/// `forage doctor` to exact bytes: limits and the cache.
struct DoctorTests {
  /// What GitHub answers to `/rate_limit`; times count from `Capture.now`.
  private static let limits = """
    {"resources": {"core": {"limit": 5000, "used": 1, "remaining": 4999, "reset": 1767227400},
    "search": {"limit": 30, "used": 30, "remaining": 0, "reset": 1767225642},
    "code_search": {"limit": 10, "used": 0, "remaining": 10, "reset": "x"},
    "graphql": {"limit": 5000, "used": 0, "remaining": 5000, "reset": 1767229200}}, "rate": {}}
    """

  private static let secret = "t0psecret"

  /// Runs it with a token; the host is written as HOST, the home as HOME, and the folders without manifests
  /// as FOLDERS.
  private func doctor(
    _ arguments: [String] = [], columns: Int? = nil, _ github: FakeGitHub = healthy, path: String = "",
    prepare: (IsolatedHome) throws -> Void = { _ in }
  ) async throws -> Outcome {
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let host = "127.0.0.1:\(server.port)"
        try prepare(home)
        let environment = variables(
          home, server.baseURL + path, adding: ["GH_ENTERPRISE_TOKEN": Self.secret])
        let outcome = await forage(["doctor"] + arguments, in: environment, columns: columns)
        // No manifests are beside a program of tests.
        let missing = InstalledProviders(
          environment: environment, paths: Paths(environment: environment), onlyOwn: false
        ).missingBundle
        func neutral(_ text: String) -> String {
          text.replacing(host, with: "HOST").replacing(home.home.path, with: "HOME")
            .replacing(missing ?? "?", with: "no bundled manifests were found in FOLDERS")
        }
        return Outcome(status: outcome.status, out: neutral(outcome.out), err: neutral(outcome.err))
      }
    }
  }

  private static var healthy: FakeGitHub {
    let github = FakeGitHub(repositories: threeRepositories)
    github.fail(.custom(.json(body: limits)), path: "/rate_limit")
    return github
  }

  /// The lines of a check, without its name.
  private func lines(_ name: String, _ outcome: Outcome) -> [String] {
    outcome.out.split(separator: "\n").filter { $0.hasPrefix(name + "\t") }.map {
      String($0.dropFirst(name.count + 1))
    }
  }

  @Test func everything() async throws {
    let pipe = try await doctor()
    #expect(
      pipe.out == """
        settings\tok\tHOME/.config/forage/config.yaml does not exist; defaults are used\t
        manifest\twarning\tno bundled manifests were found in FOLDERS\t\
        install Forage with its share folder, or install a manifest with: forage plugin install FILE
        store\tok\tHOME/.local/share/forage/forage.db does not exist yet\tadd a folder of clones with: forage clones add DIR
        cache\tok\tHOME/.cache/forage does not exist yet\t
        grep\twarning\trg (ripgrep), which forage grep runs, is not installed\ton Debian, run: apt install ripgrep
        token\tok\tfor HOST from GH_ENTERPRISE_TOKEN: valid, account octocat, scopes repo, read:org\t
        github\tok\tanswers\t
        limit\tok\tcore of HOST: 4999 of 5000 requests left, reset at 00:30:00 UTC (in 30 min)\t
        limit\twarning\tsearch of HOST: 0 of 30 requests left, reset at 00:00:42 UTC (in 42 s)\t\
        wait, or search with a --timeout beyond its end
        limit\tok\tcode_search of HOST: 10 of 10 requests left\t

        """)
    #expect(pipe.status == .success && pipe.err == "")
    let terminal = try await doctor(columns: 80)
    #expect(
      terminal.out.hasSuffix(
        """
        ok      limit: core of HOST: 4999 of 5000 requests left, reset at
                00:30:00 UTC (in 30 min)
        warning limit: search of HOST: 0 of 30 requests left, reset at
                00:00:42 UTC (in 42 s)
                wait, or search with a --timeout beyond its end
        ok      limit: code_search of HOST: 10 of 10 requests left

        """))
    // A path is not broken within the line, so that it can be copied.
    let narrow = try await doctor(columns: 60)
    #expect(
      narrow.out.hasPrefix(
        """
        ok      settings:
                HOME/.config/forage/config.yaml
                does not exist; defaults are used

        """), "\(narrow.out)")
    let json = try await doctor(["--format", "ndjson"])
    #expect(
      json.out.hasSuffix(
        #"{"name":"limit","verdict":"ok","message":"code_search of HOST: 10 of 10 requests left"}"# + "\n"))
  }

  /// An Enterprise server without limits says 404, and so does an address that is none of an API's.
  @Test func limitsSwitchedOff() async throws {
    let enterprise = FakeGitHub(repositories: threeRepositories) { $0.limits = .absent }
    let off = try await doctor([], enterprise, path: "/api/v3")
    #expect(lines("github", off) == ["ok\tanswers, without limits\t"] && lines("limit", off).isEmpty)
    #expect(off.status == .success)
    // A server that has nothing but the search answers as well.
    for path in ["/meta", "/user"] { enterprise.fail(.notFound, path: path) }
    let searching = try await doctor([], enterprise, path: "/api/v3")
    #expect(lines("github", searching) == ["ok\tanswers, without limits\t"])
    enterprise.fail(.notFound)
    let wrong = try await doctor([], enterprise, path: "/api/v3")
    #expect(lines("github", wrong).first?.hasPrefix("problem\tGitHub at HOST answers, but not as") == true)
    #expect(wrong.status == .failed)
  }

  /// The token is tested, and what is broken besides the settings is status 4.
  @Test func tokens() async throws {
    let refusing = Self.healthy
    refusing.fail(.badCredentials)
    let refused = try await doctor([], refusing)
    #expect(refused.status == .failed)
    #expect(lines("token", refused).first?.hasPrefix("problem\t") == true)
    #expect(lines("token", refused).first?.contains("GH_ENTERPRISE_TOKEN") == true)
    #expect(lines("github", refused) == ["ok\tanswers\t"])

    let fineGrained = Self.healthy
    fineGrained.update { $0.scopes = nil }
    let other = try await doctor([], fineGrained)
    #expect(lines("token", other).first?.contains("fine-grained") == true && other.status == .success)

    let broken = FakeGitHub(repositories: threeRepositories)
    broken.fail(.serverError)
    let unknown = try await doctor([], broken)
    #expect(lines("token", unknown).first?.hasPrefix("warning\t") == true)
    #expect(lines("github", unknown).first?.hasPrefix("problem\t") == true && unknown.status == .failed)
    for outcome in [refused, other, unknown] { #expect(!outcome.out.contains(Self.secret)) }
  }

  /// What the server does not permit to a token that it accepts.
  @Test func restrictionsOfTheToken() async throws {
    let github = Self.healthy
    github.update { $0.refusesMixedIssues = true }
    let outcome = try await doctor([], github)
    let token = lines("token", outcome)
    #expect(
      outcome.status == .success && token.count == 2
        && token.last?.hasPrefix("warning\tfor HOST from ") == true)
    #expect(token.last?.contains("cannot search for issues and pull requests at once") == true, "\(token)")
    #expect(token.last?.hasSuffix("add is:issue or is:pr to a search that needs only these") == true)
  }

  /// What is wrong with the source of a token is a check, and is told nowhere else.
  @Test func aTokenAtFault() async throws {
    try await withGitHub(Self.healthy) { server in
      try await withIsolatedHome { home in
        let outcome = await forage(
          ["doctor"],
          in: variables(home, server.baseURL, adding: ["GH_ENTERPRISE_TOKEN": "Bearer \(Self.secret)"]))
        let fault = "GH_ENTERPRISE_TOKEN is not a token: it has spaces or characters that are not ASCII"
        let hint = "set GH_ENTERPRISE_TOKEN to the token alone, without a word such as Bearer"
        let token = lines("token", outcome)
        #expect(token.first == "warning\t\(fault)\t\(hint)" && token.count == 2, "\(token)")
        #expect(outcome.out.components(separatedBy: fault).count == 2 && !outcome.out.contains(Self.secret))
        #expect(outcome.status == .success && outcome.err == "")
      }
    }
  }

  /// A token that is for the usual host alone is told where another host has none.
  @Test func aTokenOfTheUsualHost() async throws {
    try await withGitHub(Self.healthy) { server in
      try await withIsolatedHome { home in
        let outcome = await forage(
          ["doctor"], in: variables(home, server.baseURL, adding: ["GITHUB_TOKEN": Self.secret]))
        let token = lines("token", outcome)
        #expect(token.count == 1 && token.first?.hasPrefix("ok\tnone for ") == true, "\(token)")
        #expect(token.first?.hasSuffix("; GITHUB_TOKEN is for github.com only") == true, "\(token)")
        #expect(!outcome.out.contains(Self.secret) && outcome.status == .success)
      }
    }
  }

  @Test func anUnreachableServerIsAProblem() async throws {
    try await withIsolatedHome { home in
      for extra in [[:], ["GH_ENTERPRISE_TOKEN": Self.secret]] {
        let outcome = await forage(["doctor"], in: variables(home, adding: extra))
        #expect(outcome.status == .failed && lines("github", outcome).first?.hasPrefix("problem\t") == true)
        // No hint leads back to the command itself.
        #expect(!outcome.out.contains("forage doctor"))
      }
    }
  }

  /// Wrong settings are status 2, whatever else is wrong; settings for a provider that is gone are a warning.
  @Test func settings() async throws {
    let refusing = Self.healthy
    refusing.fail(.badCredentials)
    let wrong = try await doctor([], refusing) { home in
      try home.writeConfig("forage/config.yaml", "providers:\n  github: {wieght: 2}\n")
    }
    #expect(wrong.status == .usage && lines("settings", wrong).first?.hasPrefix("problem\t") == true)
    let gone = try await doctor { home in
      try home.writeConfig("forage/config.yaml", "providers:\n  acme: {weight: 2}\n")
    }
    #expect(gone.status == .success)
    #expect(lines("settings", gone).count == 2)
    #expect(lines("settings", gone).last?.hasPrefix("warning\tHOME/.config/forage/config.yaml:2: ") == true)
    #expect(lines("settings", gone).last?.contains("\"acme\"") == true)
  }

  /// Only `doctor` and `providers` report settings for a provider that is gone.
  @Test func otherCommandsDoNotReportSettings() async throws {
    try await withGitHub(FakeGitHub(repositories: threeRepositories)) { server in
      try await withIsolatedHome { home in
        try home.writeConfig("forage/config.yaml", "providers:\n  acme: {weight: 2}\n")
        let environment = variables(home, server.baseURL)
        for arguments in [["search", "http"], ["show", "nemo/http"], ["favorite", "list"]] {
          #expect(await !forage(arguments, in: environment).err.contains("acme"), "\(arguments)")
        }
        let providers = await forage(["providers"], in: environment)
        #expect(providers.status == .success && providers.err.contains("\"acme\""))
      }
    }
  }

  @Test func answersOfTheCache() async throws {
    let outcome = try await doctor { home in
      for name in ["0a/1", "0a/2", "0b/1"] {
        try home.directory.write("home/.cache/forage/answers/\(name)", String(repeating: "x", count: 2000))
      }
    }
    #expect(lines("cache", outcome) == ["ok\tHOME/.cache/forage holds 3 answers, 6 kB of 268 MB\t"])
    #expect(outcome.status == .success)
  }

  /// Nothing of the cache is worth more than a warning.
  @Test func placesThatAreNoCache() async throws {
    let file = try await doctor { home in try home.directory.write("home/.cache/forage", "") }
    #expect(
      lines("cache", file) == [
        "warning\tHOME/.cache/forage is not a folder, so no answer is cached\tmove it away, or set XDG_CACHE_HOME"
      ])
    let above = try await doctor { home in
      try FileManager.default.removeItem(at: home.cache)
      try home.directory.write("home/.cache", "")
    }
    #expect(
      lines("cache", above) == [
        "warning\tHOME/.cache/forage cannot be created, so no answer is cached\t"
          + "check its permissions, or set XDG_CACHE_HOME to another folder"
      ])
    for outcome in [file, above] { #expect(outcome.status == .success) }
    let answers = try await doctor { home in try home.directory.write("home/.cache/forage/answers", "") }
    #expect(
      lines("cache", answers) == [
        "warning\tHOME/.cache/forage/answers is not a folder, so no answer is cached\tdelete it"
      ])
  }
}
