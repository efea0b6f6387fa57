import Forage
import ForageStore
import Foundation
import TestSupport
import Testing

@testable import ForageCore
@testable import ForageEntities

/// What rows of code lead back to: the file in the clone of their own forge, and never another forge.
struct PlaceReferenceTests {
  /// Clones by folder, with their remotes.
  private static let remotes = [
    "acme": "https://git.acme.example/team/one.git",
    "port": "https://git.acme.example:8443/team/two.git",
    "groups": "https://gitlab.com/group/sub/three.git",
    "plain": "git@nas:me/tool.git",
    "usual": "https://github.com/team/both.git",
    "other": "https://git.acme.example/team/both.git",
    "wrong:folder": nil,
    "me/lone": nil,
  ]

  private func withClones(_ body: (Forage, _ folder: String) async throws -> Void) async throws {
    try await withIsolatedHome { home in
      let folder = home.directory.path("home/src")
      for (name, remote) in Self.remotes {
        let repository = try await TemporaryRepository.make("home/src/\(name)", in: home.directory)
        try await repository.commit(files: ["s/ä b.c": "x\nneedle\n", "c:d.c": "needle\n"])
        if let remote { try await repository.git("remote add origin \(remote)") }
        if name == "other" { try await repository.commit(files: ["only.c": "needle\n"]) }
      }
      let environment = home.environment(adding: ["PATH": home.directory.path("no-programs")])
      let forage = try Forage(ForageSetup(environment: environment))
      _ = try await forage.scanClones(adding: [folder])
      try await body(forage, folder)
      await forage.close()
    }
  }

  @Test func rowsLeadToTheirOwnClone() async throws {
    try await withClones { forage, folder in
      var reader = ReferenceReader(forage)
      reader.files = .every
      for (text, file, host) in [
        ("git.acme.example/team/one:s/ä b.c:2:1", "acme/s/ä b.c", "git.acme.example"),
        ("git.acme.example/team/one:c:d.c:1", "acme/c:d.c", "git.acme.example"),
        ("Git.Acme.Example/team/one:c:d.c", "acme/c:d.c", "git.acme.example"),
        ("git.acme.example:8443/team/two:c:d.c:1:1", "port/c:d.c", "git.acme.example:8443"),
        ("gitlab.com/group/sub/three:s/ä b.c:2", "groups/s/ä b.c", "gitlab.com"),
        // A server without pages, whose name looks like a folder.
        ("nas/me/tool:s/ä b.c:2", "plain/s/ä b.c", nil),
        ("team/both:s/ä b.c:2", "usual/s/ä b.c", "github.com"),
        ("git.acme.example/team/both:s/ä b.c:2", "other/s/ä b.c", "git.acme.example"),
        (folder + "/wrong:folder:c:d.c:1", "wrong:folder/c:d.c", nil),
      ] as [(String, String, String?)] {
        let found = try await reader.reference(text)
        #expect(found.result?[.file]?.text == folder + "/" + file, "\(text)")
        #expect(found.entity?.host == host, "\(text)")
        #expect(found.isThere, "\(text)")
        let page = found.withoutFile.pageAddress
        if let host {
          #expect(page?.hasPrefix("https://\(host)/") == true, "\(text): \(page ?? "-")")
        } else {
          #expect(page == nil, "\(text)")
        }
      }
    }
  }

