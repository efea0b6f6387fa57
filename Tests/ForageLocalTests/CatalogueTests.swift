import ForageCore
import ForageGit
import ForageInspector
import ForageStore
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import ForageLocal

@Suite struct CatalogueTests {
  @Test func whatIsRecorded() async throws {
    let workshop = try Workshop()
    let repository = try await workshop.clone("apple/nio", origin: "git@github.com:Apple/Swift-NIO.git")
    let commit = try await repository.commit(files: ["a.swift": "let a = 1\n"], date: 1_700_000_000)
    let summary = try await workshop.scan()
    #expect(summary == ScanSummary(clones: 1, opened: 1))
    let record = try workshop.record("apple/nio")
    #expect(record.folder == workshop.root && record.relativePath == "apple/nio" && record.error == nil)
    #expect(record.entityID == "github.com/apple/swift-nio" && record.host == "github.com")
    #expect(record.owner == "Apple" && record.name == "Swift-NIO")
    #expect(record.branch == "main" && record.commit == commit && record.language == "Swift")
    #expect(record.description == "A repository about apple/nio." && (record.sizeBytes ?? 0) > 10)
    #expect(record.lastCommitAt == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(try workshop.store.cloneFolders().first?.scannedAt != nil)
  }

  @Test func unchangedClonesAreNotOpened() async throws {
    let workshop = try Workshop()
    for name in ["a", "b", "c"] { _ = try await workshop.clone(name, origin: "https://github.com/o/\(name)") }
    #expect(try await workshop.scan().opened == 3)
    let before = try workshop.store.clones()
    let second = try await workshop.scan()
    #expect(second == ScanSummary(clones: 3, opened: 0))
    #expect(try workshop.store.clones() == before)
  }

  /// Any number as the time of the last scan: the folder is scanned again.
  @Test func hostileTimes() async throws {
    let workshop = try Workshop()
    let repository = try await workshop.clone("größe", origin: "https://github.com/o/größe")
    _ = try await workshop.scan()
    for value in HostileNumbers.values where !value.hasPrefix("\"") {
      try await DatabaseQueue(path: workshop.directory.path("data/forage.db")).write {
        try $0.execute(sql: "UPDATE clone_folder SET scanned_at = \(value)")
      }
      #expect(try await workshop.scan().clones == 1, "\(value)")
    }
    _ = repository
  }

  /// A change of one clone reopens that clone alone.
  @Test(arguments: ["commit", "checkout", "detached", "remote", "description", "packed references"])
  func changedCloneIsReopened(change: String) async throws {
    let workshop = try Workshop()
    var clones: [TemporaryRepository] = []
    for name in ["a", "b", "c"] {
      clones.append(try await workshop.clone(name, origin: "https://github.com/o/\(name)"))
    }
    _ = try await workshop.scan()
    let before = try workshop.store.clones()
    let changed = clones[1]
    switch change {
    case "commit": try await changed.commit("second", files: ["new.txt": "x"], date: 1_710_000_000)
    case "checkout": try await changed.git("switch --quiet --create other")
    case "detached": try await changed.git("switch --quiet --detach")
    case "remote": try await changed.git("remote set-url origin https://github.com/o/renamed")
    case "description": try changed.write(".git/description", "Now described\n")
    default: try await changed.git("pack-refs --all")
    }
    let summary = try await workshop.scan()
    #expect(summary.opened == 1 && summary.clones == 3 && summary.removed == 0)
    let after = try workshop.store.clones()
    try #require(before.count == 3 && after.count == 3)
    #expect(after[0] == before[0] && after[2] == before[2] && after[1].fingerprint != before[1].fingerprint)
    switch change {
    case "commit": #expect(after[1].lastCommitAt == Date(timeIntervalSince1970: 1_710_000_000))
    case "checkout": #expect(after[1].branch == "other")
    case "detached": #expect(after[1].branch == nil && after[1].commit == before[1].commit)
    case "remote": #expect(after[1].entityID == "github.com/o/renamed")
    case "description": #expect(after[1].description == "Now described")
    default: #expect(after[1].commit == before[1].commit)
    }
    #expect(try await workshop.scan().opened == 0)
  }

