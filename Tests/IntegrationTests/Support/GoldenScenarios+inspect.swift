import Foundation
import TestSupport

/// The reports of clones of every layout.
extension GoldenScenario {
  /// The layouts, each made in a folder with its name.
  private static let layouts:
    [(name: String, make: @Sendable (GoldenRun, TemporaryRepository) async throws -> Void)] = [
      ("plain", plain), ("bare", { _ = try await copy($1, "bare", ["--bare"]) }), ("worktree", worktree),
      ("sparse", sparse), ("split", split), ("skip-hash", skipHash), ("pointers", pointers),
      ("submodules", submodules),
      ("shallow", { _ = try await copy($1, "shallow", ["--depth", "1"]) }), ("partial", partial),
      ("damaged", damaged), ("sha256", sha256),
      ("unborn", { run, _ in _ = try await empty(run, "unborn") }),
      ("detached", { try await copy($1, "detached", []).git("checkout --quiet HEAD~1") }),
      ("conflicted", conflicted), ("rebasing", rebasing),
    ]

  static let inspections = layouts.map { layout in
    GoldenScenario(
      name: "inspect-\(layout.name)", environment: GoldenWorld.programs, breaksLines: true,
      setUp: { run in try await layout.make(run, try await source(run)) },
      steps: ["inspect src/\(layout.name) --format json", "inspect src/\(layout.name)"])
  }

  private static func empty(_ run: GoldenRun, _ name: String, _ arguments: [String] = []) async throws
    -> TemporaryRepository
  {
    try await TemporaryRepository.make("home/src/" + name, arguments, in: run.program.home.directory)
  }

  private static func copy(_ source: TemporaryRepository, _ name: String, _ arguments: [String]) async throws
    -> TemporaryRepository
  {
    try await source.clone("home/src/" + name, arguments)
  }

  /// What most layouts are clones of: three commits of two authors, with a tag.
  private static func source(_ run: GoldenRun) async throws -> TemporaryRepository {
    let source = try await TemporaryRepository.make("source", in: run.program.home.directory)
    try await source.git("config uploadpack.allowFilter true")
    let first = [
      "main.swift": "// First.\nprint(1)\n", "lib/größe.py": "print(2)\n", "lib/old.c": "int x;\n",
    ]
    try await source.commit("First", files: first, date: GoldenWorld.cloneDate)
    try await source.commit(
      "Second", files: ["LICENSE": "SPDX-License-Identifier: MIT\n"], author: "Bäo <bao@example.com>",
      date: GoldenWorld.cloneDate + 86_400)
    try await source.git("tag v1.0.0")
    try await source.commit(
      "Third", files: ["go.mod": "module a\n\nrequire b v1.0.0\n"], date: GoldenWorld.cloneDate + 172_800)
    return source
  }

  private static func plain(_ run: GoldenRun, _ source: TemporaryRepository) async throws {
    let clone = try await copy(source, "plain", [])
    try await source.commit("Fourth", date: GoldenWorld.cloneDate + 200_000)
    try await clone.git("fetch --quiet")
    try await clone.commit("Mine", files: ["new.rs": "fn main() {}\n"], date: GoldenWorld.cloneDate + 190_000)
    try clone.write("main.swift", "print(3)\n")
    try await clone.git("stash --quiet")
    try clone.write("main.swift", "print(4)\n")
    try clone.write("other", "untracked\n")
    try clone.write("staged", "staged\n")
    try await clone.git("add staged")
  }

  private static func worktree(_ run: GoldenRun, _ source: TemporaryRepository) async throws {
    let clone = try await copy(source, "main-tree", [])
    try await clone.git("worktree add --quiet -b side ../worktree")
  }

  private static func sparse(_ run: GoldenRun, _ source: TemporaryRepository) async throws {
    let clone = try await copy(source, "sparse", ["--sparse"])
    try await clone.git("sparse-checkout init --cone --sparse-index")
    try clone.write("main.swift", "print(5)\n")
  }

  private static func split(_ run: GoldenRun, _ source: TemporaryRepository) async throws {
    let clone = try await copy(source, "split", [])
    try await clone.git("update-index --split-index")
    try clone.write("added", "1\n")
    try await clone.git("add added")
  }

  /// An index without a checksum, as git writes it with `index.skipHash`.
  private static func skipHash(_ run: GoldenRun, _ source: TemporaryRepository) async throws {
    let clone = try await copy(source, "skip-hash", [])
    let path = clone.path + "/.git/index"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes.replaceSubrange(bytes.count - 20..<bytes.count, with: Data(count: 20))
    try bytes.write(to: URL(fileURLWithPath: path))
    try clone.write("main.swift", "print(6)\n")
  }

  private static func pointers(_ run: GoldenRun, _ source: TemporaryRepository) async throws {
    let clone = try await copy(source, "pointers", [])
    let hash = String(repeating: "ab", count: 32)
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:\(hash)\nsize 12345\n"
    try await clone.commit(
      "Large", files: [".gitattributes": "*.bin filter=lfs diff=lfs merge=lfs -text\n", "a.bin": pointer],
      date: GoldenWorld.cloneDate + 190_000)
  }

  private static func submodules(_ run: GoldenRun, _ source: TemporaryRepository) async throws {
    let clone = try await copy(source, "submodules", [])
    try await clone.git("submodule --quiet add ../source part")
    try await clone.commit("Part", date: GoldenWorld.cloneDate + 190_000)
  }

  private static func partial(_ run: GoldenRun, _ source: TemporaryRepository) async throws {
    _ = try await copy(source, "partial", ["--filter=blob:none", "--no-checkout"])
  }

  /// A clone without the blob of one file.
  private static func damaged(_ run: GoldenRun, _ source: TemporaryRepository) async throws {
    let clone = try await empty(run, "damaged")
    try await clone.commit(
      "First", files: ["main.swift": "print(1)\n", "gone.py": "print(2)\n"], date: GoldenWorld.cloneDate)
    let blob = try await clone.git("rev-parse HEAD:gone.py")
    try FileManager.default.removeItem(
      atPath: clone.path + "/.git/objects/\(blob.prefix(2))/\(blob.dropFirst(2))")
  }

  private static func sha256(_ run: GoldenRun, _ source: TemporaryRepository) async throws {
    let clone = try await empty(run, "sha256", ["--object-format=sha256"])
    try await clone.commit("First", files: ["main.swift": "print(1)\n"], date: GoldenWorld.cloneDate)
  }

  /// A clone with two branches that change the same line.
  private static func branched(_ run: GoldenRun, _ name: String) async throws -> TemporaryRepository {
    let clone = try await empty(run, name)
    try await clone.commit("First", files: ["a": "1\n", "b": "1\n"], date: GoldenWorld.cloneDate)
    try await clone.git("checkout --quiet -b side")
    try await clone.commit("Side", files: ["a": "2\n"], date: GoldenWorld.cloneDate + 1)
    try await clone.git("checkout --quiet main")
    try await clone.commit("Main", files: ["a": "3\n"], date: GoldenWorld.cloneDate + 2)
    return clone
  }

  private static func conflicted(_ run: GoldenRun, _ source: TemporaryRepository) async throws {
    _ = try? await branched(run, "conflicted").git("merge --quiet side")
  }

  private static func rebasing(_ run: GoldenRun, _ source: TemporaryRepository) async throws {
    _ = try? await branched(run, "rebasing").git("rebase --quiet side")
  }
}