  /// A repository is as the remote of its clone writes it, or as its forge did, however it is typed; ids are
  /// not.
  @Test(
    arguments: [
      ("https://github.com/Acme/Kit.git", "github.com/Acme/Kit"),
      ("git@gitlab.com:Group/Sub/Kit.git", "gitlab.com/Group/Sub/Kit"),
      ("https://git.acme.example/team/Kit.git", "git.acme.example/team/Kit"),
    ])
  func repositoriesAsTheyAreWritten(remote: String, name: String) async throws {
    try await withIsolatedHome { home in
      let repository = try await TemporaryRepository.make("home/src/kit", in: home.directory)
      try await repository.commit(files: ["a.c": "x\n", "gone.c": "y\n"])
      try await repository.git("remote add origin \(remote)")
      try FileManager.default.removeItem(atPath: repository.path + "/gone.c")
      let commit = try await repository.git("rev-parse HEAD")
      let environment = home.environment(adding: ["PATH": home.directory.path("no-programs")])
      let forage = try Forage(ForageSetup(environment: environment))
      _ = try await forage.scanClones(adding: [home.directory.path("home/src")])
      let id = name.hasPrefix("git.acme") ? name : name.lowercased()
      for rest in ["@\(commit)", "@main:a.c", ":gone.c", ":a.c"] {
        let lookup = try EntityLookup(forage, providers: ["local"], files: .places)
        let item = try #require(try await lookup.target(id + rest).known, "\(rest)")
        #expect(item[.repository] == .text(name) && item.repositoryID == id, "\(rest)")
        #expect(item.id == repository.path + "/a.c" || item.id.hasPrefix(id), "\(rest)")
        #expect(item.url?.hasPrefix("https://\(name)/") != false, "\(rest)")
      }
      try await forage.addFavorite(id + "#1")
      #expect(try await forage.favorites().map { $0[.repository] } == [.text(name)])
      // What the forge has said counts for more than what somebody typed for a clone.
      let told = name.replacing("Kit", with: "KIT")
      forage.knownRepositories.record([.init(name: told, stars: 1, topics: [])])
      #expect(forage.writtenName(of: id) == (id == name ? name : told))
      #expect(forage.writtenName(of: "github.com/no/body") == "github.com/no/body")
      await forage.close()
    }
  }

  /// The page that is opened has the name of the repository as the remote of its clone writes it, or as its
  /// forge did, also on a server whose names may differ in their case; there two names are two repositories.
  @Test(
    arguments: [
      (["git.acme.example/Team/One"], "git.acme.example/team/one", "git.acme.example/Team/One"),
      (["git.acme.example/Team/One"], "git.acme.example/team/one#3", "git.acme.example/Team/One/issues/3"),
      (
        ["git.acme.example/Team/One"], "git.acme.example/team/one:b.c",
        "git.acme.example/Team/One/blob/HEAD/b.c"
      ),
      (["github.com/Acme/Kit"], "acme/KIT", "github.com/Acme/Kit"),
      (["github.com/Acme/Kit"], "acme/kit#3", "github.com/Acme/Kit/issues/3"),
      (["github.com/Acme/Kit"], "acme/other", "github.com/acme/other"),
      (
        ["git.acme.example/Team/One", "git.acme.example/team/one"], "git.acme.example/team/one",
        "git.acme.example/team/one"
      ),
      (
        ["git.acme.example/Team/One", "git.acme.example/TEAM/one"], "git.acme.example/team/one",
        "git.acme.example/team/one"
      ),
    ])
  func pagesAsTheyAreWritten(remotes: [String], text: String, page: String) async throws {
    try await withIsolatedHome { home in
      for (index, remote) in remotes.enumerated() {
        let repository = try await TemporaryRepository.make("home/src/\(index)", in: home.directory)
        try await repository.commit(files: ["a.c": "x\n"])
        try await repository.git("remote add origin https://\(remote).git")
      }
      let environment = home.environment(adding: ["PATH": home.directory.path("no-programs")])
      let forage = try Forage(ForageSetup(environment: environment))
      _ = try await forage.scanClones(adding: [home.directory.path("home/src")])
      var reader = ReferenceReader(forage)
      reader.files = .every
      #expect(try await reader.reference(text).pageAddress == "https://" + page)
      await forage.close()
    }
  }

  /// Where no file is taken, a place in one is no repository either.
  @Test func aPlaceIsNoRepository() async throws {
    try await withClones { forage, _ in
      let reader = ReferenceReader(forage)
      for text in ["git.acme.example/team/one:s/ä b.c:2:1", "git.acme.example/team/one:c:d.c"] {
        await #expect(throws: ForageError.self, "\(text)") { try await reader.reference(text) }
      }
      let named = try await reader.reference("git.acme.example:8443/team/two")
      #expect(named.id == "git.acme.example:8443/team/two")
    }
  }

