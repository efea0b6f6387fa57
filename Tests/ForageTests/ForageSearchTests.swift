import Forage
import ForageCore
import ForageTesting
import Foundation
import TestSupport
import Testing

/// The library as a program uses that imports it: searches with a provider of its own, GitHub and clones.
struct ForageSearchTests {
  private static let names = ["http/client", "http/serveur-é", "http/検索"]

  /// A provider of the test's own, of which every page takes a while.
  private static func shelf(_ id: String = "shelf", delay: Duration = .zero) -> InMemoryProvider {
    let abilities = Abilities(
      fields: [.description, .name], sorts: ["name"], feed: Abilities.Feed(sorts: ["name"]))
    return InMemoryProvider(
      names.map { SearchResult(id: "shelf.example/\($0)", kind: .repo, title: $0) },
      info: ProviderInfo(id: id, name: "Shelf"), kinds: [.repo: abilities],
      everyPage: InMemoryProvider.Behaviour(delay: delay))
  }

  /// Runs a body with a home and a GitHub of its own.
  private func withForage<Value>(
    _ providers: [any SearchProvider] = [shelf()], github: FakeGitHub = FakeGitHub(repositories: []),
    _ body: (Forage, IsolatedHome) async throws -> Value
  ) async throws -> Value {
    try await withGitHub(github) { server in
      try await withIsolatedHome { home in
        let environment = home.environment(
          adding: [
            "PATH": home.directory.path("no-programs"), "FORAGE_GITHUB_URL": server.baseURL,
            "GH_ENTERPRISE_TOKEN": "t0k",
          ])
        let forage = try Forage(ForageSetup(environment: environment), adding: providers)
        let value = try await body(forage, home)
        await forage.close()
        return value
      }
    }
  }

  /// The error that a search ends with, `nil` without one.
  private func failure(of updates: SearchUpdates) async -> (any Error)? {
    do {
      _ = try await updates.report()
      return nil
    } catch {
      return error
    }
  }

