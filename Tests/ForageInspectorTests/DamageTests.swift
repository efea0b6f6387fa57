import Foundation
import TestSupport
import Testing

@testable import ForageGit
@testable import ForageInspector

/// What a clone can still tell of which objects or files are missing or damaged.
@Suite struct DamageTests {
  private let inspector = Inspector(environment: GitEnvironment())

  private func file(_ object: String, in repository: TemporaryRepository) -> String {
    "\(repository.path)/.git/objects/\(object.prefix(2))/\(object.dropFirst(2))"
  }

  /// Removes a loose object, or overwrites it.
  private func damage(_ object: String, in repository: TemporaryRepository, isRemoved: Bool) throws {
    let path = file(object, in: repository)
    try FileManager.default.removeItem(atPath: path)
    if !isRemoved { try Data("no object".utf8).write(to: URL(fileURLWithPath: path)) }
  }

  /// Commits in a row, each of which changes `a`, with dates a minute apart; oldest first.
  private func row(_ count: Int, in repository: TemporaryRepository) async throws -> [String] {
    var ids: [String] = []
    for number in 0..<count {
      ids.append(
        try await repository.commit(
          "change \(number)", files: ["a": "\(number)"],
          date: TemporaryRepository.defaultDate + 60 * number))
    }
    return ids
  }

  @Test(arguments: [true, false]) func oneBlob(isRemoved: Bool) async throws {
    let repository = try await TemporaryRepository.make()
    let files = [
      "größe/日本.c": "int a;\n", "b.py": "b = 1\n", "LICENSE": "x", "bild.png": "\u{0}picture",
      "package.json": "{\"version\": \"1.0.0\", \"dependencies\": {\"a\": \"1\"}}",
    ]
    try await repository.commit(files: files)
    try damage(
      try await repository.git("rev-parse HEAD:bild.png"), in: repository, isRemoved: isRemoved)
    let report = try inspector.inspect(path: repository.path)
    #expect(report.languages?.map(\.name) == ["C", "Python"] && report.licenses?.count == 1)
    #expect(report.lines?.contains { $0.language == "C" && $0.code == 1 } == true)
    #expect(report.size?.files == 5 && report.dependencies?.count == 1 && report.commits?.count == 1)
    let bytes = files.filter { $0.key != "bild.png" }.values.reduce(0) { $0 + $1.utf8.count }
    #expect(report.size?.bytes == bytes && report.largestFiles?.count == 4)
    #expect(report.damagedSections == ["size", "languages", "lines", "largestFiles"])
    #expect(report.notes.first?.message.hasPrefix("1 file or folder is ") == true)
    #expect(report.notes.allSatisfy { !$0.message.contains("partial") })
    for section in [InspectionSection.size, .languages, .lines, .largestFiles] {
      let only = try inspector.inspect(path: repository.path, sections: [section])
      #expect(only.damagedSections == [section.rawValue])
    }
    for section in [InspectionSection.licenses, .dependencies, .commits, .authors, .lfs, .version, .head] {
      let only = try inspector.inspect(path: repository.path, sections: [section])
      #expect(only.damagedSections.isEmpty, "\(section)")
    }
  }