  /// The name of a file in a clone of one forge is not sent to another.
  @Test func aNameOfAnotherForgeIsRefused() async throws {
    try await withClones { forage, folder in
      var reader = ReferenceReader(forage)
      reader.files = .every
      for (text, id) in [
        ("team/one:s/ä b.c:2", "git.acme.example/team/one"),
        ("team/both:only.c", "git.acme.example/team/both"),
        ("me/tool:c:d.c", "nas/me/tool"), ("team/one:nothing.c", "git.acme.example/team/one"),
        // The end of a name with groups means the clone, too, as everywhere.
        ("sub/three:c:d.c", "gitlab.com/group/sub/three"), ("Sub/Three:no.c", "gitlab.com/group/sub/three"),
        // So it is of a file of a branch.
        ("team/one@main:c:d.c", "git.acme.example/team/one"),
        ("team/one@none:c:d.c", "git.acme.example/team/one"),
        ("team/both@main:only.c", "git.acme.example/team/both"), ("me/tool@main:c:d.c:1", "nas/me/tool"),
        ("sub/three@main:c:d.c", "gitlab.com/group/sub/three"),
      ] {
        let error = await #expect(throws: ForageError.self) { try await reader.reference(text) }
        #expect(error?.message == "\(text) is in a clone of \(id)", "\(text)")
        let rest = text.drop { $0 != ":" && $0 != "@" }
        #expect(error?.hint == "write the host, too: \(id)\(rest)", "\(text)")
      }
      for rest in [":c:d.c", "@main:c:d.c"] {
        let lone = await #expect(throws: ForageError.self) { try await reader.reference("me/lone" + rest) }
        #expect(lone?.message == "me/lone\(rest) is in the clone \(folder)/me/lone")
        #expect(lone?.hint == "write its path: \(folder)/me/lone\(rest)")
      }
      // What no clone has is on the forge that a name without a host means.
      let other = try await reader.reference("nobody/one:nothing.c")
      #expect(other.entity?.host == "github.com")
      let none = await #expect(throws: ForageError.self) { try await reader.reference("nobody/one@main:a.c") }
      #expect(none?.message == "\"nobody/one@main:a.c\" names no repository, path or result")
    }
  }

  /// Where the usual forge is disabled, a name without a host is that of the only other one; of several, lists
  /// show the hosts.
  @Test(arguments: [["one"], ["one", "two"]])
  func namesWithoutHosts(others: [String]) async throws {
    try await withIsolatedHome { home in
      let added = others.map { "  \($0): {type: github, url: \"https://\($0).example/api/v3\"}\n" }.joined()
      try home.writeConfig("forage/config.yaml", "providers:\n  github: {enabled: false}\n" + added)
      let forage = try Forage(ForageSetup(environment: home.environment(adding: [:])))
      let isOnly = others.count == 1
      #expect(forage.hostOfBareNames == (isOnly ? "one.example" : nil))
      #expect(forage.shortName("one.example/o/n") == (isOnly ? "o/n" : "one.example/o/n"))
      if isOnly {
        #expect(try forage.usualForge().info.id == "one")
      } else {
        let error = #expect(throws: ForageError.self) { try forage.usualForge() }
        #expect(error?.hint == "add -p one or two")
      }
      await forage.close()
    }
  }

  /// The stars of a forge that is disabled are not listed, although there is a token for it.
  @Test func starsOfADisabledForge() async throws {
    try await withIsolatedHome { home in
      try home.writeConfig(
        "forage/config.yaml",
        """
        providers:
          github: {enabled: false}
          one: {type: github, url: "https://one.example/api/v3", secrets: {token: {env: ONE_TOKEN}}}

        """)
      let environment = home.environment(adding: ["GH_TOKEN": "a", "ONE_TOKEN": "b"])
      let forage = try Forage(ForageSetup(environment: environment))
      let starred = try await forage.starredForges(nil, forage.settings(), RequestOptions())
      #expect(starred.map(\.info.id) == ["one"])
      await forage.close()
    }
  }