  @Test func mergesGitHubAndAProviderOfItsOwn() async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "acme/http", stars: 7)])
    try await withForage(github: github) { forage, _ in
      let report = try await forage.search("http").report()
      #expect(Set(report.items.map(\.result.title)) == Set(Self.names + ["acme/http"]))
      #expect(report.outcomes.filter { $0.state == .ok }.map(\.id) == ["github", "shelf"])
      #expect(report.isComplete && !report.hasMore)
    }
  }

  @Test func updatesComeInOrder() async throws {
    try await withForage { forage, _ in
      var updates: [String] = []
      var options = SearchOptions()
      options.providers = ["shelf"]
      for try await update in forage.search("http", options) {
        switch update {
        case .event(.started(let outcomes)): updates.append("started " + outcomes.map(\.id).joined())
        case .event(.found(let outcome, let items)): updates.append("found \(items.count) of \(outcome.id)")
        case .event(.ended(let outcome)): updates.append("ended \(outcome.id)")
        case .waiting, .warning: updates.append("\(update)")
        case .finished(let report): updates.append("finished \(report.items.count)")
        }
      }
      #expect(updates == ["started shelf", "found 3 of shelf", "ended shelf", "finished 3"])
    }
  }

  @Test func pageByPage() async throws {
    try await withForage { forage, _ in
      var options = SearchOptions()
      (options.providers, options.limit) = (["shelf"], 2)
      let first = try await forage.search("http", options).report()
      #expect(first.items.map(\.result.title) == Array(Self.names[..<2]))
      #expect(first.hasMore && first.offset == 0)
      let second = try #require(await first.more())
      #expect(second.items.map(\.result.title) == [Self.names[2]] && second.offset == 2)
      let third = await second.more()
      #expect(!second.hasMore && third == nil)
    }
  }

  @Test func feed() async throws {
    try await withForage { forage, _ in
      var options = SearchOptions()
      (options.providers, options.sort, options.order) = (["shelf"], "name", .ascending)
      let report = try await forage.feed(options).report()
      #expect(report.items.count == Self.names.count)
    }
  }

  /// The query, the options, and what the error says.
  @Test(
    arguments: [
      ("  ", [], nil, "the query is empty"), ("http", ["shef"], nil, "there is no provider \"shef\""),
      ("http", ["shelf"], "karma", "no chosen provider sorts by \"karma\""),
      ("http sort:karma", ["shelf"], nil, "no chosen provider sorts by \"karma\""),
    ] as [(String, [String], String?, String)])
  func whatCannotBeAsked(_ query: String, _ providers: [String], _ sort: String?, _ message: String)
    async throws
  {
    try await withForage { forage, _ in
      var options = SearchOptions()
      (options.providers, options.sort) = (providers, sort)
      let error = await failure(of: forage.search(query, options)) as? ForageError
      #expect(error?.message == message && error?.hint.isEmpty == false && error?.code == .usage)
    }
  }

  @Test func aQueryThatCannotBeRead() async throws {
    try await withForage { forage, _ in
      #expect(await failure(of: forage.search("(http")) is QueryError)
    }
  }

  /// The iterating task is cancelled: it gets an error instead of a list that only seems complete.
  @Test func cancellation() async throws {
    try await withForage([Self.shelf(delay: .seconds(600))]) { forage, _ in
      var options = SearchOptions()
      (options.providers, options.timeout) = (["shelf"], .seconds(300))
      let start = ContinuousClock.now
      let updates = forage.search("http", options)
      let run = Task { await failure(of: updates) }
      run.cancel()
      #expect(await run.value is CancellationError)
      #expect(ContinuousClock.now - start < .seconds(100))
    }
  }

  /// Closing ends a search that somebody still reads.
  @Test func close() async throws {
    try await withForage([Self.shelf(delay: .seconds(600))]) { forage, _ in
      var options = SearchOptions()
      (options.providers, options.timeout) = (["shelf"], .seconds(300))
      let start = ContinuousClock.now
      var hasStarted = false
      do {
        for try await update in forage.search("http", options) {
          guard case .event(.started) = update else { continue }
          hasStarted = true
          await forage.close()
        }
        Issue.record("the search did not end with an error")
      } catch {
        #expect(error is CancellationError)
      }
      #expect(hasStarted && ContinuousClock.now - start < .seconds(100))
    }
  }

  /// Two searches at once share connections and do not mix their updates.
  @Test func severalAtOnce() async throws {
    try await withForage([Self.shelf(), Self.shelf("other")]) { forage, _ in
      func ids(of provider: String) async throws -> Set<String> {
        var options = SearchOptions()
        options.providers = [provider]
        var ids: Set<String> = []
        for try await update in forage.search("http", options) {
          if case .event(.found(let outcome, _)) = update { ids.insert(outcome.id) }
        }
        return ids
      }
      async let one = ids(of: "shelf")
      async let two = ids(of: "other")
      let found = try await [one, two]
      #expect(found == [["shelf"], ["other"]])
    }
  }

  /// What concerns every search is told by the first.
  @Test func aWarningIsToldOnce() async throws {
    try await withIsolatedHome { home in
      try home.writeConfig(
        "forage/config.yaml",
        "providers:\n  github: {enabled: false}\n  local: {enabled: false}\n"
          + "  work: {type: github, url: https://git.example, secrets: {token: {env: NO_SUCH_TOKEN}}}\n")
      let forage = try Forage(ForageSetup(environment: home.environment), adding: [Self.shelf()])
      var options = SearchOptions()
      options.providers = ["shelf", "work"]
      options.cache = .offline
      var warnings: [[String]] = []
      for _ in 1...2 {
        var told: [String] = []
        for try await update in forage.search("http", options) {
          if case .warning(let message, _) = update { told.append(message) }
        }
        warnings.append(told)
      }
      #expect(warnings.map(\.count) == [1, 0] && warnings[0].first?.contains("NO_SUCH_TOKEN") == true)
      await forage.close()
    }
  }

  @Test func settingsThatCannotBeRead() async throws {
    try await withIsolatedHome { home in
      let file = try home.writeConfig("forage/config.yaml", "providers: [")
      let setup = ForageSetup(environment: home.environment)
      let error = #expect(throws: ForageError.self) { try Forage(setup) }
      #expect(error?.message.contains(file.path) == true)
    }
  }
}
