import Foundation
import TestSupport
import Testing

@testable import ForageGit

/// Whether deleting a clone may lose work: never no where it may, and yes for what is on a remote.
@Suite struct UnsavedWorkTests {
  /// A repository with two commits on `main`, and one behind them on `dev`.
  private func upstream() async throws -> TemporaryRepository {
    let source = try await TemporaryRepository.make("source")
    try await source.commit(
      "one", files: ["a": "1\n", "d/é": "1\n", "e/f": "1\n"], date: TemporaryRepository.defaultDate - 60)
    try await source.commit("two", files: ["b": "2\n"])
    try await source.git("branch dev HEAD~1")
    return source
  }

  /// What is done to a fresh clone, and what is found then; nil where the clone can be deleted.
  private static let states: [(name: String, commands: [String], found: UnsavedWork?)] = [
    ("fresh", [], nil),
    ("behind its upstream", ["reset --quiet --hard HEAD~1"], nil),
    ("detached on a remote's commit", ["checkout --quiet --detach HEAD~1"], nil),
    ("another branch of the remote", ["checkout --quiet dev"], nil),
    ("references packed", ["pack-refs --all"], nil),
    (
      "a pushed branch",
      ["checkout --quiet -b ä", "commit --quiet --allow-empty -m x", "push --quiet origin ä"], nil
    ),
    ("a local tag on a remote's commit", ["tag here"], nil),
    ("the text of a tag that no remote has", ["tag -a -m x there"], .tags),
    ("the same, packed", ["tag -a -m x there", "pack-refs --all"], .tags),
    ("a pushed tag", ["tag -a -m x there", "push --quiet origin there"], nil),
    (
      "a tag of a pushed tag", ["tag -a -m x there", "push --quiet origin there", "tag -a -m y outer there"],
      .tags
    ),
    (
      "the tag in a pushed tag",
      ["tag -a -m x there", "tag -a -m y outer there", "push --quiet origin outer"],
      nil
    ),
    ("a pushed tag of a file", ["tag x HEAD:a", "push --quiet origin x"], nil),
    (
      "a tag that alone has a commit",
      ["checkout --quiet --detach", "commit --quiet --allow-empty -m x", "tag x", "checkout --quiet main"],
      .commits
    ),
    (
      "an annotated tag that alone has a commit, packed",
      [
        "checkout --quiet --detach", "commit --quiet --allow-empty -m x", "tag -a -m x x",
        "checkout --quiet main", "pack-refs --all",
      ], .commits
    ),
    ("a tag of a file", ["tag x HEAD:a"], .commits),
    ("a replaced commit", ["replace --graft HEAD"], .commits),
    (
      "a remote's branch that is a link to a local one",
      [
        "checkout --quiet -b x", "commit --quiet --allow-empty -m x",
        "symbolic-ref refs/remotes/origin/x refs/heads/x",
      ], .commits
    ),
    (
      "a remote that is the clone itself",
      ["remote add self .", "commit --quiet --allow-empty -m x", "fetch --quiet self"], .commits
    ),
    ("a remote that is gone", ["remote set-url origin ../gone"], .commits),
    ("a remote that cannot be looked into", ["remote set-url origin https://example.invalid/x.git"], nil),
    (
      "a remote that is another repository", ["init --quiet ../other", "remote set-url origin ../other"],
      .commits
    ),
    ("said to be bare", ["config core.bare true"], .unknownWorkTree),
    (
      "said to be bare for this work tree",
      ["config extensions.worktreeConfig true", "config --worktree core.bare true"], .unknownWorkTree
    ),
    ("a work tree elsewhere", ["config core.worktree ../../source"], .unknownWorkTree),
    (
      "prefetched",
      [
        "commit --quiet --allow-empty -m x", "update-ref refs/prefetch/remotes/origin/main HEAD",
        "reset --quiet --hard HEAD~1",
      ], .commits
    ),
    (
      "a commit that was fetched from a file, which counts as little as a reflog",
      [
        "checkout --quiet --detach", "commit --quiet --allow-empty -m x",
        "bundle create --quiet ../x.bundle HEAD", "checkout --quiet main", "fetch --quiet ../x.bundle HEAD",
      ], nil
    ),
    ("a branch that was fetched by its path", ["fetch --quiet ../source dev"], nil),
    (
      "a reference that is not below refs",
      [
        "checkout --quiet --detach", "commit --quiet --allow-empty -m x", "update-ref SAVED_HEAD HEAD",
        "checkout --quiet main",
      ], .commits
    ),
    (
      "the same with a hyphen",
      [
        "checkout --quiet --detach", "commit --quiet --allow-empty -m x", "update-ref SAVED-HEAD HEAD",
        "checkout --quiet main",
      ], .commits
    ),
    ("the same to a commit of the remote", ["update-ref SAVED_HEAD HEAD~1"], nil),
    (
      "what git leaves behind, which counts as little as a reflog",
      ["commit --quiet --allow-empty -m x", "reset --quiet --hard HEAD~1"], nil
    ),
    ("a sparse checkout", ["sparse-checkout set d"], nil),
    ("a linked work tree elsewhere", ["worktree add --quiet --detach ../linked"], .outerWorktree),
    ("a local commit", ["commit --quiet --allow-empty -m x"], .commits),
    (
      "a local branch that is not checked out",
      ["checkout --quiet -b x", "commit --quiet --allow-empty -m x", "checkout --quiet main"], .commits
    ),
    (
      "a local branch, packed",
      [
        "checkout --quiet -b x", "commit --quiet --allow-empty -m x", "checkout --quiet main",
        "pack-refs --all",
      ],
      .commits
    ),
    ("a detached commit", ["checkout --quiet --detach", "commit --quiet --allow-empty -m x"], .commits),
    (
      "a commit of the remote that no branch has any more",
      [
        "checkout --quiet -b x", "commit --quiet --allow-empty -m x", "push --quiet origin x",
        "push --quiet origin :x",
      ], .commits
    ),
    ("notes", ["notes add -m note"], .commits),
    ("no remote", ["remote remove origin"], .commits),
    ("a remote that is no longer configured", ["config --remove-section remote.origin"], .commits),
    (
      "a tag among the remote's branches",
      [
        "config --add remote.origin.fetch +refs/tags/*:refs/remotes/origin/tags/*", "tag -a -m x v1 HEAD",
        "push --quiet origin v1", "fetch --quiet", "checkout --quiet -b x",
        "commit --quiet --allow-empty -m x", "commit --quiet --allow-empty -m y", "push --quiet origin x",
        "reset --quiet --hard HEAD~1",
      ], nil
    ),
    (
      "a reference to a tag object",
      ["tag -a -m x v1 HEAD", "update-ref refs/kept/v1 refs/tags/v1", "push --quiet origin v1"], nil
    ),
    ("a symbolic reference", ["symbolic-ref refs/heads/alias refs/heads/main"], nil),
    ("a symbolic reference to nothing", ["symbolic-ref refs/heads/alias refs/heads/gone"], .commits),
    ("an orphan branch", ["checkout --quiet --orphan new"], .unbornHead),
    (
      "a linked work tree with a commit",
      ["worktree add --quiet --detach ../linked", "-C ../linked commit --quiet --allow-empty -m x"], .commits
    ),
    ("a bisection", ["bisect start"], .operation),
    ("assumed to be unchanged", ["update-index --assume-unchanged a"], .hiddenFiles),
    ("left out, and there all the same", ["update-index --skip-worktree a"], .hiddenFiles),
  ]