  @Test func linkedWorktreeIsACloneOfItsOwn() async throws {
    let workshop = try Workshop()
    let main = try await workshop.clone("main", origin: "https://github.com/o/n")
    try await main.git(["worktree", "add", "--quiet", "-b", "side", workshop.root + "/side"])
    #expect(try await workshop.scan().opened == 2)
    #expect(try workshop.record("main").branch == "main" && workshop.record("side").branch == "side")
    #expect(
      try workshop.store.clones(ofEntities: ["github.com/o/n"]).mapValues { $0.map(\.path) } == [
        "github.com/o/n": [main.path, workshop.root + "/side"]
      ])
    try await main.git(["-C", workshop.root + "/side", "commit", "--quiet", "--allow-empty", "-m", "x"])
    #expect(try await workshop.scan().opened == 1)
  }

  /// Which clones are bare or lack a part of the history is recorded, until it is fetched.
  @Test func kindsOfClones() async throws {
    let workshop = try Workshop()
    let full = try await workshop.clone("full")
    try await full.commit("second", files: ["a": "b\n"])
    let shallow = workshop.root + "/shallow"
    try await full.git(["clone", "--quiet", "--depth", "1", "file://" + full.path, shallow])
    try await full.git(["clone", "--quiet", "--bare", full.path, workshop.root + "/bare"])
    _ = try await workshop.scan()
    #expect(try workshop.store.clones().map(\.name) == ["bare", "full", "shallow"])
    #expect(try workshop.store.clones().map(\.isBare) == [true, false, false])
    #expect(try workshop.store.clones().map(\.isIncomplete) == [false, false, true])
    try await full.git(["-C", shallow, "fetch", "--quiet", "--unshallow"])
    #expect(try await workshop.scan().opened == 1)
    #expect(try workshop.store.clones().map(\.isIncomplete) == [false, false, false])
  }

  /// The root of a history stays when commits follow, is another one after a change of branch, and relates
  /// clones of different origins.
  @Test func rootsAreRecorded() async throws {
    let workshop = try Workshop()
    let first = try await workshop.clone("first", origin: "https://github.com/o/n")
    let root = try await first.git("rev-parse HEAD")
    try await first.git(["clone", "--quiet", first.path, workshop.root + "/moved"])
    try await first.git([
      "-C", workshop.root + "/moved", "remote", "set-url", "origin", "https://gitlab.com/me/n",
    ])
    try await first.git(["clone", "--quiet", "--bare", first.path, workshop.root + "/bare.git"])
    try await first.git(["-C", workshop.root + "/bare.git", "remote", "remove", "origin"])
    _ = try await workshop.clone("other", origin: "https://github.com/o/other")
    _ = try await workshop.scan()
    for name in ["first", "moved", "bare.git"] {
      #expect(try workshop.record(name).rootCommit == root, "\(name)")
    }
    #expect(try workshop.record("other").rootCommit != root)
    let bare = workshop.root + "/bare.git"
    #expect(try workshop.store.relatives(of: ["github.com/o/n"]) == [bare, "gitlab.com/me/n"])
    #expect(try workshop.store.relatives(of: ["github.com/o/n", "gitlab.com/me/n"]) == [bare])
    #expect(try workshop.store.relatives(of: [bare]) == ["github.com/o/n", "gitlab.com/me/n"])
    #expect(try workshop.store.relatives(of: ["github.com/o/other"]).isEmpty)
    #expect(try workshop.store.relatives(of: []).isEmpty)

    let next = try await first.commit("next", files: ["x": "y\n"])
    _ = try await workshop.scan()
    #expect(try workshop.record("first").rootCommit == root && workshop.record("first").commit == next)
    try await first.git("checkout --quiet --orphan lone")
    let lone = try await first.commit("lone")
    _ = try await workshop.scan()
    #expect(try workshop.record("first").rootCommit == lone)
    let places = try workshop.store.clones(ofEntities: ["github.com/o/n"])
    #expect(places["github.com/o/n"]?.map(\.path) == [first.path])
    #expect(places["github.com/o/n"]?.map(\.rootCommit) == [lone])
  }

  @Test func removedCloneGoes() async throws {
    let workshop = try Workshop()
    for name in ["a", "b"] { _ = try await workshop.clone(name) }
    _ = try await workshop.scan()
    try FileManager.default.removeItem(atPath: workshop.root + "/a")
    let summary = try await workshop.scan()
    #expect(summary.removed == 1 && summary.clones == 1 && summary.opened == 0)
    #expect(try workshop.store.clones().map(\.name) == ["b"])
  }

  /// A clone that cannot be read is recorded with the reason, and costs the others nothing.
  @Test func corruptClone() async throws {
    let workshop = try Workshop()
    for name in ["a", "z"] { _ = try await workshop.clone(name, origin: "https://github.com/o/\(name)") }
    let bad = try await workshop.clone("m")
    let config = try String(contentsOfFile: bad.path + "/.git/config", encoding: .utf8)
    try bad.write(".git/config", "[broken\n")
    try workshop.directory.write("src/n/.git", "gitdir: /nowhere/at/all\n")
    let summary = try await workshop.scan()
    #expect(summary.clones == 4 && summary.failed.count == 2)
    #expect(try workshop.record("m").error?.isEmpty == false && workshop.record("n").error?.isEmpty == false)
    #expect(
      try workshop.record("a").entityID == "github.com/o/a"
        && workshop.record("z").entityID == "github.com/o/z")
    let store = workshop.store
    let found = try await LocalProvider { store }.page(nil).items.map(\.id)
    // Of the broken ones at least the place is known, so they are found too; and each scan tries them again.
    #expect(Set(found) == ["github.com/o/a", "github.com/o/z", workshop.root + "/m", workshop.root + "/n"])
    #expect(try await workshop.scan().opened == 2)
    try bad.write(".git/config", config)
    #expect(try await workshop.scan().failed.count == 1)
    #expect(try workshop.record("m").error == nil)
  }

  /// A clone without one of its files is found by what is there, and read again once it may be repaired.
  @Test func oneMissingFile() async throws {
    let workshop = try Workshop()
    let repository = try await workshop.clone("py", origin: "https://github.com/o/py")
    try await repository.commit(files: ["a.py": "a = 1\n", "bild.png": "\u{0}"])
    let id = try await repository.git("rev-parse HEAD:bild.png")
    let object = "\(repository.path)/.git/objects/\(id.prefix(2))/\(id.dropFirst(2))"
    try FileManager.default.moveItem(atPath: object, toPath: object + ".away")
    #expect(try await workshop.scan().failed.count == 1)
    let record = try workshop.record("py")
    let size = try #require(record.sizeBytes)
    #expect(record.language == "Python" && record.error != nil)
    let store = workshop.store
    let found = try await LocalProvider { store }.page("language:python").items.map(\.id)
    #expect(found == ["github.com/o/py"])
    try FileManager.default.moveItem(atPath: object + ".away", toPath: object)
    #expect(try await workshop.scan().failed.count == 0)
    #expect(try workshop.record("py").error == nil && workshop.record("py").sizeBytes == size + 1)
  }

  /// A folder with a useless `.git` is not taken for the repository that it lies in.
  @Test func brokenCloneInsideAnotherRepository() async throws {
    let workshop = try Workshop()
    let outer = try await TemporaryRepository.make("outer", in: workshop.directory)
    try await outer.commit(files: ["src/a.txt": "x"])
    try await outer.git("remote add origin https://github.com/me/dotfiles")
    try workshop.directory.makeDirectory("outer/src/broken/.git")
    let summary = try await workshop.catalogue.scan(CloneFolder(path: outer.path + "/src", isFound: false)) {
      _ in
    }
    let record = try #require(try workshop.store.clones().first)
    #expect(summary.clones == 1 && summary.failed.count == 1)
    #expect(record.path == outer.path + "/src/broken" && record.error != nil && record.entityID == nil)
  }

  /// Clones inside others are found with a new or changed one, and when something is added to its topmost
  /// folder; they stay while their clone is not searched, and go when they are gone.
  @Test func clonesInsideClones() async throws {
    let workshop = try Workshop()
    let outer = try await workshop.clone("outer")
    try await outer.commit(files: ["vendor/a": "x"])
    _ = try await workshop.clone("outer/vendor/one")
    // Before the scan, so that it counts as older.
    func age() throws {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: outer.path)
    }
    func scan() async throws -> [String] {
      let folder = try #require(try workshop.store.cloneFolders().first)
      _ = try await workshop.catalogue.scan(folder) { _ in }
      return try workshop.store.clones().map(\.relativePath)
    }
    try age()
    #expect(try await scan() == ["outer", "outer/vendor/one"])
    _ = try await workshop.clone("outer/vendor/two")
    try age()
    #expect(try await scan() == ["outer", "outer/vendor/one"])
    try await outer.commit("second", files: ["b": "x"])
    #expect(try await scan() == ["outer", "outer/vendor/one", "outer/vendor/two"])
    try FileManager.default.removeItem(atPath: outer.path + "/vendor/one")
    try age()
    #expect(try await scan() == ["outer", "outer/vendor/two"])
    _ = try await workshop.clone("outer/three")
    #expect(try await scan() == ["outer", "outer/three", "outer/vendor/two"])
  }

  /// Each cause has its own advice.
  @Test func whatToDoAboutAClone() async throws {
    let workshop = try Workshop()
    let fine = try await workshop.clone("fine")
    func file(_ name: String, _ text: String) throws -> String {
      try workshop.directory.write("src/\(name)/.git", text)
      return workshop.root + "/" + name
    }
    func advice(_ path: String) -> String { CloneProbe.advice(path) ?? "" }
    #expect(CloneProbe.advice(fine.path) == nil)
    let moved = try file("moved", "gitdir: \(workshop.root)/gone/.git/worktrees/moved\n")
    #expect(advice(moved).contains("`git worktree repair \(moved)`"))
    let pruned = try file("pruned", "gitdir: ../fine/.git/worktrees/pruned\n")
    #expect(advice(pruned).contains("worktree add \(pruned)`"))
    #expect(
      advice(try file("sub", "gitdir: ../fine/.git/modules/sub\n")).contains("git submodule update --init"))
    #expect(
      advice(try file("away", "gitdir: /mnt/no-such-disk/x\n"))
        == "mount the disk that has /mnt/no-such-disk/x")
    try workshop.directory.makeDirectory("src/point")
    let unmounted = try file("disk", "gitdir: \(workshop.root)/point/x/.git/worktrees/disk\n")
    #expect(advice(unmounted).hasPrefix("mount the disk"))
    #expect(
      advice(try file("chain", "gitdir: ../away/.git\n")).hasPrefix("write the path of the git directory"))
    #expect(advice(try file("text", "nonsense\n")).hasPrefix("write the line"))
    let other = try await workshop.clone("other")
    try await other.git("config core.worktree ../../nowhere")
    #expect(advice(other.path).contains("core.worktree in \(other.path)/.git/config"))
    let partial = workshop.root + "/partial"
    try await fine.git("config uploadpack.allowFilter true")
    try await fine.git(["clone", "--quiet", "--filter=blob:none", "file://" + fine.path, partial])
    #expect(advice(partial).contains("git fetch --refetch"))
    let borrower = workshop.root + "/borrower"
    try await fine.git(["clone", "--quiet", "--shared", fine.path, borrower])
    try FileManager.default.moveItem(atPath: fine.path, toPath: workshop.root + "/elsewhere")
    #expect(advice(borrower).contains(fine.path + "/.git/objects"))
    let sha = try await workshop.clone("sha", ["--object-format=sha256"])
    #expect(CloneProbe.isUnsupported(sha.path) && advice(sha.path).hasPrefix("use git"))
  }

  @Test func emptyRepository() async throws {
    let workshop = try Workshop()
    _ = try await workshop.clone("bare.git", ["--bare"])
    #expect(try await workshop.scan().failed.count == 0)
    let record = try workshop.record("bare.git")
    #expect(
      record.name == "bare" && record.branch == "main" && record.commit == nil && record.lastCommitAt == nil)
  }

  @Test func progressReachesTheTotal() async throws {
    let workshop = try Workshop()
    for name in ["a", "b", "c"] { _ = try await workshop.clone(name) }
    let seen = Mutex<[ScanProgress]>([])
    let folder = CloneFolder(path: workshop.root, isFound: false)
    _ = try await workshop.catalogue.scan(folder) { progress in seen.withLock { $0.append(progress) } }
    let steps = seen.withLock { $0 }
    #expect(
      steps.map(\.done) == steps.map(\.done).sorted() && steps.allSatisfy { $0.folder == workshop.root })
    #expect(steps.suffix(4).map(\.done) == [0, 1, 2, 3] && steps.suffix(4).allSatisfy { $0.total == 3 })
  }

  @Test func cancelledScanRecordsNothing() async throws {
    let workshop = try Workshop()
    for name in ["a", "b"] { _ = try await workshop.clone(name) }
    let catalogue = workshop.catalogue
    let folder = CloneFolder(path: workshop.root, isFound: false)
    let task = Task {
      try? await Task.sleep(for: .seconds(60))
      _ = try await catalogue.scan(folder) { _ in }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try workshop.store.clones().isEmpty)
  }
}

