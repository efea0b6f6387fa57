import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct OpeningTests {
  @Test func noRepository() throws {
    let folder = try TemporaryDirectory()
    let environment = GitEnvironment(ceilings: [folder.url.deletingLastPathComponent().path])
    #expect(code { _ = try GitRepository.open(folder.path, environment: environment) } == .notARepository)
    #expect(code { _ = try GitRepository.open(folder.path("gone"), environment: environment) } == .notFound)
  }

  @Test func foundFromBelowAndFromInside() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a/b/c.txt": "x"])
    for below in ["", "a/b", "a/b/c.txt", ".git"] {
      let opened = try repository.open(below)
      #expect(opened.worktree == repository.path)
      #expect(opened.gitDir == repository.path + "/.git")
      #expect(opened.commonDir == opened.gitDir)
      #expect(!opened.isBare && !opened.isLinkedWorktree)
    }
  }

  /// A `.git` file that leads nowhere is an error, also inside another repository.
  @Test(arguments: [
    ("gitdir: ../.git/modules/gone\n", GitError.Code.notARepository), ("gitdir: ..\n", .notARepository),
    ("nonsense\n", .corrupt),
  ])
  func uselessGitFile(text: String, expected: GitError.Code) async throws {
    let repository = try await TemporaryRepository.make("outer:é")
    try repository.write("inner/.git", text)
    try repository.write("inner/a", "x")
    try repository.write("plain/a", "x")
    for path in ["inner", "inner/a"] { #expect(code { _ = try repository.open(path) } == expected) }
    #expect(try RepositoryLocation.at(repository.path + "/plain") == nil)
    #expect(try RepositoryLocation.at(repository.path)?.worktree == repository.path)
    #expect(try RepositoryLocation.at(repository.path + "/.git")?.worktree == nil)
  }

  /// Folders that a link leads to, and git directories that are named directly.
  @Test func throughLinks() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a/b": "x"])
    let files = FileManager.default
    let link = repository.directory.path("link")
    try files.createSymbolicLink(atPath: link, withDestinationPath: repository.path + "/a")
    #expect(try GitRepository.open(link, environment: GitEnvironment()).worktree == repository.path)
    // The folder whose `.git` is a link is the work tree.
    let other = try repository.directory.makeDirectory("other").path
    try files.createSymbolicLink(atPath: other + "/.git", withDestinationPath: repository.path + "/.git")
    let opened = try GitRepository.open(other, environment: GitEnvironment())
    #expect(opened.worktree == other && opened.gitDir == repository.path + "/.git")
    #expect(try repository.open(".git/objects").worktree == repository.path)
  }

  /// The folder by which a clone is known is the same from everywhere in it, also from its git directory.
  @Test func oneRoot() async throws {
    let repository = try await TemporaryRepository.make("outer")
    try await repository.commit(files: ["a/b": "x"])
    let folder = repository.directory.path
    try await repository.git(["worktree", "add", "--quiet", "-b", "side", folder + "/side"])
    try await repository.git([
      "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "file://" + repository.path, "sub",
    ])
    try await repository.git(["clone", "--quiet", "--bare", repository.path, folder + "/bare/.bare"])
    try repository.directory.write("bare/.git", "gitdir: .bare\n")
    try await repository.git(["clone", "--quiet", "--bare", repository.path, folder + "/plain/.git"])
    try await repository.git(["clone", "--quiet", "--bare", repository.path, folder + "/x.git"])
    try await repository.git(["clone", "--quiet", repository.path, folder + "/moved"])
    try await repository.git(["-C", folder + "/moved", "config", "core.worktree", "../../outer"])
    for (path, root) in [
      ("outer", "outer"), ("outer/a", "outer"), ("outer/.git", "outer"), ("outer/.git/objects", "outer"),
      ("side", "side"), ("outer/sub", "outer/sub"), ("outer/.git/modules/sub", "outer/sub"), ("bare", "bare"),
      ("bare/.bare", "bare"), ("plain", "plain"), ("plain/.git", "plain"), ("x.git", "x.git"),
      ("x.git/refs", "x.git"), ("moved", "moved"),
    ] {
      let path = folder + "/" + path
      #expect(
        try GitRepository.open(path, environment: GitEnvironment()).root == folder + "/" + root, "\(path)")
      #expect(CloneProbe.root(above: path) == folder + "/" + root, "\(path)")
    }
  }

  @Test func bare() async throws {
    let repository = try await TemporaryRepository.make("bare.git", ["--bare"])
    let opened = try repository.open()
    #expect(opened.isBare && opened.worktree == nil && opened.gitDir == repository.path)
    #expect(opened.refs.head == .symbolic(ref: "refs/heads/main", commit: nil))
  }

  @Test func linkedWorktreeAndSeparateGitDir() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    let linked = repository.directory.path("linked")
    try await repository.git(["worktree", "add", "--quiet", "-b", "side", linked])
    let opened = try GitRepository.open(linked, environment: GitEnvironment())
    #expect(opened.isLinkedWorktree && opened.worktree == linked)
    #expect(opened.commonDir == repository.path + "/.git")
    #expect(opened.refs.head.branch == "side")
    #expect(try repository.open().linkedWorktrees() == [LinkedWorktree(path: linked, branch: "side")])

    let separate = try await TemporaryRepository.make(
      "separate", ["--separate-git-dir", repository.directory.path("elsewhere")])
    let apart = try separate.open()
    #expect(apart.gitDir == repository.directory.path("elsewhere"))
    #expect(apart.worktree == separate.path && !apart.isLinkedWorktree)
  }

  /// Of a repository with SHA-256 ids everything is known that needs no object, or why nothing is.
  @Test(arguments: [false, true]) func sha256(isPacked: Bool) async throws {
    let repository = try await TemporaryRepository.make("sha256", ["--object-format=sha256"])
    try await repository.commit(files: ["a": "x"])
    try await repository.git("branch ä")
    try await repository.git("tag v1")
    try await repository.git("remote add origin https://example.com/a/b.git")
    try await repository.git("symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main")
    let linked = repository.directory.path("linked")
    try await repository.git(["worktree", "add", "--quiet", "-b", "side", linked])
    if isPacked { try await repository.git("pack-refs --all") }
    guard LibGit2.opensSHA256 else {
      let error = #expect(throws: GitError.self) { try repository.open() }
      #expect(error?.code == .unsupportedExtension && error?.message.contains("sha256") == true)
      return
    }
    let opened = try repository.open()
    #expect(opened.worktree == repository.path && opened.remotes().map(\.name) == ["origin"])
    #expect(opened.refs.head.branch == "main" && opened.refs.head.commit == nil)
    let names = try opened.refs.names()
    #expect(
      names.map(\.name) == [
        "refs/heads/main", "refs/heads/side", "refs/heads/ä", "refs/remotes/origin/HEAD", "refs/tags/v1",
      ])
    #expect(names.filter(\.isSymbolic).map(\.name) == ["refs/remotes/origin/HEAD"])
    #expect(opened.linkedWorktrees() == [LinkedWorktree(path: linked, branch: "side")])
    #expect(try opened.storage().looseObjects == 3 && opened.storage().packs == 0)
    var none: CommitGraph?
    #expect(try opened.tags(&none) == TagSummary(count: 1, nearest: nil, highest: "v1"))
    #expect(try opened.stashCount() == 0)
    try repository.write("a", "y")
    try await repository.git("stash --quiet")
    #expect(try repository.open().stashCount() == 1)
    for body in [
      { try opened.refs.load() }, { _ = try opened.status() }, { _ = try opened.unsavedWork() },
      { _ = try opened.worktreeChanges() },
    ] as [() throws -> Void] {
      #expect(code(body) == .unsupportedExtension)
    }
  }

  @Test(arguments: [
    ("objectFormat", "sha1", true), ("worktreeConfig", "true", true), ("preciousObjects", "true", true),
    ("partialClone", "origin", true), ("relativeWorktrees", "true", true), ("refStorage", "files", true),
    ("refStorage", "reftable", false), ("objectFormat", "sha256", false), ("someday", "1", false),
  ])
  func extensions(name: String, value: String, isReadable: Bool) async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    let config = repository.path + "/.git/config"
    let text = try String(contentsOfFile: config, encoding: .utf8)
      .replacingOccurrences(of: "repositoryformatversion = 0", with: "repositoryformatversion = 1")
    try Data((text + "[extensions]\n\t\(name) = \(value)\n").utf8).write(to: URL(fileURLWithPath: config))
    let result = code { _ = try repository.open().status() }
    #expect(result == (isReadable ? nil : .unsupportedExtension))
  }

  @Test(arguments: [
    ("refStorage", "reftable", "reftable"),
    ("objectFormat", "sha3", "sha3"),
    ("compatObjectFormat", "sha256", "compatobjectformat"),
    ("someday", "1", "someday"),
  ])
  func refusalsSayWhy(name: String, value: String, sentence: String) async throws {
    let repository = try await TemporaryRepository.make()
    let text = "[core]\n\trepositoryformatversion = 1\n[extensions]\n\t\(name) = \(value)\n"
    try repository.write(".git/config", text)
    let error = #expect(throws: GitError.self) { _ = try repository.open() }
    #expect(error?.code == .unsupportedExtension && error?.message.contains(sentence) == true)
    #expect(error?.hint.isEmpty == false)
  }

  @Test func configuredWorktreeAndNone() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    let elsewhere = try repository.directory.makeDirectory("elsewhere")
    try await repository.git("config core.worktree ../../elsewhere")
    let told = try await repository.git(
      ["-C", ".git", "rev-parse", "--show-toplevel"], adding: ["GIT_DIR": "."])
    #expect(try repository.open().worktree == told && told + "/" == elsewhere.path + "/")
    #expect(try repository.open().status()?.unstaged == 1)
    // What is read of a clone is never a file of another folder.
    #expect(try repository.open().clonedFiles() == nil)

    // A bare repository that does not say so.
    let bare = try await TemporaryRepository.make("bare.git", ["--bare"])
    try bare.write("config", "[core]\n\trepositoryformatversion = 0\n")
    #expect(try await bare.git("rev-parse --is-bare-repository") == "true")
    #expect(try bare.open().isBare)
  }

  @Test func newerFormatAndBadConfigurationLine() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.git("config core.repositoryFormatVersion 7")
    #expect(code { _ = try repository.open() } == .unsupportedExtension)
    try repository.write(".git/config", "[core]\n\tbare = false\n[broken\n")
    #expect(code { _ = try repository.open() } == .corrupt)
  }

  @Test func ownership() async throws {
    let repository = try await TemporaryRepository.make()
    let config = repository.directory.path("gitconfig")
    let owner = UInt32(getuid())
    func open(_ safe: String?, user: UInt32, sudo: UInt32? = nil) throws -> GitError.Code? {
      let text = safe.map { "[safe]\n\tdirectory = \($0)\n" } ?? ""
      try Data(text.utf8).write(to: URL(fileURLWithPath: config))
      let environment = GitEnvironment(globalConfigs: [config], effectiveUserID: user, sudoUserID: sudo)
      return code { _ = try repository.open(environment: environment) }
    }
    let stranger = owner &+ 4321
    #expect(try open(nil, user: owner) == nil)
    #expect(try open(nil, user: stranger) == .notOwned)
    #expect(try open("/somewhere/else", user: stranger) == .notOwned)
    #expect(try open(repository.path, user: stranger) == nil)
    #expect(try open("*", user: stranger) == nil)
    #expect(try open(repository.directory.path + "/*", user: stranger) == nil)
    #expect(try open("*\n\tdirectory =", user: stranger) == .notOwned)
    #expect(try open(nil, user: 0, sudo: owner) == nil)
  }

  @Test func damagedHead() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    try repository.write(".git/HEAD", "not a head at all\n")
    let opened = try repository.open()
    guard case .invalid = opened.refs.head else {
      Issue.record("a damaged HEAD was taken for \(opened.refs.head)")
      return
    }
    #expect(code { _ = try opened.status() } == .invalidHead)
  }

  @Test func configuredLayers() async throws {
    let repository = try await TemporaryRepository.make()
    let global = repository.directory.path("global")
    try Data("[a]\n\tx = global\n\ty = global\n[url \"https://example.com/\"]\n\tinsteadOf = ex:\n".utf8)
      .write(to: URL(fileURLWithPath: global))
    try await repository.git("config a.x local")
    try await repository.git("remote add origin ex:me/it.git")
    let opened = try repository.open(environment: GitEnvironment(globalConfigs: [global]))
    #expect(opened.config.string("a.x") == "local")
    #expect(opened.config.string("a.y") == "global")
    let remote = try #require(opened.remotes().first)
    #expect(remote.url == "ex:me/it.git" && remote.effectiveURL == "https://example.com/me/it.git")
  }

  /// `origin`, else the remote of the branch's upstream, else all of them.
  @Test func sourceRemotes() async throws {
    let repository = try await TemporaryRepository.make()
    func names() throws -> [String] { try repository.open().sourceRemotes().map(\.name) }
    #expect(try names().isEmpty)
    for name in ["a", "b"] { try await repository.git("remote add \(name) https://example.com/me/\(name)") }
    #expect(try names() == ["a", "b"])
    try await repository.git("config branch.main.remote b")
    #expect(try names() == ["b"])
    for other in [".", "https://example.com/me/c"] {
      try await repository.git(["config", "branch.main.remote", other])
      #expect(try names() == ["a", "b"])
    }
    try await repository.git("config branch.main.remote b")
    try await repository.commit(files: ["a": "x"])
    try await repository.git("checkout --quiet --detach")
    #expect(try names() == ["a", "b"])
    try await repository.git("remote rename a origin")
    #expect(try names() == ["origin"])
    try await repository.git("checkout --quiet main")
    #expect(try names() == ["origin"])
  }

  @Test func includesAndManyEntries() async throws {
    let repository = try await TemporaryRepository.make()
    let included = repository.directory.path("more")
    let sections = (0..<150).map { "[remote \"r\($0)\"]\n\turl = u\($0)\n" }.joined()
    try Data(("[a]\n\tx = included\n\tflag\n" + sections).utf8).write(to: URL(fileURLWithPath: included))
    try await repository.git(["config", "a.x", "before"])
    try await repository.git(["config", "include.path", included])
    try await repository.git(["config", "a.z", "after"])
    let config = try repository.open().config
    #expect(config.strings("a.x") == ["before", "included"] && config.string("a.z") == "after")
    #expect(config.bool("a.flag") == true && config.string("a.flag") == nil)
    #expect(config.subsections(of: "remote").count == 150)
    let few = GitConfig(entries: config.entries.filter { !$0.key.hasPrefix("remote.r1") })
    #expect(few.subsections(of: "remote") == ["r0"] + (2...9).map { "r\($0)" } + (20...99).map { "r\($0)" })
  }

  /// Only the repository's own files say where its work tree is, without what they include.
  @Test func worktreeIsTheRepositorysOwnAffair() async throws {
    let repository = try await TemporaryRepository.make()
    let other = try repository.directory.makeDirectory("other").path
    let global = repository.directory.path("global")
    try Data("[core]\n\tbare = true\n\tworktree = \(other)\n".utf8).write(to: URL(fileURLWithPath: global))
    try await repository.git("config --unset core.bare")
    try await repository.git(["config", "include.path", global])
    let environment = GitEnvironment(globalConfigs: [global])
    #expect(try repository.open(environment: environment).worktree == repository.path)
    try await repository.git(["config", "core.worktree", "../../other"])
    #expect(try repository.open(environment: environment).worktree == other)
    #expect(try repository.open(".git", environment: environment).worktree == other)
    for nothing in ["", "config", "../gone"] {
      // Git itself cannot change what it cannot open.
      try repository.write(".git/config", "[core]\n\tworktree = \(nothing)\n")
      #expect(code { _ = try repository.open() } == .notFound, "\(nothing)")
    }
  }

  /// A git folder apart from its work tree has none when it is named itself: nothing in it says where that
  /// is.
  @Test func gitDirApart() async throws {
    let repository = try await TemporaryRepository.make()
    let elsewhere = repository.directory.path("elsewhere")
    try await repository.git(["init", "--quiet", "--separate-git-dir", elsewhere])
    #expect(try repository.open().worktree == repository.path)
    let apart = try GitRepository.open(elsewhere, environment: GitEnvironment())
    #expect(apart.worktree == nil && apart.gitDir == elsewhere)
  }

  @Test func damagedReferences() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    try repository.write(".git/packed-refs", "nonsense\n")
    #expect(code { _ = try repository.open() } == .corrupt)
    let opened = try GitRepository.open(
      repository.path, environment: GitEnvironment(), loadsReferences: false)
    // What was asked of them before does not hide it.
    #expect(opened.refs.all.isEmpty && opened.refs.head.commit != nil)
    #expect(code { try opened.refs.load() } == .corrupt)
  }

  @Test func referencesOfALinkedWorktree() async throws {
    let repository = try await TemporaryRepository.make()
    let first = try await repository.commit(files: ["a": "x"])
    let second = try await repository.commit(files: ["a": "y"])
    let linked = repository.directory.path("linked")
    try await repository.git(["worktree", "add", "--quiet", "-b", "side", linked])
    try await repository.git(["update-ref", "refs/bisect/bad", first])
    let own = repository.path + "/.git/worktrees/linked/refs"
    for (name, id) in [("heads/side", first), ("bisect/good", first)] {
      let file = URL(fileURLWithPath: own + "/" + name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data((id + "\n").utf8).write(to: file)
    }
    // A name that is not UTF-8.
    let name = ReferenceName(bytes: Array("refs/bisect/good-".utf8) + [0xFF])
    let path = Array((own + "/").utf8) + name.bytes.dropFirst("refs/".utf8.count)
    let file = try #require(fopen(path.map { CChar(bitPattern: $0) } + [0], "w"))
    fputs(first + "\n", file)
    fclose(file)
    let opened = try GitRepository.open(linked, environment: GitEnvironment())
    #expect(opened.refs.head.commit?.hex == second)
    #expect(opened.refs.all.map(\.name) == ["refs/bisect/good", name, "refs/heads/main", "refs/heads/side"])
    #expect(opened.refs[name: "refs/heads/side"]?.target.hex == second)
  }

  /// Names of references are bytes: those that are no UTF-8 count, and those that only look alike differ.
  @Test(arguments: [false, true]) func namesThatAreBytes(isPacked: Bool) async throws {
    let repository = try await TemporaryRepository.make()
    let commit = try await repository.commit(files: ["a": "x"])
    let names = [
      Array("refs/heads/e\u{301}".utf8), Array("refs/heads/\u{E9}".utf8),
      Array("refs/heads/".utf8) + [0xFF, 0x62], Array("refs/tags/".utf8) + [0x76, 0x31, 0xC3],
    ]
    for name in names {
      let path = Array("\(repository.path)/.git/".utf8) + name
      if isPacked { continue }
      let written = path.map { CChar(bitPattern: $0) } + [0]
      let descriptor = open(written, O_WRONLY | O_CREAT, 0o644)
      #expect(descriptor >= 0)
      let line = Array("\(commit)\n".utf8)
      #expect(write(descriptor, line, line.count) == line.count)
      close(descriptor)
    }
    if isPacked {
      let lines = names.map { Array("\(commit) ".utf8) + $0 + [0x0A] }.joined()
      try Data(lines).write(to: URL(fileURLWithPath: repository.path + "/.git/packed-refs"))
    }
    let opened = try repository.open()
    let expected = (names + [Array("refs/heads/main".utf8)]).sorted { $0.lexicographicallyPrecedes($1) }
    #expect(opened.refs.all.map(\.name.bytes) == expected)
    #expect(opened.refs.with(prefix: "refs/heads/").count == 4)
    for name in names { #expect(opened.refs[name: ReferenceName(bytes: name)]?.target.hex == commit) }
  }

  /// No reference vanishes while git packs them.
  @Test func packedMeanwhile() async throws {
    let repository = try await TemporaryRepository.make()
    let commit = try await repository.commit(files: ["a": "x"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in 0..<20 {
          for number in 0..<20 {
            try repository.write(".git/refs/heads/b\(round)-\(number)", "\(commit)\n")
          }
          try await repository.git("pack-refs --all")
        }
      }
      group.addTask {
        var seen = 0
        while seen < 401 {
          let count = try repository.open().refs.all.count
          #expect(count >= seen)
          guard count >= seen else { return }
          try Task.checkCancellation()
          seen = count
          await Task.yield()
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func settingsInVariables() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.git("config a.x local")
    var environment = GitEnvironment()
    let variables = [
      "GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "A.X", "GIT_CONFIG_VALUE_0": "over",
      "GIT_CONFIG_KEY_1": "Remote.Or.igin.URL",
    ]
    environment.readOverrides { variables[$0] }
    let config = try repository.open(environment: environment).config
    #expect(config.strings("a.x") == ["local", "over"] && config.string("a.x") == "over")
    #expect(config.string("remote.Or.igin.url") == "" && config.subsections(of: "remote") == ["Or.igin"])
    var bare = GitEnvironment()
    bare.readOverrides { $0 == "GIT_NO_REPLACE_OBJECTS" ? "1" : nil }
    #expect(try repository.open(environment: bare).config.bool("core.usereplacerefs") == false)
    for bad in [["GIT_CONFIG_COUNT": "x"], ["GIT_CONFIG_COUNT": "1"], ["GIT_CONFIG_COUNT": "-1"]] {
      var environment = GitEnvironment()
      environment.readOverrides { bad[$0] }
      #expect(code { _ = try repository.open(environment: environment) } == .corrupt)
    }
  }

  @Test func damagedPackedReferences() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit(files: ["a": "x"])
    try repository.write(".git/packed-refs", "garbage\n")
    do {
      try repository.open().refs.load()
      Issue.record("the file is damaged")
    } catch let error as GitError {
      #expect(error.code == .corrupt && error.hint.contains("packed-refs"))
    }
  }

  /// Conditions and home folders that libgit2 does not know.
  @Test func includesOfOtherKinds() async throws {
    let repository = try await TemporaryRepository.make()
    try repository.write(".git/more", "[a]\n\tx = remote\n")
    try repository.write(".git/never", "[a]\n\tx = never\n")
    try await repository.git(["config", "remote.origin.url", "https://example.com/a/b.git"])
    try await repository.git([
      "config", "includeIf.hasconfig:remote.*.url:https://example.com/**.path", "more",
    ])
    try await repository.git(["config", "includeIf.hasconfig:remote.*.url:https://else.com/**.path", "never"])
    #expect(try await repository.git("config a.x") == "remote")
    #expect(try repository.open().config.strings("a.x") == ["remote"])
    let user = try #require(getpwuid(getuid()))
    let (name, home) = (String(cString: user.pointee.pw_name), String(cString: user.pointee.pw_dir))
    #expect(GitEnvironment(home: "/elsewhere").expand("~\(name)/x") == home + "/x")
    #expect(GitEnvironment(home: "/elsewhere").expand("~/x") == "/elsewhere/x")
    #expect(GitEnvironment(home: "/elsewhere").expand("~") == "/elsewhere")
    #expect(GitEnvironment().expand("~\(name)") == home)
    #expect(GitEnvironment().expand("~nobody-has-this-name/x") == "~nobody-has-this-name/x")
  }

  @Test(arguments: [
    ("1k", true), ("0", false), ("0k", false), ("2M", true), ("-1", true), ("0x0", false), ("0x1g", true),
    ("On", true), ("nO", false), ("", false), ("k", nil), ("maybe", nil),
  ])
  func booleans(text: String, expected: Bool?) { #expect(GitConfig.boolean(text) == expected) }
}
