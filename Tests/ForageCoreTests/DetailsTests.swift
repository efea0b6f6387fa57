import ForageCore
import Testing

/// What providers can do besides searching: details of an entity, and the parts of a forge.
@Suite struct DetailsTests {
  /// A provider with details of the kinds that a test names.
  private struct Knowing: DetailsProvider {
    let info: ProviderInfo
    let kinds = [ResultKind.repo: Abilities.plain(), .issue: Abilities.plain()]
    var detailedKinds: Set<ResultKind>
    /// The answer to every call.
    var answer: @Sendable (EntityReference) async throws -> EntityDetails?

    init(
      _ id: String, _ kinds: Set<ResultKind>, hosts: [String] = ["example.org"],
      answer: @escaping @Sendable (EntityReference) async throws -> EntityDetails? = { reference in
        EntityDetails(item: SearchResult(id: reference.id, kind: reference.kind, title: "known"))
      }
    ) {
      info = ProviderInfo(id: id, hosts: hosts)
      (detailedKinds, self.answer) = (kinds, answer)
    }

    func search(_ request: SearchRequest) async throws -> SearchPage { SearchPage(items: []) }

    func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws -> EntityDetails? {
      RequestCounter.current?.add()
      return try await answer(id)
    }
  }

  /// A forge that implements only what it must.
  private struct SmallForge: ForgeProvider {
    let info = ProviderInfo(id: "small", name: "Small Forge", hosts: ["example.org"])
    let kinds = [ResultKind.repo: Abilities.plain(), .user: Abilities.plain()]

    func search(_ request: SearchRequest) async throws -> SearchPage { SearchPage(items: []) }
    func account(deadline: ContinuousClock.Instant) async throws -> ForgeAccount { ForgeAccount() }
    func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws -> EntityDetails? {
      nil
    }
  }

  private func details(_ text: String, _ providers: [any SearchProvider]) async throws -> FederatedDetails {
    let reference = try #require(EntityReference(text, defaultHost: "example.org"))
    return await ProviderRegistry(providers).details(of: reference, timeout: .seconds(300))
  }

  @Test func onlyProvidersOfTheKindAreAsked() async throws {
    let providers: [any SearchProvider] = [
      ScriptedProvider.listing("Plain", [], hosts: ["example.org"]), Knowing("issues", [.issue]),
      Knowing("repositories", [.repo]), Knowing("elsewhere", [.repo, .issue], hosts: ["example.com"]),
      SmallForge(),
    ]
    let repository = try await details("owner/name", providers)
    #expect(repository.item?.id == "example.org/owner/name")
    #expect(repository.outcomes.map(\.id) == ["repositories", "small"])
    #expect(repository.outcomes.map(\.requests) == [1, 0] && repository.outcomes.map(\.returned) == [1, 0])
    let issue = try await details("owner/name#12", providers)
    #expect(issue.item?.kind == .issue && issue.outcomes.map(\.id) == ["issues"])
    // By default a provider has details of all kinds that it searches.
    #expect(SmallForge().detailedKinds == [.repo, .user])
    let account = try await details("@owner", providers)
    #expect(account.item == nil && account.outcomes.map(\.id) == ["small"])
    #expect(try await details("owner/name@0123456", providers).outcomes.isEmpty)
  }

  @Test func failuresAreTold() async throws {
    let missing = MissingPart(.readme, SearchError(.serverError, "it broke"))
    let absent = MissingPart(.contributors, SearchError(.unavailable, "too many"))
    func part(_ missing: [MissingPart]) -> Knowing {
      Knowing("p", [.repo]) { reference in
        EntityDetails(
          item: SearchResult(id: reference.id, kind: .repo, title: "known"), missing: missing)
      }
    }
    let failing = Knowing("q", [.repo]) { _ in
      RequestCounter.current?.add()
      throw SearchError(.rateLimited, "too many requests")
    }
    let found = try await details("owner/name", [failing, part([absent, missing])])
    #expect(found.item != nil && found.missing.map(\.part) == [absent, missing])
    #expect(found.outcomes.map(\.state) == [.rateLimited, .partial])
    #expect(found.outcomes.map(\.requests) == [2, 1])
    #expect(found.outcomes.map(\.error?.message) == ["too many requests", "it broke"])
    // What the provider never has is no failure.
    #expect(try await details("owner/name", [part([absent])]).outcomes.map(\.state) == [.ok])
  }

  /// A forge refuses what it lacks with its own name, and has no limits.
  @Test func aForgeRefusesWhatItLacks() async throws {
    let (forge, deadline) = (SmallForge(), ContinuousClock.now + .seconds(300))
    let reference = try #require(EntityReference("owner/name", defaultHost: "example.org"))
    let request = SearchRequest(kind: .repo, query: nil, pageSize: 10, deadline: deadline)
    func lack(_ what: String) -> SearchError {
      SearchError(.unsupportedQuery, "Small Forge has no \(what)")
    }
    for change in [StarChange.add, .remove] {
      await #expect(throws: lack("stars")) {
        try await forge.change(change, of: reference, deadline: deadline)
      }
    }
    await #expect(throws: lack("stars")) { try await forge.starred(by: nil, request) }
    await #expect(throws: lack("list of the repositories of an account")) {
      try await forge.repositories(of: "owner", request)
    }
    await #expect(throws: lack("comments")) {
      try await forge.comments(of: reference, last: 10, of: 20, deadline: deadline)
    }
    await #expect(throws: lack("files")) {
      try await forge.contents(at: "", in: reference, ref: nil, deadline: deadline)
    }
    #expect(try await forge.limits(deadline: deadline).isEmpty)
    #expect(await forge.requestsRemaining(for: .repo) == nil && forge.pauseBetweenChanges == .zero)
  }
}
