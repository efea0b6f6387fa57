import Foundation
import TestSupport
import Testing

@testable import ForageGit

/// Work trees that are changed at random, compared with git after each change.
@Suite struct RandomWorktreeTests {
  private static let names = ["a", "b", "a.c", "lib", "lib-x", "A", "x y", "ü", "[x]", "foo.o", ".h"]
  /// Without exceptions (`!`), for which libgit2 has another rule in folders that are ignored and have
  /// tracked files.
  private static let rules = [
    "*.o", "/lib/", "lib*", "**/a", "a/**", "/*", "*/", "[a-b]", "A", "x\\ y", "lib/**/b",
  ]

  @Test func likeGit() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    var tree = try await start(&random)
    for round in 0..<60 {
      if round % 20 == 19 { tree = try await start(&random) }
      for _ in 0..<Int.random(in: 1...4, using: &random) { change(tree.path, &random) }
      try await command(tree, &random)
      try await tree.compareStatus("seed \(seed), round \(round)")
    }
  }

  private func start(_ random: inout SeededGenerator) async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository.make("r\(random.next())")
    for _ in 0..<15 { write(repository.path, &random) }
    for (key, values) in [
      ("core.autocrlf", ["input"]), ("status.renames", ["false", "copies"]),
      ("index.version", ["4"]), ("core.checkStat", ["minimal"]),
    ] where random.chance(0.15) {
      try await repository.git(["config", key, random.pick(values)])
    }
    try await repository.git("add --all")
    try await repository.git("commit --quiet --allow-empty -m first")
    return repository
  }

  private func path(_ random: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...3, using: &random)).map { _ in random.pick(Self.names) }.joined(separator: "/")
  }

  /// Fails where a file is in the place of a folder, and then does nothing.
  private func write(_ root: String, _ random: inout SeededGenerator) {
    let file = URL(fileURLWithPath: "\(root)/\(path(&random))")
    let line = random.chance(0.1) ? "line\r\n" : "line\n"
    let text =
      String(repeating: line, count: Int.random(in: 0...3, using: &random)) + "\(random.next() % 50)\n"
    try? FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? Data((random.chance(0.1) ? "" : text).utf8).write(to: file)
  }

  private func change(_ root: String, _ random: inout SeededGenerator) {
    let files = FileManager.default
    let known = (files.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []).filter {
      !$0.split(separator: "/").contains(".git")
    }
    let target = "\(root)/\(known.isEmpty ? "none" : random.pick(known.sorted()))"
    switch Int.random(in: 0...9, using: &random) {
    case 0...2: write(root, &random)
    case 3: try? files.removeItem(atPath: target)
    case 4: _ = rename(target, "\(root)/\(path(&random))")
    case 5 where !target.hasSuffix(".gitignore"):
      // A link to a folder counts as a folder for the rules of libgit2.
      try? files.removeItem(atPath: target)
      try? files.createSymbolicLink(atPath: target, withDestinationPath: "nowhere")
    case 6:
      let mode = random.chance(0.5) ? 0o755 : 0o644
      if files.fileExists(atPath: target) {
        try? files.setAttributes([.posixPermissions: mode], ofItemAtPath: target)
      }
    case 7:
      let lines = (0..<3).map { _ in random.pick(Self.rules) }.joined(separator: "\n")
      let folder = random.chance(0.5) ? "" : "/" + random.pick(Self.names)
      try? Data(lines.utf8).write(to: URL(fileURLWithPath: "\(root)\(folder)/.gitignore"))
    case 8:
      let nested = "\(root)/\(path(&random))/.git"
      for name in ["objects", "refs"] {
        try? files.createDirectory(atPath: "\(nested)/\(name)", withIntermediateDirectories: true)
      }
      try? Data("ref: refs/heads/main\n".utf8).write(to: URL(fileURLWithPath: nested + "/HEAD"))
    default:
      try? files.removeItem(atPath: target)
      try? files.createDirectory(atPath: target, withIntermediateDirectories: true)
    }
  }

  /// Commands may fail, as for a path that is ignored.
  private func command(_ repository: TemporaryRepository, _ random: inout SeededGenerator) async throws {
    let name = random.pick(Self.names)
    let line: [String] =
      switch Int.random(in: 0...11, using: &random) {
      case 0: ["add", "--all"]
      case 1: ["add", "--intent-to-add", "."]
      case 2: ["rm", "-r", "--quiet", "--cached", "--force", name]
      case 3: ["mv", name, random.pick(Self.names)]
      case 4: ["commit", "--quiet", "--message", "further"]
      case 5: ["update-index", random.pick(["--split-index", "--no-split-index", "--index-version=4"])]
      case 6:
        ["update-index", random.pick(["--assume-unchanged", "--skip-worktree", "--no-skip-worktree"]), name]
      default: []
      }
    if !line.isEmpty { _ = try? await repository.git(line) }
  }
}
