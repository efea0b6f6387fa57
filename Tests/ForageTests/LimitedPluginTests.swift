import ForageCore
import ForageHTTP
import ForagePluginHost
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Forage

/// Limits that plugins report, in a program that keeps running.
struct LimitedPluginTests {
  /// A provider that answers every search with a limit of a minute, in an error or in a page.
  private final class Refusing: SearchProvider {
    let info = ProviderInfo(id: "acme", name: "Acme")
    let kinds: [ResultKind: Abilities] = [.repo: Abilities(fields: [], maximumPageSize: 10)]
    let searches = Mutex(0)
    let isPage: Bool

    init(isPage: Bool = false) { self.isPage = isPage }

    func search(_ request: SearchRequest) async throws -> SearchPage {
      searches.withLock { $0 += 1 }
      if isPage {
        var page = SearchPage(items: [])
        page.limit = .seconds(60)
        return page
      }
      throw SearchError(.rateLimited, "too many calls", retryAfterMilliseconds: 60_000)
    }
  }

  private static let request = SearchRequest(
    kind: .repo, query: nil, sort: nil, order: .descending, pageSize: 10, cursor: nil,
    deadline: .now + .seconds(60))

  private func plugin() throws -> TemporaryDirectory {
    let folder = try TemporaryDirectory()
    try folder.write(
      "acme/plugin.json",
      """
      {"forage": 1, "id": "acme", "name": "Acme", "version": "1", "command": ["python3", "acme.py"],
       "files": ["acme.py"], "kinds": ["repo"], "secrets": ["token"]}
      """)
    try folder.write("acme/acme.py", "")
    return folder
  }

  @Test func thePluginIsNotAskedBeforeTheEnd() async throws {
    let folder = try plugin()
    let (provider, budgets) = (Refusing(), RateBudgets())
    var entry = Settings.Provider()
    entry.secrets = ["token": "ACME_TOKEN"]
    func message(_ environment: [String: String] = [:]) async throws -> String? {
      let plugin = try FoundPlugin(at: folder.path("acme"))
      let limited = LimitedPlugin(
        provider, of: plugin, entry, environment: environment, budgets: budgets)
      let error = await #expect(throws: SearchError.self) { try await limited.search(Self.request) }
      #expect(error?.code == .rateLimited && (1...60_000).contains(error?.retryAfterMilliseconds ?? 0))
      return error?.message
    }
    #expect(try await message()?.hasPrefix("too many calls (until ") == true)
    for _ in 0..<2 {
      #expect(try await message()?.hasPrefix("the limit of Acme is exceeded until ") == true)
    }
    #expect(provider.searches.withLock { $0 } == 1)
    // With another secret, or other files, the limit may be another.
    #expect(try await message(["ACME_TOKEN": "a"])?.hasPrefix("too many calls") == true)
    try folder.write("acme/acme.py", "# another version\n")
    #expect(try await message()?.hasPrefix("too many calls") == true)
    #expect(provider.searches.withLock { $0 } == 3)
  }

  /// A limit beside results holds, too.
  @Test func aLimitOfAPage() async throws {
    let folder = try plugin()
    let provider = Refusing(isPage: true)
    let limited = LimitedPlugin(
      provider, of: try FoundPlugin(at: folder.path("acme")), Settings.Provider(), environment: [:],
      budgets: RateBudgets())
    #expect(try await limited.search(Self.request).items.isEmpty)
    await #expect(throws: SearchError.self) { try await limited.search(Self.request) }
    #expect(provider.searches.withLock { $0 } == 1)
  }

  /// What one task of a program learns of servers, the next one knows.
  @Test func tasksShareWhatIsKnown() async throws {
    try await withIsolatedHome { home in
      let forage = Forage(ForageSetup(environment: home.environment(adding: [:])), reportingTo: Reporter())
      let next = forage.renewed(reportingTo: Reporter())
      #expect(next.network.budgets === forage.network.budgets)
      await forage.close()
    }
  }
}
