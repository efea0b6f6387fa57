import Forage
import ForageCore
import ForageInspector
import Foundation
import Synchronization
import TestSupport
import Testing

/// Entities, stars, favorites and clones through the library.
struct ForageEntitiesTests {
  private func withForage<Value>(
    _ github: FakeGitHub = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "Acme/Tool", stars: 7)]),
    _ body: (Forage, FakeGitHub) async throws -> Value
  ) async throws -> Value {
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let environment = home.environment(
          adding: [
            "PATH": home.directory.path("no-programs"), "FORAGE_GITHUB_URL": server.baseURL,
            "GH_ENTERPRISE_TOKEN": "t0k",
          ])
        let forage = try Forage(ForageSetup(environment: environment))
        let value = try await body(forage, github)
        await forage.close()
        return value
      }
    }
  }

  @Test func show() async throws {
    try await withForage { forage, _ in
      let record = try await forage.show("acme/tool")
      #expect(record.item.title == "Acme/Tool" && record.item[.stars]?.number == 7)
      #expect(record.report == nil && record.outcomes.map(\.id) == ["github"])
      let error = await #expect(throws: ForageError.self) { try await forage.show("acme/nothing") }
      #expect(error?.code == .nothingFound)
    }
  }

  @Test func starsAreSetAndRemoved() async throws {
    try await withForage { forage, github in
      try await forage.star("acme/tool")
      #expect(github.options.starred == ["Acme/Tool"])
      try await forage.unstar("acme/tool")
      #expect(github.options.starred == [])
      await #expect(throws: ForageError.self) { try await forage.star("@acme") }
      await #expect(throws: ForageError.self) { try await forage.star("elsewhere.example/a/b") }
    }
  }

  /// A forge that a program adds has what GitHub has.
  private final class Workshop: ForgeProvider {
    let info = ProviderInfo(id: "workshop", name: "Workshop", hosts: ["workshop.example"])
    let kinds: [ResultKind: Abilities] = [
      .repo: Abilities(fields: [.description, .comments]), .issue: Abilities(fields: [.comments]),
    ]
    let changes = Mutex<[String]>([])

    func search(_ request: SearchRequest) async throws -> SearchPage { SearchPage(items: []) }

    func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws -> EntityDetails? {
      var item = SearchResult(id: id.id, kind: id.kind, title: id.title)
      if id.kind == .issue { item.set(.comments, 3) }
      return EntityDetails(item: item)
    }

    func account(deadline: ContinuousClock.Instant) async throws -> ForgeAccount { ForgeAccount(login: "me") }

    func change(_ change: StarChange, of repository: EntityReference, deadline: ContinuousClock.Instant)
      async throws
    {
      changes.withLock { $0.append("\(change) \(repository.id)") }
    }

    func comments(
      of issue: EntityReference, last count: Int, of total: Int, deadline: ContinuousClock.Instant
    ) async throws -> [FieldValue] {
      [.record(["text": .text("the last \(count) of \(total)")])]
    }
  }

  @Test func aForgeOfTheProgram() async throws {
    try await withIsolatedHome { home in
      let workshop = Workshop()
      let forage = try Forage(ForageSetup(environment: home.environment), adding: [workshop])
      try await forage.star("workshop.example/o/größe")
      try await forage.unstar("workshop.example/o/größe")
      #expect(
        workshop.changes.withLock { $0 } == [
          "add workshop.example/o/größe", "remove workshop.example/o/größe",
        ])
      let issue = try await forage.show("workshop.example/o/n#7", providers: ["workshop"], comments: 2)
      let comments = issue.item["recentComments"]?.elements ?? []
      #expect(comments.map { $0["text"]?.text } == ["the last 2 of 3"])
      let error = await #expect(throws: ForageError.self) {
        try await forage.show("workshop.example/@someone", providers: ["workshop"])
      }
      #expect(error?.code == .nothingFound && error?.message == "workshop has no details of kind user")
      // It is the only one whose names can have groups.
      let deep = try await ReferenceReader(forage).reference("group/sub/three")
      #expect(deep.id == "workshop.example/group/sub/three")
      await forage.close()
    }
  }

  @Test func favorites() async throws {
    try await withForage { forage, _ in
      #expect(try await forage.favorites().isEmpty)
      #expect(try await forage.addFavorite("acme/tool"))
      #expect(try await !forage.addFavorite("acme/tool"))
      let all = try await forage.favorites()
      #expect(all.count == 1)
      let favorite = try #require(all.first)
      #expect(try await forage.removeFavorite(favorite.id))
      #expect(try await !forage.removeFavorite("acme/tool"))
    }
  }

  /// On a server whose names may differ in their case a clone is meant by its name in any case, as in every
  /// command for clones.
  @Test func namesOfClonesInAnyCase() async throws {
    try await withIsolatedHome { home in
      let repository = try await TemporaryRepository.make("home/src/one", in: home.directory)
      try await repository.commit(files: ["a.c": "x\n"])
      try await repository.git("remote add origin https://git.acme.example/Team/One.git")
      let environment = home.environment(adding: ["PATH": home.directory.path("no-programs")])
      let forage = try Forage(ForageSetup(environment: environment))
      _ = try await forage.scanClones(adding: [home.directory.path("home/src")])
      let (id, other) = ("git.acme.example/Team/One", "git.acme.example/team/one")
      let record = try await forage.show(other)
      #expect(record.item.id == id && record.report?.path == repository.path)
      #expect(try await forage.addFavorite(other))
      #expect(try await !forage.addFavorite(id))
      #expect(try await !forage.addFavorite(other))
      #expect(try await forage.favorites().map(\.id) == [id])
      #expect(try await forage.removeFavorite(other))
      #expect(try await forage.favorites().isEmpty)
      await forage.close()
    }
  }

  @Test func repositoriesAreCloned() async throws {
    try await withIsolatedHome { home in
      let forge = try GitForge(in: home.directory)
      for name in ["Owner/One", "owner/zwei-検索"] { try await forge.add(name) }
      let forage = try Forage(
        ForageSetup(environment: home.environment(adding: ["PATH": "/usr/bin:/bin"])))
      var ended: [String] = []
      let results = try await forage.clone(["Owner/One", "owner/none", "owner/one#3"]) { ended.append($0.id) }
      #expect(
        results.map(\.state) == [.cloned, .failed]
          && results.map(\.id) == ["github.com/owner/one", "github.com/owner/none"])
      #expect(Set(ended) == Set(results.map(\.id)) && results.last?.error?.code == .failed)
      #expect(results.first?.path == home.directory.path("home/src/github.com/Owner/One"))
      #expect(try await forage.clone(["owner/zwei-検索", "owner/one"]).map(\.state) == [.cloned, .present])
      #expect(try await forage.clones().count == 2)
      await #expect(throws: ForageError.self) { try await forage.clone(["@login"]) }
      await forage.close()
    }
  }

  @Test func clonesAndTheirFacts() async throws {
    let repository = try await TemporaryRepository.make("boîte-検索")
    try await repository.git(["commit", "--quiet", "--allow-empty", "-m", "one"])
    try await withForage { forage, _ in
      #expect(try await forage.clones().isEmpty)
      try await forage.scanClones(adding: [repository.directory.url.path])
      #expect(try await forage.clones().compactMap { $0[.path]?.text } == [repository.path])
      let report = try await forage.inspect(repository.path, sections: [.head])
      #expect(report.head?.branch == "main")
      await #expect(throws: ForageError.self) { try await forage.scanClones(adding: ["/nowhere/at/all"]) }
    }
  }
}
