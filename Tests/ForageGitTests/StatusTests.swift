import ForagePlatform
import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct StatusTests {
  @Test func everyKind() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.compareStatus("unborn and empty")
    try repository.write("new", "x")
    try await repository.git("add new")
    try await repository.compareStatus("unborn")
    let names = ["a", "b", "c", "d", "e/f", "moved"]
    try await repository.commit(
      files: Dictionary(
        uniqueKeysWithValues: names.map { ($0, String(repeating: "line of \($0)\n", count: 20)) }))
    try await repository.compareStatus("clean")
    try repository.write("a", "changed")
    try repository.write("b", "changed")
    try await repository.git("add b")
    try repository.write("b", "changed again")
    try FileManager.default.removeItem(atPath: repository.path + "/c")
    try await repository.git("rm --quiet --cached d")
    try await repository.git("mv moved moved-away")
    try repository.write("u/v/w", "x")
    try repository.write("u/x", "x")
    try repository.write("later", "x")
    try await repository.git("add --intent-to-add later")
    try repository.write(".gitignore", "ignored*\n")
    try repository.write("ignored.txt", "x")
    try await repository.compareStatus("all kinds")
  }

  /// Git follows no link to rules, wherever it is.
  @Test(arguments: ["", "tracked/", "new/deep/"]) func linkedRules(_ folder: String) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x", "tracked/b": "x"])
    try repository.directory.write("rules", "*.txt\n")
    try repository.write(folder + "größe.txt", "work")
    try FileManager.default.createSymbolicLink(
      atPath: repository.path + "/" + folder + ".gitignore",
      withDestinationPath: repository.directory.path("rules"))
    try await repository.compareStatus()
    #expect(try repository.open().status()?.untracked == 2)
  }

  @Test func conflicts() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "base", "b": "base"])
    try await repository.git("checkout --quiet -b side")
    try await repository.commit(files: ["a": "side", "b": "side"])
    try await repository.git("checkout --quiet main")
    try await repository.commit(files: ["a": "main", "c": "main"])
    try await repository.git("rm --quiet b")
    try await repository.git("commit --quiet -m removed")
    _ = try? await repository.git("merge side")
    try await repository.compareStatus()
    #expect(try repository.open().status()?.conflicted == 2)
    try FileManager.default.removeItem(atPath: repository.path + "/a")
    try await repository.compareStatus("without the file")
  }

  @Test func typesModesAndPromises() async throws {
    let repository = try await TemporaryRepository.make()
    let names = [
      "link", "file", "folder", "run", "assumed", "skipped", "gone/a", "gone/b", "beyond/c", "touched",
    ]
    try await repository.commit(files: Dictionary(uniqueKeysWithValues: names.map { ($0, "text of \($0)") }))
    let files = FileManager.default
    func path(_ name: String) -> String { "\(repository.path)/\(name)" }
    for name in ["link", "folder", "gone", "beyond"] { try files.removeItem(atPath: path(name)) }
    try files.createSymbolicLink(atPath: path("link"), withDestinationPath: "file")
    try files.createDirectory(atPath: path("folder"), withIntermediateDirectories: true)
    try repository.write("gone", "a file in the place of a folder")
    try repository.write(".git/elsewhere/c", "text of beyond/c")
    try files.createSymbolicLink(atPath: path("beyond"), withDestinationPath: ".git/elsewhere")
    try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path("run"))
    try await repository.git("update-index --assume-unchanged assumed")
    try await repository.git("update-index --skip-worktree skipped")
    for name in ["assumed", "skipped"] { try files.removeItem(atPath: path(name)) }
    try files.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path("touched"))
    try await repository.compareStatus()
    for setting in [
      "core.fileMode=false", "core.symlinks=false", "core.checkStat=minimal", "core.trustCtime=false",
    ] {
      let parts = setting.split(separator: "=").map(String.init)
      try await repository.git(["config", parts[0], parts[1]])
      try await repository.compareStatus("\(setting)")
    }
  }

  @Test func upperAndLowerCase() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["Folder/File": "x", "other/a": "x", "Third": "x"])
    let root = repository.path
    for (old, new) in [("Folder", "fOLDER"), ("other/a", "other/A"), ("Third", "THIRD")] {
      #expect(rename("\(root)/\(old)", "\(root)/\(new)") == 0)
    }
    for name in ["fOLDER/file", "fOLDER/new", "OTHER/a", "OTHER/b", "third/x"] {
      try repository.write(name, "x")
    }
    try await repository.compareStatus("names that differ")
  }

  /// The rules of `.gitattributes` in the index count where the work tree has no such file.
  @Test func attributesOfTheIndex() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: [".gitattributes": "*.txt text eol=crlf\n", "ä.txt": "a\r\nb\r\n"])
    try await repository.compareStatus("as committed")
    func touch() throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: repository.path + "/ä.txt")
    }
    try touch()
    try await repository.compareStatus("the file was touched")
    try FileManager.default.removeItem(atPath: repository.path + "/.gitattributes")
    try touch()
    #expect(try await repository.compareStatus("without the file").unstaged == 1)
  }

  /// A check that git makes when it adds files does not count here.
  @Test(arguments: ["true", "warn", "false"]) func safeLineEnds(setting: String) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.git("config core.autocrlf input")
    try await repository.git("config core.safecrlf false")
    try await repository.commit(files: ["a.txt": "a\r\nb\r\n", "b.txt": "c\r\n"])
    try await repository.git("config core.safecrlf \(setting)")
    try repository.write("b.txt", "d\r\n")
    for name in ["a.txt", "b.txt"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: "\(repository.path)/\(name)")
    }
    #expect(try await repository.compareStatus().unstaged == 1)
  }

  /// Rules apply in folders whatever bytes their names have.
  @Test func ignoreFilesInFoldersWithoutText() async throws {
    let repository = try await TemporaryRepository.make()
    let folder = Array((repository.path + "/").utf8) + [0xFF, 0x66]
    #expect(mkdir(folder.map { CChar(bitPattern: $0) } + [0], 0o755) == 0)
    for (name, text) in [(".gitignore", "*.log\n"), ("a.log", "x"), ("b", "x")] {
      let path = (folder + Array("/\(name)".utf8)).map { CChar(bitPattern: $0) } + [0]
      let file = try #require(fopen(path, "w"))
      fputs(text, file)
      fclose(file)
    }
    #expect(try await repository.compareStatus().untracked == 2)
  }

  /// A file that is changed right after it was added can have the same size and times.
  @Test func changedAtOnce() async throws {
    let repository = try await TemporaryRepository.make()
    for round in 0..<10 {
      try repository.write("a", "first \(round)")
      try await repository.git("add a")
      try repository.write("a", "other \(round)")
      #expect(try repository.open().status()?.unstaged == 1, "round \(round)")
    }
  }

  @Test func lineEnds() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: [
      ".gitattributes": "* text=auto\n*.dos eol=crlf\n", "a.txt": "a\nb\n", "b.dos": "a\nb\n",
      "c.bin": "a\0\r\n",
    ])
    let clean = try await repository.compareStatus()
    let checked = clean
    // The same text with other line ends is no change, unless the size alone says so.
    let files = FileManager.default
    for name in ["a.txt", "b.dos"] {
      try await repository.git(["rm", "--quiet", "--cached", name])
      try repository.write(name, "a\r\nb\r\n")
      try await repository.git(["add", name])
      try files.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: "\(repository.path)/\(name)")
    }
    #expect(try await repository.compareStatus() == checked)
    // Its bytes are others than the blob's, which the size tells.
    try await repository.git("update-index --refresh")
    let opened = try repository.open()
    #expect(try opened.status()?.uncompared == 0)
    let tree = try #require(try opened.headTree())
    let entry = try #require(try opened.entry(at: "a.txt", in: tree))
    #expect(opened.fileStamps().stamp(of: "a.txt", id: entry.id, size: 6) != nil)
    #expect(opened.fileStamps().stamp(of: "a.txt", id: entry.id, size: 4) == nil)
  }

  /// No program that a configuration names is run, whether libgit2 or git compares the files.
  @Test(arguments: ["--no-split-index", "--split-index"]) func programsAreNotRun(arrangement: String)
    async throws
  {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: [".gitattributes": "*.x filter=upper\n", "a.x": "text", "b": "text"])
    try await repository.git(["update-index", arrangement])
    for key in ["filter.upper.clean", "filter.upper.process", "core.fsmonitor", "core.pager", "pager.status"]
    {
      try await repository.git(["config", key, "touch ran; tr a-z A-Z"])
    }
    let files = FileManager.default
    for name in ["a.x", "b"] {
      try repository.write(name, "TEXT")
      try files.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: "\(repository.path)/\(name)")
    }
    let status = try #require(try repository.open().status())
    #expect(status.uncompared == 1 && status.unstaged == 1)
    #expect(!files.fileExists(atPath: repository.path + "/ran"))
  }

  /// A comparison leaves the index as it is, also where git would write it again.
  @Test(arguments: ["--no-split-index", "--split-index"]) func writesNothing(arrangement: String) async throws
  {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x", "b": "y"])
    try await repository.git(["update-index", arrangement])
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: repository.path + "/a")
    let before = FileAccess.stamp(repository.path + "/.git/index")
    #expect(try repository.open().status()?.isClean == true)
    #expect(FileAccess.stamp(repository.path + "/.git/index") == before)
  }

  /// An index that libgit2 refuses is read by git; one that git refuses, too, is an error.
  @Test func indexesThatLibgit2Refuses() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x", "ü b": "y"])
    try repository.write("ü b", "changed")
    try repository.write("new", "x")
    try await repository.git("rm --quiet --cached a")
    let index = URL(fileURLWithPath: repository.path + "/.git/index")
    // `index.skipHash` leaves zeros in the place of the checksum.
    let bytes = try Data(contentsOf: index).dropLast(20) + Data(count: 20)
    try bytes.write(to: index)
    try await repository.compareStatus("without a checksum")
    let changes = try #require(try repository.open().worktreeChanges())
    #expect(
      changes.tracked == ["a", "ü b"] && changes.removed == ["a"] && changes.untracked == ["a", "new"])
    // A handle sees what git writes later, and asks about such an index again.
    let opened = try repository.open()
    #expect(try opened.status()?.staged == 1)
    #expect(try opened.status()?.staged == 1)
    try await repository.git("reset --quiet")
    #expect(try opened.status() == WorktreeStatus(unstaged: 1, untracked: 1))
    try await repository.git("add new")
    #expect(try opened.status() == WorktreeStatus(staged: 1, unstaged: 1))
    try Data("DIRC and nothing else".utf8).write(to: index)
    #expect(code { _ = try repository.open().status() } == .corrupt)
  }

  /// Files whose changes git does not show are not taken for unchanged, whoever reads the index; their state
  /// is that of git.
  @Test(arguments: ["--no-split-index", "--split-index"]) func unwatchedFiles(_ index: String) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["assumed": "x", "skipped ü": "x", "same": "x"])
    try await repository.git(["update-index", index, "--assume-unchanged", "assumed"])
    try await repository.git(["update-index", "--skip-worktree", "skipped ü"])
    for name in ["assumed", "skipped ü"] { try repository.write(name, "changed") }
    #expect(try repository.open().worktreeChanges()?.tracked == ["assumed", "skipped ü"])
    #expect(try repository.open().status()?.isClean == true)
  }

  /// An exception in a folder to a rule of a folder above, behind other rules or not.
  @Test(arguments: ["# kept\n!keep.log\n", "*.txt\n/x*\n!keep.log\n"])
  func exceptionsInFolders(_ rules: String) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: [".gitignore": "*.log\n", "a/.gitignore": rules])
    for name in ["a/keep.log", "a/other.log", "keep.log"] { try repository.write(name, "x") }
    #expect(try repository.open().worktreeChanges()?.untracked == ["a/keep.log"])
    try await repository.compareStatus("an exception in a folder")
  }

  @Test func cancellation() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    for arrangement in ["--no-split-index", "--split-index"] {
      try await repository.git(["update-index", arrangement])
      let opened = try repository.open()
      var polls = 0
      let isCancelled = {
        polls += 1
        return polls > 1
      }
      #expect(code { _ = try opened.status(isCancelled: isCancelled) } == .cancelled)
      #expect(code { _ = try opened.worktreeChanges(isCancelled: { true }) } == .cancelled)
    }
    let bare = try await TemporaryRepository.make("bare.git", ["--bare"], in: repository.directory).open()
    #expect(try bare.status() == nil && bare.worktreeChanges() == nil)
  }

  /// Rules of every kind of file, and a rule that libgit2 applies to the root itself.
  @Test func ignoreFiles() async throws {
    let repository = try await TemporaryRepository.make()
    try repository.write(".gitignore", "*.o\n/build/\n!keep.o\n")
    try repository.write("sub/.gitignore", "!*.o\n/only\n*.t\n")
    try repository.write("sub/deep/.gitignore", "*\n!*.t\n")
    try repository.write(".git/info/exclude", "excluded\n*.mine\n")
    for name in [
      "a.o", "keep.o", "build/x", "sub/build/x", "sub/b.o", "sub/only", "sub/x/only", "sub/c.t", "sub/deep/d",
      "sub/deep/e.t", "excluded", "x.mine", "sub/personal",
    ] {
      try repository.write(name, "x")
    }
    try await repository.compareStatus("files of the repository")
    try repository.directory.write("mine", "personal\n")
    try await repository.git(["config", "core.excludesFile", repository.directory.path("mine")])
    try await repository.compareStatus("core.excludesFile")
    try await repository.git("add --force build/x excluded sub/b.o")
    try repository.write("build/y", "x")
    try repository.write("build/x", "changed")
    #expect(try await repository.compareStatus("files that are tracked in an ignored folder").unstaged == 1)
    try repository.write(".gitignore", "*/\n")
    #expect(try await repository.compareStatus("a rule for all folders").untracked > 0)
  }

  /// A stamp is that of the file as long as nothing is written to it, and there is none for what may differ
  /// unnoticed.
  @Test func stampsOfFiles() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["é": "x", "b": "y"])
    func path(_ name: String) -> String { repository.path + "/" + name }
    func set(_ seconds: Double, _ name: String) throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: seconds)], ofItemAtPath: path(name))
    }
    try set(1000, "é")
    // Later than the index.
    try set(40_000_000_000, "b")
    try await repository.git("update-index --refresh")
    let opened = try repository.open()
    let id = try #require(ObjectID(hex: try await repository.git("rev-parse HEAD:é")))
    let other = try #require(ObjectID(hex: try await repository.git("rev-parse HEAD:b")))
    let files = ClonedFiles(repository.path)
    func read() throws -> FileStamp? { try files.read(Array("é".utf8))?.stamp }
    let stamp = try #require(opened.fileStamps().stamp(of: "é", id: id))
    #expect(try read() == stamp)
    #expect(opened.fileStamps().stamp(of: "é", id: other) == nil)
    #expect(opened.fileStamps().stamp(of: "b", id: other) == nil)
    #expect(opened.fileStamps().stamp(of: "c", id: id) == nil)
    try repository.write("é", "z")
    try set(1000, "é")
    #expect(try read() != stamp)
    try await repository.git(["config", "filter.upper.smudge", "tr a-z A-Z"])
    #expect(try repository.open().fileStamps().stamp(of: "é", id: id) == nil)
  }

  @Test func stashes() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    #expect(try repository.open().stashCount() == 0)
    for text in ["1", "2"] {
      try repository.write("a", text)
      try await repository.git("stash push --quiet")
    }
    #expect(try repository.open().stashCount() == 2)
  }
}

@Suite struct BlockingGitTests {
  @Test func runsAndFails() async throws {
    #expect(try await BlockingGit.run { _ in 42 } == 42)
    await #expect(throws: GitError.self) {
      try await BlockingGit.run { (_) throws(GitError) -> Int in throw GitError(.other, "no") }
    }
  }

  @Test func manyAtOnceAndCancellation() async throws {
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...50 { group.addTask { try await BlockingGit.run { _ in number } } }
      return try await group.reduce(0, +)
    }
    #expect(sum == 1275)
    let task = Task {
      try await BlockingGit.run { (isCancelled) throws(GitError) -> Int in
        while !isCancelled() { usleep(1000) }
        throw .cancelled
      }
    }
    task.cancel()
    await #expect(throws: GitError.cancelled) { try await task.value }
  }
}
