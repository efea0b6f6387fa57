import ForageGit
import Foundation
import TestSupport
import Testing

@testable import ForageInspector

/// An inspection with a cache reports what one without reports.
@Suite struct InspectionCacheTests {
  private let memory = MemoryCache()
  private let inspector = Inspector(environment: GitEnvironment())

  private func report(
    _ repository: TemporaryRepository, _ sections: Set<InspectionSection> = Set(InspectionSection.allCases),
    isCached: Bool = true, now: Date = Date(timeIntervalSince1970: 1_705_000_000)
  ) throws -> String {
    let report = try inspector.inspect(
      path: repository.path, sections: sections, cache: isCached ? memory.cache : nil, now: now)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(report), as: UTF8.self)
  }

  /// Two commits of two authors, with files of every kind that an inspection reads.
  private func make() async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: [
      "größe.swift": "// a\nlet a = 1\n", "LICENSE": LicenseTexts.mit, "a.befunge": "@\n",
      "package.json": "{\"version\": \"1.0.0\", \"dependencies\": {\"a\": \"1\"}}",
    ])
    try await repository.commit(files: ["größe.swift": "let a = 2\n"], author: "Ü <u@x>")
    return repository
  }

  @Test func sameReport() async throws {
    let repository = try await make()
    let expected = try report(repository, isCached: false)
    #expect(try report(repository) == expected && memory.stores == 1)
    #expect(try report(repository) == expected && memory.stores == 1)
    // Nothing that is cached was asked for.
    _ = try report(repository, [.status, .tags, .head, .stashes])
    #expect(memory.stores == 1)
    // It is read from the entry.
    memory.change { $0.replacing("\"merges\":0", with: "\"merges\":7") }
    #expect(try report(repository).contains("\"merges\" : 7"))
  }

  /// What the cached facts depend on.
  @Test(arguments: [
    "commit --quiet --allow-empty -m more", "reset --quiet --hard HEAD~1", "checkout --quiet --orphan other",
    "replace HEAD HEAD~1", "mailmap", "shallow", "fetch --quiet --unshallow", "repack --quiet -a -d",
  ])
  func changes(_ change: String) async throws {
    var repository = try await make()
    if change.hasPrefix("fetch") { repository = try await repository.clone("klon é", ["--depth=1"]) }
    let before = try report(repository)
    switch change {
    case "mailmap": try repository.write(".mailmap", "Önal <u@x>\n")
    case "shallow": try repository.write(".git/shallow", try await repository.git("rev-parse HEAD") + "\n")
    default: try await repository.git(change)
    }
    let after = try report(repository, isCached: false)
    #expect(after != before)
    #expect(try report(repository) == after && report(repository) == after)
  }

  /// What is read each time, whatever the cache has.
  @Test func readEachTime() async throws {
    let repository = try await make()
    try await repository.git("remote add origin https://example.com/a/b.git")
    try await repository.git("update-ref refs/remotes/origin/main HEAD~1")
    _ = try report(repository)
    for change in [
      "tag v1.2.3", "branch other", "remote add two https://example.com/a/c.git", "branch -u origin/main",
      "worktree add --quiet ../linked", "stash",
      "symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main",
      "pack-refs --all",
    ] {
      let before = try report(repository)
      if change == "stash" { try repository.write("größe.swift", "changed\n") }
      try await repository.git(change)
      try repository.write("new \(change.count)", "x")
      let after = try report(repository, isCached: false)
      #expect(try report(repository) == after && after != before, "\(change)")
    }
  }

  /// Weeks end with the current one.
  @Test func laterAndEarlier() async throws {
    let repository = try await make()
    _ = try report(repository)
    for time in [1_705_700_000.0, 1_800_000_000, 1_600_000_000] {
      let now = Date(timeIntervalSince1970: time)
      #expect(try report(repository, now: now) == report(repository, isCached: false, now: now))
    }
  }

  /// The entry is completed by each section that is asked for, and no section is computed twice.
  @Test func sectionsAreAdded() async throws {
    let repository = try await make()
    let parts: [Set<InspectionSection>] = [
      [.languages], [.commits], [.lines, .licenses], [.churn], [.version], [.authors, .activity], [.size],
      [.largestBlobs, .signedShare],
    ]
    var stored = 0
    for part in parts {
      #expect(try report(repository, part) == report(repository, part, isCached: false), "\(part)")
      #expect(memory.stores > stored, "\(part)")
      stored = memory.stores
    }
    let all = Set(parts.joined())
    for part in parts + [all] {
      #expect(try report(repository, part) == report(repository, part, isCached: false), "\(part)")
    }
    #expect(memory.stores == stored)
  }

  @Test(arguments: ["", "{}", "no facts", "{\"history\": {}, \"tree\": 1}", "half"])
  func damagedEntry(_ text: String) async throws {
    let repository = try await make()
    let expected = try report(repository)
    memory.change { text == "half" ? String($0.prefix($0.count / 2)) : text }
    #expect(try report(repository) == expected && memory.stores == 2)
    #expect(try report(repository) == expected && memory.stores == 2)
  }

  /// What is incomplete is computed each time, and the rest is stored.
  @Test(arguments: [true, false]) func damagedClone(isRemoved: Bool) async throws {
    let repository = try await make()
    let healthy = try report(repository)
    let copy = try TemporaryRepository(at: repository.path + " Kopie é", in: repository.directory)
    try FileManager.default.copyItem(atPath: repository.path, toPath: copy.path)
    for damaged in [copy, repository] {
      // The blob of the first commit, a file, and the first commit.
      for revision in ["HEAD~1:größe.swift", "HEAD:a.befunge", "HEAD~1"] {
        let id = try await damaged.git(["rev-parse", revision])
        let object = "\(damaged.path)/.git/objects/\(id.prefix(2))/\(id.dropFirst(2))"
        try FileManager.default.removeItem(atPath: object)
        if !isRemoved { try Data("no object".utf8).write(to: URL(fileURLWithPath: object)) }
        let expected = try report(damaged, isCached: false)
        #expect(expected != healthy)
        #expect(try report(damaged) == expected && report(damaged) == expected, "\(revision)")
      }
      // Only what is whole comes from the entry.
      memory.change { $0.replacing("\"merges\":0", with: "\"merges\":7") }
      #expect(try !report(damaged).contains("\"merges\" : 7"))
    }
  }

  /// The attribute file of the user names languages, too.
  @Test func attributesOfTheUser() async throws {
    let repository = try await make()
    let home = try repository.directory.makeDirectory("config").path
    let inspector = Inspector(environment: GitEnvironment(configHome: home))
    func inspect() throws {
      _ = try inspector.inspect(path: repository.path, sections: [.languages], cache: memory.cache)
    }
    for _ in 0..<2 { try inspect() }
    #expect(memory.stores == 1)
    try repository.directory.write("config/git/attributes", "*.swift linguist-language=C\n")
    for _ in 0..<2 { try inspect() }
    #expect(memory.stores == 2)
  }
}