@Suite struct IdentityTests {
  private func identity(_ remotes: [(name: String, url: String)]) async throws -> CloneRecord {
    let workshop = try Workshop()
    let repository = try await workshop.clone("folder")
    for remote in remotes { try await repository.git(["remote", "add", remote.name, remote.url]) }
    _ = try await workshop.scan()
    return try workshop.record("folder")
  }

  @Test(arguments: [
    ("https://github.com/Apple/Swift-NIO.git", "github.com/apple/swift-nio", "Apple", "Swift-NIO"),
    ("git@github.com:Apple/Swift-NIO.git", "github.com/apple/swift-nio", "Apple", "Swift-NIO"),
    ("ssh://git@git.corp.example:2222/Team/App.git", "git.corp.example/Team/App", "Team", "App"),
    (
      "git@ssh.dev.azure.com:v3/Org/Project/Repo", "dev.azure.com/org/project/_git/repo", "Org/Project/_git",
      "Repo"
    ),
    ("https://gitlab.com/group/sub/app", "gitlab.com/group/sub/app", "group/sub", "app"),
    ("https://user:s3cret@github.com/o/n.git", "github.com/o/n", "o", "n"),
  ])
  func byOrigin(url: String, id: String, owner: String, name: String) async throws {
    let record = try await identity([("other", "https://github.com/x/y"), ("origin", url)])
    #expect(record.entityID == id && record.owner == owner && record.name == name)
    #expect(record.remoteURL?.contains("s3cret") == false)
  }

