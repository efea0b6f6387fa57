import ForageGit
import Foundation
import TestSupport
import Testing

@testable import ForageInspector

@Suite struct InspectorTests {
  private let inspector = Inspector(environment: GitEnvironment())

  private func json(_ report: InspectionReport) throws -> [String: Any] {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return try #require(try JSONSerialization.jsonObject(with: encoder.encode(report)) as? [String: Any])
  }

  @Test func wholeReport() async throws {
    let repository = try await TemporaryRepository.make()
    let license = "Permission is hereby granted, free of charge"
    let first = try await repository.commit(
      "first", files: ["main.c": "int main(void) { return 0; }\n", "LICENSE": license], date: 1_700_000_000)
    try await repository.git("tag v1.0.0")
    let last = try await repository.commit(
      "Subject\nof two lines\n\nBody", author: "Ünal <u@example.com>", date: 1_700_100_000)
    try await repository.git(["remote", "add", "origin", "https://me:secret@example.com/a/b.git"])
    try await repository.git("tag v2.0.0-rc.1 HEAD~1")
    try repository.write("untracked", "x")

    let report = try inspector.inspect(path: repository.path)
    #expect(report.path == repository.path && report.gitDir == repository.path + "/.git")
    #expect(!report.bare && !report.worktree && !report.shallow && !report.empty)
    #expect(
      report.head
        == .init(branch: "main", ref: "refs/heads/main", detached: false, unborn: false, commit: last))
    #expect(report.commits?.count == 2 && report.commits?.merges == 0)
    #expect(report.commits?.first?.commit == first)
    #expect(report.commits?.first?.authoredAt == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(report.commits?.last?.subject == "Subject of two lines")
    #expect(report.commits?.last?.author == "Ünal")
    #expect(report.authorCount == 2)
    #expect(report.authors?.map(\.name) == ["A U Thor", "Ünal"])
    #expect(report.authors?.map(\.share) == [0.5, 0.5])
    #expect(report.tags?.count == 2 && report.tags?.nearest?.distance == 1)
    #expect(report.tags?.highest == "v2.0.0-rc.1")
    #expect(report.remotes == [.init(name: "origin", url: "https://example.com/a/b.git")])
    #expect(report.status == .init(clean: false, staged: 0, unstaged: 0, untracked: 1, conflicted: 0))
    #expect(report.languages == [.init(name: "C", bytes: 29, share: 1)])
    #expect(report.licenses?.map(\.path) == ["LICENSE"])
    #expect(report.size?.files == 2 && report.size?.bytes == 29 + license.utf8.count)
    #expect(report.stashes == 0 && report.submodules == [] && report.worktrees == [])
    #expect(report.notes.isEmpty)