  /// A name that several forges may have is refused where a file of it is read, as everywhere.
  @Test func aNameOfSeveralForgesIsRefused() async throws {
    try await withIsolatedHome { home in
      try home.writeConfig(
        "forage/config.yaml",
        """
        providers:
          github: {enabled: false}
          one: {type: github, url: "https://one.example/api/v3"}
          two: {type: github, url: "https://two.example/api/v3"}

        """)
      let forage = try Forage(ForageSetup(environment: home.environment(adding: [:])))
      let request = RepositoryFileRequest(repo: "o/n", path: nil, file: "a.c", ref: nil)
      let error = await #expect(throws: ForageError.self) {
        try await RepositoryFiles(forage).content(request)
      }
      #expect(error?.message == "o/n may be on one.example or two.example")
      await forage.close()
    }
  }

  /// Of clones of several repositories none is taken for the one that is meant.
  @Test func aNameOfSeveralClonesIsRefused() async throws {
    try await withIsolatedHome { home in
      for host in ["one", "two"] {
        let repository = try await TemporaryRepository.make("home/src/\(host)", in: home.directory)
        try await repository.commit(files: ["a.c": host])
        try await repository.git("remote add origin https://\(host).example/o/n.git")
      }
      let environment = home.environment(adding: ["PATH": home.directory.path("no-programs")])
      let forage = try Forage(ForageSetup(environment: environment))
      _ = try await forage.scanClones(adding: [home.directory.path("home/src")])
      let request = RepositoryFileRequest(repo: "o/n", path: nil, file: "a.c", ref: nil)
      let read = await #expect(throws: ForageError.self) {
        try await RepositoryFiles(forage).content(request)
      }
      let path = await #expect(throws: ForageError.self) { try await forage.clonePath(of: "o/n") }
      #expect(read == path && read?.hint == "write host/owner/name, or the path of one")
      #expect(try await forage.clonePath(of: "two.example/o/n") == home.directory.path("home/src/two"))
      await forage.close()
    }
  }

  @Test(
    arguments: [
      ("github.com/a/b", "github.com", nil), ("git.example/a/b", "github.com", "git.example"),
      ("git.example/a/b", "git.example", nil), ("github.com/a/b", "git.example", "github.com"),
      ("git.example:8443/a/b", "git.example", "git.example:8443"),
      ("gitlab.com/a/b/c", "gitlab.com", "gitlab.com"), ("nas/a/b", "github.com", "nas"),
      ("/home/a/b", "github.com", nil), ("gist.github.com/1", "github.com", nil),
    ] as [(String, String, String?)])
  func hostsBeforeNames(_ id: String, _ bareHost: String, _ expected: String?) {
    #expect(RepositoryIdentity.hostBeforeName(of: id, bareHost: bareHost) == expected)
  }

  /// A host is left out only where what is left means the same.
  @Test(
    arguments: [
      ("github.com/A/b", "github.com", "A/b"), ("github.com/a/b", "git.example", "github.com/a/b"),
      ("github.com/a/b#3", "github.com", "a/b#3"), ("github.com/a/b@0123abc", "github.com", "a/b@0123abc"),
      ("github.com/a/b:src/deep/c.c", "github.com", "a/b:src/deep/c.c"),
      ("git.example:8443/a/b", "git.example:8443", "a/b"), ("git.example/@me", "git.example", "@me"),
      ("gitlab.com/a/b/c", "gitlab.com", "gitlab.com/a/b/c"),
      ("gitlab.com/a/b/c!3", "gitlab.com", "gitlab.com/a/b/c!3"), ("/home/a/b", "github.com", "/home/a/b"),
    ])
  func namesWithoutHosts(_ id: String, _ bareHost: String, _ expected: String) {
    #expect(RepositoryIdentity.shortName(id, bareHost: bareHost) == expected)
  }
}