  @Test func filesOfOneSection() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(
      files: ["LICENSE": "x", "package.json": "{}", ".gitattributes": "*.c text\n", "d/é.c": "int a;\n"])
    for (path, sections) in [
      ("LICENSE", [InspectionSection.licenses]), ("package.json", [.dependencies, .version]),
      (".gitattributes", [.lfs]), ("d", [.size, .licenses, .lines]),
    ] {
      let object = file(try await repository.git("rev-parse HEAD:\(path)"), in: repository)
      try FileManager.default.moveItem(atPath: object, toPath: object + ".away")
      for section in sections {
        let report = try inspector.inspect(path: repository.path, sections: [section])
        #expect(report.damagedSections == [section.rawValue], "\(path) \(section)")
      }
      try FileManager.default.moveItem(atPath: object + ".away", toPath: object)
    }
    #expect(try inspector.inspect(path: repository.path).notes.isEmpty)
    try await repository.git("tag v1.0")
    try damage(try await repository.git("rev-parse HEAD:package.json"), in: repository, isRemoved: true)
    let report = try inspector.inspect(path: repository.path, sections: [.version])
    #expect(report.version?.name == "1.0" && report.notes.isEmpty)
  }

  @Test(arguments: [true, false]) func oneCommit(isRemoved: Bool) async throws {
    let repository = try await TemporaryRepository.make()
    let ids = try await row(6, in: repository)
    try await repository.git("tag -a -m x v1.0 \(ids[4])")
    try await repository.git("branch other \(ids[3])")
    try await repository.git("branch --quiet --set-upstream-to=other main")
    try damage(ids[1], in: repository, isRemoved: isRemoved)
    let report = try inspector.inspect(path: repository.path)
    #expect(report.commits?.count == 4 && report.commits?.first == nil)
    #expect(report.commits?.last?.commit == ids[5] && report.authors?.map(\.commits) == [4])
    #expect(report.activity?.weekdays.reduce(0, +) == 4 && report.signedShare == 0)
    #expect(report.tags?.nearest == .init(name: "v1.0", distance: 1))
    #expect(report.upstream == .init(name: "other", ahead: 2, behind: 0))
    let author = InspectionReport.Churn.Author(name: "A U Thor", commits: 3)
    #expect(report.churn == .init(commits: 4, files: [.init(path: "a", commits: 3, author: author)]))
    #expect(report.damagedSections == ["commits", "churn"])
    #expect(report.notes.first?.message.hasPrefix("1 commit and all behind ") == true)
    for section in [InspectionSection.authors, .authorCount, .busFactor, .activity, .largestBlobs] {
      let only = try inspector.inspect(path: repository.path, sections: [section])
      #expect(only.damagedSections == [section.rawValue])
    }
  }

  /// A tag that cannot be read may be nearer than the one that is reported.
  @Test(arguments: [true, false]) func oneTag(isRemoved: Bool) async throws {
    let repository = try await TemporaryRepository.make()
    let ids = try await row(4, in: repository)
    try await repository.git("tag v1.0 \(ids[1])")
    try await repository.git("tag -a -m x v1.1 \(ids[2])")
    #expect(try inspector.inspect(path: repository.path, sections: [.tags]).notes.isEmpty)
    try damage(try await repository.git("rev-parse refs/tags/v1.1"), in: repository, isRemoved: isRemoved)
    for sections in [InspectionSection.standard, [.tags]] {
      let report = try inspector.inspect(path: repository.path, sections: sections)
      #expect(report.tags == .init(count: 2, nearest: .init(name: "v1.0", distance: 2), highest: "v1.1"))
      #expect(report.damagedSections == ["tags"])
      #expect(report.notes.first?.message.hasPrefix("1 tag could not be read ") == true)
    }
  }

  /// The tags of a clone whose pack has no index are counted.
  @Test func tagsOfPackWithoutIndex() async throws {
    let repository = try await TemporaryRepository.make()
    let ids = try await row(4, in: repository)
    try await repository.git("tag -a -m x v1.0 \(ids[1])")
    try await repository.git("tag v1.1 \(ids[2])")
    for command in ["pack-refs --all", "repack -a -d -q"] { try await repository.git(command) }
    let packs = repository.path + "/.git/objects/pack"
    for name in try FileManager.default.contentsOfDirectory(atPath: packs) where name.hasSuffix(".idx") {
      try FileManager.default.removeItem(atPath: packs + "/" + name)
    }
    let report = try inspector.inspect(path: repository.path, sections: [.tags])
    #expect(report.tags == .init(count: 2, nearest: nil, highest: "v1.1"))
    #expect(report.damagedSections == ["tags"])
  }

  /// Counts that cannot be told are absent, not 0.
  @Test func commitOnOneSide() async throws {
    let repository = try await TemporaryRepository.make()
    let ids = try await row(4, in: repository)
    try await repository.git("branch other \(ids[0])")
    try await repository.git("branch --quiet --set-upstream-to=other main")
    try await repository.git("tag v1.0 \(ids[0])")
    try damage(ids[2], in: repository, isRemoved: true)
    for sections in [[InspectionSection.tags, .upstream], [.tags, .upstream, .commits]] {
      let report = try inspector.inspect(path: repository.path, sections: Set(sections))
      #expect(report.upstream == .init(name: "other", ahead: nil, behind: nil))
      #expect(report.tags == .init(count: 1, nearest: nil, highest: "v1.0"))
      #expect(Set(report.damagedSections).isSuperset(of: ["tags", "upstream"]))
    }
  }

  @Test func partialClones() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.git("config uploadpack.allowFilter true")
    try await repository.commit(files: ["é/.gitignore": "*.o\n", "é/b.c": "int b;\n", "a.c": "int a;\n"])
    try await repository.commit(files: ["a.c": "int c;\n"])
    for filter in ["tree:0", "blob:none"] {
      let name = filter.filter(\.isLetter)
      let partial = try await repository.clone(name, ["--filter=\(filter)", "--no-checkout"])
      for sections in [InspectionSection.standard, [.largestBlobs], [.status], [.lines], [.churn]] {
        let report = try inspector.inspect(path: partial.path, sections: sections)
        #expect(report.damagedSections.isEmpty, "\(filter) \(report.notes)")
        #expect(report.notes.allSatisfy { !$0.message.contains("missing from") }, "\(report.notes)")
      }
      let report = try inspector.inspect(path: partial.path)
      #expect(report.commits?.count == 2 && report.languages == nil)
      #expect(report.notes.contains { $0.message.contains("not present in this partial clone") })
    }
    let sparse = try await repository.clone("sparse", ["--filter=blob:none", "--sparse"])
    let report = try inspector.inspect(path: sparse.path)
    #expect(report.status == .init(clean: true, staged: 0, unstaged: 0, untracked: 0, conflicted: 0))
    #expect(report.languages?.map(\.name) == ["C"] && report.damagedSections.isEmpty)
    // A commit is no object that a filter leaves out.
    let packs = sparse.path + "/.git/objects"
    try FileManager.default.removeItem(atPath: packs)
    try FileManager.default.createDirectory(atPath: packs, withIntermediateDirectories: true)
    for section in [InspectionSection.authors, .size, .commits] {
      let report = try inspector.inspect(path: sparse.path, sections: [section])
      #expect(report.damagedSections == [section.rawValue])
      #expect(report.notes.contains { $0.message.contains("missing from the repository") })
    }
  }

  @Test func filesOfGit() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    let index = repository.path + "/.git/index"
    try FileManager.default.removeItem(atPath: index)
    try FileManager.default.createDirectory(atPath: index, withIntermediateDirectories: true)
    let report = try inspector.inspect(path: repository.path, sections: [.status])
    #expect(report.status == nil && report.damagedSections == ["status"])
    #expect(report.notes.first?.message.contains("index") == true)
    #expect(report.notes.first?.message.contains("git reset") == true)
    let config = repository.path + "/.git/config"
    try repository.write(".git/config", "[core\nbare = perhaps\n")
    for isFolder in [false, true] {
      if isFolder {
        try FileManager.default.removeItem(atPath: config)
        try FileManager.default.createDirectory(atPath: config, withIntermediateDirectories: true)
      }
      let error = #expect(throws: InspectionError.self) { try inspector.inspect(path: repository.path) }
      #expect(error?.code == .corrupt && error?.hint.isEmpty == false)
      #expect(error?.message.contains(config) == true)
    }
  }

  /// The share of signed commits needs the last 100 commits and none behind them.
  @Test func signaturesBeforeDamage() async throws {
    let repository = try await TemporaryRepository.make()
    var stream = ""
    for mark in 1...103 {
      stream += "commit refs/heads/main\nmark :\(mark)\ncommitter C <c@x> \(mark) +0000\ndata 0\n"
    }
    try await repository.git(
      ["-c", "fastimport.unpackLimit=1000", "fast-import", "--quiet"], input: Data((stream + "\n").utf8))
    for (back, isTold) in [(100, true), (99, false)] {
      try damage(try await repository.git("rev-parse HEAD~\(back)"), in: repository, isRemoved: true)
      let report = try inspector.inspect(path: repository.path, sections: [.signedShare])
      #expect(report.signedShare == 0 && report.damagedSections == (isTold ? [] : ["signedShare"]))
      #expect(report.notes.isEmpty == isTold)
    }
  }
}