  @Test(arguments: states.indices)
  func stateOfAClone(_ index: Int) async throws {
    let state = Self.states[index]
    let clone = try await upstream().clone("clone")
    for command in state.commands { try await clone.git(command) }
    #expect(try clone.open().unsavedWork() == state.found, "\(state.name)")
  }

  @Test func filesAndStashes() async throws {
    let source = try await upstream()
    let clone = try await source.clone("clone")
    try clone.write("neu", "x")
    #expect(try clone.open().unsavedWork() == .changes)
    try clone.write(".git/info/exclude", "neu\n")
    #expect(try clone.open().unsavedWork() == nil)
    try clone.write("a", "changed")
    #expect(try clone.open().unsavedWork() == .changes)
    try await clone.git("add a")
    #expect(try clone.open().unsavedWork() == .changes)
    try await clone.git("stash --quiet")
    #expect(try clone.open().unsavedWork() == .stash)
    try FileManager.default.removeItem(atPath: clone.path + "/.git/logs/refs/stash")
    #expect(try clone.open().unsavedWork() == .stash)
  }

  @Test func linkedWorktrees() async throws {
    let source = try await upstream()
    let clone = try await source.clone("clone")
    try await clone.git("worktree add --quiet --detach ../linked")
    let linked = source.directory.path("linked")
    try Data("x".utf8).write(to: URL(fileURLWithPath: linked + "/new"))
    #expect(try clone.open().unsavedWork() == .changes)
    #expect(try GitRepository.open(linked, environment: GitEnvironment()).unsavedWork() == .changes)
    // It may be on a disk that is not there now.
    try FileManager.default.moveItem(atPath: linked, toPath: linked + "-moved")
    #expect(try clone.open().unsavedWork() == .missingWorktree)
    try FileManager.default.moveItem(atPath: linked + "-moved", toPath: linked)
    try FileManager.default.removeItem(atPath: linked + "/new")
    #expect(try clone.open().unsavedWork() == .outerWorktree)
    let (reasons, survey) = try clone.open().allUnsavedWork(
      deleting: clone.path, .lastFetch, deletedBefore: [], { false })
    #expect(reasons == [.outerWorktree] && survey.worktrees == [linked])
    let after = try clone.open().allUnsavedWork(
      deleting: clone.path, .lastFetch, deletedBefore: [linked], { false })
    #expect(after.reasons.isEmpty)
    try await clone.git("worktree lock ../linked")
    #expect(try clone.open().unsavedWork() == .lockedWorktree)
    try await clone.git("worktree unlock ../linked")
    let admin = clone.path + "/.git/worktrees/"
    for (file, content) in [("HEAD", nil), ("gitdir", "\n"), ("gitdir", clone.path + "/.git\n")] {
      let path = admin + "linked/" + file
      let old = try Data(contentsOf: URL(fileURLWithPath: path))
      try FileManager.default.removeItem(atPath: path)
      if let content { try Data(content.utf8).write(to: URL(fileURLWithPath: path)) }
      #expect(try clone.open().unsavedWork() == .missingWorktree, "\(file)")
      try old.write(to: URL(fileURLWithPath: path))
    }
    let name = (Array(admin.utf8) + [0xFF]).map { CChar(bitPattern: $0) } + [0]
    try #require(rename(admin + "linked", name) == 0)
    #expect(try clone.open().unsavedWork() == .missingWorktree)
    try #require(rename(name, admin + "linked") == 0)
    // Another folder in its place is not the work tree.
    try FileManager.default.removeItem(atPath: linked)
    try FileManager.default.createDirectory(atPath: linked, withIntermediateDirectories: true)
    #expect(throws: GitError.self) { try clone.open().unsavedWork() }
  }

