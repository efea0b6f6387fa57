import Foundation
import TestSupport
import Testing

/// What the README shows works.
struct ReadmeTests {
  /// The commands in the `sh` blocks that begin with the program's name; continued lines are joined.
  private func commands() throws -> [String] {
    var root = URL(fileURLWithPath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    var found: [String] = []
    var (isInside, pending) = (false, "")
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isInside = line.dropFirst(3).trimmingCharacters(in: .whitespaces) == "sh"
        continue
      }
      guard isInside else { continue }
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

  /// Repositories and clones that the examples talk about.
  private func prepare(_ program: Program) async throws -> TemporaryRepository {
    try await program.makeClone("owner/http-client")
    return try await program.makeClone(
      "apple/swift-nio", files: ["main.swift": "print(\"http\")\n", "README.md": "# http\n"])
  }

  @Test func everyCommandWorks() async throws {
    let nio = FakeRepository(
      id: 1, fullName: "apple/swift-nio", description: "Event-driven http client and server",
      language: "Swift", stars: 8000)
    let github = FakeGitHub(repositories: [nio] + matching(100)) {
      $0.starredBy = ["octocat": [nio.fullName]]
    }
    try await withProgram(github) { program, _ in
      let clone = try await prepare(program)
      try FileManager.default.createDirectory(
        atPath: program.home.directory.path("bin"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: program.home.directory.path("bin/forage"), withDestinationPath: try forageBinary.path)
      let commands = try commands()
      #expect(!commands.isEmpty, "README.md has no command in a sh block")
      for command in commands {
        let environment = program.environment.merging(
          ["PATH": program.home.directory.path("bin") + ":/usr/bin:/bin", "GH_ENTERPRISE_TOKEN": "t"]) {
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
}
