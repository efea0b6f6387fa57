import Forage
import ForageCLI
import ForageCore
import ForageHTTP
import ForageStore
import Foundation
import TestSupport
import Testing

/// `forage doctor` to exact bytes: limits, circuits and the cache.
struct DoctorTests {
  /// What GitHub answers to `/rate_limit`; times count from `Capture.now`.
  private static let limits = """
    {"resources": {"core": {"limit": 5000, "used": 1, "remaining": 4999, "reset": 1767227400},
    "search": {"limit": 30, "used": 30, "remaining": 0, "reset": 1767225642},
    "code_search": {"limit": 10, "used": 0, "remaining": 10, "reset": "x"},
    "graphql": {"limit": 5000, "used": 0, "remaining": 5000, "reset": 1767229200}}, "rate": {}}
    """

  private static let secret = "t0psecret"
  private static var fingerprint: String { secret.utf8.fingerprint }

  /// Runs it with a token; the host is written as HOST, the home as HOME, and the folders without manifests as FOLDERS.
  private func doctor(
    _ arguments: [String] = [], columns: Int? = nil, _ github: FakeGitHub = healthy, path: String = "",
    prepare: (IsolatedHome, String) throws -> Void = { _, _ in }
  ) async throws -> Outcome {
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let host = "127.0.0.1:\(server.port)"
        try prepare(home, host)
        let environment = variables(
          home, server.baseURL + path, adding: ["GH_ENTERPRISE_TOKEN": Self.secret])
        let outcome = await forage(["doctor"] + arguments, in: environment, columns: columns)
        // No manifests are beside a program of tests.
        let missing = InstalledProviders(
          environment: environment, directories: Directories(environment: environment), onlyOwn: false
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

  private static func limitsFile(_ home: IsolatedHome) -> CacheStore {
    CacheStore(path: home.cache.path + "/forage/limits.db")
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
    #expect(wrong.status == .noAnswer)
  }

  /// The token is tested, and what is broken besides the settings is status 4.
  @Test func tokens() async throws {
    let refusing = Self.healthy
    refusing.fail(.badCredentials)
    let refused = try await doctor([], refusing)
    #expect(refused.status == .noAnswer)
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
    #expect(lines("github", unknown).first?.hasPrefix("problem\t") == true && unknown.status == .noAnswer)
    for outcome in [refused, other, unknown] { #expect(!outcome.out.contains(Self.secret)) }
  }

  @Test func anUnreachableServerIsAProblem() async throws {
    try await withIsolatedHome { home in
      for extra in [[:], ["GH_ENTERPRISE_TOKEN": Self.secret]] {
        let outcome = await forage(["doctor"], in: variables(home, adding: extra))
        #expect(outcome.status == .noAnswer && lines("github", outcome).first?.hasPrefix("problem\t") == true)
        // No hint leads back to the command itself.
        #expect(!outcome.out.contains("forage doctor"))
      }
    }
  }

  /// Wrong settings are status 2, whatever else is wrong; settings for a provider that is gone are a warning.
  @Test func settings() async throws {
    let refusing = Self.healthy
    refusing.fail(.badCredentials)
    let wrong = try await doctor([], refusing) { home, _ in
      try home.writeConfig("forage/config.yaml", "providers:\n  github: {wieght: 2}\n")
    }
    #expect(wrong.status == .usage && lines("settings", wrong).first?.hasPrefix("problem\t") == true)
    let gone = try await doctor { home, _ in
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

  @Test func keptLimits() async throws {
    let outcome = try await doctor { home, host in
      let (store, now) = (Self.limitsFile(home), Capture.now)
      func record(_ scope: String, _ budget: RateBudget) throws {
        try store.record(scope: scope, budget, now: now)
      }
      try record("\(host) \(Self.fingerprint) search", .init(limit: 30, remaining: 0, resetAt: now + 42))
      try record("\(host) \(Self.fingerprint) core", .init(limit: 5000, remaining: 9, resetAt: now + 42))
      try record("\(host) anonymous search", .init(blockedUntil: now + 90, strikes: 1))
      try record("ghe.example 0000abcd code_search", .init(blockedUntil: now + 480, strikes: 4))
      try record("old.example \(Self.fingerprint) core", .init(limit: 60, remaining: 0, resetAt: now + 42))
      try record("ghe.example anonymous core", .init(limit: 60, remaining: 0, resetAt: now - 1, strikes: 1))
    }
    let kept = lines("limit", outcome).filter { $0.contains("no request until") }
    #expect(
      kept == [
        "warning\tsearch to HOST, with the token from GH_ENTERPRISE_TOKEN: no request until 00:00:42 UTC (in 42 s), "
          + "because the limit is exceeded\twait, or search with a --timeout beyond its end",
        "warning\tsearch to HOST, without a token: no request until 00:01:30 UTC (in 1 min 30 s), "
          + "because the server asked for a pause\tnothing is to be done: requests of now do not count there",
        "warning\tcode_search to ghe.example, with another token: no request until 00:08:00 UTC (in 8 min), "
          + "because the server asked for a pause (refused 4 times in a row)\t"
          + "nothing is to be done: requests of now do not count there",
        "warning\tcore to old.example, with the token from GH_ENTERPRISE_TOKEN: no request until 00:00:42 UTC (in 42 s), "
          + "because the limit is exceeded\tnothing is to be done: requests of now do not count there",
      ])
    // Exceeded limits do not prevent the request for what is left, which counts against none.
    #expect(lines("github", outcome) == ["ok\tanswers\t"])
    #expect(!outcome.out.contains(Self.secret) && !outcome.out.contains(Self.fingerprint))
  }

  @Test func keptCircuits() async throws {
    let outcome = try await doctor { home, host in
      let (store, now) = (Self.limitsFile(home), Capture.now)
      let known: [(String, Circuit)] = [
        ("\(host) anonymous", .init(failures: 3, openUntil: now + 5, reason: "no \u{1B}[2Jroute")),
        ("\(host) 00", .init(failures: 4, openUntil: now - 5, probeUntil: now + 5, reason: "refused")),
        ("\(host) 01", .init(failures: 2, reason: "refused")),
        // Of an earlier version, which did not send refused tokens again.
        ("\(host) 02", .init(failures: 0, openUntil: .distantFuture, reason: "unauthorized")),
        // No provider has this host any more.
        ("a.example anonymous", .init(failures: 4, openUntil: now - 5, reason: "refused")),
      ]
      for (scope, circuit) in known { try store.change(scope) { _ in circuit } }
    }
    #expect(
      lines("server", outcome) == [
        "warning\tHOST, with another token: 4 failures in a row (refused); each command tries once\t"
          + "check the network connection",
        "warning\tHOST, without a token: 3 failures in a row (no ␛[2Jroute); each command tries once\t"
          + "check the network connection",
      ])
    let tokens = lines("token", outcome)
    #expect(tokens.count == 1 && tokens[0].contains("valid, account octocat"))
    #expect(lines("github", outcome) == ["ok\tanswers\t"] && outcome.status == .success)
  }

  @Test func answersOfTheCache() async throws {
    let outcome = try await doctor { home, _ in
      let store = CacheStore(path: home.cache.path + "/forage/answers.db")
      for key in ["a", "b"] {
        try store.store(
          key,
          HTTPCacheEntry(
            status: 200, headers: [], body: [UInt8](repeating: 1, count: 1999), storedAt: Date(),
            validatedAt: Date()))
      }
    }
    #expect(lines("cache", outcome) == ["ok\tHOME/.cache/forage holds 2 answers, 4 kB of 268 MB\t"])
    #expect(outcome.status == .success)
  }

  /// Nothing of the cache is worth more than a warning.
  @Test func placesThatAreNoCache() async throws {
    let file = try await doctor { home, _ in try home.directory.write("home/.cache/forage", "") }
    #expect(
      lines("cache", file) == [
        "warning\tHOME/.cache/forage is not a folder, so no answer is cached\tmove it away, or set XDG_CACHE_HOME"
      ])
    let above = try await doctor { home, _ in
      try FileManager.default.removeItem(at: home.cache)
      try home.directory.write("home/.cache", "")
    }
    #expect(
      lines("cache", above) == [
        "warning\tHOME/.cache/forage cannot be created, so no answer is cached\t"
          + "check its permissions, or set XDG_CACHE_HOME to another folder"
      ])
    for outcome in [file, above] { #expect(outcome.status == .success) }
    let database = try await doctor { home, _ in
      try home.directory.makeDirectory("home/.cache/forage/answers.db")
    }
    #expect(lines("cache", database).count == 1)
    #expect(
      lines("cache", database).first?.hasPrefix("warning\tthe cache HOME/.cache/forage/answers.db ") == true)
  }
}
