import Foundation
import Synchronization
import TestSupport

/// The rows about `forage search` as a program.
enum Searching {
  private static let noCache = "--no-cache"

  /// Prints the search against `gh`, as it is and, where forage can leave its cache out, without it.
  ///
  /// - Throws: What TestSupport throws when folders or certificates cannot be made.
  static func rows(_ forage: String) async throws {
    let title = "search, 30 results, loopback TLS server: forage search -p github against gh search repos"
    guard let gh = Bench.peer("gh") else { return Report.skip(title, "gh") }
    guard let certificates = try await TestCertificates.make() else { return Report.skip(title, "openssl") }
    defer { certificates.directory.remove() }
    let home = try IsolatedHome()
    defer { home.directory.remove() }
    let help = Command(executable: forage, arguments: ["search", "--help"], environment: home.environment)
    let canSkipCache = try help.captured().text.contains(noCache)
    // The peer caches nothing, so a row in which forage does has no goals.
    try row(
      title + (canSkipCache ? ", with forage's cache" : ", forage without \(noCache)"), forage, gh: gh,
      options: [], certificates, hasGoals: !canSkipCache)
    if canSkipCache {
      try row(title + ", \(noCache)", forage, gh: gh, options: [noCache], certificates, hasGoals: true)
    }
  }

  private static func row(
    _ title: String, _ forage: String, gh: String, options: [String], _ certificates: TestCertificates,
    hasGoals: Bool
  ) throws {
    let home = try IsolatedHome()
    defer { home.directory.remove() }
    let forge = try Forge.Running(certificates.files)
    defer { forge.stop() }
    let environment = home.environment(
      adding: [
        "SSL_CERT_FILE": certificates.files.authority, "GH_NO_UPDATE_NOTIFIER": "1",
      ].merging(github("https://localhost:\(forge.port)")) { $1 })
    let query = ["for", "-L", "30"]
    let a = Command(
      executable: forage,
      arguments: ["search"] + query + ["-p", "github", "--format", "json"] + options,
      environment: environment)
    let b = Command(
      executable: gh,
      arguments: ["search", "repos"] + query + [
        "--json", "fullName,description,language,stargazersCount,updatedAt",
      ],
      environment: environment)
    Report.pair(
      title + "; wall less server time", a: a, b: b, nameB: "gh",
      figures: [
        .init(name: "wall", value: \.wall, goal: hasGoals ? 0.4 : nil),
        .init(name: "cpu", value: \.cpu, goal: hasGoals ? 0.35 : nil),
        .init(name: "memory", value: \.memory, goal: hasGoals ? 1.0 : nil),
      ],
      deduction: { deduction(forge.stop()) })
  }

  /// The server's share of one run of each.
  private static func deduction(_ account: Forge.Account) -> Report.Deduction {
    let runs = Double(Report.runs)
    func figures(_ name: String, _ served: Forge.Served) -> String {
      "\(name) \(Report.number(Double(served.requests) / runs, 1)) requests a run,"
        + " mean \(Report.number(served.mean * 1000, 3)) ms"
    }
    return Report.Deduction(
      a: account.forage.seconds / runs, b: account.others.seconds / runs,
      note: "server, from a request read to its answer handed over for writing: "
        + figures("forage", account.forage) + "; " + figures("gh", account.others))
  }

  /// What makes both programs ask a server instead of github.com.
  private static func github(_ server: String) -> [String: String] {
    let host = URL(string: server).flatMap { url in url.host.map { "\($0):\(url.port ?? 443)" } }
    return [
      "GH_ENTERPRISE_TOKEN": "token-of-the-bench", "GH_HOST": host ?? "",
      "FORAGE_GITHUB_URL": server + "/api/v3",
    ]
  }

  /// Prints how long after the provider's answer the first line is there.
  ///
  /// The answer counts from when the server hands it over for writing: the way to forage is included.
  static func firstLine(_ forage: String) async {
    let title =
      "from the provider's answer to the first line: forage search, loopback server"
    do {
      let home = try IsolatedHome()
      defer { home.directory.remove() }
      let service = Forge.github()
      let answered = Mutex<ContinuousClock.Instant?>(nil)
      let times = try await withServer { request in
        let answer = service.respond(to: request)
        answered.withLock { $0 = $0 ?? ContinuousClock.now }
        return answer
      } _: { server in
        let environment = home.environment(adding: github(server.baseURL))
        var times: [Double] = []
        for run in 0...Report.runs {
          answered.withLock { $0 = nil }
          // Another query each time, so that no cache can answer.
          let command = Command(
            executable: forage,
            arguments: ["search", "for NOT bench\(run)", "-L", "30", "-p", "github"],
            environment: environment)
          let captured = try await command.capturedElsewhere()
          guard let answer = answered.withLock({ $0 }), let line = captured.firstLine else {
            throw BenchError("the server was not asked or nothing was written")
          }
          times.append((line - answer) / .milliseconds(1))
        }
        return Array(times.dropFirst())
      }
      Report.single(title, milliseconds: times)
    } catch {
      Report.missed(title, error)
    }
  }
}
