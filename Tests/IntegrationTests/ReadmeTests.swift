import Foundation
import TestSupport
import Testing

/// What the README shows works.
struct ReadmeTests {
  /// The folder of the project.
  private static let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  private func text() throws -> String {
    try String(contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
  }

  /// What it links to in the project is there, and its pictures are small and show nothing of the machine
  /// that drew them.
  @Test func everyLinkLeadsToAFile() throws {
    let links = try text().matches(of: /(!?)\[[^\]]*\]\(([^):]+)\)/).map { (!$0.1.isEmpty, String($0.2)) }
    #expect(links.contains { $0.0 } && links.contains { !$0.0 })
    // What is above the project are pages of its host, such as those of the releases.
    for (isPicture, path) in links where !path.hasPrefix("../") {
      let file = Self.root.appendingPathComponent(path)
      guard isPicture else {
        #expect(FileManager.default.fileExists(atPath: file.path), "\(path)")
        continue
      }
      let picture = try String(contentsOf: file, encoding: .utf8)
      #expect(picture.hasPrefix("<svg ") && picture.utf8.count < 60_000, "\(path)")
      for part in ["/tmp", "/root", "127.0.0.1"] { #expect(!picture.contains(part), "\(path): \(part)") }
    }
  }

  /// The lines of each block with a language.
  private func blocks(_ language: String) throws -> [[String]] {
    let text = try text()
    var (found, lines) = ([[String]](), [String]?.none)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      guard line.hasPrefix("```") else {
        lines?.append(line)
        continue
      }
      if let lines { found.append(lines) }
      let isWanted = line.dropFirst(3).trimmingCharacters(in: .whitespaces) == language
      lines = lines == nil && isWanted ? [] : nil
    }
    return found
  }

  /// The commands in the `sh` blocks that begin with the program's name; continued lines are joined.
  private func commands() throws -> [String] {
    var (found, pending) = ([String](), "")
    for line in try blocks("sh").joined() {
      if line.hasSuffix("\\") {
        pending += line.dropLast()
        continue
      }
      let command = (pending + line).trimmingCharacters(in: .whitespaces)
      pending = ""
      if command.hasPrefix("forage ") { found.append(command) }
    }
    return found
  }

  /// The settings that the README shows, each block a file of its own.
  private func settings() throws -> [String] {
    try blocks("yaml").map { $0.joined(separator: "\n") + "\n" }.filter { $0.hasPrefix("providers:") }
  }

  /// The settings with a server in place of the host that stands for any.
  private func placed(_ text: String, at server: LoopbackServer) -> String {
    text.replacing("https://gitlab.example", with: server.baseURL)
  }

  @Test func everySettingIsUnderstood() async throws {
    let settings = try settings()
    #expect(!settings.isEmpty, "README.md has no settings in a yaml block")
    for text in settings {
      let program = try Program()
      try program.home.writeConfig("forage/config.yaml", text)
      let result = try await program.run(["providers"])
      #expect(result.status == 0 && result.err == "", "\(text)\(result.err)")
    }
  }

  /// Repositories and clones that the examples talk about.
  private func prepare(_ program: Program) async throws -> TemporaryRepository {
    try await program.makeClone("owner/http-client")
    return try await program.makeClone(
      "apple/swift-nio", files: ["main.swift": "func parse() {}\nparse()\n", "README.md": "# http\n"])
  }

  @Test func everyCommandWorks() async throws {
    let nio = FakeRepository(
      id: 1, fullName: "apple/swift-nio", description: "Event-driven http client and server",
      language: "Swift", stars: 8000)
    let github = FakeGitHub(repositories: [nio] + matching(100))
    try await withServers([github.handler, FakeForge(.gitLab).handler]) { servers in
      let program = try Program(servers[0].baseURL)
      let clone = try await prepare(program)
      // The clones are fetched from here.
      let forge = try GitForge(in: program.home.directory)
      for name in [nio.fullName, "owner/http-client"] { try await forge.add(name + ".git") }
      let forges = try #require(try settings().first { $0.contains("type: gitlab") })
      try program.home.writeConfig("forage/config.yaml", placed(forges, at: servers[1]))
      try FileManager.default.createDirectory(
        atPath: program.home.directory.path("bin"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: program.home.directory.path("bin/forage"), withDestinationPath: try forageBinary.path)
      let commands = try commands()
      #expect(!commands.isEmpty, "README.md has no command in a sh block")
      for command in commands {
        let environment = program.environment.merging(
          ["PATH": program.home.directory.path("bin") + ":/usr/bin:/bin", "WORK_TOKEN": FakeForge.token]) {
            _, new in new
          }
        // Inside a clone, so that `forage inspect .` means something.
        let result = try await Gate.shared.run {
          try await ProcessRunner.run(
            URL(fileURLWithPath: "/bin/sh"), ["-c", command], environment: environment,
            workingDirectory: URL(fileURLWithPath: clone.path))
        }
        #expect([0, 1].contains(result.status), "\(command): \(result.status) \(result.err)")
        #expect(!result.timedOut, "\(command)")
      }
    }
  }

  @Test func packagesHaveTheVersionOfTheProgram() async throws {
    let printed = try await Program().run(["--version"]).out
    let version = try #require(printed.split(whereSeparator: \.isWhitespace).first.map(String.init))
    let named = try text().matches(of: /forage[-_](\d+(?:\.\d+)*)[-_]/).map { String($0.1) }
    #expect(!named.isEmpty && Set(named) == [version])
  }

  /// A command in the text or in a table is one that `everyCommandWorks` runs, or its beginning.
  @Test func everyCommandInTheTextIsInABlock() throws {
    let commands = try commands()
    let named = try text().matches(of: /`(forage [^`\n]+)`/).map { String($0.1) }
    #expect(named.contains { $0.contains("--") })
    for name in named {
      #expect(commands.contains { $0 == name || $0.hasPrefix(name + " ") }, "\(name)")
    }
  }
}