  /// What is written with the project as Bitbucket Data Center shows it has the id that results have.
  @Test(arguments: [
    ("git.example/ACME/engine", "git.example/acme/engine"),
    ("git.example/ACME/engine!7", "git.example/acme/engine!7"),
    ("git.example/~Kim/notes", "git.example/~kim/notes"), ("other.example/ACME/n", "other.example/ACME/n"),
  ])
  func ownersInLowerCase(text: String, id: String) throws {
    let hosts = RemoteHosts(
      servers: { ["git.example/bb"] },
      page: { entity in
        let page = "https://git.example/bb/projects/\(entity.owner)/repos/\(entity.name)/browse"
        return entity.host == "git.example" ? page : nil
      })
    #expect(hosts.canonical(try #require(EntityReference(text, defaultHost: ""))).id == id)
  }

  /// A forge without TLS has no page with TLS.
  @Test(arguments: [
    ("http://127.0.0.1:3000/Ö/n.git", "http://127.0.0.1:3000/Ö/n"),
    ("HTTP://git.corp.example/o/n", "http://git.corp.example/o/n"),
    ("https://git.corp.example/o/n", "https://git.corp.example/o/n"),
    ("git@git.corp.example:o/n.git", "https://git.corp.example/o/n"),
  ])
  func schemeOfThePage(remote: String, page: String) async throws {
    #expect(try await identity([("origin", remote)]).result(RemoteHosts()).url == page)
    let remotes = [Remote(name: "origin", url: remote)]
    let identity = CloneIdentity.of(
      remotes, at: "/nowhere", inspector: Inspector(), hosts: RemoteHosts())
    #expect(identity?.result(path: "/nowhere", RemoteHosts()).url == page)
  }

