import Foundation
import TestSupport
import Testing

/// Every fact of `inspect` is the one that git tells, on every kind of clone.
struct VerifyInspectTests {
  /// Compares and reports what differs.
  ///
  /// - Parameters:
  ///   - options: those of the program.
  ///   - copies: how many copies of each clone are compared besides.
  private func verify(_ paths: [String], _ options: [String] = [], copies: Int = 0) async throws {
    let program = try Program()
    let environment = program.environment.merging(["PATH": "/usr/bin:/bin:/usr/local/bin"]) { _, new in new }
    let result = try await ProcessRunner.run(
      try verifyInspectBinary, options + ["--brief", try forageBinary.path] + paths,
      environment: environment, timeout: .seconds(120))
    let count = paths.count * (1 + copies)
    #expect(result.status == 0, "\(result.out)\(result.err)")
    #expect(result.outLines.last == "\(count) of \(count) clones: every fact as git tells it")
  }

  @Test func ordinaryHistories() async throws {
    let kinds: [VerifiedClone] = [
      .mergesAndMailmap, .names, .encodings, .signed, .timeZones, .unborn, .detached,
    ]
    var clones: [TemporaryRepository] = []
    for kind in kinds { clones.append(try await kind.make()) }
    try await verify(clones.map(\.path), ["--all"])
  }

  @Test func workTrees() async throws {
    let kinds: [VerifiedClone] = [
      .changes, .conflict, .stashes, .submodules, .linked, .indexVersion4, .splitIndex,
    ]
    var clones: [TemporaryRepository] = []
    for kind in kinds { clones.append(try await kind.make()) }
    try await verify(clones.map(\.path))
  }

  @Test func storage() async throws {
    let kinds: [VerifiedClone] = [
      .bare, .shallow, .sparse, .sparseIndex, .alternates, .packed, .commitGraph, .upstream,
    ]
    var clones: [TemporaryRepository] = []
    for kind in kinds { clones.append(try await kind.make()) }
    try await verify(clones.map(\.path))
  }

  /// What the package itself depends on: real histories, where they are there.
  private static let dependencies: [String] = {
    let names = [
      "Yams", "swift-algorithms", "swift-argument-parser", "swift-asn1", "swift-async-algorithms",
      "swift-atomics",
      "swift-http-types", "swift-log", "swift-nio-extras", "swift-numerics", "swift-system",
    ]
    let folder = FileManager.default.currentDirectoryPath + "/.build/checkouts/"
    return names.map { folder + $0 }.filter { FileManager.default.fileExists(atPath: $0 + "/.git") }
  }()

  @Test(.enabled(if: !dependencies.isEmpty, "no checkouts of the dependencies")) func checkouts() async throws
  {
    try await verify(Self.dependencies)
  }

  /// Parts left out and damaged objects take away what needs them and nothing else: five incomplete copies,
  /// and one that is damaged.
  @Test func copies() async throws {
    let clone = try await VerifiedClone.mergesAndMailmap.make()
    try await verify([clone.path], ["--damaged"], copies: 6)
  }

  /// A difference must be found: a program that tells nothing is not right.
  @Test func whatIsWrongIsFound() async throws {
    let clone = try await VerifiedClone.mergesAndMailmap.make()
    let liar = try clone.directory.write(
      "liar", "#!/bin/sh\n\(try forageBinary.path) \"$@\" | sed 's/\"merges\": *[0-9]*/\"merges\":4711/'\n",
      mode: 0o755)
    let result = try await ProcessRunner.run(
      try verifyInspectBinary, [liar.path, clone.path],
      environment: try Program().environment.merging([
        "PATH": "/usr/bin:/bin:/usr/local/bin"
      ]) { _, new in new })
    #expect(result.status == 1)
    let row = result.outLines.first { $0.contains("commits.merges") }
    #expect(row?.contains("4711") == true && row?.hasSuffix("DIFFERS") == true, "\(result.out)\(result.err)")
  }
}
