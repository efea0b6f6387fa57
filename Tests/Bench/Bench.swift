import ForageCore
import Foundation
import TestSupport

/// Measures the program against its peers, side by side in one run.
@main
struct Bench {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.count == 5, arguments[1] == "--serve" {
      try await Forge.serve(certificate: arguments[2], privateKey: arguments[3], authority: arguments[4])
      return
    }
    guard arguments.count >= 2 else {
      print("usage: forage-bench FORAGE [CLONE]")
      return
    }
    let forage = URL(fileURLWithPath: arguments[1]).path
    startUp(forage)
    try await search(forage)
    await merging()
    if arguments.count > 2 { inspecting(forage, clone: arguments[2]) }
  }

  /// A program of the peers, `nil` when it is not installed.
  static func peer(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static func startUp(_ forage: String) {
    let title = "start: forage --version against gh --version"
    guard let gh = peer("gh") else { return Report.skip(title, "gh") }
    guard let home = try? IsolatedHome() else { return }
    Report.pair(
      title, a: Command(executable: forage, arguments: ["--version"], environment: home.environment),
      b: Command(executable: gh, arguments: ["--version"], environment: home.environment), nameB: "gh",
      goals: [("wall", \.wall, 0.25)])
  }

  private static func search(_ forage: String) async throws {
    let title = "search, 30 results, loopback TLS server: forage search -p github against gh search repos"
    guard let gh = peer("gh") else { return Report.skip(title, "gh") }
    guard let certificates = try await TestCertificates.make() else { return Report.skip(title, "openssl") }
    let home = try IsolatedHome()
    let forge = try Forge.Running(certificates.files)
    defer { forge.stop() }
    let environment = home.environment(adding: [
      "SSL_CERT_FILE": certificates.files.authority, "GH_ENTERPRISE_TOKEN": "token-of-the-bench",
      "GH_HOST": "localhost:\(forge.port)", "FORAGE_GITHUB_URL": "https://localhost:\(forge.port)/api/v3",
      "GH_NO_UPDATE_NOTIFIER": "1",
    ])
    let query = ["for", "-L", "30"]
    let a = Command(
      executable: forage, arguments: ["search"] + query + ["-p", "github", "--format", "json"],
      environment: environment)
    let b = Command(
      executable: gh,
      arguments: ["search", "repos"] + query + [
        "--json", "fullName,description,language,stargazersCount,updatedAt",
      ],
      environment: environment)
    Report.pair(
      title, a: a, b: b, nameB: "gh",
      goals: [("wall", \.wall, 0.35), ("cpu", \.cpu, 0.25), ("memory", \.memory, 1.0)])
  }

  private static func merging() async {
    let lists = (0..<10).map { list in
      FixedProvider(
        id: "p\(list)",
        items: (0..<1000).map { rank in
          let number = (rank * 7 + list * 131) % 4000
          return SearchResult(id: "github.com/owner/name\(number)", kind: .repo, title: "owner/name\(number)")
        })
    }
    let federation = Federation(ProviderRegistry(lists))
    let query = Query(root: .term(QueryTerm("name")))
    var times: [Double] = []
    for _ in 0...Report.runs {
      let before = ContinuousClock.now
      _ = await federation.search(FederatedSearch(query: query, limit: 10_000))
      times.append((ContinuousClock.now - before) / .milliseconds(1))
    }
    Report.single("merging 10 providers x 1,000 results", milliseconds: Array(times.dropFirst()), goal: 20)
  }

  private static func inspecting(_ forage: String, clone: String) {
    guard let home = try? IsolatedHome(), let git = peer("git") else { return }
    let environment = home.environment(adding: [
      "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
    ])
    Report.pair(
      "inspect \(clone): forage inspect against git shortlog -sne HEAD",
      a: Command(
        executable: forage, arguments: ["inspect", clone, "--format", "json"], environment: environment),
      b: Command(
        executable: git, arguments: ["-C", clone, "shortlog", "-sne", "HEAD"], environment: environment),
      nameB: "git",
      goals: [("wall", \.wall, 0.9), ("memory", \.memory, .infinity)])
  }
}

/// A provider that has its answer at hand.
private struct FixedProvider: SearchProvider {
  let descriptor: ProviderDescriptor
  let items: [SearchResult]

  init(id: String, items: [SearchResult]) {
    self.items = items
    descriptor = ProviderDescriptor(
      id: id, name: id, kinds: [.repo: .init(qualifiers: [:], fields: [], maximumPageSize: 1000)])
  }

  func search(_ request: SearchRequest) async throws -> SearchPage { SearchPage(items: items) }
}