  /// A linked work tree with another one in an ignored folder goes with it.
  @Test func linkedWorktreeInAnother() async throws {
    let source = try await upstream()
    try await source.commit(files: [".gitignore": ".claude/\n"])
    let clone = try await source.clone("clone")
    try await clone.git("worktree add --quiet --detach ../linked")
    let linked = source.directory.path("linked")
    let inner = linked + "/.claude/worktrees/inner"
    try await clone.git(["-C", linked, "worktree", "add", "--quiet", "--detach", inner])
    func found() throws -> UnsavedWork? {
      try GitRepository.open(linked, environment: GitEnvironment()).unsavedWork(deleting: linked)
    }
    #expect(try found() == nil)
    try Data("x".utf8).write(to: URL(fileURLWithPath: inner + "/new"))
    #expect(try found() == .innerRepository)
    try FileManager.default.removeItem(atPath: inner + "/new")
    try await clone.git(["-C", inner, "commit", "--quiet", "--allow-empty", "-m", "x"])
    #expect(try found() == .innerRepository)
  }

  /// Only what a remote has now counts, where it is asked.
  @Test func askedRemotes() async throws {
    let source = try await upstream()
    let clone = try await source.clone("clone")
    try await clone.git("tag -a -m x old", date: TemporaryRepository.defaultDate)
    try await clone.git("remote set-url origin https://example.invalid/x.git")
    let repository = try clone.open()
    let main = try #require(repository.refs.head.commit)
    let dev = try #require(repository.refs[name: "refs/remotes/origin/dev"]?.target)
    let tag = try #require(repository.refs[name: "refs/tags/old"]?.target)
    func found(_ answer: @escaping @Sendable (Remote, Set<ObjectID>) -> RemoteAnswer) throws -> (
      [UnsavedWork], DeletionSurvey
    ) {
      let knowledge = RemoteKnowledge.asked { _, remote, commits in answer(remote, commits) }
      return try clone.open().allUnsavedWork(deleting: clone.path, knowledge, deletedBefore: [], { false })
    }
    // The tag is older than the last fetch, so that without asking it is taken for the remote's.
    try clone.write(".git/FETCH_HEAD", "")
    #expect(try repository.unsavedWork() == nil)
    #expect(try found { _, _ in .has([main]) }.0 == [.tags])
    #expect(try found { _, _ in .has([main, tag]) }.0.isEmpty)
    #expect(try found { _, commits in .has(commits.union([tag])) }.0.isEmpty)
    // A remote that was pushed to with force has lost what the clone took from it.
    let (lost, survey) = try found { _, _ in .has([dev]) }
    #expect(lost == [.commits] && survey.lost == ["origin/main"] && survey.unanswered.isEmpty)
    let (silent, other) = try found { _, _ in .unanswered("it is away") }
    #expect(silent == [.commits] && other.lost.isEmpty)
    #expect(other.unanswered.map(\.reason) == ["it is away"])
    // One that is away is no loss where another one has everything.
    try await clone.git("remote add größe https://example.invalid/y.git")
    #expect(
      try found { remote, _ in remote.name == "origin" ? .unanswered("x") : .has([main, tag]) }.0.isEmpty)
    // A commit that only a remote-tracking branch names counts, too: the remote may have it no more.
    try await clone.git("update-ref refs/remotes/origin/ältere \(try await clone.commit("only here"))")
    try await clone.git("reset --quiet --hard HEAD~1")
    let (alone, third) = try found { _, _ in .has([main, dev, tag]) }
    #expect(alone == [.commits] && third.lost == ["origin/ältere"])
    #expect(try clone.open().unsavedWork() == nil)
  }

  /// A file of one's own in the folder of a bare clone is nowhere else.
  @Test func ownFilesInABareClone() async throws {
    let clone = try await upstream().clone("größe.git", ["--bare"])
    #expect(try clone.open().unsavedWork() == nil)
    try clone.write("notizen.txt", "mine")
    #expect(try clone.open().unsavedWork() == .hiddenFiles)
  }

  /// What is staged in another index than the work tree's is nowhere else.
  @Test func anotherIndex() async throws {
    let clone = try await upstream().clone("clone")
    #expect(try clone.open().unsavedWork() == nil)
    try FileManager.default.copyItem(
      atPath: clone.path + "/.git/index", toPath: clone.path + "/.git/index.alt")
    #expect(try clone.open().unsavedWork() == .otherIndex)
  }

  @Test func operations() async throws {
    let source = try await upstream()
    let clone = try await source.clone("clone")
    try await clone.git("checkout --quiet -b other")
    try await clone.commit("theirs", files: ["b": "theirs\n"])
    try await clone.git("push --quiet origin other")
    try await clone.git("checkout --quiet main")
    try await clone.commit("ours", files: ["b": "ours\n"])
    try await clone.git("push --quiet origin HEAD:ours")
    #expect(try clone.open().unsavedWork() == nil)
    _ = try? await clone.git("merge --quiet other")
    try await clone.git("checkout --quiet HEAD -- b")
    #expect(try clone.open().unsavedWork() == .operation)
  }

  @Test func submodules() async throws {
    let part = try await upstream()
    let source = try await TemporaryRepository.make("whole", in: part.directory)
    try await source.git(["submodule", "add", "--quiet", part.path, "lib/teil"])
    try await source.git("commit --quiet -m part")
    func fresh(_ name: String) async throws -> TemporaryRepository {
      try await source.clone(name, ["--recurse-submodules"])
    }
    let plain = try await source.clone("plain")
    #expect(try plain.open().unsavedWork() == nil)
    try plain.write("lib/teil/file", "x")
    #expect(try plain.open().unsavedWork() == .hiddenFiles)
    #expect(try await fresh("whole-clone").open().unsavedWork() == nil)
    let dirty = try await fresh("dirty")
    try dirty.write("lib/teil/new", "x")
    #expect(try dirty.open().unsavedWork() == .submodule)
    // What the configuration lets `git status` pass over is looked at all the same.
    try await dirty.git("config submodule.lib/teil.ignore all")
    #expect(try dirty.open().unsavedWork() == .submodule)
    let branch = try await fresh("branch")
    for command in ["checkout --quiet -b x", "commit --quiet --allow-empty -m x", "checkout --quiet -"] {
      try await branch.git("-C lib/teil " + command)
    }
    #expect(try branch.open().unsavedWork() == .submodule)
    let removed = try await fresh("removed")
    try await removed.git("submodule --quiet deinit --force lib/teil")
    #expect(try removed.open().unsavedWork() == .submodule)
  }

  /// A clone in an ignored folder goes with the one around it.
  @Test func ignoredRepositories() async throws {
    let source = try await upstream()
    let clone = try await source.clone("clone")
    try clone.write(".git/info/exclude", "build/\n.trees/\n")
    let inner = try await source.clone("clone/build/ü/inner")
    #expect(try clone.open().unsavedWork() == nil)
    try inner.write("neu", "x")
    #expect(try clone.open().unsavedWork() == .innerRepository)
    try FileManager.default.removeItem(atPath: inner.path + "/neu")
    try inner.write(".git/HEAD", "garbage")
    #expect(try clone.open().unsavedWork() == .innerRepository)
    try inner.write(".git/HEAD", "ref: refs/heads/none\n")
    #expect(try clone.open().unsavedWork() == .innerRepository)
    try FileManager.default.removeItem(atPath: inner.path)
    try await clone.git("worktree add --quiet --detach .trees/one")
    #expect(try clone.open().unsavedWork() == nil)
    // What another tool keeps is not known.
    try clone.write("build/ü/other/.hg/requires", "store\n")
    #expect(try clone.open().unsavedWork() == .innerRepository)
  }

  /// A repository that is neither tracked nor ignored counts as one that is ignored.
  @Test func untrackedRepositories() async throws {
    let source = try await upstream()
    let clone = try await source.clone("clone")
    let inner = try await source.clone("clone/außen/inner")
    #expect(try clone.open().unsavedWork() == nil)
    try clone.write("außen/note", "x")
    #expect(try clone.open().unsavedWork() == .changes)
    try FileManager.default.removeItem(atPath: clone.path + "/außen/note")
    try inner.write("neu", "x")
    #expect(try clone.open().unsavedWork() == .innerRepository)
    try FileManager.default.removeItem(atPath: inner.path + "/neu")
    // A work tree elsewhere would be left without its repository.
    let linked = source.directory.path("linked")
    try await inner.git(["worktree", "add", "--quiet", "--detach", linked])
    #expect(try clone.open().unsavedWork() == .innerRepository)
    try await inner.git(["worktree", "remove", linked])
    #expect(try clone.open().unsavedWork() == nil)
    // What only the clone around it has is on no remote when both are gone.
    try await clone.git("commit --quiet --allow-empty -m ours")
    try await inner.git(["remote", "set-url", "origin", clone.path])
    try await inner.git("pull --quiet")
    try await clone.git("push --quiet origin HEAD:refs/heads/ours")
    #expect(try clone.open().unsavedWork() == .innerRepository)
    try FileManager.default.removeItem(atPath: inner.path)
    try await clone.git("init --quiet empty")
    #expect(try clone.open().unsavedWork() == .innerRepository)
  }

  /// A repository in a folder whose name is not UTF-8 cannot be opened, and such a folder alone is no reason.
  @Test func ignoredRepositoryWithoutText() async throws {
    let source = try await upstream()
    let clone = try await source.clone("clone")
    try clone.write(".git/info/exclude", "build/\n")
    let folder = clone.path + "/build/"
    let name = (Array(folder.utf8) + [0x66, 0xFF]).map { CChar(bitPattern: $0) } + [0]
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try #require(mkdir(name, 0o755) == 0)
    #expect(try clone.open().unsavedWork() == nil)
    try #require(rmdir(name) == 0)
    let inner = try await source.clone("clone/build/inner")
    #expect(try clone.open().unsavedWork() == nil)
    try inner.write("neu", "x")
    try #require(rename(inner.path, name) == 0)
    #expect(try clone.open().unsavedWork() == .innerRepository)
  }

  /// A bare repository in an ignored folder goes too, unless its files are tracked; one in the git
  /// directory as well.
  @Test func ignoredBareRepositories() async throws {
    let source = try await upstream()
    let clone = try await source.clone("clone")
    try clone.write(".git/info/exclude", "build/\n")
    _ = try await source.clone("clone/build/copy.git", ["--bare"]).git("remote remove origin")
    #expect(try clone.open().unsavedWork() == .innerRepository)
    try FileManager.default.removeItem(atPath: clone.path + "/build")
    let tests = try await source.clone("tests")
    try tests.write("fixture.git/HEAD", "ref: refs/heads/main\n")
    try tests.write("fixture.git/objects/keep", "")
    try tests.write("fixture.git/refs/keep", "")
    try await tests.commit("a fixture")
    try await tests.git("push --quiet origin HEAD:refs/heads/tests")
    #expect(try tests.open().unsavedWork() == nil)
    _ = try await source.clone("clone/.git/mine/inner")
    #expect(try clone.open().unsavedWork() == nil)
    try clone.write(".git/mine/inner/new", "x")
    #expect(try clone.open().unsavedWork() == .innerRepository)
  }

  /// Hooks can be a repository of their own, and `HEAD` can be a link to a branch that is not there.
  @Test func repositoriesInUnusualPlaces() async throws {
    let source = try await upstream()
    let clone = try await source.clone("clone")
    try FileManager.default.removeItem(atPath: clone.path + "/.git/hooks")
    let hooks = try await source.clone("clone/.git/hooks")
    #expect(try clone.open().unsavedWork() == nil)
    try hooks.write("pre-commit", "x")
    #expect(try clone.open().unsavedWork() == .innerRepository)
    try FileManager.default.removeItem(atPath: hooks.path)
    try clone.write(".git/info/exclude", "build/\n")
    let bare = try await source.clone("clone/build/copy", ["--bare"])
    try FileManager.default.removeItem(atPath: bare.path + "/HEAD")
    try FileManager.default.createSymbolicLink(
      atPath: bare.path + "/HEAD", withDestinationPath: "refs/heads/none")
    #expect(try clone.open().unsavedWork() == .innerRepository)
  }

  /// A repository without a work tree is let go only where nothing points to one.
  @Test func withoutWorkTree() async throws {
    let source = try await upstream()
    let directory = source.directory
    try directory.makeDirectory("x")
    try directory.makeDirectory(".repo/projects")
    func bare(_ name: String) async throws -> TemporaryRepository {
      let bare = try await source.clone(name, ["--bare"])
      try await bare.git(["config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"])
      try await bare.git("fetch --quiet")
      return bare
    }
    #expect(try await bare("plain.git").open().unsavedWork() == nil)
    for (name, command) in [
      ("index.git", "read-tree HEAD"), ("named.git", "config core.worktree ../x"),
      ("unsaid.git", "config --unset core.bare"), ("tree.git", "worktree add --quiet --detach ../tree"),
      (".repo/projects/a.git", "status"),
    ] {
      let repository = try await bare(name)
      _ = try? await repository.git(command)
      #expect(try repository.open().unsavedWork() == .unknownWorkTree, "\(name)")
    }
    for (name, file) in [("beside/a.git", "beside/tree/.git"), ("below/.bare", "below/.git")] {
      let repository = try await bare(name)
      #expect(try repository.open().unsavedWork() == nil)
      try directory.write(file, "gitdir: \(repository.path)\n")
      #expect(try repository.open().unsavedWork() == .unknownWorkTree, "\(name)")
    }
    let separate = directory.path("separate.git")
    _ = try await source.clone("work", ["--separate-git-dir", separate])
    #expect(
      try GitRepository.open(separate, environment: GitEnvironment()).unsavedWork() == .unknownWorkTree)
  }

  /// A folder whose own git directory is gone lies in another repository, which knows nothing of it.
  @Test func folderInAnotherClone() async throws {
    let source = try await upstream()
    let clone = try await source.clone("clone")
    try clone.write(".git/info/exclude", "inner/\n")
    let inner = try await source.clone("clone/inner")
    #expect(try inner.open().unsavedWork(deleting: inner.path) == nil)
    try FileManager.default.removeItem(atPath: inner.path + "/.git")
    #expect(try inner.open().unsavedWork(deleting: inner.path) == .unknownWorkTree)
  }

  /// References of which git tells nothing may name commits.
  @Test func unreadableReferences() async throws {
    let clone = try await upstream().clone("clone")
    let folder = clone.path + "/.git/refs/heads/"
    for content in ["", "garbage\n", "ref: refs/heads/none\n"] {
      try clone.write(".git/refs/heads/lost", content)
      #expect(try clone.open().unsavedWork() == .commits, "\(content)")
    }
    try FileManager.default.removeItem(atPath: folder + "lost")
    try FileManager.default.createSymbolicLink(atPath: folder + "lost", withDestinationPath: "nowhere")
    #expect(try clone.open().unsavedWork() == .commits)
    try FileManager.default.removeItem(atPath: folder + "lost")
    try clone.write(".git/refs/remotes/origin/lost", "")
    #expect(try clone.open().unsavedWork() == nil)
  }

  /// A remote on this disk counts where it keeps the commits when the folder is gone.
  @Test func remotesOnThisDisk() async throws {
    let source = try await upstream()
    let directory = source.directory
    func clone(_ name: String, _ remote: String, _ commands: [String]) async throws -> TemporaryRepository {
      let clone = try await source.clone(name)
      try await clone.commit("more", files: ["c": name])
      try clone.write(".git/info/exclude", "/inner/\n")
      for command in commands { try await clone.git(command) }
      try await clone.git(["remote", "add", "other", remote])
      try await clone.git("push --quiet other HEAD:more")
      return clone
    }
    let kept = try await clone("a", "../a.git", ["init --quiet --bare ../a.git"])
    #expect(try kept.open().unsavedWork() == nil)
    for (name, remote, commands) in [
      ("b", "inner/b.git", ["init --quiet --bare inner/b.git"]),
      ("c", "../c.git", ["clone --quiet --bare --shared . ../c.git"]),
      // Each would be taken for the one that keeps the commits.
      ("d", "../d.git", ["clone --quiet --bare . ../d.git"]),
    ] {
      #expect(try await clone(name, remote, commands).open().unsavedWork() == .commits, "\(name)")
    }
    // What the remote has lost meanwhile is only here.
    let remote = try TemporaryRepository(at: directory.path("a.git"), in: directory)
    try await remote.git("update-ref -d refs/heads/more")
    #expect(try kept.open().unsavedWork() == .commits)
  }

  /// Settings that keep changes from `git status` do not keep them from this.
  @Test(arguments: ["core.trustctime false", "core.checkStat minimal", "status.showUntrackedFiles no"])
  func settingsThatHide(_ setting: String) async throws {
    let clone = try await upstream().clone("clone")
    try await clone.git("config " + setting)
    #expect(try clone.open().unsavedWork() == nil)
    if setting.hasPrefix("status") {
      try clone.write("new", "x")
    } else {
      // The same size and time as before.
      let path = clone.path + "/a"
      let old = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate]
      try clone.write("a", "2\n")
      try FileManager.default.setAttributes([.modificationDate: old as Any], ofItemAtPath: path)
    }
    #expect(try clone.open().unsavedWork() == .changes)
  }

  @Test(arguments: ["index.lock", "HEAD.lock", "NOTES_MERGE_REF", "BISECT_START"])
  func operationsOfOthers(_ file: String) async throws {
    let clone = try await upstream().clone("clone")
    try clone.write(".git/" + file, "")
    #expect(try clone.open().unsavedWork() == .operation)
  }

  /// Files that git-annex or a tool for stacks of patches keeps in the git directory may be nowhere else.
  @Test(arguments: ["annex/objects/x", "patches/main/one.patch"])
  func filesOfTools(_ file: String) async throws {
    let clone = try await upstream().clone("clone")
    try clone.write(".git/" + file, "x")
    #expect(try clone.open().unsavedWork() == .hiddenFiles)
  }

  @Test func otherRepositories() async throws {
    let source = try await upstream()
    // Of a remote on this disk it is known what it has.
    for arguments in [["--bare"], ["--mirror"]] {
      let copy = try await source.clone("c" + arguments[0], arguments)
      #expect(try copy.open().unsavedWork() == nil)
      try await copy.git("remote set-url origin https://example.invalid/x.git")
      #expect(try copy.open().unsavedWork() == .commits)
    }
    for arguments in [["--depth=1"], ["--filter=blob:none"]] {
      #expect(
        try await source.clone("c" + arguments[0], arguments).open().unsavedWork() == nil, "\(arguments)")
    }
    #expect(try await TemporaryRepository.make("empty").open().unsavedWork() == .unbornHead)
    let damaged = try await source.clone("damaged")
    try damaged.write(".git/refs/heads/lost", String(repeating: "de", count: 20) + "\n")
    #expect(code { _ = try damaged.open().unsavedWork() } == .missingObject)
  }

  /// Clones that are changed at random, compared with git's own commands.
  @Test func likeGit() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let source = try await upstream()
    for round in 0..<25 {
      let clone = try await source.clone("clone\(round)")
      var done: [String] = []
      for _ in 0..<Int.random(in: 0...5, using: &random) {
        done.append(await change(clone, source, &random))
      }
      let found = try clone.open().unsavedWork()
      #expect(
        try await isOnRemote(clone) == (found == nil),
        "seed \(seed), round \(round), \(done): \(String(describing: found))")
    }
  }

  /// Does one thing, which may fail as it would for a person.
  private func change(
    _ clone: TemporaryRepository, _ source: TemporaryRepository, _ random: inout SeededGenerator
  ) async -> String {
    let number = Int.random(in: 0...3, using: &random)
    // Parents may be younger than their children, as with clocks that are off.
    let date = TemporaryRepository.defaultDate + Int.random(in: 0...43_200, using: &random)
    let commands = [
      "commit --quiet --allow-empty -m c\(number)", "branch b\(number)", "checkout --quiet b\(number)",
      "checkout --quiet dev", "checkout --quiet --detach", "reset --quiet --hard HEAD~1",
      "reset --quiet --hard origin/main", "push --quiet origin HEAD:refs/heads/p\(number)", "fetch --quiet",
      "merge --quiet origin/dev", "pack-refs --all", "gc --quiet", "branch -D b\(number)", "stash --quiet",
      "stash drop --quiet", "clean --quiet --force", "commit-graph write --reachable",
      "tag t\(number)", "tag -d t\(number)",
    ]
    let choice = Int.random(in: 0..<(commands.count + 3), using: &random)
    if choice < commands.count {
      _ = try? await clone.git(commands[choice], date: date)
      return commands[choice]
    }
    switch choice - commands.count {
    case 0: try? clone.write("ü\(number)", "\(random.next())")
    case 1: try? clone.write("a", "\(random.next())")
    default:
      _ = try? await source.git(["commit", "--quiet", "--allow-empty", "-m", "s"], date: date)
      return "a commit of the source"
    }
    return "a file"
  }

  /// Whether everything is on the remote, as git tells.
  private func isOnRemote(_ clone: TemporaryRepository) async throws -> Bool {
    for line in [
      "status --porcelain --untracked-files=all", "stash list",
      "rev-list --branches --tags HEAD --not --remotes",
    ]
    where try await !clone.git(line).isEmpty {
      return false
    }
    return true
  }

  /// Work on a branch whose name is not UTF-8 counts like any other.
  @Test func branchesWithoutText() async throws {
    let clone = try await upstream().clone("clone")
    #expect(try clone.open().unsavedWork() == nil)
    let commit = try await clone.commit("more", files: ["c": "3\n"])
    try await clone.git("reset --quiet --hard HEAD~1")
    #expect(try clone.open().unsavedWork() == nil)
    let name = Array("\(commit) refs/heads/".utf8) + [0xE9, 0xFF, 0x0A]
    let packed = URL(fileURLWithPath: clone.path + "/.git/packed-refs")
    let known = (try? Data(contentsOf: packed)).map { [UInt8]($0) } ?? []
    let lines = known.split(separator: 0x0A).filter { $0.first != UInt8(ascii: "#") }.map { $0 + [0x0A] }
    try Data(lines.joined() + name).write(to: packed)
    #expect(try clone.open().unsavedWork() == .commits)
  }

  /// A file that `git status` is told not to look at counts whatever bytes its name has.
  @Test func hiddenFilesWithoutText() async throws {
    let source = try await upstream()
    let name: [UInt8] = [0x66, 0xFF]
    let path = (Array((source.path + "/").utf8) + name).map { CChar(bitPattern: $0) } + [0]
    let file = try #require(fopen(path, "w"))
    fputs("x", file)
    fclose(file)
    try await source.commit("a name that is no text")
    let clone = try await source.clone("clone")
    #expect(try clone.open().unsavedWork() == nil)
    try await clone.git(["update-index", "--skip-worktree", "-z", "--stdin"], input: Data(name + [0]))
    #expect(try clone.open().unsavedWork() == .hiddenFiles)
  }

  /// A pipe in the place of rules, which git would wait for, is an error.
  @Test(arguments: [
    ".gitignore", ".git/info/exclude", ".gitattributes", "tracked/.gitignore", "tracked/.gitattributes",
    "größe/.gitignore", "größe/deep/.gitignore",
  ])
  func pipesForRules(name: String) async throws {
    let clone = try await upstream().clone("clone")
    try clone.write("tracked/a", "x")
    try await clone.git("add tracked")
    try clone.write("größe/deep/a", "x")
    let path = clone.path + "/" + name
    unlink(path)
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: GitError.self) { try clone.open().ignoredFiles { false } }
    #expect(throws: GitError.self) { try clone.open().unsavedWork() }
    #expect(throws: GitError.self) { try clone.open().worktreeStatus() }
    #expect(throws: GitError.self) { try clone.open().worktreeChanges(isCancelled: { false }) }
    unlink(path)
    // The null device is an empty file.
    symlink("/dev/null", path)
    if !name.hasPrefix(".git/") { _ = try clone.open().worktreeStatus() }
    unlink(path)
    symlink(clone.path + "/.git/pipe", path)
    #expect(mkfifo(clone.path + "/.git/pipe", 0o600) == 0)
    if !name.hasPrefix(".git/") {
      #expect(throws: GitError.self) { try clone.open().unsavedWork() }
    }
  }
}