  @Test func withoutOrigin() async throws {
    #expect(try await identity([("upstream", "https://github.com/o/n")]).entityID == "github.com/o/n")
    let two = try await identity([("a", "https://github.com/o/a"), ("b", "https://github.com/o/b")])
    #expect(two.entityID == nil && two.name == "folder" && two.owner == nil)
    #expect(try await identity([]).entityID == nil)
  }

  /// Of several remotes that of the branch's upstream counts, else the only forge among them.
  @Test func amongSeveralRemotes() async throws {
    let workshop = try Workshop()
    let repository = try await workshop.clone("folder")
    func id(adding remote: String, _ url: String) async throws -> String? {
      try await repository.git(["remote", "add", remote, url])
      _ = try await workshop.scan()
      return try workshop.record("folder").entityID
    }
    #expect(try await id(adding: "disk", "/mnt/backup/n.git") == nil)
    #expect(try await id(adding: "nas", "me@nas:backup/n.git") == "nas/backup/n")
    #expect(try await id(adding: "work", "git@github.com:o/n.git") == "github.com/o/n")
    #expect(try await id(adding: "web", "https://github.com/O/N") == "github.com/o/n")
    #expect(try await id(adding: "fork", "https://github.com/me/n") == nil)
    try await repository.git("config branch.main.remote fork")
    #expect(try await id(adding: "gist", "git@gist.github.com:0123abcd.git") == "github.com/me/n")
    #expect(try await id(adding: "origin", "https://gitlab.com/a/b") == "gitlab.com/a/b")
  }

