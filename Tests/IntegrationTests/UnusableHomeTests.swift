import Foundation
import TestSupport
import Testing

/// Homes that cannot be written, are not there, or hold something else than they should.
struct UnusableHomeTests {
  /// What may be found in the place of the store, and what is said of it.
  enum Damage: String, CaseIterable, Sendable {
    case garbage = "is damaged"
    case cut = "is damaged "
    case newer = "was made by a newer version"
    case folder = "is a folder instead of a file"

    /// Puts it there.
    func apply(to file: URL) throws {
      var bytes = try Data(contentsOf: file)
      switch self {
      case .garbage: bytes = Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 131 &+ 7) })
      case .cut: bytes = bytes.prefix(9000)
      case .newer:
        // The name of a step that this version does not know, in the table and in its index.
        let (known, unknown) = (Data("2 favorites".utf8), Data("9 favorites".utf8))
        while let place = bytes.range(of: known) { bytes.replaceSubrange(place, with: unknown) }
      case .folder:
        try FileManager.default.removeItem(at: file)
        return try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
      }
      try bytes.write(to: file)
    }
  }

  @Test(arguments: Damage.allCases)
  func aStoreThatIsNone(_ damage: Damage) async throws {
    let repositories = matching(3)
    try await withProgram(FakeGitHub(repositories: repositories)) { program, _ in
      try await program.makeClone("owner/match")
      try await program.addClones()
      #expect(try await program.run(["favorite", "add", "o/kept"]).status == 0)
      try damage.apply(to: program.storeFile)
      let before = try? Data(contentsOf: program.storeFile)
      let story = damage.rawValue.trimmingCharacters(in: .whitespaces)
      func expectOneSentence(_ result: ProcessResult, _ start: String, _ status: Int32) {
        let messages = expectMessages(result)
        #expect(result.status == status, "\(result.err)")
        #expect(messages.count == 1 && messages[0].hasPrefix(start), "\(messages)")
        #expect(messages.first?.contains(program.storeFile.path) == true, "\(messages)")
        #expect(messages.first?.contains(story) == true, "\(messages)")
      }
      let search = try await program.run(["search", "match", "--format", "json"])
      expectOneSentence(search, "local: the store ", 0)
      #expect(try search.json()["items"]?.array.count == 3)
      expectOneSentence(
        try await program.run(["search", "match", "-p", "github"]), "clones and favorites ", 0)
      expectOneSentence(try await program.run(["search", "match", "-p", "github,local"]), "local: ", 3)
      let name = repositories[0].fullName
      expectOneSentence(try await program.run(["show", name]), "clones could not be looked up: ", 0)
      for arguments in [
        ["favorite", "add", "o/n"], ["favorite", "remove", "o/kept"], ["favorite", "list"],
        ["clones", "add", program.source], ["clones", "scan"], ["clones", "list"],
      ] {
        expectOneSentence(try await program.run(arguments), "the store ", 4)
      }
      let doctor = try await program.run(["doctor"])
      #expect(doctor.status == 4 && doctor.out.contains(story))
      // Whatever it is, it is the user's.
      #expect((try? Data(contentsOf: program.storeFile)) == before)
    }
  }

  @Test func anEmptyStoreIsANewOne() async throws {
    let program = try Program()
    try program.home.directory.write("home/.local/share/forage/forage.db", "")
    let list = try await program.run(["favorite", "list"])
    #expect(list.status == 1 && expectMessages(list) == ["there are no favorites"])
    #expect(try await program.run(["favorite", "add", "github.com/o/n"]).status == 0)
    #expect(try await program.favorites() == ["github.com/o/n"])
  }

  /// `/dev/null` is the home of many a service: a file where a folder should be, also for root.
  @Test func aHomeThatCannotBe() async throws {
    try await withProgram(FakeGitHub(repositories: matching(3))) { program, _ in
      let nowhere = [
        "HOME": "/dev/null", "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_CACHE_HOME": "",
        "XDG_STATE_HOME": "",
      ]
      let search = try await program.run(["search", "match"], adding: nowhere)
      #expect(search.status == 0 && search.outLines.count == 3)
      #expect(expectMessages(search).count == 1)
      let shown = try await program.run(["show", matching(1)[0].fullName], adding: nowhere)
      #expect(shown.status == 0 && expectMessages(shown).count == 1)
      let refused = try await program.run(["favorite", "add", "o/n"], adding: nowhere)
      #expect(refused.status == 4)
      let told = "the folder of the store /dev/null/.local/share/forage/forage.db cannot be created or used"
      #expect(expectMessages(refused) == [told])
      let list = try await program.run(["favorite", "list"], adding: nowhere)
      #expect(list.status == 1)
    }
  }

  @Test func aHomeThatIsNotThereYet() async throws {
    let program = try Program()
    let new = [
      "HOME": program.home.directory.path("new/home"), "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "",
      "XDG_CACHE_HOME": "", "XDG_STATE_HOME": "",
    ]
    #expect(try await program.run(["favorite", "add", "o/n"], adding: new).status == 0)
    let list = try await program.run(["favorite", "list"], adding: new)
    #expect(list.status == 0 && list.out.hasPrefix("o/n\t"))
  }

  /// What is stored is shown; what is to be stored is refused with a sentence.
  @Test func aHomeThatMayOnlyBeRead() async throws {
    let repositories = matching(3)
    try await withProgram(FakeGitHub(repositories: repositories)) { program, _ in
      let known = "github.com/" + repositories[0].fullName
      #expect(try await program.run(["favorite", "add", known]).status == 0)
      let files = FileManager.default
      // The other user, as whom it is run, may read the store.
      try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: program.storeFile.path)
      let folders = [program.storeFile.deletingLastPathComponent().path, program.home.cache.path]
      for folder in folders { try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder) }
      defer {
        for folder in folders { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder) }
      }
      try files.setAttributes([.posixPermissions: 0o777], ofItemAtPath: program.home.temporary.path)
      let search = try await program.runUnprivileged([
        "search", "match", "--timeout", "50", "--format", "json",
      ])
      expectSane(search, ["search"])
      #expect(search.status == 0)
      let marked = try search.json()["items"]?.array.filter { $0["favorite"] == .bool(true) } ?? []
      #expect(marked.compactMap { $0["id"]?.string } == [known])
      let messages = expectMessages(search)
      #expect(messages.count == 1 && messages[0].contains(program.cacheFolder.path), "\(messages)")
      let refused = try await program.runUnprivileged(["favorite", "add", "o/n"])
      #expect(refused.status == 4)
      #expect(expectMessages(refused) == ["the store \(program.storeFile.path) cannot be written"])
      let list = try await program.runUnprivileged(["favorite", "list"])
      #expect(list.status == 0 && list.err.isEmpty && list.outLines.count == 1)
    }
  }
}