    let object = try json(report)
    #expect(object["schema"] as? Int == 1)
    #expect(object["upstream"] == nil && object["lastFetchAt"] == nil)
    let commits = try #require(object["commits"] as? [String: Any])
    let firstCommit = try #require(commits["first"] as? [String: Any])
    #expect(firstCommit["authoredAt"] as? String == "2023-11-14T22:13:20Z")
    #expect(firstCommit["subject"] == nil)
  }

  @Test func unbornEmptyAndToNowhere() async throws {
    let repository = try await TemporaryRepository.make()
    var report = try inspector.inspect(path: repository.path)
    #expect(report.empty)
    #expect(
      report.head == .init(branch: "main", ref: "refs/heads/main", detached: false, unborn: true, commit: nil)
    )
    #expect(report.commits?.count == 0 && report.authors == [] && report.size?.files == 0)
    #expect(report.status?.clean == true && report.notes.isEmpty)
    #expect((try json(report)["head"] as? [String: Any])?["commit"] == nil)

    try await repository.commit(files: ["a": "x"])
    try await repository.git("symbolic-ref HEAD refs/heads/nowhere")
    report = try inspector.inspect(path: repository.path)
    #expect(!report.empty && report.head?.unborn == true && report.branches?.local == 1)
  }

  @Test func bareAndDetached() async throws {
    let repository = try await TemporaryRepository.make()
    let first = try await repository.commit(files: ["a": "x"])
    try await repository.commit(files: ["a": "y"])
    let bare = try await repository.clone("bare.git", ["--bare"])
    var report = try inspector.inspect(path: bare.path)
    #expect(report.bare && report.path == bare.path && report.status == nil && report.commits?.count == 2)
    #expect(report.notes.isEmpty)
    try await repository.git("checkout --quiet \(first)")
    report = try inspector.inspect(path: repository.path)
    #expect(report.head == .init(branch: nil, ref: nil, detached: true, unborn: false, commit: first))
    #expect(report.commits?.count == 1)
  }

  @Test func worktreeShallowAndUpstream() async throws {
    let repository = try await TemporaryRepository.make()
    for number in 1...4 { try await repository.commit("c\(number)", files: ["a": "\(number)"]) }
    let clone = try await repository.clone("clone")
    try await clone.commit("mine", files: ["b": "x"])
    try await repository.commit("theirs", files: ["c": "x"])
    try await clone.git("fetch --quiet")
    var report = try inspector.inspect(path: clone.path)
    #expect(report.upstream == .init(name: "origin/main", ahead: 1, behind: 1))
    #expect(report.branches == .init(local: 1, remote: 1))
    #expect(report.lastFetchAt != nil && report.commits?.count == 5)

    try await clone.git("update-ref -d refs/remotes/origin/main")
    report = try inspector.inspect(path: clone.path)
    #expect(report.upstream == .init(name: "origin/main", ahead: nil, behind: nil))
    #expect(report.notes.map(\.section) == ["upstream"])

    let shallow = try await repository.clone("shallow", ["--depth=2"])
    report = try inspector.inspect(path: shallow.path)
    #expect(report.shallow && report.commits?.count == 2 && report.notes.isEmpty)

    let linked = repository.directory.path("linked")
    try await repository.git(["worktree", "add", "--quiet", "--detach", linked])
    report = try inspector.inspect(path: linked)
    #expect(report.worktree && report.path == linked && report.head?.detached == true)
    #expect(report.worktrees == [.init(path: linked, branch: nil)])
  }

  @Test func submodules() async throws {
    let inner = try await TemporaryRepository.make("inner")
    let commit = try await inner.commit(files: ["x": "y"])
    let repository = try await TemporaryRepository.make("outer", in: inner.directory)
    try await repository.git(["submodule", "--quiet", "add", "file://" + inner.path, "lib/inner"])
    try await repository.commit()
    func only() throws -> InspectionReport.Submodule {
      let all = try inspector.inspect(path: repository.path).submodules ?? []
      return try #require(all.count == 1 ? all.first : nil)
    }
    #expect(
      try only() == .init(path: "lib/inner", url: "file://" + inner.path, commit: commit, state: "clean"))
    #expect(try inspector.inspect(path: repository.path).size?.files == 1)
    #expect(
      try inspector.inspect(path: repository.path + "/lib/inner").path == repository.path + "/lib/inner")
    try repository.write("lib/inner/new", "untracked")
    #expect(try only().state == "modified")
    try FileManager.default.removeItem(atPath: repository.path + "/lib/inner/new")
    #expect(try only().state == "clean")
    let checkout = try TemporaryRepository(at: repository.path + "/lib/inner", in: inner.directory)
    try await checkout.commit("more")
    #expect(try only().state == "modified")
    try await checkout.git("reset --quiet --hard HEAD~1")
    // What cannot be compared is not said to be clean.
    try repository.write(".git/modules/lib/inner/index", "no index")
    #expect(try only().state == "modified")
    let notes = try inspector.inspect(path: repository.path, sections: [.submodules]).notes
    #expect(notes.map(\.section) == ["submodules"])
    #expect(
      notes.first?.message.hasPrefix("the state of 1 submodule is unknown and shown as modified") == true)
    try FileManager.default.removeItem(atPath: repository.path + "/.git/modules/lib/inner/index")
    try await repository.git("submodule --quiet deinit --force --all")
    #expect(try only().state == "uninitialized")
  }

  @Test func damage() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x", "b": String(repeating: "text ", count: 5000)])
    try await repository.commit(files: ["a": "y"])
    try await repository.git("tag v1.0")
    try await repository.git("gc --quiet")
    let packs = "\(repository.path)/.git/objects/pack"
    let pack = try #require(
      try FileManager.default.contentsOfDirectory(atPath: packs).first { $0.hasSuffix(".pack") })
    let file = URL(fileURLWithPath: "\(packs)/\(pack)")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    var bytes = try Data(contentsOf: file)
    for index in 12..<(bytes.count - 20) { bytes[index] = 0xA5 }
    try bytes.write(to: file)
    let report = try inspector.inspect(path: repository.path)
    #expect(report.commits == nil && report.authors == nil && report.languages == nil && report.status == nil)
    #expect(Set(report.notes.map(\.section)) == ["commits", "size", "status", "churn"])
    #expect(report.head?.branch == "main" && report.tags?.count == 1 && report.size?.packs == 1)
    #expect(report.remotes == [] && report.stashes == 0)
  }

  @Test func garbageInHead() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    for garbage in ["garbage\n", "", "ref: ../../etc/passwd\n", "ref: refs/heads/..\n", "\u{0}\u{1}\u{2}"] {
      try repository.write(".git/HEAD", garbage)
      let report = try inspector.inspect(path: repository.path)
      #expect(report.head == nil && report.commits == nil)
      #expect(report.notes.first?.section == "head")
      #expect(report.branches?.local == 1)
    }
  }

  @Test func notesOnlyOfWhatWasAskedFor() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    try await repository.commit(files: ["a": "y"])
    let inspector = Inspector(environment: GitEnvironment())
    let head = try await repository.git("rev-parse HEAD")
    try repository.write(".git/info/grafts", head + "\n")
    func sections(_ asked: Set<InspectionSection>) throws -> [String] {
      try inspector.inspect(path: repository.path, sections: asked).notes.map(\.section)
    }
    #expect(try sections([.commits, .tags, .branches, .hooks]) == ["commits", "tags"])
    #expect(try sections([.churn, .largestBlobs]) == ["churn", "largestBlobs"])
    #expect(try sections([.status]).isEmpty)
    #expect(try sections([.head, .hooks]).isEmpty)
    try repository.write(".git/HEAD", "garbage")
    #expect(try inspector.inspect(path: repository.path, sections: [.remotes]).notes.isEmpty)
    #expect(
      try inspector.inspect(path: repository.path, sections: [.head]).notes.map(\.section) == ["head"])
  }

  /// Replacements of objects count as in git, in every fact.
  @Test(arguments: [false, true]) func replacements(isPacked: Bool) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    try await repository.commit(files: ["a": "y"])
    try await repository.git("replace HEAD HEAD~1")
    if isPacked { try await repository.git("pack-refs --all --prune") }
    let report = try inspector.inspect(path: repository.path)
    #expect(report.notes.isEmpty)
    #expect(report.commits?.count == 1 && report.churn?.commits == 1)
    #expect(report.status?.staged == 1)
    #expect(try await repository.git("rev-list --count HEAD") == "1")
    #expect(try await repository.git("--no-optional-locks status --porcelain") == "M  a")
  }

  /// A replacement of a tree counts in the status, although the index was written from the tree itself: as in
  /// git, of the root and of no other folder.
  @Test(arguments: ["", "d"]) func replacementsOfTrees(folder: String) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x", "d/b": "x", "d/c": "x"])
    try await repository.commit(files: ["d/b": "y", "d/c": "y"])
    try await repository.git("reset --quiet --hard HEAD~1")
    try await repository.git("replace HEAD:\(folder) HEAD@{1}:\(folder)")
    let told = try await repository.git("--no-optional-locks status --porcelain")
    let report = try inspector.inspect(path: repository.path, sections: [.status])
    #expect(report.status?.staged == told.split(separator: "\n").count)
    #expect(report.status?.staged == (folder.isEmpty ? 2 : 0) && report.notes.isEmpty)
  }

  /// Of a repository with SHA-256 ids all is told that needs no object, and every other section has a note;
  /// or it is told that it cannot be read.
  @Test func sha256() async throws {
    let repository = try await TemporaryRepository.make("sha256", ["--object-format=sha256"])
    try await repository.commit(files: ["a": "x"])
    try await repository.git("branch other")
    try await repository.git("tag v1.2")
    try await repository.git("remote add origin https://example.com/a/b.git")
    guard LibGit2.opensSHA256 else {
      let error = #expect(throws: InspectionError.self) { try inspector.inspect(path: repository.path) }
      #expect(error?.message.contains("sha256") == true)
      return
    }
    let report = try inspector.inspect(path: repository.path)
    #expect(report.head?.branch == "main" && report.head?.commit == nil && report.head?.unborn == false)
    #expect(report.branches?.local == 2 && report.remotes?.map(\.name) == ["origin"] && !report.empty)
    #expect(report.commits == nil && report.status == nil && report.languages == nil)
    #expect(report.size?.files == nil && report.size?.looseObjects == 3 && report.size?.packs == 0)
    #expect(report.tags == .init(count: 1, nearest: nil, highest: "v1.2") && report.version?.name == "1.2")
    #expect(report.stashes == 0)
    let sections = Set(report.notes.map(\.section))
    #expect(sections.isSuperset(of: ["head", "commits", "status", "size", "tags"]))
    #expect(report.notes.allSatisfy { $0.message.contains("sha256") })
    let summary = try inspector.summarize(path: repository.path)
    #expect(summary.headBranch == "main" && summary.problem?.contains("sha256") == true)
  }

  @Test func damagedPackIndex() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    try await repository.git("repack -adq")
    let packs = "\(repository.path)/.git/objects/pack"
    let index = try #require(
      try FileManager.default.contentsOfDirectory(atPath: packs).first { $0.hasSuffix(".idx") })
    let file = URL(fileURLWithPath: "\(packs)/\(index)")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    try Data(contentsOf: file).dropLast(100).write(to: file)
    let report = try inspector.inspect(path: repository.path)
    #expect(report.commits == nil && report.notes.contains { $0.message.contains(index) })
    #expect(try inspector.inspect(path: repository.path, sections: [.head, .hooks]).notes.isEmpty)
  }

  @Test func partialCloneAndBrokenAlternates() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.git("config uploadpack.allowFilter true")
    try await repository.commit(files: ["a.c": "int a;\n"])
    let partial = try await repository.clone("partial", ["--filter=blob:none", "--no-checkout"])
    var report = try inspector.inspect(path: partial.path)
    #expect(report.partial == true && report.commits?.count == 1)
    #expect(report.size?.files == 1 && report.size?.bytes == nil && report.languages == nil)

    try await repository.git([
      "clone", "--quiet", "--shared", repository.path, repository.directory.path("shared"),
    ])
    let shared = try TemporaryRepository(at: repository.directory.path("shared"), in: repository.directory)
    try shared.write(".git/objects/info/alternates", "/nowhere/objects\n")
    report = try inspector.inspect(path: shared.path)
    #expect(report.status == nil && report.notes.contains { $0.message.contains("/nowhere/objects") })
  }

  @Test func cancellation() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit()
    let error = #expect(throws: InspectionError.self) {
      try inspector.inspect(path: repository.path) { true }
    }
    #expect(error?.code == .cancelled)
  }

  @Test func whatCannotBeOpenedIsExplained() async throws {
    let folder = try TemporaryDirectory()
    let missing = #expect(throws: InspectionError.self) {
      try inspector.inspect(path: folder.path("\u{e9}/missing"))
    }
    #expect(missing?.code == .notFound)
    let error = try #require(
      #expect(throws: InspectionError.self) { try inspector.inspect(path: folder.url.path) })
    #expect(error.code == .notARepository && !error.message.isEmpty)
    #expect(error.description.hasPrefix(error.message) && error.description.contains(error.hint))
  }
}