  /// A gist has a page and no owner.
  @Test(arguments: [
    "git@gist.github.com:0123ABCD.git", "https://gist.github.com/0123ABCD.git",
    "https://gist.github.com/Me/0123ABCD",
  ])
  func gist(remote: String) async throws {
    let result = try await identity([("origin", remote)]).result(RemoteHosts())
    #expect(result.id == "gist.github.com/0123abcd" && result.title == "0123abcd")
    #expect(result.url == "https://gist.github.com/0123abcd")
    #expect(result[.host]?.text == "gist.github.com" && result[.owner] == nil)
  }

  /// Clones of one repository are one result, with the page that only one of their addresses has.
  @Test func clonesOfOneRepository() async throws {
    let workshop = try Workshop()
    let pairs = [
      ("ssh://git@git.example.org:2222/o/a.git", "https://git.example.org/o/a"),
      ("git@host:o/b.git", "http://host/o/b"),
      ("git@gist.github.com:0123abcd.git", "https://gist.github.com/me/0123abcd"),
      ("git@ssh.dev.azure.com:v3/org/p/r", "https://org.visualstudio.com/p/_git/r"),
    ]
    for (number, pair) in pairs.enumerated() {
      _ = try await workshop.clone("\(number)-ssh", origin: pair.0)
      _ = try await workshop.clone("\(number)-web", origin: pair.1)
    }
    _ = try await workshop.scan()
    let items = try await LocalProvider { workshop.store }.page(nil).items
    #expect(
      Set(items.map(\.url)) == [
        "https://git.example.org/o/a", "http://host/o/b", "https://gist.github.com/0123abcd",
        "https://dev.azure.com/org/p/_git/r",
      ])
    #expect(items.allSatisfy { $0[.paths]?.texts.count == 2 })
    // Each is found by its whole name, with a page or without.
    for item in items {
      #expect(try await LocalProvider { workshop.store }.page("repo:" + item.id).items.map(\.id) == [item.id])
    }
  }

  /// What an address means may change, and the clone does not.
  @Test func aScanWithOtherForges() async throws {
    let workshop = try Workshop()
    _ = try await workshop.clone("a", origin: "git@git.example.org:o/a.git")
    _ = try await workshop.clone("b", origin: "git@github.com:o/b.git")
    #expect(try await workshop.scan().opened == 2)
    #expect(try await workshop.scan().opened == 0)
    let catalogue = CloneCatalogue(
      store: workshop.store, inspector: workshop.catalogue.inspector,
      hosts: RemoteHosts(forges: { ["git.example.org:8443"] }))
    let folder = CloneFolder(path: workshop.root, isFound: false)
    #expect(try await catalogue.scan(folder) { _ in }.opened == 1)
    #expect(try workshop.record("a").entityID == "git.example.org:8443/o/a")
    #expect(try await catalogue.scan(folder) { _ in }.opened == 0)
  }

  @Test(arguments: [".", "/nowhere/at/all", "../gone", "file:///nowhere/x/y"])
  func originThatLeadsNowhere(url: String) async throws {
    let record = try await identity([("origin", url)])
    #expect(record.entityID == nil && record.name == "folder" && record.error == nil)
  }

  /// A clone of a clone is a clone of the same repository; one hop is followed, and loops end.
  @Test func originThatIsAFolder() async throws {
    let workshop = try Workshop()
    _ = try await workshop.clone("first", origin: "https://github.com/o/n")
    _ = try await workshop.clone("absolute", origin: workshop.root + "/first")
    _ = try await workshop.clone("relative", origin: "../first")
    _ = try await workshop.clone("address", origin: "file://" + workshop.root + "/first")
    _ = try await workshop.clone("two-hops", origin: "../relative")
    _ = try await workshop.clone("loop-a", origin: "../loop-b")
    _ = try await workshop.clone("loop-b", origin: "../loop-a")
    let summary = try await workshop.scan()
    #expect(summary.failed.count == 0 && summary.opened == 7)
    for name in ["first", "absolute", "relative", "address"] {
      #expect(try workshop.record(name).entityID == "github.com/o/n", "\(name)")
    }
    for name in ["two-hops", "loop-a", "loop-b"] {
      #expect(try workshop.record(name).entityID == nil, "\(name)")
      #expect(try workshop.record(name).name == name)
    }
  }
}
