import Foundation
import TestSupport
import Testing

/// GitHub, a plugin in Swift, one in Python and a manifest in one list, as an installation has them.
@Suite struct FourProvidersTests {
  /// An installation below a folder: the program, the two plugins, and a manifest.
  private func install(into prefix: URL) throws -> URL {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let files = FileManager.default
    func put(_ source: URL, _ place: String) throws {
      let target = prefix.appendingPathComponent(place)
      try files.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      // The programs are large; another name for the same file is as good as a copy.
      if (try? files.linkItem(at: source, to: target)) == nil { try files.copyItem(at: source, to: target) }
    }
    let plugins = "libexec/forage/plugins/"
    try put(try forageBinary, "bin/forage")
    try put(try hackerNewsPluginBinary, plugins + "hackernews/forage-plugin-hackernews")
    for (folder, id, names) in [
      ("HackerNews", "hackernews", ["plugin.json"]),
      ("DebianPackages", "debian", ["plugin.json", "debian.py"]),
    ] {
      for name in names {
        try put(root.appendingPathComponent("Plugins/\(folder)/\(name)"), plugins + id + "/" + name)
      }
    }
    try put(
      root.appendingPathComponent("Plugins/manifests/codeberg.yaml"), "share/forage/providers/codeberg.yaml")
    return prefix.appendingPathComponent("bin/forage")
  }

  private static let codeberg = #"""
    {"ok": true, "data": [{"id": 7, "owner": {"login": "x"}, "name": "swift-http", "full_name": "x/swift-http",
      "description": "swift http", "fork": false, "mirror": true, "html_url": "https://codeberg.org/x/swift-http",
      "original_url": "https://github.com/vapor/vapor", "stars_count": 3, "topics": null, "language": "",
      "created_at": "2020-01-01T00:00:00+01:00", "updated_at": "2020-01-02T00:00:00Z"}]}
    """#

  private static let package = """
    Package: libswift-http-dev
    Version: 1.2-1
    Installed-Size: 10
    Maintainer: Somebody <a@example.org>
    Architecture: all
    Homepage: https://github.com/apple/swift-nio
    Description: swift http for Debian
    Section: libs

    """

  @Test func oneList() async throws {
    let nio = FakeRepository(
      id: 1, fullName: "apple/swift-nio", description: "swift http", language: "Swift", stars: 8000)
    let vapor = FakeRepository(
      id: 2, fullName: "vapor/vapor", description: "swift http", language: "Swift", stars: 9000)
    let news = FakeHackerNews([
      .init(id: 1, title: "Swift http &amp; more", url: "https://github.com/apple/swift-nio", points: 300),
      .init(id: 2, title: "Ask HN: swift http?", points: 2),
    ])
    try await withGitHub(FakeGitHub(repositories: [nio, vapor])) { github in
      try await withServer(handler: { news.answer($0) }) { hackerNews in
        try await withServer(handler: { _ in .json(body: Self.codeberg) }) { codeberg in
          let program = try Program(github.baseURL, adding: ["PATH": "/usr/bin:/bin"])
          let lists = try program.home.directory.write(
            "lists/deb.example_dists_stable_main_binary-all_Packages", Self.package
          ).deletingLastPathComponent().path
          _ = try program.home.writeConfig(
            "forage/config.yaml",
            """
            providers:
              hackernews: {config: {url: "\(hackerNews.baseURL)"}}
              codeberg: {config: {url: "\(codeberg.baseURL)"}}
              debian: {config: {lists: "\(lists)", status: "/nowhere"}}

            """)
          let installed = try install(into: URL(fileURLWithPath: program.home.directory.path("prefix")))
          func run(_ arguments: [String]) async throws -> ProcessResult {
            try await Gate.shared.run {
              try await ProcessRunner.run(
                installed, arguments, environment: program.environment, workingDirectory: program.home.home)
            }
          }
          let found = try await run([
            "search", "swift http", "-k", "repo,story,package", "-p", "github,hackernews,debian,codeberg",
            "--timeout", "50", "--format", "json",
          ])
          #expect(found.status == 0, "\(found.err)")
          let json = try found.json()
          for id in ["github", "hackernews", "debian", "codeberg"] {
            #expect(json.provider(id)?["state"]?.string == "ok", "\(id): \(found.out)")
          }
          #expect(json["items"]?.array.count == 6, "\(found.out)")
          func related(_ id: String) -> Set<String> {
            Set(json.item(id)?["related"]?.array.compactMap { $0["id"]?.string } ?? [])
          }
          #expect(related("github.com/apple/swift-nio") == ["hackernews:1", "debian:libswift-http-dev"])
          #expect(related("hackernews:1") == ["github.com/apple/swift-nio"])
          #expect(related("codeberg.org/x/swift-http") == ["github.com/vapor/vapor"])
          #expect(related("github.com/vapor/vapor") == ["codeberg.org/x/swift-http"])

          // Without -p a search goes to no server that came along and that nobody enabled.
          let asked = hackerNews.requests.count + codeberg.requests.count
          let plain = try await run(["search", "swift http", "--timeout", "50", "--format", "json"])
          let providers = try plain.json()["providers"]?.array.compactMap { $0["id"]?.string }
          #expect(
            providers == ["github", "local"] && hackerNews.requests.count + codeberg.requests.count == asked)
          #expect(try await run(["providers", "enable", "codeberg"]).status == 0)
          let enabled = try await run(["search", "swift http", "--timeout", "50", "--format", "json"])
          #expect(try enabled.json().provider("codeberg")?["state"]?.string == "ok")

          // Qualifiers of a plugin's own are part of the language before it is started.
          let points = try await run([
            "search", "swift points:>100", "-p", "hackernews", "--timeout", "50", "--format", "json",
          ])
          #expect(
            try points.json()["items"]?.array.map { $0["id"]?.string } == ["hackernews:1"] && points.err == ""
          )
        }
      }
    }
  }
}
