import ForageHTTP
import ForageStore
import Foundation
import TestSupport
import Testing

@testable import ForageCLI

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
  private static var fingerprint: String { CredentialFingerprint.of(secret) }

  /// Runs it with a token; the host is written as HOST, the home as HOME.
  private func doctor(
    _ arguments: [String] = [], columns: Int? = nil, _ github: FakeGitHub = healthy, path: String = "",
    prepare: (IsolatedHome, String) throws -> Void = { _, _ in }
  ) async throws -> Outcome {
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let host = "127.0.0.1:\(server.port)"
        try prepare(home, host)
        let outcome = await forage(
          ["doctor"] + arguments,
          in: variables(home, server.baseURL + path, adding: ["GH_ENTERPRISE_TOKEN": Self.secret]),
          columns: columns)
        func neutral(_ text: String) -> String {
          text.replacing(host, with: "HOST").replacing(home.home.path, with: "HOME")
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
        settings\tok\tHOME/.config/forage/config.yaml is not there; defaults are used\t
        store\tok\tthere is none yet\tadd a folder of clones with: forage clones add DIR
        cache\tok\tHOME/.cache/forage is not there yet\t
        token\tok\tfor HOST from GH_ENTERPRISE_TOKEN\t
        github\tok\tanswers\t
        limit\tok\tcore of HOST: 4999 of 5000 left, anew at 00:30:00 UTC (in 30 min)\t
        limit\twarning\tsearch of HOST: 0 of 30 left, anew at 00:00:42 UTC (in 42 s)\t\
        a search with a --timeout that is long enough waits for it
        limit\tok\tcode_search of HOST: 10 of 10 left\t

        """)
    #expect(pipe.status == .success && pipe.err == "")
    let terminal = try await doctor(columns: 80)
    #expect(
      terminal.out.hasSuffix(
        """
        ok      limit: core of HOST: 4999 of 5000 left, anew at 00:30:00 UTC (in 30 min)
        warning limit: search of HOST: 0 of 30 left, anew at 00:00:42 UTC (in 42 s)
                a search with a --timeout that is long enough waits for it
        ok      limit: code_search of HOST: 10 of 10 left

        """))
    let json = try await doctor(["--format", "ndjson"])
    #expect(
      json.out.hasSuffix(
        #"{"name":"limit","verdict":"ok","message":"code_search of HOST: 10 of 10 left"}"# + "\n"))
  }

  /// An Enterprise server without limits says 404, and so does an address that is none of an API's.
  @Test func limitsSwitchedOff() async throws {
    let enterprise = FakeGitHub(repositories: threeRepositories) { $0.limits = .absent }
    let off = try await doctor([], enterprise, path: "/api/v3")
    #expect(lines("github", off) == ["ok\tanswers, without limits\t"] && lines("limit", off).isEmpty)
    enterprise.fail(.notFound)
    let wrong = try await doctor([], enterprise, path: "/api/v3")
    #expect(lines("github", wrong).first?.hasPrefix("warning\tGitHub at HOST ") == true)
  }

  @Test func keptLimits() async throws {
    let outcome = try await doctor { home, host in
      let (store, now) = (Self.limitsFile(home), Capture.now)
      func record(_ scope: String, _ budget: ForageStore.RateBudget) throws {
        try store.record(scope: scope, budget, now: now)
      }
      try record("\(host) \(Self.fingerprint) search", .init(limit: 30, remaining: 0, resetAt: now + 42))
      try record("\(host) \(Self.fingerprint) core", .init(limit: 5000, remaining: 9, resetAt: now + 42))
      try record("\(host) anonymous search", .init(blockedUntil: now + 90, strikes: 1))
      try record("ghe.example 0000abcd code_search", .init(blockedUntil: now + 480, strikes: 4))
      try record("ghe.example anonymous core", .init(limit: 60, remaining: 0, resetAt: now - 1, strikes: 1))
    }
    let kept = lines("limit", outcome).filter { $0.contains("nothing is sent") }
    #expect(
      kept == [
        "warning\tsearch of HOST, with the token from GH_ENTERPRISE_TOKEN: nothing is sent until 00:00:42 UTC (in 42 s), "
          + "because the limit is spent\ta search with a --timeout that is long enough waits for it",
        "ok\tsearch of HOST, without a token: nothing is sent until 00:01:30 UTC (in 1 min 30 s), "
          + "because the server wants a pause\t",
        "ok\tcode_search of ghe.example, with another token: nothing is sent until 00:08:00 UTC (in 8 min), "
          + "because the server wants a pause (refused 4 times in a row)\t",
      ])
    // Spent limits do not keep from asking what is left, which costs nothing.
    #expect(lines("github", outcome) == ["ok\tanswers\t"])
    #expect(!outcome.out.contains(Self.secret) && !outcome.out.contains(Self.fingerprint))
  }

  @Test func keptCircuits() async throws {
    let outcome = try await doctor { home, host in
      let (store, now) = (Self.limitsFile(home), Capture.now)
      let known: [(String, ForageStore.Circuit)] = [
        (
          "\(host) \(Self.fingerprint)", .init(failures: 0, openUntil: .distantFuture, reason: "unauthorized")
        ),
        ("a.example anonymous", .init(failures: 3, openUntil: now + 5, reason: "no \u{1B}[2Jroute")),
        ("b.example anonymous", .init(failures: 4, openUntil: now - 5, reason: "refused")),
        ("c.example 00", .init(failures: 4, openUntil: now - 5, probeUntil: now + 5, reason: "refused")),
        ("d.example anonymous", .init(failures: 2, reason: "refused")),
      ]
      for (scope, circuit) in known { try store.change(scope, now: now) { _ in circuit } }
    }
    #expect(
      lines("circuit", outcome) == [
        "warning\tHOST, with the token from GH_ENTERPRISE_TOKEN: it was refused, and is not sent again\t"
          + "set another token, or try this one once with: forage search QUERY -p github",
        "ok\ta.example, without a token: not asked until 00:00:05 UTC (in 5 s), after 3 failures in a row: no ␛[2Jroute\t",
        "ok\tb.example, without a token: the next request tries it again, after 4 failures in a row: refused\t",
        "ok\tc.example, with another token: another process is trying it now, after 4 failures in a row: refused\t",
      ])
    #expect(lines("github", outcome).first?.contains("refused this token before") == true)
  }

  @Test func answersOfTheCache() async throws {
    let outcome = try await doctor { home, _ in
      let store = CacheStore(path: home.cache.path + "/forage/answers.db")
      for key in ["a", "b"] {
        try store.store(
          CachedResponse(
            key: key, status: 200, headers: [], body: [UInt8](repeating: 1, count: 1999), storedAt: Date(),
            validatedAt: Date()))
      }
    }
    #expect(lines("cache", outcome) == ["ok\tHOME/.cache/forage holds 2 answers, 4.0 kB of 268 MB\t"])
    #expect(outcome.status == .success)
  }

  /// Nothing of the cache is worth more than a warning.
  @Test func placesThatAreNoCache() async throws {
    let file = try await doctor { home, _ in try home.directory.write("home/.cache/forage", "") }
    #expect(
      lines("cache", file) == [
        "warning\tHOME/.cache/forage is not a folder, so no answer is kept\tmove it away, or set XDG_CACHE_HOME"
      ])
    let above = try await doctor { home, _ in
      try FileManager.default.removeItem(at: home.cache)
      try home.directory.write("home/.cache", "")
    }
    #expect(
      lines("cache", above) == [
        "warning\tHOME/.cache/forage cannot be made, so no answer is kept\t"
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
