import ForageGit
import ForageInspector
import Foundation
import TestSupport
import Testing

/// Repositories that no git program makes.
@Suite struct CraftedRepositoryTests {
  private let inspector = Inspector(environment: GitEnvironment())

  /// Writes a loose blob whose header claims a size; in zlib's form with one stored block.
  private func writeBlob(_ id: String, size: String, in repository: TemporaryRepository) throws {
    let content = Array("blob \(size)\0x".utf8)
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in content {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    let count = UInt16(content.count)
    var bytes: [UInt8] = [0x78, 0x01, 0x01]
    for part in [count, ~count] { bytes += [UInt8(part & 0xFF), UInt8(part >> 8)] }
    bytes += content
    for part in [b, a] { bytes += [UInt8(part >> 8), UInt8(part & 0xFF)] }
    try repository.write("objects/\(id.prefix(2))/\(id.dropFirst(2))", String())
    try Data(bytes).write(
      to: URL(fileURLWithPath: "\(repository.path)/objects/\(id.prefix(2))/\(id.dropFirst(2))"))
  }

  /// A bare repository whose commit has `count` files, all the blob that claims a size.
  private func make(size: String, count: Int) async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository.make("bare.git", ["--bare"])
    let blob = String(repeating: "1", count: 40)
    let entries = (0..<count).map { "100644 blob \(blob)\t\(10_000 + $0).c\n" }.joined()
    let tree = try await repository.git(["mktree", "--missing"], input: Data(entries.utf8))
    let commit = try await repository.git(["commit-tree", "-m", "x", tree])
    try await repository.git("update-ref refs/heads/main \(commit)")
    try writeBlob(blob, size: size, in: repository)
    return repository
  }

  /// Two sizes of which each is too large, and more of the largest allowed one than an Int can hold.
  @Test(arguments: [("9223372036854775807", 2), ("1125899906842625", 2), ("1125899906842624", 8200)])
  func claimedSizes(size: String, count: Int) async throws {
    let repository = try await make(size: size, count: count)
    let report = try inspector.inspect(path: repository.path)
    #expect(report.notes.contains { $0.section == "size" })
    #expect(report.size?.bytes == nil && report.languages == nil && report.commits?.count == 1)
    let summary = try inspector.summarize(path: repository.path)
    #expect(summary.problem != nil && summary.sizeBytes == nil)
    #expect(summary.lastCommitAt != nil && summary.headBranch == "main")
  }

  @Test func manyAttributesAreCut() async throws {
    let repository = try await TemporaryRepository.make()
    let rules = (0..<5_001).map { "f\($0) linguist-vendored\n" }.joined()
    try await repository.commit(files: ["a.c": "int a;\n", ".gitattributes": rules])
    let report = try inspector.inspect(path: repository.path)
    #expect(report.notes.map(\.section) == ["languages", "lines"])
    #expect(report.languages?.map(\.name) == ["C"] && report.lfs == false)
  }

  @Test func problemOfTheHeadAndRemotesAlone() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.git("remote add origin https://me:secret@example.com/a/b.git")
    try await repository.commit(files: ["a": "x"])
    #expect(try inspector.summarize(path: repository.path).problem == nil)
    #expect(code { _ = try inspector.summarize(path: repository.path) { true } } == .cancelled)
    let remotes = [Remote(name: "origin", url: "https://example.com/a/b.git")]
    #expect(try inspector.location(path: repository.path).remotes == remotes)
    try repository.write(".git/HEAD", "not a head at all\n")
    let summary = try inspector.summarize(path: repository.path)
    #expect(summary.problem != nil && summary.remotes == remotes && summary.headCommit == nil)
  }

  private func code(_ body: () throws -> Void) -> GitError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? GitError)?.code
    }
  }
}
