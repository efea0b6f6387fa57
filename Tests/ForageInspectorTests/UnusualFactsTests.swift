import Foundation
import TestSupport
import Testing

@testable import ForageGit
@testable import ForageInspector

/// Facts of repositories that are not as most are.
@Suite struct UnusualFactsTests {
  private let inspector = Inspector(environment: GitEnvironment())

  private func inspect(
    _ repository: TemporaryRepository, _ sections: Set<InspectionSection>
  ) throws -> InspectionReport {
    try inspector.inspect(path: repository.path, sections: sections)
  }

  @Test func messagesWithCarriageReturns() async throws {
    let repository = try await TemporaryRepository.make()
    for message in ["Größe\r\n\r\nBody\r\n", "Eine\r\nzweite Zeile\r\n \r\nBody", "a\u{A0}\n\nb"] {
      let id = try await repository.git(
        ["commit-tree", "-m", "x", "4b825dc642cb6eb9a060e54bf8d69288fbee4904"])
      let commit = try await repository.git(["cat-file", "commit", id])
      let text = commit.split(separator: "\n\n")[0] + "\n\n" + message
      let new = try await repository.git(
        ["hash-object", "-t", "commit", "-w", "--stdin"], input: Data(text.utf8))
      try await repository.git("update-ref refs/heads/main \(new)")
      let subject = try await repository.git("log -1 --format=%s")
      #expect(try inspect(repository, [.commits]).commits?.last?.subject == subject)
    }
  }

  /// Names in Latin-1.
  @Test func namesThatAreNotUTF8() async throws {
    let repository = try await TemporaryRepository.make()
    let first = try await repository.commit(files: ["a": "x"])
    let head = try await repository.commit(files: ["a": "y"])
    func bytes(_ parts: String...) -> Data { Data(parts.joined().unicodeScalars.map { UInt8($0.value) }) }
    let git = URL(fileURLWithPath: repository.path + "/.git")
    try bytes(
      "\(head) refs/heads/gr\u{FC}n\n", "\(first) refs/remotes/origin/gr\u{FC}n\n",
      "\(first) refs/tags/v1.0-\u{FC}\n"
    ).write(to: git.appendingPathComponent("packed-refs"))
    try bytes("ref: refs/heads/gr\u{FC}n\n").write(to: git.appendingPathComponent("HEAD"))
    let config = try Data(contentsOf: git.appendingPathComponent("config"))
    try
      (config
      + bytes(
        "[remote \"origin\"]\nurl = file:///x\nfetch = +refs/heads/*:refs/remotes/origin/*\n",
        "[branch \"gr\u{FC}n\"]\nremote = origin\nmerge = refs/heads/gr\u{FC}n\n"))
      .write(to: git.appendingPathComponent("config"))
    let report = try inspect(repository, [.head, .branches, .tags, .upstream])
    #expect(report.head?.branch == "gr\u{FFFD}n" && report.head?.commit == head)
    #expect(report.branches == .init(local: 2, remote: 1))
    #expect(report.tags?.nearest == .init(name: "v1.0-\u{FFFD}", distance: 1))
    #expect(report.upstream == .init(name: "origin/gr\u{FFFD}n", ahead: 1, behind: 0))
  }

