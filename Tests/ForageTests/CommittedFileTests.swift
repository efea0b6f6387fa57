import Forage
import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageEntities

/// Files of clones that are in no work tree, and those of several clones of one repository.
struct CommittedFileTests {
  private func withClones(
    _ body: (Forage, IsolatedHome, _ folder: String, _ clones: [String: TemporaryRepository]) async throws
      -> Void
  ) async throws {
    try await withIsolatedHome { home in
      var clones: [String: TemporaryRepository] = [:]
      for (name, remote) in [
        ("work", "https://git.acme.example/team/one.git"), ("first", "https://git.acme.example/team/two.git"),
        ("second", "https://git.acme.example/team/two.git"), ("lone", nil),
      ] {
        let clone = try await TemporaryRepository.make("home/src/\(name)", in: home.directory)
        if let remote { try await clone.git("remote add origin \(remote)") }
        try await clone.commit(files: ["s/ä b.c": "x\nneedle in \(name)\n", "x:3": "needle\n"])
        clones[name] = clone
      }
      try await clones["second"]?.commit(files: ["only.c": "needle of the second\n"])
      try await clones["lone"]?.git("clone -q --bare . ../bare.git")
      try await clones["lone"]?.git("--git-dir=../bare.git remote remove origin")
      let folder = home.directory.path("home/src")
      for path in ["work/s/ä b.c", "work/x:3", "lone"] {
        try FileManager.default.removeItem(atPath: folder + "/" + path)
      }
      let environment = home.environment(adding: ["PATH": home.directory.path("no-programs")])
      let forage = try Forage(ForageSetup(environment: environment))
      _ = try await forage.scanClones(adding: [folder])
      try await body(forage, home, folder, clones)
      await forage.close()
    }
  }

  private func shown(
    _ text: String, _ forage: Forage, _ list: LastList? = nil
  ) async throws -> SearchResult? {
    let lookup = try EntityLookup(forage, files: .places, lastList: { list })
    return try await lookup.target(text).known
  }

  private func text(_ item: SearchResult?) -> String? { item?[.fragments]?.elements.first?["text"]?.text }

  /// Rows, ids and numbers lead to what the commit has.
  @Test func filesInNoWorkTree() async throws {
    try await withClones { forage, _, folder, clones in
      let commit = try await clones["work"]?.git("rev-parse HEAD") ?? ""
      let id = "git.acme.example/team/one/blob/\(commit)/s/ä b.c"
      for (text, file, line) in [
        ("git.acme.example/team/one:s/ä b.c:2:1", "needle in work", 2),
        ("git.acme.example/team/one:x:3:1", "needle", 1), (id, "needle in work", nil),
        ("https://\(id.replacing(" ", with: "%20"))", "needle in work", nil),
        (folder + "/bare.git:s/ä b.c:2", "needle in lone", 2),
        (folder + "/bare.git/s/ä b.c", "needle in lone", nil),
      ] as [(String, String, Int?)] {
        let item = try await shown(text, forage)
        #expect(self.text(item)?.hasSuffix(file + "\n") == true, "\(text): \(String(describing: item))")
        #expect(item?["line"]?.number == line, "\(text)")
      }
      var found = SearchResult(id: id, kind: .code, title: "s/ä b.c")
      found.set(.repository, "git.acme.example/team/one")
      found.set(.path, "s/ä b.c")
      found.set(.commit, commit)
      let list = LastList(
        command: "search", arguments: [], hasMore: false, items: [found], knownUntil: .distantPast)
      #expect(text(try await shown("1", forage, LastList(list.encoded))) == "x\nneedle in work\n")
      #expect(try await shown("git.acme.example/team/one:nothing.c", forage) == nil)
      // The pages stay those of their own forge.
      var reader = ReferenceReader(forage)
      reader.files = .every
      let row = try await reader.reference("git.acme.example/team/one:s/ä b.c:2:1")
      #expect(row.pageAddress == "https://git.acme.example/team/one/blob/HEAD/s/%C3%A4%20b.c#L2")
      #expect(await reader.clonePath(of: row) == folder + "/work")
    }
  }

  /// Of two clones of a repository a row means the first that has the file, and a number the one that was
  /// listed.
  @Test func twoClones() async throws {
    try await withClones { forage, _, folder, _ in
      let name = "git.acme.example/team/two"
      #expect(text(try await shown("\(name):only.c:1", forage)) == "needle of the second\n")
      #expect(text(try await shown("\(name):s/ä b.c:2", forage)) == "x\nneedle in first\n")
      let list = list(of: folder + "/second/s/ä b.c")
      #expect(text(try await shown("1", forage, LastList(list.encoded))) == "x\nneedle in second\n")
      try FileManager.default.removeItem(atPath: folder + "/second/only.c")
      #expect(text(try await shown("\(name):only.c:1", forage)) == "needle of the second\n")
    }
  }

  private func list(of file: String) -> LastList {
    var found = SearchResult(id: file, kind: .code, title: "s/ä b.c")
    found.set(.path, "s/ä b.c")
    found.set(.file, file)
    return LastList(
      command: "search", arguments: [], hasMore: false, items: [found], knownUntil: .distantPast)
  }

  /// A number whose clone was replaced after the list was printed, by a link or by another folder, shows
  /// nothing of what is in its place; also in a list that was continued.
  @Test(arguments: [true, false])
  func aReplacedClone(_ isLink: Bool) async throws {
    try await withClones { forage, _, folder, _ in
      let (root, other) = (folder + "/first", folder + "/second")
      let list = try #require(LastList(list(of: root + "/s/ä b.c").encoded))
      #expect(text(try await shown("1", forage, list)) == "x\nneedle in first\n")
      try FileManager.default.moveItem(atPath: root, toPath: folder + "/moved")
      if isLink {
        try FileManager.default.createSymbolicLink(atPath: root, withDestinationPath: other)
      } else {
        try FileManager.default.copyItem(atPath: other, toPath: root)
      }
      var continued = LastList(
        command: "search", arguments: [], hasMore: false, items: list.items, knownUntil: .distantPast)
      continued.roots = list.roots
      for list in [list, try #require(LastList(continued.encoded))] {
        let error = await #expect(throws: ForageError.self) { try await shown("1", forage, list) }
        #expect(error?.message.hasPrefix("\(root) was replaced by another folder") == true)
      }
    }
  }

  /// A path that is longer than other texts of a list is kept whole.
  @Test func longPaths() throws {
    let path = "/r/" + String(repeating: "größe/", count: 80) + "s/ä b.c"
    #expect(LastList(list(of: path).encoded)?[1][.file]?.text == path)
  }
}