  @Test func namesOfOneTag() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    try await repository.git("tag -a -m x middle")
    let tag = try await repository.git("rev-parse refs/tags/middle")
    for name in ["alias", "zuletzt"] { try await repository.git("update-ref refs/tags/\(name) \(tag)") }
    #expect(try inspect(repository, [.tags]).tags?.nearest == .init(name: "middle", distance: 0))
    try await repository.git("tag -d middle")
    try await repository.commit(files: ["a": "y"])
    // `git describe` warns, and has the name in the tag.
    let told = try await repository.git("describe --tags")
    #expect(told.hasPrefix("middle-1-"))
    #expect(try inspect(repository, [.tags]).tags?.nearest == .init(name: "middle", distance: 1))
  }

  @Test func twoMerges() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    try await repository.git("branch eins")
    try await repository.git("branch zwei")
    try await repository.git("config branch.main.remote .")
    for name in ["eins", "zwei"] {
      try await repository.git("config --add branch.main.merge refs/heads/\(name)")
    }
    let told = try await repository.git("rev-parse --abbrev-ref @{upstream}")
    #expect(try inspect(repository, [.upstream]).upstream?.name == told)
  }

  @Test func operations() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit("base", files: ["ä": "x"])
    try await repository.git("checkout --quiet -b other")
    let other = try await repository.commit("other", files: ["ä": "y"])
    let patch = try await repository.git("format-patch -1 --stdout") + "\n"
    try await repository.git("checkout --quiet main")
    try await repository.commit("main", files: ["ä": "z"])
    func operation() throws -> String? { try inspect(repository, [.head]).operation }
    #expect(try operation() == nil)
    for (begin, name) in [
      ("merge other", "merge"), ("cherry-pick \(other)", "cherry-pick"),
      ("revert --no-edit HEAD~1", "revert"),
      ("rebase --quiet other", "rebase"), ("rebase --quiet --apply other", "rebase"), ("am", "am"),
    ] {
      // Each stops at a conflict.
      await #expect(throws: (any Error).self) {
        try await repository.git(
          begin.split(separator: " ").map(String.init), input: begin == "am" ? Data(patch.utf8) : nil)
      }
      #expect(try operation() == name, "\(begin)")
      try await repository.git("\(name) --abort")
    }
    try await repository.git("bisect start")
    #expect(try operation() == "bisect")
  }

  @Test func linesOfDataAndProse() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: [
      "ä.sql": "-- a\nselect 1;\n", "a.yaml": "# a\nb: 1\n", "a.json": "{\n}\n", "docs/日本.md": "# a\n\nb\n",
      "a.txt": "a\n", "a.nu": "# a\ndef b [] {\n(ls)\n}\n", "vendor/a.c": "int a;\n",
      "package-lock.json": "{}\n", "a.png": "x", "b.c": "a\u{0}b", "c.c": "int c;\n",
      ".gitattributes": "c.c linguist-detectable=false\n",
    ])
    let report = try inspect(repository, [.lines, .files])
    let told = Dictionary(
      uniqueKeysWithValues: (report.lines ?? []).map {
        ($0.language, [$0.files, $0.code, $0.comment, $0.blank])
      })
    #expect(told["SQL"] == [1, 1, 1, 0] && told["YAML"] == [1, 1, 1, 0] && told["JSON"] == [1, 2, 0, 0])
    #expect(told["Markdown"] == [1, 2, 0, 1] && told["Text"] == [1, 1, 0, 0])
    #expect(told["Nushell"] == [1, 3, 1, 0] && told["C"] == [1, 1, 0, 0])
    // Linguist counts .gitattributes among vendored files.
    #expect(report.skipped == .init(vendored: 2, generated: 1, binary: 2))
    #expect(report.notes.isEmpty)
    #expect(
      report.files?.first == .init(path: "a.nu", language: "Nushell", code: 3, comment: 1, blank: 0))
    #expect(report.files?.count == 7)
    #expect(try inspect(repository, [.files]).lines == nil)
  }

  /// Two names of one author count together; of equal numbers the first name is told, and another mailmap is
  /// not hidden by the cache.
  @Test func churnAuthors() async throws {
    let repository = try await TemporaryRepository.make()
    for (text, author) in [("1", "Ünal <u@x>"), ("2", "Bo <b@x>"), ("3", "Bo <b@x>"), ("4", "U. <u@y>")] {
      try await repository.commit(files: ["ä": text], author: author)
    }
    let cache = MemoryCache().cache
    func author() throws -> InspectionReport.Churn.Author? {
      let report = try Inspector().inspect(path: repository.path, sections: [.churn], cache: cache)
      #expect(report.churn?.files.map(\.commits) == [4])
      return report.churn?.files.first?.author
    }
    #expect(try author() == .init(name: "Bo", commits: 2))
    try repository.write(".mailmap", "Ünal <u@y>\n")
    #expect(try author() == .init(name: "Bo", commits: 2))
    try repository.write(".mailmap", "Änal <u@x>\nÄnal <u@x> <u@y>\nØ <b@x>\n")
    #expect(try author() == .init(name: "Änal", commits: 2))
  }
}
